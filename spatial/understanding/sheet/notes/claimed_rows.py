"""Notes that stand in one text with the title of a sheet: `COOLING PLATE` over `Finished thickness ~ 8 mm`, in open space."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.notes.draft import Draft
from spatial.understanding.sheet.notes.instructions import is_instruction
from spatial.understanding.sheet.notes.line import OPEN_SPACE, Line

_MOST_ROWS: Final = 20
"""Rows of such a text; a form has more."""
_SURE: Final = 0.8
"""Confidence of such a note."""


def notes_of_claimed(sheet: Sheet, grids: Sequence[Grid], claimed: Collection[str]) -> Iterator[Draft]:
    """Each row of a text that the title block has taken which says how something is made, below the first row; none within ruled cells."""
    in_cells = {part.id for grid in grids for cell in grid.cells for part in cell.texts}
    for text in sheet.texts:
        rows = text.text.strip("\n").splitlines()
        if text.id not in claimed or text.id in in_cells or not 1 < len(rows) <= _MOST_ROWS:
            continue
        x1, y1, x2, y2 = text.box
        step = (y2 - y1) / len(rows)
        for place, row in enumerate(rows):
            if place and is_instruction(row):
                box = (x1, y2 - (place + 1) * step, x2, y2 - place * step)
                line = Line(" ".join(row.split()), box, text.height, (text.id,), text.page, OPEN_SPACE, begin=x1)
                yield Draft(line, None, _SURE, is_local=True)
