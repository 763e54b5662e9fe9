"""Which characters the codes of a font stand for, where its glyphs draw others than the text layer claims.

A font is judged by blocks of 128 codes: fonts that hold Cyrillic in the places of code page 1251 are right in ASCII. One map of codes
explains all of a block, a code page or a constant shift, or else its glyphs are read one by one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Final, TypeAlias

from spatial.knowledge.code_pages import CYRILLIC, READ_AS
from spatial.understanding.sheet.outlined.classes import CLASSES, NO_LETTER, SIGNS
from spatial.understanding.sheet.outlined.cyrillic import CYRILLIC_TWINS
from spatial.understanding.sheet.outlined.recognise import SAME
from spatial.understanding.sheet.text_layer.shapes import SeenFont

Map: TypeAlias = dict[str, str] | int
"""Characters by what they are taken for, or how far codes are shifted."""

BLOCK: Final = 7
"""Bits of a code within its block."""
AGREES, CONTRADICTS = 0.5, 0.01
"""How likely a glyph draws a character, from which and below which the outline agrees with it or contradicts it."""
READ: Final = 0.97
"""Chance of a class from which a glyph counts as read."""
SIGN, NO_CLAIM = 0.99, 0.001
"""The same of a sign of drawings that one glyph of a font draws instead of a letter, and of the letter."""
LYING: Final = 0.75
"""Part of the glyphs of a block that contradict its codes where the codes are wrong."""
ODD: Final = 0.2
"""The same where only those glyphs are wrong; fonts with odd letters have less."""
EXPLAINED: Final = 0.8
"""Part of the glyphs that were read which the map of a block must explain."""
FEWEST: Final = 3
"""Glyphs from which a block that no map explains is not believed."""
FEWEST_SHIFTED: Final = 5
"""Glyphs that say how far codes are shifted."""

UNKNOWN: Final = "\ufffd"
TO_SPELL: Final = ""
"""What stands for a glyph whose code says nothing: its outline is read."""

_INSTEAD_OF_LETTERS: Final = SIGNS + "×Ø"
_MARKS: Final = frozenset("\u2022`^\u00a8\u00b4\u00b8")
"""Codes besides letters under which fonts of signs have theirs: bullets, and accents without a letter, which no sheet has."""
_SQUARED: Final = frozenset((letter, "□") for letter in "OoD0")
"""Letters of a square lettering, and the sign that they look like: among letters that are what their codes say they are letters."""


def meanings(font: SeenFont) -> dict[int, str]:
    """Place of a glyph in the font to its character, or to TO_SPELL; those whose codes are believed are left out."""
    blocks: dict[int, list[int]] = defaultdict(list)
    found: dict[int, str] = {}
    for place, claim in enumerate(font.claims):
        if claim == UNKNOWN:
            found[place] = TO_SPELL
        elif len(claim) == 1:
            blocks[ord(claim) >> BLOCK].append(place)
    maps = {block: chosen for block, members in blocks.items() if (chosen := _map_of(font, members)) is not None}
    for block, members in blocks.items():
        chosen = maps.get(block) or _map_beside(font, members, list(maps.values()))
        if chosen is not None:
            found |= {place: _sense(font, place, chosen) for place in members}
        elif _is_lying(font, members, FEWEST):
            found |= dict.fromkeys(members, TO_SPELL)
        else:
            found |= _doubted(font, members) | _signs(font, members)
    return {place: sign for place, sign in found.items() if sign != font.claims[place]}


def _is_lying(font: SeenFont, members: list[int], fewest: int) -> bool:
    """Whether most glyphs of a block that can be tested contradict its codes."""
    agreements = [font.trust(place) for place in members]
    tested = [each for each in agreements if each is not None]
    return len(tested) >= fewest and sum(each < CONTRADICTS for each in tested) >= LYING * len(tested)


def _map_of(font: SeenFont, members: list[int]) -> Map | None:
    """The map of a block whose codes are wrong; None where they are right or no map explains them."""
    if not _is_lying(font, members, 0):
        return None
    letters = _is_lying(font, members, 1) and any(font.claims[place].isalpha() for place in members)
    return _best_map(font, members, 1 if letters else FEWEST)


def _map_beside(font: SeenFont, members: list[int], maps: list[Map]) -> Map | None:
    """The map of other blocks of a font that explains all glyphs of this one that were read, where its own codes explain none."""
    read = [place for place in members if _is_read(font, place)]
    if not read or any((font.agreement(place, font.claims[place]) or 0.0) >= AGREES for place in members):
        return None
    return next((each for each in maps if _explained(font, read, each) == len(read)), None)


def _sense(font: SeenFont, place: int, chosen: Map) -> str:
    """What a glyph stands for in a block with a map: its outline decides where it says that the map is not for this glyph."""
    claim = font.claims[place]
    mapped = _mapped(chosen, claim)
    here, there = font.agreement(place, claim) or 0.0, font.agreement(place, mapped)
    if here >= AGREES and (there is None or there < AGREES):
        return claim
    return TO_SPELL if there is not None and there < NO_CLAIM and _is_read(font, place) else mapped


def _doubted(font: SeenFont, members: list[int]) -> dict[int, str]:
    """Glyphs that draw other characters beyond doubt, where there are too many of them in a block to be letters of an odd shape."""
    agreements = {place: font.trust(place) for place in members}
    tested = [each for each in agreements.values() if each is not None]
    found = {place: TO_SPELL for place, each in agreements.items() if each is not None and each < NO_CLAIM}
    return found if len(found) >= max(FEWEST, ODD * len(tested)) else {}


def _signs(font: SeenFont, members: list[int]) -> dict[int, str]:
    """Signs of drawings that glyphs of a block draw beyond doubt where their codes are letters or marks."""
    found = {}
    agreeing = sum((font.agreement(place, font.claims[place]) or 0.0) >= AGREES for place in members)
    for place in members:
        claim, top = font.claims[place], int(font.chances[place].argmax())
        agreement = font.agreement(place, claim)
        is_sign = CLASSES[top] in _INSTEAD_OF_LETTERS and font.alike[place, top] > SIGN
        if agreeing >= FEWEST and (claim, CLASSES[top]) in _SQUARED:
            continue
        is_no_claim = claim in _MARKS if agreement is None else agreement < NO_CLAIM
        if is_sign and is_no_claim and (claim.isalpha() or claim in _MARKS):
            found[place] = CLASSES[top]
    return found


def _best_map(font: SeenFont, members: list[int], fewest: int) -> Map | None:
    """The one map that explains what the glyphs of a block draw, at least `fewest`; None where there is none or several do."""
    read = [place for place in members if _is_read(font, place)]
    shifts = _shifts(font, read)
    maps: list[Map] = [*_code_pages(), *shifts]
    explained = [_explained(font, read, each) for each in maps]
    best = max(explained, default=0)
    if best < max(EXPLAINED * len(read), fewest):
        return None
    winners = [each for each, count in zip(maps, explained, strict=True) if count == best]
    results = {tuple(_mapped(each, font.claims[place]) for place in members) for each in winners}
    return winners[0] if len(results) == 1 else None


def _is_read(font: SeenFont, place: int) -> bool:
    top = int(font.chances[place].argmax())
    return CLASSES[top] != NO_LETTER and bool(font.alike[place, top] > READ)


def _shifts(font: SeenFont, read: list[int]) -> list[int]:
    """How far the codes of a block may be shifted, by what its glyphs draw."""
    votes = Counter(
        shift
        for place in read
        for shift in {ord(sign) - ord(font.claims[place]) for sign in _drawn_as(int(font.chances[place].argmax()))}
    )
    return [shift for shift, count in votes.most_common(3) if shift and count >= FEWEST_SHIFTED]


@cache
def _drawn_as(number: int) -> tuple[str, ...]:
    """The letters that may be drawn like a class: A is Latin or Cyrillic."""
    alike = [CLASSES[other] for other in SAME[number].nonzero()[0].tolist()]
    return (*alike, *(CYRILLIC_TWINS[sign] for sign in alike if sign in CYRILLIC_TWINS))


@cache
def _code_pages() -> tuple[dict[str, str], ...]:
    """Code pages of other letters: what their bytes are taken for, to the letter."""
    return tuple(_misread(page, other) for page in CYRILLIC for other in READ_AS)


def _misread(page: str, other: str) -> dict[str, str]:
    pairs = {}
    for byte in range(0x80, 0x100):
        code = bytes([byte])
        claim, meant = code.decode(other, "ignore"), code.decode(page, "ignore")
        if claim and meant:
            pairs[claim] = meant
    return pairs


def _mapped(chosen: Map, claim: str) -> str:
    """What a claim means; TO_SPELL where the map has no such character."""
    if isinstance(chosen, dict):
        return chosen.get(claim, TO_SPELL)
    code = ord(claim) + chosen
    return chr(code) if 0x20 < code < 0x10000 else TO_SPELL


def _explained(font: SeenFont, read: list[int], chosen: Map) -> int:
    """How many of the glyphs that were read draw what a map says."""
    agreements = (font.agreement(place, _mapped(chosen, font.claims[place])) for place in read)
    return sum(each is not None and each >= AGREES for each in agreements)
