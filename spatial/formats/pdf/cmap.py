"""The table for symbols of a TrueType program, which says what code a glyph was drawn for; and the program's own name.

Glossary
  cmap   the table of a TrueType font from codes to glyphs; the one for platform 3, encoding 0 is for symbols, where Windows
         puts the letter `n` at U+F06E. FreeType does not choose it when a font is opened for Unicode.

Source: ISO/IEC 14496-22 (Open Font Format) §5.2.1, subtable formats 0, 4 and 6; §5.2.6, the naming table.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

TABLES: Final = 64
NAMES: Final = 64
SUBTABLES: Final = 16
SEGMENTS: Final = 1024
MOST: Final = 4096
"""Codes of one segment."""

Pairs = Iterator[tuple[int, int]]


def symbol_codes(program: bytes) -> dict[int, int]:
    """Glyph to code from the table for symbols, empty where there is none; a damaged table gives what is read before the damage."""
    found: dict[int, int] = {}
    try:
        for code, glyph in _pairs(program):
            if glyph:
                found.setdefault(glyph, code)
    except struct.error:
        pass
    return found


def full_name(program: bytes) -> str:
    """The name that a TrueType program gives itself; empty where it says none."""
    try:
        return next(_names(program), "")
    except struct.error:
        return ""


def _names(program: bytes) -> Iterator[str]:
    start = _table(program, b"name")
    if start is None:
        return
    count, storage = struct.unpack_from(">HH", program, start + 2)
    for place in range(min(count, NAMES)):
        platform, _, _, kind, length, offset = struct.unpack_from(">6H", program, start + 6 + 12 * place)
        begin = start + storage + offset
        if kind in (4, 6) and 0 < length <= 256:
            yield program[begin : begin + length].decode("latin-1" if platform == 1 else "utf-16-be", "replace")


def _pairs(program: bytes) -> Pairs:
    start = _table(program, b"cmap")
    if start is None:
        return
    (count,) = struct.unpack_from(">H", program, start + 2)
    for place in range(min(count, SUBTABLES)):
        platform, encoding, offset = struct.unpack_from(">HHI", program, start + 4 + 8 * place)
        if (platform, encoding) == (3, 0):
            yield from _subtable(program, start + offset)


def _table(program: bytes, wanted: bytes) -> int | None:
    if len(program) < 12:
        return None
    (count,) = struct.unpack_from(">H", program, 4)
    for place in range(min(count, TABLES)):
        tag, _, offset, _ = struct.unpack_from(">4sIII", program, 12 + 16 * place)
        if tag == wanted:
            return int(offset)
    return None


def _subtable(program: bytes, start: int) -> Pairs:
    (form,) = struct.unpack_from(">H", program, start)
    if form == 0:
        yield from enumerate(struct.unpack_from(">256B", program, start + 6))
    elif form == 4:
        yield from _segments(program, start)
    elif form == 6:
        first, count = struct.unpack_from(">HH", program, start + 6)
        for place in range(min(count, MOST)):
            yield first + place, struct.unpack_from(">H", program, start + 10 + 2 * place)[0]


def _segments(program: bytes, start: int) -> Pairs:
    double = struct.unpack_from(">H", program, start + 6)[0] & ~1
    for place in range(0, min(double, 2 * SEGMENTS), 2):
        (last,) = struct.unpack_from(">H", program, start + 14 + place)
        first, delta, offset = (
            struct.unpack_from(">H", program, start + 16 + part * double + place)[0] for part in (1, 2, 3)
        )
        at = start + 16 + 3 * double + place
        for code in range(first, min(last, first + MOST, 0xFFFE) + 1):
            if not offset:
                yield code, (code + delta) & 0xFFFF
                continue
            (glyph,) = struct.unpack_from(">H", program, at + offset + 2 * (code - first))
            yield code, (glyph + delta) & 0xFFFF if glyph else 0
