"""Numbers of a list that repeat the one before or leave some out, as where notes were added or taken out, or numbers were not read."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.understanding.sheet.notes.draft import PARAGRAPH
from spatial.understanding.sheet.notes.line import Line

_FEWEST_COUNTED, _LEFT_OUT, _EXACT = 2, 3, 0.1
"""Notes that count on before a number that does not; numbers by which it is ahead; letter heights by which it deviates from them."""
_LEFT_OF_MARK, _RIGHT_OF_MARK = 1.5, 6.0
"""Letter heights by which a line of the list may begin before its numbers and behind them."""


def is_miscounted(run: Sequence[Line], line: Line, free: Sequence[Line]) -> bool:
    """Whether a number goes on with a list though it repeats the one before or leaves some out, as where notes were added or taken out.

    It stands right under the last note of two or more, or under a lettered item of that, exactly below its number, written alike.
    """
    first, last, h = run[0], run[-1], max(run[-1].height, 1e-9)
    step = (line.number or 0) - (last.number or 0)
    return (
        len(run) >= _FEWEST_COUNTED
        and 0 <= step <= _LEFT_OUT
        and not (line.loose or last.loose)
        and (line.series, line.cell, line.page) == (last.series, last.cell, last.page)
        and max(abs(line.box[0] - last.box[0]), abs(line.box[0] - first.box[0])) < _EXACT * h
        and abs(line.height - last.height) < _EXACT * h
        and (
            0 < last.level - line.level < PARAGRAPH * h
            or (line.level < last.level and _is_under_items(last, line, free))
        )
    )


def _is_under_items(last: Line, line: Line, free: Sequence[Line]) -> bool:
    """Whether lettered items stand in the column between two numbers, and what is next above the second right over it."""
    h = max(line.height, 1e-9)
    column = [
        each
        for each in free
        if each.page == line.page
        and line.level < each.level < last.level
        and -_LEFT_OF_MARK < (each.box[0] - line.box[0]) / h < _RIGHT_OF_MARK
    ]
    items = [each.level for each in column if each.letter is not None]
    return bool(items) and min(each.level for each in column) - line.level < PARAGRAPH * h
