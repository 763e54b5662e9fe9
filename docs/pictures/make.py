# ruff: noqa: INP001  (a script, not a part of a package)
"""Makes `bracket.png`: the bundled sample part as the service extracts it.

Run with `python docs/pictures/make.py`. Everything in the picture is from the extraction: the shaded body is its
tessellation, coloured by the type of each face in the document; labels, sizes and figures are the document's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GCPnts import GCPnts_TangentialDeflection
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.contract.extraction import CadExtraction, Face, Solid
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble
from spatial.document.summary import figure
from spatial.formats.step import reader
from spatial.models.brep.model import BrepModel
from spatial.models.brep.tessellation import Tessellation, tessellate
from spatial.models.brep.topology import faces_of, subshapes
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import steps_of

HERE = Path(__file__).parent
PART = HERE.parents[1] / "examples" / "bracket.step"

WIDTH, HEIGHT, DPI = 12.0, 5.6, 150
"""The picture in inches, and its dots an inch."""

FINE = 3
"""Dots of the rendering for each of the picture, a side."""

COLOURS = {"plane": "#9fb3c8", "cylinder": "#2a9d8f", "cone": "#e9b44c", "torus": "#d1495b"}
INK, FAINT, PAPER = "#1f2933", "#7b8794", "#ffffff"

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """An orthographic look at the part: rows are right, up, and towards the eye."""

    axes: Floats

    @classmethod
    def at(cls, azimuth: float, elevation: float) -> View:
        """From degrees around z (0 looks along -x) and above the ground."""
        a, e = math.radians(azimuth), math.radians(elevation)
        eye = np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])
        right = np.array([-math.sin(a), math.cos(a), 0.0])
        return cls(np.stack([right, np.cross(eye, right), eye]))

    def seen(self, points: Floats) -> Floats:
        """(n, 3) right, up, and nearness."""
        return np.asarray(points @ self.axes.T, dtype=np.float64)


VIEW = View.at(-58, 27)


@dataclass
class Raster:
    """What is visible in each dot: the nearest face, how near, and how it is lit."""

    low: Floats
    """Right and up of the first dot."""
    dots: float
    """Dots a millimeter."""
    nearness: Floats
    face: NDArray[np.int64]
    light: Floats

    @classmethod
    def empty(cls, seen: Floats, dots: float, margin: float) -> Raster:
        """Big enough for everything that is seen."""
        low, high = seen[:, :2].min(axis=0) - margin, seen[:, :2].max(axis=0) + margin
        columns, rows = (int(side) for side in np.ceil((high - low) * dots))
        shape = (rows, columns)
        return cls(low, dots, np.full(shape, -np.inf), np.full(shape, -1), np.zeros(shape))

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top in millimeters of the view."""
        rows, columns = self.face.shape
        return (self.low[0], self.low[0] + columns / self.dots, self.low[1], self.low[1] + rows / self.dots)

    def fill(self, corners: Floats, face: int, light: float) -> None:
        """One triangle, in the view's coordinates."""
        flat = (corners[:, :2] - self.low) * self.dots
        (left, bottom), (right, top) = np.floor(flat.min(axis=0)).astype(int), np.ceil(flat.max(axis=0)).astype(int)
        x, y = np.meshgrid(np.arange(left, right + 1) + 0.5, np.arange(bottom, top + 1) + 0.5)
        (ax, ay), (bx, by), (cx, cy) = flat
        whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if abs(whole) < 1e-12:
            return
        b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / whole
        c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / whole
        near = corners[0, 2] + b * (corners[1, 2] - corners[0, 2]) + c * (corners[2, 2] - corners[0, 2])
        window = (slice(bottom, top + 1), slice(left, right + 1))
        front = (b >= -1e-9) & (c >= -1e-9) & (b + c <= 1 + 1e-9) & (near > self.nearness[window])
        self.nearness[window][front] = near[front]
        self.face[window][front] = face
        self.light[window][front] = light

    def shows(self, seen: Floats) -> NDArray[np.bool_]:
        """Which points have nothing in front of them."""
        column, row = ((seen[:, :2] - self.low) * self.dots).astype(int).T
        around = np.max([self.nearness[row + dy, column + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)], axis=0)
        return np.asarray(seen[:, 2] > np.where(np.isfinite(around), around, -np.inf) - 0.6)


