"""Texts that an exporter has written across several cells, cut where a rule line runs between two letters."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Text
from spatial.understanding.sheet.cells.orientation import turned

LONGEST: Final = 2000
"""Characters of a text that is cut; longer ones are paragraphs."""
_INTO_LETTER: Final = 0.1
"""Letter heights that a letter may reach over a rule line."""
_WIDE_GAP: Final = 0.9
"""Letter heights of a gap that parts two cells."""
_WIDE_BLANKS: Final = 2
"""Blanks of such a gap where the widths of letters are not known."""
_WIDE_STEP: Final = 1.4
"""Usual steps from letter to letter of one that goes over a rule line without a blank."""
_AS_WIDE, _EVERY = 0.95, 5
"""Part of such a step that others are as wide as, and of how many letters one may be."""
_WIDE_LETTERS: Final = frozenset("mwMW@%\N{EM DASH}\N{HORIZONTAL ELLIPSIS}")
"""Letters as wide as such a step by themselves."""


def cut_text(text: Text, boxes: Array) -> list[Text]:
    """`text` cut where a rule line runs between two of its letters: some exporters write neighbouring cells as one line."""
    if "\n" in text.text or not math.isfinite(text.angle) or round(text.angle) % 90 or len(text.text) > LONGEST:
        return [text]
    steps = _steps(text)
    if steps is None:
        return [text]
    angle = round(text.angle) % 360
    own = turned(text.box, angle)
    level = (own[1] + own[3]) / 2
    begin = turned((*text.origin, *text.origin), angle)[0]
    upright = (turned((x1, y1, x2, y2), angle) for x1, y1, x2, y2 in _near(text.box, boxes).tolist())
    sides = {side for box in upright if box[1] < level < box[3] for side in (box[0], box[2])}
    cuts = sorted({cut for side in sides if (cut := _cut(text, steps, side - begin)) is not None})
    return _cut_at(text, steps, cuts, angle) if cuts else [text]


def _near(own: Box, boxes: Array) -> Array:
    """Those of `boxes` that meet `own`."""
    meets = (boxes[:, 0] < own[2]) & (boxes[:, 2] > own[0]) & (boxes[:, 1] < own[3]) & (boxes[:, 3] > own[1])
    return boxes[meets]


def _steps(text: Text) -> list[float] | None:
    """Where each letter begins, along the baseline; None where it is neither known nor follows from wide gaps."""
    if text.advances is not None and len(text.advances) == len(text.text) + 1:
        steps: list[float] = text.advances.tolist()
        return steps
    return np.linspace(0, text.width, len(text.text) + 1).tolist() if "  " in text.text or "\t" in text.text else None


def _cut(text: Text, steps: list[float], at: float) -> int | None:
    """The letter that begins after a rule line at `at`, if the line runs through a gap before it; None if it cuts a letter."""
    reach = _INTO_LETTER * text.height
    place = bisect_left(steps, at + reach)
    if at <= reach or not 0 < place < len(text.text):
        return None
    before, after = text.text[:place], text.text[place:]
    if not before.strip() or not after.strip():
        return None
    known = text.advances is not None
    if before[-1:].isspace() or after[:1].isspace():
        gap = len(before) - len(before.rstrip()) + len(after) - len(after.lstrip())
        first, last = len(before.rstrip()), place + len(after) - len(after.lstrip())
        wide = steps[last] - steps[first] > _WIDE_GAP * text.height if known else gap >= _WIDE_BLANKS
        return place if wide else None
    if not known:
        return None
    widths = [after - before for before, after in pairwise(steps)]
    own = widths[place - 1]
    # In a geometric face a round letter is as wide as that: then many others are too.
    alike = sum(width > _AS_WIDE * own for width in widths)
    is_wide = own > _WIDE_STEP * median(widths) and alike <= max(1, len(widths) // _EVERY)
    return place if is_wide and before[-1] not in _WIDE_LETTERS else None


def _cut_at(text: Text, steps: list[float], cuts: Sequence[int], angle: int) -> list[Text]:
    """`text` in parts that begin at `cuts`, each with its own place."""
    parts = []
    back = {0: 0, 90: 270, 180: 180, 270: 90}[angle]
    own = turned(text.box, angle)
    x0, y0 = turned((*text.origin, *text.origin), angle)[:2]
    for start, end in zip((0, *cuts), (*cuts, len(text.text)), strict=True):
        written = text.text[start:end]
        first = start + len(written) - len(written.lstrip())
        low, high = steps[first], steps[start + len(written.rstrip())]
        origin = turned((x0 + low, y0, x0 + low, y0), back)[:2]
        box = turned((x0 + low, own[1], x0 + high, own[3]), back)
        parts.append(replace(text, text=written.strip(), origin=origin, box=box, width=high - low, advances=None))
    return parts
