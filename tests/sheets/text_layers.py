"""PDFs whose text layer says other characters than are drawn: the map of an embedded font is shifted, mixed up or taken away.

What is drawn is the truth; it is known because the page is made with a sound map first.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import pymupdf as _pymupdf
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont

pymupdf: Any = _pymupdf
Lie = Callable[[str], str]

DEJAVU: Final = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
_HEAD: Final = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
"""
_NAMING: Final = (b"cmap", b"post")
"""Tables of a TrueType program that say which character a glyph is."""
_END: Final = "endcmap CMapName currentdict /CMap defineresource pop end end\n"


def shifted(by: int) -> Lie:
    """Codes moved by a constant, blanks too."""
    return lambda sign: chr(ord(sign) + by)


def misread(page: str, other: str) -> Lie:
    """The bytes of a code page taken for those of another one; characters that neither has stay."""
    return lambda sign: sign.encode(page, "ignore").decode(other, "ignore") or sign


def mixed(seed: int, signs: str) -> Lie:
    """Each of these characters claims to be another of them."""
    others = list(signs)
    random.Random(seed).shuffle(others)
    pairs = dict(zip(signs, others, strict=True))
    return lambda sign: pairs.get(sign, sign)


def private(sign: str) -> str:
    """A code of the private use area, as programs give to the glyphs of their own fonts."""
    return chr(0xE000 + ord(sign) % 0x1000)


def page(lines: Sequence[str], lie: Lie | None, *, font: str = DEJAVU, signs: str | None = None) -> bytes:
    """One page with these lines from the top, 30 points apart, in one embedded font.

    lie: what the layer says of a character; None takes the map away, and the characters out of the font program.
    signs: the characters that are lied about; all, where it is None.
    """
    document = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    for number, line in enumerate(lines):
        sheet.insert_text((60, 60 + 30 * number), line, fontsize=12, fontname="F0", fontfile=font)
    document.subset_fonts(fallback=True)
    document = pymupdf.open(stream=document.tobytes(), filetype="pdf")
    for xref, *_ in document[0].get_fonts(full=True):
        if lie is None:
            _take_away(document, xref)
        else:
            _lie(document, xref, lie, signs)
    data: bytes = document.tobytes(deflate=True, garbage=3)
    return data


def subsets(pages: Sequence[Sequence[str]], folder: Path) -> bytes:
    """A file whose pages each embed their own subset of one font under one name without a tag, as programs that print page by page do.

    folder: where the subsets are put, in which each glyph has another number.
    """
    document = pymupdf.open()
    for number, lines in enumerate(pages):
        font = TTFont(DEJAVU)
        subsetter = Subsetter()
        subsetter.populate(text="".join(lines))
        subsetter.subset(font)
        file = folder / f"{number}.ttf"
        font.save(file)
        sheet = document.new_page(width=842, height=595)
        for place, line in enumerate(lines):
            sheet.insert_text((60, 60 + 30 * place), line, fontsize=12, fontname="F0", fontfile=str(file))
    data: bytes = document.tobytes(deflate=True)
    return data


def _number(document: Any, xref: int, key: str) -> int:
    return int(document.xref_get_key(xref, key)[1].split()[0])


def _lie(document: Any, xref: int, lie: Lie, signs: str | None) -> None:
    where = _number(document, xref, "ToUnicode")
    pairs = _pairs(document.xref_stream(where).decode("latin-1"))
    said = {code: lie(sign) if signs is None or sign in signs else sign for code, sign in pairs.items()}
    rows = "\n".join(f"<{code:04x}> <{sign.encode('utf-16-be').hex()}>" for code, sign in said.items())
    document.update_stream(where, f"{_HEAD}{len(said)} beginbfchar\n{rows}\nendbfchar\n{_END}".encode())


def _pairs(cmap: str) -> dict[int, str]:
    """Code to character of a map to Unicode."""
    found: dict[int, str] = {}
    for kind, body in re.findall(r"beginbf(char|range)(.*?)endbf", cmap, re.DOTALL):
        numbers = [int(number, 16) for number in re.findall(r"<([0-9a-fA-F]+)>", body)]
        if kind == "char":
            found |= {code: chr(sign) for code, sign in zip(numbers[::2], numbers[1::2], strict=True)}
        else:
            for first, last, sign in zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True):
                found |= {code: chr(sign + code - first) for code in range(first, last + 1)}
    return found


def _take_away(document: Any, xref: int) -> None:
    document.xref_set_key(xref, "ToUnicode", "null")
    descendants = document.xref_get_key(xref, "DescendantFonts")[1]
    inner = int(re.findall(r"(\d+) 0 R", descendants)[0])
    descriptor = _number(document, inner, "FontDescriptor")
    where = _number(document, descriptor, "FontFile2")
    program = bytearray(document.xref_stream(where))
    for record in range(12, 12 + 16 * int.from_bytes(program[4:6], "big"), 16):
        if bytes(program[record : record + 4]) in _NAMING:
            program[record : record + 4] = b"none"
    document.update_stream(where, bytes(program))
