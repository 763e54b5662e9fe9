"""What the fonts of a PDF say about their glyphs: which sign a code stands for, and how high a capital is.

Glossary
  symbol font   a font whose letters are signs: code `n` of AIGDT draws ⌀.
  private use   code points that mean what their font says: U+E000 to U+F8FF. Windows' symbol fonts put code n at U+F000 + n,
                which is a byte of its code page: £ is U+F0A3.

Source: Adobe's glyph names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

import pymupdf

from spatial.formats.pdf.cmap import full_name, symbol_codes
from spatial.knowledge.symbol_fonts import AIGDT, KOMPAS, SYMBOL, drawn_by, letters_in_words

UNKNOWN: Final = 0xFFFD
CAP: Final = 0.7
"""Height of a capital as a part of the font size, where the font does not say."""
CAPS: Final = (("arial", 0.716), ("helvetica", 0.718), ("times", 0.662), ("courier", 0.571), ("gothic", 0.717))
"""The same of common fonts that say nothing, by a part of the name."""

NAMES: Final = {
    "diameter": "⌀", "plusminus": "±", "degree": "°", "counterbore": "⌴", "countersink": "⌵", "depth": "↧",
    "deep": "↧", "square": "□", "position": "⌖", "flatness": "⏥", "perpendicularity": "⊥", "parallelism": "∥",
    "concentricity": "◎", "cylindricity": "⌭", "symmetry": "⌯", "straightness": "⏤", "angularity": "∠",
    "circularrunout": "↗", "totalrunout": "⌰", "spotface": "⌴",
}  # fmt: skip
"""Glyph names that are no names of Adobe's list."""

_SYMBOL_SIGNS: Final = frozenset(SYMBOL.values())
_GDT_FONT: Final = re.compile(r"(?:ai|am)gdt|\bgdt\b|^gdt", re.IGNORECASE)
_WORDS_LETTERS: Final = 12
"""Letters in words that say that a font writes words."""
_RENAMED: Final = re.compile(r"(?:CIDFont\+?)?[A-Za-z]{0,4}_?\d{1,4}(?:_\d{1,3})?")
"""Names without information: `Print to PDF` of Windows calls fonts CIDFont+F1, CIDFont+F2, ...; the programs keep their own."""
_PICTURE_FONT: Final = re.compile(r"swgdt|gdt|ding|webd|sym", re.IGNORECASE)
"""Fonts whose codes mean nothing to those who do not have their table."""


