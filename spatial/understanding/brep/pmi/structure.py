"""The PMI of a model as members of the document: `dimensions`, `annotations`, `pmi` and `coverage`."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from spatial.geometry.rounding import significant
from spatial.models.brep.model import BrepModel
from spatial.models.brep.pmi import Dimension, Fact, Feature, Kind, Pmi, Presentation
from spatial.models.reading import Meaning
from spatial.understanding.brep.pmi import members, writing

Members = dict[str, Any]

_QUANTITY: Final = re.compile(r"\s*(\d{1,4})\s?[xX×](?=\s)")
"""The number of features before a text: `4X Ø12`. ASME Y14.5-2018, 1.9.5; ISO 129-1."""
_GRAPHIC: Final = "graphic"


def pmi(model: BrepModel) -> Meaning:
    """The members, with what could not be read as warnings; nothing where the model has no PMI."""
    if model.pmi is None:
        return Meaning()
    built = _Builder(model.pmi, model.scale, is_placed=bool(model.reading.structure.assembly)).run()
    structure: dict[str, Any] = {
        "dimensions": built.dimensions,
        "annotations": built.annotations,
        "pmi": built.items,
        "coverage": _coverage(model.pmi),
    }
    warnings = [*model.pmi.warnings, *_graphical(structure["coverage"])]
    return Meaning(structure={name: value for name, value in structure.items() if value}, warnings=warnings)


@dataclass
class _Builder:
    pmi: Pmi
    scale: float
    """Document units per millimetre."""
    is_placed: bool
    """Whether the file places its parts."""
    dimensions: list[Members] = field(default_factory=list)
    annotations: list[Members] = field(default_factory=list)
    items: list[Members] = field(default_factory=list)
    _shown: dict[int, list[Presentation]] = field(default_factory=lambda: defaultdict(list))

    def run(self) -> _Builder:
        for presentation in self.pmi.presentations:
            for number in presentation.shows:
                self._shown[number].append(presentation)
        for dimension in self.pmi.dimensions:
            self._dimension(dimension)
        self._tolerances()
        for datum in self.pmi.datums:
            self._annotation(
                datum, {"type": "datum", **({"datum": datum.letter} if datum.letter else {})}, datum.letter
            )
        for target in self.pmi.targets:
            label = "-".join(target.letters) + target.target
            self._annotation(target, members.target(target, self.scale, is_placed=self.is_placed), label or None)
        for texture in self.pmi.textures:
            value = texture.values[0] if texture.values else None
            text = f"{value[0]} {writing.number(value[1])}".strip() if value else None
            self._annotation(texture, members.texture(texture), text)
        for note in self.pmi.notes:
            self._annotation(note, {"type": "note"}, note.text)
        for presentation in self.pmi.presentations:
            if not presentation.shows:
                self._graphic(presentation)
        return self

    def _dimension(self, item: Dimension) -> None:
        found = self._common(item, [item.number])
        text = _with_quantity(writing.size(item), found.get("quantity"))
        dimension: Members = {"id": f"dimension-{len(self.dimensions) + 1}", "type": item.type}
        if text:
            dimension["text"] = text
        if item.nominal is not None:
            factor = 1.0 if item.nominal.is_angle else self.scale
            dimension |= {
                "value": significant(item.nominal.base * factor),
                "nominal": item.nominal.value,
                "unit": item.nominal.unit,
            }
        is_partial = item.nominal is None and item.upper_limit is None and item.lower_limit is None
        if item.other is not None:
            found |= members.feature(item.other, "to_")
        if item.path is not None:
            found |= members.feature(item.path, "path_")
        partial = {"partial": True} if is_partial else {}
        self.dimensions.append({**dimension, **partial, **found, "source": f"#{item.number}"})
        self._item({**members.dimension(item), **partial}, text, dimension["id"], found)

    def _tolerances(self) -> None:
        ids = {int(each["source"][1:]): each["id"] for each in self.dimensions}
        for item in self.pmi.tolerances:
            text = "\n".join(writing.frame(row) for row in item.segments)
            found = members.tolerance(item)
            if item.of_dimension in ids:
                found["dimension"] = ids[item.of_dimension]
            if item.segments[0].magnitude is None:
                found["partial"] = True
            self._annotation(item, found, text, [row.number for row in item.segments])

    def _annotation(self, item: Fact, found: Members, text: str | None, numbers: list[int] | None = None) -> None:
        """An annotation, and its item."""
        common = self._common(item, numbers or [item.number])
        text = _with_quantity(text, common.get("quantity"))
        annotation: Members = {"id": f"annotation-{len(self.annotations) + 1}", "type": found["type"]}
        if text:
            annotation["text"] = text
        if item.name:
            annotation["name"] = item.name
        self.annotations.append({**annotation, **common, "source": f"#{item.number}"})
        self._item(found, text, annotation["id"], common)

    def _item(self, found: Members, text: str | None, source: str, common: Members) -> None:
        item: Members = {"id": f"pmi-{len(self.items) + 1}", "type": found["type"]}
        if text:
            item["text"] = text
        self.items.append({**item, "source": source, **found, **common})

    def _graphic(self, presentation: Presentation) -> None:
        """One that is only drawn: what it says is not known, unless the file has its text."""
        annotation: Members = {"id": f"annotation-{len(self.annotations) + 1}", "type": _GRAPHIC}
        if presentation.kind != "other":
            annotation["shows"] = presentation.kind
        texts = self.pmi.texts.get(presentation.number)
        if texts:
            annotation["text"] = texts[0]
        if presentation.name:
            annotation["name"] = presentation.name
        annotation |= members.feature(presentation.feature)
        self.annotations.append({**annotation, "source": f"#{presentation.number}"})

    def _common(self, item: Fact, numbers: list[int]) -> Members:
        """What it is about, how often, and how the file says that it reads."""
        presentations = [each for number in numbers for each in self._shown[number]]
        texts = [
            text
            for number in (*numbers, *(each.number for each in presentations))
            for text in self.pmi.texts.get(number, ())
        ]
        found: Members = {}
        quantity = _stated_quantity(texts) or item.feature.members
        if quantity:
            found["quantity"] = quantity
        if texts:
            found["presented"] = texts[-1]
        return found | self._feature(item.feature, presentations)

    def _feature(self, own: Feature, presentations: list[Presentation]) -> Members:
        """The item's own feature, or the one that its annotation points at."""
        found = members.feature(own)
        if found:
            return found
        for presentation in presentations:
            pointed = members.feature(presentation.feature)
            if pointed:
                return {**pointed, "faces_from": "annotation"}
        return {}


