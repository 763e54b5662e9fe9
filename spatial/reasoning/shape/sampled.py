"""Shapes of point clouds: what the points prove, and how far the surface may be from them where they prove nothing more.

In order: a sphere or a cylinder if all points lie on one; a polytope if all points lie on the flat sides of their hull, as those of a
sampled box do; the hull of a few points, which are taken as corners; else the hull of a sample, with the bound of its error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from spatial.reasoning.shape.convex import Array, Convex, cylinder, sphere
from spatial.reasoning.shape.hull import Hull, hull_of, hull_of_planes, plane_axes
from spatial.reasoning.shape.tolerances import COPLANAR, MIN_PLANE_POINTS, SPARSE, UNCOVERED


@dataclass(frozen=True, eq=False)
class Sampled:
    """The hull of a cloud.

    hull: of the points, or of the planes that they lie in; None for a sphere or cylinder.
    error: how far the surface may lie outside the hull; 0 for a proven shape.
    is_convex: whether the object fills its hull.
    basis: which of the shapes it is.
    """

    shape: Convex
    hull: Hull | None
    error: float
    is_convex: bool
    basis: str


def sampled_shape(points: Array) -> Sampled | None:
    """The shape of (n, 3) points; None if they span no volume."""
    hull = hull_of(points)
    if hull is None:
        return None
    if len(points) < SPARSE:
        return Sampled(hull.shape, hull, 0.0, True, "corners")
    proven = _polytope(points, hull)
    if proven is not None:
        return Sampled(proven.shape, proven, 0.0, True, "planes of the points")
    curved = _sphere(points) or _cylinder(points, hull)
    if curved is not None:
        return Sampled(curved, None, 0.0, True, "sphere" if curved.ball else "cylinder")
    error = covering_radius(hull.area, len(points))
    return Sampled(hull.shape, hull, error, _is_convex(points, hull, error), "sample")


def covering_radius(area: float, count: int) -> float:
    """The radius within which a random sample of a surface has a point everywhere, but for a chance of exp(-UNCOVERED)."""
    return float(np.sqrt(area * (np.log(max(count, 2)) + UNCOVERED) / (np.pi * max(count, 1))))


def _polytope(points: Array, hull: Hull) -> Hull | None:
    """The polytope of the planes that hold all points; every plane holds MIN_PLANE_POINTS that no larger one holds."""
    reach = COPLANAR * hull.shape.size
    free = np.ones(len(points), dtype=bool)
    planes = []
    for normal, offset in zip(*hull.planes(_MOST_PLANES), strict=True):
        if not free.any():
            break
        on = np.abs(points @ normal - offset) <= reach
        if int((on & free).sum()) < MIN_PLANE_POINTS:
            continue
        planes.append(_fitted(points[on], hull.centroid))
        free &= np.abs(points @ planes[-1][0] - planes[-1][1]) > reach
    if free.any() or len(planes) < 4:
        return None
    normals, offsets = np.array([normal for normal, _ in planes]), np.array([offset for _, offset in planes])
    found = hull_of_planes(normals, offsets, hull.centroid)
    if found is None or hull.heights(found.vertices).max() > covering_radius(hull.area, len(points)):
        return None  # a side is open, or has no points near its corners
    return found


def _fitted(points: Array, inside: Array) -> tuple[Array, float]:
    """Outward normal and offset of the plane of (n, 3) points; the second fit leaves out points of other sides near the edges."""
    kept = points
    for _ in range(2):
        centre = kept.mean(axis=0)
        normal = np.linalg.eigh((kept - centre).T @ (kept - centre))[1][:, 0]
        off = np.abs((points - centre) @ normal)
        kept = points[off <= 4 * np.median(off)] if 4 * np.median(off) < off.max() else points
    normal = normal if normal @ (centre - inside) > 0 else -normal
    return normal, float(centre @ normal)


_MOST_PLANES = 64
"""Sides of a polytope that points are tested for: parts with more are nearly round."""


def _sphere(points: Array) -> Convex | None:
    """The sphere that all points lie on: x² = 2 c·x + (r² - c²) is linear in centre and the rest."""
    middle = points.mean(axis=0)
    rows = points - middle
    found, *_ = np.linalg.lstsq(np.column_stack([2 * rows, np.ones(len(rows))]), (rows**2).sum(axis=1), rcond=None)
    radius = float(np.sqrt(max(found[3] + found[:3] @ found[:3], 0.0)))
    off = np.abs(np.linalg.norm(rows - found[:3], axis=1) - radius).max()
    return sphere(found[:3] + middle, radius) if off <= COPLANAR * 2 * radius else None


def _cylinder(points: Array, hull: Hull) -> Convex | None:
    """The cylinder that all points lie on: its ends are the two flat sides of the hull with the most points."""
    normals, offsets = hull.planes(_MOST_PLANES)
    reach = COPLANAR * hull.shape.size
    held = (np.abs(points @ normals.T - offsets) <= reach).sum(axis=0)
    first, second = np.argsort(-held, kind="stable")[:2].tolist()
    if normals[first] @ normals[second] > -1 + COPLANAR:
        return None
    axis, ends = normals[first], (float(offsets[first]), float(offsets[second]))
    heights = points @ axis
    side = points[(heights < ends[0] - reach) & (heights > -ends[1] + reach)]
    if len(side) < SPARSE // 2:
        return None
    right, up = plane_axes(axis)
    rows = np.column_stack([side @ right, side @ up])
    mean = rows.mean(axis=0)
    rows = rows - mean
    found, *_ = np.linalg.lstsq(np.column_stack([2 * rows, np.ones(len(rows))]), (rows**2).sum(axis=1), rcond=None)
    radius = float(np.sqrt(max(found[2] + found[:2] @ found[:2], 0.0)))
    if np.abs(np.linalg.norm(rows - found[:2], axis=1) - radius).max() > reach:
        return None
    centre = (found[:2] + mean)[0] * right + (found[:2] + mean)[1] * up
    return cylinder(centre - ends[1] * axis, centre + ends[0] * axis, radius)


def _is_convex(points: Array, hull: Hull, error: float) -> bool:
    """Whether no point lies deep inside the hull, and no side of the hull is without points."""
    if len(hull.rest) and float(hull.heights(hull.rest).min()) < -error:
        return False
    wide = np.linalg.norm(hull.triangles - np.roll(hull.triangles, 1, axis=1), axis=2).min(axis=1) > error
    if not wide.any():
        return True
    distances, _ = cKDTree(points).query(hull.triangles[wide].mean(axis=1))
    return bool(distances.max() <= error)
