"""One view of a scene: what is seen in each pixel, its colour, and the visible lines. Parallel projection.

Glossary
  view     a direction to look in: rows right, up and towards the eye.
  sample   a pixel of the rendering: SAMPLES by SAMPLES of them make one pixel of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Array
from spatial.geometry.sampling import Integers
from spatial.geometry.zbuffer import NOTHING, DepthBuffer, weights_at
from spatial.models.picture import Section, ViewName
from spatial.pipeline.picture.scene import Mesh, SceneBody

Image: TypeAlias = NDArray[np.float32]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the picture."""

AXES: Final[dict[ViewName, Array]] = {
    "front": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "top": np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    "right": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "iso": np.array([[3.0, 3.0, 0.0], [-1.0, 1.0, 2.0], [1.0, -1.0, 1.0]]) / np.sqrt([[18.0], [6.0], [3.0]]),
}
"""z is up; the front is seen along y; iso is from the right, the front and above, at equal angles to the axes."""

SAMPLES: Final = 2
"""Samples a pixel, each way."""

PLAIN: Final = "#b9c4cf"
"""Colour of bodies that have none in the file."""

LIGHT: Final = np.array([-0.35, 0.5, 0.79])
"""Towards the light, in the view's axes: over the left shoulder."""

SHADOW, LIT, FACING = 0.34, 0.52, 0.14
"""Share of a surface's colour that is always seen, that the light adds, and that looking at the eye adds."""

HATCH: Final = 10
"""Samples from one line of a cut to the next."""
HATCH_WIDTH: Final = 2
HATCH_SHADE: Final = 0.55


@dataclass(frozen=True)
class Camera:
    """From the document to samples."""

    axes: Array
    middle: Array
    """(3,) of what is seen, in the view's axes."""
    scale: float
    """Samples per unit of the document."""
    centre: tuple[float, float]
    """Where the middle is drawn."""

    def project(self, points: Array) -> Array:
        """(..., 3) x, y (down) and depth in samples."""
        seen = (points @ self.axes.T - self.middle) * self.scale
        return np.asarray(seen * [1.0, -1.0, 1.0] + [*self.centre, 0.0])


@dataclass
class View:
    """What a view shows, in samples of the whole picture."""

    camera: Camera
    buffer: DepthBuffer
    left: int
    """Of the view in the picture."""
    top: int
    colors: Image
    """(height, width, 3) 0 to 1, white where nothing is seen."""
    body: Integers
    """(height, width) the place of the body that is seen; NOTHING where there is none."""
    face: Integers
    """(height, width) its face, from 0; NOTHING on a cut."""
    strokes: list[Array] = field(default_factory=list)
    """(n, 2) points of visible lines."""


def camera_of(found: list[SceneBody], name: ViewName, box: Box, scale: float | None = None) -> Camera:
    """A camera that shows all bodies in the middle of a box, as large as they fit. scale: samples a unit, if given."""
    axes = AXES[name]
    low, high = extent(found, name)
    size = np.maximum(high - low, 1e-12 * max(float((high - low).max()), 1e-300))
    left, top, right, bottom = (SAMPLES * each for each in box)
    fit = min((right - left) / size[0], (bottom - top) / size[1])
    return Camera(axes, (low + high) / 2.0, scale or float(fit), ((left + right) / 2.0, (top + bottom) / 2.0))


def extent(found: list[SceneBody], name: ViewName) -> tuple[Array, Array]:
    """Least and greatest coordinates of the bodies in a view's axes."""
    points = [body.mesh.corners.reshape(-1, 3) @ AXES[name].T for body in found]
    return np.min([each.min(axis=0) for each in points], axis=0), np.max([each.max(axis=0) for each in points], axis=0)


def render(found: list[SceneBody], camera: Camera, size: tuple[int, int], section: Section | None = None) -> View:
    """Draw bodies. size: pixels, width and height. section: where they are cut, with its offset."""
    buffer = DepthBuffer.empty(size[0] * SAMPLES, size[1] * SAMPLES)
    first = [0, *accumulate(len(body.mesh.corners) for body in found)]
    projected = [camera.project(body.mesh.corners) for body in found]
    for start, corners in zip(first, projected, strict=False):
        buffer.draw(corners, start)
    if section is not None:
        _fill_caps(buffer, camera, section.number, [body.outline for body in found], first[-1])
    view = _shaded(found, np.concatenate(projected), camera, buffer, np.array(first))
    for body in found:
        lines = np.concatenate([body.mesh.lines, _outlines(body.mesh, camera), body.outline])
        view.strokes += _strokes(lines, camera, buffer)
    return view


