"""A DXF as pairs of group code and value, and as records: the lean way, without a document model.

Glossary
  pair      a group code and its value; two lines of an ASCII DXF.
  record    what a pair of code 0 opens: an entity, a table entry, a section mark.
  section   HEADER, TABLES, BLOCKS, ENTITIES, OBJECTS: records between SECTION and ENDSEC.

Source: AutoCAD DXF reference, "ASCII DXF files", "Binary DXF files".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from spatial.formats.dxf.pairs import CutOff, Damaged, Value, read_pairs

FIRST_XDATA: Final = 1000


class Record:
    """One record; `first` finds values by code, `pairs` keeps their order."""

    __slots__ = ("codes", "first", "type", "values")

    first: dict[int, Value]
    """Code to its first value: later ones are of subclasses, embedded objects and extended data. Made when it is first asked for:
    most records of OBJECTS are never looked into."""

    def __init__(self, type: str, codes: list[int], values: list[Value]) -> None:
        self.type = type
        self.codes = codes
        self.values = values

    def __getattr__(self, name: str) -> dict[int, Value]:
        """`first`, which has no value yet."""
        if name != "first":
            raise AttributeError(name)
        self.first = dict(zip(self.codes[::-1], self.values[::-1], strict=True))
        return self.first

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
        return ((code, value) for code, value in self.own_pairs() if code in codes)

    def own_pairs(self) -> list[tuple[int, Value]]:
        """All pairs up to extended data."""
        pairs = list(zip(self.codes, self.values, strict=True))
        if max(self.codes, default=0) < FIRST_XDATA:
            return pairs
        return pairs[: next(place for place, code in enumerate(self.codes) if code >= FIRST_XDATA)]

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
    found_encoding: str = ""
    """The encoding that its letters are in, where its header says another one."""
    doubtful_encoding: bool = False
    damage: str = ""
    """Why it was read only as far as it goes; empty where it was read as a whole."""

    def setting(self, name: str, default: float | None = None) -> float | None:
        """A number of the header."""
        values = self.header.get(name)
        number = as_number(next(iter(values.values()))) if values else None
        return default if number is None else number


def parse(data: bytes, *, lenient: bool = False) -> File:
    """The records of an ASCII or binary DXF.

    Raises: Damaged where codes are no numbers or sections do not close; `lenient` reads as far as it goes instead.
    """
    pairs = read_pairs(data, lenient=lenient)
    file = _sections(pairs.codes, pairs.values, lenient=lenient)
    file.version, file.bad_encoding = pairs.version, pairs.bad_encoding
    file.found_encoding, file.doubtful_encoding = pairs.found_encoding, pairs.doubtful
    return file


def _sections(codes: list[int], values: list[Value], *, lenient: bool) -> File:
    """Cuts the pairs at code 0."""
    file, section = File(closed=False), ""
    records: list[Record] = []
    for place, end in pairwise(_starts(codes)):
        type = str(values[place]).strip()
        if section and type not in _MARKS:
            records.append(Record(type, codes[place + 1 : end], values[place + 1 : end]))
            continue
        if type == "EOF":
            file.closed = not section
            break
        if not lenient:
            _require_order(type, section)
        if type == "SECTION":
            section = _opened(file, codes[place + 1 : end], values[place + 1 : end])
            records = file.sections[section]
        elif type == "ENDSEC":
            section = ""
    if not file.closed and not lenient:
        raise CutOff("the file is cut off: it has no end mark")
    if not file.closed and section and file.sections[section]:
        file.sections[section].pop()  # the cut may go through one of its numbers
    return file


_MARKS: Final = frozenset(("SECTION", "ENDSEC", "EOF"))


def _starts(codes: list[int]) -> Iterator[int]:
    """Where each record begins, then where the last one ends."""
    place = -1
    try:
        while True:
            place = codes.index(0, place + 1)
            yield place
    except ValueError:
        yield len(codes)


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
