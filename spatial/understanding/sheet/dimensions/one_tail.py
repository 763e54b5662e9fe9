"""Small dimensions from outside whose line is drawn behind one of their two heads only: the head without a text has none.

That both heads point at witnesses, as ISO 129-1 draws extension lines, stands in for the second line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.dimensions.drawn import LEAVES_OUTSIDE_AT, TOUCHING, Drawn, drawn_along
from spatial.understanding.sheet.dimensions.shoulders import alone_at, with_shoulders
from spatial.understanding.sheet.dimensions.span import SHARED, Place, Span, are_tips_of
from spatial.understanding.sheet.dimensions.spans import FARTHEST_OUTSIDE, ON_LINE, SAME_LENGTH, SHORTEST, on_one_line
from spatial.understanding.sheet.leaders.arrowheads import Heads, squared
from spatial.understanding.sheet.leaders.lines import Lines

SURE: Final = 0.85
"""How sure such a dimension is."""
AT_TIP: Final = 0.15
"""Lengths of a head by which the line that it points at may pass its tip."""
LEAST_WITNESS: Final = 1.0
"""Lengths of a head of that line."""
BEHIND_TIP: Final = 0.25
"""Lengths of a head between its tip and the stroke that leaves it to its text, at least."""
STEP: Final = 6e-4
"""Diagonals of the sheet between the places at which such a stroke is looked for; `Lines.at` finds those within two thirds of it."""
SAME_TIP: Final = 1e-6
"""Diagonals of the sheet within which two tips are one."""


@dataclass(frozen=True, slots=True)
class _Facing:
    """Two heads on one line that point at each other, neighbours on it."""

    one: int
    other: int
    sure: float


def spans_of_one_tail(lined: Heads, lines: Lines, known: Sequence[Span]) -> list[Span]:
    """Those between heads, along the lines at them, of which no dimension of `known` has both.

    Where one has one of them, as in a chain, only the scale of the sheet can speak for it.
    """
    arrows = squared(lined)
    taken = are_tips_of(arrows.tips, (span for span in known if span.sure > SHARED), SAME_TIP * lines.size)
    pairs = [pair for group in on_one_line(arrows, lines.size) for pair in _facing(group, taken, arrows, lines.size)]
    if not pairs:
        return []
    witnessed = _at_witnesses(arrows, np.unique([head for pair in pairs for head in (pair.one, pair.other)]), lines)
    pairs = [pair for pair in pairs if witnessed[pair.one] and witnessed[pair.other]]
    found = list(_with_tails(pairs, arrows, lines))
    shouldered = with_shoulders([span for span, _ in found], lines)
    return _with_elbows(shouldered, [is_last for _, is_last in found], lines)


def _facing(group: Indices, taken: Flags, arrows: Heads, size: float) -> Iterator[_Facing]:
    """Neighbours of about one length that point at each other from near, not both taken."""
    way = arrows.ways[group[0]]
    along = arrows.tips[group] @ way
    order = group[np.argsort(along, kind="stable")]
    forward = (arrows.ways @ way) > 0
    free = order[~taken[order]]
    chained = ((one, other) for one, other in pairwise(order.tolist()) if taken[one] != taken[other])
    for one, other in (*pairwise(free.tolist()), *chained):
        length, next_length = float(arrows.lengths[one]), float(arrows.lengths[other])
        apart = float((arrows.tips[other] - arrows.tips[one]) @ way)
        alike = abs(length - next_length) <= SAME_LENGTH * max(length, next_length)
        if forward[one] and not forward[other] and alike and SHORTEST * size < apart < FARTHEST_OUTSIDE * length:
            yield _Facing(one, other, SHARED if taken[one] or taken[other] else SURE)


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


def _with_tails(pairs: Sequence[_Facing], arrows: Heads, lines: Lines) -> Iterator[tuple[Span, bool]]:
    """Pairs of which one head has a line behind it, and whether the last one has."""
    first = np.array([pair.one for pair in pairs], np.int64)
    tips, ways, lengths = arrows.tips[first], arrows.ways[first], arrows.lengths[first]
    least, most = LEAVES_OUTSIDE_AT
    for number, drawn in drawn_along(lines, tips, ways, ON_LINE * lengths, TOUCHING * lengths):
        other, head = pairs[number].other, float(lengths[number])
        high = float((arrows.tips[other] - tips[number]) @ ways[number])
        before = drawn.any(-least * head, -most * head)
        behind = drawn.any(high + most * head, high + least * head)
        if before != behind:
            heads = head, float(arrows.lengths[other])
            yield _span(tips[number], ways[number], high, drawn, heads, pairs[number].sure), behind


def _span(tip: Array, way: Array, high: float, drawn: Drawn, heads: tuple[float, float], sure: float) -> Span:
    begin, end = drawn.text_range(0.0, high, sure, heads[0])
    low_end, high_end = drawn.tails(0.0, high, heads)
    first, last, *ends = ((float(x), float(y)) for x, y in (tip + way * at for at in (0.0, high, low_end, high_end)))
    return Span(first, last, high, (min(begin, low_end), max(end, high_end)), sure, ends=(ends[0], ends[1]))


def _with_elbows(found: list[Span], tailed: Sequence[bool], lines: Lines) -> list[Span]:
    """Those with the only stroke that leaves the head without a tail between its tip and its back: its text stands at or on it."""
    places = [
        (number, place)
        for number, (span, is_last) in enumerate(zip(found, tailed, strict=True))
        for place in _along_head(span, 0 if is_last else 1, STEP * lines.size)
    ]
    leaving: dict[int, set[tuple[Place, Place]]] = {}
    for at, stroke in alone_at([(place, found[number]) for number, place in places], lines).items():
        leaving.setdefault(places[at][0], set()).add(stroke)
    return [
        replace(span, shoulders=(*span.shoulders, *strokes)) if len(strokes := leaving.get(number, ())) == 1 else span
        for number, span in enumerate(found)
    ]


def _along_head(span: Span, end: int, step: float) -> Iterator[Place]:
    """Places of the back part of the head at an end of a dimension, which its line goes on to, and of a tail too short to be one."""
    tip, back = (span.first, span.last)[end], (span.ends or (span.first, span.last))[end]
    stretch = LEAVES_OUTSIDE_AT[1] - BEHIND_TIP
    count = int(stretch * math.dist(tip, back) / step) + 1
    for number in range(count + 1):
        part = BEHIND_TIP + stretch * number / count
        yield tip[0] + part * (back[0] - tip[0]), tip[1] + part * (back[1] - tip[1])
