"""Whether a line of drawn lettering too short to be told from geometry goes on with one that is lettering beyond doubt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.understanding.sheet.outlined.recognise import ReadRow

LEVEL, LIKE = 0.06, 0.12
"""Capital heights between two baselines of one line, and part by which the heights of its letters differ."""
NEAR: Final = 2.5
"""Capital heights between two words of one line, at most."""


def stands_in_line(read: ReadRow, others: Sequence[ReadRow]) -> bool:
    """Whether one of `others` is on the baseline of a row and near it, before it or behind it."""
    return bool(_sides(read, others))


def stands_within_line(read: ReadRow, others: Sequence[ReadRow], open_ended: Sequence[ReadRow]) -> bool:
    """Whether `others` stand on both sides of a row, or one of those that end with a dash or a stroke before it."""
    return len(_sides(read, others)) == len(("before", "behind")) or "before" in _sides(read, open_ended)


def _sides(read: ReadRow, others: Sequence[ReadRow]) -> set[str]:
    gaps = [_gap(read, each) for each in others if _is_level(read, each)]
    return {"behind" if gap > 0 else "before" for gap in gaps if abs(gap) <= NEAR}


def _is_level(read: ReadRow, other: ReadRow) -> bool:
    return (
        read.quarter == other.quarter
        and abs(read.baseline - other.baseline) <= LEVEL * other.height
        and abs(read.height - other.height) <= LIKE * other.height
    )


def _gap(read: ReadRow, other: ReadRow) -> float:
    """Capital heights from a row to one behind it, or with a minus sign to one before it; infinite where they overlap."""
    left, right = float(read.boxes[:, 0].min()), float(read.boxes[:, 2].max())
    begin, end = float(other.boxes[:, 0].min()), float(other.boxes[:, 2].max())
    if begin >= right:
        return (begin - right) / other.height
    return (end - left) / other.height if end <= left else np.inf
