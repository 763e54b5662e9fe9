"""Asterisks behind sizes that are read in another direction: the sign looks alike from all sides, and some programs never turn it.

GOST 2.307 puts `*` behind a size that is a reference. Beside a size that is read upwards, an exporter may keep it as a text that is read
from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import apart, cosine_sine, median_height

OTHER_DIRECTION: Final = 10.0
"""Degrees that two directions of reading differ by at least."""
BEFORE, BEHIND = 0.4, 0.8
"""Letter heights before and behind the end of a size between which the middle of its asterisk lies."""
RISE: Final = (0.2, 1.6)
"""Letter heights of that middle above the baseline."""


def turn_marks(texts: Sequence[Text]) -> list[Text]:
    """The texts, an asterisk at the end of a size in the direction and on the baseline of that."""
    marks = [text for text in texts if words.is_mark(text.text.strip())]
    sizes = [text for text in texts if text.text.rstrip()[-1:].isdigit()] if marks else []
    if not sizes:
        return list(texts)
    ends: GrowingCellIndex[Text] = GrowingCellIndex(2.0 * median_height([text.height for text in sizes]))
    for size in sizes:
        ends.add(*_end(size), size)
    turned = {mark.id: _turned(mark, ends) for mark in marks}
    return [turned.get(text.id, text) for text in texts]


def _end(text: Text) -> tuple[float, float]:
    cosine, sine = cosine_sine(text.angle)
    return text.origin[0] + text.width * cosine, text.origin[1] + text.width * sine


def _turned(mark: Text, ends: GrowingCellIndex[Text]) -> Text:
    x, y = (mark.box[0] + mark.box[2]) / 2.0, (mark.box[1] + mark.box[3]) / 2.0
    reach = 2.0 * max(mark.height, mark.box[3] - mark.box[1])
    for size in ends.in_box(x - reach, y - reach, x + reach, y + reach):
        cosine, sine = cosine_sine(size.angle)
        end = _end(size)
        along = ((x - end[0]) * cosine + (y - end[1]) * sine) / size.height
        rise = ((y - end[1]) * cosine - (x - end[0]) * sine) / size.height
        is_other = apart(mark.angle, size.angle) > OTHER_DIRECTION
        if is_other and -BEFORE < along < BEHIND and RISE[0] < rise < RISE[1]:
            return replace(mark, angle=size.angle, origin=end, advances=None)
    return mark
