"""Tables of one label and one value a row: gear data, spring data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from spatial.knowledge.table_headers import label
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.tables.found_table import FoundTable, entry

_MOST: Final = 100
"""Cells of one column that are looked at."""
_FEWEST: Final = 3
"""Labels of one trade that make its table: one or two of them also stand in title blocks and notes."""
_CONFIDENCE: Final = 0.9
"""Labels and rules agree; a value may still belong to a cell that spans two rows."""


def find(grid: Grid) -> list[FoundTable]:
    """Gear and spring data of `grid`; columns are the labels, and there is one row of their values."""
    columns: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for cell in grid.cells:
        if cell.texts:
            columns[cell.columns].append(cell)
    return [
        found
        for cells in columns.values()
        for name in ("gear data", "spring data")
        if (found := _table(grid, cells, name))
    ]


def _table(grid: Grid, cells: Iterable[Cell], name: str) -> FoundTable | None:
    cells = list(cells)[:_MOST]
    if sum(label(cell.text) == name for cell in cells) < _FEWEST:
        return None
    pairs = [
        (cell, beside)
        for cell in cells
        for beside in grid.right_of(cell)[:1]
        if beside.texts and beside.rows == cell.rows
    ]
    if not pairs:
        return None
    heads, values = [entry(cell.texts) for cell, _ in pairs], [entry(beside.texts) for _, beside in pairs]
    return FoundTable(grid.page, name, heads, [values], _CONFIDENCE, grid.box)
