"""Which of several look-alikes a glyph is: its neighbours decide, as in 10 and NO, In and ln.

Glossary
  unsure   a glyph whose character could not be told; it is U+FFFD, as a character whose font does not say what it is.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Final

import numpy as np

from spatial.knowledge import vocabulary
from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Flags
from spatial.understanding.sheet.outlined.classes import CLASSES, DIAMETER_SIGNS, DIGITS, LATIN, NO_LETTER
from spatial.understanding.sheet.outlined.cyrillic import (
    DOTLESS,
    as_latin,
    settle_between,
    settle_script,
    without_accents,
)
from spatial.understanding.sheet.outlined.features import Floats
from spatial.understanding.sheet.outlined.network import network
from spatial.understanding.sheet.outlined.recognise import DIAMETER, SAME, ReadRow
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

DECIDED: Final = 0.8
"""Part of the chance of a character and its look-alikes which one of them must have to be chosen without its neighbours."""
LIKELY: Final = 0.6
"""The same of a digit right behind a digit, as before the unit of a number."""
TOLD: Final = 0.55
"""Chance from which a character is believed that the reader of lines is sure of among characters of its kind, and both see first."""
SURE_BESIDE: Final = 4
"""Glyphs of a line for each one that is settled so."""
PLAIN: Final = 0.97
"""The same, where the neighbours say nothing."""

SMALL_STEM: Final = (0.6, 0.8)
"""Capital heights of a small letter without an ascender."""
LEFT: Final = 0.5
"""Chance of the characters that a glyph may be by its place, from which the others are left out."""
WITHIN: Final = 0.12
"""The same of what may stand between two digits, where no letter does: the / of a date looks like l and I."""
LOW: Final = 0.4
"""Heights of the character before it up to which a point or a comma reaches."""
POINT_LOW, POINT_HIGH, POINT_WIDE = 0.06, 0.22, 0.25
"""Capital heights that a point reaches below the baseline, over it and along it at most."""
LOWER: Final = 0.12
"""Capital heights by which a small letter is lower than its capital where its height tells them apart."""
SMALL_ROUND: Final = 0.86
"""Capital heights below which a round letter is small."""
MOST_DOUBTFUL: Final = 6
"""Look-alikes of a word that is sought in the vocabulary."""
LETTERS: Final = 2
"""Letters that make a word of letters."""
SMALL_WORD: Final = 3
"""Small letters that make a word of small letters, its first one left out."""

_CASES: Final = frozenset("cCsSvVwWxXzZuUpPkKjJyYoOöÖüÜ" + "вгжзийклмнптуфцчшщъыьэюяВГЖЗИЙКЛМНПТУФЦЧШЩЪЫЬЭЮЯ")
_ROUND, _STRAIGHT = frozenset("0Oo"), frozenset("1Il|")
_NUMBER: Final = re.compile(r"[±+-]?\d+(?:[.,]\d+)?")
_DECIMAL: Final = re.compile(r"(?:\d|[±+(\[-]|^)[.,]\d*$")
"""What a number looks like up to a decimal place, which no O stands at: 0.70REF; nor does one alone behind a sign, as in +0."""
_SIGNED: Final = re.compile(r"(?:^|[\d°\"'(\[])[±+-]$|±$")
"""What stands before the first figure of a deviation, whose zeros are as low as an o where it is smaller than its size: 14-0.1(VA)."""
_HUNDREDS: Final = re.compile(r"(?<!\w)[Il1|][Oo0]{2,}(?!\w)")
"""Stems and rings that are a number, as 1000 in 1000/BAG: no word is of these alone."""
_RATIO: Final = re.compile(r"(?<!\S)[\dIl|]{1,4} ?: ?[\dIl|]{1,4}(?!\S)")
_KILO: Final = re.compile(rf"(?P<number>{_NUMBER.pattern})?(?P<kilo>K)(?:Hz|g|N|V|W|A|Pa|m|Ω)\W*")
_DIAMETERS: Final = frozenset("Øø")
"""Letters that a diameter sign looks like, which is higher than they are."""
_WORD: Final = re.compile(r"(?<![^\W\d_])(?<![\\)\]?*+|(:\[])[^\W\d_]{2,}+(?!\[[^\]]*\](?!\?))")
"""A word of an entry of the vocabulary, which may be a fragment: `tod` and `ao` of `tod[ao]s` and `es` of `bisel(?:es)?` are none."""
_UNITS: Final = frozenset(
    f"{prefix}{unit}"
    for prefix in ("", "k", "m", "g", "µ", "u", "n", "p")
    for unit in ("hz", "v", "vac", "vdc", "vrms", "a", "w", "ω", "n", "nm", "pa", "m", "g", "s", "h", "f")
) | {"in", "cm", "ppm", "rpm", "db", "°c", "u", "µ"}
"""Units behind a number, in small letters (ISO 80000-1 with usual endings of voltages); µ and µ" of platings, which u stands for."""
_TOLERANCE_CLASS: Final = re.compile(r"[A-Za-z]{1,2}[\dOoIl|]{1,2}[)\]]?")
"""What stands behind the last figure of a size that is a fit (ISO 286-1): 120m6."""
_SHEETS: Final = re.compile(r"\d{1,2}OF\d{1,2}")
"""Sheet and number of sheets without blanks between."""
_AFTER_CAPITAL_I: Final = frozenset("nfstd")
_VOWELS: Final = frozenset("aeiouyäöü")
_IN_NUMBERS: Final = [CLASSES.index(sign) for sign in DIGITS + "/-:×"]
_OF_NUMBERS: Final = frozenset(["", *DIGITS, *".,-±/"])
"""What stands beside a figure of a number; nothing at its ends."""
_DECIMAL_POINT: Final = re.compile(r"(?:\d|(?:^|[Ø⌀R(\[±+-])[Oo])[.,]$")
"""A word up to the point of a number, before its zeros are told from letters."""
_COLON: Final = CLASSES.index(":")
_DIAMETER_CLASSES: Final = [CLASSES.index(sign) for sign in DIAMETER_SIGNS]
_ACCENTED_O: Final = [CLASSES.index(sign) for sign in "óòőôöÓÒŐÔÖ"]
_COUNTED: Final = re.compile(r"\d{1,3}[-xX×]|[(\[]")
"""What stands before the sign of a size: a count, or a bracket."""
_FIGURES: Final = [CLASSES.index(sign) for sign in DIGITS]
_POINTS: Final = [CLASSES.index(sign) for sign in ".,"]


