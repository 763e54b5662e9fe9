"""A drawing as its reader holds it, whatever the format it came in."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from spatial.contract.extraction import BoundingBox, Structure
from spatial.contract.points import PointCloudScene
from spatial.extraction.drawing import meaning, points
from spatial.extraction.drawing.sheet import Dimensioning, Drawing, Sheet, Text
from spatial.extraction.reading import Meaning, Reading, SamplingPlan
from spatial.geometry import rounding

DECIMALS = 4
"""Coordinates of lettering are told to a ten-thousandth of a unit."""


class DrawingSource:
    """What a DXF or PDF reader made of one file."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.reading = _reading(drawing)

    def interpret(self) -> Meaning:
        """Dimensions, callouts, title block, tables and notes."""
        return meaning.interpret(self.drawing)

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on everything drawn, in the document's units; one cloud a sheet, z = 0."""
        return points.sample(self.drawing, plan)


def _reading(drawing: Drawing) -> Reading:
    texts = [text for sheet in drawing.sheets for text in sheet.texts if text.kind != "dimension"]
    dimensions = [dimension for sheet in drawing.sheets for dimension in sheet.dimensions]
    counts = Counter(drawing.entity_counts)
    counts.update(sheets=len(drawing.sheets), annotations=len(texts), dimensions=len(dimensions))
    structure = {
        "kind": "drawing2d",
        "sheets": [_sheet(sheet) for sheet in drawing.sheets],
        "layers": drawing.layers,
        "entities": drawing.entities,
        "dimensions": [dimension_record(dimension) for dimension in dimensions],
        "annotations": [_annotation(text) for text in texts],
        **drawing.further,
    }
    return Reading(
        source_format=drawing.source_format,
        units=drawing.units,
        structure=Structure.model_validate(structure),
        entity_counts={name: count for name, count in counts.items() if count},
        bbox=_box(drawing.sheets),
        warnings=drawing.warnings,
    )


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "page": sheet.page,
        "name": sheet.name,
        "kind": sheet.kind,
        "bbox": _rounded(sheet.box),
        "unit": sheet.unit,
        "text_layer": sheet.text_layer,
        **sheet.further,
    }


def _annotation(text: Text) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": text.id,
        "type": text.kind,
        "text": text.text,
        "position": _rounded(text.origin),
        "page": text.page,
        "angle": round(text.angle, 2) % 360.0,
        "height": rounding.significant(text.height),
        "bbox": _rounded(text.box),
    }
    further = {
        "layer": text.layer,
        "style": text.style,
        "tag": text.tag,
        "owner": text.owner,
        "mended": list(text.mended) or None,
        "visible": None if text.visible else False,
    }
    return record | {name: value for name, value in further.items() if value is not None}


def dimension_record(dimension: Dimensioning) -> dict[str, Any]:
    """A dimension as the document tells it."""
    record: dict[str, Any] = {"id": dimension.id, "type": dimension.type, "page": dimension.page}
    further = {
        "text": dimension.text,
        "value": None if dimension.value is None else rounding.significant(dimension.value),
        "position": dimension.position and _rounded(dimension.position),
        "sources": list(dimension.sources) or None,
    }
    return record | {name: value for name, value in further.items() if value is not None} | dimension.further


def _rounded(numbers: tuple[float, ...]) -> list[float]:
    return [round(float(number), DECIMALS) for number in numbers]


def _box(sheets: list[Sheet]) -> BoundingBox | None:
    """Of the first sheet's paper or drawing: sheets lie in frames of their own, which have no common box."""
    boxes = [sheet.box for sheet in sheets if all(math.isfinite(number) for number in sheet.box)]
    if not boxes:
        return None
    left, bottom, right, top = _rounded(boxes[0])
    return BoundingBox(min=(left, bottom), max=(right, top)) if left <= right and bottom <= top else None
