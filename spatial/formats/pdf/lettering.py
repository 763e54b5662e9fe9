"""The lettering of a PDF page: lines of glyphs as texts, with their blanks, boxes and repairs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple

import numpy as np

from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.glyphs import INVISIBLE, Glyphs
from spatial.formats.pdf.lines import GlyphLists, glyph_lines, median, usual_size
from spatial.models.sheet.drawing import Array, Box, Indices, Text
from spatial.models.sheet.look_alikes import is_foreign, latinised

WORD_GAP: Final = 0.17
"""Font sizes, beyond the usual gap of the line, from which a gap is a blank."""
ON_A_GRID: Final = 3
"""Steps from glyph to glyph that show whether glyphs stand on a grid."""
OFF_GRID: Final = 0.05
DESCENT: Final = 0.22

_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\xad": "-"}
_DESCENDING: Final = frozenset("gjpqyQ,;()[]{}|/_µ↧⌀Ø")


def text_lines(glyphs: Glyphs, fonts: Fonts, page: int, ends: Array) -> list[Text]:
    """All lines of a page from the top, from the left; ids are given later.

    ends: (n, 4) the strokes of the page; ruled lines keep neighbouring cells apart.
    """
    if not glyphs.signs:
        return []
    plain = GlyphLists(glyphs)
    foreign = is_foreign(glyphs.signs)
    found = [_text(plain, line, fonts, page, foreign=foreign) for line in _lines(plain, glyph_lines(plain, ends))]
    return sorted((text for text in found if text.text), key=lambda text: (-round(text.box[1] / 3.0), text.box[0]))


class _Line(NamedTuple):
    """The glyphs of one line."""

    members: list[int]
    """Their places."""
    place: list[float]
    """Where each begins, from the first on along the line."""
    ends: list[float]
    """Where each ends."""
    size: float
    advances: Array
    """(n + 1,) where each begins, then where the last one ends."""
    shapes: Indices
    """(n,)"""


def _lines(plain: GlyphLists, lines: list[list[int]]) -> Iterator[_Line]:
    """Lines of glyphs with their places along them, which are found for all at once."""
    glyphs, members = plain.glyphs, np.array(list(chain.from_iterable(lines)), np.int64)
    stops = np.cumsum([len(line) for line in lines])
    of = np.repeat(np.arange(len(lines)), np.diff(stops, prepend=0))
    first = members[np.append(0, stops[:-1])]
    (x, y), (cos, sin) = glyphs.origin[first].T, glyphs.direction[first].T
    off = glyphs.origin[members]
    place = (off[:, 0] - x[of]) * cos[of] + (off[:, 1] - y[of]) * sin[of]
    ends = place + glyphs.advance[members]
    advances = np.insert(place, stops, ends[stops - 1])
    places, stop_places, sizes, shapes = (
        place.tolist(),
        ends.tolist(),
        glyphs.size[members].tolist(),
        glyphs.shape[members],
    )
    begin = 0
    for number, (line, stop) in enumerate(zip(lines, stops.tolist(), strict=True)):
        own = slice(begin, stop)
        yield _Line(
            line, places[own], stop_places[own], usual_size(sizes[own]),
            advances[begin + number : stop + number + 1], shapes[own],
        )  # fmt: skip
        begin = stop


def _text(plain: GlyphLists, line: _Line, fonts: Fonts, page: int, *, foreign: bool) -> Text:
    members, size, ends = line.members, line.size, line.ends
    first = members[0]
    (cos, sin), (x, y) = plain.direction[first], plain.origin[first]
    written, advances, shapes = _written(plain, line)
    spans = [plain.glyphs.spans[number] for number in dict.fromkeys([plain.span[member] for member in members])]
    span = spans[0]
    height = size * fonts.cap(span["font"])
    width = max(ends[-1], 0.0)
    text = latinised(written, foreign=foreign)
    repairs: set[str] = {"homoglyph"} if text != written else set()
    if plain.glyphs.repairs:
        repairs |= {plain.glyphs.repairs[member] for member in members if member in plain.glyphs.repairs}
    if not plain.doubled.isdisjoint(members):
        repairs.add("doubled glyphs")
    descent = 0.0 if _DESCENDING.isdisjoint(text) else DESCENT * size
    return Text(
        id="",
        text=text,
        page=page,
        origin=(x, y),
        angle=0.0 if (cos, sin) == (1.0, 0.0) else math.degrees(math.atan2(sin, cos)) % 360.0,
        height=height,
        width=width,
        box=_box((x, y), cos, sin, (width, -descent, height)),
        layer=span.get("layer") or None,
        style=span["font"],
        advances=advances,
        visible=any(span["type"] != INVISIBLE for span in spans),
        repairs=tuple(sorted(repairs)) if repairs else (),
        shapes=shapes,
    )


def _written(plain: GlyphLists, line: _Line) -> tuple[str, Array, Indices]:
    """Signs with their blanks, where each begins, and what draws it."""
    members, place, ends, size = line.members, line.place, line.ends, line.size
    gaps = [begin - end for begin, end in zip(place[1:], ends, strict=False)]
    usual = median(gaps) if len(gaps) > 3 else 0.0
    blank = max(usual, 0.0) + WORD_GAP * size
    step = _step(place)
    wide = [end - begin > 1.5 * step for begin, end in pairwise(place)] if step else [gap > blank for gap in gaps]
    # Glyphs that are set closer than they are wide overlap, and the one behind a blank may overlap too.
    shown, spaced, least = plain.glyphs.signs, plain.spaced, min(usual, 0.0) + 0.05 * size
    own = [shown[member] for member in members]
    is_unbroken = True not in wide and True not in [spaced[member] for member in members[1:]]
    if is_unbroken and _LIGATURES.keys().isdisjoint(own) and len(text := "".join(own)) == len(own):
        return text, line.advances, line.shapes
    signs, begins, shapes = [], [], []
    for number, member in enumerate(members):
        if number and (wide[number - 1] or (spaced[member] and gaps[number - 1] > least)):
            signs.append(" ")
            shapes.append(-1)
            begins.append(ends[number - 1])
        sign = _LIGATURES.get(shown[member], shown[member])
        begins.append(place[number])
        if len(sign) > 1:
            begins += [place[number] + part * plain.advance[member] / len(sign) for part in range(1, len(sign))]
        signs.append(sign)
        shapes += [plain.shape[member]] * len(sign)
    return "".join(signs), np.array([*begins, ends[-1]]), np.array(shapes, np.int64)


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


def _box(origin: tuple[float, float], cos: float, sin: float, sides: tuple[float, float, float]) -> Box:
    width, low, high = sides
    if (cos, sin) == (1.0, 0.0):
        return origin[0], origin[1] + low, origin[0] + width, origin[1] + high
    corners = [
        (origin[0] + x * cos - y * sin, origin[1] + x * sin + y * cos)
        for x, y in ((0.0, low), (width, low), (width, high), (0.0, high))
    ]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