def extracted() -> tuple[BrepModel, CadExtraction]:
    """The part's model, and its document."""
    source = reader.read(PART.read_bytes(), PART.name)
    plan, steps = SamplingPlan(), steps_of(source)
    document = assemble(
        steps.reading, steps.interpret(), steps.sample(plan), file_name=PART.name, target=TargetContract.both,
        request_id="picture", plan=plan,
    )  # fmt: skip
    return source, document


def fine_mesh(shape: TopoDS_Shape) -> Tessellation:
    """A mesh so fine that its facets do not show."""
    BRepMesh_IncrementalMesh(shape, 0.01, False, 0.06, False)
    return tessellate(shape)


def rendered(mesh: Tessellation, dots: float) -> Raster:
    """The mesh as it looks, lit from the upper left and from the right, with a little light from everywhere."""
    corners = VIEW.seen(mesh.corners.reshape(-1, 3)).reshape(-1, 3, 3)
    raster = Raster.empty(corners.reshape(-1, 3), dots, margin=1.5)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]
    lamps = [(np.array([-0.55, 0.6, 0.8]), 0.62), (np.array([0.9, 0.15, 0.35]), 0.2)]
    light = 0.4 + sum(power * np.clip(normals @ (lamp / np.linalg.norm(lamp)), 0, 1) for lamp, power in lamps)
    for triangle in np.nonzero(normals[:, 2] > 0)[0]:
        raster.fill(corners[triangle], int(mesh.face_of[triangle]), float(light[triangle]))
    return raster


