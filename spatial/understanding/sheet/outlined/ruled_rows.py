"""What stands in the other cells of the rows of a table of which one cell has lettering beyond doubt.

The name of a part in Chinese is spread over its cell (GB/T 10609.2), so that its characters stand further apart than those of a line,
and one of few strokes looks like a part of a view. No view is drawn within the rows of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags, Indices
from spatial.understanding.sheet.outlined.in_cells import HIGH, WIDE
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.rows import turned_boxes
from spatial.understanding.sheet.outlined.ruled_cells import Rules

LARGEST: Final = 1.4
"""Heights of the lettering beyond doubt that a piece of other lettering is high and wide at most."""


def pieces_by_cell(ink: Ink, free: Flags, known: Array, quarter: int) -> list[Indices]:
    """The components in each cell of the rows that lettering beyond doubt stands in.

    free: (k,) the components that are looked at; known: (n, 4) around each line beyond doubt, in the frame of the quarter.
    """
    rules, boxes = Rules.of(ink, quarter), turned_boxes(ink.boxes, quarter)
    found: dict[Box, list[int]] = {}
    done = np.zeros(len(boxes), bool)
    for (below, above), height in _bands(rules, known):
        inside = free & ~done & (boxes[:, 1] >= below) & (boxes[:, 3] <= above)
        inside &= (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0) <= LARGEST * height
        done |= inside
        for place in np.flatnonzero(inside).tolist():
            cell = rules.cell(boxes[place], HIGH * height, WIDE * height)
            if cell is not None and (cell[1], cell[3]) == (below, above):
                found.setdefault(cell, []).append(place)
    return [np.array(places, np.int64) for places in found.values()]


def _bands(rules: Rules, known: Array) -> Iterator[tuple[tuple[float, float], float]]:
    """Heights of the two rules of each row, and of its lettering."""
    heights: dict[tuple[float, float], float] = {}
    for box in known:
        height = float(box[3] - box[1])
        cell = rules.cell(box, HIGH * height, WIDE * height)
        if cell is not None:
            band = cell[1], cell[3]
            heights[band] = max(heights.get(band, 0.0), height)
    yield from heights.items()
