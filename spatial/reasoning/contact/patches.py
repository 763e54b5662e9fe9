"""Where bodies touch what is below them: flat patches across gravity, in the plane of the support.

Glossary
  level   height along `up`, which is opposite to gravity.
  patch   what a body and its support have in common at one level; a polygon, a segment or a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from shapely import GeometryCollection, LineString, MultiPoint, Point, Polygon, transform, union_all
from shapely.geometry.base import BaseGeometry

from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.distance import Proximity
from spatial.reasoning.shape.hull import plane_axes
from spatial.reasoning.shape.sampled import covering_radius
from spatial.reasoning.shape.tolerances import CONTACT, MIN_PLANE_POINTS, PARALLEL

CIRCLE: Final = 360
"""Corners of a round patch: the polygon around the circle is larger at its corners by 4e-5 of the radius."""


@dataclass(frozen=True, eq=False)
class Plane:
    """The directions of a support: (3,) each; `right`, `forward` and `up` are right-handed."""

    right: Array
    forward: Array
    up: Array

    @classmethod
    def across(cls, gravity: Array) -> Plane:
        """The plane across gravity, with x to the right and y forward where gravity is along z."""
        up = -gravity
        if abs(float(up[2])) > 1 - PARALLEL:
            right = np.array([1.0, 0.0, 0.0]) - up * up[0]
            right = right / np.linalg.norm(right)
            return cls(right, np.cross(up, right), up)
        right, forward = plane_axes(up)
        return cls(right, forward, up)

    def flat(self, points: Array) -> Array:
        """(n, 2) the projection of (n, 3) points."""
        return np.asarray(points @ np.array([self.right, self.forward]).T)

    def lifted(self, rows: Array, level: float) -> Array:
        """(n, 3) points of (n, 2) rows at a level."""
        return np.asarray(rows @ np.array([self.right, self.forward]) + level * self.up)


@dataclass(frozen=True, eq=False)
class Patch:
    """A contact at one level, or in an inclined plane.

    inner: what is certainly in contact, outer: what may be, as seen along gravity; the same where both bodies are exact.
    slope: (2,) rise of an inclined plane per length along `right` and `forward`; `level` is its level where both are 0.
    """

    level: float
    inner: BaseGeometry
    outer: BaseGeometry
    slope: tuple[float, float] = (0.0, 0.0)

    @property
    def steepness(self) -> float:
        """Tangent of the inclination: the least coefficient of friction that holds what stands on it."""
        return float(np.hypot(*self.slope))

    def levels(self, rows: Array) -> Array:
        """(n,) levels of the contact at (n, 2) rows."""
        return np.asarray(self.level + rows @ np.array(self.slope))

    def points(self, rows: Array, plane: Plane) -> Array:
        """(n, 3) points of the contact at (n, 2) rows."""
        return np.asarray(plane.lifted(rows, 0.0) + self.levels(rows)[:, None] * plane.up)

    @property
    def is_exact(self) -> bool:
        """Whether nothing of it is in doubt."""
        return self.inner is self.outer


def bottom(body: Body, plane: Plane) -> Patch:
    """What of a body touches a flat support below it."""
    return _facing(body, plane, -plane.up, lowest(body, plane))


def lowest(body: Body, plane: Plane) -> float:
    """The level of a body's lowest point."""
    shape = body.inner or body.outer
    return -float(shape.heights(-plane.up[None])[0])


def highest(body: Body, plane: Plane) -> float:
    """The level of a body's highest point."""
    return float((body.inner or body.outer).heights(plane.up[None])[0])


def levels_below(body: Body, plane: Plane) -> list[float]:
    """The levels of a body's flat sides that look down, lowest first."""
    parts = body.parts or body.cover
    if not parts:
        return [lowest(body, plane)]
    return _distinct([-float(part.heights(-plane.up[None])[0]) for part in parts], CONTACT * body.size)


def contact(upper: Body, lower: Body, plane: Plane) -> Patch | None:
    """The flat contact of a body with another one below it; None where there is none."""
    reach = CONTACT * max(upper.size, lower.size)
    for level in levels_below(upper, plane):
        below, above = _facing(upper, plane, -plane.up, level), _facing(lower, plane, plane.up, level)
        if below.outer.is_empty or above.outer.is_empty or not below.outer.buffer(reach).intersects(above.outer):
            continue
        inner = _common(below.inner, above.inner, reach)
        exact = below.is_exact and above.is_exact
        outer = inner if exact else _common(below.outer, above.outer, reach)
        if not outer.is_empty:
            return Patch(level, inner, outer)
    return None


def standing(upper: Body, lower: Body, plane: Plane, touching: Callable[[], tuple[Proximity, bool]]) -> Patch | None:
    """The contact of a body that stands on another one: level, in an inclined plane, or at one point; None where there is none.

    touching: the closest pair, and whether the bodies certainly touch there; called only where they do not share a level area.
    """
    level, reach = contact(upper, lower, plane), CONTACT * max(upper.size, lower.size)
    if level is not None and level.inner.area > reach * max(upper.size, lower.size):
        return level
    near, is_certain = touching()
    rise = float(near.direction @ plane.up)
    if near.distance > reach or rise <= UPRIGHT:
        return level
    if rise < 1 - PARALLEL**2:
        # Of points on an inclined side some lie at any level: they make no level contact.
        inclined = Plane.across(-near.direction)
        found = contact(upper, lower, inclined)
        if found is not None and found.inner.area > 0:
            return _seen(found, inclined, plane)
        level = level if upper.is_exact and lower.is_exact else None
    if level is not None or not is_certain:
        return level
    place = Point(plane.flat(near.on_first[None])[0])
    return Patch(float(near.on_first @ plane.up), place, place)


