"""Signs of dimensions that are drawn as strokes in a line of filled letters: AutoCAD draws ± and Ø so where its font lacks them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import ReadRow, in_frames
from spatial.understanding.sheet.outlined.rows import Row, regrouped, turned_boxes
from spatial.understanding.sheet.outlined.spelled import SURE

SIGNS: Final = "±Ø⌀ø°"
HIGH: Final = (0.6, 1.7)
"""Heights of a line that such a sign is high: a ± is as high as digits, a Ø reaches over and under them."""
OFF: Final = 0.3
"""Heights by which its middle is off that of the line."""
GAP: Final = 0.55
"""Heights between it and the letters beside it: less than a blank."""
SAME: Final = 0.12
"""Heights by which a letter alone at a sign is lower and off the baseline."""

_PLACES: Final = [CLASSES.index(sign) for sign in SIGNS]


def with_stroked_signs(ink: Ink, reads: list[ReadRow]) -> list[ReadRow]:
    """The rows, those of filled letters with the signs between and beside them."""
    filled = [place for place, read in enumerate(reads) if _is_filled(ink, read)]
    strokes = np.flatnonzero((ink.width > 0) & ~ink.bars)
    if not filled or not len(strokes):
        return reads
    beside = [(place, sign) for place in filled for sign in _beside(ink, reads[place], strokes)]
    singles = [Row(reads[place].quarter, [[sign]], reads[place].row.height) for place, sign in beside]
    seen = in_frames(ink, singles, [row.quarter for row in singles])
    sure = [(pair, read) for pair, read in zip(beside, seen, strict=True) if read.chances[0, _PLACES].sum() >= SURE]
    alone = {sign: read for (_, sign), read in sure}
    return _joined(ink, reads, [pair for pair, _ in sure], alone) if sure else reads


def _is_filled(ink: Ink, read: ReadRow) -> bool:
    pieces = read.row.pieces
    return float(np.median(ink.width[pieces])) < 0


def _beside(ink: Ink, read: ReadRow, strokes: Indices) -> list[int]:
    """The components of strokes that are as high as a line, on its level, and within it or close to an end."""
    boxes = turned_boxes(ink.boxes[strokes], read.quarter)
    left, low, right, high = boxes.T
    own: Array = read.boxes
    begin, end = float(own[:, 0].min()), float(own[:, 2].max())
    base, height = float(np.median(own[:, 1])), max(float(own[:, 3].max() - np.median(own[:, 1])), 1e-9)
    fits = (high - low >= HIGH[0] * height) & (high - low <= HIGH[1] * height) & (right - left <= HIGH[1] * height)
    fits &= np.abs((low + high) / 2 - base - height / 2) <= OFF * height
    fits &= (right >= begin - GAP * height) & (left <= end + GAP * height)
    found: list[int] = strokes[fits].tolist()
    return found


def _joined(ink: Ink, reads: list[ReadRow], chosen: list[tuple[int, int]], alone: dict[int, ReadRow]) -> list[ReadRow]:
    """The rows, each with the signs that stand with it, and two with one sign between them as one.

    chosen: places of rows, and signs; alone: each sign as it is read by itself.
    """
    rows: list[_Joined] = []
    for place, sign in sorted(chosen, key=lambda pair: -len(reads[pair[0]].boxes)):
        read = reads[place]
        mates = [row for row in rows if row.quarter == read.quarter and (place in row.places or sign in row.signs)]
        if not mates and any(place in row.places or sign in row.signs for row in rows):
            continue
        row = _Joined(read.quarter, read.row.height, {place}, {sign})
        for mate in mates:
            row.places |= mate.places
            row.signs |= mate.signs
            row.height = max(row.height, mate.height)
            rows.remove(mate)
        rows.append(row)
    taken = {place for row in rows for place in row.places}
    for row in rows:
        taken |= (more := _single_letters(ink, reads, row, taken))
        row.places |= more
    joined = [regrouped(ink, sorted(row.pieces(reads)), row.quarter, row.height) for row in rows]
    again = [_with_signs(read, alone) for read in in_frames(ink, joined, [row.quarter for row in joined])]
    of = {sign for row in rows for sign in row.signs}
    kept = {
        place: read for place, read in enumerate(reads) if place not in taken and not of.intersection(read.row.pieces)
    }
    kept |= {min(row.places): read for row, read in zip(rows, again, strict=True)}
    return [kept[place] for place in sorted(kept)]


def _single_letters(ink: Ink, reads: list[ReadRow], row: _Joined, taken: set[int]) -> set[int]:
    """The rows of one filled letter that stand at a sign of a row: a digit by itself has no direction."""
    single = [
        place for place, read in enumerate(reads)
        if place not in taken and len(read.row.glyphs) == 1 and len(read.row.glyphs[0]) == 1 and _is_filled(ink, read)
    ]  # fmt: skip
    own = turned_boxes(ink.boxes[sorted(row.pieces(reads))], row.quarter)
    signs = turned_boxes(ink.boxes[sorted(row.signs)], row.quarter)
    boxes = turned_boxes(ink.boxes[[reads[place].row.glyphs[0][0] for place in single]], row.quarter)
    height = float((own[:, 3] - own[:, 1]).max(initial=1e-9))
    found = set()
    for place, (left, low, right, high) in zip(single, boxes.tolist(), strict=True):
        gaps = np.maximum(signs[:, 0] - right, left - signs[:, 2])
        level = abs(high - low - height) <= SAME * height and float(np.abs(own[:, 1] - low).min()) <= SAME * height
        if level and float(np.abs(gaps).min()) <= GAP * height:
            found.add(place)
    return found


def _with_signs(read: ReadRow, alone: dict[int, ReadRow]) -> ReadRow:
    """A row whose signs are what they are by themselves: pens of other widths stand lower and higher than the letters of a line."""
    chances, alike, told = read.chances.copy(), read.alike.copy(), [""] * len(read.boxes)
    for place, glyph in enumerate(read.row.glyphs):
        if len(glyph) == 1 and glyph[0] in alone:
            sign = alone[glyph[0]]
            chances[place], alike[place] = sign.chances[0], sign.alike[0]
            told[place] = SIGNS[int(sign.chances[0, _PLACES].argmax())]
    return replace(read, chances=chances, alike=alike, told=tuple(told))


@dataclass(slots=True)
class _Joined:
    """Rows and signs of one line."""

    quarter: int
    height: float
    places: set[int]
    signs: set[int]

    def pieces(self, reads: list[ReadRow]) -> set[int]:
        """Its components."""
        return self.signs | {piece for place in self.places for glyph in reads[place].row.glyphs for piece in glyph}
