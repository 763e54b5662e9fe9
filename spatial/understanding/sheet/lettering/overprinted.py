"""± that is written as + with a - of its own under it: fonts without the sign are helped so, by hand and by exporters.

Read as it stands, `+0.02` with a loose `-` is a deviation to one side, and half of the tolerance is lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.models.sheet.drawing import Sheet, Text

_MINUS: Final = frozenset("-_−–")
_ASIDE: Final = 0.3
"""Letter heights between the middles of the two signs along the line."""
_DROP: Final = (-0.1, 0.95)
"""Letter heights from the baseline of the + down to that of the -; deviations over each other are a line apart."""
_SAME_HEIGHT: Final = (0.6, 1.7)
_SAME_ANGLE: Final = 1.0
"""Degrees."""
_MOST: Final = 2000
"""Loose signs of a sheet."""
OVERPRINTED: Final = "overprinted sign"


def with_plus_minus(sheet: Sheet) -> Sheet:
    """The sheet with such signs as ±, and without their loose parts; the same one where it has none."""
    loose = [text for text in sheet.texts if text.text.strip() in _MINUS and _is_sound(text)][:_MOST]
    signed = [text for text in sheet.texts if text.text.startswith("+") and _is_sound(text)] if loose else []
    if not signed:
        return sheet
    grid: GrowingCellIndex[Text] = GrowingCellIndex(2 * max(text.height for text in signed))
    for text in signed:
        grid.add(*text.origin, text)
    pairs = {id(plus): minus for minus in loose if (plus := _over(minus, grid)) is not None}
    if not pairs:
        return sheet
    gone = set(map(id, pairs.values()))
    texts = [_whole(text) if id(text) in pairs else text for text in sheet.texts if id(text) not in gone]
    return replace(sheet, texts=texts, rule_lines=None)


def _is_sound(text: Text) -> bool:
    return text.visible and text.height > 0 and all(map(math.isfinite, (*text.origin, text.angle, text.width)))


def _over(minus: Text, grid: GrowingCellIndex[Text]) -> Text | None:
    """The text whose + a loose - stands under."""
    (x, y), reach = minus.origin, 2 * minus.height
    near: Sequence[Text] = list(grid.in_box(x - reach, y - reach, x + reach, y + reach))
    return next((text for text in near if _are_one_sign(text, minus)), None)


def _are_one_sign(plus: Text, minus: Text) -> bool:
    h = plus.height
    if not _SAME_HEIGHT[0] < minus.height / h < _SAME_HEIGHT[1] or abs(plus.angle - minus.angle) > _SAME_ANGLE:
        return False
    turn = math.radians(plus.angle)
    dx, dy = minus.origin[0] - plus.origin[0], minus.origin[1] - plus.origin[1]
    along = dx * math.cos(turn) + dy * math.sin(turn) + minus.width / 2 - _first_width(plus) / 2
    drop = dx * math.sin(turn) - dy * math.cos(turn)
    return abs(along) < _ASIDE * h and _DROP[0] * h < drop < _DROP[1] * h


def _first_width(text: Text) -> float:
    """How wide its first character is."""
    ends = text.advances
    return float(ends[1] - ends[0]) if ends is not None and len(ends) > 1 else text.width / len(text.text)


def _whole(text: Text) -> Text:
    return replace(text, text=f"±{text.text[1:]}", repairs=(*text.repairs, OVERPRINTED))
