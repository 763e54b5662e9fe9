"""Values of ruled tables of parameters: figures in small cells right of cells of words, as the data of a gear or of a motor.

Such a size belongs to what the words name, and not to the part where it stands: no callout. Form tells it, not words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from spatial.knowledge.value_forms import has_digit, has_letter
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import turned

FEWEST: Final = 4
"""Pairs of words and figures that make a grid a table of parameters."""
TALLEST: Final = 5.0
"""Letter heights of a cell: what is taller may be a view."""


def parameter_values(grids: Iterable[Grid]) -> frozenset[str]:
    """Ids of the figures of all tables of parameters."""
    return frozenset(name for grid in grids for name in _values(grid))


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


def _is_small(cell: Cell, angle: int) -> bool:
    if not cell.texts:
        return False
    _, low, _, high = turned(cell.box, angle)
    return high - low <= TALLEST * max(text.height for text in cell.texts)
