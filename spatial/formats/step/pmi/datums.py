"""Datum features and datum targets. Source: CAx-IF Recommended Practices for PMI in AP242, sections 6.5 and 6.6; ISO 5459."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.properties import Properties
from spatial.formats.step.pmi.source import Source
from spatial.models.brep.pmi import Datum, DatumTarget


@dataclass
class Datums:
    """The datums of a file."""

    source: Source
    features: Features
    properties: Properties

    @cached_property
    def _letters(self) -> dict[int, list[str]]:
        """The letters of the datums that each feature or target establishes."""
        found: dict[int, list[str]] = defaultdict(list)
        for relation in self.source.instances.of("shape_aspect_relationship"):
            ends = [
                relation.number_at("shape_aspect_relationship.relating_shape_aspect"),
                relation.number_at("shape_aspect_relationship.related_shape_aspect"),
            ]
            for this, that in (ends, reversed(ends)):
                datum = self.source.instances.get(that)
                letter = datum.text("datum.identification") if datum else None
                if this is not None and letter and letter not in found[this]:
                    found[this].append(letter)
        return found

    def read(self) -> list[Datum]:
        """All datum features, and the datums that no feature and no target establishes."""
        features = self.source.each(("datum_feature",), self._feature)
        known = {each.letter for each in features} | {letter for each in self.targets() for letter in each.letters}
        alone = self.source.each(("datum",), lambda datum: self._alone(datum, known))
        return sorted(features + alone, key=lambda datum: datum.number)

    def targets(self) -> list[DatumTarget]:
        """All datum targets."""
        return self.source.each(("datum_target",), self._target)

    def _feature(self, instance: Instance) -> Datum:
        letters = self._letters.get(instance.number, [])
        if not letters:
            self.source.fault("datum features establish no datum with a letter", instance.number)
        return Datum(
            instance.number,
            instance.text("shape_aspect.name"),
            self.features.of(instance),
            "-".join(letters) or None,
        )

    def _alone(self, instance: Instance, known: set[str | None]) -> Datum | None:
        letter = instance.text("datum.identification")
        if letter in known or instance.is_a("common_datum"):
            return None
        self.source.fault("datums are established by no feature", instance.number)
        return Datum(instance.number, instance.text("shape_aspect.name"), self.features.of(instance), letter)

    def _target(self, instance: Instance) -> DatumTarget:
        position, sizes = self.properties.placement(instance.number)
        return DatumTarget(
            instance.number,
            instance.text("shape_aspect.name"),
            self.features.of(instance),
            tuple(self._letters.get(instance.number, ())),
            instance.text("datum_target.target_id") or "",
            instance.text("shape_aspect.description"),
            position,
            sizes,
        )