class Fonts:
    """The fonts of one document, asked by the name that MuPDF gives them.

    A name means the font of the page that was registered last: programs embed a subset of their own for each page, without a tag, in
    which one glyph number draws something else on each.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self._xrefs: dict[str, int] = {}
        self._subsets: dict[str, dict[int, None]] = {}
        """Of each name with its tag: the fonts of that name."""
        self._absent: set[str] = set()
        """Names of fonts that the file names and does not hold: MuPDF draws others in their places."""
        self._caps: dict[str, float] = {}
        self._program_names: dict[str, str] = {}
        self._reversed: dict[str, dict[int, int]] = {}
        self._codes: dict[str, dict[int, int]] = {}
        self._signs: dict[str, dict[tuple[int, int], tuple[str, str | None]]] = {}
        self._symbol_names: dict[str, bool] = {}
        self._written: dict[str, list[int]] = {}
        """Letters of each font with the name of a symbol font, and how many of them stand in words."""

    def learn(self, spans: Iterable[tuple[str, str]]) -> None:
        """Learn from what is written in which font: a font that writes words is one of letters, whatever its name is."""
        for name, text in spans:
            if self.has_symbol_name(name):
                counts = self._written.setdefault(name, [0, 0])
                counts[0] += sum(map(str.isalpha, text))
                counts[1] += letters_in_words(text)

    def has_symbol_name(self, name: str) -> bool:
        """Whether a font has the name of one of signs, which does not keep it from writing words."""
        if name not in self._symbol_names:
            self._symbol_names[name] = _GDT_FONT.search(self._own_name(name)) is not None
        return self._symbol_names[name]

    def _writes_words(self, name: str) -> bool:
        letters, in_words = self._written.get(name, (0, 0))
        return in_words >= _WORDS_LETTERS and in_words >= letters / 2

    def register(self, page: Any) -> None:
        """Learn where the fonts of a page are."""
        xrefs: dict[str, int] = {}
        subsets: dict[str, dict[int, None]] = {}
        try:
            for xref, extension, _, name, *_ in page.get_fonts(full=False):
                for known in (name, _descendant_name(self._document, xref) or name):
                    if extension == "n/a":
                        self._absent.add(bare(known))
                    xrefs.setdefault(bare(known), xref)
                    subsets.setdefault(known, {})[xref] = None
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError):
            pass
        self._forget([name for name, xref in xrefs.items() if self._xrefs.get(name, xref) != xref])
        self._xrefs |= xrefs
        self._subsets |= subsets

    def _forget(self, names: list[str]) -> None:
        """What is known of fonts of these names is not of those that have them on this page."""
        for name in names:
            for known in (
                self._caps,
                self._program_names,
                self._reversed,
                self._codes,
                self._signs,
                self._symbol_names,
            ):
                known.pop(name, None)

    def is_absent(self, name: str) -> bool:
        """Whether the file does not hold the font, so that the widths that MuPDF traces are those of another."""
        return name in self._absent

    def cap(self, name: str) -> float:
        """Height of a capital as a part of the font size."""
        if name not in self._caps:
            self._caps[name] = self._declared_cap(name) or _usual_cap(name)
        return self._caps[name]

    def sign(self, name: str, code: int, glyph: int) -> tuple[str, str | None]:
        """What a glyph draws, and the repair that this took; U+FFFD where no font says."""
        known = self._signs.setdefault(name, {})
        if (code, glyph) not in known:
            known[code, glyph] = self._sign(name, UNKNOWN if _is_half(code) else code, glyph)
        return known[code, glyph]

    def _sign(self, known: str, code: int, glyph: int) -> tuple[str, str | None]:
        name = self._own_name(known)
        if code == UNKNOWN:
            # Inventor writes AIGDT as Type0 with Identity-H and no ToUnicode: only the font program says the letters.
            code = self._symbols(known).get(glyph, code)
        if _GDT_FONT.search(name) and not self._writes_words(known):
            found = AIGDT.get(code & 0xFF if 0xF000 <= code <= 0xF0FF else code)
            if found:
                return found, "symbol font"
        if sign := _taken_for_latin(name, code):
            return sign, "symbol font"
        if not _private(code) and code != UNKNOWN:
            unreadable = re.search("swgdt", name, re.IGNORECASE) and chr(code).isascii() and chr(code).isalpha()
            return (chr(UNKNOWN), "unknown characters") if unreadable else (chr(code), None)
        named = self._named(known, glyph)
        if named:
            return named, "symbol font"
        if 0xF000 <= code <= 0xF0FF:
            if (signs := drawn_by(name)) is not None and code & 0xFF in signs:
                return signs[code & 0xFF], "symbol font"
            if (sign := _ansi(code & 0xFF)) and not _PICTURE_FONT.search(name):
                return sign, "symbol font"
        return chr(UNKNOWN), "unknown characters"

    def places(self, name: str) -> tuple[int, ...]:
        """Where in the file the fonts of one name are, which may have the tag of a subset."""
        return tuple(self._subsets.get(name, ()))

    def programs(self, name: str) -> list[bytes]:
        """The different programs of the fonts of one name, which may have the tag of a subset; none where one of them is not embedded."""
        buffers = dict.fromkeys(map(self._extracted, self.places(name)))
        return [] if b"" in buffers else list(buffers)

    def _own_name(self, name: str) -> str:
        """What the embedded program of a font that was renamed is called."""
        if not _RENAMED.fullmatch(name):
            return name
        if name not in self._program_names:
            self._program_names[name] = full_name(self._buffer(name)) or name
        return self._program_names[name]

    def _declared_cap(self, name: str) -> float:
        key = "FontDescriptor/CapHeight"
        try:
            kind, value = self._document.xref_get_key(self._xrefs.get(name, 0), key)
            cap = float(value) / 1000 if kind in ("int", "float", "real") else 0.0
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError):
            return 0.0
        return cap if 0.4 <= cap <= 1.0 else 0.0

    def _named(self, name: str, glyph: int) -> str | None:
        """By the name of the glyph or the font program's own table of characters."""
        if name not in self._reversed:
            self._reversed[name] = self._program(name)
        code = self._reversed[name].get(glyph)
        return chr(code) if code and not _is_half(code) else None

    def _symbols(self, name: str) -> dict[int, int]:
        """Glyph to code, of the font program's table for symbols."""
        if name not in self._codes:
            self._codes[name] = symbol_codes(self._buffer(name))
        return self._codes[name]

    def _buffer(self, name: str) -> bytes:
        return self._extracted(self._xrefs.get(name, 0))

    def _extracted(self, xref: int) -> bytes:
        try:
            return bytes(self._document.extract_font(xref)[3] or b"")
        except (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, TypeError, IndexError):
            return b""

    def _program(self, name: str) -> dict[int, int]:
        """Glyph to code point, as the embedded font says."""
        try:
            buffer = self._buffer(name)
            if not buffer:
                return {}
            font: Any = pymupdf.Font(fontbuffer=buffer)
            table = {font.has_glyph(code): code for code in font.valid_codepoints() if not _private(code)}
            for glyph in range(min(font.glyph_count, 4096)):
                code = _code_of(pymupdf.mupdf.fz_get_glyph_name2(font.this, glyph))
                if code:
                    table.setdefault(glyph, code)
        except Exception:  # noqa: BLE001 - FreeType and SWIG raise what they like over a damaged font
            return {}
        table.pop(0, None)
        return table


