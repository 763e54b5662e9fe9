"""Concave faces around common axes, and how much of a turn they cover."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length, perpendicular
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.threads import Thread, threads

LEVELS: Final = np.array([0.5, 0.12, 0.88])
"""Heights of a band, as parts of its length, at which its turn is looked at."""

_CELL: Final = 16.0
"""Tolerances across a cell in which axes are looked up: lines that count as one are nearer than that at the body's centre."""


@dataclass
class Band:
    """Faces of one cylinder, cone, torus or sphere around an axis."""

    kind: str
    faces: list[int]
    low: float
    """Along the axis, from the axis' origin."""
    high: float
    radii: tuple[float, float]
    """Distance from the axis at `low` and at `high`."""
    turn: float = 0.0
    """Radians that its faces cover where they cover most; 2 pi of a whole circle."""
    thread: Thread | None = None
    """What is cut into it; then it has the diameter that is left: the minor one of a hole, the major one of a shaft."""

    @property
    def length(self) -> float:
        """Along the axis."""
        return self.high - self.low

    @property
    def radius(self) -> float:
        """The smaller one."""
        return min(self.radii)


@dataclass
class Axis:
    """A line, and the concave bands around it in ascending order."""

    origin: Array
    direction: Array
    bands: list[Band] = field(default_factory=list)

    def heights(self, points: Array) -> Array:
        """Of points along the axis."""
        return np.asarray((points - self.origin) @ self.direction)

    def distances(self, points: Array) -> Array:
        """Of points from the axis."""
        away = points - self.origin
        return np.asarray(np.linalg.norm(away - (away @ self.direction)[:, None] * self.direction, axis=1))

    def at(self, height: float) -> Array:
        """A point of the axis."""
        return np.asarray(self.origin + height * self.direction)


class RoundFaces:
    """The axes of cylinders and cones of a body, with all bands around them."""

    def __init__(self, shape: FeatureShape) -> None:
        self._shape = shape

    @cached_property
    def threads(self) -> list[Thread]:
        """The modelled threads."""
        return threads(self._shape)

    @cached_property
    def concave(self) -> list[Axis]:
        """Of walls around air: holes, ends of slots, filled corners."""
        return _axes(self._shape, -1.0, [each for each in self.threads if each.inner])

    @cached_property
    def convex(self) -> list[Axis]:
        """Of walls around material: pins, rounded edges."""
        return _axes(self._shape, 1.0, [each for each in self.threads if not each.inner])


def _axes(shape: FeatureShape, bulge: float, cut: list[Thread]) -> list[Axis]:
    found: list[Axis] = []
    index: dict[tuple[int, ...], list[Axis]] = {}
    centre = shape.centre
    for face, surface in enumerate(shape.surfaces):
        if surface is None or surface.kind not in ("cylinder", "cone") or shape.bulge(face) != bulge:
            continue
        direction = _upright(surface.axis)
        # The foot of the perpendicular from the body's centre is the same for all points of a line; parallel lines have others.
        away = surface.origin - centre
        foot = away - (away @ direction) * direction
        key = tuple(np.floor(foot / (_CELL * shape.tolerance)).astype(np.int64).tolist())
        near = [axis for other in _cells(key) for axis in index.get(other, ())]
        axis = next((axis for axis in near if _is_same(shape, axis, surface.origin, direction)), None)
        if axis is None:
            axis = Axis(surface.origin, direction)
            found.append(axis)
            index.setdefault(key, []).append(axis)
        _add(shape, axis, face)
    for thread in cut:
        _add_thread(shape, found, thread)
    for axis in found:
        axis.bands.sort(key=lambda band: (band.low, band.high))
        for band in axis.bands:
            band.turn = 2.0 * np.pi if band.thread else _turn(shape, axis, band)
    return found


def _add_thread(shape: FeatureShape, axes: list[Axis], thread: Thread) -> None:
    """A whole band in place of what a thread has left of a cylinder."""
    near = max(shape.tolerance, thresholds.THREAD_FIT * abs(thread.lead))
    axis = next(
        (
            each
            for each in axes
            if length(cross(each.direction, thread.axis)) <= thresholds.THREAD_FIT
            and float(each.distances(thread.origin[None])[0]) <= near
        ),
        None,
    )
    if axis is None:
        axis = Axis(thread.origin, thread.axis)
        axes.append(axis)
    shift = float((thread.origin - axis.origin) @ axis.direction)
    radius = (thread.minor if thread.inner else thread.major) / 2.0
    faces = set(thread.faces)
    strips = [band for band in axis.bands if faces & set(band.faces)]
    axis.bands = [band for band in axis.bands if band not in strips]
    faces |= {face for band in strips for face in band.faces}
    ends = sorted(shift + end * float(np.sign(thread.axis @ axis.direction)) for end in (thread.low, thread.high))
    low = min([ends[0], *(band.low for band in strips)])
    high = max([ends[1], *(band.high for band in strips)])
    axis.bands.append(Band("cylinder", sorted(faces), low, high, (radius, radius), thread=thread))


