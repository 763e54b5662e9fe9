"""What is near many places at once, looked up by cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Array

Indices = NDArray[np.int64]

AT_ONCE: Final = 500_000
"""Pairs of a place and a point that are looked at together."""
_AROUND: Final = np.array([(i, j) for i in (-1.0, 0.0, 1.0) for j in (-1.0, 0.0, 1.0)])


class Places:
    """Points (n, 2) by the square cell that they are in."""

    def __init__(self, points: Array, cell: float, most: int | None = None) -> None:
        """`most`: points of one cell that are looked at."""
        self._cell, self._most = max(cell, 1e-9), most
        key = _key(np.floor(points / self._cell))
        self._order = np.argsort(key, kind="stable")
        self._keys = key[self._order]

    def around(self, places: Array) -> Iterator[tuple[Indices, Indices]]:
        """The numbers of places (m, 2), in order, and of all points in their cells and the eight around, some at a time."""
        keys = _key(np.floor(places / self._cell)[:, None] + _AROUND)
        firsts = np.searchsorted(self._keys, keys, side="left")
        lasts = np.searchsorted(self._keys, keys, side="right")
        if self._most is not None:
            lasts = np.minimum(lasts, firsts + self._most)
        total = (lasts - firsts).sum(axis=1).cumsum()
        begin = 0
        while begin < len(places):
            done = int(total[begin - 1]) if begin else 0
            stop = max(int(np.searchsorted(total, done + AT_ONCE, side="right")), begin + 1)
            of, at = ranges(firsts[begin:stop].ravel(), lasts[begin:stop].ravel())
            yield of // len(_AROUND) + begin, self._order[at]
            begin = stop


def ranges(firsts: Indices, lasts: Indices) -> tuple[Indices, Indices]:
    """All whole numbers from each first to before its last, behind the number of the range that each is of."""
    count = np.maximum(lasts - firsts, 0)
    of = np.repeat(np.arange(len(count)), count)
    return of, np.arange(len(of)) + np.repeat(firsts - np.cumsum(count) + count, count)


def _key(cell: Array) -> Indices:
    whole = np.clip(cell, -1e9, 1e9).astype(np.int64)
    return np.asarray(whole[..., 0] * 2_147_483_647 + whole[..., 1])
