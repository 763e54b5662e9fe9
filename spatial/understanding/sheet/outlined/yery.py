"""The letter ы, whose two parts do not touch: ь and a stem as high as it is, which no Cyrillic letter is by itself."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

GAP: Final = 0.5
"""Capital heights between the two parts, at most."""
LEVEL: Final = 0.08
"""Capital heights by which their feet and tops differ, at most."""
_YERY: Final = {"ь": "ы", "Ь": "Ы"}
_STEMS: Final = [CLASSES.index(sign) for sign in "ıIl|"]


def join_yery(read: ReadRow, words: list[list[int]], spelled: list[Spelled]) -> list[list[int]]:
    """The words without the stems of ы, each of which is one glyph with the ь before it."""
    return [_joined(read, word, spelled) for word in words]


def _joined(read: ReadRow, word: list[int], spelled: list[Spelled]) -> list[int]:
    kept: list[int] = []
    for place in word:
        if kept and kept[-1] == place - 1 and _is_stem_of(read, place - 1, place, spelled):
            before = kept[-1]
            read.boxes[before, 2:] = read.boxes[[before, place], 2:].max(axis=0)
            chance = min(spelled[before].chance, _stem(read, place))
            spelled[before] = spelled[place] = Spelled(_YERY[spelled[before].sign], chance)
        else:
            kept.append(place)
    return kept


def _is_stem_of(read: ReadRow, before: int, place: int, spelled: list[Spelled]) -> bool:
    one, other = read.boxes[before], read.boxes[place]
    level = abs(one[[1, 3]] - other[[1, 3]]).max() <= LEVEL * read.height
    near = other[0] - one[2] <= GAP * read.height
    return spelled[before].sign in _YERY and bool(level and near) and _stem(read, place) >= SURE


def _stem(read: ReadRow, place: int) -> float:
    """The chance that a glyph is a bare stem."""
    return float(read.chances[place, _STEMS].sum())
