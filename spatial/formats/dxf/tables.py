"""ACAD_TABLE: its cells, from the lettering of its anonymous block laid on its own grid, or from its own cell tags."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import numpy as np

from spatial.formats.dxf.lettering import Lettering, mtext_lettering
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.plane import Affine, transform_points
from spatial.formats.dxf.tags import Record

CELLS: Final = 50_000
"""Tables with more are read as lettering without a grid."""


@dataclass(slots=True)
class Grid:
    """Rows and columns in the table's own frame: origin at its upper left, y down."""

    rows: list[float]
    """Upper edges, and the last lower one."""
    columns: list[float]
    first: dict[tuple[int, int], tuple[int, int]]
    """Place of a cell to the first cell that it is merged with."""

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows) - 1, len(self.columns) - 1

    def cell(self, x: float, y: float) -> tuple[int, int] | None:
        """The cell at a point."""
        row, column = bisect_right(self.rows, -y) - 1, bisect_right(self.columns, x) - 1
        rows, columns = self.size
        inside = 0 <= row < rows and 0 <= column < columns
        return self.first.get((row, column), (row, column)) if inside else None


def table_grid(record: Record) -> Grid | None:
    """The grid that the table's tags describe."""
    own = record.after("AcDbTable")
    rows, columns = own.whole(91), own.whole(92)
    heights, widths = own.numbers(141)[:rows], own.numbers(142)[:columns]
    if not 0 < rows * columns <= CELLS or len(heights) != rows or len(widths) != columns:
        return None
    found = Grid([0.0, *accumulate(heights)], [0.0, *accumulate(widths)], {})
    for place, cell in enumerate(_cells(own)[: rows * columns]):
        _merge(found, divmod(place, columns), cell)
    return found


def _cells(own: Record) -> list[Record]:
    """The tags of each cell begin with 171."""
    starts = [place for place, code in enumerate(own.codes) if code == 171]
    ends = [*starts[1:], len(own.codes)]
    return [Record("CELL", own.codes[a:b], own.values[a:b]) for a, b in zip(starts, ends, strict=True)]


def _merge(found: Grid, at: tuple[int, int], cell: Record) -> None:
    if at in found.first:
        return
    wide, high = cell.whole(175, 1), cell.whole(176, 1)
    if wide < 2 and high < 2:
        return
    rows, columns = found.size
    for row in range(at[0], min(at[0] + max(high, 1), rows)):
        for column in range(at[1], min(at[1] + max(wide, 1), columns)):
            found.first.setdefault((row, column), at)


def arrange(grid: Grid, letterings: list[Lettering], back: Affine) -> dict[tuple[int, int], Lettering]:
    """One lettering a cell; several in one are joined from the top. `back` leads from the sheet to the table's frame."""
    found: dict[tuple[int, int], list[tuple[float, Lettering]]] = {}
    for lettering in letterings:
        x, y = transform_points(back, np.array((lettering.middle,)))[0].tolist()
        at = grid.cell(x, y)
        if at is not None:
            found.setdefault(at, []).append((-y, lettering))
    return {at: _joined([one for _, one in sorted(here, key=lambda pair: pair[0])]) for at, here in found.items()}


def _joined(pieces: list[Lettering]) -> Lettering:
    if len(pieces) == 1:
        return pieces[0]
    corners = np.vstack([piece.corners for piece in pieces])
    (x1, y1), (x2, y2) = corners.min(axis=0), corners.max(axis=0)
    box = np.array(((x1, y1), (x2, y1), (x2, y2), (x1, y2)))
    text = "\n".join(piece.text for piece in pieces)
    return replace(pieces[0], text=text, corners=box, width=max(piece.width for piece in pieces))


def cell_letterings(record: Record, grid: Grid, frame: Affine) -> list[Lettering]:
    """Letterings made of the cells' own tags, for a table whose block is not there."""
    columns = grid.size[1]
    found: list[Lettering] = []
    for place, cell in enumerate(_cells(record.after("AcDbTable"))[: columns * grid.size[0]]):
        row, column = divmod(place, columns)
        text = _cell_text(cell)
        height = (grid.rows[row + 1] - grid.rows[row]) / 3
        at = (grid.columns[column] + height / 2, -(grid.rows[row] + grid.rows[row + 1]) / 2)
        lettering = mtext_lettering(text, "", at, 0.0, height, attachment=4) if text and height > 0 else None
        if lettering is not None:
            found.append(lettering.moved(frame))
    return found


def _cell_text(cell: Record) -> str:
    """R2007 and later: 302 in CELL_VALUE; before: chunks 2 and a last piece 1."""
    pieces: list[Value] = [value for _, value in cell.all(2, 1)]
    later = [value for _, value in cell.all(302)]
    return "".join(str(value) for value in (later[:1] or pieces))
