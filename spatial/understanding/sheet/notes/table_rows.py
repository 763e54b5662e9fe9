"""Lines that head the rows of a table: their values stand behind them, below each other; beside notes stands nothing so regular."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, takewhile
from typing import Final

from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.notes.line import NOTE_WORDS, OPEN_SPACE, Line, word_count

_FEWEST_ROWS: Final = 3
"""Rows without rules that are told from lines beside which something stands by chance."""
_FEWEST_COLUMNS: Final = 2
"""Columns of a table of sizes."""
_SIZES: Final = 0.7
"""Part of its cells that hold a figure, or no word: letters of sizes."""
_MOST_ROWS: Final = 20
"""Lines that are looked at."""
_BASELINE: Final = 0.5
"""Letter heights between the middles of a line and its value."""
_COLUMN: Final = 1.0
"""Letter heights by which the middles of the values of a column differ, or their left or right ends."""


def full_rows(grids: Sequence[Grid]) -> frozenset[str]:
    """Ids of texts in rows over all columns of a table of sizes: `All dimensions in mm` below its letters and figures; no sentences."""
    return frozenset(
        text.id
        for grid in grids
        if len(grid.cells) >= _FEWEST_ROWS * _FEWEST_COLUMNS
        for cell in _full_rows(grid)
        if not cell.text.rstrip().endswith(".")
        for text in cell.texts
    )


def _full_rows(grid: Grid) -> list[Cell]:
    last = max(cell.columns[1] for cell in grid.cells)
    wide = [cell for cell in grid.cells if cell.columns == (0, last)]
    filled = [cell for cell in grid.cells if cell.columns != (0, last) and cell.texts]
    sizes = sum(any(map(str.isdigit, cell.text)) or word_count(cell.text) == 0 for cell in filled)
    rows = len({cell.rows for cell in filled})
    is_table = last >= _FEWEST_COLUMNS and rows >= _FEWEST_ROWS and sizes >= _SIZES * len(filled)
    return wide if is_table and len(filled) >= _FEWEST_ROWS * _FEWEST_COLUMNS else []


def are_row_heads(lines: Sequence[Line], free: Sequence[Line]) -> bool:
    """Whether `lines` have their values behind them, in ruled cells of their own or most of them in one column of open space."""
    rows = [_values(line, free) for line in lines[:_MOST_ROWS]]
    if all(line.cell > OPEN_SPACE and _are_ruled_apart(line, row) for line, row in zip(lines, rows, strict=False)):
        return bool(rows)
    most = max((_rows_with(value, rows) for value in chain.from_iterable(rows)), default=0)
    return most >= _FEWEST_ROWS and 2 * most > len(rows)


def _values(line: Line, free: Sequence[Line]) -> list[Line]:
    """What stands behind a line on its baseline; nothing from the next sentence on, as in a second column of notes."""
    reach = _BASELINE * line.height
    behind = [
        each
        for each in free
        if abs(each.level - line.level) < reach and each.box[0] > line.box[2] and each.page == line.page
    ]
    behind.sort(key=lambda each: each.box[0])
    return list(takewhile(lambda each: word_count(each.text) <= NOTE_WORDS, behind))


def _are_ruled_apart(line: Line, values: Sequence[Line]) -> bool:
    return any(value.cell > OPEN_SPACE and value.cell != line.cell for value in values)


def _rows_with(value: Line, rows: Sequence[Sequence[Line]]) -> int:
    """Rows that have a value in the column of `value`."""
    return sum(any(_is_below(value, each) for each in row) for row in rows)


def _is_below(value: Line, other: Line) -> bool:
    left, right = other.box[0] - value.box[0], other.box[2] - value.box[2]
    return min(abs(left), abs(right), abs(left + right) / 2) < _COLUMN * value.height
