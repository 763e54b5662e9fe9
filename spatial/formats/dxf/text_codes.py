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

from spatial.formats.dxf.ezdxf_names import MTextContext, MTextParser, TokenType
from spatial.knowledge.symbol_fonts import GDT, drawn_by, letters_in_words, signs

GAP: Final = "\ufffc"
"""OBJECT REPLACEMENT CHARACTER: Creo draws ± and ° as strokes over an enlarged space between two minute ones."""

GAP_HEIGHT: Final = 1e-3
"""Letters as low as this are there for the machine only."""

LETTERS: Final = 100_000
"""Longer texts are cut: no sheet has them."""

_UNSET_FAMILY: Final = MTextContext().font_face.family
"""What MTextParser calls the font of the style."""

_CONTROL: Final = re.compile(r"%%(?:(\d{3})|(.))", re.DOTALL)
_CONTROLS: Final = {"c": "Ø", "d": "°", "p": "±", "u": "", "o": "", "k": "", "%": "%"}
_UNICODE: Final = re.compile(r"\\[Uu]\+([0-9A-Fa-f]{4})")
_MULTIBYTE: Final = re.compile(r"\\M\+([1-5])([0-9A-Fa-f]{4})")
_PAGES: Final = {"1": "cp932", "2": "cp950", "3": "cp949", "4": "johab", "5": "cp936"}
_STACK: Final = re.compile(r"\\S[^;]{0,200};")
_CARET: Final = re.compile(r"\^(.)")
_DEVIATION: Final = re.compile(r"\s*[+\-±]?\s*[\d.,]+\s*°?\s*")

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
    text = _drawn(text, font)
    if "%%" in text:
        text = _CONTROL.sub(_coded, text)
    return _plain(text)


def _drawn(text: str, font: str) -> str:
    """What a font draws for letters that are of no control code."""
    drawn = drawn_by(font)
    if drawn is None or (drawn is GDT and letters_in_words(text)):
        return text
    # MTextParser has made Ø of %%c by now.
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


def _plain(text: str) -> str:
    """Without control characters, signs in one spelling."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_EXACT.get(letter, letter) for letter in text if letter >= " " or letter in "\n\t")


def plain_mtext(text: str, font: str = "") -> str:
    """An MTEXT: lines separated by newlines, columns and paragraphs alike."""
    text = decoded(text[:LETTERS])
    if "\\" not in text and "%%" not in text and "{" not in text and "^" not in text and drawn_by(font) is None:
        return _plain(text)
    words = _PlainText(font)
    for token in MTextParser(_shielded(text)):
        words.add(token.type, token.data, token.ctx)
    return _plain(_CONTROL.sub(_coded, words.joined()))


def _shielded(text: str) -> str:
    """With the caret of stacked deviations kept out of MTextParser's way."""
    # `\\S+0.2^-0.1;` is what people type; MTextParser takes `^-` for a control character, `^ ` for a caret.
    return _STACK.sub(lambda found: re.sub(r"\^(?! )", "^ ", found[0]), text)


class _PlainText:
    """Tokens as they come, joined to lines."""

    def __init__(self, font: str) -> None:
        self.font = font
        self.pieces: list[str] = []
        self.minute = False
        self.closing = False

    def add(self, type: TokenType, data: object, context: MTextContext) -> None:
        """One more token."""
        if context.cap_height < GAP_HEIGHT:
            self._add_minute(type)
        elif type == TokenType.WORD:
            self._add(self._word(str(data), context))
        elif type == TokenType.STACK:
            self._add(self._stack(data, context))
        elif type in (TokenType.NEW_PARAGRAPH, TokenType.NEW_COLUMN, TokenType.WRAP_AT_DIMLINE):
            self._add("\n")
        elif type == TokenType.TABULATOR:
            self._add("\t")
        else:
            self._space()

    def _add(self, piece: str) -> None:
        self.minute, self.closing = False, piece == GAP
        self.pieces.append(piece)

    def _add_minute(self, type: TokenType) -> None:
        """The first minute space opens a gap, the second closes it."""
        if type != TokenType.WORD:
            self.minute, self.closing = not self.closing, False

    def _space(self) -> None:
        self._add(GAP if self.minute else " ")

    def _word(self, word: str, context: MTextContext) -> str:
        return _drawn(word, self._font(context))

    def _font(self, context: MTextContext) -> str:
        family = context.font_face.family
        return self.font if family == _UNSET_FAMILY else family or self.font

    def _stack(self, data: object, context: MTextContext) -> str:
        upper, lower, kind = (str(part) for part in data)  # type: ignore[attr-defined]  # a triple
        upper, lower = (self._word(_CONTROL.sub(_coded, part), context).strip() for part in (upper, lower))
        if kind in ("/", "#"):
            before = self._before()
            return f"{' ' if before.isdigit() else ''}{upper}/{lower}"
        if not lower or not upper:
            return f" {upper or lower}" if self._before().isdigit() else upper or lower
        if _DEVIATION.fullmatch(upper) and _DEVIATION.fullmatch(lower):
            return f" {upper}/{lower}"
        return f"{upper}/{lower}"

    def _before(self) -> str:
        return self.pieces[-1][-1:] if self.pieces else ""

    def joined(self) -> str:
        return "".join(self.pieces)


def frame_cells(text: str) -> list[list[str]]:
    """The lines of a TOLERANCE, each a list of its cells; the letters of {\\Fgdt;x} as signs."""
    lines = re.split(r"\^J|\n", decoded(text[:LETTERS]))
    return [[_cell(cell) for cell in re.split(r"%%[vV]", line)] for line in lines]


def _cell(cell: str) -> str:
    found = re.sub(r"\{\\[Ff]([^;|]*)[^;]*;([^}]*)\}", lambda m: _drawn(m[2], m[1]), cell)
    return plain_mtext(found).strip()


def plain_tolerance(text: str) -> str:
    """A TOLERANCE: cells separated by `|`, lines by newlines."""
    lines = ["|".join(cell for cell in cells if cell) for cells in frame_cells(text)]
    return "\n".join(line for line in lines if line)
