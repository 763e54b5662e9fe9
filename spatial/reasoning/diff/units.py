"""Lengths of documents in different units."""

from __future__ import annotations

from typing import Final

MILLIMETRES: Final = {
    "micrometer": 1e-3,
    "millimeter": 1.0,
    "centimeter": 10.0,
    "decimeter": 100.0,
    "meter": 1000.0,
    "inch": 25.4,
    "foot": 304.8,
    "yard": 914.4,
    "point": 25.4 / 72.0,
}
"""Millimetres per unit (ISO 80000-3; the inch of 1959; the point of PDF, ISO 32000-2 8.3.2.3)."""


def conversion(previous: str, current: str) -> float | None:
    """Current units per previous unit; None where a unit is not known."""
    if previous == current:
        return 1.0
    if previous not in MILLIMETRES or current not in MILLIMETRES:
        return None
    return MILLIMETRES[previous] / MILLIMETRES[current]
