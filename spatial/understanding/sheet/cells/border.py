"""The border of a sheet: the frame round the drawing space, and the letters and numbers of the zones outside it.

Source: ISO 5457, ASME Y14.1: a strip between two rectangles is divided into zones, lettered one way and numbered the other.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Sheet
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.cells.rule_lines import find_rule_lines, gap_tolerance

_LONG: Final = 0.7
"""Of the sheet's side: how long a side of the frame is at least."""

_ENDS: Final = 0.012
"""Of the sheet's side: how far the ends of a side may overshoot the corners."""

_OF_THE_SIDES: Final = 0.15
"""Of the frame's width: strip at either end in which its upright sides stand; a filing margin is narrower."""

_MOST_SIDES: Final = 40
"""Long rule lines of one direction that are tried, the outermost of them."""

_FEWEST_ZONES: Final = 2
"""Zones of a side of the sheet."""

_MISSING: Final = 2
"""Numbers of zones that may be missing: the title block or an arrow stands in their place."""

_ZONE = re.compile(r"[A-Za-z]{1,2}|\d{1,2}")


def find_frame(sheet: Sheet) -> Box | None:
    """The innermost rectangle that still holds the whole drawing space; None where no frame is drawn."""
    # A sheet of A4 may stand in the middle of a larger page.
    left, bottom, right, top = sheet.drawn or sheet.box
    width, height = right - left, top - bottom
    if not (0 < width < np.inf and 0 < height < np.inf):
        return None
    horizontal, vertical = find_rule_lines(sheet, gap_tolerance(sheet))
    horizontal = _outermost(horizontal[horizontal[:, 2] - horizontal[:, 1] > _LONG * width])
    vertical = _outermost(vertical[vertical[:, 2] - vertical[:, 1] > _LONG * height])
    best: Box | None = None
    for low in horizontal:
        for high in horizontal[horizontal[:, 0] > low[0] + _LONG * height]:
            found = _closed(low, high, vertical, _ENDS * width, _ENDS * height)
            if found is not None and (best is None or area_of(found) < area_of(best)):
                best = found
    return best


def zone_texts(sheet: Sheet) -> frozenset[str]:
    """Ids of the letters and numbers that stand in the strips outside the frame; they count from A and from 1."""
    if sheet.zones is None:
        frame = find_frame(sheet)
        sheet.zones = _outside(sheet, frame) if frame is not None else frozenset()
    return sheet.zones


def _outside(sheet: Sheet, frame: Box) -> frozenset[str]:
    outside = {
        text.id: text.text.strip().upper()
        for text in sheet.texts
        if _ZONE.fullmatch(text.text.strip())
        and not _inside((text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2, frame)
    }
    letters = {name for name in outside.values() if name.isalpha()}
    numbers = {int(name) for name in outside.values() if name.isdigit()}
    counted = 1 in numbers and len(numbers) >= _FEWEST_ZONES and max(numbers) <= len(numbers) + _MISSING
    lettered = "A" in letters and len(letters) >= _FEWEST_ZONES
    return frozenset(id for id, name in outside.items() if (counted if name.isdigit() else lettered))


def _outermost(lines: Array) -> Array:
    """The first and the last few of `lines`."""
    lines = lines[np.argsort(lines[:, 0])]
    if len(lines) <= _MOST_SIDES:
        return lines
    return np.vstack([lines[: _MOST_SIDES // 2], lines[-_MOST_SIDES // 2 :]])


def _closed(low: Array, high: Array, vertical: Array, loose_x: float, loose_y: float) -> Box | None:
    """The rectangle between two horizontal rule lines that two vertical ones end at; a filing strip may lie beside it."""
    fits = (np.abs(vertical[:, 1] - low[0]) <= loose_y) & (np.abs(vertical[:, 2] - high[0]) <= loose_y)
    begin, end = max(low[1], high[1]), min(low[2], high[2])
    crossed = vertical[fits & (vertical[:, 0] >= begin - loose_x) & (vertical[:, 0] <= end + loose_x), 0]
    left, right = (
        crossed[crossed < begin + _OF_THE_SIDES * (end - begin)],
        crossed[crossed > end - _OF_THE_SIDES * (end - begin)],
    )
    if not len(left) or not len(right) or left.max() >= right.min():
        return None
    return float(left.max()), float(low[0]), float(right.min()), float(high[0])


def _inside(x: float, y: float, box: Box) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
