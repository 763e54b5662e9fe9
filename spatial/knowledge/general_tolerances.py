"""General tolerances of ISO 2768-1:1989 (DIN 7168): lengths without a tolerance of their own, in millimetres."""

from __future__ import annotations

import re
from typing import Final

CLASSES: Final = "fmcv"
"""Fine, medium, coarse, very coarse."""

_LENGTHS: Final = (
    (3.0, (0.05, 0.1, 0.2, None)),
    (6.0, (0.05, 0.1, 0.3, 0.5)),
    (30.0, (0.1, 0.2, 0.5, 1.0)),
    (120.0, (0.15, 0.3, 0.8, 1.5)),
    (400.0, (0.2, 0.5, 1.2, 2.5)),
    (1000.0, (0.3, 0.8, 2.0, 4.0)),
    (2000.0, (0.5, 1.2, 3.0, 6.0)),
    (4000.0, (None, 2.0, 4.0, 8.0)),
)
"""Table 1: up to which size, and the deviation of each class."""

_EDGES: Final = ((3.0, (0.2, 0.2, 0.4, 0.4)), (6.0, (0.5, 0.5, 1.0, 1.0)), (400.0, (1.0, 1.0, 2.0, 2.0)))
"""Table 2: radii and heights of chamfers."""

SMALLEST: Final = 0.5
"""Millimetres, below which deviations stand beside the size."""

_CLASS: Final = re.compile(
    r"\d[\d-]*\W{0,3}([fmcv])(?:[HKL]\b|\b)|\b(fine|medium|coarse|very coarse|fein|mittel|grob)\b", re.IGNORECASE
)
_WORDS: Final = {
    "fine": "f", "medium": "m", "coarse": "c", "very coarse": "v", "fein": "f", "mittel": "m", "grob": "c",
}  # fmt: skip


def class_of(text: str) -> str | None:
    """The class that a text names: `m` of ISO 2768-mK; None where it names none."""
    found = _CLASS.search(text)
    if not found:
        return None
    return found[1].lower() if found[1] else _WORDS[found[2].lower()]


def deviation(size: float, name: str, *, is_edge: bool = False) -> float | None:
    """What a size may deviate to either side; None where the standard gives nothing.

    size: millimetres. name: one of CLASSES. is_edge: a radius or the height of a chamfer.
    """
    if size < SMALLEST:
        return None
    place = CLASSES.index(name)
    return next((row[place] for most, row in (_EDGES if is_edge else _LENGTHS) if size <= most), None)
