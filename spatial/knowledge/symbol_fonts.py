"""Fonts whose codes draw signs instead of letters: what each code draws.

Sources: AutoCAD's gdt.shx table ("About geometric tolerances": codes a to z), which AMGDT, AIGDT and GDT follow; the Symbol
encoding of ISO 32000-2 Annex D.6, with the characters of Adobe's symbol.txt. Windows puts code n of such a font at U+F000 + n.
"""

from __future__ import annotations

import re
from typing import Final

GDT: Final[dict[int, str]] = {
    ord(code): sign for code, sign in zip("`abcdefghijklmnopqrstuvwxyz", "±∠⊥⏥⌓○∥⌭↗⌯⌖⌒ⓁⓂ⌀□Ⓟ℄◎Ⓢ⌰⏤⌴⌵↧⌲⌳", strict=True)
}
"""Code to sign, in the font of AutoCAD's TOLERANCE and of hole notes."""

AIGDT: Final[dict[int, str]] = GDT | {0xA2: "↗"}
"""Code to sign, in the font of Inventor: 0xA2 is the arrow with a filled head (as its embedded subsets draw it on sheets of GOST 2.308)."""

SPECIAL: Final[dict[int, str]] = GDT | {ord("#"): "±", ord("$"): "°"}
"""Code to sign in the font of special symbols of Creo Parametric, which stands between the control codes 1 and 2 (PTC, "Text Symbols")."""

KOMPAS: Final[dict[int, str]] = {0xC5: "°", 0xC7: "⌀", 0xE0: "Ⓜ"}
"""Code to sign in `Symbol type A` and `Symbol type B`, the fonts of KOMPAS: as embedded subsets draw them on sheets of four offices."""

_SYMBOL_ROWS: Final = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    0x40: "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    0x61: "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    0xC0: "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    0xE0: "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
    0xF1: "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}
SYMBOL: Final[dict[int, str]] = {
    code: sign for first, signs in _SYMBOL_ROWS.items() for code, sign in enumerate(signs, first)
}
"""Code to sign, in Adobe's and Windows' Symbol; the extender at 0x60 and the empty places are left out."""

_GDT_NAME: Final = re.compile(r"gdt", re.IGNORECASE)
_SYMBOL_NAME: Final = re.compile(
    r"(?:.{0,200}[/\\])?symbol(?:mt|ps|std)?(?:[,-]\w{1,30}|\.(?:ttf|otf|pf[ab]))?", re.IGNORECASE
)
_KOMPAS_NAME: Final = re.compile(r"symbol[ _]?(?:type[ _]?)?[ab](?:[,-]\w{1,30})?", re.IGNORECASE)
_PRIVATE: Final = 0xF000


def drawn_by(font: str) -> dict[int, str] | None:
    """Code to sign of a font by its name or file; None of a font of letters."""
    if _SYMBOL_NAME.fullmatch(font):
        return SYMBOL
    if _KOMPAS_NAME.fullmatch(font):
        return KOMPAS
    return GDT if _GDT_NAME.search(font) else None


_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_VOWEL: Final = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûü]", re.IGNORECASE)


def letters_in_words(text: str) -> int:
    """Letters of a text that stand in words: four together or more, with a vowel. Signs of tolerances stand alone or in pairs."""
    return sum(len(word) for word in _WORD.findall(text) if _VOWEL.search(word))


def signs(text: str, font: dict[int, str]) -> str:
    """Letters of a text as the signs that a font draws for them."""
    return "".join(font.get(_code(letter), letter) for letter in text)


def _code(letter: str) -> int:
    code = ord(letter)
    return code - _PRIVATE if _PRIVATE <= code <= _PRIVATE + 0xFF else code
