"""Rows that no rules separate: each begins at a mark of the key column, and lines between marks belong to the nearest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.cells.orientation import quarter, turned
from spatial.understanding.sheet.tables.found_table import Row, entry

_MARK: Final = re.compile(r"[A-Z]{0,2}\d{0,4}[A-Z]?[.\-]?", re.IGNORECASE)

_WHOLE: Final = re.compile(r"\d{1,4}")
_FEWEST_LINES, _FEWEST_COLUMNS = 2, 3
"""Lines of a band without a key column that are rows of their own, and columns that have them."""
_LEVEL: Final = 0.7
"""Letter heights between a mark and the text beside it."""
_NEAREST_MARKS: Final = 0.9
"""Letter heights between two marks that are rows; closer ones are two lines of one mark."""
_LEAN: Final = 1.25
"""How much nearer a mark must be below a line than above it: a wrapped line belongs to the row that it began in."""
BACK: Final = {0: 0, 90: 270, 180: 180, 270: 90}
"""Angle of a direction of reading to the angle that turns its upright frame back to the sheet."""


def split_rows(columns: Sequence[Sequence[Text]], key: int | None) -> list[Row]:
    """The rows of one band: one, or one a mark where the key column has several marks with texts beside them."""
    whole = [[entry(texts) for texts in columns]]
    if key is not None and len(columns[key]) < 1:
        return whole
    angle = quarter(text for texts in columns for text in texts)
    columns = [[piece for text in texts for piece in split_lines(text, angle)] for texts in columns]
    if key is None:
        return _lines_as_rows(columns, angle) or whole
    marks = columns[key]
    if len(marks) < 2 or not all(_MARK.fullmatch(text.text.strip()) for text in marks):
        return whole
    levels = [level_of(text, angle) for text in marks]
    height = max(text.height for text in marks)
    beside = sum(
        any(
            abs(level_of(text, angle) - level) < _LEVEL * height
            for place, texts in enumerate(columns)
            if place != key
            for text in texts
        )
        for level in levels
    )
    spread = min(abs(a - b) for a, b in zip(sorted(levels), sorted(levels)[1:], strict=False))
    if beside < len(marks) or spread < _NEAREST_MARKS * height:
        return whole
    return [[entry(texts) for texts in row] for row in group_by_level(columns, levels, angle)]


def _lines_as_rows(columns: Sequence[Sequence[Text]], angle: int) -> list[Row]:
    """The rows of a band whose columns all have as many lines, at the same heights, one of them a number in each: numbers do not wrap."""
    filled = [texts for texts in columns if texts]
    count = len(filled[0]) if filled else 0
    if count < _FEWEST_LINES or len(filled) < _FEWEST_COLUMNS or any(len(texts) != count for texts in filled):
        return []
    levels = [sorted((level_of(text, angle) for text in texts), reverse=True) for texts in filled]
    slack = _LEVEL * max(text.height for texts in filled for text in texts)
    level = all(abs(own - first) < slack for each in levels for own, first in zip(each, levels[0], strict=True))
    apart = all(upper - lower > slack for upper, lower in pairwise(levels[0]))
    if not (level and apart and any(all(_WHOLE.fullmatch(text.text.strip()) for text in texts) for texts in filled)):
        return []
    return [[entry(texts) for texts in row] for row in group_by_level(columns, levels[0], angle)]


def group_by_level(columns: Sequence[Sequence[Text]], levels: Sequence[float], angle: int) -> list[list[list[Text]]]:
    """For each level from the top, each column's texts that are nearest to it; halfway lines belong to the level above."""
    order = sorted(levels, reverse=True)
    rows: list[list[list[Text]]] = [[[] for _ in columns] for _ in order]
    for place, texts in enumerate(columns):
        for text in texts:
            rows[_nearest(level_of(text, angle), order)][place].append(text)
    return rows


def _nearest(level: float, order: Sequence[float]) -> int:
    """Place of the level that a line at `level` belongs to: a line under a mark leans to it."""
    return min(range(len(order)), key=lambda place: (order[place] - level) * (1.0 if order[place] >= level else -_LEAN))


def level_of(text: Text, angle: int) -> float:
    """Height of a text's middle in the upright frame."""
    box = turned(text.box, angle)
    return (box[1] + box[3]) / 2


def split_lines(text: Text, angle: int) -> list[Text]:
    """The lines of an MTEXT, each with its share of the box."""
    written = text.text.split("\n")
    if len(written) < 2:
        return [text]
    x1, y1, x2, y2 = turned(text.box, angle)
    step = (y2 - y1) / len(written)
    return [
        replace(
            text,
            text=line.strip(),
            box=turned((x1, y2 - (place + 1) * step, x2, y2 - place * step), BACK[angle]),
            advances=None,
        )
        for place, line in enumerate(written)
        if line.strip()
    ]
