"""Geometric tolerances, their zones and their datum references.

Source: CAx-IF Recommended Practices for PMI in AP242, section 6; ISO 10303-47.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.source import Source
from spatial.formats.step.values import Enumeration, Reference, Typed
from spatial.models.brep.pmi import DatumReference, Measure, Segment, Tolerance

CHARACTERISTICS: Final = {
    "angularity_tolerance": "angularity",
    "circular_runout_tolerance": "circular_runout",
    "coaxiality_tolerance": "coaxiality",
    "concentricity_tolerance": "concentricity",
    "cylindricity_tolerance": "cylindricity",
    "flatness_tolerance": "flatness",
    "line_profile_tolerance": "profile_of_a_line",
    "parallelism_tolerance": "parallelism",
    "perpendicularity_tolerance": "perpendicularity",
    "position_tolerance": "position",
    "roundness_tolerance": "circularity",
    "straightness_tolerance": "straightness",
    "surface_profile_tolerance": "profile_of_a_surface",
    "symmetry_tolerance": "symmetry",
    "total_runout_tolerance": "total_runout",
}
"""Entity to the characteristic's name in the document."""

ZONES: Final = {
    "cylindrical or circular": "cylindrical",
    "within a cylinder": "cylindrical",
    "within a circle": "circular",
    "spherical": "spherical",
    "within a sphere": "spherical",
    "between two equidistant surfaces": "parallel",
    "between two parallel planes": "parallel",
    "non uniform": "non_uniform",
}
"""Names of zone forms that are one shape; any other name is kept."""

_COMPOSITE: Final = "composite"
_MOST_SEGMENTS: Final = 16
"""Rows of a composite frame; drawings have two or three."""


