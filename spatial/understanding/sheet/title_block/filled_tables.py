"""Tables of unknown kind that stand against a title block: rows of as many filled cells under one another. They are none of its fields."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.value_forms import has_digit
from spatial.understanding.sheet.cells.bands import Band, Columns, bands_of, columns_of, under_one_another
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.title_block.values import form_of
from spatial.understanding.sheet.title_block.wordings import wording_of

COLUMNS: Final = 3
ROWS: Final = 4
"""Fewest of such a table, its heading among them."""
FOLDED_COLUMNS, FOLDED_ROWS = 4, 2
"""Fewest under a heading that says everything twice."""
_DEVIATIONS: Final = "±≤≥"
"""Signs of cells that tables of general tolerances have."""


def filled_tables(grids: Sequence[Grid]) -> frozenset[str]:
    """Ids of the texts of all such tables and of the titles over them, whatever direction they read in."""
    return frozenset(text.id for grid in grids for cell in _cells(grid) for text in cell.texts)


def _cells(grid: Grid) -> Iterator[Cell]:
    by_columns: dict[Columns, list[Band]] = defaultdict(list)
    for row in bands_of(grid):
        for start in range(len(row) - COLUMNS + 1):
            cells = row[start : start + COLUMNS]
            if all(cell.texts for cell in cells):
                by_columns[columns_of(cells)].append(cells)
    yield from (cell for head in _folded_heads(grid) for cell in _under(grid, head))
    for columns, found in by_columns.items():
        for table in under_one_another(found):
            if len(table) >= ROWS and _is_no_form(table):
                yield from (cell for row in table for cell in row)
                yield from _titles(grid, columns, table[0][0].rows[0])


def _folded_heads(grid: Grid) -> Iterator[Band]:
    """Headings that say everything twice, also those of a table whose rules run on into the next one."""
    for band in bands_of(grid):
        for width in range(FOLDED_COLUMNS, len(band) + 1, 2):
            yield from (
                head for start in range(len(band) - width + 1) if _is_folded(head := band[start : start + width])
            )


def _under(grid: Grid, head: Band) -> list[Cell]:
    """The cells of a heading and of the rows in its columns under it; none where there are too few for a table."""
    wide, found = columns_of(head), list(head)
    for band in bands_of(grid):
        first = next((place for place, cell in enumerate(band) if cell.columns == wide[0]), None)
        cells = [] if first is None else band[first : first + len(wide)]
        if columns_of(cells) == wide and cells[0].rows[0] == found[-1].rows[1]:
            found += cells
    filled = sum(bool(cell.texts) for cell in found[:: len(wide)])
    return found if filled > FOLDED_ROWS else []


def _is_folded(head: Band) -> bool:
    """Whether a heading says the same two words or more twice: the lower half of the table stands beside the upper one."""
    texts = [cell.text.casefold() for cell in head]
    half = len(texts) // 2
    return half > 1 and texts[:half] == texts[half:] and not any(map(has_digit, texts)) and len(set(texts)) == half


def _is_no_form(table: Sequence[Band]) -> bool:
    """Whether no row but the heading has a label, a date, a scale or a deviation, and figures stand in most of them."""
    texts = [[cell.text for cell in row] for row in table[1:]]
    every = [text for row in texts for text in row]
    if any(set(text) & set(_DEVIATIONS) or form_of(text) is not None for text in every):
        return False
    if any((found := wording_of(text)) is not None and found.is_field for text in every):
        return False
    return sum(any(has_digit(text) for text in row) for row in texts) * 2 > len(texts)


def _titles(grid: Grid, columns: Columns, top: int) -> Iterator[Cell]:
    """Cells right over a table that lie over all of these columns."""
    for cell in grid.cells:
        if cell.rows[1] == top and cell.columns[0] <= columns[0][0] and cell.columns[1] >= columns[-1][1]:
            yield cell
