"""How far points are from polylines."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from spatial.geometry.quadrature import Array


def greatest_distance(points: Array, lines: Array) -> float:
    """The greatest distance of points (k, 3), their ends left out, from polylines (n, m, 3)."""
    inside = points[1:-1]
    _, nearest = cKDTree(lines.reshape(-1, 3)).query(inside)
    line, place = np.divmod(nearest, lines.shape[1])
    best = np.full(len(inside), np.inf)
    for begin in (np.maximum(place - 1, 0), np.minimum(place, lines.shape[1] - 2)):
        start, along = lines[line, begin], lines[line, begin + 1] - lines[line, begin]
        square = np.einsum("ni,ni->n", along, along)
        part = np.einsum("ni,ni->n", inside - start, along) / np.where(square > 0.0, square, 1.0)
        best = np.minimum(best, np.linalg.norm(inside - start - np.clip(part, 0.0, 1.0)[:, None] * along, axis=1))
    return float(best.max())
