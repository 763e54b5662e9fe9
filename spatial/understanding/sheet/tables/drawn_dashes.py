"""Dashes that are drawn beside lettering that is text: in a row of a list they say that there is none.

Printers of PDF write a hyphen as the bar that it is. A bar alone in its place of a row, no longer than a letter is high and at the
middle of the letters beside it, is one; so is a longer one in the middle of its place, which a draughtsman draws where a form asks for
what there is none of. Several in line are as many.
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
CENTRED: Final = 0.1
"""Part of the width of its place by which a longer one is off its middle."""
MOST: Final = 6
"""Dashes of one place."""
KINDS: Final = frozenset({"bom", "revisions"})
"""Tables whose rows say that there is none of something."""
THICK, SLIM = 0.25, 0.5
"""Heights of the letters, and lengths of its own, that it is thick at most."""
MIDDLE: Final = 0.4
"""Heights of the letters by which it is off their middle."""
INSET: Final = 0.25
"""Heights of the letters from the sides of a place within which the rules of the table may lie."""
AROUND: Final = 1.0
"""Heights of the letters over and under their middle within which nothing else is drawn in its place."""


def with_dashes(found: FoundTable, sheet: Sheet) -> FoundTable:
    """A ruled parts list or table of changes with the dashes that are drawn in the places where its rows have no text."""
    if found.kind not in KINDS or not found.borders or all(each.text for row in found.rows for each in row):
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
        sides = found.borders[place], found.borders[place + 1]
        left, right = sides[0] + INSET * height, sides[1] - INSET * height
        beside = marks[level & (marks[:, 0] > left) & (marks[:, 2] < right)]
        if not each.text and len(beside):
            row[place] = Entry("-" * _dashes(beside, sides, middle, height))


def _dashes(marks: Array, sides: tuple[float, float], middle: float, height: float) -> int:
    """How many bars in line all that is drawn in a place is, each its fill and its edges; 0 where it is something else."""
    bars: list[Array] = []
    for mark in marks[np.argsort(marks[:, 0])]:
        if bars and mark[0] <= bars[-1][2]:
            bars[-1] = np.concatenate([np.minimum(bars[-1][:2], mark[:2]), np.maximum(bars[-1][2:], mark[2:])])
        else:
            bars.append(mark)
    if len(bars) > MOST or not all(_is_bar(bar, middle, height) for bar in bars):
        return 0
    is_short = all(LONG[0] * height <= bar[2] - bar[0] <= LONG[1] * height for bar in bars)
    return len(bars) if is_short or (len(bars) == 1 and _is_centred(bars[0], sides, height)) else 0


def _is_bar(bar: Array, middle: float, height: float) -> bool:
    long, thick = float(bar[2] - bar[0]), float(bar[3] - bar[1])
    is_thin = thick <= min(THICK * height, SLIM * long)
    return is_thin and abs(float(bar[1] + bar[3]) / 2 - middle) <= MIDDLE * height


def _is_centred(bar: Array, sides: tuple[float, float], height: float) -> bool:
    off = abs(float(bar[0] + bar[2]) - sum(sides)) / 2
    return float(bar[2] - bar[0]) > height and off <= CENTRED * (sides[1] - sides[0])
