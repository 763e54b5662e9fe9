"""Continuations: rows ruled in the columns of a table elsewhere, whose numbers go on where that one ends, without a header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.tables.found_table import FoundTable, Row, ascending, can_be_row, entry, key_column
from spatial.understanding.sheet.tables.ruled import body

_LESS_SURE: Final = 0.1
"""What the confidence of a continuation lacks to that of its table: no header confirms it."""
_MOST_TABLES: Final = 20
"""Tables of a drawing whose continuations are looked for."""
_LONGEST_NUMBER: Final = 5
"""Digits of an item's number."""


def find(found: Sequence[FoundTable], grids: Mapping[int, list[Grid]], claimed: frozenset[str]) -> list[FoundTable]:
    """The continuations of ruled parts lists among `found`, in rows that are not `claimed`."""
    more: list[FoundTable] = []
    for table in [each for each in found if each.kind == "bom" and each.borders][:_MOST_TABLES]:
        key = key_column(table.heads, "bom")
        last = _number(table.rows[-1], key)
        for grid in [grid for page in sorted(grids) for grid in grids[page]]:
            if key is None or last is None:
                break
            rows = ascending(_rows(table, grid, key, claimed), key)
            if rows and _number(rows[0], key) == last + 1:
                last = _number(rows[-1], key)
                confidence = round(table.confidence - _LESS_SURE, 3)
                more.append(FoundTable(grid.page, "bom", table.heads, rows, confidence, grid.box, angle=grid.angle))
    return more


def _rows(table: FoundTable, grid: Grid, key: int, claimed: frozenset[str]) -> list[Row]:
    rows: list[Row] = []
    for band in body(grid, table.borders):
        row = [entry(cell.texts) for cell in band]
        used = {name for each in row for name in each.sources}
        if not used or used & claimed or not can_be_row(row, table.heads, "bom", key) or _number(row, key) is None:
            continue
        rows.append(row)
    return rows


def _number(row: Row, key: int | None) -> int | None:
    text = row[key].text if key is not None else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else None
