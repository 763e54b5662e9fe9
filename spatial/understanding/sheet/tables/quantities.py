"""Tables of quantities in any language: in each row words, the symbol of a quantity and its value, as data of gears are listed.

Form tells them, not words: a run of rows with a short symbol between words and a value. The rows of those who drew and checked have
names and dates there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.fields import ROLES
from spatial.knowledge.title_labels import read
from spatial.knowledge.value_forms import has_digit, has_letter
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.tables.found_table import FoundTable, entry

_FEWEST: Final = 6
"""Rows of such a table."""
_MOST: Final = 200
"""Cells of one column that are looked at."""
_LONGEST_SYMBOL: Final = 5
"""Characters of the symbol of a quantity, with its indices."""
_WITH_FIGURES: Final = 0.6
"""Part of the values that have figures."""
_CONFIDENCE: Final = 0.85
"""Form alone tells it."""

Row = tuple[Cell, Cell, Cell]
"""Words, symbol, value."""


def find(grid: Grid) -> list[FoundTable]:
    """Tables of quantities of `grid`; columns are the words, and there is one row of their values."""
    columns: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell in grid.cells:
        if cell.texts and len(cell.text.replace(" ", "")) <= _LONGEST_SYMBOL:
            columns[cell.columns].append(cell)
    candidates = (_rows(grid, cells[:_MOST]) for cells in columns.values() if len(cells) >= _FEWEST)
    return [_table(grid, rows) for rows in candidates if _are_quantities(rows)]


def _rows(grid: Grid, symbols: Sequence[Cell]) -> list[Row]:
    """Each symbol with the words before it and the value behind it, in cells as high as its own."""
    found = []
    for cell in symbols:
        words = [each for each in grid.left_of(cell) if each.rows == cell.rows and each.texts]
        value = [each for each in grid.right_of(cell) if each.rows == cell.rows and each.texts]
        if (
            len(words) == 1
            and len(value) == 1
            and len(words[0].text) > _LONGEST_SYMBOL
            and not has_digit(words[0].text)
        ):
            found.append((words[0], cell, value[0]))
    return found


def _are_quantities(rows: Sequence[Row]) -> bool:
    if len(rows) < _FEWEST:
        return False
    labels = [read(words.text) for words, _, _ in rows]
    figures = sum(has_digit(value.text) for _, _, value in rows)
    symbols = {symbol.text for _, symbol, _ in rows if has_letter(symbol.text)}
    roles = any(label is not None and label.key in ROLES for label in labels)
    return not roles and figures >= _WITH_FIGURES * len(rows) and 2 * len(symbols) > len(rows)


def _table(grid: Grid, rows: Sequence[Row]) -> FoundTable:
    heads = [entry([*words.texts, *symbol.texts]) for words, symbol, _ in rows]
    return FoundTable(grid.page, "data", heads, [[entry(value.texts) for _, _, value in rows]], _CONFIDENCE, grid.box)
