"""The rules of the families of drawings, by what stands on the sheet."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from spatial.contract.drawing import DrawingMetadata
from spatial.contract.extraction import Structure
from spatial.reasoning.families.scoring import Criterion, Judgement, insufficient, judge, ramp

BUILDING_LAYERS: Final = re.compile(
    r"wall|door|window|floor|furn|room|stair|roof|ceiling|column|plumb|elec|hvac|wand|tür|fenster|a-|s-", re.IGNORECASE
)
"""Words in the layer names of building drawings; `A-` and `S-` are disciplines of the US National CAD Standard."""

OUTLINES: Final = frozenset({"line", "polyline", "arc", "circle", "ellipse", "spline", "bezier"})
"""Entities that a cutter follows."""

BUILDING_UNITS: Final = frozenset({"foot", "meter", "centimeter"})


@dataclass(frozen=True)
class DrawingFeatures:
    """Counts of what the document lists; scale as drawn length per real length, None where it is not known."""

    entity_count: int
    text_count: int
    dimension_count: int
    callout_count: int
    part_field_count: int
    bom_rows: int
    building_layer_share: float
    is_building_unit: float
    scale: float | None
    outline_share: float


def judge_drawing(structure: Structure, units: str) -> Judgement:
    """The family of a drawing."""
    features = measure_drawing(structure, units)
    layers = {sheet.text_layer for sheet in structure.sheets or ()}
    if layers and layers <= {"raster", "outlined"} and not structure.annotations:
        return insufficient(
            "the lettering of the sheets is drawn as pixels or outlines, and none of it could be read", asdict(features)
        )
    if not features.entity_count and not features.text_count:
        return insufficient("nothing that is drawn or lettered as vectors could be read", asdict(features))
    return judge({family: rule(features) for family, rule in RULES.items()}, asdict(features))


def measure_drawing(structure: Structure, units: str) -> DrawingFeatures:
    """Counts of a document."""
    metadata = structure.drawing_metadata or DrawingMetadata()
    fields = metadata.title_block.fields if metadata.title_block else {}
    layers = [layer.name for layer in structure.layers or () if layer.name]
    scales = [(sheet.model_extra or {}).get("scale") for sheet in structure.sheets or ()]
    known = [float(each["value"]) for each in scales if isinstance(each, dict) and isinstance(each.get("value"), float)]
    return DrawingFeatures(
        entity_count=len(structure.entities or ()),
        text_count=len(structure.annotations or ()),
        dimension_count=len(structure.dimensions or ()),
        callout_count=len(structure.callouts or ()),
        part_field_count=sum(name in fields for name in ("material", "finish", "tolerances", "weight", "part_number")),
        bom_rows=len(metadata.bom.rows) if metadata.bom else 0,
        building_layer_share=sum(bool(BUILDING_LAYERS.search(name)) for name in layers) / len(layers)
        if layers
        else 0.0,
        is_building_unit=float(units in BUILDING_UNITS),
        scale=known[0] if known else None,
        outline_share=sum(each.type in OUTLINES for each in structure.entities or ())
        / max(len(structure.entities or ()), 1),
    )


def _criterion(name: str, value: float, none: float, full: float) -> Criterion:
    return Criterion(name, value, ramp(value, none, full))


def _part(features: DrawingFeatures) -> list[Criterion]:
    return [
        _criterion("dimension_count", features.dimension_count + features.callout_count, 0, 4),
        _criterion("part_field_count", features.part_field_count + features.callout_count / 4, -1, 1),
        _criterion("bom_rows", features.bom_rows, 3, 1),
        _criterion("building_layer_share", features.building_layer_share, 0.4, 0.1),
    ]


def _assembly(features: DrawingFeatures) -> list[Criterion]:
    return [
        _criterion("bom_rows", features.bom_rows, 0, 2),
        _criterion("building_layer_share", features.building_layer_share, 0.4, 0.1),
    ]


def _building(features: DrawingFeatures) -> list[Criterion]:
    scale = 0.5 if features.scale is None else ramp(features.scale, 0.1, 0.02)
    return [
        Criterion(
            "building_layer_share",
            features.building_layer_share,
            max(ramp(features.building_layer_share, 0.0, 0.3), scale - 0.5),
        ),
        _criterion("entity_count", features.entity_count, 10, 100),
        _criterion("callout_count", features.callout_count, 20, 2),
    ]


def _profile(features: DrawingFeatures) -> list[Criterion]:
    """Outlines without dimensions and words, as a cutter reads them."""
    return [
        _criterion("entity_count", features.entity_count, 0, 5),
        _criterion("text_count", features.text_count, 5, 0),
        _criterion("dimension_count", features.dimension_count, 2, 0),
        _criterion("outline_share", features.outline_share, 0.5, 0.9),
    ]


RULES: Final[dict[str, Callable[[DrawingFeatures], list[Criterion]]]] = {
    "part_drawing": _part,
    "assembly_drawing": _assembly,
    "building_drawing": _building,
    "cutting_profile": _profile,
}
"""Families of drawings."""
