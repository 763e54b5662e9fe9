"""The unit of length of a STEP file's geometry, read from its text: the kernel converts to millimetres and does not report it.

Source: ISO 10303-41 (si_prefix, si_unit, conversion_based_unit).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Final

from spatial.formats.occt.units import NAMES, LengthUnit, is_length, unit_of
from spatial.formats.step.part21 import Part21

SI_PREFIXES: Final = {
    "EXA": 18, "PETA": 15, "TERA": 12, "GIGA": 9, "MEGA": 6, "KILO": 3, "HECTO": 2, "DECA": 1,
    "DECI": -1, "CENTI": -2, "MILLI": -3, "MICRO": -6, "NANO": -9, "PICO": -12, "FEMTO": -15, "ATTO": -18,
}  # fmt: skip

_DEPTH: Final = 8
"""A unit may be defined by another, and that by a third; no sound file goes deeper."""

_ENTITY_NAME: Final = 80
"""Bytes before the word REPRESENTATION in which its entity's name begins: more than the longest name has."""


@dataclass(frozen=True)
class FileUnits:
    """The unit of a file's geometry."""

    unit: LengthUnit
    source: str | None
    """Where the file says so; None where it does not."""
    others: tuple[str, ...] = ()
    """Names of other units that parts of the geometry are in."""
    contradicted: str | None = None
    """What the file calls the unit, where that is the name of one of another length."""


_ASSIGNED: Final = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)")
_REPRESENTATION: Final = re.compile(
    rb"REPRESENTATION\s*\(\s*(?:'(?:[^']|'')*'|\$|\*)\s*,\s*\(([^()]*)\)\s*,\s*#\s*(\d+)\s*\)"
)
_MODELS: Final = frozenset(
    {
        b"ADVANCED_BREP_SHAPE_REPRESENTATION",
        b"FACETED_BREP_SHAPE_REPRESENTATION",
        b"ELEMENTARY_BREP_SHAPE_REPRESENTATION",
        b"MANIFOLD_SURFACE_SHAPE_REPRESENTATION",
        b"NON_MANIFOLD_SURFACE_SHAPE_REPRESENTATION",
        b"GEOMETRICALLY_BOUNDED_SURFACE_SHAPE_REPRESENTATION",
        b"CSG_SHAPE_REPRESENTATION",
    }
)
_WIREFRAMES: Final = frozenset(
    {
        b"TESSELLATED_SHAPE_REPRESENTATION",
        b"EDGE_BASED_WIREFRAME_SHAPE_REPRESENTATION",
        b"SHELL_BASED_WIREFRAME_SHAPE_REPRESENTATION",
        b"GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION",
    }
)
_BODIES: Final = re.compile(rb"(MANIFOLD_SOLID_BREP|BREP_WITH_VOIDS|FACETED_BREP|SHELL_BASED_SURFACE_MODEL)\b")


def geometry_units(text: Part21) -> FileUnits | None:
    """The unit of the context that holds the geometry: the bodies, else wireframes and triangles, else placements.

    Units of drawing annotations and of measures (AP242 files mix them) do not count. None where no context has a unit; one whose
    number is damaged has 0 millimetres.
    """
    units = _context_units(text)
    if not units:
        return None
    matches = [match for match in _REPRESENTATION.finditer(text.text) if int(match.group(2)) in units]
    known = [_representation(text, match) for match in matches]
    for holds in (_Representation.bodies, _Representation.plain_bodies, _Representation.wires, _Representation.items):
        weights: Counter[LengthUnit] = Counter()
        for row in known:
            weights[units[row.context]] += holds(row, text)
        if sum(weights.values()):
            break
    best = max(units.values(), key=lambda unit: weights[unit])
    others = tuple(unit.name for unit, weight in weights.items() if weight and unit != best)
    source = "unit of the geometric representation context"
    if not is_length(best.millimetres):
        return FileUnits(best, source)
    if best.name not in NAMES.values() or NAMES.get(best.millimetres) == best.name:
        return FileUnits(best, source, others)
    return FileUnits(
        LengthUnit(f"{float(best.millimetres):g} mm", best.millimetres), source, others, contradicted=best.name
    )


