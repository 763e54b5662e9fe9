"""The pieces of a sheet's lettering by the level of their middles: what stands over, under or beside a line."""

from __future__ import annotations

import numpy as np

from spatial.models.sheet.drawing import Array


class Levels:
    """Boxes of pieces, sorted by their middles."""

    def __init__(self, boxes: Array) -> None:
        """`boxes`: (n, 4)"""
        levels = (boxes[:, 1] + boxes[:, 3]) / 2
        order = np.argsort(levels, kind="stable")
        self._levels, self._boxes = levels[order], boxes[order]

    def around(self, level: float, reach: float, least: float = -1.0) -> tuple[Array, Array]:
        """The boxes (k, 4) and levels (k,) of pieces that are less than `reach` above or below a level, and more than `least`."""
        if least < 0:
            parts = [(level - reach, level + reach)]
        else:
            parts = [(level - reach, level - least), (level + least, level + reach)]
        ends = [np.searchsorted(self._levels, part).tolist() for part in parts]
        # A place more on either side: whether a piece is on the edge is a matter of its distance, however the edge is rounded.
        near = np.concatenate([np.arange(max(first - 1, 0), min(last + 1, len(self._levels))) for first, last in ends])
        near = np.unique(near)
        drops = np.abs(self._levels[near] - level)
        near = near[(drops < reach) & (drops > least)]
        return self._boxes[near], self._levels[near]
