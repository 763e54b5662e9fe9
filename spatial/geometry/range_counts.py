"""How many points of the plane lie in boxes, without a look at each: the time is that of sorting, however the points crowd.

Source: the wavelet matrix of Claude, Navarro and Ordóñez, "The wavelet matrix: an efficient wavelet tree for large alphabets",
Information Systems 47 (2015).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.columns import every
from spatial.geometry.quadrature import Array

Indices = NDArray[np.int64]
Side = Literal["left", "right"]


class RangeCounts:
    """Points of the plane, sorted along both axes."""

    def __init__(self, points: Array) -> None:
        """`points`: (n, 2), finite."""
        across, up = points.T
        order = np.argsort(across, kind="stable")
        self._across = across[order]
        by_height = np.argsort(up, kind="stable")
        self._up = up[by_height]
        ranks = np.empty(len(points), np.int64)
        ranks[by_height] = np.arange(len(points))
        self._ranks = ranks[order]

    def in_boxes(self, boxes: Array) -> Indices:
        """(m,) how many of the points lie in each of the boxes (m, 4), edges included; none in one whose ends are crossed."""
        firsts = np.searchsorted(self._across, boxes[:, 0], "left")
        lasts = np.maximum(np.searchsorted(self._across, boxes[:, 2], "right"), firsts)
        below = np.searchsorted(self._up, boxes[:, 1], "left")
        up_to = np.maximum(np.searchsorted(self._up, boxes[:, 3], "right"), below)
        lower, upper = self._lower(np.tile(firsts, 2), np.tile(lasts, 2), np.concatenate([below, up_to])).reshape(2, -1)
        return np.asarray(upper - lower)

    def left_of_and_below(self, places: Array, across: Side, up: Side) -> Indices:
        """(m,) how many points are left of each place (m, 2) and below it; "right" counts those level with it along that axis too."""
        lasts = np.searchsorted(self._across, places[:, 0], across)
        return self._lower(np.zeros_like(lasts), lasts, np.searchsorted(self._up, places[:, 1], up))

    def _lower(self, firsts: Indices, lasts: Indices, ranks: Indices) -> Indices:
        """(m,) of the points from the first one, counted from the left, to before the last one, how many have a lower rank in height."""
        found = np.zeros(len(firsts), np.int64)
        row = self._ranks
        for bit in reversed(range(len(row).bit_length())):
            is_zero = (row >> bit) & 1 == 0
            zeros = np.concatenate([[0], np.cumsum(is_zero)])
            first, last = zeros[firsts], zeros[lasts]
            is_above = (ranks >> bit) & 1 == 1
            found += np.where(is_above, last - first, 0)
            firsts = np.where(is_above, firsts - first + zeros[-1], first)
            lasts = np.where(is_above, lasts - last + zeros[-1], last)
            row = np.concatenate([row[is_zero], row[~is_zero]])
        return found


def boxes_over(points: Array, boxes: Array) -> Indices:
    """(n,) how many of the boxes (m, 4) hold each point (n, 2), edges included; a box whose ends are crossed holds none.

    Of the boxes that begin before a point along both axes, those that end before it along one do not hold it.
    """
    left, bottom, right, top = boxes[every(boxes[:, :2] <= boxes[:, 2:])].T
    begun = _before(points, left, "right", bottom, "right")
    ended_across, ended_up = (
        _before(points, right, "left", bottom, "right"),
        _before(points, left, "right", top, "left"),
    )
    return np.asarray(begun - ended_across - ended_up + _before(points, right, "left", top, "left"))


def _before(points: Array, across: Array, level: Side, up: Array, level_up: Side) -> Indices:
    """(n,) how many of some corners are left of each point and below it."""
    return RangeCounts(np.column_stack([across, up])).left_of_and_below(points, level, level_up)
