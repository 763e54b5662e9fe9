"""Headings of sections among the rows of a list: Документация, Сборочные единицы, Детали in a specification (GOST 2.106).

Form tells them, not words: such a heading is alone in its row, underlined along its own width or in the middle of its column, where names
begin at the left.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.tables.found_table import FoundTable, Row, Section

INDENT: Final = 1.0
"""Letter heights from where names begin to where a heading in the middle begins."""
CENTRED: Final = 0.8
"""Letter heights between the middles of a heading and of the head of its column."""
BELOW: Final = 0.5
"""Letter heights of an underline under the foot of its text."""
AS_WIDE: Final = 0.3
"""Letter heights by which an underline is longer or shorter than its text."""
FEWEST: Final = 2
"""Whole rows that show where names begin."""


def with_sections(found: FoundTable, sheet: Sheet) -> FoundTable:
    """A parts list without the headings among its rows, which are its sections."""
    whole = [row for row in found.rows if sum(bool(each.text) for each in row) > 1]
    if found.kind != "bom" or len(whole) < FEWEST or len(whole) == len(found.rows):
        return found
    texts = {text.id: text for text in sheet.texts}
    kept: list[Row] = []
    for row in found.rows:
        if _is_heading(row, whole, found, texts, sheet):
            said = next(each for each in row if each.text)
            found.sections.append(Section(said.text, said.sources, len(kept)))
        else:
            kept.append(row)
    found.rows = kept
    return found


def _is_heading(row: Row, whole: list[Row], found: FoundTable, texts: Mapping[str, Text], sheet: Sheet) -> bool:
    places = [place for place, each in enumerate(row) if each.text]
    if len(places) != 1 or len(row[places[0]].sources) != 1:
        return False
    column = places[0]
    lone = texts.get(row[column].sources[0])
    if lone is None:
        return False
    if _is_underlined(lone, sheet):
        return True
    begins = [
        turned(text.box, found.angle)[0]
        for each in whole
        for text in (texts.get(name) for name in each[column].sources[:1])
        if text is not None
    ]
    head = texts.get(next(iter(found.heads[column].sources), ""))
    if len(begins) < FEWEST or head is None:
        return False
    left, _, right, _ = turned(lone.box, found.angle)
    head_left, _, head_right, _ = turned(head.box, found.angle)
    away = abs((left + right) - (head_left + head_right)) / 2
    return left - median(begins) > INDENT * lone.height and away < CENTRED * lone.height


def _is_underlined(text: Text, sheet: Sheet) -> bool:
    """Whether a stroke as long as a text runs right under it."""
    if text.angle:
        return False
    left, bottom, right, _ = text.box
    ends = sheet.strokes.ends
    low, high = np.minimum(ends[:, 0], ends[:, 2]), np.maximum(ends[:, 0], ends[:, 2])
    slack = AS_WIDE * text.height
    level = np.abs(ends[:, 1] - ends[:, 3]) < 0.1 * slack
    under = (ends[:, 1] < bottom + slack) & (ends[:, 1] > bottom - BELOW * text.height)
    return bool((level & under & (np.abs(low - left) < slack) & (np.abs(high - right) < slack)).any())
