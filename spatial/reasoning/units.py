"""Lengths of units: what gravity, masses and a comparison of documents in different units need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spatial.reasoning.members import Members
from spatial.reasoning.scene.build import UNKNOWN_UNITS

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

PAPER: Final[Mapping[str, float]] = {"point": 0.0254 / 72}
"""Metres on paper (ISO 32000-2 8.3.2.3), whose scale nothing tells: drawings are compared by them, but nothing falls."""


def metres_of(units: str) -> float | None:
    """The length of a unit in metres; None for pixels, points and unknown units, whose scale nothing tells."""
    return METRES.get(units)


def units_of(scene: str, goal: Members) -> str:
    """The unit of a scene, or `goal.units` where that one has no length. Raises: InputRejected for an unknown goal.units."""
    given = goal.choice("units", list(METRES), "meter") if "units" in goal else UNKNOWN_UNITS
    return given if metres_of(scene) is None else scene


def conversion(previous: str, current: str) -> float | None:
    """Current units per previous unit; None where a unit is not known."""
    if previous == current:
        return 1.0
    lengths = {**METRES, **PAPER}
    if previous not in lengths or current not in lengths:
        return None
    return lengths[previous] / lengths[current]
