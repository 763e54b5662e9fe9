"""One spelling for the signs that drawings write in many ways, with the way back to what stands on the sheet.

Glossary
  spelling   the label's text with one character a sign: every diameter sign is Ø, every dash -, every degree sign °.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from spatial.knowledge.callout_words import CYRILLIC, words

LONGEST: Final = 400
"""Characters of a label that can be a callout; what is longer is prose."""

_SIGNS: Final = {
    sign: plain
    for plain, signs in {
        "Ø": "Øø⌀∅φΦɸϕ⍉𝜙⦰",
        "x": "×✕✖⨯╳",
        "+": "\ufe62",
        "-": "\ufe63\u2212\u2010\u2011\u2012\u2013\u2014\u2015\uff0d",
        "°": "°º˚ᵒ⁰",
        "±": "±",
        "'": "'′’‘´`ʹ",
        '"': '"″“”„ˮ',
        " ": " \t\r\n\u00a0\u202f\u2007\u2009\u200a\u2002\u2003\u2005\u2006\u3000",
        "µ": "µμ",
        "↧": "↧⤓↓⇩",
        "⌴": "⌴⎵␣⊔",
        "⌵": "⌵∨⋁",
        "□": "□⬜◻▢",
        "/": "/⁄∕",
        "*": "*∗",
        "~": "\u301c\u223c",
        "√": "√",
        "▽": "▽∇▿▼",
    }.items()
    for sign in signs
}
_WRITTEN_OUT: Final = (
    ("%%c", "Ø"), ("%%C", "Ø"), ("%%p", "±"), ("%%P", "±"), ("%%d", "°"), ("%%D", "°"), ("%%%", "%"), ("%%u", ""), ("%%U", ""),
    ("%%o", ""), ("%%O", ""), ("+/-", "±"), ("+ / -", "±"), ("+-", "±"),
    ("\\U+2205", "Ø"), ("\\U+00D8", "Ø"), ("\\U+00B1", "±"), ("\\U+00B0", "°"),
    # SolidWorks's names of signs (its file gtol.sym), which stand in the text where an exporter does not replace them.
    ("<MOD-DIAM>", "Ø"), ("<MOD-PM>", "±"), ("<MOD-DEG>", "°"), ("<MOD-BOX>", "□"), ("<HOLE-DEPTH>", "↧"), ("<HOLE-SPOT>", "⌴"),
    ("<HOLE-SINK>", "⌵"),
    ("''", '"'), ("\u200b", ""), ("\u200e", ""), ("\ufeff", ""),
)  # fmt: skip
_BEGINNINGS: Final = frozenset(written[0] for written, _ in _WRITTEN_OUT)
_CHANGED: Final = re.compile(
    rf"[^\0-\x7f]|[{re.escape(''.join(_BEGINNINGS | {sign for sign, plain in _SIGNS.items() if sign != plain}))}]"
)
"""A character that may not be in the one spelling already; most texts have none."""
_DEGREE_WORD: Final = re.compile(r"(?<=\d)\s?(?i:deg(?:rees?|r[eé]s|\.)?|grad[io]?|grados)(?![^\W\d_])")
"""The word for ° behind a figure: `1 x 45 deg`."""
_CYRILLIC_LETTER: Final = re.compile(r"[\u0400-\u04ff]")
_BESIDE_FIGURE: Final = re.compile(
    rf"(?<![^\W\d_])[{''.join(CYRILLIC)}](?=\d)|(?<=\d)[{''.join(CYRILLIC)}](?![^\W\d_])"
)
"""A lone Cyrillic letter right before or behind a figure."""
_TYPED_DIAMETER: Final = re.compile(r"(?:[^\u0400-\u04ff]|\A)?[Фф]\s?\d")
"""Russian sheets type the letter that looks like the sign: `Ф10Н7`."""
_GREEK_LETTERS: Final = frozenset("φΦϕ")
_GREEK_WORD: Final = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{2}|.[\u0370-\u03ff\u1f00-\u1fff]{2}")
"""φ beside another Greek letter is one of a word: φρεζάτη; beside a figure it is a sign."""
_RAISED: Final = re.compile(
    "[\u207a\u207b][\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u00b7.,]{1,8}|[\u208a\u208b][\u2080-\u2089\u00b7.,]{1,8}"
)
"""Deviations in raised and lowered signs: `12\u207a\u2070\u00b7\u00b2\u208b\u2080\u00b7\u2081`."""
_TORN_DECIMALS: Final = re.compile(
    r"(?P<whole>\s*(?:\d{1,3}\s?[xX×]\s?)?(?:S?[Øø⌀∅]|S?R|R[az]|C)\s?\d{1,3},)\s(?P<decimals>\d{1,3})(?=\s*\Z)"
)
"""A blank behind the decimal comma of a whole text, `Ra 1, 6`: a second size would have its sign."""
_TIMES: Final = re.compile("[xX×]")
_NUMBER: Final = r"\d{1,4}(?:[.,]\d{1,3})?"
_PLACES: Final = rf"(?:{words('hole')}|{words('place')})"
_TIMES_BEHIND_WORD: Final = re.compile(rf"(?<=[^\W\d_]{{3}})[xX×](?=\d{{1,3}}\s?{_PLACES})")
"""Between what is said of a hole and how many there are: `Ø10.2xThrux2Nos`, `8.5Deepx2Nos`."""
_TIMES_BEFORE_WORD: Final = re.compile(
    r"(?P<size>[Øø⌀∅]\s?[\d.,]{1,8}(?:\s?[A-Za-z]{1,2}\d{1,2})?|\bM\d{1,3}(?:[.,]\d)?(?:\s?[xX×]\s?\d(?:[.,]\d{1,2})?)?|(?<![A-Za-z])UN[CFS])"
    rf"[xX×](?=\s?(?:{words('through')}|{_NUMBER}\s?(?:mm\s?)?{words('depth')}(?!\s?[=:]?\s?[\d.,]*\d(?![\d.,]|\s?[xX]|\s?{_PLACES}))))"
)
"""Between a size, with its class or pitch, and how deep it is: `M8x1.25x20 DEEP`, `Ø11.2 H7x8.5Deep`."""


@dataclass(slots=True)
class Spelling:
    """A text in one spelling; `places[i]` is where its character i begins in the original, with the end as one more."""

    text: str
    original: str
    places: tuple[int, ...]

    def written(self, start: int, end: int) -> str:
        """What stands on the sheet between two places of the spelling."""
        return self.original[self.places[start] : self.places[end]].strip()


def spell(text: str) -> Spelling:
    """The text in one spelling; at most LONGEST + 1 characters of it are looked at."""
    written = _with_decimals_closed(_with_words_apart(text[: LONGEST + 1]))
    if not (_CHANGED.search(written) or "  " in written or _DEGREE_WORD.search(written)):
        return Spelling(written, text, (*range(len(written)), len(text)))
    signs: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(written):
        plain, length = _sign(written, at)
        if plain[:1] == " " and signs and signs[-1] == " ":  # several blanks are one, at the place of the last
            del signs[-1], places[-1]
        signs.extend(plain)
        places.extend([at] * len(plain))
        at += length
    return Spelling("".join(signs), text, (*places, len(text)))


def _with_words_apart(text: str) -> str:
    """A text with a blank for each × that stands between a size and the words about it, or between two of these."""
    if not _TIMES.search(text):
        return text
    return _TIMES_BEFORE_WORD.sub(r"\g<size> ", _TIMES_BEHIND_WORD.sub(" ", text))


def _with_decimals_closed(text: str) -> str:
    """A text whose only size has its decimals behind a blank: they stand before it, so that every other place stays."""
    found = _TORN_DECIMALS.match(text)
    return f"{found['whole']}{found['decimals']} {text[found.end() :]}" if found else text


def with_latin_letters(text: str) -> str:
    """A text whose lone Cyrillic letters at a figure are the Latin ones that they look like: M of ISO 261, H of ISO 286-1.

    Words stay, those of one letter too: `4 отв. М8 с двух сторон`.
    """
    return _BESIDE_FIGURE.sub(lambda found: CYRILLIC[found[0]], text)


def _sign(text: str, at: int) -> tuple[str, int]:
    """What the character at a place is in one spelling, and how many characters of the original it takes."""
    sign = text[at]
    if whole := _written_out(text, at):
        return whole
    if sign.isascii() and sign not in _SIGNS:
        return sign, 1
    if raised := _RAISED.match(text, at):
        plain = unicodedata.normalize("NFKC", raised[0]).replace("\u2212", "-").replace("\u00b7", ".")
        return f" {plain}", len(raised[0])
    if sign in "Фф" and _TYPED_DIAMETER.match(text, max(at - 1, 0)):
        return "Ø", 1
    if sign in _GREEK_LETTERS and _GREEK_WORD.match(text, max(at - 1, 0)):
        return sign, 1
    if sign in _SIGNS:
        return _SIGNS[sign], 1
    if sign in CYRILLIC and not _is_of_a_word(text, at):
        return CYRILLIC[sign], 1
    if "\uff01" <= sign <= "\uff5e":
        full = unicodedata.normalize("NFKC", sign)
        return _SIGNS.get(full, full), 1
    if unicodedata.decomposition(sign).startswith("<fraction>"):
        fraction = unicodedata.normalize("NFKC", sign).replace("⁄", "/")
        return (f" {fraction}" if at and text[at - 1].isdigit() else fraction), 1
    return ("..." if sign == "…" else sign), 1


def _written_out(text: str, at: int) -> tuple[str, int] | None:
    """A sign that stands here as several characters, and how many: %%c, a word for degrees."""
    if at and text[at] in " dDgG" and (degree := _DEGREE_WORD.match(text, at)):
        return "°", len(degree[0])
    if text[at] in _BEGINNINGS:
        return next(((plain, len(written)) for written, plain in _WRITTEN_OUT if text.startswith(written, at)), None)
    return None


def _is_of_a_word(text: str, at: int) -> bool:
    """Whether a Cyrillic letter is one of a word with letters that no Latin ones look like: МЕСТА, but not М8-7Н."""
    begin, end = at, at + 1
    while begin and _CYRILLIC_LETTER.match(text, begin - 1):
        begin -= 1
    while _CYRILLIC_LETTER.match(text, end):
        end += 1
    return not CYRILLIC.keys() >= set(text[begin:end])
