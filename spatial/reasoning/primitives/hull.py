"""Convex bodies without a closed primitive: the hull of the points, if they all lie on it and cover it.

The hull of points on a convex surface is inside the surface. What it lacks shrinks at least with the root of the number of points, so
that the hull of half of the points tells a bound: lacking <= (V(n) - V(n / 2)) / (sqrt(2) - 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError, cKDTree

from spatial.reasoning.primitives.bodies import STANDARD_ERRORS, holds_cluster
from spatial.reasoning.primitives.cloud import Cloud
from spatial.reasoning.primitives.meshes import Mesh
from spatial.reasoning.scene.model import Array

ON_HULL: Final = 0.98
"""Part of the points that lie on the hull of a convex body; the rest may be outliers."""

COVERED: Final = 0.98
"""Part of the hull's area that is next to a point."""

COVERED_SPACINGS: Final = 6.0
"""Distance from a place on the hull to the nearest point, in spacings: above the gaps of random points (1 in 10,000 is wider than 5)."""

PLACES: Final = 2_000
"""Places on the hull where the distance to the points is measured."""

PRODUCTS: Final = 2_000_000
"""Distances between points and facets that are measured at once: 16 MB."""

UNCERTAIN: Final = 0.25
"""Largest error of a hull's volume, as a part of it; beyond it, the hull says little of the body."""

HALF_SHRINKS: Final = 2**0.5 - 1
"""Part of what is lacking that half of the points lack in addition, at least."""


@dataclass(frozen=True, eq=False)
class HullFit:
    """The hull of a cloud in the cloud's frame; `problem` says why it is not the body, and is None if it is."""

    mesh: Mesh
    volume: float
    volume_error: float
    problem: str | None


def fit_hull(cloud: Cloud, tolerance: float) -> HullFit | None:
    """The hull; None if the points are flat."""
    try:
        hull = ConvexHull(cloud.points)
        half = ConvexHull(cloud.points[::2])
    except QhullError:
        return None
    mesh = _mesh(hull)
    lacking = max(hull.volume - half.volume, 0.0) / HALF_SHRINKS
    error = lacking + STANDARD_ERRORS * cloud.noise * hull.area
    problem = _problem(cloud, hull, mesh, tolerance)
    if problem is None and error > UNCERTAIN * hull.volume:
        problem = "the points are too few or too noisy to tell the volume of their convex hull within a quarter"
    return HullFit(mesh, float(hull.volume), float(error), problem)


def _problem(cloud: Cloud, hull: ConvexHull, mesh: Mesh, tolerance: float) -> str | None:
    normals, offsets = hull.equations[:, :3], hull.equations[:, 3]
    below = np.zeros(len(cloud), bool)
    others = np.setdiff1d(np.arange(len(cloud)), hull.vertices)
    for part in np.array_split(others, max(1, len(others) * len(normals) // PRODUCTS)):
        below[part] = -(cloud.points[part] @ normals.T + offsets).max(axis=1) > 2 * tolerance
    inside = float(below.mean())
    if inside > 1 - ON_HULL or holds_cluster(cloud, below):
        return f"{inside:.1%} of the points lie inside the convex hull, so that the body is not convex"
    gaps, _ = cKDTree(cloud.points).query(_places(mesh))
    covered = float((gaps <= COVERED_SPACINGS * cloud.spacing).mean())
    if covered < COVERED:
        return f"{1 - covered:.0%} of the convex hull has no points next to it, so that the surface is open or was measured in part"
    return None


def _places(mesh: Mesh) -> Array:
    """Evenly spread places on the triangles, by their area (additive recurrence of the plastic number, Roberts 2018)."""
    corners = mesh.vertices[mesh.triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    edges = np.cumsum(areas)
    chosen = corners[np.searchsorted(edges, (np.arange(PLACES) + 0.5) / PLACES * edges[-1]).clip(0, len(areas) - 1)]
    steps = np.arange(PLACES)[:, None] * np.array([0.7548776662466927, 0.5698402909980532]) % 1
    u = np.where(steps.sum(axis=1, keepdims=True) > 1, 1 - steps, steps)
    found: Array = chosen[:, 0] + u[:, :1] * (chosen[:, 1] - chosen[:, 0]) + u[:, 1:] * (chosen[:, 2] - chosen[:, 0])
    return found


def _mesh(hull: ConvexHull) -> Mesh:
    """The hull's triangles, turned so that they are counter-clockwise from outside."""
    corners = hull.points[hull.simplices]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = (cross * hull.equations[:, :3]).sum(axis=1) < 0
    triangles = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)
    used, places = np.unique(triangles, return_inverse=True)
    return Mesh(hull.points[used], places.reshape(triangles.shape))
