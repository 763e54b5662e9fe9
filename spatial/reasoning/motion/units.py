"""Lengths of units in metres: what gravity, which is known in metres, needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

METRES: Final[Mapping[str, float]] = {
    "micrometer": 1e-6,
    "millimeter": 1e-3,
    "centimeter": 1e-2,
    "decimeter": 1e-1,
    "meter": 1.0,
    "kilometer": 1e3,
    "mil": 2.54e-5,
    "inch": 0.0254,
    "foot": 0.3048,
    "yard": 0.9144,
}
"""Exact (ISO 80000-3; the inch of the 1959 agreement)."""


def metres_of(units: str) -> float | None:
    """The length of a unit in metres; None for pixels, points and unknown units, whose scale nothing tells."""
    return METRES.get(units)
