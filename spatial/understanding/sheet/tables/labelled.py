"""Tables of one label and one value a row: gear data, spring data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from spatial.knowledge.table_headers import label
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.tables.found import Found, entry

_MOST: Final = 100
_FEWEST: Final = 3
"""Labels of one trade that make its table."""


def find(grid: Grid) -> list[Found]:
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


def _table(grid: Grid, cells: Iterable[Cell], name: str) -> Found | None:
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
    return Found(grid.page, name, heads, [values], 0.9, grid.box)