def image(raster: Raster, types: list[str], edges: Iterator[Floats]) -> Floats:
    """(rows, columns, 4) the picture, edges inked in, averaged down from the fine dots; rows from the bottom up."""
    palette = np.array([[*mpl.colors.to_rgb(COLOURS[kind])] for kind in types])
    solid = raster.face >= 0
    colour = np.ones((*solid.shape, 4))
    colour[..., :3] = palette[raster.face] * raster.light[..., None]
    colour[..., 3] = solid
    for edge in edges:
        ink(colour, raster, VIEW.seen(edge))
    rows, columns = (side // FINE * FINE for side in solid.shape)
    blocks = colour[:rows, :columns].reshape(rows // FINE, FINE, columns // FINE, FINE, 4)
    cover = blocks[..., 3:].sum(axis=(1, 3))
    mean = (blocks[..., :3] * blocks[..., 3:]).sum(axis=(1, 3)) / np.maximum(cover, 1)
    return np.asarray(np.clip(np.concatenate([mean, cover / FINE**2], axis=2), 0, 1))


def ink(colour: Floats, raster: Raster, seen: Floats) -> None:
    """One edge, where nothing hides it, two fine dots wide."""
    column, row = ((seen[raster.shows(seen), :2] - raster.low) * raster.dots).astype(int).T
    for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
        colour[row + dy, column + dx] = (*mpl.colors.to_rgb(INK), 1.0)


def edges_of(shape: TopoDS_Shape, step_length: float) -> Iterator[Floats]:
    """Dense points along each edge between two faces; seams are no edges of the part."""
    for face in faces_of(shape):
        for found in subshapes(face, TopAbs_EDGE):
            edge = TopoDS.Edge_s(found)
            if BRep_Tool.Degenerated_s(edge) or BRep_Tool.IsClosed_s(edge, face):
                continue
            curve = BRepAdaptor_Curve(edge)
            walk = GCPnts_TangentialDeflection(curve, 0.02, 0.005)
            corners = np.array([walk.Value(place).Coord() for place in range(1, walk.NbPoints() + 1)])
            along = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
            at = np.linspace(0, along[-1], max(2, int(along[-1] / step_length)))
            yield np.stack([np.interp(at, along, corners[:, axis]) for axis in range(3)], axis=1)


def draw_body(axes: Axes, raster: Raster, source: BrepModel, document: CadExtraction) -> None:
    """The shaded body with its overall size and a label for each kind of cylinder that shows."""
    faces = the_solid(document).faces
    edges = edges_of(source.solids[0].shape, 0.5 / raster.dots)
    picture = image(raster, [face.type or "plane" for face in faces], edges)
    axes.imshow(picture, extent=raster.extent, origin="lower", interpolation="antialiased", zorder=2)
    dimension(axes, document)
    label(axes, raster, faces)


def the_solid(document: CadExtraction) -> Solid:
    """The one solid; its faces are in the shape's order."""
    assert document.structure is not None and document.structure.solids is not None
    (solid,) = document.structure.solids
    return solid


def dimension(axes: Axes, document: CadExtraction) -> None:
    """Overall length, width and height beside the bounding box."""
    box = document.statistics.bbox
    assert box is not None
    (x0, y0, z0), (x1, y1, z1) = box.min, box.max
    off = 9.0
    sides = [
        ((x0, y0 - off, z0), (x1, y0 - off, z0), (0.0, off, 0.0)),
        ((x1 + off, y0, z0), (x1 + off, y1, z0), (-off, 0.0, 0.0)),
        ((x0 - off, y0, z0), (x0 - off, y0, z1), (off, 0.0, 0.0)),
    ]
    for start, end, back in sides:
        dimension_line(axes, np.array([start, end]), np.array(back))


def dimension_line(axes: Axes, ends: Floats, back: Floats) -> None:
    """One dimension line with its witness lines and its figure."""
    start, end = VIEW.seen(ends)[:, :2]
    for tip, foot in zip((start, end), VIEW.seen(ends + 0.85 * back)[:, :2], strict=True):
        axes.plot(*zip(tip, foot, strict=True), color=FAINT, lw=0.6, zorder=1)
    arrow = {"arrowstyle": "<|-|>", "color": INK, "lw": 0.8, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9}
    axes.annotate("", end, start, arrowprops=arrow)
    turn = math.degrees(math.atan2(*(end - start)[::-1]))
    box = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.6}
    (x, y), told = (start + end) / 2, figure(float(np.linalg.norm(ends[1] - ends[0])))
    axes.text(
        x, y, told, rotation=turn, rotation_mode="anchor",
        ha="center", va="center", color=INK, fontsize=10, bbox=box, zorder=4,
    )  # fmt: skip


def label(axes: Axes, raster: Raster, faces: list[Face]) -> None:
    """A leader from each size of cylinder to its radius and how many faces have it, in a column on the right."""
    groups: dict[float, list[int]] = {}
    for place, face in enumerate(faces):
        if face.type == "cylinder" and face.radius is not None:
            groups.setdefault(round(face.radius, 6), []).append(place)
    found = [(spot(raster, members), radius, len(members)) for radius, members in groups.items()]
    shown = sorted(((at, radius, count) for at, radius, count in found if at is not None), key=lambda each: -each[0][1])
    _, right, bottom, top = raster.extent
    heights = np.linspace(top - 6, bottom + 0.28 * (top - bottom), len(shown))
    for (at, radius, count), height in zip(shown, heights, strict=True):
        many = f"{count} × " if count > 1 else ""
        leader = {"arrowstyle": "-", "color": INK, "lw": 0.6, "shrinkA": 1, "shrinkB": 0, "relpos": (0, 0.5)}
        axes.annotate(
            f"{many}cylinder r {figure(radius)}", at, (right + 6, height), va="center", color=INK, fontsize=8.5,
            arrowprops=leader, zorder=5,
        )  # fmt: skip
        axes.plot(*at, "o", color=PAPER, mec=INK, mew=0.7, ms=3.2, zorder=6)


def spot(raster: Raster, members: list[int]) -> tuple[float, float] | None:
    """The middle of a patch of these faces that can be seen: of the rightmost that is not small beside the largest."""
    sizes = np.array([(raster.face == member).sum() for member in members])
    large = [member for member, size in zip(members, sizes, strict=True) if size >= max(400, 0.2 * sizes.max())]
    return max((middle(raster, member) for member in large), default=None)


def middle(raster: Raster, face: int) -> tuple[float, float]:
    """The dot of a face that is nearest to the middle of those that are seen."""
    rows, columns = np.nonzero(raster.face == face)
    nearest = np.argmin((rows - np.median(rows)) ** 2 + (columns - np.median(columns)) ** 2)
    right, up = raster.low + np.array([columns[nearest], rows[nearest]]) / raster.dots
    return float(right), float(up)


def draw_points(axes: Axes, raster: Raster, document: CadExtraction) -> None:
    """The point cloud: what the body hides is faint."""
    assert document.point_cloud_scene is not None
    (cloud,) = document.point_cloud_scene.point_clouds
    seen = VIEW.seen(np.frombuffer(cloud.flat()).reshape(-1, 3))
    front = raster.shows(seen)
    for chosen, colour, size in ((~front, "#c3ccd6", 2.2), (front, INK, 4.2)):
        axes.scatter(seen[chosen, 0], seen[chosen, 1], s=size, color=colour, lw=0)


def caption(picture: Figure, document: CadExtraction) -> None:
    """What the colours are, and the figures."""
    solid = the_solid(document)
    assert solid.volume is not None and solid.surface_area is not None and document.structure is not None
    valid = (document.structure.model_extra or {})["validity"]["valid"]
    measures = [f"volume {figure(solid.volume)} mm³", f"area {figure(solid.surface_area)} mm²"]
    words: dict[str, Any] = {"color": INK, "fontsize": 9.5, "va": "center"}
    heads: dict[str, Any] = {"color": FAINT, "fontsize": 10, "va": "center", "family": "monospace"}
    legend(picture, Counter(face.type or "" for face in solid.faces), words)
    picture.text(0.665, 0.055, "   ·   ".join([*measures, "valid" if valid else "not valid"]), ha="right", **words)
    picture.text(0.985, 0.055, f"{document.statistics.total_points:,} points", ha="right", **words)
    picture.text(0.03, 0.945, "structure", **heads)
    picture.text(0.985, 0.945, "point_cloud_scene", ha="right", **heads)


def legend(picture: Figure, counts: Counter[str], words: dict[str, Any]) -> None:
    """A square of each colour, and how many faces have it."""
    at = 0.03
    for kind, colour in COLOURS.items():
        plural = "tori" if kind == "torus" else f"{kind}s"
        picture.text(at, 0.055, "■", color=colour, fontsize=12, va="center")
        told = picture.text(at + 0.015, 0.055, f"{counts[kind]} {plural}", **words)
        at += 0.032 + told.get_window_extent().width / picture.bbox.width


def main() -> None:
    """Extract, draw, save."""
    source, document = extracted()
    raster = rendered(fine_mesh(source.solids[0].shape), 7.0 * FINE)
    picture = Figure((WIDTH, HEIGHT), facecolor=PAPER)
    body, cloud = picture.add_axes((0.01, 0.09, 0.68, 0.89)), picture.add_axes((0.685, 0.14, 0.31, 0.76))
    draw_body(body, raster, source, document)
    draw_points(cloud, raster, document)
    caption(picture, document)
    for axes in (body, cloud):
        axes.set_aspect("equal")
        axes.axis("off")
    picture.savefig(HERE / "bracket.png", dpi=DPI)


if __name__ == "__main__":
    main()
