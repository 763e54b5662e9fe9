"""Sizes of one digit along upright dimension lines: one glyph alone says no direction of reading, its dimension line does.

ISO 129-1 and ASME Y14.5 write a size along its dimension line, that of an upright one to be read from the right of the sheet.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Sheet
from spatial.understanding.sheet.leaders.arrowheads import Heads, heads
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import ReadRow, directions_of, in_frames
from spatial.understanding.sheet.outlined.rows import Row, turned, turned_boxes

SINGLE: Final = 0.985
"""Chance from which a glyph that stands alone is believed."""
TO_LINE: Final = (-0.05, 0.9)
"""Heights of a digit from its foot down to its dimension line."""
FLAT: Final = 0.01
"""Part of its length that a dimension line may lean."""
ALONG: Final = 0.99
"""Cosine of the angle from the line from which an arrowhead points along it."""
ON_LINE: Final = 0.1
"""Lengths of an arrowhead by which its tip is off its dimension line."""
BEYOND: Final = 1.5
"""Lengths of an arrowhead by which its tip is beyond the end of its dimension line, which may end at the back."""
_DIGITS: Final = np.array([sign.isascii() and sign.isdigit() for sign in CLASSES])


def with_upright_digits(sheet: Sheet, ink: Ink, reads: list[ReadRow]) -> list[ReadRow]:
    """The rows, those of one glyph read along the upright dimension line that they stand on, where that makes a digit of them."""
    quarter = directions_of(reads)[1]
    alone = [place for place, read in enumerate(reads) if len(read.row.glyphs) == 1 and read.quarter % 2 == 0]
    if not alone:
        return reads
    boxes = np.array([_around(ink, reads[place], quarter) for place in alone])
    on_line = _on_dimension_lines(sheet, boxes, quarter)
    places = [place for place, is_on_line in zip(alone, on_line.tolist(), strict=True) if is_on_line]
    heights = (boxes[on_line, 3] - boxes[on_line, 1]).tolist()
    rows = [Row(quarter, reads[place].row.glyphs, height) for place, height in zip(places, heights, strict=True)]
    found = list(reads)
    for place, read in zip(places, in_frames(ink, rows, [quarter] * len(rows)), strict=True):
        if read.chances[0, _DIGITS].max() >= SINGLE:
            found[place] = read
    return found


def _around(ink: Ink, read: ReadRow, quarter: int) -> Array:
    boxes = turned_boxes(ink.boxes[read.row.pieces], quarter)
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])


def _on_dimension_lines(sheet: Sheet, boxes: Array, quarter: int) -> Flags:
    """(n,) whether what fills each box, in the frame of a quarter, stands right over a line with an arrowhead."""
    found = np.zeros(len(boxes), bool)
    lines = turned(sheet.strokes.ends[~sheet.strokes.curved], quarter)
    begin, end = np.minimum(lines[:, 0], lines[:, 2]), np.maximum(lines[:, 0], lines[:, 2])
    level = np.abs(lines[:, 3] - lines[:, 1]) <= FLAT * (end - begin)
    begin, end, foot = begin[level], end[level], lines[level, 1]
    arrows: Heads | None = None
    for place, (left, low, right, high) in enumerate(boxes.tolist()):
        tall, middle = high - low, (left + right) / 2
        under = (begin <= middle) & (end >= middle) & (end - begin > tall)
        under &= (low - foot >= TO_LINE[0] * tall) & (low - foot <= TO_LINE[1] * tall)
        if right - left >= tall or not under.any():
            continue
        if arrows is None:
            arrows = _level_arrows(sheet, quarter)
        found[place] = any(
            _has_arrow(arrows, *line)
            for line in zip(begin[under].tolist(), end[under].tolist(), foot[under].tolist(), strict=True)
        )
    return found


def _level_arrows(sheet: Sheet, quarter: int) -> Heads:
    """The arrowheads that point along the lines of a quarter, in its frame."""
    every = heads(sheet)
    tips, ways = turned(every.tips, quarter), turned(every.ways, quarter)
    level = np.abs(ways[:, 0]) >= ALONG
    return Heads(tips[level], ways[level], every.lengths[level])


def _has_arrow(arrows: Heads, begin: float, end: float, foot: float) -> bool:
    """Whether the tip of an arrowhead is on a line."""
    beyond = np.maximum(begin - arrows.tips[:, 0], arrows.tips[:, 0] - end)
    off = np.abs(arrows.tips[:, 1] - foot)
    return bool(((beyond <= BEYOND * arrows.lengths) & (off <= ON_LINE * arrows.lengths)).any())
