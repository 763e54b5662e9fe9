"""Triangles and lines, cut by a plane at right angles to an axis: what lies below it is kept."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]


def cut_triangles(corners: Array, heights: Array) -> tuple[Array, Indices, Array]:
    """The parts of triangles where `heights` is not positive, and the lines in which the plane cuts them.

    corners: (n, 3, d) points, with whatever else is linear over a triangle; heights: (n, 3) signed distances from the plane.
    Returns: (m, 3, d) triangles; (m,) which each is a part of; (k, 2, d) lines that run with what is kept on their left,
    seen against the direction in which heights grow, where the triangles' normals point outwards.
    """
    above = heights > 0.0
    count = above.sum(axis=1)
    whole = np.flatnonzero(count == 0)
    one, two = np.flatnonzero(count == 1), np.flatnonzero(count == 2)
    # Turned so that the corner that is alone on its side of the plane comes first.
    alone, lone_heights = _turned(corners[one], heights[one], above[one])
    other, other_heights = _turned(corners[two], heights[two], ~above[two])
    right, left = _crossings(alone, lone_heights)
    low_right, low_left = _crossings(other, other_heights)
    parts = [
        corners[whole],
        np.stack([right, alone[:, 1], alone[:, 2]], axis=1),
        np.stack([right, alone[:, 2], left], axis=1),
        np.stack([other[:, 0], low_right, low_left], axis=1),
    ]
    lines = [np.stack([left, right], axis=1), np.stack([low_right, low_left], axis=1)]
    return np.concatenate(parts), np.concatenate([whole, one, one, two]), np.concatenate(lines)


def cut_lines(ends: Array, heights: Array) -> Array:
    """The parts of lines (n, 2, 3) where `heights` (n, 2) is not positive."""
    above = heights > 0.0
    kept = ends[~above.all(axis=1)].copy()
    side, level = above[~above.all(axis=1)], heights[~above.all(axis=1)]
    for end in (0, 1):
        cut = np.flatnonzero(side[:, end])
        part = level[cut, 1 - end] / (level[cut, 1 - end] - level[cut, end])
        start = kept[cut, 1 - end]
        kept[cut, end] = start + part[:, None] * (kept[cut, end] - start)
    return kept


def _turned(corners: Array, heights: Array, alone: NDArray[np.bool_]) -> tuple[Array, Array]:
    order = (np.argmax(alone, axis=1)[:, None] + np.arange(3)) % 3
    row = np.arange(len(corners))[:, None]
    return corners[row, order], heights[row, order]


def _crossings(corners: Array, heights: Array) -> tuple[Array, Array]:
    """Where the plane crosses the side from the first corner to the second, and the one from the first to the third."""
    found = []
    for end in (1, 2):
        part = heights[:, 0] / (heights[:, 0] - heights[:, end])
        found.append(corners[:, 0] + part[:, None] * (corners[:, end] - corners[:, 0]))
    return found[0], found[1]
