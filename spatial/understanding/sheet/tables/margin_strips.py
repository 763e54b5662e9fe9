"""Cells beside a table that are none of its columns, as those of the strip for binding in the margin of a sheet (GB/T 14665, GOST 2.104).

Rules of the strip end at the frame, and so do those of a table that stands at it, so that both are one grid. Their rows differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from spatial.understanding.sheet.cells.grid import Cell, Grid

_FEWEST_RULES: Final = 2
"""Rules of a strip that meet none of the table's."""
_FEWEST_CELLS: Final = 2
"""Cells under each other that show the rows of a column."""

RowRange: TypeAlias = tuple[int, int]
"""First row of a cell and the row after its last, counted from the top."""


def without_strips(grid: Grid, header: Sequence[Cell]) -> list[Cell]:
    """`header` without the cells at its ends whose columns have other rows than the column beside them."""
    rows: dict[RowRange, set[RowRange]] = defaultdict(set)
    for cell in grid.cells:
        rows[cell.columns].add(cell.rows)
    cells = list(header)
    while len(cells) > _FEWEST_CELLS and _is_strip(rows, cells[0], cells[1]):
        cells = cells[1:]
    while len(cells) > _FEWEST_CELLS and _is_strip(rows, cells[-1], cells[-2]):
        cells = cells[:-1]
    return cells


def _is_strip(rows: Mapping[RowRange, set[RowRange]], outer: Cell, inner: Cell) -> bool:
    """Whether no row of the outer column is one of the inner column, and its rules go on in none of it.

    A cell over several rows of a list ends where two of them meet.
    """
    own, beside = rows[outer.columns] - {outer.rows}, rows[inner.columns] - {inner.rows}
    if min(len(own), len(beside)) < _FEWEST_CELLS:
        return False
    ends = {rule for span in beside for rule in span}
    first, last = min(ends), max(ends)
    between = {rule for span in own for rule in span if first < rule < last}
    return len(between) >= _FEWEST_RULES and not between & ends
