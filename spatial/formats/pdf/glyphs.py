"""The glyphs of a PDF page in the frame of `drawing.sheet`: what is painted, where, in which direction.

Glossary
  span      what MuPDF calls so: glyphs of one font that one operator shows.
  doubled   a glyph painted again in the same place: a poor man's bold, or an exporter that repeats itself.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pymupdf
from numpy.typing import NDArray

from spatial.formats.pdf.fonts import Fonts, bare
from spatial.formats.pdf.outlines import BLANK, UNDRAWN, GlyphOutlines
from spatial.formats.pdf.recorded import RecordedPage
from spatial.geometry.ordering import stable_order
from spatial.knowledge.symbol_fonts import SPECIAL
from spatial.models.sheet.drawing import Array, Flags, Indices

GLYPHS_A_PAGE: Final = 200_000
FARTHEST: Final = 1_000_000
"""Of the small squares by which places of glyphs are compared."""
SMALLEST: Final = 0.1
"""Points: lettering below this size is damage."""
FILLED, STROKED, INVISIBLE = 0, 1, 3
"""How a span is shown: with render mode 3 it is neither filled nor stroked."""
VERTICAL: Final = 1
"""Writing mode of a span whose glyphs stand below each other."""
ASCENT: Final = 0.88
"""From the top of a glyph that stands below another to where MuPDF says that it is, in font sizes (ISO 32000-2 §9.7.4.3)."""
ONE_PLACE: Final = 0.16
"""Font sizes: glyphs that are painted twice within these are one, made bold."""
NO_WIDTH: Final = 0.01
"""Of the font size: a font whose widths are all nothing has lost them; the pitch of its glyphs says what they were."""
PITCH: Final = (0.2, 1.0)
"""Of the font size, between glyphs of one word."""
USUAL_WIDTH: Final = 0.5
_BLANK: Final = frozenset(
    " \t\r\n\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\u200b"
)
_FLAGS: Final = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_INHIBIT_SPACES
_CLIPPED_FLAGS: Final = _FLAGS | pymupdf.TEXT_CLIP

Hidden = Callable[[Array, Indices, Indices], Flags]
"""Tells of the boxes (n, 4) of glyphs, the order in which each is painted and its word which of them are painted over."""


@dataclass(slots=True)
class Glyphs:
    """n glyphs in the order in which they are painted, blanks left out."""

    signs: list[str]
    origin: Array
    """(n, 2)"""
    direction: Array
    """(n, 2) unit vectors."""
    advance: Array
    """(n,) along the direction."""
    size: Array
    """(n,) font size across the direction."""
    span: Indices
    """(n,) place in `spans`."""
    spaced: Flags
    """(n,) whether a blank was shown right before it."""
    doubled: Flags
    """(n,) whether it was painted more than once."""
    hidden: Flags
    """(n,) whether it lies under an opaque picture or rectangle that is painted later."""
    spans: list[dict[str, Any]]
    repairs: dict[int, str]
    """Place of a glyph to the repair that reading it took."""
    shape: Indices
    """(n,) place in the outlines of the document; -1 of a glyph that no embedded font draws."""
    outside: int = 0
    """Glyphs left out because they are wholly off the page."""
    invisible: int = 0
    has_clipped: bool = True
    """Whether a clipping path may cut some away; False where it is known that none does."""


def glyphs(
    page: Any, fonts: Fonts, outlines: GlyphOutlines, *, heights: bool = True, hidden: Hidden | None = None
) -> Glyphs:
    """All glyphs of a page, their outlines added to those of the document.

    heights: whether to ask for the size across the line too, which differs where text is condensed; hidden: tells what is painted over.
    """
    fonts.register(page)
    recorded = RecordedPage(page) if heights else None
    traced = _trace(recorded.trace if recorded else page.get_texttrace)
    spans = _spans(traced)
    fonts.learn(
        (span["font"], "".join(chr(code) for code, *_ in span["chars"]))
        for span in spans
        if fonts.has_symbol_name(span["font"])
    )
    sizes, has_clipped = _heights(recorded, traced, spans) if recorded and spans else ({}, True)
    shown = _Shown()
    for span in spans:
        shown.add(span, fonts, outlines)
        if len(shown.signs) > GLYPHS_A_PAGE:
            break
    found = _placed(page, shown, spans, sizes, fonts, hidden)
    found.has_clipped = has_clipped
    return found


_HYPHENS: Final = frozenset("\u00ad\u2010\u2011")
"""One glyph has several codes in many fonts, of which a program's map names any; all are the hyphen of the keyboard."""
_NO_GLYPH: Final = -1
_SWITCHES: Final = frozenset({(0xFFFD, 0)})
"""Code and glyph, as MuPDF gives them, of what switches to the font of special symbols and back."""
_GREEK_LETTERS: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")
"""Greek capitals and letters that are drawn as Latin ones: programs put signs of their own in their places."""


