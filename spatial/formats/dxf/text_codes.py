"""What a person reads in the text of a DXF: codes and stacks resolved, letters of symbol fonts turned into signs.

Glossary
  control code   `%%c` and relatives in any text; ^I and ^J for tab and line feed.
  inline code    `\\H2.5;` and relatives in MTEXT.
  stack          `\\S1#2;`: a fraction, or two deviations over one another.
  gap            a space that an exporter leaves for a sign that it draws as strokes: GAP stands for it.

Source: AutoCAD DXF reference; ASME Y14.5-2018 (signs).
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.symbol_fonts import GDT, drawn_by, letters_in_words, signs

GAP: Final = "\ufffc"
"""OBJECT REPLACEMENT CHARACTER: Creo draws ± and ° as strokes over an enlarged space between two minute ones."""

LETTERS: Final = 100_000
"""Longer texts are cut: no sheet has them."""

_CONTROL: Final = re.compile(r"%%(?:(\d{3})|(.))", re.DOTALL)
_CONTROLS: Final = {"c": "Ø", "d": "°", "p": "±", "u": "", "o": "", "k": "", "%": "%"}
_UNICODE: Final = re.compile(r"\\[Uu]\+([0-9A-Fa-f]{4})")
_MULTIBYTE: Final = re.compile(r"\\M\+([1-5])([0-9A-Fa-f]{4})")
_PAGES: Final = {"1": "cp932", "2": "cp950", "3": "cp949", "4": "johab", "5": "cp936"}
_CARET: Final = re.compile(r"\^(.)")

_EXACT: Final = {"∅": "Ø", "⌀": "Ø", "\u00a0": " "}


def decoded(text: str) -> str:
    """With `\\U+2205` and `\\M+18140` as the letters that they stand for."""
    if "\\" not in text:
        return text
    text = _UNICODE.sub(lambda found: _letter(int(found[1], 16)), text)
    return _MULTIBYTE.sub(lambda found: bytes.fromhex(found[2]).decode(_PAGES[found[1]], "replace"), text)


def _letter(code: int) -> str:
    return "" if code == 0 or 0xD800 <= code < 0xE000 else chr(code)


def plain_line(text: str, font: str = "") -> str:
    """A TEXT, ATTRIB or ATTDEF."""
    text = _CARET.sub(_control, decoded(text[:LETTERS])) if "^" in text else decoded(text[:LETTERS])
    text = drawn_text(text, font)
    return plain_text(with_signs(text))


def with_signs(text: str) -> str:
    """With `%%c` and relatives as the signs that they stand for."""
    return _CONTROL.sub(_coded, text) if "%%" in text else text


def drawn_text(text: str, font: str) -> str:
    """What a font draws for letters that are of no control code."""
    drawn = drawn_by(font)
    if drawn is None or (drawn is GDT and letters_in_words(text)):
        return text
    # The codes of an MTEXT are read by now, `%%c` among them.
    parts = re.split(r"(%%(?:\d{3}|.)|Ø)", text)
    return "".join(signs(part, drawn) if place % 2 == 0 else part for place, part in enumerate(parts))


def _control(found: re.Match[str]) -> str:
    return {"I": "\t", "J": "\n", "M": "", " ": "^"}.get(found[1], found[0])


def _coded(found: re.Match[str]) -> str:
    if found[1]:
        code = int(found[1])
        # %%127, %%128 and %%129 are °, ± and Ø in the SHX fonts of AutoCAD.
        return {127: "°", 128: "±", 129: "Ø"}.get(code) or (chr(code) if 32 <= code < 256 else "")
    return _CONTROLS.get(found[2].lower(), found[0])


def plain_text(text: str) -> str:
    """Without control characters, signs in one spelling."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_EXACT.get(letter, letter) for letter in text if letter >= " " or letter in "\n\t")
