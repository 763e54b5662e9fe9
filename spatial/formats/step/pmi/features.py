"""What PMI is about: from a shape aspect to the faces of the document.

Glossary
  shape aspect  a part of a shape that PMI refers to; elements of the model are assigned to it, or further aspects belong to it.
  derived       a centre line or centre plane, with the aspects that it is derived from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.source import Source
from spatial.models.brep.pmi import FaceReference, Feature

LEAST_PATTERN: Final = 2
"""Features of a pattern."""

_NO_ELEMENTS: Final = ("datum", "datum_system", "general_datum_reference")
"""Aspects that relations lead to and that no element belongs to."""

_PATTERN: Final = "pattern of features"

Axis = tuple[float, ...]
"""Direction of a line, and its point that is nearest to the origin; rounded."""


@dataclass(frozen=True)
class DocumentFace:
    """What a face of the file is in the document."""

    bodies: tuple[str, ...]
    """Ids of all bodies that have it."""
    id: str
    """Its id in each of them."""
    axis: Axis | None = None
    """Of a face of revolution."""


@dataclass
class Features:
    """The features of a file."""

    source: Source
    faces: dict[int, DocumentFace]
    """By their instances in the file."""

    @cached_property
    def _elements(self) -> dict[int, list[int]]:
        """Elements of the model, by the aspect that they are assigned to."""
        found: dict[int, list[int]] = defaultdict(list)
        for usage in self.source.instances.of("item_identified_representation_usage"):
            if not usage.is_a("draughting_model_item_association"):
                items = usage.numbers_at("item_identified_representation_usage.identified_item")
                for aspect in usage.numbers_at("item_identified_representation_usage.definition"):
                    found[aspect] += items
        return found

    @cached_property
    def _parts(self) -> dict[int, list[int]]:
        """Aspects that belong to an aspect, or that it is derived from."""
        found: dict[int, list[int]] = defaultdict(list)
        for relation in self.source.instances.of("shape_aspect_relationship"):
            if relation.is_a("dimensional_location"):
                continue
            relating = relation.number_at("shape_aspect_relationship.relating_shape_aspect")
            related = relation.number_at("shape_aspect_relationship.related_shape_aspect")
            if relating is None or related is None:
                continue
            if relation.is_a("feature_for_datum_target_relationship"):
                relating, related = related, relating
            found[relating].append(related)
        return found

    def parts(self, aspect: int) -> list[int]:
        """The aspects that an aspect consists of."""
        return list(dict.fromkeys(each for each in self._parts.get(aspect, ()) if self._has_elements(each)))

    def _has_elements(self, aspect: int) -> bool:
        instance = self.source.instances.get(aspect)
        return instance is not None and not any(map(instance.is_a, _NO_ELEMENTS))

    def aspects(self, aspect: int) -> list[int]:
        """An aspect and all that belong to it, however far."""
        found: dict[int, None] = {}
        waiting = [aspect]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found[number] = None
                waiting += reversed(self.parts(number))
        return list(found)

    def of(self, aspect: Instance | None) -> Feature:
        """The feature that a shape aspect, a size, or a whole shape is."""
        if aspect is None:
            return Feature()
        size = aspect.number_at("dimensional_size.applies_to")
        if size is not None and size != aspect.number:
            aspect = self.source.instances.get(size) or aspect
        elements = [element for each in self.aspects(aspect.number) for element in self._elements.get(each, ())]
        return Feature(
            faces=self._faces(elements),
            others=self._others(elements),
            whole_part=not aspect.is_a("shape_aspect") and aspect.is_a("product_definition_shape"),
            members=self._members(aspect),
        )

    def _faces(self, elements: list[int]) -> tuple[FaceReference, ...]:
        faces: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        for element in elements:
            if element in self.faces:
                face = self.faces[element]
                faces[face.bodies][face.id] = None
        return tuple(FaceReference(bodies, tuple(ids)) for bodies, ids in faces.items())

    def _others(self, elements: list[int]) -> dict[str, int]:
        others: Counter[str] = Counter()
        for element in dict.fromkeys(elements):
            if element not in self.faces:
                instance = self.source.instances.get(element)
                if instance is None:
                    self.source.fault("elements that PMI is about are not in the file", element)
                else:
                    others[next(reversed(instance.parts), "unknown")] += 1
        return dict(others)

    def _members(self, aspect: Instance) -> int | None:
        """How many features a pattern has: a group says that its parts are features of their own.

        Some programs put both halves of each hole, or of each edge, into the group. So parts that share an axis, and parts without
        a face, leave the count open.
        """
        if not aspect.is_a("composite_group_shape_aspect") or aspect.text("shape_aspect.description") != _PATTERN:
            return None
        parts = self.parts(aspect.number)
        faces = [self._faces_of(part) for part in parts]
        axes = [axis for found in faces for axis in {face.axis for face in found if face.axis is not None}]
        is_certain = len(parts) >= LEAST_PATTERN and all(faces) and len(set(axes)) == len(axes)
        return len(parts) if is_certain else None

    def _faces_of(self, part: int) -> list[DocumentFace]:
        elements = (element for each in self.aspects(part) for element in self._elements.get(each, ()))
        return [self.faces[element] for element in elements if element in self.faces]
