"""A DXF as pairs of group code and value, and as records: the lean way, without a document model.

Glossary
  pair      a group code and its value; two lines of an ASCII DXF.
  record    what a pair of code 0 opens: an entity, a table entry, a section mark.
  section   HEADER, TABLES, BLOCKS, ENTITIES, OBJECTS: records between SECTION and ENDSEC.

Source: AutoCAD DXF reference, "ASCII DXF files", "Binary DXF files".
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from spatial.formats.dxf.ezdxf_names import toencoding

Value: TypeAlias = str | float | int
SENTINEL: Final = b"AutoCAD Binary DXF\r\n\x1a\0"
HEAD_BYTES: Final = 65536
"""How far into the file version and code page are looked for; some headers open with long comments."""

UTF8_SINCE: Final = "AC1021"
"""R2007; before it, texts are in the code page that the header names."""

FIRST_XDATA: Final = 1000


class Damaged(ValueError):
    """The structure is not that of a DXF: the message says where."""


class CutOff(Damaged):
    """The structure is that of a DXF, but it ends too early."""


class Record:
    """One record; `first` finds values by code, `pairs` keeps their order."""

    __slots__ = ("codes", "first", "type", "values")

    def __init__(self, type: str, codes: list[int], values: list[Value]) -> None:
        self.type = type
        self.codes = codes
        self.values = values
        self.first: dict[int, Value] = dict(zip(reversed(codes), reversed(values), strict=True))
        """Code to its first value: later ones are of subclasses, embedded objects and extended data."""

    def number(self, code: int, default: float = 0.0) -> float:
        """A number, or the default where it is missing or no number."""
        value = self.first.get(code)
        if value is None:
            return default
        try:
            return float(value)
        except ValueError:
            return default

    def whole(self, code: int, default: int = 0) -> int:
        """A whole number, or the default."""
        value = self.first.get(code)
        if value is None:
            return default
        try:
            return int(value)
        except (ValueError, OverflowError):
            number = self.number(code, float("nan"))
            return int(number) if abs(number) < 2**63 else default

    def text(self, code: int, default: str = "") -> str:
        """A text as it stands in the file."""
        value = self.first.get(code)
        return default if value is None else str(value)

    def name(self, code: int, default: str = "") -> str:
        """A name or handle, without white space around it."""
        value = self.first.get(code)
        return default if value is None else str(value).strip()

    def point(self, code: int) -> tuple[float, float, float]:
        """x, y and z."""
        return self.number(code), self.number(code + 10), self.number(code + 20)

    def all(self, *codes: int) -> Iterator[tuple[int, Value]]:
        """Pairs of these codes, in order, without extended data."""
        for code, value in zip(self.codes, self.values, strict=True):
            if code >= FIRST_XDATA:
                return
            if code in codes:
                yield code, value

    def numbers(self, code: int) -> list[float]:
        """Every value of a code; what is no number is left out."""
        return [number for _, value in self.all(code) if (number := as_number(value)) is not None]

    def after(self, marker: str) -> Record:
        """What follows the subclass mark of that name, as a record of its own."""
        for place, (code, value) in enumerate(zip(self.codes, self.values, strict=True)):
            if code == 100 and str(value).strip() == marker:
                return Record(self.type, self.codes[place + 1 :], self.values[place + 1 :])
        return self


def as_number(value: Value) -> float | None:
    """The value as a number, None where it is none."""
    try:
        return float(value)
    except ValueError:
        return None


@dataclass(slots=True)
class File:
    """All records of a file, by section."""

    version: str = "AC1009"
    header: dict[str, dict[int, Value]] = field(default_factory=dict)
    """Name of a variable to its values by code."""
    sections: dict[str, list[Record]] = field(default_factory=dict)
    closed: bool = True
    """Whether the last section and the file are closed."""
    bad_encoding: bool = False

    def setting(self, name: str, default: float | None = None) -> float | None:
        """A number of the header."""
        values = self.header.get(name)
        number = as_number(next(iter(values.values()))) if values else None
        return default if number is None else number


def parse(data: bytes, *, lenient: bool = False) -> File:
    """The records of an ASCII or binary DXF.

    Raises: Damaged where codes are no numbers or sections do not close; `lenient` reads as far as it goes instead.
    """
    version, encoding = _version(data)
    if data.startswith(SENTINEL):
        codes, values, bad = *_binary_pairs(data, version, encoding, lenient=lenient), False
    else:
        codes, values, bad = _ascii_pairs(data, encoding, lenient=lenient)
    file = _sections(codes, values, lenient=lenient)
    file.version, file.bad_encoding = version, bad
    return file


def _version(data: bytes) -> tuple[str, str]:
    head = data[:HEAD_BYTES]
    found = re.search(rb"\$ACADVER[\s\x01\0]{1,8}(?:1[\s\0]{1,8})?(AC\d{4})", head)
    version = found[1].decode() if found else "AC1009"
    if version >= UTF8_SINCE:
        return version, "utf-8"
    page = re.search(rb"\$DWGCODEPAGE[\s\x03\0]{1,8}(?:3[\s\0]{1,8})?(\w{2,30})", head)
    encoding = toencoding(page[1].decode("ascii", "replace")) if page else "cp1252"
    try:
        codecs.lookup(encoding)
    except LookupError:
        encoding = "cp1252"
    return version, encoding


def _ascii_pairs(data: bytes, encoding: str, *, lenient: bool) -> tuple[list[int], list[Value], bool]:
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
        codes = list(map(int, lines[: 2 * len(values) : 2]))
    except ValueError:
        codes = _until_bad(lines)
        values = values[: len(codes)]
        ended = bool(codes) and codes[-1] == 0 and str(values[-1]).strip() == "EOF"
        if not ended and not lenient:
            raise Damaged(f"line {2 * len(codes) + 1} is no group code") from None
    return codes, values, bad


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


def _sections(codes: list[int], values: list[Value], *, lenient: bool) -> File:
    """Cuts the pairs at code 0."""
    starts = [place for place, code in enumerate(codes) if code == 0]
    file, section = File(closed=False), ""
    for place, end in zip(starts, [*starts[1:], len(codes)], strict=True):
        type = str(values[place]).strip()
        if type == "EOF":
            file.closed = not section
            break
        if not lenient:
            _require_order(type, section)
        if type == "SECTION":
            section = _opened(file, codes[place + 1 : end], values[place + 1 : end])
        elif type == "ENDSEC":
            section = ""
        elif section:
            file.sections[section].append(Record(type, codes[place + 1 : end], values[place + 1 : end]))
    if not file.closed and not lenient:
        raise CutOff("the file is cut off: it has no end mark")
    return file


def _require_order(type: str, section: str) -> None:
    if type == "SECTION" and section:
        raise Damaged(f"section {section} is not closed")
    if type == "ENDSEC" and not section:
        raise Damaged("a section ends that did not begin")
    if type not in ("SECTION", "ENDSEC") and not section:
        raise Damaged(f"{type[:40]!r} stands outside of the sections")


def _opened(file: File, codes: list[int], values: list[Value]) -> str:
    """The name of a section; the variables of HEADER follow it without a record of their own."""
    section = str(values[0]).strip().upper() if codes[:1] == [2] else "?"
    if section == "HEADER":
        file.header = _header(codes[1:], values[1:])
    file.sections.setdefault(section, [])
    return section


def _header(codes: list[int], values: list[Value]) -> dict[str, dict[int, Value]]:
    header: dict[str, dict[int, Value]] = {}
    variable: dict[int, Value] = {}
    for code, value in zip(codes, values, strict=True):
        if code == 9:
            variable = header.setdefault(str(value).strip(), {})
        else:
            variable.setdefault(code, value)
    return header
