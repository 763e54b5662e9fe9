"""Ranges of sizes at the beginning of a line, as general tolerances are stated by: `6 - 30 mm: ±0.2`, `>6–30`, `1 to 6 in`.

Sources: ISO 2768-1:1989 tables 1 to 3, ASME Y14.5-2018 §5.1 (general tolerances by range).
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.patterns import alternatives

_BOUND: Final = r"[<>≤≥]?\s?(\d+(?:[.,]\d+)?|[.,]\d+)"
_UNIT: Final = rf"(?:\s?(?:(?:{alternatives('unit')}|{alternatives('length_unit')})\b\.?|[\"'″′°]))"
_RANGE: Final = re.compile(
    rf"{_BOUND}{_UNIT}?\s?(?:[-–—~～〜]|{alternatives('range_to')}\b)\s?{_BOUND}(?![\d.,]*\d){_UNIT}?"
    r"\s*(?:$|[:：=±+|(（,，;；]|\d|[-–—]\s?\d|\.(?=[\s\d]|$))",
    re.IGNORECASE,
)
"""Two bounds with a dash or a word between them; what follows is nothing, or a value and no word: `1 - 4 HOLES` is a note."""


def begins_range(text: str) -> bool:
    """Whether `text` begins with two bounds of a range, the lower first, before nothing or before what holds for it."""
    found = _RANGE.match(text)
    if found is None:
        return False
    low, high = (float(bound.replace(",", ".")) for bound in found.groups())
    return low < high
