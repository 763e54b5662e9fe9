"""The flat regions on which an object can be placed: floors of cavities, and sides that look up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.reasoning.contact.outlines import hull_corners
from spatial.reasoning.contact.patches import CIRCLE, Plane, highest, top
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.cavity import Cavity, cavities_of, inside_of
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.tolerances import CONTACT, PARALLEL

Relation = Literal["in", "on"]

MOST_LEVELS: Final = 6
"""Levels of a stepped object that are tried, highest first."""


@dataclass(frozen=True, eq=False)
class Region:
    """A convex part of a plane across gravity.

    corners: (k, 2) in the plane's directions; level: its height; ceiling: height of a wall above it, None for none.
    cavity: the space that it is the floor of; None for a side that looks up.
    """

    relation: Relation
    corners: Array
    level: float
    ceiling: float | None = None
    cavity: Cavity | None = None


def regions_of(item: SceneObject, target: Body, plane: Plane, relation: str, may_protrude: bool) -> list[Region]:
    """Floors of the cavities of a target, and what of it looks up unless it is a container."""
    cavities = cavities_of(item)
    if not cavities and relation == "in":
        inside = inside_of(item)
        cavities = () if inside is None else (inside,)
    found = [] if relation == "on" else list(floors(cavities, plane, may_protrude))
    if relation == "on" or (relation == "any" and item.kind != "container"):
        found += list(tops(target, plane))
    return found


def unknown_regions(target_id: str) -> str:
    """The reason of an answer about a target that offers no region."""
    return (
        f"no floor or flat side of {target_id!r} that looks up is known; more points on it, a cad_scene with its faces, or "
        "another goal.relation would decide it"
    )


def floors(cavities: tuple[Cavity, ...], plane: Plane, may_protrude: bool) -> Iterator[Region]:
    """The floors of cavities that stand along gravity and have one."""
    for cavity in cavities:
        along = cavity.frame @ plane.up
        axis = int(np.argmax(np.abs(along)))
        if abs(float(along[axis])) < 1 - PARALLEL or (cavity.radius is not None and axis != 2):
            continue
        low_side, high_side = (2 * axis, 2 * axis + 1) if along[axis] > 0 else (2 * axis + 1, 2 * axis)
        if cavity.sides[low_side] == "open":
            continue
        ends = np.sort(np.array([cavity.lower[axis], cavity.upper[axis]]) * np.sign(along[axis]))
        is_covered = cavity.sides[high_side] != "open" or not may_protrude
        yield Region("in", _floor(cavity, axis, plane), float(ends[0]), float(ends[1]) if is_covered else None, cavity)


def _floor(cavity: Cavity, axis: int, plane: Plane) -> Array:
    if cavity.radius is not None:
        middle = plane.flat((cavity.frame.T @ ((cavity.lower + cavity.upper) / 2))[None])
        angles = np.arange(CIRCLE) * (2 * np.pi / CIRCLE)
        return middle + cavity.radius * np.column_stack([np.cos(angles), np.sin(angles)])
    first, second = (other for other in range(3) if other != axis)
    rows = []
    for one in (cavity.lower[first], cavity.upper[first]):
        for two in (cavity.lower[second], cavity.upper[second]):
            local = np.zeros(3)
            local[first], local[second] = one, two
            rows.append(cavity.frame.T @ local)
    return hull_corners(plane.flat(np.array(rows)))


def tops(body: Body, plane: Plane) -> Iterator[Region]:
    """The sides of a body that look up, highest first; each convex piece of them is one region."""
    parts = body.parts or body.cover
    heights = [float(part.heights(plane.up[None])[0]) for part in parts] or [highest(body, plane)]
    seen: list[float] = []
    for level in sorted(heights, reverse=True):
        if any(abs(level - other) <= CONTACT * body.size for other in seen) or len(seen) >= MOST_LEVELS:
            continue
        seen.append(level)
        for piece in _pieces(top(body, plane, level).inner):
            yield Region("on", piece, level)


def _pieces(geometry: BaseGeometry) -> Iterator[Array]:
    """The convex outlines of a patch; a patch that is not convex gives its largest rectangle of corners, by its own edges."""
    polygons = geometry.geoms if isinstance(geometry, MultiPolygon) else [geometry]
    for polygon in polygons:
        if isinstance(polygon, Polygon) and polygon.area > 0:
            if polygon.convex_hull.area <= polygon.area * (1 + 1e-6):
                yield hull_corners(np.asarray(polygon.exterior.coords[:-1]))
            else:
                yield from _strips(polygon)


def _strips(polygon: Polygon) -> Iterator[Array]:
    """Convex pieces of a polygon: what its own corner coordinates cut out of it along its longest edge, and lies inside."""
    corners = np.asarray(polygon.exterior.coords)
    along = np.diff(corners, axis=0)
    way = along[int(np.argmax(np.linalg.norm(along, axis=1)))]
    way = way / np.linalg.norm(way)
    turn = np.array([way, [-way[1], way[0]]])
    rows = corners @ turn.T
    for axis in range(2):
        levels = np.unique(np.round(rows[:, axis], 9))
        for low, high in pairwise(levels.tolist()):
            ends = np.array([rows.min(axis=0) - 1, rows.max(axis=0) + 1])
            ends[:, axis] = low, high
            box = np.array(
                [[ends[0, 0], ends[0, 1]], [ends[1, 0], ends[0, 1]], [ends[1, 0], ends[1, 1]], [ends[0, 0], ends[1, 1]]]
            )
            cut = polygon.intersection(Polygon(box @ turn))
            if isinstance(cut, Polygon) and cut.area > 0 and cut.convex_hull.area <= cut.area * (1 + 1e-6):
                yield hull_corners(np.asarray(cut.exterior.coords[:-1]))
