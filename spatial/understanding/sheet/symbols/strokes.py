"""Signs that exporters draw as strokes instead of text, found beside the lettering that they belong to.

Without them `⌴Ø18 ↧12` reads as `18 12`. A sign is believed only where it stands as one does: in line with a number, in a
cell of a feature control frame, round a letter. Geometry of the part looks like signs everywhere else.

Glossary: see `_strokes_near`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.geometry.columns import scalar_products
from spatial.models.sheet.drawing import Array, Box, Indices, Sheet, Symbol, Text
from spatial.understanding.sheet.symbols.clusters import clusters
from spatial.understanding.sheet.symbols.dashed_sides import with_dashed_sides
from spatial.understanding.sheet.symbols.frame_cells import characteristics
from spatial.understanding.sheet.symbols.near import Frame, Near, SheetStrokes, Surroundings, Word, index_strokes, words
from spatial.understanding.sheet.symbols.signs import Mark, beside

TEXTS: Final = 20_000
"""Texts of one sheet beside which signs are looked for."""
GAP: Final = 1.7
"""Letter heights between a sign and what it stands with."""
HIGHEST: Final = 1.35
"""Letter heights above the baseline of the middle of a sign that a text may have itself: ° stands highest."""
APART: Final = 80.0
"""Letter heights between the brackets of a reference dimension."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A sign and the text that it stands with."""

    mark: Mark
    near: Near


def find(sheet: Sheet) -> list[Symbol]:
    """The signs of a sheet that are drawn as strokes."""
    texts = [text for text in sheet.texts if text.visible and text.text.strip() and _sound(text)][:TEXTS]
    if not texts or not len(sheet.strokes.ends) + len(sheet.arcs.circles):
        return []
    pieces = SheetStrokes(with_dashed_sides(sheet), texts)
    found: list[_Found] = []
    for surroundings in pieces.surroundings(
        pieces.with_strokes_near([text for text in texts if _may_have_signs(text)])
    ):
        found += _standing(surroundings)
    circled = list(_circled(pieces, texts))
    lettering = _Lettering(texts)
    kept = _paired([one for one in found if not lettering.covers(one)])
    return [_symbol(one, sheet, pieces) for one in _once([*kept, *circled])]


def _may_have_signs(text: Text) -> bool:
    """Whether signs may stand beside a text: it has a number or is as short as THRU, TYP or Ra."""
    return len(text.text) <= 8 or any(character.isdigit() for character in text.text)


def _sound(text: Text) -> bool:
    return all(map(math.isfinite, (*text.origin, text.angle, text.height, text.width))) and text.height > 1e-6


def _standing(surroundings: Surroundings) -> Iterator[_Found]:
    """The marks near texts that stand in line with them."""
    marks: dict[int, list[Mark]] = {}
    for place, mark in (*beside(surroundings), *clusters(surroundings)):
        marks.setdefault(place, []).append(mark)
    for place, held in sorted(marks.items()):
        near = surroundings.near(place)
        for word in near.words:
            for mark in (*_before(word, held), *_behind(word, held, near.words)):
                yield _Found(mark, near)
    for place, mark in characteristics(surroundings):
        yield _Found(mark, surroundings.near(place))


def _before(word: Word, marks: list[Mark]) -> Iterator[Mark]:
    """Signs in front of a word, from right to left."""
    begin = word.begin
    numeric = any(character.isdigit() for character in word.text)
    for mark in sorted(marks, key=lambda mark: -mark.box[2]):
        if mark.text == "√":
            if _texture_of(word, mark):
                yield mark
            continue
        gap = begin - mark.box[2]
        if mark.text in ")]°" or not -0.3 <= gap <= GAP or mark.box[0] < word.free - 0.3 or not _level(mark):
            continue
        if not numeric and mark.text not in "↧(" and begin == word.begin:
            continue
        yield mark
        begin = mark.box[0]


def _behind(word: Word, marks: list[Mark], others: list[Word]) -> Iterator[Mark]:
    """Signs behind a word, from left to right: degrees, a bracket that closes, a texture sign in brackets."""
    end = word.end
    opened = False
    following = min((other for other in others if other.begin > word.end), key=lambda other: other.begin, default=None)
    free = np.inf if following is None else following.begin
    if following is not None and following.text.startswith("°"):
        marks = [mark for mark in marks if mark.text != "°"]  # the text has it, behind a blank
    for mark in sorted(marks, key=lambda mark: mark.box[0]):
        gap = mark.box[0] - end
        if mark.text not in ")(][√°" or not -0.4 <= gap <= GAP or mark.box[2] > free + 0.3 or not _level(mark):
            continue
        if mark.text == "√" and not opened:
            continue
        opened = mark.text == "("
        end = mark.box[2] if mark.text != "√" else mark.box[2] - 0.3
        yield mark


