"""Whether a line of drawn lettering too short to be told from geometry goes on with one that is lettering beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.outlined.recognise import ReadRow

LEVEL, LIKE = 0.06, 0.12
"""Capital heights between two baselines of one line, and part by which the heights of its letters differ."""
NEAR: Final = 2.5
"""Capital heights between two words of one line, at most."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where n lines of lettering stand, each in the frame of its quarter."""

    quarters: Indices
    frames: Array
    """(n, 2) baseline and capital height."""
    spans: Array
    """(n, 2) where they begin and end."""
    is_open: Flags
    """(n,) whether they end with a sign that a digit follows, such as a dash."""

    @classmethod
    def of(cls, reads: Sequence[ReadRow], is_open: Sequence[bool]) -> Standing:
        """Where rows stand."""
        return cls(
            np.array([read.quarter for read in reads], np.int64),
            np.array([(read.baseline, read.height) for read in reads], float).reshape(-1, 2),
            np.array([_span(read) for read in reads], float).reshape(-1, 2),
            np.array(is_open, bool),
        )

    def goes_on(self, read: ReadRow, mates: Flags) -> bool:
        """Whether one of `mates` (n,) is on the baseline of a row and near it.

        One glyph alone has them on both sides, or one before it that is open.
        """
        before, behind = self._beside(read, mates)
        if len(read.boxes) > 1:
            return bool(before.any() or behind.any())
        return bool((before.any() and behind.any()) or (before & self.is_open).any())

    def _beside(self, read: ReadRow, mates: Flags) -> tuple[Flags, Flags]:
        baseline, height = self.frames.T
        level = mates & (self.quarters == read.quarter) & (np.abs(baseline - read.baseline) <= LEVEL * height)
        level &= np.abs(height - read.height) <= LIKE * height
        begin, end = _span(read)
        before, behind = begin - self.spans[:, 1], self.spans[:, 0] - end
        reach = NEAR * height
        return level & (before >= 0) & (before <= reach), level & (behind >= 0) & (behind <= reach)


def _span(read: ReadRow) -> tuple[float, float]:
    return float(read.boxes[:, 0].min()), float(read.boxes[:, 2].max())
