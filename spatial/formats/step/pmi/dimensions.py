"""Sizes and locations with their values, limits, deviations and fits.

Source: CAx-IF Recommended Practices for PMI in AP242 (representation and presentation), section 5; ISO 10303-47.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.source import Source
from spatial.knowledge.iso286 import USUAL_GRADES
from spatial.models.brep.pmi import Dimension, Feature, Fit, Measure

_TYPES: Final = {"linear distance": "linear", "angle": "angular", "linear": "linear", "": "linear"}
"""Names of dimensions that the document calls otherwise; any other name is kept, in snake case."""
_UPPER: Final = ("upper limit",)
_LOWER: Final = ("lower limit",)
_MODIFIER_NAMES: Final = ("dimensional note", "dimension modifiers", "dimension modifiers type 2", "")
_GRADE: Final = re.compile(r"(?:IT)?\s?(01|0|[1-9]|1[0-8])")
_CLASS: Final = re.compile(r"([A-Za-z]{1,2})\s?(01|0|[1-9]|1[0-8])")
"""A letter and a grade: ISO 286-1, 5.1.2."""
_WORDS: Final = re.compile(r"[^a-z0-9]+")


@dataclass
class _Values:
    """What the representation of a dimension says."""

    nominal: Measure | None = None
    upper: Measure | None = None
    lower: Measure | None = None
    qualifiers: list[str] = field(default_factory=list)
    modifiers: list[str] = field(default_factory=list)


@dataclass
class Dimensions:
    """The dimensions of a file."""

    source: Source
    features: Features

    @cached_property
    def _representations(self) -> dict[int, list[Instance]]:
        return self.source.instances.referring(
            "dimensional_characteristic_representation", "dimensional_characteristic_representation.dimension"
        )

    @cached_property
    def _tolerances(self) -> dict[int, list[Instance]]:
        return self.source.instances.referring("plus_minus_tolerance", "plus_minus_tolerance.toleranced_dimension")

    def read(self) -> list[Dimension]:
        """All sizes and locations, those without a value too."""
        return self.source.each(("dimensional_size", "dimensional_location"), self._dimension)

    def _dimension(self, instance: Instance) -> Dimension:
        is_size = instance.is_a("dimensional_size")
        values = self._values(instance)
        upper, lower, fit = self._tolerance(instance)
        written = instance.text("dimensional_size.name" if is_size else "shape_aspect_relationship.name")
        if values.nominal is None and values.upper is None and values.lower is None:
            self.source.fault("dimensions have no value in the file and are partial", instance.number)
        first = "dimensional_size.applies_to" if is_size else "shape_aspect_relationship.relating_shape_aspect"
        return Dimension(
            instance.number,
            None,
            self.features.of(self.source.instances.at(instance, first)),
            type=_type(instance, written or ""),
            is_size=is_size,
            nominal=values.nominal,
            upper_limit=values.upper,
            lower_limit=values.lower,
            upper_deviation=upper,
            lower_deviation=lower,
            fit=fit,
            qualifiers=tuple(dict.fromkeys(values.qualifiers)),
            modifiers=tuple(dict.fromkeys(values.modifiers)),
            angle_selection=instance.get("angular_size.angle_selection")
            or instance.get("angular_location.angle_selection"),
            other=None
            if is_size
            else self.features.of(self.source.instances.at(instance, "shape_aspect_relationship.related_shape_aspect")),
            path=self._path(instance),
        )

    def _path(self, instance: Instance) -> Feature | None:
        for attribute in ("dimensional_size_with_path.path", "dimensional_location_with_path.path"):
            if instance.get(attribute) is not None:
                return self.features.of(self.source.instances.at(instance, attribute))
        return None

    def _values(self, instance: Instance) -> _Values:
        values = _Values()
        for link in self._representations.get(instance.number, ()):
            shown = self.source.instances.at(link, "dimensional_characteristic_representation.representation")
            if shown is not None:
                for item in self.source.instances.all_at(shown, "representation.items"):
                    self._add(values, item)
        return values

    def _add(self, values: _Values, item: Instance) -> None:
        """A value, a range of values, or words about them."""
        name = (item.text("representation_item.name") or "").lower()
        if item.is_a("measure_with_unit"):
            measure = self.source.measure(item)
            if name in _UPPER:
                values.upper = measure
            elif name in _LOWER:
                values.lower = measure
            elif values.nominal is None:
                values.nominal = measure
            kinds = [each.text("type_qualifier.name") for each in self.source.qualifiers_of(item)]
            values.qualifiers += [kind for kind in kinds if kind]
        elif item.is_a("compound_representation_item"):
            for number in item.numbers_at("compound_representation_item.item_element"):
                inner = self.source.instances.get(number)
                if inner is not None and not inner.is_a("compound_representation_item"):
                    self._add(values, inner)
        elif item.is_a("descriptive_representation_item"):
            word = item.text("descriptive_representation_item.description")
            if word:
                values.modifiers.append(word)

    def _tolerance(self, instance: Instance) -> tuple[Measure | None, Measure | None, Fit | None]:
        """Upper and lower deviation, and the fit."""
        for tolerance in self._tolerances.get(instance.number, ()):
            range_ = self.source.instances.at(tolerance, "plus_minus_tolerance.range")
            if range_ is None:
                self.source.fault("tolerances of dimensions cannot be read", tolerance.number)
            elif range_.is_a("tolerance_value"):
                upper = self.source.measure_at(range_, "tolerance_value.upper_bound")
                lower = self.source.measure_at(range_, "tolerance_value.lower_bound")
                if upper is None or lower is None:
                    self.source.fault("tolerances of dimensions lack a bound", tolerance.number)
                return upper, lower, None
            elif range_.is_a("limits_and_fits"):
                return None, None, self._fit(range_)
        return None, None, None

    def _fit(self, range_: Instance) -> Fit:
        names = ("form_variance", "zone_variance", "grade", "source")
        written = tuple(range_.text(f"limits_and_fits.{name}") or "" for name in names)
        found = tolerance_class(written[0], written[2])
        if found is None:
            self.source.fault("fits have no letter or no grade", range_.number)
        return Fit(found, (written[0], written[1], written[2], written[3]))


def tolerance_class(form_variance: str, grade: str) -> str | None:
    """`H7` of `H` and `7` or `IT7`; programs write `H7` into either of the two as well. ISO 286-1."""
    for whole in (form_variance, grade):
        if (found := _CLASS.fullmatch(whole)) and _is_deviation(found[1]):
            return found[1] + found[2]
    number = _GRADE.fullmatch(grade)
    return form_variance + number[1] if number and _is_deviation(form_variance) else None


def _is_deviation(letters: str) -> bool:
    """Whether the standard has a fundamental deviation of these letters: capitals for holes, small ones for shafts."""
    return letters in {letters.lower(), letters.upper()} and letters.lower() in USUAL_GRADES


def _type(instance: Instance, written: str) -> str:
    if instance.is_a("angular_size") or instance.is_a("angular_location"):
        return "angular"
    return _TYPES.get(written.lower(), _WORDS.sub("_", written.lower()).strip("_") or "linear")
