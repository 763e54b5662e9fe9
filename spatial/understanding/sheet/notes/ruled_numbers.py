"""Lists of notes in a table: a number in each cell of the first column, `1.`, and its note in the cell beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.notes.line import OPEN_SPACE, Line

_FEWEST: Final = 2
"""Rows of such a table whose numbers count up."""
_FLUSH: Final = 0.3
"""Letter heights between the edges of the two cells of a row."""


def with_ruled_numbers(found: Sequence[Line], boxes: Mapping[int, Box]) -> list[Line]:
    """`found` with each number that stands alone in a cell as the mark of the first line of the cell beside it.

    Args:
        boxes: of the ruled cells, by number, in the direction of the lines.
    """
    rows = {id(mark): first for mark in found if (first := _beside(mark, found, boxes)) is not None}
    marks = [mark for mark in found if id(mark) in rows]
    counted = {mark.number for mark in marks}
    if len(counted & {(number or 0) + 1 for number in counted}) < _FEWEST - 1:
        return list(found)
    numbers = {id(rows[id(mark)]): mark for mark in marks}
    return [_marked(line, numbers.get(id(line))) for line in found if id(line) not in rows]


def _marked(line: Line, mark: Line | None) -> Line:
    if mark is None:
        return line
    sources = (*mark.sources, *line.sources)
    return replace(line, number=mark.number, mark=f"{mark.mark} ", begin=line.box[0], sources=sources)


def _beside(mark: Line, found: Sequence[Line], boxes: Mapping[int, Box]) -> Line | None:
    """The first line of the cell right of that of a number which stands alone, in the same row."""
    if mark.number is None or mark.loose or mark.text or mark.cell <= OPEN_SPACE or mark.cell not in boxes:
        return None
    own, reach = boxes[mark.cell], _FLUSH * mark.height
    lines = [
        line
        for line in found
        if line.cell in boxes and line.cell != mark.cell and _is_next(own, boxes[line.cell], reach)
    ]
    first = max(lines, key=lambda line: line.level, default=None)
    return first if first is not None and not (first.marked or first.bullet) else None


def _is_next(left: Box, right: Box, reach: float) -> bool:
    return max(abs(left[2] - right[0]), abs(left[1] - right[1]), abs(left[3] - right[3])) < reach
