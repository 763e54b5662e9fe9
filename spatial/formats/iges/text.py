"""A light reading of IGES text: whether the file is whole, and what its global section says about units.

Source: IGES 5.3, section 2.2. A file is 80-column records; column 73 has the letter of the section (S start, G global,
D directory, P parameters, T terminate), the columns after it a sequence number.

Glossary
  Hollerith  a string with its length before it: `4HINCH`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

MODEL_SPACE_SCALE: Final = 13
UNIT_FLAG: Final = 14
UNIT_NAME: Final = 15
RESOLUTION: Final = 19
"""Numbers of global parameters, from 1."""

UNIT_FLAGS: Final = {
    1: "IN", 2: "MM", 4: "FT", 5: "MI", 6: "M", 7: "KM", 8: "MIL", 9: "UM", 10: "CM", 11: "UIN",
}  # fmt: skip
"""What the unit flags stand for; flag 3 leaves it to the unit name."""

_TEXT_COLUMNS: Final = 72


@dataclass(frozen=True)
class IgesText:
    """The records of one file."""

    raw: bytes

    @cached_property
    def lines(self) -> list[bytes]:
        """Without line ends."""
        ends = self.raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return [line for line in ends.split(b"\n") if line and not line.isspace()]

    @cached_property
    def sections(self) -> Counter[str]:
        """How many records each section has."""
        codes = Counter([line[_TEXT_COLUMNS] for line in self.lines if len(line) > _TEXT_COLUMNS])
        return Counter({chr(code): count for code, count in codes.items()})

    @property
    def promised(self) -> dict[str, int]:
        """How many records the terminate section says each section has."""
        last = next((line for line in reversed(self.lines) if line[_TEXT_COLUMNS : _TEXT_COLUMNS + 1] == b"T"), b"")
        return {name.decode(): int(count) for name, count in re.findall(rb"([SGDP])\s*(\d+)", last[:_TEXT_COLUMNS])}

    @cached_property
    def globals(self) -> list[str]:
        """The global parameters as written, the first being number 1; empty for one that is left to its default."""
        records = (line[:_TEXT_COLUMNS] for line in self.lines if line[_TEXT_COLUMNS : _TEXT_COLUMNS + 1] == b"G")
        return _parameters(b"".join(record.ljust(_TEXT_COLUMNS) for record in records).decode("latin-1"))

    def parameter(self, number: int) -> str:
        """A global parameter; empty where it is not given."""
        return self.globals[number - 1] if number <= len(self.globals) else ""

    @property
    def most_boundaries(self) -> int:
        """The greatest number of inner boundaries that a trimmed surface (entity 144) has."""
        delimiter = re.escape((self.globals[0] or ",").encode("latin-1")) if self.globals else b","
        trimmed = rb"(?m)^\s*144" + (rb"\s*" + delimiter + rb"\s*(\d+)") * 3
        return max((int(inner) for _, _, inner in re.findall(trimmed, self.raw)), default=0)

    @cached_property
    def entity_types(self) -> Counter[int]:
        """How many directory entries of each entity type there are."""
        first = [line for line in self.lines if line[_TEXT_COLUMNS : _TEXT_COLUMNS + 1] == b"D"][::2]
        return Counter(int(line[:8]) for line in first if line[:8].strip().isdigit())


def _parameters(text: str) -> list[str]:
    """Splits at the parameter delimiter, which the first parameter itself sets, up to the record delimiter."""
    delimiter, record_end, position = ",", ";", 0
    found: list[str] = []
    while position < len(text):
        value, position = _value(text, position, delimiter + record_end)
        found.append(value)
        if len(found) == 1 and len(value) == 1:
            delimiter = value
        elif len(found) == 2 and len(value) == 1:
            record_end = value
        if position >= len(text) or text[position] == record_end:
            break
        position += 1
    return found


def _value(text: str, position: int, ends: str) -> tuple[str, int]:
    """One parameter and where it ends; a Hollerith string may hold delimiters."""
    hollerith = re.compile(r"\s*(\d+)H").match(text, position)
    if hollerith:
        start = hollerith.end()
        stop = start + int(hollerith.group(1))
        after = stop
        while after < len(text) and text[after] not in ends:
            after += 1
        return text[start:stop], after
    stop = position
    while stop < len(text) and text[stop] not in ends:
        stop += 1
    return text[position:stop].strip(), stop


def number(text: str) -> float | None:
    """A real as IGES writes it (1.D3, 1E-7); None for anything else."""
    try:
        return float(text.upper().replace("D", "E"))
    except ValueError:
        return None
