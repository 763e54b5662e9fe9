"""Pairs of contacts that hold an object: opposite points of its surface whose line lies in both friction cones.

Source: Nguyen, "Constructing force-closure grasps", International Journal of Robotics Research 7 (1988): two soft-finger contacts are in
force closure if and only if the line through them lies inside both friction cones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import cKDTree
from shapely import MultiPoint, Polygon

from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.hull import Facet, hull_of, plane_axes

FACETS: Final = 40
"""Largest flat sides of a part that are paired."""

TURNS: Final = 8
"""Directions across a cylinder's axis that are tried over half a turn."""

NEIGHBOURS: Final = 14
"""Points that a normal of a cloud is estimated from."""

SEEDS: Final = 96
"""Points of a cloud from which opposite points are sought, spread evenly over it."""

LEAST_CLOUD: Final = 100
"""Fewest points of a cloud whose normals can be estimated."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two contacts, (3,) each, with outward unit normals. exact: whether they lie on the object's own surface, not on an estimate."""

    first: Array
    second: Array
    first_normal: Array
    second_normal: Array
    exact: bool

    @property
    def opening(self) -> float:
        """Their distance."""
        return float(np.linalg.norm(self.second - self.first))

    @property
    def closing(self) -> Array:
        """(3,) unit vector from the first to the second."""
        found: Array = (self.second - self.first) / self.opening
        return found

    @property
    def middle(self) -> Array:
        """(3,) the point between them."""
        found: Array = (self.first + self.second) / 2
        return found

    @property
    def angle(self) -> float:
        """The largest angle of the line from a normal, in radians."""
        cosines = -self.first_normal @ self.closing, self.second_normal @ self.closing
        return float(np.arccos(np.clip(min(cosines), -1, 1)))

    def margin(self, cone: float) -> float:
        """How far inside both friction cones the line lies, in radians; negative where there is no force closure."""
        return cone - self.angle


def pairs_of(body: Body, cone: float) -> list[Pair]:
    """The force-closure pairs of an object for a half angle of the friction cone, in radians."""
    found = [pair for part in body.parts for pair in _of_convex(part)]
    if not body.parts and body.cover:
        found = [pair for part in body.cover for pair in _of_convex(part)]
    elif not body.parts and body.fills_hull and body.hull is not None:
        found = list(_of_facets(body.hull.largest(FACETS), exact=False)) + list(_of_points(body.points))
    elif not body.parts:
        found = list(_of_points(body.points))
    return [pair for pair in found if pair.opening > 0 and pair.margin(cone) >= -1e-9]


def _of_convex(part: Convex) -> Iterator[Pair]:
    if part.disc and part.axis is not None:
        yield from _of_cylinder(part, part.axis)
    elif part.ball and len(part.vertices) == 1:
        for way in _directions():
            yield Pair(part.vertices[0] - part.ball * way, part.vertices[0] + part.ball * way, -way, way, True)
    else:
        hull = hull_of(part.vertices)
        if hull is not None:
            yield from _of_facets(hull.largest(FACETS), exact=True)


def _of_cylinder(part: Convex, axis: Array) -> Iterator[Pair]:
    start, end = part.vertices[0], part.vertices[-1]
    yield Pair(start, end, -axis, axis, True) if (end - start) @ axis > 0 else Pair(start, end, axis, -axis, True)
    right, up = plane_axes(axis)
    for share in (0.5, 0.25, 0.75):
        middle = start + share * (end - start)
        for turn in range(TURNS):
            angle = np.pi * turn / TURNS
            way = np.cos(angle) * right + np.sin(angle) * up
            yield Pair(middle - part.disc * way, middle + part.disc * way, -way, way, True)


def _directions() -> list[Array]:
    """The thirteen directions through the corners, edges and sides of a cube."""
    ways = [np.array([x, y, z], dtype=np.float64) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    return [way / np.linalg.norm(way) for way in ways[14:]]


def _of_facets(facets: tuple[Facet, ...], *, exact: bool) -> Iterator[Pair]:
    """Pairs of opposite facets, at the middle of what they share seen along the closing line, and beside it."""
    for place, one in enumerate(facets):
        for other in facets[place + 1 :]:
            way = other.normal - one.normal
            if other.normal @ one.normal < -0.5:
                yield from _between(one, other, way / np.linalg.norm(way), exact)


def _between(one: Facet, other: Facet, way: Array, exact: bool) -> Iterator[Pair]:
    right, up = plane_axes(way)
    axes = np.array([right, up])
    first, second = (MultiPoint(facet.polygon @ axes.T).convex_hull for facet in (one, other))
    shared = first.intersection(second)
    if not isinstance(shared, Polygon) or shared.area <= 0:
        return
    centre = np.array(shared.centroid.coords[0])
    for corner in (centre, *((centre + np.array(each)) / 2 for each in _ends(shared))):
        start = corner @ axes
        contacts = [
            start + way * (facet.offset - start @ facet.normal) / (way @ facet.normal) for facet in (one, other)
        ]
        if (contacts[1] - contacts[0]) @ way > 0:
            yield Pair(contacts[0], contacts[1], one.normal, other.normal, exact)


def _ends(shared: Polygon) -> list[tuple[float, float]]:
    """The two corners that are farthest apart along the longer side of the polygon's rectangle."""
    corners = np.array(shared.exterior.coords[:-1])
    rectangle = np.array(shared.minimum_rotated_rectangle.exterior.coords)
    sides = np.diff(rectangle, axis=0)
    longest = sides[int(np.argmax(np.hypot(sides[:, 0], sides[:, 1])))]
    along, across = longest / np.linalg.norm(longest), np.array([-longest[1], longest[0]]) / np.linalg.norm(longest)
    middle = float(np.mean([(corners @ across).min(), (corners @ across).max()]))
    return [tuple((corners @ along)[int(k)] * along + middle * across) for k in
            (np.argmin(corners @ along), np.argmax(corners @ along))]  # fmt: skip


def _of_points(points: Array) -> Iterator[Pair]:
    """The outermost points of a cloud near lines along its estimated normals."""
    if len(points) < LEAST_CLOUD:
        return
    tree = cKDTree(points)
    distances, near = tree.query(points, k=NEIGHBOURS)
    rows = points[near] - points[near].mean(axis=1, keepdims=True)
    normals = np.linalg.svd(rows, full_matrices=False)[2][:, 2]
    reach = 1.5 * float(np.median(distances[:, 4]))
    for seed in range(0, len(points), max(1, len(points) // SEEDS)):
        way = normals[seed]
        offsets = points - points[seed]
        along = offsets @ way
        on_line = np.flatnonzero(np.linalg.norm(offsets - along[:, None] * way, axis=1) <= reach)
        ends = on_line[int(np.argmin(along[on_line]))], on_line[int(np.argmax(along[on_line]))]
        if along[ends[1]] - along[ends[0]] > 2 * reach and seed in ends:
            first, second = points[seed] + along[ends[0]] * way, points[seed] + along[ends[1]] * way
            yield Pair(first, second, -normals[ends[0]] * _sign(normals[ends[0]], way),
                       normals[ends[1]] * _sign(normals[ends[1]], way), False)  # fmt: skip


def _sign(normal: Array, way: Array) -> float:
    return 1.0 if normal @ way >= 0 else -1.0
