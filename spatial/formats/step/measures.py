"""Measures with their units, read from the text: what a number of a STEP file is in millimetres and kilograms.

Source: ISO 10303-41 (measure_with_unit, derived_unit, si_unit, conversion_based_unit).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from spatial.formats.step.part21 import Part21
from spatial.formats.step.units import SI_PREFIXES, length_unit

_NUMBER: Final = rb"([+-]?\d[\d.]*(?:[Ee][+-]?\d+)?)"
_VALUE: Final = re.compile(rb"\b(\w+_MEASURE)\s*\(\s*" + _NUMBER + rb"\s*\)\s*,\s*#\s*(\d+)")
_ELEMENT: Final = re.compile(rb"DERIVED_UNIT_ELEMENT\s*\(\s*#\s*(\d+)\s*,\s*" + _NUMBER)
_REFERENCE: Final = re.compile(rb"#\s*(\d+)")
_GRAM: Final = re.compile(rb"SI_UNIT\s*\(\s*(?:\.(\w+)\.|\$)\s*,\s*\.GRAM\.")
_CONVERTED: Final = re.compile(rb"CONVERSION_BASED_UNIT\s*\(\s*'(?:[^']|'')*'\s*,\s*#\s*(\d+)")
_DEPTH: Final = 8


@dataclass(frozen=True)
class Unit:
    """A unit as a product of powers: factor · mm^length · kg^mass."""

    factor: float
    length: int = 0
    mass: int = 0


def measure(text: Part21, instance: bytes) -> tuple[float, Unit] | None:
    """The number of a measure and its unit; None where the instance has none, or a unit of other dimensions."""
    found = _VALUE.search(instance)
    unit = unit_of(text, int(found.group(3))) if found else None
    return (float(found.group(2)), unit) if found and unit else None


def unit_of(text: Part21, number: int, depth: int = 0) -> Unit | None:
    """The unit that an instance defines, of length and mass only."""
    instance = text.instance(number)
    if depth > _DEPTH or not instance:
        return None
    if b"DERIVED_UNIT" in instance:
        return _derived(text, instance, depth)
    if (length := length_unit(text, number)) is not None:
        return Unit(float(length.millimetres), length=1)
    if gram := _GRAM.search(instance):
        return Unit(1e-3 * 10.0 ** SI_PREFIXES.get((gram.group(1) or b"").decode(), 0), mass=1)
    converted = _CONVERTED.search(instance)
    inner = measure(text, text.instance(int(converted.group(1)))) if converted and depth < _DEPTH else None
    return Unit(inner[0] * inner[1].factor, inner[1].length, inner[1].mass) if inner else None


def _derived(text: Part21, instance: bytes, depth: int) -> Unit | None:
    factor, length, mass = 1.0, 0, 0
    for reference in _REFERENCE.findall(instance):
        element = _ELEMENT.match(text.instance(int(reference)))
        base = unit_of(text, int(element.group(1)), depth + 1) if element else None
        if element is None or base is None:
            return None
        power = round(float(element.group(2)))
        factor, length, mass = factor * base.factor**power, length + base.length * power, mass + base.mass * power
    return Unit(factor, length, mass)
