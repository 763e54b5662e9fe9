"""The bytes of a DXF, ASCII or binary, as pairs of group code and value.

Source: AutoCAD DXF reference, "ASCII DXF files", "Binary DXF files".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from spatial.formats.dxf.code_pages import LATIN, codec_of, true_encoding

Value: TypeAlias = str | float | int
SENTINEL: Final = b"AutoCAD Binary DXF\r\n\x1a\0"
HEAD_BYTES: Final = 65536
"""How far into the file version and code page are looked for; some headers open with long comments."""

UTF8_SINCE: Final = "AC1021"
"""R2007; before it, texts are in the code page that the header names."""


class Damaged(ValueError):
    """The structure is not that of a DXF: the message says where."""


class CutOff(Damaged):
    """The structure is that of a DXF, but it ends too early."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """All pairs of a file, in file order."""

    version: str
    """Value of $ACADVER; AC1009 where it is absent."""
    codes: tuple[int, ...]
    values: list[Value]
    bad_encoding: bool
    """Whether some bytes are not of the encoding that the file is read in."""
    found_encoding: str
    """The encoding that its letters are in, where its header says another one; else empty."""
    doubtful: bool
    """Whether its letters are not plausible in the encoding that its header says, nor in another one."""


def read_pairs(data: bytes, *, lenient: bool) -> Pairs:
    """The pairs of an ASCII or binary DXF.

    lenient: read up to the damage instead of raising.
    Raises: Damaged where a group code is no number; CutOff where a binary pair is cut off.
    """
    version, declared = _version(data)
    binary = data.startswith(SENTINEL)
    encoding, sure = (declared, True) if binary else true_encoding(data, declared)
    codes: Sequence[int]
    if binary:
        codes, values, bad = *_binary_pairs(data, version, encoding, lenient=lenient), False
    else:
        codes, values, bad = _ascii_pairs(data, encoding, lenient=lenient)
    return Pairs(version, tuple(codes), values, bad, encoding if encoding != declared else "", doubtful=not sure)


def _version(data: bytes) -> tuple[str, str]:
    head = data[:HEAD_BYTES]
    found = re.search(rb"\$ACADVER[\s\x01\0]{1,8}(?:1[\s\0]{1,8})?(AC\d{4})", head)
    version = found[1].decode() if found else "AC1009"
    if version >= UTF8_SINCE:
        return version, "utf-8"
    page = re.search(rb"\$DWGCODEPAGE[\s\x03\0]{1,8}(?:3[\s\0]{1,8})?(\w{2,30})", head)
    return version, codec_of(page[1].decode("ascii", "replace")) if page else LATIN


def _ascii_pairs(data: bytes, encoding: str, *, lenient: bool) -> tuple[Sequence[int], list[Value], bool]:
    text, bad = _decoded(data, encoding)
    # Files from old Macs end their lines with CR alone, and some exporters put blank lines before the first pair.
    text = text.lstrip("\ufeff \t\r\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    lines = text.split("\n")
    values: list[Value] = lines[1::2]  # type: ignore[assignment]  # str is a Value
    try:
        codes: Sequence[int] = tuple(map(_Codes().__getitem__, lines[: 2 * len(values) : 2]))
    except ValueError:
        codes = _until_bad(lines)
        values = values[: len(codes)]
        ended = bool(codes) and codes[-1] == 0 and str(values[-1]).strip() == "EOF"
        if not ended and not lenient:
            raise Damaged(f"line {2 * len(codes) + 1} is not a group code") from None
    return codes, values, bad


class _Codes(dict[str, int]):
    """A line to its group code: a file has few, and writes each the same way thousands of times."""

    def __missing__(self, line: str) -> int:
        code = self[line] = int(line)
        return code


def _decoded(data: bytes, encoding: str) -> tuple[str, bool]:
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError:
        return data.decode(encoding, "replace"), True


def _until_bad(lines: list[str]) -> list[int]:
    """Codes up to the first that is no number, or to the end mark."""
    codes: list[int] = []
    for place in range(0, len(lines) - 1, 2):
        try:
            codes.append(int(lines[place]))
        except ValueError:
            break
        if codes[-1] == 0 and lines[place + 1].strip() == "EOF":
            break
    return codes


def _kinds() -> dict[int, str]:
    """Group code to the layout of its binary value; texts are not in it."""
    spans = {
        "<d": ((10, 59), (110, 149), (210, 239), (460, 469), (1010, 1059)),
        "<h": ((60, 79), (170, 179), (270, 289), (370, 389), (400, 409), (1060, 1070)),
        "<i": ((90, 99), (420, 429), (440, 459), (1071, 1071)),
        "<q": ((160, 169),),
        "<B": ((290, 299),),
        "chunk": ((310, 319), (1004, 1004)),
    }
    return {code: kind for kind, ranges in spans.items() for first, last in ranges for code in range(first, last + 1)}


_KINDS: Final = _kinds()
_SIZES: Final = {"<d": 8, "<h": 2, "<i": 4, "<q": 8, "<B": 1}


def _binary_pairs(data: bytes, version: str, encoding: str, *, lenient: bool) -> tuple[list[int], list[Value]]:
    codes: list[int] = []
    values: list[Value] = []
    # R12 and before write a code in one byte, 255 and two more for extended data; the first code is 0.
    short = data[len(SENTINEL) + 1 : len(SENTINEL) + 2] != b"\0"
    place = len(SENTINEL)
    try:
        while place < len(data):
            place = _binary_pair(data, place, encoding, codes, values, short=short)
            if codes[-1] == 0 and values[-1] == "EOF":
                break
    except (struct.error, ValueError, IndexError):
        del codes[len(values) :]
        if not lenient:
            raise CutOff(f"the binary pair at byte {place} is cut off") from None
    return codes, values


def _binary_pair(data: bytes, place: int, encoding: str, codes: list[int], values: list[Value], *, short: bool) -> int:
    """Reads one pair; gives where the next begins."""
    code = data[place]
    if short and code != 255:
        place += 1
    else:
        code = int.from_bytes(data[place + 1 : place + 3] if short else data[place : place + 2], "little")
        place += 3 if short else 2
    kind = _KINDS.get(code)
    codes.append(code)
    if kind is None:
        end = data.index(b"\0", place)
        values.append(data[place:end].decode(encoding, "replace"))
        return end + 1
    if kind == "chunk":
        values.append("")
        return place + 1 + data[place]
    values.append(struct.unpack_from(kind, data, place)[0])
    return place + _SIZES[kind]
