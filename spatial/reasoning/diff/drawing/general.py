"""What a general tolerance makes of the number of decimals.

ASME Y14.5-2018 §5.1.1 leaves it to the drawing whether an untoleranced dimension has the tolerance of its number of
decimals (".XX ±.01"); ISO 2768-1 and ISO 22081 go by the nominal size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from spatial.contract.extraction import Structure

BY_DECIMALS: Final = re.compile(r"(?:^|[^\w.,])(?:\d|[Xx])*[.,]([Xx]+|0+)°?\s*[:=]?\s*(?:±|\+/-|\+-)\s*(\d*[.,]?\d+)")
"""".XX ±.01", "X.X = ± 0,2", "0.00 ±0.05"."""

BY_PLACES: Final = re.compile(
    r"\b(1|2|3|4|ONE|TWO|THREE|FOUR)[ -]PLACES?(?:[ -]DECIMALS?)?\s*[:=]?\s*(?:±|\+/-|\+-)?\s*(\d*[.,]\d+)",
    re.IGNORECASE,
)
""""TWO PLACE DECIMAL ±.01"."""

BY_SIZE: Final = re.compile(
    r"\b(?:(?:DIN\s*)?(?:EN\s*)?ISO\s*(?:2768|22081)|DIN\s*7168|JIS\s*B\s*0405|GOST\s*30893)\b[\s:-]*\w*", re.IGNORECASE
)
"""General tolerances that go by the nominal size."""

WORDS: Final = {"one": 1, "two": 2, "three": 3, "four": 4}


@dataclass(frozen=True)
class GeneralTolerance:
    """What the sheet says of dimensions without a tolerance. by_decimals: text of the tolerance per number of decimals."""

    by_decimals: dict[int, str] = field(default_factory=dict)
    by_size: str | None = None

    def reason(self, before: int, after: int) -> str:
        """What the change of the number of decimals means."""
        first, second = self.by_decimals.get(before), self.by_decimals.get(after)
        if first and second:
            if _number(first) == _number(second):
                return f"the general tolerance is ±{first} for both numbers of decimals"
            word = "tighter" if _number(second) < _number(first) else "wider"
            return f"the general tolerance goes by decimals: ±{second} instead of ±{first}, which is {word}"
        if self.by_size:
            return f"the general tolerance {self.by_size} goes by the nominal size, so the tolerance stays the same"
        if self.by_decimals:
            return "the general tolerance goes by decimals, and is not stated for both numbers of decimals"
        word = "tighter" if after > before else "wider"
        return f"no general tolerance was read from the sheet; where one goes by decimals, the tolerance is {word}"

    def effect(self, before: int, after: int) -> str:
        """tighter, wider, same or unknown."""
        first, second = self.by_decimals.get(before), self.by_decimals.get(after)
        if first and second:
            gap = _number(second) - _number(first)
            return "same" if gap == 0 else "tighter" if gap < 0 else "wider"
        return "same" if self.by_size and not self.by_decimals else "unknown"


def general_tolerance(structure: Structure | None) -> GeneralTolerance:
    """The general tolerance of a sheet, from its title block, tables, notes and texts."""
    texts = list(_texts(structure)) if structure else []
    by_decimals: dict[int, str] = {}
    for text in texts:
        for places, tolerance in BY_DECIMALS.findall(text):
            by_decimals.setdefault(len(places), tolerance)
        for word, tolerance in BY_PLACES.findall(text):
            by_decimals.setdefault(WORDS.get(word.lower()) or int(word), tolerance)
    found = next((match for text in texts if (match := BY_SIZE.search(text))), None)
    return GeneralTolerance(by_decimals, found[0].strip() if found else None)


def _texts(structure: Structure) -> Iterator[str]:
    metadata = structure.drawing_metadata
    if metadata and metadata.title_block:
        yield from metadata.title_block.fields.values()
    for note in metadata.notes.items if metadata and metadata.notes else ():
        yield note.text
    for table in (metadata.tables if metadata else None) or ():
        yield from (" ".join(row.values()) for row in table.rows)
    for annotation in structure.annotations or ():
        yield annotation.text or ""


def _number(text: str) -> float:
    return float(text.replace(",", "."))
