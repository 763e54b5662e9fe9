"""Annotations as they are drawn, and which semantic items they show.

Source: CAx-IF Recommended Practices for PMI in AP242, sections 7.3 (links), 8 and 9 (annotations and their names).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.source import Source
from spatial.models.brep.pmi import Feature, Kind, Presentation

KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(
        (
            "linear dimension", "radial dimension", "diameter dimension", "angular dimension", "ordinate dimension", "curve dimension",
            "curve length", "general dimension", "dimension",
        ),
        "dimension",
    ),
    **dict.fromkeys(
        (
            "angularity", "circular runout", "circularity", "coaxiality", "concentricity", "cylindricity", "flatness", "parallelism",
            "perpendicularity", "position", "profile of line", "profile of surface", "roundness", "straightness", "symmetry",
            "total runout", "general tolerance",
        ),
        "tolerance",
    ),
    "datum": "datum",
    "datum target": "datum_target",
    "note": "note", "flag note": "note", "label": "note",
    "surface roughness": "surface_texture", "roughness": "surface_texture",
}  # fmt: skip
"""Names that the recommended practice gives to the geometry of an annotation."""

_PLACEHOLDER: Final = "annotation_placeholder_occurrence"
_SHAPES: Final = ("geometric_set", "tessellated_geometric_set")


@dataclass
class Presentations:
    """The annotations of a file."""

    source: Source
    features: Features

    def read(self, items: dict[int, tuple[Kind, set[int]]]) -> list[Presentation]:
        """All annotations; those that are only the place of one are none.

        items: for each semantic item its kind and the shape aspects that it is about.
        """
        callouts = self.source.instances.of("draughting_callout")
        inside = {number for callout in callouts for number in callout.numbers_at("draughting_callout.contents")}
        single = [each for each in self.source.instances.of("annotation_occurrence") if each.number not in inside]
        definitions = self._definitions()
        drawn = [
            each
            for each in (*callouts, *single)
            if any(not part.is_a(_PLACEHOLDER) for part in self._occurrences(each))
        ]
        explicit = {each.number: [n for n in definitions.get(each.number, ()) if n in items] for each in drawn}
        shown = {number for numbers in explicit.values() for number in numbers}
        by_aspect = _by_aspect(items, shown)
        found = []
        for each in drawn:
            kind = self._kind(each)
            aspects = [n for n in definitions.get(each.number, ()) if n not in items]
            numbers = explicit[each.number] or _by_shared_aspect(aspects, kind, by_aspect)
            kind = items[numbers[0]][0] if numbers else kind
            name = each.text("representation_item.name")
            found.append(Presentation(each.number, name, kind, tuple(numbers), self._feature(aspects)))
        return found

    def _definitions(self) -> dict[int, list[int]]:
        """What each annotation is about: semantic items, and shape aspects."""
        found: dict[int, list[int]] = defaultdict(list)
        for link in self.source.instances.of("draughting_model_item_association"):
            about = link.numbers_at("item_identified_representation_usage.definition")
            for number in link.numbers_at("item_identified_representation_usage.identified_item"):
                found[number] += [each for each in about if each not in found[number]]
        return found

    def _occurrences(self, annotation: Instance) -> list[Instance]:
        if not annotation.is_a("draughting_callout"):
            return [annotation]
        contents = self.source.instances.all_at(annotation, "draughting_callout.contents")
        return [each for each in contents if each.is_a("annotation_occurrence")]

    def _kind(self, annotation: Instance) -> Kind:
        """By the name of its geometry."""
        for occurrence in self._occurrences(annotation):
            shape = self.source.instances.at(occurrence, "styled_item.item")
            if shape is not None and any(map(shape.is_a, _SHAPES)):
                kind = KINDS.get((shape.text("representation_item.name") or "").lower())
                if kind:
                    return kind
        return "other"

    def _feature(self, aspects: list[int]) -> Feature:
        found = [self.features.of(self.source.instances.get(number)) for number in aspects]
        faces = dict.fromkeys(face for feature in found for face in feature.faces)
        return Feature(tuple(faces), whole_part=any(feature.whole_part for feature in found))


def _by_aspect(items: dict[int, tuple[Kind, set[int]]], shown: set[int]) -> dict[int, list[tuple[int, Kind]]]:
    """Semantic items that no annotation refers to, by the shape aspects that they are about."""
    found: dict[int, list[tuple[int, Kind]]] = defaultdict(list)
    for number, (kind, aspects) in items.items():
        if number not in shown:
            for aspect in aspects:
                found[aspect].append((number, kind))
    return found


def _by_shared_aspect(aspects: list[int], kind: Kind, by_aspect: dict[int, list[tuple[int, Kind]]]) -> list[int]:
    """The one item of the same kind about the same shape aspect; programs that write no link between the two share the aspect."""
    found = {number for aspect in aspects for number, of in by_aspect.get(aspect, ()) if of == kind}
    return sorted(found) if len(found) == 1 else []
