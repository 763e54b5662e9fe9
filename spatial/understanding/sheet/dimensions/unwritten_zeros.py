"""Rows of ordinates whose zero no text says: an origin symbol, a datum or a row on the other side of the view stands for it (ASME Y14.5).

The scale of the sheet is known: each number then says where its zero is, on either side of it. Where several different numbers say one
place, they count from there, whichever row they stand in. Numbers in equal steps say it of every such axis, and prove nothing.

Glossary
  vote   the place of the zero that a number gives, if its value grows along the axis (or, the other way, falls).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spatial.understanding.sheet.dimensions.extension_lines import AcrossAxis
from spatial.understanding.sheet.dimensions.ordinates import MOST, Number, Row, is_even, ordinate
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.leaders.lines import Lines

FEWEST: Final = 4
"""Different numbers that must agree."""
MOST_ROWS: Final = 24
"""Of a sheet."""
LEAST_PART: Final = 2
"""One in so many numbers of the rows that agree must agree."""


@dataclass(frozen=True, slots=True)
class _Vote:
    zero: float
    number: Number
    slack: float
    """Sheet units by which the zero may be wrong."""


def rows_without_zero(labels: Sequence[Label], lines: Lines, taken: Collection[int], per_unit: float) -> list[Row]:
    """Rows of the numbers that are not `taken`, each in one; per_unit: printed per unit of the sheet."""
    numbers = [at for at, label in enumerate(labels) if at not in taken and ordinate(label)][:MOST]
    used: set[int] = set()
    found: list[Row] = []
    for axis in (0, 1) if len(numbers) >= FEWEST else ():
        strokes = AcrossAxis(lines, axis)
        every = [
            Number.of(line, labels[line.label])
            for side in (1, -1)
            for at in numbers
            for line in strokes.of(at, labels[at], side)
        ]
        for votes in _agreements(every, per_unit, strokes.slack):
            row = [vote.number for vote in votes if vote.number.line.label not in used]
            if _is_proven(row, every, strokes.slack):
                used |= {number.line.label for number in row}
                found.append(_row(axis, votes, row, per_unit))
    return found[:MOST_ROWS]


def _agreements(numbers: Sequence[Number], per_unit: float, slack: float) -> Iterator[list[_Vote]]:
    """Votes for one place, the most first; of a text with a jog the first."""
    groups = [group for way in (1, -1) for group in _groups(numbers, way / per_unit, slack)]
    yield from sorted(groups, key=lambda group: -len(group))


def _groups(numbers: Sequence[Number], per_value: float, slack: float) -> Iterator[list[_Vote]]:
    votes = [
        _Vote(each.line.place - each.value * per_value, each, 2 * slack + each.rounded * abs(per_value))
        for each in numbers
    ]
    group: list[_Vote] = []
    for vote in sorted(votes, key=lambda vote: vote.zero):
        if group and vote.zero - group[0].zero > group[0].slack + vote.slack:
            yield _each_text_once(group)
            group = []
        group.append(vote)
    if group:
        yield _each_text_once(group)


def _each_text_once(votes: Sequence[_Vote]) -> list[_Vote]:
    return list({vote.number.line.label: vote for vote in reversed(votes)}.values())


def _is_proven(row: Sequence[Number], every: Sequence[Number], slack: float) -> bool:
    """Whether enough numbers agree, not in equal steps, and half of those that begin beside them."""
    if len({abs(number.value) for number in row}) < FEWEST or is_even(row, slack):
        return False
    beside = {
        other.line.label
        for other in every
        if any(abs(other.line.begin - number.line.begin) < number.line.height / 2 for number in row)
    }
    return LEAST_PART * len(row) >= len(beside)


def _row(axis: int, votes: Sequence[_Vote], row: Sequence[Number], per_unit: float) -> Row:
    ordered = sorted(row, key=lambda number: number.line.place)
    zeros = sorted(vote.zero for vote in votes)
    zero = zeros[len(zeros) // 2], ordered[0].line.end
    return Row(axis, zero, tuple(number.line for number in ordered), per_unit, False)
