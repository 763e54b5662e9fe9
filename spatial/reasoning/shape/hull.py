"""Hulls of points and intersections of half-spaces, with their flat facets.

A hull of points is as exact as the points are; an intersection of half-spaces is exact where the planes are those of the faces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection, QhullError

from spatial.geometry.components import connected_components
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.tolerances import COPLANAR, PARALLEL

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Facet:
    """One flat facet of a hull.

    normal: (3,) unit vector that points out.
    offset: normal · x of its points.
    polygon: (k, 3) corners, counterclockwise seen from outside.
    """

    normal: Array
    offset: float
    polygon: Array

    @cached_property
    def area(self) -> float:
        """Area of the polygon."""
        spans = self.polygon[1:] - self.polygon[0]
        return float(np.cross(spans[:-1], spans[1:]).sum(axis=0) @ self.normal) / 2


@dataclass(frozen=True, eq=False)
class Hull:
    """The hull of points that span a volume.

    vertices: (n, 3) corners.
    volume, area: of the hull.
    centroid: (3,) centre of its volume.
    rest: (k, 3) the points of which it is the hull that are no corners.
    triangles: (m, 3, 3) its surface; normals: (m, 3) outward unit vectors; labels: (m,) facet of each triangle.
    """

    vertices: Array
    rest: Array
    volume: float
    area: float
    centroid: Array
    triangles: Array
    normals: Array
    labels: Indices

    def moved(self, rotation: Array, translation: Array) -> Hull:
        """The hull after x ↦ rotation x + translation."""
        return replace(
            self,
            vertices=self.vertices @ rotation.T + translation,
            rest=self.rest @ rotation.T + translation,
            centroid=rotation @ self.centroid + translation,
            triangles=self.triangles @ rotation.T + translation,
            normals=self.normals @ rotation.T,
        )

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        """The flat facets, largest first: triangles that are joined over edges without an angle."""
        return self.largest(len(self.labels))

    def largest(self, count: int) -> tuple[Facet, ...]:
        """The largest flat facets, at most `count` of them."""
        order, starts, ends, chosen = self._groups(count)
        groups = [order[starts[place] : ends[place]] for place in chosen]
        return tuple(_facet(self.triangles[group], self.normals[group]) for group in groups)

    def planes(self, count: int) -> tuple[Array, Array]:
        """(k, 3) outward normals and (k,) offsets of the largest flat facets, at most `count` of them."""
        order, starts, ends, chosen = self._groups(count)
        areas = _areas(self.triangles)
        widest = [order[starts[k] + int(np.argmax(areas[order[starts[k] : ends[k]]]))] for k in chosen]
        return self.normals[widest], np.einsum("ij,ij->i", self.normals[widest], self.triangles[widest, 0])

    def _groups(self, count: int) -> tuple[Indices, Indices, Indices, list[int]]:
        """The triangles ordered by facet, where each facet begins and ends, and the largest facets."""
        order = np.argsort(self.labels, kind="stable")
        starts = np.concatenate([[0], np.flatnonzero(np.diff(self.labels[order])) + 1])
        areas = np.add.reduceat(_areas(self.triangles)[order], starts)
        return order, starts, np.append(starts[1:], len(order)), np.argsort(-areas, kind="stable")[:count].tolist()

    def heights(self, points: Array) -> Array:
        """(n,) signed distance of (n, 3) points from the nearest facet's plane: < 0 inside, > 0 outside."""
        _, first = np.unique(self.labels, return_index=True)
        normals = self.normals[first]
        offsets = np.einsum("ij,ij->i", normals, self.triangles[first, 0])
        found: Array = (points @ normals.T - offsets).max(axis=1)
        return found

    @property
    def shape(self) -> Convex:
        """The hull as a convex shape."""
        return Convex(self.vertices)


