"""Dashes that are drawn beside lettering that is text: in a row of a list they say that there is none.

Printers of PDF write a hyphen as the bar that it is. A bar alone in its place of a row, no longer than a letter is high and at the
middle of the letters beside it, is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Sheet, Text
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.tables.found_table import Entry, FoundTable, Row

LONG: Final = (0.15, 1.3)
"""Heights of the letters of the row that a dash is long."""
THICK, SLIM = 0.25, 0.5
"""Heights of the letters, and lengths of its own, that it is thick at most."""
MIDDLE: Final = 0.4
"""Heights of the letters by which it is off their middle."""
INSET: Final = 0.25
"""Heights of the letters from the sides of a place within which the rules of the table may lie."""
AROUND: Final = 1.0
"""Heights of the letters over and under their middle within which nothing else is drawn in its place."""


def with_dashes(found: FoundTable, sheet: Sheet) -> FoundTable:
    """A ruled parts list with the dashes that are drawn in the places where its rows have no text."""
    if found.kind != "bom" or not found.borders or all(each.text for row in found.rows for each in row):
        return found
    texts = {text.id: text for text in sheet.texts}
    marks = _drawn_in(found, sheet)
    for row in found.rows if len(marks) else ():
        _fill(row, found, texts, marks)
    return found


def _drawn_in(found: FoundTable, sheet: Sheet) -> Array:
    """(n, 4) boxes of strokes and fills within the table, as it reads, without the rules between its places."""
    ends = sheet.strokes.ends
    fills = [np.concatenate([fill.points.min(axis=0), fill.points.max(axis=0)]) for fill in sheet.fills]
    strokes = np.concatenate([np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])], axis=1)
    boxes = np.concatenate([strokes, np.array(fills).reshape(-1, 4)])
    left, low, right, high = found.box
    inside = (boxes[:, 0] > left) & (boxes[:, 1] > low) & (boxes[:, 2] < right) & (boxes[:, 3] < high)
    return np.array([turned(tuple(box), found.angle) for box in boxes[inside].tolist()]).reshape(-1, 4)


def _fill(row: Row, found: FoundTable, texts: Mapping[str, Text], marks: Array) -> None:
    own = [texts[name] for each in row for name in each.sources if name in texts]
    if not own or len(row) + 1 != len(found.borders):
        return
    boxes = np.array([turned(text.box, found.angle) for text in own])
    middle, height = float(np.median(boxes[:, [1, 3]].mean(axis=1))), float(np.median([text.height for text in own]))
    level = np.abs(marks[:, [1, 3]].mean(axis=1) - middle) <= AROUND * height
    for place, each in enumerate(row):
        left, right = found.borders[place] + INSET * height, found.borders[place + 1] - INSET * height
        beside = marks[level & (marks[:, 0] > left) & (marks[:, 2] < right)]
        if not each.text and len(beside) and _is_dash(beside, middle, height):
            row[place] = Entry("-")


def _is_dash(marks: Array, middle: float, height: float) -> bool:
    """Whether all that is drawn in a place is one bar: its fill and its edges."""
    left, low = map(float, marks[:, :2].min(axis=0))
    right, high = map(float, marks[:, 2:].max(axis=0))
    long, thick = right - left, high - low
    is_bar = LONG[0] * height <= long <= LONG[1] * height and thick <= min(THICK * height, SLIM * long)
    return is_bar and abs((low + high) / 2 - middle) <= MIDDLE * height
