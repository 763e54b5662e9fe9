"""Properties of shape aspects: placements and sizes of datum targets, notes, surface texture, and what an item reads as.

Source: CAx-IF Recommended Practices for PMI in AP242, sections 6.6, 7.4 (semantic text) and 10.1 (validation properties); ISO 10303-41.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from spatial.formats.step.instances import Instance
from spatial.formats.step.pmi.features import Features
from spatial.formats.step.pmi.source import Source
from spatial.models.brep.pmi import Measure, Note, SurfaceTexture

_SEMANTIC_TEXT: Final = "semantic text"
_VALIDATION: Final = "pmi validation property"
_UNICODE: Final = "equivalent unicode string"
_PREFIX: Final = re.compile(r"(?:DIM|FCF|DTM|DTT|DTS|TXT|TEXT)\\[wn]")
"""The recommended practice puts the kind of the annotation before its text."""
_MARKS: Final = {"\\w": " ", "\\n": "\n", "\\x": "\n", "\\u": ""}
"""Between compartments, lines, and parts of an annotation; the last encloses lines that are stacked beside others."""
_METHOD: Final = "measuring method"


@dataclass
class Properties:
    """The properties of a file, by what they are of."""

    source: Source
    features: Features

    @cached_property
    def _representations(self) -> dict[int, list[Instance]]:
        """Representations by the property definition."""
        found: dict[int, list[Instance]] = defaultdict(list)
        for link in self.source.instances.of("property_definition_representation"):
            of = link.number_at("property_definition_representation.definition")
            shown = self.source.instances.at(link, "property_definition_representation.used_representation")
            if of is not None and shown is not None:
                found[of].append(shown)
        return found

    @cached_property
    def _definitions(self) -> dict[int, list[Instance]]:
        """Property definitions by what they are of."""
        return self.source.instances.referring("property_definition", "property_definition.definition")

    @cached_property
    def _characterized(self) -> dict[int, list[Instance]]:
        """Items of a drawing as things that can have properties."""
        return self.source.instances.referring(
            "characterized_item_within_representation", "characterized_item_within_representation.item"
        )

    def _items(self, definition: Instance) -> Iterator[Instance]:
        for shown in self._representations.get(definition.number, ()):
            yield from self.source.instances.all_at(shown, "representation.items")

    def placement(self, aspect: int) -> tuple[tuple[float, float, float] | None, tuple[tuple[str, Measure], ...]]:
        """Where a datum target is, in millimetres, and its sizes by their names."""
        position: tuple[float, float, float] | None = None
        sizes: list[tuple[str, Measure]] = []
        for definition in self._definitions.get(aspect, ()):
            for shown in self._representations.get(definition.number, ()):
                if not shown.is_a("shape_representation_with_parameters"):
                    continue
                for item in self.source.instances.all_at(shown, "representation.items"):
                    measure = self.source.measure(item)
                    if measure is not None:
                        sizes.append((item.text("representation_item.name") or "size", measure))
                    elif item.is_a("placement") and position is None:
                        position = self._point(item, shown)
        return position, tuple(sizes)

    def _point(self, placement: Instance, shown: Instance) -> tuple[float, float, float] | None:
        point = self.source.instances.at(placement, "placement.location")
        scale = self._length(shown.number_at("representation.context_of_items"))
        values = point.get("cartesian_point.coordinates") if point else None
        if scale is None or not isinstance(values, list) or len(values) != 3:
            return None
        if not all(isinstance(value, int | float) for value in values):
            return None
        return (values[0] * scale, values[1] * scale, values[2] * scale)

    def _length(self, context: int | None) -> float | None:
        """Millimetres per unit of a context."""
        written = self.source.text.instance(context) if context is not None else b""
        assigned = re.search(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)", written)
        for reference in re.findall(rb"#\s*(\d+)", assigned[1]) if assigned else ():
            unit = self.source.unit(int(reference))
            if unit is not None and not unit[2]:
                return unit[1]
        return None

    def notes(self) -> list[Note]:
        """Texts that are marked as semantic, and those that an annotation shows."""
        shown = {
            number
            for link in self.source.instances.of("draughting_model_item_association")
            for number in link.numbers_at("item_identified_representation_usage.definition")
        }
        return self.source.each(("property_definition",), lambda definition: self._note(definition, shown))

    def _note(self, definition: Instance, shown: set[int]) -> Note | None:
        name = (definition.text("property_definition.name") or "").lower()
        if name != _SEMANTIC_TEXT and (definition.number not in shown or name == _VALIDATION):
            return None
        texts = [
            item.text("descriptive_representation_item.description")
            for item in self._items(definition)
            if (item.text("representation_item.name") or "").lower() != _UNICODE
        ]
        text = "\n".join(text for text in texts if text)
        if not text:
            return None
        target = self.source.instances.at(definition, "property_definition.definition")
        return Note(definition.number, None, self.features.of(target), text)

    def textures(self) -> list[SurfaceTexture]:
        """All surface texture requirements."""
        used = self.source.instances.referring(
            "property_definition_representation", "property_definition_representation.used_representation"
        )
        return self.source.each(("surface_texture_representation",), lambda shown: self._texture(shown, used))

    def _texture(self, shown: Instance, used: dict[int, list[Instance]]) -> SurfaceTexture:
        links = used.get(shown.number, [])
        definition = (
            self.source.instances.at(links[0], "property_definition_representation.definition") if links else None
        )
        target = self.source.instances.at(definition, "property_definition.definition") if definition else None
        values: list[tuple[str, Measure]] = []
        method = None
        for item in self.source.instances.all_at(shown, "representation.items"):
            name = item.text("representation_item.name") or ""
            measure = self.source.measure(item)
            if measure is not None:
                values.append((name, measure))
            elif name.lower() == _METHOD:
                method = item.text("descriptive_representation_item.description")
        if not values:
            self.source.fault("surface textures have no value in the file and are partial", shown.number)
        return SurfaceTexture(shown.number, None, self.features.of(target), tuple(values), method)

    def texts(self, items: set[int]) -> dict[int, list[str]]:
        """What the file says that an item of its PMI, or the annotation that shows it, reads as."""
        found: dict[int, list[str]] = {}
        for number in items:
            holders = [number, *(each.number for each in self._characterized.get(number, ()))]
            texts = [text for holder in holders for text in self._texts_of(holder)]
            if texts:
                found[number] = texts
        return found

    def _texts_of(self, holder: int) -> Iterator[str]:
        for definition in self._definitions.get(holder, ()):
            for item in self._items(definition):
                if (item.text("representation_item.name") or "").lower() == _UNICODE:
                    text = item.text("descriptive_representation_item.description")
                    if text:
                        yield plain(text)


def plain(text: str) -> str:
    """A text without the recommended practice's marks."""
    text = _PREFIX.sub("", text)
    for mark, meaning in _MARKS.items():
        text = text.replace(mark, meaning)
    return text.strip()