class _Shown:
    """Glyphs as they come out of the file, blanks left out."""

    def __init__(self) -> None:
        self.signs: list[str] = []
        self.numbers: list[float] = []
        """Of each glyph: x, y of its origin, x, y of the box's corners."""
        self.spaced: list[bool] = []
        self.repairs: dict[int, str] = {}
        self.shapes: list[int] = []
        self.counts: list[int] = []
        """Glyphs of each span."""
        self._blank = False
        self._known: dict[str, dict[tuple[int, int], tuple[str, str | None, int]]] = {}
        """Of each program: code and number of a glyph to what it says, what that took, and its place in the outlines."""

    def add(self, span: dict[str, Any], fonts: Fonts, outlines: GlyphOutlines) -> None:
        """The glyphs of one span."""
        name, program, before, blank = span["font"], span["program"], len(self.signs), self._blank
        known = self._known.setdefault(program, {})
        special = _special_symbols(span)
        further = _further_letters(span)
        for place, (code, glyph, origin, box) in enumerate(span["chars"]):
            if place in further:
                if not blank and self.signs:
                    self.signs[-1] += chr(code)
                    self.shapes[-1] = UNDRAWN
                continue
            if place in special and not special[place]:
                blank = True
                continue
            if place in special:
                known[code, glyph] = special[place], "symbol font", UNDRAWN
            elif (code, glyph) not in known:
                sign, repair = fonts.sign(name, code, glyph)
                # What the tables of a font say of its own codes is not doubted; a letter of Symbol may be drawn as another sign.
                sure = sign in _BLANK or (repair == "symbol font" and sign not in _GREEK_LETTERS)
                known[code, glyph] = sign, repair, UNDRAWN if sure else outlines.place(program, glyph, sign)
            sign, repair, shape = known[code, glyph]
            if sign in _BLANK or (shape == BLANK and span["type"] != INVISIBLE):
                blank = True
                continue
            if repair:
                self.repairs[len(self.signs)] = repair
            self.signs.append("-" if sign in _HYPHENS else sign)
            self.shapes.append(shape)
            self.numbers += origin
            self.numbers += box
            self.spaced.append(blank)
            blank = False
        self._blank = blank
        self.counts.append(len(self.signs) - before)


def _special_symbols(span: dict[str, Any]) -> dict[int, str]:
    """Place in a span of invisible lettering to the special symbol that its code stands for; empty of the codes around them.

    MuPDF gives control codes that a font does not know as U+FFFD without a glyph.
    """
    codes = [(code, glyph) for code, glyph, *_ in span["chars"]] if span["type"] == INVISIBLE else []
    found: dict[int, str] = {}
    for place, (code, _) in enumerate(codes[1:-1], 1):
        if code in SPECIAL and codes[place - 1] in _SWITCHES and codes[place + 1] in _SWITCHES:
            found |= {place - 1: "", place: SPECIAL[code], place + 1: ""}
    return found


def _further_letters(span: dict[str, Any]) -> frozenset[int]:
    """Places of letters that are drawn by the glyph before them: a ligature whose code stands for several (ISO 32000-1, 9.10.3).

    MuPDF gives them without a glyph, where the ligature stands.
    """
    chars = span["chars"]
    return frozenset(
        place
        for place in range(1, len(chars))
        if chars[place][1] == _NO_GLYPH and chars[place][2] == chars[place - 1][2] and chr(chars[place][0]).isalpha()
    )


def without(found: Glyphs, places: set[tuple[str, float, float]]) -> Glyphs:
    """Those that are not in these places: sign, x, y in tenths of a point."""
    new = [place not in places for place in places_of(found)]
    return _kept(found, np.array(new, dtype=bool), found.doubled)


def places_of(found: Glyphs) -> list[tuple[str, float, float]]:
    """Of each glyph its sign and its place in tenths of a point."""
    origin: Array = np.round(found.origin, 1)
    return [(sign, x, y) for sign, (x, y) in zip(found.signs, origin.tolist(), strict=True)]


