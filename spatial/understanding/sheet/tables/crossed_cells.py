"""Cells of a row that lines of something else cross: lettering of outlines that is printed over a table closes off parts of them."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.grid import Cell


def whole_cells(band: Sequence[Cell], header: Sequence[Cell], following: Sequence[Cell]) -> list[Cell]:
    """The cells of a row with the parts of each column as one, where the next row stands in the columns of the header again.

    band: cells of the row; header: of the columns; following: of the next row. Parts of which two are filled, and parts that do not
    begin and end with their column, stay as they are.
    """
    columns = {cell.columns for cell in header}
    if not following or any(cell.columns not in columns for cell in following):
        return list(band)
    found: list[Cell] = []
    for head in header:
        parts = [cell for cell in band if head.columns[0] <= cell.columns[0] and cell.columns[1] <= head.columns[1]]
        found += [_joined(parts, head)] if _are_of_one_cell(parts, head) else parts
    return found if sum(len(cell.texts) for cell in found) == sum(len(cell.texts) for cell in band) else list(band)


def _are_of_one_cell(parts: Sequence[Cell], head: Cell) -> bool:
    """Whether several parts reach from one side of a column to the other, in one row, with the text of one cell."""
    return (
        len(parts) > 1
        and parts[0].columns[0] == head.columns[0]
        and parts[-1].columns[1] == head.columns[1]
        and len({cell.rows for cell in parts}) == 1
        and sum(bool(cell.texts) for cell in parts) <= 1
    )


def _joined(parts: Sequence[Cell], head: Cell) -> Cell:
    texts = [text for cell in parts for text in cell.texts]
    return Cell(box_around([cell.box for cell in parts]), parts[0].rows, head.columns, texts)
