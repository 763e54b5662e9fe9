"""A DXF as pairs of group code and value, and as records: the lean way, without a document model.

Glossary
  pair      a group code and its value; two lines of an ASCII DXF.
  record    what a pair of code 0 opens: an entity, a table entry, a section mark.
  section   HEADER, TABLES, BLOCKS, ENTITIES, OBJECTS: records between SECTION and ENDSEC.

Source: AutoCAD DXF reference, "ASCII DXF files", "Binary DXF files".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from operator import itemgetter
from typing import Final, TypeAlias

from spatial.formats.dxf.pairs import CutOff, Damaged, Value, read_pairs

FIRST_XDATA: Final = 1000

Taker: TypeAlias = Callable[[Sequence[Value]], tuple[Value, ...]]
"""Takes some of the values of a record."""


class Layout:
    """The group codes of a record in order. A program writes entities of one kind alike, so that a file has few layouts."""

    __slots__ = ("_every", "_getters", "codes", "places")

    places: dict[int, int]
    """Code to the place of its first value: later ones are of subclasses, embedded objects and extended data."""

    def __init__(self, codes: Sequence[int]) -> None:
        self.codes = codes
        self.places = {}
        for place, code in enumerate(codes):
            self.places.setdefault(code, place)
        self._getters: dict[tuple[int, ...], Taker] = {}
        self._every: dict[int, Taker] = {}

    def getter(self, codes: tuple[int, ...]) -> Taker:
        """What takes the first value of each of two codes or more, of those that the layout has, out of the values of a record."""
        found = self._getters.get(codes)
        if found is None:
            found = self._getters[codes] = _at([self.places[code] for code in codes if code in self.places])
        return found

    def every(self, code: int) -> Taker:
        """What takes every value of a code out of the values of a record, up to extended data."""
        found = self._every.get(code)
        if found is None:
            own = takewhile(lambda each: each[1] < FIRST_XDATA, enumerate(self.codes))
            found = self._every[code] = _at([place for place, each in own if each == code])
        return found


def _at(places: Sequence[int]) -> Taker:
    """What takes the values at places; of less than two, `itemgetter` makes no tuple."""
    if len(places) > 1:
        return itemgetter(*places)
    if not places:
        return lambda _: ()
    [place] = places
    return lambda values: (values[place],)


class Record:
    """One record: its values in order, found by their codes."""

    __slots__ = ("layout", "type", "values")

    def __init__(self, type: str, codes: Sequence[int], values: list[Value], layout: Layout | None = None) -> None:
        """`layout`: that of `codes`, where it is known."""
        self.type = type
        self.layout = layout or Layout(codes)
        self.values = values

    @property
    def codes(self) -> Sequence[int]:
        """The code of each value."""
        return self.layout.codes

    def has(self, code: int) -> bool:
        """Whether a value of a code is there."""
        return code in self.layout.places

    def value(self, code: int) -> Value:
        """The first value of a code. Raises: KeyError where there is none."""
        return self.values[self.layout.places[code]]

    def number(self, code: int, default: float = 0.0) -> float:
        """A number, or the default where it is missing or no number."""
        place = self.layout.places.get(code)
        if place is None:
            return default
        try:
            return float(self.values[place])
        except ValueError:
            return default

    def whole(self, code: int, default: int = 0) -> int:
        """A whole number, or the default."""
        place = self.layout.places.get(code)
        if place is None:
            return default
        try:
            return int(self.values[place])
        except (ValueError, OverflowError):
            number = self.number(code, float("nan"))
            return int(number) if abs(number) < 2**63 else default

    def text(self, code: int, default: str = "") -> str:
        """A text as it stands in the file."""
        place = self.layout.places.get(code)
        return default if place is None else str(self.values[place])

    def name(self, code: int, default: str = "") -> str:
        """A name or handle, without white space around it."""
        place = self.layout.places.get(code)
        return default if place is None else str(self.values[place]).strip()

    def point(self, code: int) -> tuple[float, float, float]:
        """x, y and z."""
        return self.number(code), self.number(code + 10), self.number(code + 20)

    def all(self, *codes: int) -> Iterator[tuple[int, Value]]:
        """Pairs of these codes, in order, without extended data."""
        return ((code, value) for code, value in self.own_pairs() if code in codes)

    def every(self, code: int) -> tuple[Value, ...]:
        """Every value of a code, in order, without extended data."""
        return self.layout.every(code)(self.values)

    def own_pairs(self) -> list[tuple[int, Value]]:
        """All pairs up to extended data."""
        pairs = list(zip(self.codes, self.values, strict=True))
        if max(self.codes, default=0) < FIRST_XDATA:
            return pairs
        return pairs[: next(place for place, code in enumerate(self.codes) if code >= FIRST_XDATA)]

    def numbers(self, code: int) -> list[float]:
        """Every value of a code; what is no number is left out."""
        return [number for value in self.every(code) if (number := as_number(value)) is not None]

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


def _sections(codes: tuple[int, ...], values: list[Value], *, lenient: bool) -> File:
    """Cuts the pairs at code 0."""
    file, section = File(closed=False), ""
    records: list[Record] = []
    layouts: dict[tuple[int, ...], Layout] = {}
    for place, end in pairwise(_starts(codes)):
        type = str(values[place]).strip()
        if section and type not in _MARKS:
            own = codes[place + 1 : end]
            layout = layouts.get(own)
            if layout is None:
                layout = layouts[own] = Layout(own)
            records.append(Record(type, own, values[place + 1 : end], layout))
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


def _starts(codes: tuple[int, ...]) -> Iterator[int]:
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


def _opened(file: File, codes: tuple[int, ...], values: list[Value]) -> str:
    """The name of a section; the variables of HEADER follow it without a record of their own."""
    section = str(values[0]).strip().upper() if codes[:1] == (2,) else "?"
    if section == "HEADER":
        file.header = _header(codes[1:], values[1:])
    file.sections.setdefault(section, [])
    return section


def _header(codes: tuple[int, ...], values: list[Value]) -> dict[str, dict[int, Value]]:
    header: dict[str, dict[int, Value]] = {}
    variable: dict[int, Value] = {}
    for code, value in zip(codes, values, strict=True):
        if code == 9:
            variable = header.setdefault(str(value).strip(), {})
        else:
            variable.setdefault(code, value)
    return header