def _level(mark: Mark) -> bool:
    """Whether a sign stands about where letters of its line do."""
    return -0.35 <= (mark.box[1] + mark.box[3]) / 2.0 <= 1.35 or mark.text in "√()"


def _texture_of(word: Word, mark: Mark) -> bool:
    """Whether a texture sign stands left of its value and below the bar, or below a value over the short leg; on its head, right of it or
    with its check over it.

    Creo writes the value before the long leg and over the short one, half of the sign below the baseline; ISO 1302 behind the long leg,
    under the bar that begins at its end.
    """
    left, foot, right, top = mark.box
    if mark.is_turned:
        level = 0.9 <= foot <= 1.9 and left - 3.0 <= word.begin and word.end < left + 0.6
        inside = -1.2 <= foot <= 0.4 and top > 2.2 and word.begin > left + 0.6 and word.end < right + 0.8
        return level or inside
    under = -1.2 <= foot <= 0.7 and top > 0.6 and left - 0.3 <= word.begin <= right + 1.5 and word.begin > left + 0.2
    over = -1.2 <= top - 1.0 <= 1.5 and foot < -0.2 and abs(word.end - left) < 1.5
    knee = foot + (top - foot) / 2.0
    before = foot < -0.8 and -1.2 <= knee <= 0.2 and left - 1.5 <= word.begin and left < word.end < right
    behind = foot < -0.8 and 1.0 <= top <= 2.2 and -0.3 <= word.begin - right <= 1.0
    return under or over or before or behind


def _circled(pieces: SheetStrokes, texts: list[Text]) -> Iterator[_Found]:
    """Letters in circles in line with a number: Ⓜ Ⓛ Ⓟ; a circle with a letter that stands alone is a balloon or a zone."""
    single = [text for text in texts if len(text.text.strip()) == 1 and text.text.strip().upper() in _LETTERS]
    if not single:
        return
    placed = _Lettering(texts)
    for surroundings in pieces.surroundings(single, 2.0):
        v, radius = surroundings.rounds[:, 1], surroundings.rounds[:, 2]
        large = (radius >= 0.55) & (radius <= 1.4) & (np.abs(v - 0.5) < 0.4 * radius)
        for place in np.unique(surroundings.round_of[large]).tolist():
            yield from _circle_round(surroundings.texts[place].text.strip().upper(), surroundings.near(place), placed)


def _circle_round(letter: str, near: Near, placed: _Lettering) -> Iterator[_Found]:
    if not near.words:
        return
    middle = (near.words[0].begin + near.words[0].end) / 2.0
    for (u, v, radius), number in zip(near.rounds.tolist(), near.round.tolist(), strict=True):
        if 0.55 <= radius <= 1.4 and abs(u - middle) < 0.4 * radius and abs(v - 0.5) < 0.4 * radius:
            box = (u - radius, v - radius, u + radius, v + radius)
            if placed.in_line(near.frame, box):
                yield _Found(Mark(chr(ord("Ⓐ") + ord(letter) - ord("A")), box, circles=frozenset([number])), near)
            return


_LETTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


