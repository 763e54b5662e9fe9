"""What the families of callouts share: where they read, what they find, and the rules that the registry lists.

Glossary
  feature    one thing that a callout asks for; a stacked callout (hole over counterbore) has several.
  modifier   what may follow any feature: depth, THRU, TYP, `4 PLCS`.
  size       a dimension whose type is still to be told: fit, tolerance, limit, radius, hole, or none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from spatial.knowledge.inches import MILLIMETERS_AN_INCH
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.scanner import Number, Scanner
from spatial.understanding.sheet.label import Label, Role

Members = dict[str, Any]
"""What a callout reports beside type and text, by name."""
SIZE: Final = "size"
"""Type of a feature that `classify` turns into callout types."""
STANDARD_WRITING: Final = 0.95
"""Confidence where the writing is a standard's own; what a rule doubts more names its own number."""
DIGITS: Final = 6
"""Decimals of computed lengths and angles: beyond them is binary noise."""


@dataclass(slots=True)
class Feature:
    """One thing that is asked for, with what it means."""

    type: str
    """A callout type, or SIZE."""
    start: int
    """Place in the label's spelling."""
    end: int
    members: Members = field(default_factory=dict)
    confidence: float = STANDARD_WRITING
    size: Size | None = None
    """Of a SIZE, its parts."""
    has_own_count: bool = False
    """Whether its quantity stands right before it, at the beginning of a further line."""


@dataclass(slots=True)
class Size:
    """A dimension's parts."""

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
    bound: str = ""
    """`max` or `min` between sign and number: `R MAX 0.3`."""
    grade: str | None = None
    """The standard tolerance grade that the deviations follow from: IT14."""

    @property
    def is_angular(self) -> bool:
        """Whether it is an angle."""
        return self.number.unit == "degree"


@dataclass(slots=True)
class Place:
    """Where a feature is looked for."""

    scan: Scanner
    context: Context
    role: Role
    breaks: frozenset[int]
    """Places in the spelling where a line begins."""
    measured: Literal["diameter", "radius"] | None = None
    """What the dimension measures whose text this is."""
    is_ordered: bool = False
    """Whether a verb before it orders what is read."""
    is_origin: bool = False
    """Whether a zero is one that ordinates count from: in a box, and of a dimension."""

    @property
    def is_free(self) -> bool:
        """Whether nothing ties the text to the part."""
        return self.role == "free"

    def length(self, number: Number) -> float:
        """A length in the sheet's unit, where both units are known."""
        return converted(number.value, number.unit, self.context.unit)


@dataclass(frozen=True, slots=True)
class LabelRule:
    """Reads a whole label that is one callout, from its cells or its sign."""

    type: str
    read: Callable[[Label], Feature | None]


@dataclass(frozen=True, slots=True)
class FeatureRule:
    """Reads the feature that begins at a place."""

    type: str
    """A callout type, or SIZE."""
    read: Callable[[Place], Feature | None]
    """The feature, with the place behind it; None if none begins here, and the place is then reset by the caller."""


def _complete_nothing(feature: Feature, size: Size, context: Context) -> None:
    """The members are complete."""


@dataclass(frozen=True, slots=True)
class SizeRule:
    """Says which sizes are callouts of a type, and completes their members."""

    type: str
    matches: Callable[[Feature, Size], bool]
    complete: Callable[[Feature, Size, Context], None] = _complete_nothing
    is_second: Callable[[Feature, str], bool] = lambda feature, main: False
    """Whether the type is reported beside the main type: `R5 ±0.1` is a tolerance and a radius."""
    most_confidence: Callable[[Feature], float] = lambda feature: 1.0
    """The most confidence of a feature whose main type it is."""
    stands_alone: bool = False
    """Whether no second type is reported beside it, unless a mark behind the size gives the main one."""


Rule = LabelRule | FeatureRule | SizeRule


def converted(value: float, unit: str | None, wanted: str | None) -> float:
    """A value in another unit of length; as it is where one of the units is not known."""
    in_millimeters = {"millimeter": 1.0, "centimeter": 10.0, "inch": MILLIMETERS_AN_INCH}
    if unit is None or wanted is None or unit == wanted or unit not in in_millimeters:
        return value
    return round(value * in_millimeters[unit] / in_millimeters[wanted], DIGITS)
