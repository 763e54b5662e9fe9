"""The smallest rectangles that a net of rule lines encloses."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.cells.rule_lines import Net

_NONE: Final = np.int64(1 << 15)
"""Where no wall stands; above any place of a rule line, so that four places fit into one number."""


def find_faces(net: Net) -> Array:
    """(n, 4) x least, y least, x greatest, y greatest of each rectangular face of `net`."""
    xs, ys = np.unique(net.vertical[:, 0]), np.unique(net.horizontal[:, 0])
    if len(xs) < 2 or len(ys) < 2:
        return np.zeros((0, 4))
    upright = _walls(net.vertical, xs, ys)
    level = _walls(net.horizontal, ys, xs)
    left, right = _nearest(upright)
    low, high = (place.T for place in _nearest(level))
    sides = _rectangles(left, low, right, high)
    return np.column_stack([xs[sides[:, 0]], ys[sides[:, 1]], xs[sides[:, 2]], ys[sides[:, 3]]])


def _walls(rule_lines: Array, places: Array, across: Array) -> Flags:
    """(places, stretches between `across`) whether a wall stands there."""
    walls = np.zeros((len(places), len(across) - 1), bool)
    at = np.searchsorted(places, rule_lines[:, 0])
    first, last = np.searchsorted(across, rule_lines[:, 1]), np.searchsorted(across, rule_lines[:, 2])
    for row, start, end in zip(at, first, last, strict=True):
        walls[row, start:end] = True
    return walls


def _nearest(walls: Flags) -> tuple[Indices, Indices]:
    """For each smallest patch, the place of the wall before it and after it along the first axis."""
    places = np.arange(walls.shape[0])[:, None]
    before = np.maximum.accumulate(np.where(walls, places, -1), axis=0)[:-1]
    after = np.minimum.accumulate(np.where(walls, places, _NONE)[::-1], axis=0)[::-1][1:]
    return before, after


def _rectangles(left: Indices, low: Indices, right: Indices, high: Indices) -> Indices:
    """(n, 4) sides of the faces whose patches all see the same four walls: others have a corner that juts in."""
    closed = (left >= 0) & (low >= 0) & (right < _NONE) & (high < _NONE)
    sides = np.column_stack([left[closed], low[closed], right[closed], high[closed]]).astype(np.int64)
    if not len(sides):
        return sides
    key = ((sides[:, 0] * _NONE + sides[:, 1]) * _NONE + sides[:, 2]) * _NONE + sides[:, 3]
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    sides = sides[first]
    return np.asarray(sides[(sides[:, 2] - sides[:, 0]) * (sides[:, 3] - sides[:, 1]) == count])