def spell(read: ReadRow, words: list[list[int]], *, cyrillic: bool) -> list[Spelled]:
    """The characters of a row.

    words: places of the glyphs of each word. cyrillic: whether the sheet is lettered in Cyrillic words.
    """
    dotless = _dotless(read) if not cyrillic else np.zeros(len(read.boxes), bool)
    usual = _usual(read, dotless, cyrillic=cyrillic) if read.framed else None
    chances = without_accents(read.chances) if cyrillic else as_latin(read.chances, dotless)
    if usual is not None:
        chances = _in_place(usual, chances)
    alike = np.maximum(read.alike, chances @ SAME)
    spelled = [_first_guess(chances[place], alike[place]) for place in range(len(chances))]
    _settle_told(read, chances, spelled)
    if read.framed:
        _settle_points(read, spelled)
    for number, word in enumerate(words):
        _settle_numbers(read, word, chances, spelled)
        _settle_case(read, word, chances, spelled)
        _settle_digits(read, word, chances, spelled)
        _settle_unit(word, words[number - 1] if number else [], chances, spelled)
        if cyrillic:
            _settle_figures(word, chances, spelled)
            settle_script(word, chances, spelled)
    _settle_apart(read, words, chances, spelled)
    if cyrillic:
        settle_between(words, chances, spelled)
    if usual is not None:
        for place, each in enumerate(spelled):
            if each.sign in CLASSES and not usual[place, CLASSES.index(each.sign)]:
                if _is_point_of_number(read, place, spelled):
                    continue
                is_diameter = each.sign in _DIAMETERS and usual[place, CLASSES.index(DIAMETER)]
                spelled[place] = Spelled(DIAMETER, each.chance) if is_diameter else Spelled(UNREAD, 0.0)
    _settle_diameters(words, chances, spelled)
    _settle_brackets(chances, spelled)
    _settle_ratio(read, words, spelled)
    return spelled


def _usual(read: ReadRow, dotless: Flags, *, cyrillic: bool) -> Flags:
    """(n, c) the classes whose glyphs reach as low and as high as each glyph of a line does."""
    usual = read.usual
    usual[dotless, CLASSES.index("i")] = True
    if cyrillic:  # no reader of lines has seen it, and GOST 2.304 draws : in the middle of the line
        usual[:, _COLON] |= read.chances[:, _COLON] >= PLAIN
    return usual


