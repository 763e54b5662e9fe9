"""Length units: what they are called and how many millimetres they have, exactly.

Sources: international yard and pound agreement (inch 25.4 mm), IGES 5.3 section 2.2.4.3.14.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

NAMES: Final = {
    Fraction(1): "millimeter",
    Fraction(10): "centimeter",
    Fraction(100): "decimeter",
    Fraction(1000): "meter",
    Fraction(1_000_000): "kilometer",
    Fraction(1, 1000): "micrometer",
    Fraction(1, 1_000_000): "nanometer",
    Fraction("25.4"): "inch",
    Fraction("304.8"): "foot",
    Fraction("914.4"): "yard",
    Fraction(1_609_344): "mile",
    Fraction("0.0254"): "mil",
    Fraction("0.0000254"): "microinch",
}
"""What a unit of so many millimetres is called in a document."""


SAME_UNIT: Final = Fraction(1, 10**7)
"""Relative difference below which two lengths are one unit: files round what they write."""


_SMALLEST: Final = Fraction(1, 10**18)
_LARGEST: Final = Fraction(10**18)
"""Millimetres that a unit of length has in any file that is not damaged: from attometres over a tenth of a light-year."""


@dataclass(frozen=True)
class LengthUnit:
    """A unit of length."""

    name: str
    millimetres: Fraction


MILLIMETER: Final = LengthUnit("millimeter", Fraction(1))


def unit_of(millimetres: Fraction, given: str = "") -> LengthUnit:
    """The unit of so many millimetres; one without a common name keeps the file's."""
    for length, name in NAMES.items():
        if abs(millimetres / length - 1) < SAME_UNIT:
            return LengthUnit(name, length)
    return LengthUnit(given.lower() or f"{float(millimetres):g} mm", millimetres)


def is_length(millimetres: Fraction) -> bool:
    """Whether a unit may have so many millimetres; a damaged number gives none or more than a computer counts with."""
    return _SMALLEST <= millimetres <= _LARGEST
