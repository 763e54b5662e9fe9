"""Triangle soups: whether they close."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array

WELD: Final = 1e-6
"""Corners this near to each other, relative to the size of all, are one."""


def closes(corners: Array) -> bool:
    """Whether triangles (n, 3, 3) bound a volume: every edge is run through as often one way as the other."""
    if len(corners) < 4:
        return False
    flat = corners.reshape(-1, 3)
    size = float(np.ptp(flat, axis=0).max())
    if size <= 0.0:
        return False
    _, welded = np.unique(np.round(flat / (size * WELD)), axis=0, return_inverse=True)
    triangle = welded.reshape(-1, 3)
    begin, end = triangle.ravel(), triangle[:, [1, 2, 0]].ravel()
    real = begin != end
    low, high = np.minimum(begin, end)[real], np.maximum(begin, end)[real]
    way = np.where(begin < end, 1, -1)[real]
    _, edge = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    return not np.bincount(edge.ravel(), weights=way).any()
