"""The tables of bulk ingest: the schemas of their Parquet objects, and the rules that map members of a document to columns.

Every row has `document_id` and, except in `failures`, `extraction_id`. `ingest_date` is in no schema: readers take it from the key of the
object. docs/tables.md describes columns and units; storage.tables.row_mapping makes the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pyarrow as pa

from storage.tables.columns import (
    FLAG,
    INTEGER,
    NUMBER,
    TEXT,
    TEXTS,
    TIMESTAMP,
    Rule,
    Shape,
    flag,
    integer,
    json,
    nested,
    number,
    numbers,
    text,
    texts,
    vector,
)

_KEYS: Final[Mapping[str, pa.DataType]] = {"document_id": TEXT, "extraction_id": TEXT}
_POSITION: Final = vector("x", "y", "z")
BOX: Final = nested({"min": vector("min_x", "min_y", "min_z"), "max": vector("max_x", "max_y", "max_z")})


def _same(rule: Any, *names: str) -> dict[str, Rule]:
    """The same rule for several members, each with a column of the same name."""
    return {name: rule(name) for name in names}


SOLIDS: Final = Shape(
    before={**_KEYS, "units": TEXT},
    rules={
        "id": text("solid_id"),
        **_same(text, "name", "instance_of", "representation", "orientation"),
        **_same(flag, "is_closed"),
        **_same(number, "volume", "surface_area"),
        "center_of_mass": vector("center_x", "center_y", "center_z"),
        "bbox": BOX,
        **_same(numbers, "transform"),
    },
    rest="details",
    left_out=frozenset({"faces", "shells"}),
    after={"faces": INTEGER},
)

FACES: Final = Shape(
    before={**_KEYS, "units": TEXT, "solid_id": TEXT, "shell_id": TEXT},
    rules={
        "id": text("face_id"),
        **_same(text, "type"),
        **_same(number, "area", "radius", "minor_radius", "major_radius", "half_angle"),
        "origin": vector("origin_x", "origin_y", "origin_z"),
        "axis": vector("axis_x", "axis_y", "axis_z"),
        "normal": vector("normal_x", "normal_y", "normal_z"),
    },
    rest="details",
)

ENTITIES: Final = Shape(
    before={**_KEYS, "units": TEXT},
    rules={
        "id": text("entity_id"),
        **_same(text, "type", "layer"),
        **_same(integer, "page"),
        "start": vector("start_x", "start_y", "start_z"),
        "end": vector("end_x", "end_y", "end_z"),
        "center": vector("center_x", "center_y", "center_z"),
        **_same(number, "radius", "start_angle", "end_angle"),
        "position": _POSITION,
        **_same(flag, "closed"),
        "insert": text("insert_id"),
        **_same(text, "block", "color", "linetype"),
        "width": number("line_width"),
        **_same(flag, "visible"),
    },
    rest="geometry",
)

DIMENSIONS: Final = Shape(
    before={**_KEYS, "units": TEXT},
    rules={
        "id": text("dimension_id"),
        **_same(text, "type", "text"),
        **_same(number, "value", "printed"),
        **_same(integer, "page"),
        "position": _POSITION,
        **_same(text, "layer", "style", "text_override"),
        **_same(flag, "visible"),
        **_same(number, "confidence"),
        **_same(texts, "sources"),
    },
    rest="details",
)

CALLOUTS: Final = Shape(
    before=_KEYS,
    rules={
        "id": text("callout_id"),
        **_same(text, "type", "text"),
        **_same(integer, "quantity"),
        **_same(flag, "through"),
        **_same(number, "depth"),
        **_same(text, "unit"),
        **_same(number, "nominal", "diameter", "radius", "upper_deviation", "lower_deviation", "min", "max"),
        **_same(text, "class", "hole_class", "shaft_class", "grade"),
        **_same(text, "standard", "designation", "size"),
        **_same(number, "pitch", "tpi", "lead"),
        **_same(integer, "starts"),
        **_same(text, "hand"),
        **_same(number, "hole_depth", "angle", "leg"),
        **_same(text, "parameter"),
        **_same(number, "value"),
        **_same(text, "characteristic", "zone"),
        **_same(number, "tolerance"),
        **_same(text, "datum"),
        **_same(json, "datums"),
        **_same(integer, "page"),
        "position": _POSITION,
        **_same(number, "confidence"),
        **_same(text, "role", "source"),
        **_same(texts, "sources"),
    },
    rest="details",
)

ANNOTATIONS: Final = Shape(
    before=_KEYS,
    rules={
        "id": text("annotation_id"),
        **_same(text, "type", "text"),
        **_same(integer, "page"),
        "position": _POSITION,
        **_same(number, "angle", "height"),
        **_same(text, "layer", "tag", "owner"),
        **_same(flag, "visible"),
    },
    rest="details",
)

NOTES: Final = Shape(
    before=_KEYS,
    rules={
        **_same(integer, "number"),
        **_same(text, "item", "text"),
        **_same(integer, "page"),
        **_same(flag, "numbered"),
        "confidence": number("confidence"),
        **_same(texts, "sources"),
    },
    rest="details",
)

SHEETS: Final = Shape(
    before=_KEYS,
    rules={
        **_same(integer, "page"),
        **_same(text, "name", "kind", "unit", "size", "text_layer"),
        "bbox": vector("min_x", "min_y", "max_x", "max_y"),
    },
    rest="details",
)

_PAGE: Final = {**_KEYS, "page": INTEGER, "page_id": TEXT, "page_name": TEXT}

NODES: Final = Shape(
    before=_PAGE,
    rules={
        "id": text("node_id"),
        **_same(text, "label", "shape"),
        "bbox": nested(_same(number, "x", "y", "width", "height")),
        "center": vector("center_x", "center_y"),
        **_same(text, "parent"),
        **_same(flag, "is_container", "is_text"),
        **_same(text, "link", "layer"),
        **_same(flag, "visible"),
        **_same(json, "attributes"),
    },
    rest="details",
    left_out=frozenset({"children"}),
)

EDGES: Final = Shape(
    before=_PAGE,
    rules={
        "id": text("edge_id"),
        **_same(text, "source", "target"),
        **_same(flag, "directed", "bidirectional"),
        **_same(text, "label", "connector"),
        **_same(flag, "dashed"),
        **_same(json, "waypoints"),
        **_same(text, "start_arrow", "end_arrow", "layer"),
        **_same(flag, "visible"),
        **_same(json, "attributes"),
    },
    rest="details",
)

_CELLS: Final = {
    **_KEYS, "table_no": INTEGER, "row_no": INTEGER, "column_no": INTEGER, "column_name": TEXT, "value": TEXT, "page": INTEGER,
    "confidence": NUMBER,
}  # fmt: skip

COUNTED: Final = ("solids", "faces", "entities", "dimensions", "callouts", "sheets", "nodes", "edges", "warnings")
"""Tables whose number of rows is a column of `documents`."""

TITLED: Final = ("title", "drawing_number", "revision")
"""Fields of the title block that are also columns of `documents`."""

SOURCE_COLUMNS: Final[Mapping[str, pa.DataType]] = {
    "row_id": TEXT, "source_uri": TEXT, "file_name": TEXT, "size": INTEGER, "modified_at": TIMESTAMP, "extractor_version": INTEGER,
    "result_key": TEXT, "ingested_at": TIMESTAMP,
}  # fmt: skip
"""Columns of `documents` that the ingest sets, because a document does not contain them. A row_id is never reused."""

_FAILURES: Final = {
    "row_id": TEXT, "document_id": TEXT, "source_uri": TEXT, "file_name": TEXT, "format": TEXT, "extractor_version": INTEGER,
    "error_type": TEXT, "message": TEXT, "phase": TEXT, "tries": INTEGER, "quarantined": FLAG, "ingested_at": TIMESTAMP,
}  # fmt: skip

_COLUMNS: Final[Mapping[str, Mapping[str, pa.DataType]]] = {
    "documents": {
        **_KEYS, **SOURCE_COLUMNS, "format": TEXT, "kind": TEXT, "units": TEXT, "mm_per_unit": NUMBER, "partial": FLAG,
        **dict.fromkeys(COUNTED, INTEGER),
        **dict.fromkeys(TITLED, TEXT), **BOX.columns,
    },
    "solids": SOLIDS.columns,
    "faces": FACES.columns,
    "entities": ENTITIES.columns,
    "dimensions": DIMENSIONS.columns,
    "callouts": CALLOUTS.columns,
    "annotations": ANNOTATIONS.columns,
    "title_blocks": {
        **_KEYS, "field": TEXT, "value": TEXT, "origin": TEXT, "evidence": TEXT, "confidence": NUMBER, "page": INTEGER, "sources": TEXTS,
    },
    "bom_rows": _CELLS,
    "revisions": _CELLS,
    "notes": NOTES.columns,
    "sheets": SHEETS.columns,
    "nodes": NODES.columns,
    "edges": EDGES.columns,
    "warnings": {**_KEYS, "place": INTEGER, "text": TEXT},
    "failures": _FAILURES,
}  # fmt: skip

TABLES: Final[dict[str, pa.Schema]] = {name: pa.schema(list(columns.items())) for name, columns in _COLUMNS.items()}
"""The schema of every object of a table."""

SUPERSEDED_SCHEMA: Final = pa.schema([("id", TEXT)])
"""The schema of the objects that list superseded ids."""

IDENTITY: Final[dict[str, str]] = {
    name: "row_id" if name in {"documents", "failures"} else "extraction_id" for name in TABLES
}
"""The column by which a table's rows are superseded."""

SORTED_BY: Final[dict[str, tuple[str, ...]]] = {
    "callouts": ("type", "text"),
    "faces": ("type", "radius"),
    "entities": ("type", "extraction_id"),
    "dimensions": ("type", "value"),
    "annotations": ("text",),
    "title_blocks": ("field", "value"),
    "bom_rows": ("column_name", "value"),
    "nodes": ("label",),
    "failures": ("error_type",),
}
"""Columns that queries filter by; in this order a query skips most row groups. The sort is stable."""