def not_repeated(hidden: Glyphs, seen: Glyphs) -> Glyphs:
    """The hidden glyphs but the spans that are seen whole in their places: KOMPAS shows a text, blanks its ground and shows it again.

    The glyphs that are seen there are doubled.
    """
    if not len(hidden.signs) or not len(seen.signs):
        return hidden
    below, above = places_of(hidden), places_of(seen)
    places, again = set(above), set(below)
    seen.doubled |= np.array([place in again for place in above], dtype=bool)
    new = np.array([place not in places for place in below], dtype=bool)
    return _kept(hidden, np.isin(hidden.span, hidden.span[new]), hidden.doubled)


def split(found: Glyphs, apart: Flags) -> tuple[Glyphs, Glyphs]:
    """Those that are not set apart, and those that are."""
    if not apart.any():
        return found, _kept(found, apart, found.doubled)
    seen = _kept(found, ~apart, found.doubled)
    seen.outside, seen.invisible, seen.has_clipped = found.outside, found.invisible, found.has_clipped
    return seen, _kept(found, apart, found.doubled)


def _spans(traced: list[dict[str, Any]]) -> list[dict[str, Any]]:
    spans: list[dict[str, Any]] = []
    for span in traced:
        cos, sin = span["dir"]
        sound = math.isfinite(span["size"]) and SMALLEST <= span["size"] < 1e5 and 0.9 < cos * cos + sin * sin < 1.1
        if sound and not (spans and _outlines(span, spans[-1])):
            spans.append(span)
    return spans


def _trace(trace: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Spans as MuPDF traces them, with the names of their fonts without the tags of subsets and with them, as `program`."""
    pymupdf.TOOLS.set_subset_fontnames(True)
    try:
        traced = trace()
    finally:
        pymupdf.TOOLS.set_subset_fontnames(False)
    for span in traced:
        span["program"] = span["font"]
        span["font"] = bare(span["font"])
    return traced


def _outlines(span: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a span only draws the outline of the one before: render mode 2 fills glyphs, then strokes them."""
    return bool(
        (before["type"], span["type"]) == (FILLED, STROKED)
        and len(span["chars"]) == len(before["chars"])
        and span["chars"][0][0] == before["chars"][0][0]
        and span["chars"][0][2] == before["chars"][0][2]
        and span["chars"][-1][2] == before["chars"][-1][2]
    )


def _height(span: dict[str, Any], sizes: dict[tuple[float, float], float]) -> float | None:
    for _, _, (x, y), _ in span["chars"][:3]:
        found = sizes.get((round(x, 2), round(y, 2)))
        if found:
            # A structured text page gives the geometric mean of both sizes, a trace the one along the line.
            return found * found / float(span["size"])
    return None


def _heights(
    recorded: RecordedPage, traced: list[dict[str, Any]], spans: list[dict[str, Any]]
) -> tuple[dict[tuple[float, float], float], bool]:
    """Where a glyph stands to its size, the geometric mean of both directions; nothing where both agree everywhere.

    Also whether a clipping path may cut glyphs away: where it cuts none, one page of text tells both.
    """
    text = recorded.text(_CLIPPED_FLAGS)
    shown = _shown_spans(text.extractDICT())
    has_clipped = sum(len(span["text"]) for span in shown) != sum(len(span["chars"]) for span in traced)
    if has_clipped:
        text = recorded.text(_FLAGS)
        shown = _shown_spans(text.extractDICT())
    means = {(span["font"], round(span["size"], 3)) for span in shown}
    if means == {(span["font"], round(span["size"], 3)) for span in spans}:
        return {}, has_clipped
    found: dict[tuple[float, float], float] = {}
    for span in _shown_spans(text.extractRAWDICT()):
        size = span["size"]
        for char in span["chars"]:
            x, y = char["origin"]
            found[round(x, 2), round(y, 2)] = size
    return found, has_clipped


def _shown_spans(text: dict[str, Any]) -> list[dict[str, Any]]:
    """The spans of a page of text."""
    return [span for block in text["blocks"] for line in block.get("lines", ()) for span in line["spans"]]


def _traced(span: dict[str, Any], sizes: dict[tuple[float, float], float]) -> tuple[float, ...]:
    """Direction, size along, size across the line, and how far below the traced place it stands."""
    upright = span["wmode"] == VERTICAL
    cos, sin = (-span["dir"][1], span["dir"][0]) if upright else span["dir"]
    width = float(span["size"])
    return cos, sin, width, _height(span, sizes) or width, ASCENT * width * upright


def glyph_boxes(found: Glyphs) -> Array:
    """(n, 4) around the capital letter that would stand in the place of each glyph."""
    along = found.direction * found.advance[:, None]
    up = np.column_stack([-found.direction[:, 1], found.direction[:, 0]]) * (0.7 * found.size)[:, None]
    corners = np.stack([found.origin, found.origin + along, found.origin + up, found.origin + along + up])
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)], axis=1)


