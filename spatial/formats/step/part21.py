"""A light reading of ISO 10303-21 text: what the kernel does not report about a file.

The kernel gives shapes in millimetres. Which unit the file itself uses, which files it refers to, which schema it follows and
whether it is whole, is found here by a few keywords in the text.

Glossary
  instance  `#12=CARTESIAN_POINT('',(0.,0.,0.));`, numbered, of one entity or of several (in parentheses).
  context   the instance that gives a representation its units.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final

from spatial.formats.step import scan

_STRING: Final = rb"'(?:[^']|'')*+'"
"""Possessive: two strings side by side are also one with a doubled mark, and all ways to divide many of them are never tried."""
_INSTANCE: Final = re.compile(rb"#\s*(\d+)\s*=")
_INDEXED: Final = re.compile(rb"\s*(?:#\s*(\d{1,18})\s*=\s*([A-Za-z_]\w*|\())?((?:[^';]+|'[^']*')*+)(?:;|'|\Z)")
"""A statement: number, entity or parenthesis, and the rest. A quotation mark without its partner ends a statement too, so that the time
is linear in the length of any text."""
_KEYWORD: Final = re.compile(rb"([A-Za-z_]\w*)\s*\(")
_BEFORE: Final = re.compile(rb"#\s*(\d+)\s*=\s*\Z")
_REACH: Final = 40
"""Bytes in which the number before an instance's keyword stands."""
_STATEMENT: Final = re.compile(rb"(?:[^';]+|" + _STRING + rb")*+;")
_COMMENT: Final = re.compile(rb"/\*.*?\*/", re.DOTALL)
_SCHEMA: Final = re.compile(rb"FILE_SCHEMA\s*\(\s*\(\s*((?:" + _STRING + rb"[\s,]*)++)\)")
_DATA: Final = re.compile(rb"DATA\s*(?:\((?:[^;'()]|" + _STRING + rb"|\([^;()]*\))*+\)\s*)?;")
"""The name and the schemas of a section may follow (edition 3, 11.1), in parentheses of which none is nested deeper."""
_END: Final = re.compile(rb"ENDSEC\s*;\s*END-ISO-10303-21\s*;")
_DOCUMENT_FILE: Final = re.compile(rb"DOCUMENT_FILE\s*\(\s*(" + _STRING + rb")")
_GEOMETRY_FILE: Final = re.compile(
    r"\.(stp|step|p21|igs|iges|prt|asm|sldprt|sldasm|catpart|catproduct|ipt|iam|x_t|sat)$", re.IGNORECASE
)

_FACES: Final = ("ADVANCED_FACE", "FACE_SURFACE")
_BOUNDS: Final = rb"\s*\(\s*" + _STRING + rb"\s*,\s*\(([#\d,\s]*)"
"""The numbers of a face's bounds; ISO 10303-42, 5.4.19."""

_SEAM: Final = b"SEAM_CURVE"
"""A curve along which a face meets itself; ISO 10303-42, 4.4.37."""
_ON_SURFACES: Final = (b"SURFACE_CURVE", b"INTERSECTION_CURVE", _SEAM)
"""Curves of edges that state their pcurves; ISO 10303-42, 4.4.34, 4.4.36 and 4.4.37."""
_POLES: Final = (b"SPHERICAL_SURFACE", b"SURFACE_OF_REVOLUTION", b"VERTEX_LOOP")
"""Surfaces whose faces mostly have a pole, and boundaries that are one."""
_CLOSED: Final = (b"CONICAL_SURFACE", b"SPHERICAL_SURFACE", b"TOROIDAL_SURFACE", b"SURFACE_OF_REVOLUTION")
"""Surfaces that may have poles or close on themselves twice."""

_BEYOND: Final = rb"(?<!\d)\d++(?:\.\d*+)?+E\+?0*+(?:[1-9]\d{3}|[4-9]\d\d|3[1-9]\d|309)"
"""A real beyond those that a computer counts with: 1.E309. Tried only where digits begin, it goes through each of them once."""
_NO_NUMBER: Final = re.compile(
    rb"[(,]\s*[-+]?(?:NAN|INF|INFINITY)\s*[,)]|CARTESIAN_POINT\s*\([^()]{0,200}\([^()]{0,200}?" + _BEYOND, re.IGNORECASE
)
"""Not a value of the syntax, which printf writes and on which the kernel's lexer does not end; a point at no place."""

