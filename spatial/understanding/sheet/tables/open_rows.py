"""The last row of a table of changes whose far side is not drawn: the rules between its columns run on, and the next mark stands there.

A form has the rules for the changes that were foreseen; for one more a draughtsman draws the columns on and leaves the row open.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import FULL_DATE
from spatial.models.sheet.drawing import Array, Box, Sheet, Text
from spatial.understanding.sheet.cells.cut import cut_text
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.cells.rule_lines import find_rule_lines, gap_tolerance
from spatial.understanding.sheet.tables.found_table import FoundTable, Row, can_be_row, entry, key_column, meanings
from spatial.understanding.sheet.tables.row_splitting import BACK

FEWEST: Final = 2
"""Rows that show how high rows are, places of the open one that say something, and rules that run on."""
RUNS_ON: Final = 0.5
"""Part of a row's height that a rule between columns runs on at least."""
OVER: Final = 0.2
"""Heights of a text that it may reach over a rule between columns."""
HIGH: Final = 1.3
"""Rows' heights within which an open row stands."""


def with_open_row(found: FoundTable, sheet: Sheet, used: Collection[str]) -> FoundTable:
    """A ruled table of changes with the row that is open at its far side, of texts that are not `used`."""
    if found.kind != "revisions" or len(found.rows) < FEWEST or len(found.borders) <= FEWEST:
        return found
    strip = _strip(found, sheet)
    if strip is None or not _columns_run_on(found, sheet, strip):
        return found
    row = _row(found, sheet, strip, used)
    if _goes_on(row, found):
        found.rows.append(row)
    return found


def _strip(found: FoundTable, sheet: Sheet) -> Box | None:
    """The place of an open row beyond the last one, as the table reads; None where heads and rows do not stand one behind the other."""
    levels = {text.id: turned(text.box, found.angle) for text in sheet.texts}
    places = [
        float(np.mean([(box[1] + box[3]) / 2 for name in names if (box := levels.get(name))] or [np.nan]))
        for names in ([name for head in found.heads for name in head.sources], *(_sources(row) for row in found.rows))
    ]
    steps = np.diff(places)
    if not (np.all(steps > 0) or np.all(steps < 0)):
        return None
    _, low, _, high = turned(found.box, found.angle)
    step = HIGH * float(np.median(np.abs(steps)))
    left, right = found.borders[0], found.borders[-1]
    return (left, high, right, high + step) if steps[0] > 0 else (left, low - step, right, low)


def _sources(row: Row) -> list[str]:
    return [name for each in row for name in each.sources]


def _columns_run_on(found: FoundTable, sheet: Sheet, strip: Box) -> bool:
    """Whether the rules between all columns run on into the strip."""
    tolerance = gap_tolerance(sheet)
    level, upright = find_rule_lines(sheet, tolerance)
    own = level if found.angle % 180 else upright
    boxes = [
        turned((low, at, high, at) if found.angle % 180 else (at, low, at, high), found.angle)
        for at, low, high in own.tolist()
    ]
    least = RUNS_ON / HIGH * (strip[3] - strip[1])
    return all(
        any(
            abs(box[0] - border) <= 2 * tolerance and min(box[3], strip[3]) - max(box[1], strip[1]) >= least
            for box in boxes
        )
        for border in found.borders[1:-1]
    )


def _row(found: FoundTable, sheet: Sheet, strip: Box, used: Collection[str]) -> Row:
    cells = [(left, strip[1], right, strip[3]) for left, right in pairwise(found.borders)]
    boxes: Array = np.array([turned(cell, BACK[found.angle]) for cell in cells])
    columns: list[list[Text]] = [[] for _ in cells]
    for text in sheet.texts:
        if text.visible and text.id not in used and round(text.angle) % 360 == found.angle:
            for part in cut_text(text, boxes) if _stands_in(turned(text.box, found.angle), strip) else ():
                place = next(
                    (n for n, cell in enumerate(cells) if _is_within(turned(part.box, found.angle), cell)), None
                )
                if place is not None:
                    columns[place].append(part)
    return [entry(texts) for texts in columns]


def _stands_in(box: Box, strip: Box) -> bool:
    level = (box[1] + box[3]) / 2
    return strip[1] < level < strip[3] and box[0] >= strip[0] and box[2] <= strip[2]


def _is_within(box: Box, cell: Box) -> bool:
    slack = OVER * (box[3] - box[1])
    return cell[0] - slack <= box[0] and box[2] <= cell[2] + slack


def _goes_on(row: Row, found: FoundTable) -> bool:
    """Whether a row has a date and something more, and nothing that a change has not."""
    dates = [each.text for each, held in zip(row, meanings(found.heads), strict=True) if "date" in held]
    said = [each for each in row if each.text]
    key = key_column(found.heads, found.kind)
    dated = any(FULL_DATE.fullmatch(text) for text in dates)
    return dated and len(said) >= FEWEST and can_be_row(row, found.heads, found.kind, key)
