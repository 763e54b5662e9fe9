"""Letters whose shape only the reader of lines knows, from the words that it sees them in.

A font that the classifier of glyphs has not learned has letters that look to it like others: the w of one stroke font is its u, the A its
H. One glyph leaves open who is right. Where the reader of lines sees the same letter in the same shape in line after line, and never
another one, the words have said what that shape is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.alignment import Cell
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.recognise import ALONE, ReadRow, pictures_of

SEEN: Final = 0.8
"""Chance of a character to the reader of lines from which it sees it."""
DOUBTED: Final = 0.1
"""Chance to the classifier, look-alikes counted, up to which it sees another one."""
ENOUGH, LINES = 5, 3
"""Glyphs of a shape, and lines that they stand in, from which the reader of lines teaches it."""
ALIKE: Final = 0.1
"""Root of the mean square of the differences of the pictures of two glyphs of one shape; pixels are from 0 to 1."""
AS_LARGE: Final = 0.12
"""Part by which the heights of glyphs of one shape differ, in capital heights of their lines: w and W are of one shape."""
AGREED: Final = 0.9
"""Part of the glyphs of a shape that are the letter wherever the reader of lines sees one."""

SIGNS: Final = "/%"
"""Signs that stand within words and numbers, so that the reader of lines knows them by these."""


@dataclass(frozen=True, slots=True)
class _Glyph:
    row: int
    cell: int
    glyph: int
    sign: str
    """What the reader of lines sees."""
    is_seen: bool
    best: str
    """What the classifier sees."""
    is_doubted: bool


def taught_signs(reads: Sequence[ReadRow], cells: Sequence[Sequence[Cell]]) -> list[Mapping[int, str]]:
    """The letter of each cell of each row whose shape the reader of lines has taught."""
    glyphs = [each for row, read in enumerate(reads) for each in _glyphs(row, read, cells[row])]
    doubted: dict[str, list[_Glyph]] = defaultdict(list)
    for each in glyphs:
        if each.is_seen and each.is_doubted and each.sign in CLASSES and (each.sign.isalpha() or each.sign in SIGNS):
            doubted[each.sign].append(each)
    taught: list[dict[int, str]] = [{} for _ in reads]
    for sign, members in doubted.items():
        if not _is_enough(members):
            continue
        seen_as = {each.best for each in members}
        others = [
            each
            for each in glyphs
            if (each.sign == sign or each.best in seen_as)
            and not (each.is_seen and each.is_doubted and each.sign == sign)
        ]
        for each in _shape(reads, members, others):
            taught[each.row][each.cell] = sign
    return list(taught)


def _glyphs(row: int, read: ReadRow, cells: Sequence[Cell]) -> list[_Glyph]:
    found = []
    for place, cell in enumerate(cells):
        if len(cell.glyphs) == 1 and cell.part[1] == 1 and cell.character is not None:
            glyph, sign = cell.glyphs[0], cell.character.sign
            chance = float(read.alike[glyph, CLASSES.index(sign)]) if sign in CLASSES else 0.0
            best = CLASSES[int(read.chances[glyph].argmax())]
            is_seen = cell.character.chance >= SEEN
            found.append(_Glyph(row, place, glyph, sign, is_seen, best, chance <= DOUBTED))
    return found


def _is_enough(glyphs: Sequence[_Glyph]) -> bool:
    return len(glyphs) >= ENOUGH and len({each.row for each in glyphs}) >= LINES


def _shape(reads: Sequence[ReadRow], members: list[_Glyph], others: list[_Glyph]) -> list[_Glyph]:
    """Those of the glyphs that have the shape most of the members have; none where not enough have it or it is of several letters."""
    glyphs = members + others
    pictures, high = _drawn(reads, glyphs)
    usual, size = np.median(pictures[: len(members)], axis=0), float(np.median(high[: len(members)]))
    near = np.sqrt(np.mean((pictures - usual) ** 2, axis=1)) <= ALIKE
    sign = members[0].sign
    if not ALONE[CLASSES.index(sign)]:
        near &= np.abs(high - size) <= AS_LARGE * size
    alike = [glyphs[place] for place in np.flatnonzero(near).tolist()]
    told = [each for each in alike if each.is_seen]
    agreed = [each for each in told if each.sign == sign]
    return alike if _is_enough(agreed) and len(agreed) >= AGREED * len(told) else []


def _drawn(reads: Sequence[ReadRow], glyphs: Sequence[_Glyph]) -> tuple[Floats, Array]:
    """Pictures (n, p) of the glyphs, and how high they are in capital heights of their lines (n,)."""
    of_row: dict[int, list[int]] = defaultdict(list)
    for place, each in enumerate(glyphs):
        of_row[each.row].append(place)
    rows = list(of_row)
    pictures: list[Floats] = [np.zeros(0, np.float32)] * len(glyphs)
    high = np.zeros(len(glyphs))
    for row, drawn in zip(rows, pictures_of([reads[row] for row in rows]), strict=True):
        boxes, height = reads[row].boxes, reads[row].height
        for place in of_row[row]:
            glyph = glyphs[place].glyph
            pictures[place] = drawn[glyph]
            high[place] = (boxes[glyph, 3] - boxes[glyph, 1]) / height
    return np.stack(pictures), high