def _stated_quantity(texts: list[str]) -> int | None:
    for text in reversed(texts):
        found = _QUANTITY.match(text)
        if found and int(found[1]) > 0:
            return int(found[1])
    return None


def _with_quantity(text: str | None, quantity: int | None) -> str | None:
    return f"{quantity}X {text}" if text and quantity and quantity > 1 else text


def _coverage(found: Pmi) -> dict[str, dict[str, int]]:
    """Per kind, how many items are written as values only, drawn only, or both."""
    shown = {number for presentation in found.presentations for number in presentation.shows}
    counts: dict[Kind, dict[str, int]] = defaultdict(lambda: {"semantic_only": 0, "graphical_only": 0, "both": 0})
    for kind, items in _items(found):
        for numbers in items:
            counts[kind]["both" if shown.intersection(numbers) else "semantic_only"] += 1
    for presentation in found.presentations:
        if not presentation.shows:
            counts[presentation.kind]["graphical_only"] += 1
    return {kind: counts[kind] for kind in get_args(Kind) if kind in counts}


def _items(found: Pmi) -> list[tuple[Kind, list[list[int]]]]:
    return [
        ("dimension", [[each.number] for each in found.dimensions]),
        ("tolerance", [[row.number for row in each.segments] for each in found.tolerances]),
        ("datum", [[each.number] for each in found.datums]),
        ("datum_target", [[each.number] for each in found.targets]),
        ("surface_texture", [[each.number] for each in found.textures]),
        ("note", [[each.number] for each in found.notes]),
    ]


def _graphical(coverage: dict[str, dict[str, int]]) -> list[str]:
    drawn = sum(row["graphical_only"] for row in coverage.values())
    if not drawn:
        return []
    total = sum(sum(row.values()) for row in coverage.values())
    what = f"{drawn:,} of {total:,} PMI items are only drawn, so that what they say is not known"
    return [f"{what}; export AP242 with semantic PMI for their values"]
