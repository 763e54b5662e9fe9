"""Rule lines between the rows of a table whose columns have none: open at its sides, each row between two lines."""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.cells.rule_lines import find_rule_lines, gap_tolerance
from spatial.understanding.sheet.tables.row_splitting import level_of

_FEWEST: Final = 2
"""Rule lines between rows of texts that part them all: one alone is under the header."""


def row_rules(sheet: Sheet, left: float, right: float, angle: int) -> list[float]:
    """Heights, in the upright frame of `angle`, of the rule lines that run from `left` to `right`, from the lowest."""
    level, upright = find_rule_lines(sheet, gap_tolerance(sheet))
    boxes = (
        [(at, low, at, high) for at, low, high in upright.tolist()]
        if angle % 180
        else [(low, at, high, at) for at, low, high in level.tolist()]
    )
    return sorted(box[1] for box in (turned(each, angle) for each in boxes) if box[0] <= left and box[2] >= right)


def rows_between(columns: Sequence[Sequence[Text]], rules: Sequence[float], angle: int) -> list[list[list[Text]]]:
    """From the top, each column's texts between two rule lines; empty where rule lines do not part them all."""
    parted: list[defaultdict[int, list[Text]]] = [defaultdict(list) for _ in columns]
    for texts, by_band in zip(columns, parted, strict=True):
        for text in texts:
            by_band[bisect(rules, level_of(text, angle))].append(text)
    bands = sorted({band for by_band in parted for band in by_band}, reverse=True)
    if len(bands) <= _FEWEST:
        return []
    return [[by_band.get(band, []) for by_band in parted] for band in bands]
