"""Whether the sizes of a sheet with texts are drawn: it has the arrowheads of dimensions, and hardly a text that is a size.

LibreCAD draws the letters of its stroke fonts in pieces that do not follow one another, so that no order of drawing tells them; its
other fonts are text.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.leaders.arrowheads import diagonal, filled_heads
from spatial.understanding.sheet.outlined.line_ends import arrows_at_lines

HEADS: Final = 8
"""Filled arrowheads from which a sheet has dimensions: four of them."""
SAID, SAID_AT_LINES = 0.125, 0.2
"""Texts that are sizes for each arrowhead up to which the sizes are not said, a sheet may have a scale and numbers of sheets: for all that
is shaped like an arrowhead, and for those alone that stand at a line across them and before one along them."""
UNEVEN, ALIKE = 0.05, 0.8
"""Part by which the lengths of the arrowheads of a sheet differ, and part of what is shaped like one that has their length: the triangles
of pictures have many."""
MOST: Final = 30_000
"""Strokes up to which a sheet is looked at: those of views with more are no letters for the most part."""
_SIZE: Final = re.compile(
    r"(?![±<>≤≥])\W{0,3}(?:\d{1,2}\s?[xX×-]\s?)?[A-Z⌀]{0,2}\s?(?:\d{0,5}[.,]\d+|\d{2,5})(?:\s?(?:[±+°\"')\]xX×]|-(?=\s?[\d.,])|\W?mm|(?i:in|typ|ref|max|min|thru)\b).{0,24})?"
)
"""A number of a digit alone is a zone of the border, or an item; `31-JUL-15` is a date, `>50 ±0.3` a general tolerance."""


def has_unsaid_sizes(sheet: Sheet) -> bool:
    """Whether a sheet has dimensions and hardly a text that is the size of one."""
    if len(sheet.fills) < HEADS or len(sheet.strokes.ends) > MOST:
        return False
    said = sum(_SIZE.fullmatch(text.text.strip()) is not None for text in sheet.texts if text.visible)
    drawn = filled_heads(sheet.fills, diagonal(sheet))
    if max(HEADS, said / SAID_AT_LINES) > len(drawn):
        return False
    alike = np.abs(drawn.lengths - np.median(drawn.lengths)) <= UNEVEN * np.median(drawn.lengths)
    if said / SAID <= len(drawn) and alike.mean() >= ALIKE:
        return True
    straight = sheet.strokes.ends[~sheet.strokes.curved]
    return len(arrows_at_lines(drawn, straight, straight)) >= max(HEADS, said / SAID_AT_LINES)
