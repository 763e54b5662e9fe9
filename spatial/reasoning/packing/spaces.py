"""Maximal empty spaces: every largest axis-aligned box in a bin that overlaps no item.

Source: Lai and Chan, "Developing a simulated annealing algorithm for the cutting stock problem", Computers & Industrial Engineering 32
(1997); Parreño, Alvarez-Valdes, Oliveira and Tamarit, "A maximal-space algorithm for the container loading problem", INFORMS Journal on
Computing 20 (2008).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.packing.boxes import Array


class Spaces:
    """The empty spaces of one bin.

    lower, upper: (m, 3) corners, from the bin's lower corner.
    """

    def __init__(self, size: Array, reach: float, supported: bool = False) -> None:
        """Begin with an empty bin.

        size: (3,) of the bin. reach: lengths up to it are zero.
        supported: whether what is placed must rest on the floor or on one item with its whole base.
        """
        self.lower = np.zeros((1, 3))
        self.upper = np.array([size], dtype=np.float64)
        self.reach = reach
        self.supported = supported

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def sizes(self) -> Array:
        """(m, 3) extents."""
        found: Array = self.upper - self.lower
        return found

    def take(self, lower: Array, upper: Array, least: Array) -> None:
        """Remove a box; spaces in which no item of `least`, (k, 3) sizes, fits are dropped."""
        cut = ((self.lower < upper - self.reach) & (self.upper > lower + self.reach)).all(axis=1)
        if not cut.any():
            return
        pieces_lower, pieces_upper = self._pieces(self.lower[cut], self.upper[cut], lower, upper)
        useful = self._useful(pieces_upper - pieces_lower, least)
        self._keep(self.lower[~cut], self.upper[~cut], pieces_lower[useful], pieces_upper[useful])

    def prune(self, least: Array) -> None:
        """Drop the spaces in which no item of `least`, (k, 3) sizes, fits."""
        useful = self._useful(self.sizes, least)
        self.lower, self.upper = self.lower[useful], self.upper[useful]

    def _useful(self, sizes: Array, least: Array) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (sizes >= least.min(axis=0) - self.reach).all(axis=1)
        return found

    def _pieces(self, low: Array, high: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
        """What is left of spaces around a box: up to six pieces of each."""
        lows, highs = [], []
        for axis in range(3):
            before, after = lower[axis] - low[:, axis] > self.reach, high[:, axis] - upper[axis] > self.reach
            piece = high[before].copy()
            piece[:, axis] = lower[axis]
            lows.append(low[before])
            highs.append(piece)
            piece, top = low[after].copy(), high[after].copy()
            piece[:, axis] = upper[axis]
            if axis == 2 and self.supported:
                piece[:, :2] = np.maximum(piece[:, :2], lower[:2])
                top[:, :2] = np.minimum(top[:, :2], upper[:2])
            lows.append(piece)
            highs.append(top)
        return np.concatenate(lows), np.concatenate(highs)

    def _keep(self, old_lower: Array, old_upper: Array, low: Array, high: Array) -> None:
        """Add pieces that no other space contains; of two that are equal the first stays."""
        if not len(low):
            self.lower, self.upper = old_lower, old_upper
            return
        all_lower, all_upper = np.concatenate([old_lower, low]), np.concatenate([old_upper, high])
        around = (all_lower[None] <= low[:, None] + self.reach) & (all_upper[None] >= high[:, None] - self.reach)
        inside: NDArray[np.bool_] = np.all(around, axis=2)
        rows, first = np.arange(len(low)), len(old_lower)
        inside[rows, first + rows] = False
        mutual = inside[:, first:] & inside[:, first:].T
        inside[:, first:] &= ~(mutual & (rows[None] > rows[:, None]))
        kept = ~inside.any(axis=1)
        self.lower = np.concatenate([old_lower, low[kept]])
        self.upper = np.concatenate([old_upper, high[kept]])