UPRIGHT: Final = 0.1
"""Cosine of the angle between a contact's normal and up, beyond which it is a side contact that carries nothing: 84 degrees."""


def _seen(patch: Patch, inclined: Plane, plane: Plane) -> Patch:
    """A flat patch of an inclined plane, as seen along gravity."""
    normal = inclined.up
    rise = float(normal @ plane.up)

    def projected(geometry: BaseGeometry) -> BaseGeometry:
        return transform(geometry, lambda rows: plane.flat(inclined.lifted(rows, patch.level)))

    inner = projected(patch.inner)
    outer = inner if patch.is_exact else projected(patch.outer)
    slope = (-float(normal @ plane.right) / rise, -float(normal @ plane.forward) / rise)
    return Patch(patch.level / rise, inner, outer, slope)


def merged(patches: list[Patch]) -> Patch:
    """Several contacts as one: their hull is the support polygon."""
    inner = union_all([patch.inner for patch in patches]).convex_hull
    exact = all(patch.is_exact for patch in patches)
    outer = inner if exact else union_all([patch.outer for patch in patches]).convex_hull
    steepest = max(patches, key=lambda patch: patch.steepness)
    if not steepest.steepness:
        return Patch(max(patch.level for patch in patches), inner, outer)
    return Patch(steepest.level, inner, outer, steepest.slope)


def top(body: Body, plane: Plane, level: float) -> Patch:
    """What of a body looks up at a level."""
    return _facing(body, plane, plane.up, level)


def _facing(body: Body, plane: Plane, way: Array, level: float) -> Patch:
    """The sides of a body at a level that look along `way`, which is up or down."""
    reach = CONTACT * body.size
    parts = body.parts or body.cover
    if not parts and not body.error and body.inner is not None and float(way @ plane.up) < 0:
        parts = (body.inner,)  # the hull of a hollow body is known, and what is below it is the hull's
    if parts:
        found = union_all(list(_ends(parts, plane, way, level, reach)))
        return Patch(level, found, found)
    on = np.abs(body.points @ plane.up - level) <= reach if len(body.points) else np.zeros(0, dtype=bool)
    rows = plane.flat(body.points[on])
    inner = MultiPoint(rows).convex_hull if len(rows) else GeometryCollection()
    if body.inner is None:
        return Patch(
            level, GeometryCollection(), next(_ends([body.outer], plane, way, level, reach), GeometryCollection())
        )
    margin = covering_radius(inner.area, len(rows)) if len(rows) >= MIN_PLANE_POINTS and inner.area > 0 else body.error
    outer = inner.buffer(margin)
    limits = reduce(BaseGeometry.union, _ends([body.outer], plane, way, level, reach), GeometryCollection())
    return Patch(level, inner, outer.intersection(limits) if limits.area > 0 and not body.outer.ball else outer)


def _ends(
    parts: tuple[Convex, ...] | list[Convex], plane: Plane, way: Array, level: float, reach: float
) -> Iterator[BaseGeometry]:
    """The end of each convex shape along `way`, if it is at the level."""
    for part in parts:
        height = float(part.heights(way[None])[0])
        if abs(height - level * float(way @ plane.up)) <= reach:
            yield _end(part, plane, way, height, reach)


def _end(part: Convex, plane: Plane, way: Array, height: float, reach: float) -> BaseGeometry:
    axis = part.axis if part.disc else None
    slope = 1.0 if axis is None else float(np.sqrt(max(1.0 - float(way @ axis) ** 2, 0.0)))
    rise = part.ball + part.disc * slope
    ends = part.vertices[part.vertices @ way >= height - rise - reach]
    if axis is not None and abs(float(axis @ way)) > 1 - PARALLEL**2:
        angles = np.arange(CIRCLE) * (2 * np.pi / CIRCLE)
        rim = plane.flat(ends[:1]) + part.disc / np.cos(np.pi / CIRCLE) * np.column_stack(
            [np.cos(angles), np.sin(angles)]
        )
        return Polygon(rim)
    if axis is not None and abs(float(axis @ way)) > PARALLEL:
        ends = part.support(way)[None]  # an oblique cylinder stands on one point of its rim
    return MultiPoint(plane.flat(ends)).convex_hull


def _common(first: BaseGeometry, second: BaseGeometry, reach: float) -> BaseGeometry:
    """What two patches share; parts of a line or a point that only touch are kept, slivers of rounding are not."""
    found = first.intersection(second)
    if found.is_empty:
        found = first.buffer(reach).intersection(second)
        return found.centroid if not found.is_empty and found.area <= reach * reach * 8 else found
    return found


def _distinct(values: list[float], reach: float) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > reach:
            found.append(value)
    return found


def corners_of(geometry: BaseGeometry) -> Array:
    """(k, 2) the corners of a geometry's hull, counterclockwise; two for a segment, one for a point."""
    hull = geometry.convex_hull
    if isinstance(hull, Polygon):
        return np.asarray(hull.exterior.coords[:-1] if hull.exterior.is_ccw else hull.exterior.coords[:0:-1])
    if isinstance(hull, LineString | Point):
        return np.asarray(hull.coords)
    return np.empty((0, 2))