class _Lettering:
    """Where the words of a sheet stand."""

    def __init__(self, texts: list[Text]) -> None:
        self.texts = texts
        turn = np.radians([text.angle for text in texts])
        self.origin = np.array([text.origin for text in texts])
        self.along = np.column_stack([np.cos(turn), np.sin(turn)])
        self.height = np.array([text.height for text in texts])
        self.width = np.array([text.width for text in texts]) / self.height
        self.angle = np.array([text.angle for text in texts])
        self.x, self.y = (np.ascontiguousarray(column) for column in self.origin.T)
        self.reach = (self.width + HIGHEST) * self.height * 1.01

    def seen(self, point: Array, of: Indices) -> Array:
        """(n, 2) where a point is in the frame of some texts."""
        offset, along = point - self.origin[of], self.along[of]
        u = scalar_products(offset, along)
        v = offset[:, 1] * along[:, 0] - offset[:, 0] * along[:, 1]
        seen: Array = np.column_stack([u, v]) / self.height[of, None]
        return seen

    def covers(self, found: _Found) -> bool:
        """Whether a word is written where a sign is: its strokes are that word's, drawn over.

        AutoCAD's comments about stroke fonts stand in boxes far higher than the letters that they repeat.
        """
        middle = _middle(found)
        near = np.flatnonzero((np.abs(self.y - middle[1]) < self.reach) & (np.abs(self.x - middle[0]) < self.reach))
        seen = self.seen(middle, near)
        over = (seen[:, 1] > -0.1) & (seen[:, 1] < HIGHEST) & (seen[:, 0] > 0.0) & (seen[:, 0] < self.width[near])
        over &= self.height[near] < 2.0 * found.near.frame.height
        if found.mark.text == "√":  # its own value may stand between its legs
            over &= (self.origin[near] != (found.near.frame.x, found.near.frame.y)).any(axis=1)
        for place, u in zip(near[over].tolist(), seen[over, 0].tolist(), strict=True):
            if any(word.begin + 0.05 < u < word.end - 0.05 for word in words(self.texts[place])):
                return True
        return False

    def in_line(self, frame: Frame, box: Box) -> bool:
        """Whether a number stands left or right of a box on the same baseline."""
        left, _, right, _ = box
        begin = frame.seen(self.origin)
        alike = (np.abs((self.angle - frame.angle + 180.0) % 360.0 - 180.0) < 2.0) & (np.abs(begin[:, 1]) < 0.5)
        scale = self.height / frame.height
        alike &= (scale > 0.6) & (scale < 1.7)
        end = begin[:, 0] + self.width * scale
        close = alike & ((np.abs(begin[:, 0] - right) < GAP) | (np.abs(left - end) < GAP))
        return any(any(sign.isdigit() for sign in self.texts[place].text) for place in np.flatnonzero(close))


def _middle(found: _Found) -> Array:
    left, bottom, right, top = found.near.frame.box(found.mark.box)
    return np.array([(left + right) / 2.0, (bottom + top) / 2.0])


def _paired(found: list[_Found]) -> list[_Found]:
    """All but brackets that have no fellow."""
    kept = [one for one in found if one.mark.text not in "()[]"]
    for opens, closes in ("()", "[]"):
        kept += _pairs(
            [one for one in found if one.mark.text == opens], [one for one in found if one.mark.text == closes]
        )
    return kept


def _pairs(opening: list[_Found], closing: list[_Found]) -> list[_Found]:
    """Brackets that open and the nearest alike on their line that closes."""
    kept: list[_Found] = []
    if not closing:
        return kept
    middles = np.array([_middle(one) for one in closing])
    radii = np.array([one.mark.radius * one.near.frame.height for one in closing])
    for left in opening:
        frame = left.near.frame
        u, v = frame.seen(middles).T
        scale = radii / frame.height
        apart = u - left.mark.box[2]
        fellow = (apart > 0.4) & (apart < APART) & (np.abs(v - (left.mark.box[1] + left.mark.box[3]) / 2.0) < 0.3)
        fellow &= np.abs(scale - left.mark.radius) < 0.12 * left.mark.radius
        if fellow.any():
            place = int(np.where(fellow, apart, np.inf).argmin())
            kept += [left, closing[place]]
    return kept


def _once(found: Iterable[_Found]) -> Iterator[_Found]:
    """Each sign once, though several texts stand beside it."""
    strokes: set[int] = set()
    circles: set[int] = set()
    for one in sorted(found, key=lambda one: -len(one.mark.strokes) - 2 * len(one.mark.circles)):
        if one.mark.strokes & strokes or one.mark.circles & circles:
            continue
        strokes |= one.mark.strokes
        circles |= one.mark.circles
        yield one


def _symbol(found: _Found, sheet: Sheet, pieces: SheetStrokes) -> Symbol:
    mark = found.mark
    entities = {pieces.entity(stroke) for stroke in mark.strokes}
    for circle in mark.circles:
        entities.update(pieces.members[circle])
    frame = found.near.frame
    angle = frame.angle + (180.0 if mark.is_turned else 0.0)
    return Symbol(mark.text, sheet.page, frame.box(mark.box), angle, tuple(sorted(entities - {-1})), 0.9)


