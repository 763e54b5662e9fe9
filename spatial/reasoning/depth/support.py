"""Find the largest plane among points: the table or floor below the objects of a depth map (Fischler and Bolles 1981)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.scene.model import Array

TRIALS: Final = 256
"""Random planes that are tried: where a quarter of the points lie on the plane, all trials miss it in one of 50 cases; half, never."""

SCORED: Final = 2_048
"""Points on which the trials are compared."""

THICKNESS: Final = 0.005
"""Half the thickness of the plane, as a part of the points' extent: above the noise of depth cameras, 1 to 2 mm at 1 m."""

LEAST_SHARE: Final = 0.1
"""Part of the points that a support has at least; a smaller plane is a face of an object."""


@dataclass(frozen=True)
class SupportPlane:
    """A plane with a thickness, in the units of the points that it was found in."""

    origin: Array
    normal: Array
    half: float

    def holds(self, points: Array) -> NDArray[np.bool_]:
        """Which of the points lie on it."""
        return np.asarray(np.abs((points - self.origin) @ self.normal) <= self.half)


def largest_plane(points: Array, seed: int) -> SupportPlane | None:
    """The plane on which the most points lie; None if no plane has LEAST_SHARE of them. points: (n, 3)."""
    if len(points) < 4:
        return None
    generator = np.random.default_rng(seed)
    half = THICKNESS * float(np.linalg.norm(np.ptp(points, axis=0)))
    some = points[np.linspace(0, len(points) - 1, min(len(points), SCORED)).astype(int)]
    corners = some[generator.integers(0, len(some), (TRIALS, 3))]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals[lengths > 0] /= lengths[lengths > 0, None]
    away = np.abs(some @ normals.T - (corners[:, 0] * normals).sum(axis=1))
    counts = np.where(lengths > 0, (away <= half).sum(axis=0), 0)
    best = int(np.argmax(counts))
    if counts[best] < LEAST_SHARE * len(some):
        return None
    return SupportPlane(*_fitted(some[away[:, best] <= half]), half)


def _fitted(points: Array) -> tuple[Array, Array]:
    """Mean and normal of the plane of least squares."""
    origin = points.mean(axis=0)
    return origin, np.linalg.svd(points - origin, full_matrices=False)[2][2]