def _in_place(usual: Flags, chances: Floats) -> Floats:
    """(n, c) chances without the classes that a glyph is too high or too low for."""
    left = np.where(usual, chances, 0.0)
    left[:, CLASSES.index(NO_LETTER)] = chances[:, CLASSES.index(NO_LETTER)]
    certain = left[:, 1:].sum(axis=1) >= LEFT
    return np.where(certain[:, None], left / np.maximum(left.sum(axis=1, keepdims=True), 1e-9), chances)


def _settle_points(read: ReadRow, spelled: list[Spelled]) -> None:
    """What is small and stands on the baseline is a point, whatever its shape looks like."""
    low, high = (read.boxes[:, [1, 3]] - read.baseline).T / read.height
    wide = (read.boxes[:, 2] - read.boxes[:, 0]) / read.height
    points = (low >= -POINT_LOW) & (low <= POINT_LOW) & (high <= POINT_HIGH) & (wide <= POINT_WIDE) & (high > low)
    for place in np.flatnonzero(points).tolist():
        if spelled[place].sign == UNREAD:
            spelled[place] = Spelled(".", SURE)


def _is_point_of_number(read: ReadRow, place: int, spelled: list[Spelled]) -> bool:
    """Whether a point stands at the foot of the digits beside it, which may be those of a deviation, smaller and higher than their size."""
    if spelled[place].sign not in (".", ",") or not 0 < place < len(spelled) - 1:
        return False
    before, after = read.boxes[place - 1], read.boxes[place + 1]
    high = float(before[3] - before[1])
    if not all(spelled[each].sign in DIGITS for each in (place - 1, place + 1)) or high <= 0:
        return False
    foot, top = float(read.boxes[place, 1] - before[1]) / high, float(read.boxes[place, 3] - before[1]) / high
    is_even = abs(float(after[1] - before[1])) <= POINT_LOW * high
    return is_even and -LOW / 2 <= foot <= POINT_LOW and top <= LOW


