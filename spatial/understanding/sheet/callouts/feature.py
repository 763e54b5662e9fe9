"""What the families of callouts share: where they read, and what they find.

Glossary
  feature   one thing that a callout asks for; a stacked callout (hole over counterbore) has several.
  head      what a feature begins with and is known by: `M8x1.25`, `⌴Ø11`, `R5`.
  tail      what may follow any head: depth, THRU, TYP, `4 PLCS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.scanner import Number, Scanner
from spatial.understanding.sheet.label import Role

MILLIMETERS_AN_INCH = 25.4


@dataclass(slots=True)
class Feature:
    """One thing that is asked for, with what it means."""

    type: str
    """A callout type, or `size` for a dimension that is still to be told apart."""
    start: int
    """Place in the label's spelling."""
    end: int
    members: dict[str, Any] = field(default_factory=dict)
    confidence: float = 0.95
    size: Size | None = None
    """Of a `size`, its pieces."""


@dataclass(slots=True)
class Size:
    """A dimension's pieces."""

    sign: str
    """Ø, SØ, R, SR, CR, □, or nothing."""
    number: Number
    other: Number | None = None
    """The second one of two limits."""
    classes: tuple[tuple[str, str], ...] = ()
    """ISO 286 letter and grade, the hole's first: H7/k6 is two."""
    upper: float | None = None
    lower: float | None = None
    decimals: int = 0
    """Of the deviations."""

    @property
    def angular(self) -> bool:
        """Whether it is an angle."""
        return self.number.unit == "degree"


@dataclass(slots=True)
class Place:
    """Where a head is looked for."""

    scan: Scanner
    context: Context
    role: Role
    breaks: frozenset[int]
    """Places in the spelling where a line begins."""

    @property
    def free(self) -> bool:
        """Whether nothing ties the text to the part."""
        return self.role == "free"

    def length(self, number: Number) -> float:
        """A length in the sheet's unit, where both units are known."""
        return converted(number.value, number.unit, self.context.unit)


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the registry: a callout type and who reads its head."""

    type: str
    read: Callable[[Place], Feature | None]


def converted(value: float, unit: str | None, wanted: str | None) -> float:
    """A value in another unit of length; as it is where one of the units is not known."""
    in_millimeters = {"millimeter": 1.0, "centimeter": 10.0, "inch": MILLIMETERS_AN_INCH}
    if unit is None or wanted is None or unit == wanted or unit not in in_millimeters:
        return value
    return round(value * in_millimeters[unit] / in_millimeters[wanted], 6)
