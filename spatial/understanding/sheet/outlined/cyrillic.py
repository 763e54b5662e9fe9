"""Words of drawn lettering on sheets in Cyrillic, whose letters share many shapes with Latin ones, and on sheets that are not."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Flags
from spatial.understanding.sheet.outlined.classes import ACCENTED, CLASSES, CYRILLIC, DRAWN_CYRILLIC
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

SHARED: Final = 0.1
"""Chance of a Latin letter from which that of the Cyrillic one of its slanted shape is its own, on a sheet that is not in Cyrillic."""
MOSTLY_LATIN: Final = 0.5
"""Chance of Cyrillic letters below which a glyph of such a sheet is one of the others."""
WORD: Final = 3
"""Letters of a word that is in the language of the sheet."""
DOTLESS: Final = "ı"
"""A letter that is read as one that looks like it: outside Turkish it is an i that lost its dot."""

LIKE_DIGITS: Final = frozenset("гзЗэЭбБ")
"""Letters that only Cyrillic has and that 2, 3 and 6 are drawn like."""
KINDS, IN_WORDS = 2, 6
"""Other letters of its own, each unlike the next, from which a row is a Cyrillic word, and letters of such words."""
MANY, PART = 8, 0.05
"""Letters of its own, and part of all glyphs, from which a sheet is lettered in Cyrillic."""

CYRILLIC_TWINS: Final = dict(zip("ABCEHKMOPTXYaceopxykumn", "АВСЕНКМОРТХУасеорхукитп", strict=True))
"""Slanted и, т and п are drawn as u, m and n."""


def is_cyrillic(reads: list[ReadRow]) -> bool:
    """Whether many glyphs of a sheet are letters that only Cyrillic has, in words: lettering of other offices draws 2 and 3 as г and з."""
    own = [CLASSES.index(sign) for sign in CYRILLIC]
    letters, of_words, glyphs = 0, 0, 0
    for read in reads:
        if read.certainty <= SURE:
            continue
        chances = read.chances[:, own]
        found = chances.max(axis=1) > SURE
        kinds = {CYRILLIC[place] for place in chances[found].argmax(axis=1).tolist()} - LIKE_DIGITS
        glyphs += len(found)
        letters += int(found.sum())
        of_words += int(found.sum()) if len(kinds) >= KINDS else 0
    return letters >= MANY and letters > PART * glyphs and of_words >= IN_WORDS


def as_latin(chances: Floats, dotless: Flags) -> Floats:
    """(n, c) chances without the Cyrillic letters; those of the shape of a Latin letter that the glyph may be are counted to it."""
    joined = chances.copy()
    joined[dotless, CLASSES.index("i")] += chances[dotless, CLASSES.index(DOTLESS)]
    for latin, sign in CYRILLIC_TWINS.items():
        if sign in CLASSES:
            one, other = CLASSES.index(latin), CLASSES.index(sign)
            joined[:, one] += np.where(chances[:, one] >= SHARED, chances[:, other], 0.0)
    kept = _without(joined, DOTLESS + CYRILLIC + DRAWN_CYRILLIC)
    lost = 1.0 - kept.sum(axis=1, keepdims=True) - chances[:, [CLASSES.index(DOTLESS)]]
    rest = np.where(lost < MOSTLY_LATIN, np.maximum(1.0 - lost, MOSTLY_LATIN), 1.0)
    return np.asarray(kept / rest, np.float32)


def without_accents(chances: Floats) -> Floats:
    """(n, c) chances on a sheet in Cyrillic, where no letter has the accents of Latin ones."""
    accented = [CLASSES.index(sign) for sign in ACCENTED if sign != DOTLESS]
    left = 1.0 - chances[:, accented].sum(axis=1, keepdims=True)
    return np.asarray(_without(chances, ACCENTED) / np.maximum(left, SHARED), np.float32)


def _without(chances: Floats, signs: str) -> Floats:
    kept = chances.copy()
    kept[:, [CLASSES.index(sign) for sign in signs]] = 0.0
    return kept


def settle_script(word: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """A word on a sheet lettered in Cyrillic: its letters are Cyrillic, where it has such a letter or is no sign of a size."""
    own = _has_own(word, spelled)
    if not own and (len(word) < WORD or not all(_may_be_cyrillic(chances[place], spelled[place]) for place in word)):
        return
    for place in word:
        sign = spelled[place].sign
        if sign.isalpha() and sign not in CYRILLIC + DRAWN_CYRILLIC:
            twin = CYRILLIC_TWINS.get(sign)
            spelled[place] = Spelled(twin, spelled[place].chance) if twin else Spelled(UNREAD, 0.0)
        elif sign == UNREAD:
            spelled[place] = _as_cyrillic(chances[place])


def _may_be_cyrillic(chances: Floats, spelled: Spelled) -> bool:
    """Whether a glyph is a letter, or one that could not be told because Latin and Cyrillic share its shape."""
    return spelled.sign.isalpha() or (spelled.sign == UNREAD and _as_cyrillic(chances).sign != UNREAD)


def _has_own(word: list[int], spelled: list[Spelled]) -> bool:
    """Whether a word has a letter that only Cyrillic has."""
    return any(spelled[place].sign in CYRILLIC for place in word)


def settle_between(words: list[list[int]], chances: Floats, spelled: list[Spelled]) -> None:
    """A word too short to tell, beside a word that has letters of its own: slanted по is drawn as no; and initials at a name."""
    own = [_has_own(word, spelled) for word in words]
    for place, word in enumerate(words):
        beside = own[max(place - 1, 0) : place] + own[place + 1 : place + 2]
        initials = _initials(word, spelled)
        if any(beside) and not own[place] and (len(word) < WORD or initials):
            settled = [(each, _as_cyrillic(chances[each])) for each in initials or word]
            if all(letter.sign != UNREAD for _, letter in settled):
                for each, letter in settled:
                    spelled[each] = letter
                own[place] = bool(initials)  # the next initial is of the same name


def _initials(word: list[int], spelled: list[Spelled]) -> list[int]:
    """The letters of a word that is capitals with a point behind each; none of any other."""
    letters, points = word[::2], word[1::2]
    is_pointed = len(letters) == len(points) and all(spelled[place].sign == "." for place in points)
    return letters if is_pointed and all(spelled[place].sign.isupper() for place in letters) else []


def _as_cyrillic(chances: Floats) -> Spelled:
    """The Cyrillic letter that a glyph is in either of its shapes: slanted, п is drawn as n or as п; unsure where it is none."""
    sums = {sign: float(chances[CLASSES.index(sign)]) for sign in CYRILLIC + DRAWN_CYRILLIC}
    for latin, sign in CYRILLIC_TWINS.items():
        sums[sign] = sums.get(sign, 0.0) + float(chances[CLASSES.index(latin)])
    best = max(sums, key=lambda sign: sums[sign])
    return Spelled(best, sums[best]) if sums[best] >= SURE else Spelled(UNREAD, 0.0)