def bare(name: str) -> str:
    """Without the tag of a subset: `ABCDEF+Arial`."""
    return name[7:] if len(name) > 7 and name[6] == "+" else name


def _descendant_name(document: Any, xref: int) -> str:
    """What MuPDF calls a composite font: its descendant's name, which need not be its own; empty of any other font."""
    descendants = document.xref_get_key(xref, "DescendantFonts")[1]
    if descendants.endswith(" R"):
        descendants = document.xref_object(int(descendants.split()[0]))
    holder = re.search(r"(\d+) 0 R", descendants)
    kind, value = document.xref_get_key(int(holder[1]), "BaseFont") if holder else ("null", "")
    return re.sub(r"#([0-9A-Fa-f]{2})", lambda code: chr(int(code[1], 16)), value[1:]) if kind == "name" else ""


def _usual_cap(name: str) -> float:
    lower = name.lower()
    return next((cap for part, cap in CAPS if part in lower), CAP)


def _is_half(code: int) -> bool:
    """Whether it is half of a surrogate pair (Unicode 16, 3.8): damaged tables of a font name one, and it is no character."""
    return 0xD800 <= code <= 0xDFFF


def _private(code: int) -> bool:
    return 0xE000 <= code <= 0xF8FF or code < 0x20 or 0x7F <= code < 0xA0 or code >= 0xF0000


def _taken_for_latin(name: str, code: int) -> str | None:
    """The sign of a font of signs whose codes a program takes for Latin-1: it calls them Æ or Ç, and the font has no such letter."""
    signs = drawn_by(name)
    if signs is SYMBOL:
        return None if chr(code) in _SYMBOL_SIGNS else SYMBOL.get(code)
    return KOMPAS.get(code) if signs is KOMPAS else None


def _ansi(byte: int) -> str:
    """The character of a byte in Windows' code page of Western Europe; empty where it has none that is printed."""
    sign = bytes([byte]).decode("cp1252", "ignore")
    return sign if sign.isprintable() else ""


def _code_of(name: str) -> int:
    found = NAMES.get(name.lower())
    if found:
        return ord(found)
    if not name or name == ".notdef" or re.fullmatch(r"(?:g|glyph|cid|gid|index)?_?\d+", name, re.IGNORECASE):
        return 0
    code = int(pymupdf.glyph_name_to_unicode(name))
    return 0 if code in (0, UNKNOWN) or _private(code) else code