_FAR: Final = 1e18
"""Where doubles are 128 apart: a body there has no shape, and the kernel's repairs crash on most."""
_SAMPLE: Final = 100
"""Points that are looked at in every file."""
_POINT: Final = re.compile(rb"CARTESIAN_POINT\s*\(\s*(?:" + _STRING + rb"|\$)\s*,\s*\(([^()]{0,2000})\)")
_REAL: Final = re.compile(rb"\d++(?:\.\d*+)?+(?:E[-+]?\d++)?+", re.IGNORECASE)

_WORD: Final = re.compile(rb"\w")

_FEW: Final = 3
"""Times that the text is searched from end to end for single instances before all are indexed, which takes as long as about 5."""

_SHOWN: Final = 60
"""Characters of an instance that a message shows."""


@dataclass(frozen=True)
class Part21:
    """The text of one file."""

    raw: bytes
    _searched: list[int] = field(default_factory=list)
    """Bytes that each search for a single instance went through."""

    @cached_property
    def text(self) -> bytes:
        """Without comments. What follows the last end of one is not searched: no comment in it ends, however many begin."""
        if b"/*" not in self.raw:
            return self.raw
        end = self.raw.rfind(b"*/") + len(b"*/")
        return _COMMENT.sub(b" ", self.raw[:end]) + self.raw[end:]

    @cached_property
    def schemas(self) -> list[str]:
        """The schema names of the header, in capitals, without their object identifiers."""
        found = _SCHEMA.search(self.text)
        names = re.findall(_STRING, found.group(1)) if found else []
        return [re.split(r"[\s{]", name.decode("latin-1").strip("' "), maxsplit=1)[0].upper() for name in names]

    @property
    def has_data(self) -> bool:
        """Whether a data section begins."""
        return _DATA.search(self.text) is not None

    @property
    def has_end(self) -> bool:
        """Whether the last section is closed and the file's end is marked; a signature may follow that."""
        return _END.search(self.text) is not None

    @property
    def ends_after_section(self) -> bool:
        """Whether the data section is closed and nothing follows, not even the mark of the end."""
        return re.search(rb"ENDSEC\s*;\s*$", self.text) is not None and self._closed_sections() >= 2

    def _closed_sections(self) -> int:
        return len(re.findall(rb"ENDSEC\s*;", self.text))

    @property
    def instance_count(self) -> int:
        """How many instances there are."""
        return len(self._offsets)

    @cached_property
    def statements(self) -> tuple[dict[int, tuple[int, int]], dict[str, list[int]]]:
        """Where each instance begins and ends, after its `=`; the numbers of the instances of each entity, in lower case."""
        spans: dict[int, tuple[int, int]] = {}
        kinds: dict[bytes, list[int]] = defaultdict(list)
        begin = _DATA.search(self.text)
        for found in _INDEXED.finditer(self.text, begin.end() if begin else 0):
            digits, keyword, rest = found.groups()
            if not digits or (number := int(digits)) in spans:
                continue
            spans[number] = found.start(2), found.end(3)
            if keyword != b"(":
                kinds[keyword].append(number)
                continue
            bare = re.sub(_STRING, b"", rest) if b"'" in rest else rest
            for part in dict.fromkeys(_KEYWORD.findall(bare)):
                kinds[part].append(number)
        return spans, {keyword.decode().lower(): numbers for keyword, numbers in kinds.items()}

    @cached_property
    def _offsets(self) -> dict[int, int]:
        if "statements" in self.__dict__:
            return {number: span[0] for number, span in self.statements[0].items()}
        return scan.numbered(self.text)

    def find_instances(self) -> None:
        """Find where every instance is, before many of them are asked for."""
        _ = self._offsets

    @property
    def numbers(self) -> list[int]:
        """The numbers of all instances, in the order of the text."""
        return list(self._offsets)

    def shown(self, number: int) -> str:
        """An instance for a message: its beginning, in one line."""
        text = b" ".join(self.instance(number).rstrip(b";").split()).decode("latin-1")
        return f"#{number}={text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}"

    def instance(self, number: int) -> bytes:
        """The text of an instance after its `=`; empty where there is none."""
        offset = self._offset(number)
        found = _STATEMENT.match(self.text, offset) if offset is not None else None
        return found.group().strip() if found else b""

    def _offset(self, number: int) -> int | None:
        """The first few are searched for by their usual spellings: an index of all takes longer."""
        indexed = "_offsets" in self.__dict__ or sum(self._searched) >= _FEW * len(self.text)
        for spelling in () if indexed else (b"#%d=", b"#%d ="):
            found = self.text.find(spelling % number)
            self._searched.append(found if found >= 0 else len(self.text))
            if found >= 0:
                return found + len(spelling % number)
        return self._offsets.get(number)

    def instances(self, keyword: str) -> Iterator[tuple[int, bytes]]:
        """Number and text after `=` of each simple instance of an entity, in the order of the text."""
        for match in re.finditer(keyword.encode() + rb"\s*\(", self.text):
            number = _BEFORE.search(self.text, max(0, match.start() - _REACH), match.start())
            statement = _STATEMENT.match(self.text, match.start()) if number else None
            if number and statement:
                yield int(number.group(1)), statement.group()

    def occurrences(self, keyword: str) -> int:
        """How often an entity is written."""
        return len(re.findall(keyword.encode() + rb"\s*\(", self.text))

    def number_before(self, offset: int) -> int | None:
        """The number of the instance in whose text an offset lies."""
        begin = self.text.rfind(b";", 0, offset)
        found = _INSTANCE.search(self.text, begin + 1, offset)
        return int(found.group(1)) if found else None

    def matches(self, keyword: str, pattern: bytes) -> Iterator[re.Match[bytes]]:
        """Where an entity's keyword stands as a whole word, with a pattern after it.

        A pattern that begins with the letters of one word is looked for ten times as fast as one that begins with a choice.
        """
        for match in re.finditer(keyword.encode() + pattern, self.text):
            if not _WORD.match(self.text, match.start() - 1):
                yield match

    @cached_property
    def bounds(self) -> list[int]:
        """How many bounds each face has, in no certain order."""
        return [found[1].count(b"#") for name in _FACES for found in self.matches(name, _BOUNDS)]

    @cached_property
    def needs_no_curves(self) -> bool:
        """Whether every edge may state its curves on surfaces, and no face has a pole, where an edge is to be added."""
        count = self.text.count
        return sum(map(count, _ON_SURFACES)) >= count(b"EDGE_CURVE") > 0 and not any(map(count, _CLOSED))

    @property
    def lacks_all_curves(self) -> bool:
        """Whether no edge states its curves on surfaces, and hardly a face has a pole."""
        text = self.text
        return b"EDGE_CURVE" in text and not any(each in text for each in (*_ON_SURFACES, *_POLES))

    @property
    def has_seams(self) -> bool:
        """Whether edges state that a face meets itself along them."""
        return _SEAM in self.text

    @property
    def has_no_numbers(self) -> bool:
        """Whether a parameter may be NaN or infinite; a string may look like that, which `first_error` tells apart."""
        capitals = self.raw.upper()
        may = b"NAN" in capitals or b"INF" in capitals or scan.has_large_exponent(self.raw)
        return may and _NO_NUMBER.search(self.raw) is not None

    @property
    def is_nowhere(self) -> bool:
        """Whether most points stand farther from the origin than a coordinate has a meaning; a few such cost only what reaches there."""
        points = _POINT.finditer(self.text)
        far = list(map(_is_far, islice(points, _SAMPLE)))
        if 2 * sum(far) > len(far):
            far.extend(map(_is_far, points))
        return 2 * sum(far) > len(far)

    @cached_property
    def external_files(self) -> list[str]:
        """Names of model files that parts of this one are in."""
        names = [match.group(1)[1:-1].decode("utf-8", "replace") for match in _DOCUMENT_FILE.finditer(self.text)]
        return list(dict.fromkeys(name for name in names if _GEOMETRY_FILE.search(name)))

    def line_of(self, offset: int) -> int:
        """The line, from 1, of an offset into the raw text."""
        return self.raw.count(b"\n", 0, offset) + 1


def _is_far(point: re.Match[bytes]) -> bool:
    return any(float(real) > _FAR for real in _REAL.findall(point[1]))


def first_error(raw: bytes) -> tuple[int, str] | None:
    """The line and the text of the first statement of the data section that is none; None where all look right."""
    begin = _DATA.search(raw)
    position = begin.end() if begin else 0
    while position < len(raw):
        skipped = re.compile(rb"(?:\s|/\*.*?\*/)*", re.DOTALL).match(raw, position)
        position = skipped.end() if skipped else position
        statement = _STATEMENT.match(raw, position)
        text = statement.group() if statement else raw[position:]
        if re.match(rb"ENDSEC\b", text) or not text:
            return None
        if statement is None or not _is_instance(text):
            return raw.count(b"\n", 0, position) + 1, text[:_SHOWN].decode("latin-1").strip().rstrip(";")
        position = statement.end()
    return None


def _is_instance(statement: bytes) -> bool:
    bare = re.sub(_STRING, b"", _COMMENT.sub(b"", statement))
    if not re.match(rb"#\s*\d+\s*=\s*[A-Za-z!(&]", bare) or _NO_NUMBER.search(bare):
        return False
    return bare.count(b"(") == bare.count(b")")
