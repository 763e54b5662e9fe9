"""The box along a body's own directions: a measure of its extents that turns with it.

Directions that are tried: normals of its largest plane faces, axes of its largest cylinder faces, the commonest normals of the convex
hull of its points, and their principal axes, which alone are arbitrary for a cube. For each, the points are projected along it, and
the rectangle of least area around them has a side on their convex hull (Freeman and Shapira 1975). The box of least volume is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import Array, SceneObject
from spatial.reasoning.scene.relations.hulls import corners_of

DIRECTIONS: Final = 6
"""Most directions by plane normals and by cylinder axes that are tried, those with the largest area first."""

SAME_DIRECTION: Final = 1e-4
"""Sine of the angle within which two directions are one."""

HULL_DIRECTIONS: Final = 3
"""Directions by the hull's facets that are tried: a box has three."""

HULL_SAME: Final = 0.9994
"""Cosine of the angle within which facets count as one side, 2 degrees: the noise of a scan tilts small facets."""

SIDES: Final = 64
"""Sides of an outline that are tried, the longest first; an outline with more is round, and any direction does."""

BETTER: Final = 1 - 1e-6
"""Part of the least volume so far that a box has at most to replace it: equal boxes do not alternate by the last bits."""


LEAST_CORNERS: Final = 4
"""Fewest points that span a box."""


@dataclass(frozen=True, eq=False)
class Frame:
    """axes: (3, 3) unit rows, along the longest, middle and shortest extent. centre: (3,). extents: (3,), descending."""

    axes: Array
    centre: Array
    extents: Array

    def local(self, points: Array) -> Array:
        """(n, 3) coordinates along the axes from the centre."""
        return np.asarray((points - self.centre) @ self.axes.T)


def frame_of(body: SceneObject) -> Frame | None:
    """The least box; None of a body without extent in space."""
    points = body.points if len(body.points) >= LEAST_CORNERS else corners_of(body)
    if len(points) < LEAST_CORNERS:
        return None
    best: Frame | None = None
    outer = _outermost(points)
    for direction in _directions(body, points):
        found = _box_along(direction, outer)
        if found is not None and (best is None or found.extents.prod() < best.extents.prod() * BETTER):
            best = found
    return best


def _outermost(points: Array) -> Array:
    """The points that a box around them depends on."""
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except (QhullError, ValueError):
        return points


def _directions(body: SceneObject, points: Array) -> Iterator[Array]:
    yield from ranked(body.faces, "plane", "normal")[:DIRECTIONS]
    yield from ranked(body.faces, "cylinder", "axis")[:DIRECTIONS]
    yield from _hull_normals(points)
    _, _, principal = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    yield from principal


def _hull_normals(points: Array) -> Iterator[Array]:
    """Directions of the facets of the hull, those that are nearly the same as one, by area."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return
    corners = points[hull.simplices]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    normals = hull.equations[:, :3]
    for _ in range(HULL_DIRECTIONS):
        first = int(areas.argmax())
        if areas[first] <= 0:
            return
        near = np.abs(normals @ normals[first]) >= HULL_SAME
        weighted = normals[near] * (areas[near] * np.sign(normals[near] @ normals[first]))[:, None]
        yield weighted.sum(axis=0)
        areas = np.where(near, 0.0, areas)


def ranked(faces: tuple[Face, ...], kind: str, member: str) -> list[Array]:
    """Directions of faces of a kind, either sense as one, by the area that they have together."""
    found: list[tuple[Array, float]] = []
    for face in faces:
        vector = getattr(face, member)
        if face.type != kind or vector is None:
            continue
        direction = np.array(vector)
        place = next((n for n, (each, _) in enumerate(found) if _is_same(each, direction)), None)
        if place is None:
            found.append((direction, face.area or 0.0))
        else:
            found[place] = found[place][0], found[place][1] + (face.area or 0.0)
    return [direction for direction, _ in sorted(found, key=lambda each: -each[1])]


def _is_same(one: Array, other: Array) -> bool:
    return abs(float(one @ other)) > 1 - SAME_DIRECTION**2


def _box_along(direction: Array, points: Array) -> Frame | None:
    normal = direction / np.linalg.norm(direction)
    first = np.cross(normal, np.eye(3)[int(np.abs(normal).argmin())])
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    flat = points @ np.stack([first, second], axis=1)
    try:
        outline = flat[ConvexHull(flat).vertices]
    except (QhullError, ValueError):
        return None
    turn = _least_rectangle(outline)
    axes = np.stack([turn[0] * first + turn[1] * second, -turn[1] * first + turn[0] * second, normal])
    along = points @ axes.T
    low, high = along.min(axis=0), along.max(axis=0)
    order = np.argsort(-(high - low), kind="stable")
    return Frame(axes[order], ((low + high) / 2) @ axes, (high - low)[order])


def _least_rectangle(outline: Array) -> Array:
    """(2,) unit direction of a side of the rectangle of least area around a convex outline."""
    sides = np.roll(outline, -1, axis=0) - outline
    lengths = np.linalg.norm(sides, axis=1)
    longest = np.argsort(-lengths, kind="stable")[: min(SIDES, int((lengths > 0).sum()))]
    sides = sides[longest] / lengths[longest, None]
    across = np.stack([-sides[:, 1], sides[:, 0]], axis=1)
    wide, tall = np.ptp(outline @ sides.T, axis=0), np.ptp(outline @ across.T, axis=0)
    return np.asarray(sides[int((wide * tall).argmin())])