def _upright(direction: Array) -> Array:
    """The one of two opposite directions whose first coordinate that counts is positive."""
    leading = direction[int(np.argmax(np.abs(direction) > 1e-6))]
    return direction if leading > 0.0 else -direction


def _cells(key: tuple[int, ...]) -> list[tuple[int, ...]]:
    steps = (-1, 0, 1)
    return [(key[0] + a, key[1] + b, key[2] + c) for a in steps for b in steps for c in steps]


def _is_same(shape: FeatureShape, axis: Axis, origin: Array, direction: Array) -> bool:
    return shape.is_along(axis.direction, direction) and float(axis.distances(origin[None])[0]) <= shape.tolerance


def _add(shape: FeatureShape, axis: Axis, face: int) -> None:
    """Add a face to the band of its surface, where one is next to it or overlaps it."""
    points = shape.points(face)
    if not len(points):
        return
    heights, distances = axis.heights(points), axis.distances(points)
    low, high = float(heights.min()), float(heights.max())
    kind = shape.kind(face)
    if kind == "cylinder":
        radius = shape.surfaces[face].radius  # type: ignore[union-attr]  # a cylinder has a surface
        radii = (radius, radius)
    else:
        radii = (float(distances[np.argmin(heights)]), float(distances[np.argmax(heights)]))
    new = Band(kind, [face], low, high, radii)
    same = [band for band in axis.bands if _is_one(band, new, shape.tolerance)]
    # Half a wall in one piece joins the two pieces that something left of the other half.
    if same:
        new.faces = [*(other for band in same for other in band.faces), face]
        new.low, new.high = min(low, *(band.low for band in same)), max(high, *(band.high for band in same))
        new.radii = same[0].radii
        axis.bands = [band for band in axis.bands if band not in same]
    axis.bands.append(new)


def _is_one(one: Band, two: Band, tolerance: float) -> bool:
    """Whether two bands are pieces of one: cylinders of one radius that touch, cones from one height to one height."""
    if one.kind != two.kind:
        return False
    if one.kind == "cone":
        return abs(one.low - two.low) + abs(one.high - two.high) <= 2 * tolerance
    touches = two.low <= one.high + tolerance and two.high >= one.low - tolerance
    return touches and abs(one.radii[0] - two.radii[0]) <= tolerance


def _turn(shape: FeatureShape, axis: Axis, band: Band) -> float:
    """The greatest part of a turn that the band's faces cover at one of LEVELS, from where their boundaries cross it."""
    x = perpendicular(axis.direction)
    frame = np.stack([x, cross(axis.direction, x), axis.direction])
    edges = [
        (edge, next(use.sign for use in edge.uses if use.face == face) * -shape.faces[face].bulge)
        for face in band.faces
        for edge, other in shape.neighbours(face)
        if other not in band.faces
    ]
    if not edges:
        return 2.0 * np.pi
    points = (shape.polylines[[edge.curve for edge, _ in edges]] - axis.origin) @ frame.T
    signs = np.array([sign for _, sign in edges])
    turns = []
    for level in (band.low + LEVELS * band.length).tolist():
        marks = _crossings(points, signs, level)
        turns.append(_covered(marks) if marks else 2.0 * np.pi if _reaches(shape, axis, band, level) else 0.0)
        if turns[-1] >= 2.0 * np.pi:
            break
    return max(turns)


def _reaches(shape: FeatureShape, axis: Axis, band: Band, level: float) -> bool:
    """Whether one of the faces is at a level: walls on one axis may have a gap between them."""
    heights = [axis.heights(shape.points(face)) for face in band.faces]
    return any(each.min() <= level <= each.max() for each in heights)


def _crossings(points: Array, signs: Array, level: float) -> list[tuple[float, bool]]:
    """Angles at which edges (n, 17, 3), in the axis' frame, pass a level, and whether the face lies on the side of larger angles there.

    A face lies to the left of its edges, seen against its outward normal: on a concave wall, whose normal points at the axis, to the left
    of an edge that goes up is where angles grow.
    """
    heights = points[..., 2] - level
    edge, at = np.nonzero((heights[:, :-1] < 0.0) != (heights[:, 1:] < 0.0))
    before, after = heights[edge, at], heights[edge, at + 1]
    part = (before / (before - after))[:, None]
    crossed = points[edge, at] + part * (points[edge, at + 1] - points[edge, at])
    begins = (after > before) == (signs[edge] > 0.0)
    return sorted(zip(np.arctan2(crossed[:, 1], crossed[:, 0]).tolist(), begins.tolist(), strict=True))


def _covered(marks: list[tuple[float, bool]]) -> float:
    """The sum of the arcs that begin at one mark and end at the next."""
    angles = [angle for angle, _ in marks]
    widths = np.diff(angles, append=angles[0] + 2.0 * np.pi).tolist()
    return float(sum(width for width, (_, begins) in zip(widths, marks, strict=True) if begins))
