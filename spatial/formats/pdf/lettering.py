"""The lettering of a PDF page: lines of glyphs as texts, with their blanks, boxes and repairs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.glyphs import INVISIBLE, Glyphs
from spatial.formats.pdf.lines import GlyphLists, glyph_lines, median
from spatial.models.sheet.drawing import Array, Box, Text

WORD_GAP: Final = 0.17
"""Font sizes, beyond the usual gap of the line, from which a gap is a blank."""
ON_A_GRID: Final = 3
"""Steps from glyph to glyph that show whether glyphs stand on a grid."""
OFF_GRID: Final = 0.05
DESCENT: Final = 0.22
FOREIGN, FOREIGN_SHARE = 12, 0.2
"""Letters that are Cyrillic beyond doubt, and their part of all Cyrillic ones, on a page lettered in Cyrillic words."""

_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\xad": "-"}
_DESCENDING: Final = frozenset("gjpqyQ,;()[]{}|/_µ↧⌀Ø")
_LOOK_ALIKE: Final = dict(
    zip("АВСЕНІЈКМОРЅТХаеосрхіјΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIJKMOPSTXaeocpxijABEZHIKMNOPTX", strict=True)
)
_CYRILLIC_READ_AS_LATIN: Final = dict(zip("ÀÂÅÊÌÍÎÐÑÒÕ", "ABEKMHOPCTX", strict=True))
"""GOST fonts hold Cyrillic in the places of code page 1251; А comes out as À."""


def text_lines(glyphs: Glyphs, fonts: Fonts, page: int, ends: Array) -> list[Text]:
    """All lines of a page from the top, from the left; ids are given later.

    ends: (n, 4) the strokes of the page; ruled lines keep neighbouring cells apart.
    """
    if not glyphs.signs:
        return []
    plain = GlyphLists(glyphs)
    foreign = _is_foreign(glyphs.signs)
    found = [_text(plain, members, fonts, page, foreign=foreign) for members in glyph_lines(plain, ends)]
    return sorted((text for text in found if text.text), key=lambda text: (-round(text.box[1] / 3.0), text.box[0]))


def _text(plain: GlyphLists, members: list[int], fonts: Fonts, page: int, *, foreign: bool) -> Text:
    first = members[0]
    (cos, sin), (x, y) = plain.direction[first], plain.origin[first]
    place = [(plain.origin[member][0] - x) * cos + (plain.origin[member][1] - y) * sin for member in members]
    ends = [begin + plain.advance[member] for begin, member in zip(place, members, strict=True)]
    size = median([plain.size[member] for member in members])
    written, advances = _written(plain, members, place, ends, size)
    spans = [plain.glyphs.spans[number] for number in dict.fromkeys(plain.span[member] for member in members)]
    span = spans[0]
    height = size * fonts.cap(span["font"])
    width = max(ends[-1], 0.0)
    text, repairs = _readable(written, span["font"], foreign=foreign)
    if plain.glyphs.repairs:
        repairs |= {plain.glyphs.repairs[member] for member in members if member in plain.glyphs.repairs}
    if plain.any_doubled and any(plain.doubled[member] for member in members):
        repairs.add("doubled glyphs")
    descent = 0.0 if _DESCENDING.isdisjoint(text) else DESCENT * size
    return Text(
        id="",
        text=text,
        page=page,
        origin=(x, y),
        angle=math.degrees(math.atan2(sin, cos)) % 360.0,
        height=height,
        width=width,
        box=_box((x, y), cos, sin, (width, -descent, height)),
        layer=span.get("layer") or None,
        style=span["font"],
        advances=advances,
        visible=any(span["type"] != INVISIBLE for span in spans),
        repairs=tuple(sorted(repairs)),
    )


def _written(
    plain: GlyphLists, members: list[int], place: list[float], ends: list[float], size: float
) -> tuple[str, Array]:
    """Signs with their blanks, and where each begins."""
    gaps = [begin - end for begin, end in zip(place[1:], ends, strict=False)]
    blank = max(median(gaps) if len(gaps) > 3 else 0.0, 0.0) + WORD_GAP * size
    step = _step(place)
    wide = [end - begin > 1.5 * step for begin, end in pairwise(place)] if step else [gap > blank for gap in gaps]
    shown, spaced, least = plain.glyphs.signs, plain.spaced, 0.05 * size
    signs, begins = [], []
    for number, member in enumerate(members):
        if number and (wide[number - 1] or (spaced[member] and gaps[number - 1] > least)):
            signs.append(" ")
            begins.append(ends[number - 1])
        sign = shown[member]
        begins.append(place[number])
        if sign in _LIGATURES:
            sign = _LIGATURES[sign]
            begins += [place[number] + part * plain.advance[member] / len(sign) for part in range(1, len(sign))]
        signs.append(sign)
    return "".join(signs), np.array([*begins, ends[-1]])


def _step(place: list[float]) -> float:
    """From glyph to glyph where all stand on a grid of equal steps, whatever their own widths are; 0 where they do not."""
    steps = [end - begin for begin, end in pairwise(place)]
    usual = median(steps) if len(steps) >= ON_A_GRID else 0.0
    if usual <= 0:
        return 0.0
    for step in steps:
        part = step / usual
        if abs(part - round(part)) > OFF_GRID:
            return 0.0
    return usual


def _is_foreign(signs: list[str]) -> bool:
    """Whether a page is lettered in Cyrillic words: there a letter that looks Latin need not be."""
    letters = [sign for sign in signs if "\u0400" <= sign[0] <= "\u052f"]
    own = sum(sign not in _LOOK_ALIKE for sign in letters)
    return own >= FOREIGN and own > FOREIGN_SHARE * len(letters)


def _readable(text: str, font: str, *, foreign: bool) -> tuple[str, set[str]]:
    """Letters that only look Latin as Latin, where everything else is, on this page too."""
    if text.isascii():
        return text, set()
    table: dict[str, str] = {} if foreign else _LOOK_ALIKE
    if "gost" in font.lower() and all(
        not sign.isalpha() or sign in _CYRILLIC_READ_AS_LATIN or sign.isascii() for sign in text
    ):
        table = table | _CYRILLIC_READ_AS_LATIN
    folded = "".join(table.get(sign, sign) for sign in text)
    other = any("\u0370" <= sign <= "\u052f" for sign in folded)
    return (text, set()) if other or folded == text else (folded, {"homoglyph"})


def _box(origin: tuple[float, float], cos: float, sin: float, sides: tuple[float, float, float]) -> Box:
    width, low, high = sides
    corners = [
        (origin[0] + x * cos - y * sin, origin[1] + x * sin + y * cos)
        for x, y in ((0.0, low), (width, low), (width, high), (0.0, high))
    ]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