@dataclass
class Tolerances:
    """The geometric tolerances of a file."""

    source: Source
    features: Features

    @cached_property
    def _zones(self) -> dict[int, list[Instance]]:
        return self.source.instances.referring("tolerance_zone", "tolerance_zone.defining_tolerance")

    @cached_property
    def _zone_definitions(self) -> dict[int, list[Instance]]:
        return self.source.instances.referring("tolerance_zone_definition", "tolerance_zone_definition.zone")

    @cached_property
    def _below(self) -> dict[int, list[int]]:
        """The segments below each segment of composite frames."""
        found: dict[int, list[int]] = defaultdict(list)
        for relation in self.source.instances.of("geometric_tolerance_relationship"):
            above = relation.number_at("geometric_tolerance_relationship.relating_geometric_tolerance")
            below = relation.number_at("geometric_tolerance_relationship.related_geometric_tolerance")
            is_composite = (relation.text("geometric_tolerance_relationship.name") or "").lower() == _COMPOSITE
            if is_composite and above is not None and below is not None and above != below:
                found[above].append(below)
        return found

    def read(self) -> list[Tolerance]:
        """All frames; the segments of a composite frame are one."""
        segments = {each.number: each for each in self.source.each(("geometric_tolerance",), self._segment)}
        lower = {number for below in self._below.values() for number in below if number in segments}
        tops = [number for number in segments if number not in lower]
        frames = [self._frame(number, segments) for number in tops]
        seen = {segment.number for frame in frames for segment in frame.segments}
        for number, segment in segments.items():
            if number not in seen:  # relations that lead in a circle have no first segment
                self.source.fault("composite tolerances refer to each other in a circle", number)
                frames.append(self._frame(number, {number: segment}))
        return sorted(frames, key=lambda frame: frame.number)

    def _frame(self, number: int, segments: dict[int, Segment]) -> Tolerance:
        order: dict[int, None] = {}
        waiting = [number]
        while waiting and len(order) < _MOST_SEGMENTS:
            each = waiting.pop(0)
            if each in segments and each not in order:
                order[each] = None
                waiting += self._below.get(each, [])
        top = self.source.instances.get(number)
        target = self.source.instances.at(top, "geometric_tolerance.toleranced_shape_aspect") if top else None
        of_dimension = target.number if target and (_is_dimension(target)) else None
        if target is not None and target.is_a("dimensional_location"):
            target = self.source.instances.at(target, "shape_aspect_relationship.relating_shape_aspect")
        return Tolerance(
            number,
            top.text("geometric_tolerance.name") if top else None,
            self.features.of(target),
            tuple(segments[each] for each in order),
            all_around=target is not None and target.is_a("all_around_shape_aspect"),
            between=target is not None and target.is_a("between_shape_aspect"),
            of_dimension=of_dimension,
        )

    def _segment(self, instance: Instance) -> Segment:
        kinds = [CHARACTERISTICS[part] for part in instance.parts if part in CHARACTERISTICS]
        magnitude = self.source.measure_at(instance, "geometric_tolerance.magnitude")
        if magnitude is None:
            self.source.fault("geometric tolerances have no value in the file and are partial", instance.number)
        if not kinds:
            self.source.fault("geometric tolerances have no characteristic that is known", instance.number)
        area = instance.get("geometric_tolerance_with_defined_area_unit.area_type")
        return Segment(
            instance.number,
            kinds[0] if kinds else "unknown",
            magnitude,
            self._zone(instance),
            tuple(self._modifiers(instance)),
            tuple(self._datums(instance)),
            unit_size=self.source.measure_at(instance, "geometric_tolerance_with_defined_unit.unit_size"),
            second_unit_size=self.source.measure_at(
                instance, "geometric_tolerance_with_defined_area_unit.second_unit_size"
            ),
            area_type=area if isinstance(area, Enumeration) else None,
            displacement=self.source.measure_at(instance, "unequally_disposed_geometric_tolerance.displacement"),
            projected_length=self._of_zone(instance, "projected_zone_definition.projected_length"),
            maximum=self.source.measure_at(
                instance, "geometric_tolerance_with_maximum_tolerance.maximum_upper_tolerance"
            ),
            runout_angle=self._runout_angle(instance),
        )

    def _zone(self, instance: Instance) -> str | None:
        for zone in self._zones.get(instance.number, ()):
            form = self.source.instances.at(zone, "tolerance_zone.form")
            name = form.text("tolerance_zone_form.name") if form else None
            if name:
                return ZONES.get(name.lower(), name)
        return None

    def _of_zone(self, instance: Instance, attribute: str) -> Measure | None:
        """A measure of a tolerance's zone; some programs define the zone once for each feature of a pattern."""
        found = [
            measure
            for zone in self._zones.get(instance.number, ())
            for definition in self._zone_definitions.get(zone.number, ())
            if (measure := self.source.measure_at(definition, attribute)) is not None
        ]
        if len({measure.base for measure in found}) > 1:
            self.source.fault(
                "tolerance zones are projected by several lengths, of which the first is kept", instance.number
            )
        return found[0] if found else None

    def _runout_angle(self, instance: Instance) -> Measure | None:
        for zone in self._zones.get(instance.number, ()):
            for definition in self._zone_definitions.get(zone.number, ()):
                orientation = self.source.instances.at(definition, "runout_zone_definition.orientation")
                if orientation is not None:
                    return self.source.measure_at(orientation, "runout_zone_orientation.angle")
        return None

    def _modifiers(self, instance: Instance) -> list[str]:
        """Of editions of AP242, and of AP214's one limit condition."""
        found = instance.get("geometric_tolerance_with_modifiers.modifiers")
        condition = instance.get("modified_geometric_tolerance.modifier")
        return _words(found) + _words(condition)

    def _datums(self, instance: Instance) -> list[DatumReference]:
        """The compartments in their order: of a datum system, or of AP214's references with a precedence."""
        found: list[DatumReference] = []
        ranked: list[tuple[float, DatumReference]] = []
        for each in self.source.instances.all_at(instance, "geometric_tolerance_with_datum_reference.datum_system"):
            if each.is_a("datum_system"):
                found += [self._compartment(number) for number in each.numbers_at("datum_system.constituents")]
            elif each.is_a("datum_reference"):
                rank = each.get("datum_reference.precedence")
                letters = self._letters(each.get("datum_reference.referenced_datum"))
                modifiers = tuple(_words(each.get("referenced_modified_datum.modifier")))
                ranked.append((rank if isinstance(rank, int | float) else 0, DatumReference(letters, modifiers)))
        return found + [reference for _, reference in sorted(ranked, key=lambda row: row[0])]

    def _compartment(self, number: int) -> DatumReference:
        instance = self.source.instances.get(number)
        if instance is None:
            self.source.fault("datum references are not in the file", number)
            return DatumReference(())
        base = instance.get("general_datum_reference.base")
        modifiers, values = self._datum_modifiers(instance)
        if not isinstance(base, Typed):
            return DatumReference(self._letters(base), modifiers, values=values)
        letters: tuple[str, ...] = ()
        each_modifiers: list[tuple[str, ...]] = []
        for element in self.source.instances.all_at(instance, "general_datum_reference.base"):
            letters += self._letters(element.get("general_datum_reference.base"))
            own, further = self._datum_modifiers(element)
            each_modifiers.append(own)
            values += further
        return DatumReference(letters, modifiers, tuple(each_modifiers), values)

    def _letters(self, base: Any) -> tuple[str, ...]:
        datum = self.source.instances.get(base.number) if isinstance(base, Reference) else None
        letter = datum.text("datum.identification") if datum else None
        if letter is None:
            self.source.fault("datum references lead to no letter", base.number if isinstance(base, Reference) else 0)
        return (letter,) if letter else ()

    def _datum_modifiers(self, instance: Instance) -> tuple[tuple[str, ...], tuple[tuple[str, Measure], ...]]:
        given = instance.get("general_datum_reference.modifiers")
        values = []
        for each in self.source.instances.all_at(instance, "general_datum_reference.modifiers"):
            measure = self.source.measure_at(each, "datum_reference_modifier_with_value.modifier_value")
            kind = each.get("datum_reference_modifier_with_value.modifier_type")
            if measure is not None and isinstance(kind, Enumeration):
                values.append((str(kind), measure))
        return tuple(_words(given)), tuple(values)


def _is_dimension(instance: Instance) -> bool:
    return instance.is_a("dimensional_size") or instance.is_a("dimensional_location")


def _words(value: Any) -> list[str]:
    """The enumerations in a value, typed or not."""
    if isinstance(value, Enumeration):
        return [str(value)]
    if isinstance(value, Typed):
        return _words(value.values)
    return [word for item in value for word in _words(item)] if isinstance(value, list) else []