def _settle_numbers(read: ReadRow, word: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """Between two digits, what is not sure is what numbers are written with; low behind a capital or a whole number, it is a point."""
    for at in range(1, len(word)):
        before, place = word[at - 1], word[at]
        after = spelled[word[at + 1]].sign if at + 1 < len(word) else ""
        if spelled[place].sign != UNREAD:
            continue
        if after and after in DIGITS and _DECIMAL_POINT.search("".join(spelled[each].sign for each in word[:at])):
            _settle_among(_FIGURES, place, chances, spelled, WITHIN)
        if not (spelled[before].sign in DIGITS or spelled[before].sign.isupper()):
            continue
        base, top = float(read.boxes[before, 1]), float(read.boxes[before, 3])
        low = float(read.boxes[place, 3]) <= base + LOW * (top - base)
        is_within = spelled[before].sign in DIGITS and after != "" and after in DIGITS
        is_last = not after and (
            spelled[before].sign.isupper() or all(spelled[each].sign in DIGITS for each in word[:at])
        )
        if is_within or (low and is_last):
            _settle_among(_POINTS if low else _IN_NUMBERS, place, chances, spelled, WITHIN if is_within else LEFT)


def _settle_figures(word: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """In a number, what may be a figure or a letter of Cyrillic is a figure: 3 in 30893.2, which looks like Э."""
    signs = ["", *(spelled[place].sign for place in word), ""]
    for at, place in enumerate(word, 1):
        beside = signs[at - 1], signs[at + 1]
        is_in_number = any(sign != "" and sign in DIGITS for sign in beside) and all(
            sign in _OF_NUMBERS for sign in beside
        )
        if signs[at] == UNREAD and is_in_number:
            _settle_among(_FIGURES, place, chances, spelled, LEFT)


def _settle_ratio(read: ReadRow, words: list[list[int]], spelled: list[Spelled]) -> None:
    """On both sides of a colon that stands alone are numbers, as in a scale (ISO 5455): what looks like 1, I and l is 1 there.

    Two ones and a colon have no frame that tells how high and low each of them may reach.
    """
    places = [place for word in words for place in [-1, *word]][1:]
    shapes = [None if place < 0 else _first_guess(read.chances[place], read.alike[place]) for place in places]
    line = "".join(" " if shape is None else shape.sign for shape in shapes)
    for found in _RATIO.finditer(line):
        for at in range(*found.span()):
            if (shape := shapes[at]) is not None:
                spelled[places[at]] = Spelled("1", shape.chance) if shape.sign in _STRAIGHT else shape


def _settle_diameters(words: list[list[int]], chances: Floats, spelled: list[Spelled]) -> None:
    """What stands right before a number and is a diameter sign or no letter at all is that sign: no other one has its circle and bar.

    A short bar looks like an accent, and no letter with one stands before a number.
    """
    starts = [(word, at) for word in words for at in range(len(word)) if _begins_size(word, at, spelled)]
    for whole, at in starts:
        word = whole[at:]
        place = word[0]
        signs = float(chances[place][_DIAMETER_CLASSES].sum())
        if signs >= WITHIN:
            signs += float(chances[place][_ACCENTED_O].sum())
        rest = float(chances[place][CLASSES.index(NO_LETTER)])
        is_before_number = len(word) > 1 and spelled[word[1]].sign in DIGITS
        if is_before_number and spelled[place].sign == UNREAD and signs >= LIKELY and signs + rest >= PLAIN:
            spelled[place] = Spelled(DIAMETER, signs)


def _begins_size(word: list[int], at: int, spelled: list[Spelled]) -> bool:
    """Whether a glyph is the first of a word, or stands behind a dash that follows a count: 4-Ø4.2."""
    return at == 0 or bool(_COUNTED.fullmatch("".join(spelled[place].sign for place in word[:at])))


def _settle_brackets(chances: Floats, spelled: list[Spelled]) -> None:
    """Brackets stand in pairs: what may be the one that another one lacks is it, where one glyph alone may be."""
    for opening, closing in ("()", "[]"):
        signs = [each.sign for each in spelled]
        if signs.count(opening) == signs.count(closing):
            continue
        lacking, other = (opening, closing) if signs.count(opening) < signs.count(closing) else (closing, opening)
        at = signs.index(other) if lacking == opening else len(signs) - 1 - signs[::-1].index(other)
        sought = range(at) if lacking == opening else range(at + 1, len(signs))
        number = CLASSES.index(lacking)
        found = [place for place in sought if signs[place] == UNREAD and chances[place][number] >= WITHIN]
        if len(found) == 1 and abs(signs.count(opening) - signs.count(closing)) == 1:
            spelled[found[0]] = Spelled(lacking, SURE)


def _settle_apart(read: ReadRow, words: list[list[int]], chances: Floats, spelled: list[Spelled]) -> None:
    """What stands alone between two numbers with blanks around it: 1 / 2."""
    for first, alone, last in zip(words, words[1:], words[2:], strict=False):
        if len(alone) == 1:
            _settle_numbers(read, [first[-1], *alone, last[0]], chances, spelled)


def _settle_among(members: list[int], place: int, chances: Floats, spelled: list[Spelled], least: float) -> None:
    """A glyph is that of these classes which it is beyond doubt among them, where their chance together is no less than `least`."""
    among = chances[place][members]
    best = int(among.argmax())
    if among.sum() >= least and among[best] >= SURE * among.sum():
        spelled[place] = Spelled(CLASSES[members[best]], float(among[best] / among.sum()))


def _settle_told(read: ReadRow, chances: Floats, spelled: list[Spelled]) -> None:
    """A letter in a word of letters that are sure is the one that the reader of lines is sure of, where the glyph looks like it most.

    A line that stands upside down has more than one such glyph.
    """
    open_ = [place for place, each in enumerate(spelled) if each.sign == UNREAD]
    if not read.told or len(open_) * SURE_BESIDE > len(spelled):
        return
    for place in open_:
        top = int(chances[place].argmax())
        sign, beside = read.told[place], read.told[max(place - 1, 0) : place + 2]
        is_within = len(beside) == len("ABC") and all(each.isalpha() for each in beside)
        is_letter = sign in LATIN and (sign not in _ROUND | _STRAIGHT or is_within)  # A0 ends with a figure
        if is_letter and sign == CLASSES[top] and chances[place][top] >= TOLD:
            spelled[place] = Spelled(sign, float(chances[place][top]))


def _dotless(read: ReadRow) -> Flags:
    """(n,) whether a glyph is a stem as high as a small letter: an i that lost its dot."""
    high = (read.boxes[:, 3] - read.baseline) / read.height
    is_small = (high >= SMALL_STEM[0]) & (high <= SMALL_STEM[1])
    return np.asarray(is_small & (read.chances[:, CLASSES.index(DOTLESS)] >= PLAIN) & read.framed)


def _first_guess(chances: Floats, alike: Floats) -> Spelled:
    top = int(chances.argmax())
    if CLASSES[top] == NO_LETTER or alike[top] < SURE:
        return Spelled(UNREAD, 0.0)
    return Spelled(CLASSES[top], float(alike[top]))


def _share(chances: Floats, sign: str, group: frozenset[str] | tuple[str, ...] | str) -> float:
    total = sum(float(chances[CLASSES.index(each)]) for each in group)
    return float(chances[CLASSES.index(sign)]) / max(total, 1e-9)


def _settle_case(read: ReadRow, word: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """Letters whose small form is a smaller capital: their height tells, else the letters beside them."""
    for at, place in enumerate(word):
        sign = spelled[place].sign
        if sign not in _CASES:
            continue
        twin = sign.swapcase()
        if twin not in CLASSES:
            continue
        if read.told and read.told[place] in (sign, twin) and _is_in_case(read, word, at):
            spelled[place].sign = read.told[place]
            continue
        if read.framed and _differ(sign, twin):
            spelled[place].sign = _by_height(read, place, sign, twin)
            continue
        share = _share(chances[place], sign, (sign, twin))
        beside = [spelled[word[other]].sign for other in (at - 1, at + 1) if 0 <= other < len(word)]
        cases = {each.isupper() for each in beside if each.isalpha() and each not in _CASES}
        if len(cases) == 1 and (at > 0 or cases == {True}):
            spelled[place].sign = twin if cases != {sign.isupper()} else sign
        elif share < DECIDED:
            spelled[place] = Spelled(UNREAD, 0.0)


def _is_in_case(read: ReadRow, word: list[int], at: int) -> bool:
    """Whether the letters beside one, which the reader of lines saw too, have its case."""
    sign = read.told[word[at]]
    beside = [read.told[word[other]] for other in (at - 1, at + 1) if 0 <= other < len(word)]
    cases = {each.isupper() for each in beside if each.isalpha()}
    return cases == {sign.isupper()}


def _differ(sign: str, twin: str) -> bool:
    """Whether a small letter is lower than its capital: k is not."""
    tops = network().extents[[CLASSES.index(sign), CLASSES.index(twin)], 1]
    return bool(abs(float(tops[0] - tops[1])) > LOWER)


def _by_height(read: ReadRow, place: int, sign: str, twin: str) -> str:
    """The one of a small letter and its capital whose usual height a glyph has."""
    top = (read.boxes[place, 3] - read.baseline) / read.height
    usual = network().extents[:, 1]
    return min((sign, twin), key=lambda each: abs(float(usual[CLASSES.index(each)]) - top))


def _settle_digits(read: ReadRow, word: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """0 and O, 1 and I and l: a word of the vocabulary, else among digits a digit, among letters a letter."""
    doubtful = [at for at, place in enumerate(word) if spelled[place].sign in _ROUND | _STRAIGHT]
    if not doubtful or _settle_known(read, word, doubtful, chances, spelled):
        return
    kinds = [_own_kind(chances[place], spelled[place].sign) for place in word]
    for found in _HUNDREDS.finditer("".join(spelled[place].sign for place in word)):
        kinds[found.start() : found.end()] = ["digit"] * (found.end() - found.start())
    for at in doubtful:
        place = word[at]
        sign, group = spelled[place].sign, _ROUND if spelled[place].sign in _ROUND else _STRAIGHT
        before = "".join(spelled[each].sign for each in word[:at])
        is_deviation = before in tuple("±+-") and at == len(word) - 1
        is_deviation |= bool(_SIGNED.search(before)) and _begins_decimal(
            [spelled[each].sign for each in word[at + 1 :]]
        )
        is_decimal = (group is _ROUND and is_deviation) or (sign != "|" and bool(_DECIMAL.search(before)))
        # A deviation is smaller than its size, and its zeros are as low as an o.
        if group is _ROUND and not is_decimal and read.framed and _is_small(read, place):
            spelled[place].sign = "o"
            continue
        kind = "digit" if is_decimal else _kind(kinds, at, [spelled[each].sign for each in word]) or kinds[at]
        digit = "0" if group is _ROUND else "1"
        # A stroke behind a digit that was itself told by its neighbours may be the / of a date.
        follows = at and (kinds[at - 1] == "digit" or (group is _ROUND and spelled[word[at - 1]].sign in DIGITS))
        precedes = at + 1 < len(word) and kinds[at + 1] == "digit"
        share = _share(chances[place], digit, group)
        if not kind and ((follows and share >= LIKELY) or (precedes and share >= DECIDED)):
            kind = "digit"
        if kind == "digit":
            spelled[place].sign = digit
        elif kind == "letter":
            letter = _letter(word, at, sign, group, chances[place], spelled)
            spelled[place] = Spelled(letter, spelled[place].chance) if letter else Spelled(UNREAD, 0.0)
        elif read.told and read.told[place] in group:
            spelled[place].sign = read.told[place]
        else:
            spelled[place] = Spelled(UNREAD, 0.0)


def _begins_decimal(signs: list[str]) -> bool:
    """Whether a point and a figure, or what a figure looks like, follow."""
    return len(signs) > 1 and signs[0] in ".," and (signs[1] in DIGITS or signs[1] in _ROUND | _STRAIGHT)


def _settle_unit(word: list[int], before: list[int], chances: Floats, spelled: list[Spelled]) -> None:
    """The k of a unit behind a number is small where its shape leaves that open: it is as high as the capital (ISO 80000-1).

    before: the word before it, which may be the number.
    """
    text, number = ("".join(spelled[place].sign for place in places) for places in (word, before))
    found = _KILO.fullmatch(text)
    if found is None or not (found["number"] or _NUMBER.fullmatch(number)):
        return
    place = word[found.start("kilo")]
    if _share(chances[place], "K", "kK") < PLAIN:
        spelled[place].sign = "k"


def _is_small(read: ReadRow, place: int) -> bool:
    return float(read.boxes[place, 3] - read.baseline) < SMALL_ROUND * read.height


def _settle_known(read: ReadRow, word: list[int], doubtful: list[int], chances: Floats, spelled: list[Spelled]) -> bool:
    """Whether a word is one of the vocabulary, which says what its look-alikes are."""
    signs = [spelled[place].sign for place in word]
    letters = [sign for sign in signs if sign.isalpha() or sign in "01|"]
    if len(doubtful) > MOST_DOUBTFUL or len(letters) < 2 or len(letters) == len(doubtful):
        return False
    others = [sign for at, sign in enumerate(signs) if sign.isalpha() and at not in doubtful]
    if any(_is_one(chances[word[at]], signs[at]) for at in doubtful):
        return False  # E1, F10 and D1: some language has a word for any few letters and a stroke
    small = all(sign.islower() for sign in others)
    choices = [("O",) if signs[at] in _ROUND else ("I", "L") if small or at else ("I",) for at in doubtful]
    found = []
    for chosen in product(*choices):
        for at, sign in zip(doubtful, chosen, strict=True):
            signs[at] = sign
        if "".join(signs).strip(".,:;()").upper() in vocabulary_words():
            found.append(chosen)
    is_small_l = not small and len(found) == 1 and "L" in found[0]
    if len(found) != 1 or (is_small_l and (len(others) == 1 or any(each.isupper() for each in others[1:]))):
        return False
    for at, sign in zip(doubtful, found[0], strict=True):
        is_small = _is_small(read, word[at]) if sign == "O" and read.framed else sign == "L" or (small and at > 0)
        spelled[word[at]].sign = sign.lower() if is_small else sign
    return True


@cache
def vocabulary_words() -> frozenset[str]:
    """Words of title blocks, tables and notes in all languages, in capitals."""
    entries = (
        entry
        for language in vocabulary.LANGUAGES.values()
        for name, keys in language.items()
        if name not in ("pattern", "table_title")
        for entries in keys.values()
        for entry in entries
    )
    return frozenset(word.upper() for entry in entries for word in _WORD.findall(entry))


def _is_one(chances: Floats, sign: str) -> bool:
    """Whether a glyph is a 1 by its shape: a stroke with a flag."""
    return sign in _STRAIGHT and _own_kind(chances, sign) == "digit"


def _own_kind(chances: Floats, sign: str) -> str:
    """What a glyph is by itself: digit, letter, point, or nothing that tells."""
    group = _ROUND if sign in _ROUND else _STRAIGHT if sign in _STRAIGHT else None
    if group is None:
        return "digit" if sign in DIGITS else "letter" if sign.isalpha() else "point" if sign in ".," else ""
    digit = "0" if group is _ROUND else "1"
    share = _share(chances, digit, group)
    return "digit" if share >= PLAIN else "letter" if share <= 1.0 - PLAIN and group is _STRAIGHT else ""


def _kind(kinds: list[str], at: int, signs: list[str]) -> str:
    """Whether a look-alike is a digit or a letter by what stands beside it; empty where that is open."""
    left, right = (_beside(kinds, at, step, signs) for step in (-1, 1))
    before, after = (kinds[at + step] if 0 <= at + step < len(kinds) else "" for step in (-1, 1))
    if (after == "point" and right == "digit") or (before == "point" and "digit" in (left, after)):
        return "digit"  # R.05: a point with a digit right behind the glyph is that of a number, whatever letter stands before it
    if {left, right} <= {"digit", ""}:
        return left or right or ("digit" if "digit" in kinds and "letter" not in kinds else "")
    if {left, right} <= {"letter", ""} and sum(kind == "letter" for kind in kinds) >= LETTERS and "digit" not in kinds:
        return "letter"
    follows = "".join(sign for sign in signs[at + 1 :] if sign not in _ROUND | _STRAIGHT).rstrip('.,;:)]"')
    is_fit = before == "digit" and bool(_TOLERANCE_CLASS.fullmatch("".join(signs[at + 1 :])))
    is_fit &= _SHEETS.fullmatch("".join([*signs[:at], "O", *signs[at + 1 :]])) is None
    is_quantity = signs[-1] in "mMxX\"'°" or follows.casefold() in _UNITS
    return "digit" if left == "digit" and (is_fit or is_quantity) else ""


def _beside(kinds: list[str], at: int, step: int, signs: list[str]) -> str:
    """What stands beside a glyph, over look-alikes and the point of a number: digit, letter, or nothing that tells."""
    at += step
    while 0 <= at < len(kinds):
        if kinds[at] in ("digit", "letter"):
            return kinds[at]
        if kinds[at] != "point" and signs[at] not in _ROUND | _STRAIGHT:
            return ""
        at += step
    return ""


def _letter(word: list[int], at: int, sign: str, group: frozenset[str], chances: Floats, spelled: list[Spelled]) -> str:
    """The letter of a group that a glyph among letters is; empty where that is open."""
    beside = [spelled[word[other]].sign for other in (at - 1, at + 1) if 0 <= other < len(word)]
    letters = [each for each in beside if each.isalpha() and each not in _ROUND | _STRAIGHT]
    others = [spelled[word[other]].sign for other in range(1, len(word)) if other != at]
    small = [each for each in others if each.islower() and each not in _ROUND | _STRAIGHT]
    if group is _ROUND:
        best = max("Oo", key=lambda each: float(chances[CLASSES.index(each)]))
        return best if _share(chances, best, "Oo") >= DECIDED else _by_case(letters, "O", "o")
    if sign in "Il" and _ends_small(word, at, spelled):
        return "l"  # whatever a bare stroke looks like: no capital ends a word behind a small letter
    if sign in "Il" and _share(chances, sign, "Il1") >= PLAIN:
        return sign
    if at == 0 and letters and letters[0].islower():
        return "I" if letters[0] in _AFTER_CAPITAL_I else "l" if letters[0] in _VOWELS else ""
    if at and len(small) >= SMALL_WORD and not any(each.isupper() for each in others):
        return "l"  # no capital stands within a word of small letters, as behind the first letter of Öl
    return _by_case(letters, "I", "l")


def _ends_small(word: list[int], at: int, spelled: list[Spelled]) -> bool:
    """Whether a stroke is the last letter of a word, right behind a small one that no stroke looks like."""
    before = spelled[word[at - 1]].sign if at else ""
    is_last = not any(spelled[place].sign.isalnum() for place in word[at + 1 :])
    return is_last and before.islower() and before not in _ROUND | _STRAIGHT


def _by_case(letters: list[str], capital: str, small: str) -> str:
    cases = {each.isupper() for each in letters}
    return "" if len(cases) != 1 else capital if cases == {True} else small