def glyph_orders(found: Glyphs) -> Indices:
    """(n,) in which each glyph is painted."""
    painted: Indices = np.array([span["seqno"] for span in found.spans])[found.span]
    return painted


def _words(found: Glyphs) -> Indices:
    """(n,) the number of the word that each glyph is of: what one operator shows without a blank."""
    begins = np.array(found.spaced, dtype=bool)
    begins[1:] |= np.diff(found.span) != 0
    words: Indices = np.cumsum(begins)
    return words


def _placed(
    page: Any,
    shown: _Shown,
    spans: list[dict[str, Any]],
    sizes: dict[tuple[float, float], float],
    fonts: Fonts,
    hidden: Hidden | None,
) -> Glyphs:
    owner = np.repeat(np.arange(len(shown.counts)), np.array(shown.counts, dtype=np.int64))
    traced = np.array([_traced(span, sizes) for span in spans[: len(shown.counts)]], dtype=float).reshape(-1, 5)
    cos, sin, along, across, above = traced[owner].T
    x, y, left, top, right, bottom = np.array(shown.numbers, dtype=float).reshape(-1, 6).T
    level = np.abs(cos) >= np.abs(sin)
    with np.errstate(all="ignore"):
        advance = np.where(
            level,
            (right - left - along * np.abs(sin)) / np.abs(cos),
            (bottom - top - along * np.abs(cos)) / np.abs(sin),
        )
    matrix = page.rotation_matrix
    turn = np.array([[matrix.a, matrix.b], [matrix.c, matrix.d]], dtype=float)
    flip = np.array([1.0, -1.0])
    width, height = float(page.rect.width), float(page.rect.height)
    place = np.column_stack([x - above * cos, y - above * sin])
    origin = (place @ turn + (matrix.e, matrix.f)) * flip + (0.0, height)
    direction = (np.column_stack([cos, sin]) @ turn) * flip
    sound = np.isfinite(place).all(axis=1) & np.isfinite(advance)
    advance = np.clip(advance, 0.0, 4 * across)
    names = np.array([span["font"] for span in spans], dtype=np.str_)[owner]
    if (advance < NO_WIDTH * across).any():
        advance = _widths(advance, origin, direction, across, names)
    absent = np.array([fonts.is_absent(span["font"]) for span in spans], dtype=bool)[owner]
    if absent.any():
        pitch = ((origin[1:] - origin[:-1]) * direction[:-1]).sum(axis=1) / across[:-1]
        followed = absent[:-1] & (owner[1:] == owner[:-1]) & ~np.array(shown.spaced[1:], dtype=bool)
        advance = _widened(advance, pitch, followed, across, list(zip(names.tolist(), shown.signs, strict=True)))
    result = Glyphs(
        shown.signs, origin, direction, advance, across, owner, np.array(shown.spaced, dtype=bool),
        np.zeros(len(owner), bool), np.zeros(len(owner), bool), spans, shown.repairs,
        np.array(shown.shapes, dtype=np.int64),
    )  # fmt: skip
    if not len(owner):
        return result
    with np.errstate(invalid="ignore"):
        reach = result.size[:, None]
        inside = ((origin > -reach) & (origin < np.array([width, height]) + reach)).all(axis=1)
        inside &= sound & (result.size < 1e5)
    invisible = np.array([span["type"] == INVISIBLE for span in spans], dtype=bool)
    if hidden is not None:
        members = np.flatnonzero(inside & ~invisible[owner])
        places, order = glyph_boxes(result)[members], glyph_orders(result)[members]
        result.hidden[members] = hidden(places, order, _words(result)[members])
    first, doubled = _first(result, inside, invisible[owner])
    kept = _kept(result, inside & first, doubled)
    kept.outside = int((~inside).sum())
    kept.invisible = int(invisible[kept.span].sum())
    return kept


