"""What all parts of the PMI reader share: the file's instances, its relations, its units, and what is to be warned of."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeVar

from spatial.formats.step.instances import Instance, Instances
from spatial.formats.step.part21 import Part21
from spatial.formats.step.units import length_unit
from spatial.formats.step.values import Typed
from spatial.models.brep.pmi import Measure

T = TypeVar("T")

_NUMBER_FORMAT: Final = re.compile(r"NR2S?\s+\d+\.(\d{1,2})")
"""ISO 13584-42, D.4.2: `NR2 1.3` has one digit before and three after the decimal point."""
_DEPTH: Final = 4
"""A unit may be defined by another; no sound file goes deeper."""
_SHOWN: Final = 5
"""Instances that a warning names."""


@dataclass
class Source:
    """The file while its PMI is read."""

    text: Part21
    instances: Instances
    faults: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """What is the matter, and with which instances."""

    @cached_property
    def qualifications(self) -> dict[int, list[Instance]]:
        """Instances of measure_qualification by the measure that they qualify."""
        return self.instances.referring("measure_qualification", "measure_qualification.qualified_measure")

    @cached_property
    def _units(self) -> dict[int, tuple[str, float, bool] | None]:
        return {}

    def fault(self, what: str, number: int) -> None:
        """Note what is the matter with an item; items with the same trouble share a warning."""
        if number not in self.faults[what]:
            self.faults[what].append(number)

    def warnings(self) -> list[str]:
        """What could not be read, and why."""
        found = [_warning(what, numbers) for what, numbers in self.faults.items() if numbers]
        for what, numbers in (
            ("PMI instances do not follow the syntax and are left out", self.instances.malformed),
            ("PMI refers to instances that are not in the file", sorted(set(self.instances.missing))),
        ):
            if numbers:
                found.append(_warning(what, numbers))
        return found

    def each(self, entities: tuple[str, ...], read: Callable[[Instance], T | None]) -> list[T]:
        """What is read of all instances of entities; one that cannot be read costs no other, and is warned of."""
        found = []
        for instance in self.instances.of(*entities):
            try:
                item = read(instance)
            except (ValueError, TypeError, AttributeError, RecursionError):
                # Parameters of any type may stand anywhere in a file; each item is an unknown author's work.
                self.fault(
                    "PMI items have parameters of another type than their schema, and are left out", instance.number
                )
                continue
            if item is not None:
                found.append(item)
        return found

    def measure(self, instance: Instance | None) -> Measure | None:
        """A number with its unit; None where it has none of them."""
        if instance is None or not instance.is_a("measure_with_unit"):
            return None
        value = instance.get("measure_with_unit.value_component")
        if isinstance(value, Typed):
            value = value.values[0] if value.values else None
        unit = self.unit(instance.number_at("measure_with_unit.unit_component"))
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None
        if unit is None:
            self.fault("PMI values have no unit that is known, and are left out", instance.number)
            return None
        name, factor, is_angle = unit
        return Measure(float(value), name, factor, self._decimals(instance), is_angle)

    def measure_at(self, instance: Instance, attribute: str) -> Measure | None:
        """The measure that an attribute refers to."""
        return self.measure(self.instances.at(instance, attribute))

    def qualifiers_of(self, measure: Instance) -> list[Instance]:
        """The qualifiers of a measure: its own, and those assigned to it."""
        own = self.instances.all_at(measure, "qualified_representation_item.qualifiers")
        for assigned in self.qualifications.get(measure.number, ()):
            own += self.instances.all_at(assigned, "measure_qualification.qualifiers")
        return own

    def _decimals(self, measure: Instance) -> int | None:
        for qualifier in self.qualifiers_of(measure):
            found = _NUMBER_FORMAT.match(qualifier.text("value_format_type_qualifier.format_type") or "")
            if found:
                return int(found[1])
        return None

    def unit(self, number: int | None) -> tuple[str, float, bool] | None:
        """Name of a unit, millimetres or degrees per unit, and whether it is one of angle."""
        if number is None:
            return None
        if number not in self._units:
            length = length_unit(self.text, number)
            found = (length.name, float(length.millimetres), False) if length else None
            self._units[number] = found or self._angle(number)
        return self._units[number]

    def _angle(self, number: int, depth: int = 0) -> tuple[str, float, bool] | None:
        written = self.text.instance(number)
        if b"PLANE_ANGLE_UNIT" not in written or depth > _DEPTH:
            return None
        if re.search(rb"SI_UNIT\s*\(\s*\$\s*,\s*\.RADIAN\.", written):
            return "radian", math.degrees(1.0), True
        converted = re.search(rb"CONVERSION_BASED_UNIT\s*\(\s*'[^']*'\s*,\s*#\s*(\d+)", written)
        base = self.instances.get(int(converted[1])) if converted else None
        value = base.get("measure_with_unit.value_component") if base else None
        of = self._angle(base.number_at("measure_with_unit.unit_component") or 0, depth + 1) if base else None
        if (
            not isinstance(value, Typed)
            or of is None
            or not value.values
            or not isinstance(value.values[0], int | float)
        ):
            return None
        degrees = value.values[0] * of[1]
        return ("degree", 1.0, True) if abs(degrees - 1.0) < _SAME else (f"{degrees:.9g} degree", degrees, True)


_SAME: Final = 1e-6
"""Relative difference of two angles that are one unit: files round π/180."""


def _warning(what: str, numbers: list[int]) -> str:
    shown = ", ".join(f"#{number}" for number in numbers[:_SHOWN])
    more = f" and {len(numbers) - _SHOWN:,} more" if len(numbers) > _SHOWN else ""
    return f"{what}: {shown}{more}"
