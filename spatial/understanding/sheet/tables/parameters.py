"""Values of ruled tables: figures in small cells right of cells of words, as the data of a gear or of a motor, or under heads of words,
and what one cell says for several rows.

Such a size belongs to what the words name, and not to the part where it stands: no callout. Form tells it, not words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from spatial.knowledge.value_forms import has_digit, has_letter
from spatial.understanding.sheet.cells.bands import Band, runs_of
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import turned

FEWEST: Final = 4
"""Pairs of words and figures that make a grid a table of parameters."""
FEWEST_HEADED: Final = 2
"""Rows of names and figures under heads without a figure."""
LINES_OF_MERGED: Final = 3
"""Most texts of a cell that says one thing for several rows; a view has more."""
TALLEST: Final = 5.0
"""Letter heights of a cell: what is taller may be a view."""


def parameter_values(grids: Iterable[Grid]) -> frozenset[str]:
    """Ids of the figures of all tables of parameters."""
    return frozenset(name for grid in grids for each in (_values, _headed, _merged) for name in each(grid))


def _values(grid: Grid) -> Iterator[str]:
    beside = {(cell.rows, cell.columns[1]): cell for cell in grid.cells if _is_small(cell, grid.angle)}
    pairs = [
        cell
        for cell in grid.cells
        if _is_small(cell, grid.angle)
        and has_digit(cell.text)
        and (name := beside.get((cell.rows, cell.columns[0]))) is not None
        and has_letter(name.text)
        and not has_digit(name.text)
    ]
    if len({cell.rows for cell in pairs}) >= FEWEST:
        yield from (text.id for cell in pairs for text in cell.texts)


def _headed(grid: Grid) -> Iterator[str]:
    """Ids of the figures in columns under heads of words: `L2 (OPEN)` and `30.8 ±0.5` under `INDEX` and `DIMENSION`."""
    for head, *rows in runs_of(grid):
        if len(head) > 1 and len(rows) >= FEWEST_HEADED and _are_heads(head) and all(map(_is_named_row, rows)):
            yield from (text.id for row in rows for cell in row for text in cell.texts)


def _are_heads(cells: Band) -> bool:
    return all(has_letter(cell.text) and not has_digit(cell.text) for cell in cells)


def _is_named_row(cells: Band) -> bool:
    return has_letter(cells[0].text) and any(has_digit(cell.text) for cell in cells[1:])


def _merged(grid: Grid) -> Iterator[str]:
    """Ids of the texts of cells that stand right of several rows of small cells with texts, as one size for all of their holes."""
    small = [cell for cell in grid.cells if _is_small(cell, grid.angle)]
    for cell in grid.cells:
        first, last = cell.rows
        if last - first < 2 or not 0 < len(cell.texts) <= LINES_OF_MERGED or not has_digit(cell.text):
            continue
        beside = [c.rows for c in small if c.columns[1] == cell.columns[0] and first <= c.rows[0] and c.rows[1] <= last]
        if len(beside) > 1 and sum(below - top for top, below in beside) == last - first:
            yield from (text.id for text in cell.texts)


def _is_small(cell: Cell, angle: int) -> bool:
    if not cell.texts:
        return False
    _, low, _, high = turned(cell.box, angle)
    return high - low <= TALLEST * max(text.height for text in cell.texts)
