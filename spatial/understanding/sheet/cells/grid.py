"""Ruled cells: the rectangles that rule lines of title blocks and tables enclose, and the texts inside.

Glossary
  rule line  a horizontal or vertical line, in however many strokes it is drawn.
  grid       a connected net of rule lines with the cells that it encloses.
  cell       a smallest rectangle of a grid.
  frame      the border round the drawing space; outside it lie the zone strips.
  upright    the frame of axes in which a cell's lettering reads from left to right: a sheet may be turned by quarters.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Sheet, Text
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.cells.assign import are_lettered, texts_of_cells
from spatial.understanding.sheet.cells.faces import find_faces
from spatial.understanding.sheet.cells.orientation import lines, lines_of_texts, quarter, turned
from spatial.understanding.sheet.cells.rule_lines import Net, find_nets, find_rule_lines, gap_tolerance

_WIDEST: Final = 0.3
"""Of the sheet: a larger rectangle is drawing space, not a cell."""

_MOST_CELLS: Final = 15_000
"""Of one net, beside those with a text, the largest first: a mesh has more, a table has not."""

_MOST_LETTERED: Final = 80_000
"""Cells of one net with a text, the largest first: 2,000 rows of 40."""

_LEAST_SIDE: Final = 3.0
"""Tolerances: the gap between the two lines of a double rule line is narrower, and no cell."""

_SAME_SIDE: Final = 2.0
"""Tolerances between sides of neighbours."""


@dataclass(slots=True, eq=False)
class Cell:
    """A ruled rectangle."""

    box: Box
    rows: tuple[int, int] = (0, 1)
    """First row and the row after the last, counted from the top as the grid reads."""
    columns: tuple[int, int] = (0, 1)
    """First column and the column after the last, counted from the left as the grid reads."""
    texts: list[Text] = field(default_factory=list)
    """In reading order. One that was written across several cells is cut: each cell has its part, under the same id."""

    @property
    def text(self) -> str:
        """Its lines from the top, separated by newlines."""
        return "\n".join(lines(self.texts))

    @property
    def angle(self) -> int:
        """Direction that most of its lettering reads in: 0, 90, 180 or 270."""
        return quarter(self.texts)


@dataclass(slots=True, eq=False)
class Grid:
    """A net of rule lines and its cells; neighbours are found as the grid reads."""

    page: int
    box: Box
    cells: list[Cell]
    """In reading order."""
    angle: int = 0
    """Direction that most of its lettering reads in: 0, 90, 180 or 270."""
    slack: float = 0.0
    """How far apart sides of one rule line may lie."""
    left_out: int = 0
    """Further cells with a text, of which there are too many."""
    _upright: Array = field(default_factory=lambda: np.zeros((0, 4)), repr=False)

    def left_of(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s left side, from the top."""
        return self._beside(cell, 0, (-1, 0))

    def right_of(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s right side, from the top."""
        return self._beside(cell, 0, (1, 0))

    def above(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s upper side, from the left."""
        return self._beside(cell, 1, (1, 0))

    def below(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s lower side, from the left."""
        return self._beside(cell, 1, (-1, 0))

    def _beside(self, cell: Cell, axis: int, way: tuple[int, int]) -> list[Cell]:
        if len(self._upright) != len(self.cells):
            self._upright = np.array([turned(each.box, self.angle) for each in self.cells])
        own, other, boxes = turned(cell.box, self.angle), 1 - axis, self._upright
        near, far = (axis, axis + 2) if way[0] < 0 else (axis + 2, axis)
        shared = np.minimum(own[other + 2], boxes[:, other + 2]) - np.maximum(own[other], boxes[:, other])
        beside = (np.abs(boxes[:, far] - own[near]) <= _SAME_SIDE * self.slack) & (shared > self.slack)
        return [self.cells[place] for place in np.flatnonzero(beside) if self.cells[place] is not cell]


def find_grids(sheet: Sheet) -> list[Grid]:
    """The grids of `sheet` that hold any text, the largest first."""
    tolerance = gap_tolerance(sheet)
    nets = [_cells(net, sheet, tolerance) for net in find_nets(*find_rule_lines(sheet, tolerance), tolerance)]
    every = [cell for cells, _ in nets for cell in cells]
    for cell, texts in zip(every, texts_of_cells([cell.box for cell in every], sheet.texts), strict=True):
        cell.texts = texts
    ready = [
        _grid(sheet.page, cells, tolerance, left_out) for cells, left_out in nets if any(cell.texts for cell in cells)
    ]
    return sorted(ready, key=lambda grid: -len(grid.cells))


def _cells(net: Net, sheet: Sheet, tolerance: float) -> tuple[list[Cell], int]:
    """The cells of a net, the largest first, and how many with a text are left out."""
    boxes = find_faces(net)
    if not len(boxes):
        return [], 0
    size = boxes[:, 2:] - boxes[:, :2]
    largest = _WIDEST * area_of(sheet.box)
    real = (size.min(1) > _LEAST_SIDE * tolerance) & (size.prod(1) < largest)
    boxes, size = boxes[real], size[real]
    boxes = boxes[np.argsort(-size.prod(1), kind="stable")]
    left_out = 0
    if len(boxes) > _MOST_CELLS:
        lettered = are_lettered(boxes, sheet.texts)
        left_out = max(0, int(lettered.sum()) - _MOST_LETTERED)
        boxes = boxes[
            (lettered & (np.cumsum(lettered) <= _MOST_LETTERED)) | (~lettered & (np.cumsum(~lettered) <= _MOST_CELLS))
        ]
    return [Cell((x1, y1, x2, y2)) for x1, y1, x2, y2 in boxes.tolist()], left_out


def _grid(page: int, cells: list[Cell], tolerance: float, left_out: int) -> Grid:
    angle = quarter(text for cell in cells for text in cell.texts)
    boxes = np.array([turned(cell.box, angle) for cell in cells])
    across, down = np.unique(boxes[:, (0, 2)]), np.unique(-boxes[:, (1, 3)])
    columns = np.searchsorted(across, boxes[:, (0, 2)]).tolist()
    rows = np.searchsorted(down, -boxes[:, (3, 1)]).tolist()
    for cell, (left, right), (top, bottom) in zip(cells, columns, rows, strict=True):
        cell.columns, cell.rows = (left, right), (top, bottom)
        if len(cell.texts) > 1:
            cell.texts = [text for line in lines_of_texts(cell.texts) for text in line]
    cells = sorted(cells, key=lambda cell: (cell.rows[0], cell.columns[0]))
    whole = np.array([cell.box for cell in cells])
    x1, y1 = whole[:, :2].min(0).tolist()
    x2, y2 = whole[:, 2:].max(0).tolist()
    return Grid(page, (x1, y1, x2, y2), cells, angle, tolerance, left_out)
