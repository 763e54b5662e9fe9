"""A line as both heads of the network read it: ours of lettering, and the network's own, which knows words (`line_head.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from spatial.understanding.sheet.outlined.classes import CYRILLIC, DRAWN_CYRILLIC, LOOK_ALIKES
from spatial.understanding.sheet.outlined.read_character import ReadCharacter, same_signs

SURE: Final = 0.93
"""Mean chance of the characters of a line from which the head that knows words is sure of it."""
CERTAIN: Final = 0.95
"""Chance of a character from which the head of lettering corrects a line that the other one is sure of."""
RINGS: Final = 3
"""Fewest Ø of a row of rings."""
BESIDE: Final = 1.5
"""Steps between the middles of what both see in one place, at most."""
DOUBT: Final = 0.4
"""Part of the chance that is left of a character where the other head is certain of another one: its glyph decides."""
UNSURE: Final = 0.6
"""Chance of a character of the head of lettering below which what the other one sees is taken."""
SHAPE: Final = 1 / 3
"""Power of the chances of the head of lettering among look-alikes: of D0 NOT it sees a ring, and the other head a word."""
LEAST: Final = 1e-3
"""Chance of a look-alike that a head does not name."""
GROUPS: Final = (*LOOK_ALIKES, "0O□")
"""Look-alikes; fonts of straight strokes draw an O as a rectangle."""
_POINTS: Final = frozenset(".,")
"""Some stroke fonts draw a point with a tail: the numbers around it and its glyph tell."""
_UNKNOWN: Final = frozenset(CYRILLIC + DRAWN_CYRILLIC + "⌵")
"""Characters that the network's own head has not."""
_ZEROS: Final = "0O"
_DIAMETER: Final = "Ø"
_ALIKE: Final = {sign: {each for group in GROUPS if sign in group for each in group} for sign in "".join(GROUPS)}


def together(lettering: Sequence[ReadCharacter], words: Sequence[ReadCharacter], step: float) -> list[ReadCharacter]:
    """The characters of a line as both heads see it. step: columns of a step.

    Where the head that knows words is sure of the line, it is taken, with what that head cannot say; elsewhere the head of lettering is,
    each character with a chance that says what the other one sees in its place.
    """
    if _is_row_of_rings(lettering):
        return list(words)
    seen = [_Seen(each, before) for before, each in zip((None, *words), words, strict=False)]
    if words and sum(each.chance for each in words) >= SURE * len(words):
        known = [each for each in lettering if each.sign.strip()]
        return [_corrected(each, _beside(each, known, step)) for each in seen]
    letters = [each for each in seen if each.sign.strip()]
    return [_at(each, _beside(each, letters, step)) if each.sign.strip() else each for each in lettering]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A character that the head which knows words sees, and the one before it, which may be a blank."""

    character: ReadCharacter
    before: ReadCharacter | None

    @property
    def sign(self) -> str:
        """As the classifier of glyphs writes it."""
        return same_signs(self.character.sign)

    @property
    def middle(self) -> float:
        """In columns of the picture."""
        return self.character.middle

    @property
    def is_within_word(self) -> bool:
        return self.before is not None and self.before.sign.isalnum()


_Placed = TypeVar("_Placed", ReadCharacter, _Seen)


def _beside(character: ReadCharacter | _Seen, line: Sequence[_Placed], step: float) -> _Placed | None:
    """What of a line stands where a character does."""
    nearest = min(line, key=lambda each: abs(each.middle - character.middle), default=None)
    return nearest if nearest is not None and abs(nearest.middle - character.middle) <= BESIDE * step else None


def _is_row_of_rings(line: Sequence[ReadCharacter]) -> bool:
    """Whether most of a line are Ø: no text says that, but heads of screws and holes with a slot in them stand in rows."""
    signs = [each.sign for each in line if each.sign.strip()]
    return signs.count(_DIAMETER) >= max(RINGS, len(signs) / 2)


def _corrected(seen: _Seen, lettering: ReadCharacter | None) -> ReadCharacter:
    """A character of the head that knows words; a Ø that begins a number, and what it does not know, as the head of lettering sees it."""
    if lettering is None or lettering.chance < CERTAIN:
        return seen.character
    is_diameter = lettering.sign == _DIAMETER and seen.sign in _ZEROS and not seen.is_within_word
    return lettering if is_diameter or lettering.sign in _UNKNOWN else seen.character


def _at(character: ReadCharacter, seen: _Seen | None) -> ReadCharacter:
    if seen is None:
        return character
    other, sign = seen.character, seen.sign
    if sign == character.sign:
        return replace(character, chance=1.0 - (1.0 - character.chance) * (1.0 - other.chance))
    if character.sign == _DIAMETER and sign in _ZEROS:  # lettering may strike its zeros
        return replace(other, others=((_DIAMETER, character.chance),)) if seen.is_within_word else character
    if character.sign in _UNKNOWN:
        return character
    if {sign, character.sign} == _POINTS:
        return replace(other, sign=sign)
    if sign in _ALIKE.get(character.sign, ()):
        return _likelier(character, replace(other, sign=sign))
    best, rest = (character, other) if character.chance >= UNSURE else (replace(other, sign=sign), character)
    return replace(best, chance=best.chance * (1.0 - (1.0 - DOUBT) * rest.chance))


def _likelier(one: ReadCharacter, other: ReadCharacter) -> ReadCharacter:
    """The likelier of two look-alikes to both heads. one: as the head of lettering sees it; other: as the head that knows words does."""
    first = one.chance**SHAPE * _chance(other, one.sign)
    second = _chance(one, other.sign) ** SHAPE * other.chance
    best, rest = (one, other) if first >= second else (other, one)
    chance = max(first, second) / (first + second) * max(one.chance, other.chance)
    return replace(
        best,
        chance=chance,
        others=((rest.sign, max(1e-6, 1.0 - chance)), *(each for each in best.others if each[0] != rest.sign)),
    )


def _chance(character: ReadCharacter, sign: str) -> float:
    return max(dict(character.others).get(sign, 0.0), LEAST)