def boxed(sheet: Sheet, box: Box, angle: float = 0.0) -> bool:
    """Whether a closed rectangle is drawn tightly round a box: a basic dimension. Of many boxes, ask `Ruling`.

    angle: direction of reading of what is in the box.
    """
    return _surrounded(_about(sheet.strokes.ends, box, angle), *_half(box, angle))


def struck(sheet: Sheet, box: Box, angle: float = 0.0) -> bool:
    """Whether a line is drawn through a box along its direction of reading, or from corner to corner."""
    return _crossed(_about(sheet.strokes.ends, box, angle), *_half(box, angle))


class Ruling:
    """`boxed` and `struck` for many boxes of one sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._ends = sheet.strokes.ends
        heights = [text.height for text in sheet.texts if _sound(text)]
        self._index = index_strokes(self._ends, 4.0 * float(np.median(heights)) if heights else 40.0)

    def boxed(self, box: Box, angle: float = 0.0) -> bool:
        """Whether a closed rectangle is drawn tightly round a box."""
        return _surrounded(self._about(box, angle), *_half(box, angle))

    def struck(self, box: Box, angle: float = 0.0) -> bool:
        """Whether a line is drawn through a box."""
        return _crossed(self._about(box, angle), *_half(box, angle))

    def _about(self, box: Box, angle: float) -> Array:
        margin = 1.5 * _unit(box)
        region = (box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin)
        return _about(self._ends[self._index.in_box(region)], box, angle)


def _unit(box: Box) -> float:
    """The lesser side of a box."""
    return max(min(box[2] - box[0], box[3] - box[1]), 1e-9)


def _half(box: Box, angle: float) -> tuple[float, float]:
    """Half the width and height of a box as it is read, in its unit."""
    wide, tall = (box[2] - box[0]) / _unit(box) / 2.0, (box[3] - box[1]) / _unit(box) / 2.0
    return (wide, tall) if abs(np.sin(np.radians(angle))) < 0.5 else (tall, wide)


def _about(ends: Array, box: Box, angle: float) -> Array:
    """The strokes about a box, from its middle, along its direction of reading, in its unit; lesser u first."""
    unit = _unit(box)
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    margin = 1.5 * unit
    near = (low <= [box[2] + margin, box[3] + margin]).all(axis=1)
    near &= (high >= [box[0] - margin, box[1] - margin]).all(axis=1)
    cosine, sine = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    middle = np.array([box[0] + box[2], box[1] + box[3]]) / 2.0
    points = (ends[near].reshape(-1, 2) - middle) @ np.array([[cosine, -sine], [sine, cosine]]) / unit
    lines: Array = points.reshape(-1, 4)
    back = lines[:, 0] > lines[:, 2]
    lines[back] = lines[back][:, [2, 3, 0, 1]]
    return lines


def _surrounded(lines: Array, wide: float, tall: float) -> bool:
    """Whether there is a side above, below, left and right, each about as long as it has to be."""
    u, v = lines[:, [0, 2]], np.sort(lines[:, [1, 3]], axis=1)
    level, upright = np.ptp(v, axis=1) < 0.03, np.ptp(u, axis=1) < 0.03
    reach = level & (u[:, 0] < -0.9 * wide) & (u[:, 1] > 0.9 * wide) & (np.ptp(u, axis=1) < 2.0 * wide + 2.4)
    stands = upright & (v[:, 0] < -0.8 * tall) & (v[:, 1] > 0.8 * tall) & (np.ptp(v, axis=1) < 2.0 * tall + 1.4)
    sides = ((v[reach, 0], tall), (-v[reach, 0], tall), (u[stands, 0], wide), (-u[stands, 0], wide))
    return all(bool(((off > 0.7 * half) & (off < half + 0.8)).any()) for off, half in sides)


def _crossed(lines: Array, wide: float, tall: float) -> bool:
    """Whether a line goes through from side to side, level near the middle or from corner to corner."""
    covers = (lines[:, 0] < -0.75 * wide) & (lines[:, 2] > 0.75 * wide)
    covers &= lines[:, 2] - lines[:, 0] < 2.0 * wide + 1.5
    rise = np.abs(lines[:, 1] - lines[:, 3])
    middle = np.abs(lines[:, 1] + lines[:, 3]) / 2.0
    level = (rise < 0.1) & (middle < 0.25 * tall)
    corner = (rise > 0.6 * tall) & (rise < 2.6 * tall) & (middle < 0.3 * tall)
    return bool((covers & (level | corner)).any())