def _widths(advance: Array, origin: Array, direction: Array, size: Array, fonts: NDArray[np.str_]) -> Array:
    """Advances, those of fonts without any widths by the usual pitch of their glyphs."""
    lost = advance < NO_WIDTH * size
    for font in np.unique(fonts[lost]):
        members = fonts == font
        if not lost[members].all():
            continue
        pairs = np.flatnonzero(members[:-1] & members[1:] & (size[:-1] == size[1:]))
        step = origin[pairs + 1] - origin[pairs]
        pitch = (step * direction[pairs]).sum(axis=1) / size[pairs]
        aside = np.abs(step[:, 1] * direction[pairs, 0] - step[:, 0] * direction[pairs, 1])
        pitch = pitch[(pitch > PITCH[0]) & (pitch < PITCH[1]) & (aside < 0.01 * size[pairs])]
        advance[members] = size[members] * (float(np.median(pitch)) if len(pitch) else USUAL_WIDTH)
    return advance


def _widened(advance: Array, pitch: Array, followed: Flags, size: Array, kinds: list[tuple[str, str]]) -> Array:
    """Advances, those of signs of absent fonts at least as wide as the shortest way to the next sign of their span.

    pitch: (n - 1,) font sizes from each glyph to the next. followed: (n - 1,) whether that is of the same span, without a blank between
    them. kinds: font and sign of each glyph. A sign that is followed once may be followed by a gap that means a blank.
    """
    ways: dict[tuple[str, str], list[float]] = defaultdict(list)
    for place in np.flatnonzero(followed).tolist():
        if PITCH[0] < pitch[place] < PITCH[1]:
            ways[kinds[place]].append(float(pitch[place]))
    least = {kind: min(found) for kind, found in ways.items() if len(found) > 1}
    widest: Array = size * np.array([least.get(kind, 0.0) for kind in kinds])
    return np.asarray(np.maximum(advance, widest))


def _first(found: Glyphs, inside: Flags, unseen: Flags) -> tuple[Flags, Flags]:
    """Which glyphs are the first in their place, and which of those are painted again.

    unseen: (n,) which are not painted, and so never made bold: over drawn letters their text is often set narrower than its glyphs
    are, so that two of one span are two, however close. A glyph that is painted over and one that is typed there again are two as well.
    """
    again, doubled = np.zeros((2, len(found.signs)), bool)
    members = np.flatnonzero(inside)
    place = found.origin[members] / (ONE_PLACE * np.maximum(found.size[members], SMALLEST))[:, None]
    code = np.array([ord(sign[0]) for sign in found.signs], dtype=np.int64)[members]
    heading = np.round(np.degrees(np.arctan2(found.direction[members, 1], found.direction[members, 0])) / 3)
    # Squares of one size say nothing of those of another; two copies have one size.
    size = np.round(np.clip(found.size[members], 0.0, 1e5) * 20).astype(np.int64)
    hidden = found.hidden[members].astype(np.int64)
    _, kind = np.unique(
        (size << 29) + (hidden << 28) + code * 128 + heading.astype(np.int64) % 120, return_inverse=True
    )
    for shift in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)):
        across, up = np.floor(np.clip(place + shift, -FARTHEST, FARTHEST)).astype(np.int64).T
        key = (kind * (3 * FARTHEST) + across) * (3 * FARTHEST) + up
        order = stable_order(key)
        of = members[order]
        same = (np.diff(key[order]) == 0) & ~(unseen[of[1:]] & (np.diff(found.span[of]) == 0))
        again[of[1:][same]] = True
        same[1:] &= ~same[:-1]
        doubled[of[:-1][same]] = True
    return ~again, doubled


def _kept(found: Glyphs, keep: Flags, doubled: Flags) -> Glyphs:
    places = np.flatnonzero(keep).tolist()
    new = {old: now for now, old in enumerate(places)} if found.repairs else {}
    return Glyphs(
        [found.signs[place] for place in places], found.origin[keep], found.direction[keep], found.advance[keep],
        found.size[keep], found.span[keep], found.spaced[keep], doubled[keep], found.hidden[keep], found.spans,
        {new[place]: what for place, what in found.repairs.items() if place in new}, found.shape[keep],
    )  # fmt: skip
