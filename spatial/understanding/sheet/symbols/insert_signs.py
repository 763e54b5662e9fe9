"""Signs that an exporter drew into a line of text, put back where they stand: `tolerances 0.05mm` is `tolerances ±0.05mm`.

Lettering joins texts and signs for callouts, which also stand before, behind and between texts. Title block, tables and
notes read texts alone: for them, and for the document's annotations, a sign within a text's own length becomes a part of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.geometry.columns import every
from spatial.geometry.index import may_hold_points
from spatial.models.sheet.drawing import Array, Sheet, Symbol, Text

LETTERS: Final = frozenset("Ø±°↧⌴⌵□⌀")
"""Signs that are read like letters."""

DRAWN_SIGN: Final = "drawn sign"


def insert_signs(sheet: Sheet) -> Sheet:
    """The sheet with the drawn signs in its texts; the same one where there are none."""
    signs = [sign for sign in sheet.symbols if sign.text in LETTERS]
    if not signs:
        return sheet
    middles = np.array([((s.box[0] + s.box[2]) / 2, (s.box[1] + s.box[3]) / 2) for s in signs])
    texts = [
        _text(text, signs, middles) if may_hold else text
        for text, may_hold in zip(sheet.texts, _may_hold(sheet.texts, middles), strict=True)
    ]
    return replace(sheet, texts=texts, rule_lines=None)


def _may_hold(texts: Sequence[Text], middles: Array) -> list[bool]:
    """Of each text whether the middle of a sign may lie in its line."""
    box = np.array([text.box for text in texts], float).reshape(-1, 4)
    height = np.array([text.height for text in texts], float)
    with np.errstate(all="ignore"):
        lines = np.column_stack([box[:, 0], box[:, 1] - height / 2, box[:, 2], box[:, 3] + height / 2])
    sound = every(np.isfinite(lines))
    if not sound.any() or not np.isfinite(middles).all():
        return [True] * len(texts)
    held = may_hold_points(lines, middles, 4 * float(np.median(height[sound])))
    found: list[bool] = (held | ~sound).tolist()
    return found


def _text(text: Text, signs: Sequence[Symbol], middles: Array) -> Text:
    if text.advances is None or "\n" in text.text or not text.height > 0:
        return text
    left, bottom, right, top = text.box
    inside = (
        (middles[:, 0] > left) & (middles[:, 0] < right) & (middles[:, 1] > bottom - text.height / 2)
        & (middles[:, 1] < top + text.height / 2)
    )  # fmt: skip
    places = [
        (place, signs[at].text)
        for at in np.flatnonzero(inside).tolist()
        if (place := _place(text, middles[at])) is not None
    ]
    if not places:
        return text
    words, advances = text.text, text.advances
    for place, sign in sorted(places, reverse=True):
        words = f"{words[:place]}{sign}{words[place:]}"
        advances = np.insert(advances, place, advances[place])
    return replace(text, text=words, advances=advances, repairs=(*text.repairs, DRAWN_SIGN))


def _place(text: Text, middle: Array) -> int | None:
    """Before which character a sign stands; None where it is off the line, or on top of a letter."""
    turn = math.radians(text.angle)
    dx, dy = float(middle[0]) - text.origin[0], float(middle[1]) - text.origin[1]
    along = dx * math.cos(turn) + dy * math.sin(turn)
    across = dy * math.cos(turn) - dx * math.sin(turn)
    advances = text.advances
    if advances is None or not 0 < along < text.width or not -0.3 * text.height < across < 1.3 * text.height:
        return None
    place = int(np.searchsorted(advances[:-1], along))
    return place if 0 < place < len(text.text) else None
