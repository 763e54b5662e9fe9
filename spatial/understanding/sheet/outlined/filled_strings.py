"""Whether filled outlines beside the texts of a sheet are lettering, and which filled bars are straight letters among them.

Fusion 360 writes its text as text, and what it sets narrower than its font as outlines: the title and the name of a title block. As of
strokes, the order of drawing is looked at: letters are drawn one after the other along a line.

Glossary
  string   letters side by side, drawn one after the other; here of outlines, each letter of one or of pieces that touch.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Sheet
from spatial.understanding.sheet.outlined.cut_letters import are_cut
from spatial.understanding.sheet.outlined.letters import FACET, LARGEST, TOUCHING
from spatial.understanding.sheet.outlined.strings import SHORTEST, WORD_GAP, covered, follows, joined, with_lines

BESIDE_TEXT: Final = 250
"""Small fills with more corners than an arrowhead from which a sheet has drawn lettering beside its text, in whatever order."""
ARROWHEAD: Final = 7
"""Corners that a filled arrowhead has at most, its first one twice."""
ENOUGH: Final = 8
"""Letters in strings from which a sheet has lettering as outlines: two words."""
AROUND: Final = 1.2
"""Larger sides of a letter around it in which straight letters of its line stand."""


def lettering_fills(sheet: Sheet) -> tuple[Flags, Flags]:
    """Which fills (n,) of a sheet with texts may be of letters, and which strokes (m,) are filled bars beside them.

    None where the fills are no lettering.
    """
    nothing = np.zeros(len(sheet.fills), bool), np.zeros(len(sheet.strokes.ends), bool)
    left, bottom, right, top = sheet.box
    largest = LARGEST * min(right - left, top - bottom)
    if not sheet.fills:
        return nothing
    sizes = np.array([len(fill.points) for fill in sheet.fills], np.int64)
    points, first = np.concatenate([fill.points for fill in sheet.fills]), np.cumsum(sizes) - sizes
    boxes = np.hstack([np.minimum.reduceat(points, first), np.maximum.reduceat(points, first)])
    small = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0) <= largest
    free = (sizes > FACET) | _are_cut(sheet, small, largest)
    places = np.flatnonzero(small & free)
    if not len(places):
        return nothing
    letters, first = joined(boxes[places], np.zeros(len(places)), largest)
    said = with_lines(letters, covered(sheet, (letters[:, :2] + letters[:, 2:]) / 2), largest)
    free[places] = np.repeat(~said, np.diff(np.append(first, len(places))))
    many = int((small & free & (sizes > ARROWHEAD)).sum()) >= BESIDE_TEXT
    if not many and _drawn_in_strings(letters[~said], largest) < ENOUGH:
        return nothing
    return free, _bars(sheet, letters[~said], largest)


def _are_cut(sheet: Sheet, small: Flags, largest: float) -> Flags:
    """(n,) which fills are pieces of a thing no larger than a letter. small: (n,) which are no larger."""
    cut = np.zeros(len(small), bool)
    places = np.flatnonzero(small)
    cut[places] = are_cut([sheet.fills[place].points for place in places.tolist()], TOUCHING * largest)
    return cut


def _drawn_in_strings(letters: Array, largest: float) -> int:
    """How many letters (k, 4), in the order of drawing, are in strings."""
    if not len(letters):
        return 0
    follows_ = [follows(letters[:, sides], largest, WORD_GAP) for sides in ([0, 1, 2, 3], [1, 0, 3, 2])]
    counts = [np.diff(np.flatnonzero(np.concatenate([[True], ~each, [True]]))) for each in follows_]
    return max(int(count[count >= SHORTEST].sum()) for count in counts)


def _bars(sheet: Sheet, letters: Array, largest: float) -> Flags:
    """(m,) which strokes are filled bars no larger than a letter beside one: l, I and the stem of an i. letters: (k, 4)"""
    strokes = sheet.strokes
    bars = np.zeros(len(strokes.ends), bool)
    if strokes.filled is None:
        return bars
    low, high = (
        np.minimum(strokes.ends[:, :2], strokes.ends[:, 2:]),
        np.maximum(strokes.ends[:, :2], strokes.ends[:, 2:]),
    )
    places = np.flatnonzero(strokes.filled & ((high - low).max(axis=1) <= largest))
    low, high = low[places], high[places]
    beside = np.zeros(len(places), bool)
    for box in letters:
        reach = AROUND * float((box[2:] - box[:2]).max())
        beside |= (low >= box[:2] - reach).all(axis=1) & (high <= box[2:] + reach).all(axis=1)
    bars[places[beside]] = True
    bars &= ~covered(sheet, (strokes.ends[:, :2] + strokes.ends[:, 2:]) / 2)
    return bars
