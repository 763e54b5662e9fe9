"""Small dimensions from outside whose line is drawn behind one of their two heads only: the head without a text has none.

That both heads point at witnesses, as ISO 129-1 draws extension lines, stands in for the second line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.dimensions.spans import (
    FARTHEST_OUTSIDE,
    LEAVES_OUTSIDE_AT,
    ON_LINE,
    SAME_LENGTH,
    SHARED,
    SHORTEST,
    TOUCHING,
    Drawn,
    Span,
    are_tips_of,
    drawn_along,
    on_one_line,
)
from spatial.understanding.sheet.leaders.arrowheads import Heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

SURE: Final = 0.85
"""How sure such a dimension is."""
AT_TIP: Final = 0.15
"""Lengths of a head by which the line that it points at may pass its tip."""
LEAST_WITNESS: Final = 1.0
"""Lengths of a head of that line."""
SAME_TIP: Final = 1e-6
"""Diagonals of the sheet within which two tips are one."""


@dataclass(frozen=True, slots=True)
class _Facing:
    """Two heads on one line that point at each other, neighbours on it."""

    one: int
    other: int


def spans_of_one_tail(lined: Heads, lines: Lines, found: Sequence[Span]) -> list[Span]:
    """Those between heads, along the lines at them, that no dimension of `found` has."""
    free = _without(squared(lined), found, lines.size)
    pairs = [pair for group in on_one_line(free, lines.size) for pair in _facing(group, free, lines.size)]
    if not pairs:
        return []
    witnessed = _at_witnesses(free, np.unique([head for pair in pairs for head in (pair.one, pair.other)]), lines)
    pairs = [pair for pair in pairs if witnessed[pair.one] and witnessed[pair.other]]
    return list(_with_tails(pairs, free, lines))


def _without(arrows: Heads, found: Sequence[Span], size: float) -> Heads:
    """Heads whose tip is of no sure dimension."""
    free = ~are_tips_of(arrows.tips, (span for span in found if span.sure > SHARED), SAME_TIP * size)
    return Heads(arrows.tips[free], arrows.ways[free], arrows.lengths[free])


def _facing(group: Indices, arrows: Heads, size: float) -> Iterator[_Facing]:
    """Neighbours of about one length that point at each other from near."""
    way = arrows.ways[group[0]]
    along = arrows.tips[group] @ way
    order = group[np.argsort(along, kind="stable")]
    forward = (arrows.ways @ way) > 0
    for one, other in pairwise(order.tolist()):
        length, next_length = float(arrows.lengths[one]), float(arrows.lengths[other])
        apart = float((arrows.tips[other] - arrows.tips[one]) @ way)
        alike = abs(length - next_length) <= SAME_LENGTH * max(length, next_length)
        if forward[one] and not forward[other] and alike and SHORTEST * size < apart < FARTHEST_OUTSIDE * length:
            yield _Facing(one, other)


def _at_witnesses(arrows: Heads, heads: Indices, lines: Lines) -> Flags:
    """(n,) whether each of some heads points at a line square to it."""
    found = np.zeros(len(arrows), bool)
    found[heads] = are_at_witnesses(arrows.tips[heads], arrows.ways[heads], arrows.lengths[heads], lines)
    return found


def are_at_witnesses(tips: Array, ways: Array, lengths: Array, lines: Lines, beyond: float = -AT_TIP) -> Flags:
    """(n,) whether a line square to each way goes to its tip; lengths (n,): of a head, or of a letter; `beyond`: by how many of them it
    goes on there."""
    across = ways[:, ::-1] * np.array([-1.0, 1.0])
    slack = AT_TIP * lengths
    found = np.zeros(len(tips), bool)
    for of, spans in lines.on(tips, across, slack):
        least = beyond * lengths[of]
        at_tip = (spans[:, 0] < -least) & (spans[:, 1] > least)
        found[of[at_tip & (spans[:, 1] - spans[:, 0] > LEAST_WITNESS * lengths[of])]] = True
    return found


def _with_tails(pairs: Sequence[_Facing], arrows: Heads, lines: Lines) -> Iterator[Span]:
    """Pairs of which one head has a line behind it."""
    first = np.array([pair.one for pair in pairs], np.int64)
    tips, ways, lengths = arrows.tips[first], arrows.ways[first], arrows.lengths[first]
    for number, drawn in drawn_along(lines, tips, ways, ON_LINE * lengths, TOUCHING * lengths):
        other = arrows.tips[pairs[number].other]
        if (span := _span(tips[number], ways[number], other, drawn, float(lengths[number]))) is not None:
            yield span


def _span(tip: Array, way: Array, other: Array, drawn: Drawn, head: float) -> Span | None:
    high = float((other - tip) @ way)
    least, most = LEAVES_OUTSIDE_AT
    before, behind = drawn.any(-least * head, -most * head), drawn.any(high + most * head, high + least * head)
    if before == behind:
        return None
    begin, end = drawn.text_range(0.0, high, SURE, head)
    last = tip + way * high
    return Span((float(tip[0]), float(tip[1])), (float(last[0]), float(last[1])), high, (begin, end), SURE)