@dataclass(frozen=True)
class _Representation:
    kind: bytes
    numbers: list[int]
    context: int

    def bodies(self, _: Part21) -> int:
        return len(self.numbers) if self.kind in _MODELS else 0

    def plain_bodies(self, text: Part21) -> int:
        """Some programs put bodies straight into a SHAPE_REPRESENTATION."""
        if self.kind != b"SHAPE_REPRESENTATION":
            return 0
        return sum(_BODIES.search(text.instance(number)) is not None for number in self.numbers)

    def wires(self, _: Part21) -> int:
        return len(self.numbers) if self.kind in _WIREFRAMES else 0

    def items(self, _: Part21) -> int:
        return len(self.numbers) if self.kind.endswith(b"SHAPE_REPRESENTATION") else 0


def _representation(text: Part21, match: re.Match[bytes]) -> _Representation:
    before = text.text[max(0, match.start() - _ENTITY_NAME) : match.start()]
    prefix = re.search(rb"[A-Z0-9_]*$", before)
    kind = (prefix.group() if prefix else b"") + b"REPRESENTATION"
    return _Representation(kind, [int(n) for n in re.findall(rb"#\s*(\d+)", match.group(1))], int(match.group(2)))


def _context_units(text: Part21) -> dict[int, LengthUnit]:
    """The length unit of each context that has one, by the context's number."""
    found: dict[int, LengthUnit] = {}
    for match in _ASSIGNED.finditer(text.text):
        context = text.number_before(match.start())
        for reference in re.findall(rb"#\s*(\d+)", match.group(1)):
            unit = _stated_unit(text, int(reference))
            if context is not None and unit is not None:
                found[context] = unit
                break
    return found


def length_unit(text: Part21, number: int) -> LengthUnit | None:
    """The length unit that an instance defines; None where it defines none, or its number is damaged."""
    unit = _stated_unit(text, number)
    return unit if unit is not None and is_length(unit.millimetres) else None


def _stated_unit(text: Part21, number: int, depth: int = 0) -> LengthUnit | None:
    """The same; one whose number is damaged has 0 millimetres."""
    instance = text.instance(number)
    if b"LENGTH_UNIT" not in instance or depth > _DEPTH:
        return None
    if si := re.search(rb"SI_UNIT\s*\(\s*(?:\.(\w+)\.|\$)\s*,\s*\.METRE\.", instance):
        return unit_of(Fraction(1000) * Fraction(10) ** SI_PREFIXES.get((si.group(1) or b"").decode(), 0))
    converted = re.search(rb"CONVERSION_BASED_UNIT\s*\(\s*'((?:[^']|'')*)'\s*,\s*#\s*(\d+)", instance)
    if converted is None:
        return None
    measure = text.instance(int(converted.group(2)))
    value = re.search(rb"MEASURE_WITH_UNIT\s*\(\s*(?:\w+\s*\(\s*)?([+-]?\d[\d.]*(?:[Ee][+-]?\d+)?)", measure)
    references = re.findall(rb"#\s*(\d+)", measure)
    base = _stated_unit(text, int(references[-1]), depth + 1) if references else None
    if value is None or base is None:
        return None
    millimetres, name = _exact(value.group(1)) * base.millimetres, converted.group(1).decode("latin-1")
    return unit_of(millimetres, name) if is_length(millimetres) else LengthUnit(name, Fraction(0))


def _exact(text: bytes) -> Fraction:
    """The number as it is written (25. and 1.E3 are numbers of Part 21); 0 where no float holds it."""
    if not isfinite(float(text)) or not float(text):
        return Fraction(0)
    mantissa, _, exponent = text.decode().upper().partition("E")
    return Fraction(mantissa.rstrip(".") + (f"E{exponent}" if exponent else ""))
