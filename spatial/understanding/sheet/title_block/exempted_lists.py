"""Notes in the cell of a form that begins with what its tolerances do not hold for: `UNLESS OTHERWISE SPECIFIED`.

Forms print the unit of the sizes and their tolerances there. Where none of that follows, each line states something of the part; and where
the first line under it has the number 1, the lines set in as that one are a numbered list, of whose small numbers others may be unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.knowledge.value_forms import UNIT_STATEMENT
from spatial.understanding.sheet.notes.line import word_count
from spatial.understanding.sheet.notes.sentences import is_exception
from spatial.understanding.sheet.title_block.items import Item, joined

_FEWEST: Final = 2
"""Statements of such a cell, and notes of such a list."""
_STATEMENT: Final = 3
"""Words of a statement."""
_FLUSH: Final = 0.5
"""Letter heights between the left ends of two lines of the list, and between the middles of a number and its line."""
_SAME_HEIGHT: Final = 0.05
"""Part by which the letters of two lines of the list differ."""
_DEVIATION: Final = ("\u00b1", "+/-")


def exempted_list(items: Sequence[Item]) -> list[Item]:
    """Of the items of a cell those that are notes, with the heading of a numbered list and its numbers."""
    top, *rest = sorted(items, key=lambda item: -item.middle[1])
    if len(rest) < _FEWEST or not is_exception(top.text.strip().rstrip(",;")):
        return []
    if all(map(_is_stated, rest)) and UNIT_STATEMENT.search(joined(rest)) is None:
        return rest
    listed = _numbered(rest)
    return [top, *listed] if listed else []


def _is_stated(item: Item) -> bool:
    """Whether it says something with a figure that forms do not print: no label, no tolerance."""
    return (
        item.wording is None
        and word_count(item.text) >= _STATEMENT
        and any(map(str.isdigit, item.text))
        and not any(sign in item.text for sign in _DEVIATION)
    )


def _numbered(rest: Sequence[Item]) -> list[Item]:
    """The lines that begin where that behind the number 1 does, under one another, with the numbers; the first lines of all."""
    numbers = [item for item in rest if item.text.strip(" .)").isdecimal()]
    lines = [item for item in rest if item not in numbers]
    first = lines[0] if lines else None
    if first is None or not numbers or numbers[0].text.strip(" .)") != "1" or not _is_beside(numbers[0], first):
        return []
    column = [line for line in lines if _is_alike(first, line)]
    is_whole = column == lines[: len(column)] and len(column) >= _FEWEST
    return (
        [*numbers, *column]
        if is_whole and all(any(_is_beside(each, line) for line in column) for each in numbers)
        else []
    )


def _is_beside(number: Item, line: Item) -> bool:
    h = max(line.height, 1e-9)
    return abs(number.middle[1] - line.middle[1]) < _FLUSH * h and number.box[2] < line.box[0]


def _is_alike(first: Item, line: Item) -> bool:
    h = max(first.height, 1e-9)
    return abs(line.box[0] - first.box[0]) < _FLUSH * h and abs(line.height - first.height) < _SAME_HEIGHT * h
