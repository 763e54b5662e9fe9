"""Invisible text over drawn lettering that says only a part of it.

AutoCAD draws lettering of TrueType fonts as outlines and shows it again, invisibly, as text in the code page of Western Europe: a letter
that this has not is a blank or nothing, and signs of dimensions (±, Ø), which are drawn as strokes, stand in no text. What is left reads
as another value: `16` of `Д16Т`, `65` of `65±0,2`.

Glossary
  layer text   an invisible text over lettering that is drawn.
  gap          where drawn lettering stands beside the characters of a layer text, or under its blanks, and no text says it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.index import lie_in_boxes
from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Flags, Sheet, Text
from spatial.models.sheet.repairs import DRAWN, PARTIAL, UNKNOWN

FEW: Final = 8
"""Letters that no text says, in the lines of layer texts, from which these are a part of the lettering: two words."""
ARROWHEAD: Final = 7
"""Corners that a filled arrowhead has at most, its first one twice."""
BAND, HIGH = (-0.35, 1.3), (0.5, 1.6)
"""Capital heights over the baseline that a letter of a line stands between, and that it is high."""
BESIDE: Final = 0.8
"""Capital heights from the end of a text to a letter that goes on with it: less than a blank and the letter behind it."""
PEN: Final = (0.04, 0.2)
"""Capital heights that the strokes of a sign beside filled letters are wide: as wide as stems, where lines of views are finer."""
LOW_SIGNS: Final = frozenset(".,:;-–_'\"·°…~=*")
"""Characters that are lower than letters."""
START: Final = 0.3
"""Capital heights between the beginnings of a text and of its first drawn letter."""
SIGN: Final = 2
"""Strokes and arcs of such a sign at least."""


@dataclass(frozen=True, slots=True)
class _Pieces:
    """What may be of letters, as boxes (n, 4)."""

    letters: Array
    fills: Array
    """The letters, and what is as plain as an arrowhead: I, L and T."""
    strokes: Array
    pens: Array
    """(n,) of the strokes."""


def mark_gaps(sheet: Sheet) -> None:
    """Put U+FFFD for the gaps of layer texts, so that none of them is taken for all that is printed."""
    layer = [text for text in sheet.texts if text.visible and DRAWN in text.repairs and text.advances is not None]
    if not layer:
        return
    pieces = _pieces(sheet)
    unsaid, of_texts = _unsaid(sheet, layer, pieces)
    if np.logical_or.reduce(of_texts).sum() < FEW:
        return
    beside = [text for text, letters in zip(layer, of_texts, strict=True) if letters.any()]
    wide = [(text, width) for text in beside if (width := _width_of_letters(text, pieces.fills)) is not None]
    for text, width in wide:
        _widen(text, width)
    if wide:
        unsaid, of_texts = _unsaid(sheet, layer, pieces)
    unsaid_strokes = ~_said(sheet.texts, pieces.strokes)
    strokes, pens = pieces.strokes[unsaid_strokes], pieces.pens[unsaid_strokes]
    for text, letters in zip(layer, of_texts, strict=True):
        _mark(text, unsaid[letters], strokes[(pens >= PEN[0] * text.height) & (pens <= PEN[1] * text.height)])


def _unsaid(sheet: Sheet, layer: list[Text], pieces: _Pieces) -> tuple[Array, list[Flags]]:
    """The letters (n, 4) that no text says, and which of them (n,) are in the line of each text of the layer."""
    unsaid = pieces.letters[~_said(sheet.texts, pieces.letters)]
    return unsaid, [_in_line(text, unsaid) for text in layer]


def _width_of_letters(text: Text, fills: Array) -> float | None:
    """How wide the letters of a text are drawn, as many as it says from its beginning on, where it is set narrower; None elsewhere.

    fills: (n, 4) all of the sheet.
    """
    spans = _drawn(text, fills)
    said = sum(not sign.isspace() and sign not in LOW_SIGNS for sign in text.text)
    if not said or len(spans) != said or abs(spans[0, 0]) > START * text.height or not 0 < text.width < spans[-1, 1]:
        return None
    return float(spans[-1, 1])


def _widen(text: Text, width: float) -> None:
    """Set a text as wide as its letters are drawn."""
    assert text.advances is not None
    text.advances = text.advances * (width / text.width)
    text.width = width
    own = _box(text, 0.0, width)
    text.box = (min(text.box[0], own[0]), min(text.box[1], own[1]), max(text.box[2], own[2]), max(text.box[3], own[3]))


def _drawn(text: Text, fills: Array) -> Array:
    """(k, 2) where letters begin and end, along the line of a text, that go on with one another from its beginning.

    The counters of a letter are of it; letters that only reach over one another, as slanted ones do, are two.
    """
    left, low, right, high = _placed(text, fills).T
    spans = np.stack([left, right], axis=1)[_is_level(text, low, high)]
    found: list[list[float]] = []
    for begin, end in spans[np.lexsort((-spans[:, 1], spans[:, 0]))].tolist():
        if found and (begin + end) / 2 <= found[-1][1] and end <= found[-1][1]:
            continue
        if found and begin - found[-1][1] > BESIDE * text.height:
            if found[-1][1] > 0:
                break
            found = []
        found.append([begin, end])
    return np.array(found, float).reshape(-1, 2)


def _pieces(sheet: Sheet) -> _Pieces:
    fills = np.array([(*fill.points.min(0), *fill.points.max(0)) for fill in sheet.fills], float).reshape(-1, 4)
    is_letter = np.array([len(fill.points) > ARROWHEAD for fill in sheet.fills], bool)
    ends, circles = sheet.strokes.ends, sheet.arcs.circles
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    round_ = np.concatenate([circles[:, :2] - circles[:, 2:3], circles[:, :2] + circles[:, 2:3]], axis=1)
    return _Pieces(
        fills[is_letter],
        fills,
        np.concatenate([np.concatenate([low, high], axis=1), round_]),
        np.concatenate([sheet.strokes.width, sheet.arcs.width]),
    )


def _said(texts: list[Text], boxes: Array) -> Flags:
    """(n,) whether a character that is no blank stands over the middle of a box."""
    characters = [box for text in texts if text.visible for box in _characters(text)]
    return lie_in_boxes((boxes[:, :2] + boxes[:, 2:]) / 2, np.array(characters, float).reshape(-1, 4))


def _characters(text: Text) -> list[tuple[float, float, float, float]]:
    """Upright boxes around the words of a text."""
    if text.advances is None:
        return [text.box]
    begins, boxes, start = text.advances, [], 0
    for word in [*text.text.split(" "), ""]:
        if word:
            boxes.append(_box(text, float(begins[start]), float(begins[start + len(word)])))
        start += len(word) + 1
    return boxes


def _box(text: Text, begin: float, end: float) -> tuple[float, float, float, float]:
    angle = math.radians(text.angle)
    along, up = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    corners = np.array([
        np.array(text.origin) + x * along + y * up
        for x in (begin, end) for y in (BAND[0] * text.height, BAND[1] * text.height)
    ])  # fmt: skip
    (left, low), (right, high) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return left, low, right, high


def _placed(text: Text, boxes: Array) -> Array:
    """The boxes (n, 4) in the frame of a text: along its baseline and over it, from its origin."""
    angle = math.radians(text.angle)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    first, second, third, fourth = (
        (boxes[:, sides] - np.array(text.origin)) @ turn for sides in ([0, 1], [2, 1], [2, 3], [0, 3])
    )
    low = np.minimum(np.minimum(first, second), np.minimum(third, fourth))
    high = np.maximum(np.maximum(first, second), np.maximum(third, fourth))
    return np.concatenate([low, high], axis=1)


def _in_line(text: Text, boxes: Array) -> Flags:
    """(n,) which boxes are as high as letters of the line of a text, and stand within it or close beside it."""
    left, low, right, high = _placed(text, boxes).T
    reach = BESIDE * text.height
    return np.asarray(_is_level(text, low, high) & (right >= -reach) & (left <= text.width + reach), bool)


def _is_level(text: Text, low: Array, high: Array) -> Flags:
    """(n,) which pieces, from `low` to `high` over the baseline of a text, are as high as letters of its line."""
    tall = (high - low >= HIGH[0] * text.height) & (high - low <= HIGH[1] * text.height)
    return np.asarray(tall & (low >= BAND[0] * text.height) & (high <= BAND[1] * text.height), bool)


def _mark(text: Text, letters: Array, strokes: Array) -> None:
    """letters: (n, 4) those of its line that no text says; strokes: (m, 4) what may be of signs."""
    assert text.advances is not None
    left, right = _placed(text, letters)[:, [0, 2]].T
    middle = (left + right) / 2
    ahead, behind = middle < 0, middle > text.width
    before = bool(ahead.any()) or _has_sign(text, strokes, -1)
    after = bool(behind.any()) or _has_sign(text, strokes, 1)
    within = (~ahead & ~behind).any()
    if not (before or after or within):
        return
    signs, begins = list(text.text), text.advances[:-1].tolist()
    if within:
        signs = [UNREAD if sign == " " else sign for sign in signs]
        after = after or not {" "} & set(text.text)
    if before:
        signs, begins = [UNREAD, *signs], [0.0, *begins]
    if after:
        signs, begins = [*signs, UNREAD], [*begins, text.width]
    text.text, text.advances = "".join(signs), np.array([*begins, float(text.advances[-1])])
    text.shapes = None
    text.repairs = (*text.repairs, PARTIAL, UNKNOWN)


def _has_sign(text: Text, strokes: Array, way: int) -> bool:
    """Whether strokes that are as high as a letter together stand close before a text (way: -1) or behind it (1)."""
    left, low, right, high = _placed(text, strokes).T
    middle, height = (left + right) / 2, text.height
    off = (middle - text.width) if way > 0 else -middle
    beside = (off > 0) & (off <= (BESIDE + 0.5) * height) & (right - left <= HIGH[1] * height)
    beside &= (low >= BAND[0] * height) & (high <= BAND[1] * height)
    if beside.sum() < SIGN:
        return False
    tall = float(high[beside].max() - low[beside].min())
    return HIGH[0] * height <= tall <= HIGH[1] * height
