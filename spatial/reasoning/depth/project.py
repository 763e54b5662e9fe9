"""Back-project the pixels of a depth map to points, and thin them to the number of points that solvers work with.

x = (column - cx) z / fx,  y = (row - cy) z / fy: the pinhole model (Hartley and Zisserman, Multiple View Geometry, 2nd edition, §6.1).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from spatial.contract.images import Intrinsics
from spatial.contract.limits import POINTS_PER_OBJECT
from spatial.reasoning.scene.model import Array

PIXELS_PROJECTED: Final = 262_144
"""Pixels of one object that are back-projected; more are taken at even steps. 100 times the points that remain."""

THINNING_STEPS: Final = 20
"""Bisections of the cell's size: 2^20 cells along each axis still have a number of 64 bits."""


def back_project(depths: NDArray[Any], pixels: NDArray[np.bool_], camera: Intrinsics, scale: float) -> Array:
    """(n, 3) points in the camera's frame, of the pixels that are in the mask and have a depth.

    Args:
        depths: (rows, columns) counts; 0 where nothing was measured.
        pixels: (rows, columns) the mask.
        scale: units per count.
    """
    found = np.flatnonzero(pixels & (depths > 0))
    found = found[:: max(1, -(-len(found) // PIXELS_PROJECTED))]
    row, column = np.divmod(found, depths.shape[1])
    z = depths.ravel()[found].astype(np.float64) * scale
    return np.column_stack([(column - camera.cx) * z / camera.fx, (row - camera.cy) * z / camera.fy, z])


def thin(points: Array, count: int = POINTS_PER_OBJECT) -> Array:
    """At most `count` of the points, spread evenly: of every occupied cell of a grid the point next to the mean of the cell.

    Pixels are denser on what is near and faces the camera; points of an object are to be uniform on its area.
    """
    if len(points) <= count:
        return points
    low, high = 0.0, float(np.ptp(points, axis=0).max()) or 1.0
    for _ in range(THINNING_STEPS):
        cell = (low + high) / 2
        if len(np.unique(_cells(points, cell))) > count:
            low = cell
        else:
            high = cell
    return points[_representatives(points, _cells(points, high))]


def _cells(points: Array, cell: float) -> NDArray[np.int64]:
    """One whole number per point, the same for points of the same cell."""
    steps = np.floor((points - points.min(axis=0)) / cell).astype(np.int64)
    width = steps.max(axis=0) + 1
    keys: NDArray[np.int64] = (steps[:, 0] * width[1] + steps[:, 1]) * width[2] + steps[:, 2]
    return keys


def _representatives(points: Array, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of every cell the index of the point next to the mean, in the order of the points."""
    _, member, sizes = np.unique(cells, return_inverse=True, return_counts=True)
    means = np.column_stack([np.bincount(member, points[:, axis]) for axis in range(3)]) / sizes[:, None]
    away = ((points - means[member]) ** 2).sum(axis=1)
    order = np.lexsort((away, member))
    first = np.searchsorted(member[order], np.arange(len(sizes)))
    return np.sort(order[first])