def _fill_caps(buffer: DepthBuffer, camera: Camera, axis: int, outlines: list[Array], first: int) -> None:
    """Draw the cut face of each body under the number first + its place; nothing where the plane is seen edge on."""
    normal = camera.axes[:, axis]
    if abs(normal[2]) < 1e-9:
        return
    for place, outline in enumerate(outlines):
        if len(outline):
            lines = camera.project(outline)
            at = lines[0, 0]
            # The plane's normal in samples, where y is down: depth falls along x and y as it turns away.
            a, b = -normal[0] / normal[2], normal[1] / normal[2]
            buffer.fill(lines[..., :2].reshape(-1, 4), (a, b, at[2] - a * at[0] - b * at[1]), first + place)


def _shaded(found: list[SceneBody], projected: Array, camera: Camera, buffer: DepthBuffer, first: Integers) -> View:
    height, width = buffer.depth.shape
    colors = np.ones((height, width, 3), np.float32)
    body, face = np.full((2, height, width), NOTHING, np.int64)
    row, column = np.nonzero(buffer.triangle >= 0)
    number = buffer.triangle[row, column]
    on_cut = number >= first[-1]
    of = np.where(on_cut, number - first[-1], np.searchsorted(first, number, side="right") - 1)
    body[row, column] = of
    i, j, seen = row[~on_cut], column[~on_cut], number[~on_cut]
    face[i, j] = np.concatenate([each.mesh.face for each in found])[seen]
    weights = weights_at(projected[seen], j + 0.5, i + 0.5)
    normals = np.concatenate([each.mesh.normals for each in found])[seen]
    normal = np.einsum("nc,ncd->nd", weights, normals) @ camera.axes.T
    normal *= np.where(normal[:, 2:] < 0.0, -1.0, 1.0) / np.maximum(
        np.linalg.norm(normal, axis=1, keepdims=True), 1e-12
    )
    light = SHADOW + LIT * np.maximum(normal @ LIGHT, 0.0) + FACING * normal[:, 2]
    colors[i, j] = _colors(found, of[~on_cut], face[i, j]) * light[:, None]
    i, j = row[on_cut], column[on_cut]
    hatched = (i + j) % HATCH < HATCH_WIDTH
    colors[i, j] = _colors(found, of[on_cut], np.full(len(i), NOTHING)) * np.where(hatched, HATCH_SHADE, 1.0)[:, None]
    return View(camera, buffer, 0, 0, np.clip(colors, 0.0, 1.0), body, face)


def _colors(found: list[SceneBody], body: Integers, face: Integers) -> Array:
    """(n, 3) the colour of faces of bodies."""
    values = np.array([rgb(each.color or PLAIN) for each in found])[body]
    for place, each in enumerate(found):
        for number, color in each.face_colors.items():
            values[(body == place) & (face == number)] = rgb(color)
    return values


def rgb(color: str) -> tuple[float, float, float]:
    """0 to 1, from #rrggbb."""
    red, green, blue = (int(color[at : at + 2], 16) / 255.0 for at in (1, 3, 5))
    return red, green, blue


def _outlines(mesh: Mesh, camera: Camera) -> Array:
    """(n, 2, 3) where a curved face turns away from the eye."""
    corners = camera.project(mesh.corners)
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    facing = (area < 0.0)[mesh.beside]  # y is down: what looks at the eye turns clockwise
    return np.asarray(mesh.folds[facing[:, 0] != facing[:, 1]])


def _strokes(lines: Array, camera: Camera, buffer: DepthBuffer) -> list[Array]:
    """The visible parts of lines (n, 2, 3): each (2, 2) from where to where."""
    ends = camera.project(lines)
    length = np.linalg.norm(ends[:, 1, :2] - ends[:, 0, :2], axis=1)
    count = np.clip(np.ceil(length), 1, 4096).astype(np.int64)
    place = np.repeat(np.arange(len(ends)), count)
    step = np.arange(len(place)) - np.repeat(np.cumsum(count) - count, count)
    part = ((step + 0.5) / count[place])[:, None]
    seen = buffer.visible(ends[place, 0] + part * (ends[place, 1] - ends[place, 0]))
    begins = seen & (np.concatenate([[True], ~seen[:-1]]) | (step == 0))[: len(seen)]
    stops = seen & (np.concatenate([~seen[1:], [True]]) | (step == count[place] - 1))[: len(seen)]
    at, to = np.flatnonzero(begins), np.flatnonzero(stops)
    line = place[at]
    start, stop = step[at] / count[line], (step[to] + 1) / count[line]
    flat = ends[line, :, :2]
    along = flat[:, 1] - flat[:, 0]
    return list(np.stack([flat[:, 0] + start[:, None] * along, flat[:, 0] + stop[:, None] * along], axis=1))
