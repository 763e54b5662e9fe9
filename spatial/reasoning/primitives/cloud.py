"""A cloud prepared for the search: an order that does not depend on the input's, normals, noise and spacing.

All lengths are parts of the cloud's scale, its root mean square distance from the centroid, so that a scaled scene has the same answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from spatial.reasoning.scene.model import Array

NEIGHBOURS: Final = ((0.1, 9), (0.3, 13), (np.inf, 20))
"""Points of a local plane up to a noise, in spacings: fewer follow the noise, more reach across edges and through thin walls."""

LEAST_POINTS: Final = 20
"""Points of the smallest cloud whose normals are known."""

NOISE_NEIGHBOURS: Final = 6
"""A point and its nearest ones, whose deviation from a plane is the noise: so few that both sides of a thin wall are rarely among them."""

NOISE_QUANTILE: Final = 0.2
"""Part of the points whose neighbours deviate by the noise alone: on parts with many small faces, most neighbourhoods have an edge."""

CHI_3: Final = 0.579
"""The same quantile of the root of a chi-square variable of 3 degrees of freedom over 3: 6 points have that many left beside a plane."""

REACH: Final = 40
"""Nearest points of each point that are known: wide enough for an angle between the normals of a fine cloud."""

POINTS_SEARCHED: Final = 4_096
"""Points in which primitives are sought; of larger clouds an even part."""

FLATNESS: Final = 1e-6
"""A cloud whose second extent is below this part of the first is a line; coordinates are rounded to a millionth of the size."""

SIGNIFICANT: Final = 1e-6
"""Keys of the order are rounded to this part of the scale, above the noise of float64 after a rotation."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """A cloud in its own frame: centred, divided by its scale, without repeated points.

    points, normals: (n, 3); normals are unit vectors without a side.
    neighbours: (n, k) indices of the nearest points, the point itself first.
    noise, spacing: in scales.
    """

    points: Array
    normals: Array
    neighbours: NDArray[np.int64]
    noise: float
    spacing: float
    centre: Array
    scale: float

    def __len__(self) -> int:
        return len(self.points)


def prepare(points: Array) -> Cloud | None:
    """The cloud of (n, 3) points; None if they are on one line or at one place."""
    rows = np.unique(points, axis=0)
    centre = rows.mean(axis=0)
    away = rows - centre
    scale = float(np.sqrt((away**2).sum(axis=1).mean()))
    if len(rows) < LEAST_POINTS or scale == 0:
        return None
    unit = away / scale
    extents = np.linalg.svd(unit, compute_uv=False)
    if extents[1] < FLATNESS * extents[0]:
        return None
    unit = unit[canonical_order(unit)]
    unit = unit[:: max(1, -(-len(unit) // POINTS_SEARCHED))]
    distances, neighbours = cKDTree(unit).query(unit, k=min(REACH, len(unit)))
    noise, spacing = _noise(unit, neighbours[:, :NOISE_NEIGHBOURS]), float(np.median(distances[:, 1]))
    count = next(count for most, count in NEIGHBOURS if noise <= most * spacing)
    return Cloud(unit, _normals(unit, neighbours[:, :count]), neighbours, noise, spacing, centre, scale)


def canonical_order(unit: Array) -> NDArray[np.int64]:
    """An order of centred points that is the same in any order of the input, and but for ties after any rotation.

    Keys: the distance from the centroid, then from the vector of third moments, then the coordinates.
    """
    radius = np.linalg.norm(unit, axis=1)
    third = (unit * (radius**2)[:, None]).mean(axis=0)
    second = np.linalg.norm(unit - third, axis=1)
    keys = np.round(np.column_stack([radius, second]) / SIGNIFICANT)
    return np.lexsort((unit[:, 2], unit[:, 1], unit[:, 0], keys[:, 1], keys[:, 0]))


def _normals(points: Array, neighbours: NDArray[np.int64]) -> Array:
    """The direction in which the neighbours of each point vary least (Hoppe et al. 1992)."""
    near = points[neighbours]
    near = near - near.mean(axis=1, keepdims=True)
    _, vectors = np.linalg.eigh(np.einsum("nki,nkj->nij", near, near))
    normals: Array = vectors[:, :, 0]
    return normals


def _noise(points: Array, neighbours: NDArray[np.int64]) -> float:
    """Standard deviation across the surface: a quantile of the deviation of a few neighbours from their plane."""
    near = points[neighbours]
    near = near - near.mean(axis=1, keepdims=True)
    least = np.linalg.eigvalsh(np.einsum("nki,nkj->nij", near, near))[:, 0]
    freedom = neighbours.shape[1] - 3
    return float(np.quantile(np.sqrt(np.maximum(least, 0) / freedom), NOISE_QUANTILE)) / CHI_3