def hull_of(points: Array) -> Hull | None:
    """The hull of (n, 3) points; None if they are fewer than four or lie in one plane."""
    if len(points) < 4 or flatness(points) <= COPLANAR:
        return None
    middle = points.mean(axis=0)
    try:
        found = ConvexHull(points - middle)
    except QhullError:
        return None
    corners = found.points[found.simplices]
    volumes = np.abs(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6
    centroid = (volumes[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / volumes.sum()
    triangles = _outward(corners, found.equations[:, :3]) + middle
    vertices, rest = points[found.vertices], np.delete(points, found.vertices, axis=0)
    normals, labels = found.equations[:, :3], _labels(found)
    return Hull(vertices, rest, float(found.volume), float(found.area), centroid + middle, triangles, normals, labels)


def hull_of_planes(normals: Array, offsets: Array, inside: Array | None = None) -> Hull | None:
    """The hull that half-spaces normal · x <= offset enclose; None if they enclose nothing or are open.

    inside: (3,) a point that is clearly inside, where one is known.
    """
    origin = np.zeros(3) if inside is None else inside
    offsets = offsets - normals @ origin
    scale = float(np.abs(offsets).max()) or 1.0
    deepest = _deepest_point(normals, offsets / scale) if inside is None else np.zeros(3)
    if deepest is None:
        return None
    try:
        with np.errstate(divide="ignore", invalid="ignore"):  # what is open has corners at infinity, and is found below
            corners = HalfspaceIntersection(np.column_stack([normals, -offsets / scale]), deepest).intersections
    except QhullError:
        return None
    return hull_of(_distinct(corners) * scale + origin) if np.isfinite(corners).all() else None


def flatness(points: Array) -> float:
    """The extent of (n, 3) points in their thinnest direction, as a share of their diagonal; 0 for one point."""
    centred = points - points.mean(axis=0)
    spread = float(np.linalg.norm(np.ptp(points, axis=0)))
    if len(points) < 3 or spread == 0:
        return 0.0
    thinnest = np.linalg.eigh(centred.T @ centred)[1][:, 0]
    return float(np.ptp(centred @ thinnest)) / spread


def _deepest_point(normals: Array, offsets: Array) -> Array | None:
    """The centre of the largest ball inside half-spaces: scipy's HalfspaceIntersection needs a point that is clearly inside."""
    limits = [(None, None)] * 3 + [(0, None)]
    found = linprog([0, 0, 0, -1], np.column_stack([normals, np.ones(len(normals))]), offsets, bounds=limits)
    if found.status != 0 or found.x[3] <= COPLANAR:
        return None
    point: Array = found.x[:3]
    return point


def _distinct(points: Array) -> Array:
    """The points without those that repeat another one but for rounding."""
    step = max(float(np.ptp(points, axis=0).max()), 1e-300) * COPLANAR
    _, first = np.unique(np.round((points - points.min(axis=0)) / step), axis=0, return_index=True)
    kept: Array = points[np.sort(first)]
    return kept


def _outward(corners: Array, normals: Array) -> Array:
    """(m, 3, 3) triangles, counterclockwise seen from outside; qhull leaves the order open."""
    turned = np.einsum("ij,ij->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), normals) < 0
    oriented = corners.copy()
    oriented[turned] = oriented[turned][:, ::-1]
    return oriented


def _labels(found: ConvexHull) -> Indices:
    """(m,) facet of each triangle. A sliver's normal is noise: its corners are tested against the plane of its larger neighbour."""
    normals, points = found.equations[:, :3], found.points
    reach = COPLANAR * float(np.linalg.norm(np.ptp(points, axis=0)))
    first, second = np.repeat(np.arange(len(normals)), 3), found.neighbors.ravel()
    areas = _areas(points[found.simplices])
    larger = np.where(areas[first] >= areas[second], first, second)
    smaller = np.where(areas[first] >= areas[second], second, first)
    corners = points[found.simplices[smaller]]
    heights = np.einsum("ij,ikj->ik", normals[larger], corners) + found.equations[larger, 3][:, None]
    joined = (np.abs(heights).max(axis=1) <= reach) & ~_bridges(found, areas, reach)
    return connected_components(len(normals), first[joined], second[joined])


def _bridges(found: ConvexHull, areas: Array, reach: float) -> NDArray[np.bool_]:
    """(3 m,) which neighbours a sliver must not be joined to: it lies on an edge, in the planes of both sides, and takes the larger."""
    corners = found.points[found.simplices]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
    sliver = areas <= reach * longest
    chosen = found.neighbors[np.arange(len(areas)), np.argmax(areas[found.neighbors], axis=1)]
    first, second = np.repeat(np.arange(len(areas)), 3), found.neighbors.ravel()
    bridges: NDArray[np.bool_] = (sliver[first] & (chosen[first] != second)) | (
        sliver[second] & (chosen[second] != first)
    )
    return bridges


def _facet(triangles: Array, normals: Array) -> Facet:
    if len(triangles) == 1:
        return Facet(normals[0], float(triangles[0, 0] @ normals[0]), triangles[0])
    widest = int(np.argmax(_areas(triangles)))
    normal = normals[widest]
    corners = np.unique(triangles.reshape(-1, 3), axis=0)
    centre = corners.mean(axis=0)
    right, up = plane_axes(normal)
    angles = np.arctan2((corners - centre) @ up, (corners - centre) @ right)
    polygon = corners[np.argsort(angles, kind="stable")]
    return Facet(normal, float(triangles[widest, 0] @ normal), polygon)


def _areas(triangles: Array) -> Array:
    """(m,) twice the areas of (m, 3, 3) triangles."""
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    found: Array = np.linalg.norm(crossed, axis=1)
    return found


def plane_axes(normal: Array) -> tuple[Array, Array]:
    """Two unit vectors in the plane of a unit normal; with it they are right-handed."""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    right = np.cross(least, normal)
    right = right / np.linalg.norm(right)
    return right, np.cross(normal, right)


def are_parallel(first: Array, second: Array) -> bool:
    """Whether two unit vectors are parallel or opposite."""
    return float(np.linalg.norm(np.cross(first, second))) <= PARALLEL
