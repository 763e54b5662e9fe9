"""Map a document to rows of tables.

    rows_of(document, document_id=…, extraction_id=…)      -> rows per table; tables without rows are omitted
    table_of(name, rows)                                    -> pyarrow Table in the order of SORTED_BY

A row is a dict of the columns that have a value; `table_of` makes the others NULL.

`documents` and `failures` have one row per source, and a document does not contain its sources: `rows_of` returns one row of `documents`
with the values that the document contains (units, counts, title), and the ingest adds the columns SOURCE_COLUMNS. `SUPERSEDED_SCHEMA` is
the schema of the objects that list superseded ids: `id` is a value of the column that IDENTITY names for the table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pyarrow as pa

from spatial.contract.diagram import DiagramPage
from spatial.contract.drawing import DrawingMetadata, Notes, Table, TitleBlock
from spatial.contract.extraction import CadExtraction, Face, Shell, Structure
from storage.tables.columns import Row, is_integer, is_number
from storage.tables.schemas import (
    ANNOTATIONS,
    BOX,
    CALLOUTS,
    COUNTED,
    DIMENSIONS,
    EDGES,
    ENTITIES,
    FACES,
    IDENTITY,
    NODES,
    NOTES,
    SHEETS,
    SOLIDS,
    SORTED_BY,
    SOURCE_COLUMNS,
    SUPERSEDED_SCHEMA,
    TABLES,
    TITLED,
)

__all__ = ["IDENTITY", "SOURCE_COLUMNS", "SUPERSEDED_SCHEMA", "TABLES", "Rows", "ordered", "rows_of", "table_of"]

Rows = dict[str, list[Row]]

MILLIMETERS: Final = {
    "nanometer": 1e-6, "microinch": 25.4e-6, "micrometer": 1e-3, "mil": 0.0254, "millimeter": 1.0, "centimeter": 10.0, "inch": 25.4,
    "decimeter": 100.0, "foot": 304.8, "yard": 914.4, "meter": 1000.0, "kilometer": 1e6, "mile": 1_609_344.0,
    "point": 25.4 / 72,
}  # fmt: skip
"""Millimetres per unit of a document. A pixel has no length; a point (1/72 inch) measures the paper, not the part."""


def rows_of(document: CadExtraction, *, document_id: str, extraction_id: str) -> Rows:
    """The rows of a document, by table; tables without rows are omitted. A pure function."""
    keys: Row = {"document_id": document_id, "extraction_id": extraction_id}
    rows: Rows = defaultdict(list)
    rows["warnings"] = [{**keys, "place": place, "text": text} for place, text in enumerate(document.warnings, start=1)]
    if document.structure is not None:
        _add_bodies(rows, document.structure, {**keys, "units": document.units})
        _add_drawing(rows, document.structure, {**keys, "units": document.units}, keys)
        for page, diagram in enumerate(document.structure.pages or (), start=1):
            _add_diagram(rows, diagram, {**keys, "page": page, "page_id": diagram.id, "page_name": diagram.name})
    rows["documents"] = [_document(document, keys, rows)]
    return {name: found for name, found in rows.items() if found}


def _document(document: CadExtraction, keys: Row, rows: Rows) -> Row:
    """The row of `documents` without SOURCE_COLUMNS."""
    fields = {row["field"]: row["value"] for row in rows.get("title_blocks", ()) if row["origin"] == "title_block"}
    structure = document.structure
    values = {
        "format": document.source_format,
        "kind": structure.kind if structure else None,
        "units": document.units,
        "mm_per_unit": MILLIMETERS.get(document.units),
        "partial": bool(document.partial),
        **{name: fields.get(name) for name in TITLED},
    }
    counts = {name: len(rows.get(name, ())) for name in COUNTED} if structure else {"warnings": len(document.warnings)}
    row = {**keys, **{name: value for name, value in values.items() if value is not None}, **counts}
    if document.statistics.bbox is not None:
        BOX.put(row, document.statistics.bbox)
    return row


def _add_bodies(rows: Rows, structure: Structure, keys: Row) -> None:
    for solid in structure.solids or ():
        solid_keys = {**keys, "solid_id": solid.id}
        faces = [*_faces(solid.faces, solid_keys), *_faces_of_shells(solid.shells or (), solid_keys)]
        rows["solids"].append({**SOLIDS.row(keys, solid), "faces": len(faces)})
        rows["faces"] += faces
    rows["faces"] += _faces_of_shells(structure.shells or (), keys)
    rows["faces"] += _faces(structure.free_faces or (), keys)


def _faces(faces: Iterable[Face], keys: Row) -> Iterator[Row]:
    return (FACES.row(keys, face) for face in faces)


def _faces_of_shells(shells: Iterable[Shell], keys: Row) -> Iterator[Row]:
    for shell in shells:
        yield from _faces(shell.faces, {**keys, "shell_id": shell.id})


def _add_drawing(rows: Rows, structure: Structure, with_units: Row, keys: Row) -> None:
    rows["entities"] = [ENTITIES.row(with_units, entity) for entity in structure.entities or ()]
    rows["dimensions"] = [DIMENSIONS.row(with_units, dimension) for dimension in structure.dimensions or ()]
    rows["callouts"] = [CALLOUTS.row(keys, callout) for callout in structure.callouts or ()]
    rows["annotations"] = [ANNOTATIONS.row(keys, annotation) for annotation in structure.annotations or ()]
    rows["sheets"] = [SHEETS.row(keys, sheet) for sheet in structure.sheets or ()]
    if structure.drawing_metadata is not None:
        _add_metadata(rows, structure.drawing_metadata, keys)


def _add_metadata(rows: Rows, metadata: DrawingMetadata, keys: Row) -> None:
    if metadata.title_block is not None:
        rows["title_blocks"] = list(_title_block(metadata.title_block, keys))
    if metadata.bom is not None:
        rows["bom_rows"] = list(_cells(metadata.bom, keys))
    if metadata.revisions is not None:
        rows["revisions"] = list(_cells(metadata.revisions, keys))
    if metadata.notes is not None:
        rows["notes"] = list(_notes(metadata.notes, keys))


def _title_block(block: TitleBlock, keys: Row) -> Iterator[Row]:
    """One row per field of the block, then one row per field that only the notes contain."""
    further = block.__pydantic_extra__ or {}
    confidences, evidence = (_dict(further.get(name)) for name in ("confidences", "evidence"))
    for field, value in block.fields.items():
        row = {**keys, "field": field, "value": value, "origin": "title_block", "sources": block.sources.get(field)}
        yield _add_typed(row, evidence.get(field), confidences.get(field, block.confidence), further.get("page"))
    for field, note in _dict(further.get("from_notes")).items():
        stated = _dict(note)
        if isinstance(stated.get("text"), str):
            row = {
                **keys,
                "field": field,
                "value": stated["text"],
                "origin": "notes",
                "sources": _texts(stated.get("sources")),
            }
            yield _add_typed(row, stated.get("evidence"), stated.get("confidence"), stated.get("page"))


def _add_typed(row: Row, evidence: Any, confidence: Any, page: Any) -> Row:
    """Add each value that has the type of its column; return the row."""
    if isinstance(evidence, str):
        row["evidence"] = evidence
    if is_number(confidence):
        row["confidence"] = float(confidence)
    if is_integer(page):
        row["page"] = page
    return row


def _cells(table: Table, keys: Row) -> Iterator[Row]:
    """One row per cell. A table that was joined from several tables has `parts`, which states the origin of each row."""
    places = {name: place for place, name in enumerate(table.columns, start=1)}
    for place, cells in enumerate(table.rows, start=1):
        table_no, page = _part(table, place - 1)
        for name, value in cells.items():
            row = {**keys, "table_no": table_no, "row_no": place, "column_name": name, "value": value}
            yield _add_typed({**row, "column_no": places.get(name)}, None, table.confidence, page)


def _part(table: Table, row: int) -> tuple[int, Any]:
    """The number (from 1) of the table on the sheet that contains a row, and the page of that table."""
    further = table.__pydantic_extra__ or {}
    parts = further.get("parts")
    for place, part in enumerate(parts if isinstance(parts, list) else (), start=1):
        origin = _dict(part)
        first, count = origin.get("first_row"), origin.get("rows")
        if isinstance(first, int) and isinstance(count, int) and first <= row < first + count:
            return place, origin.get("page")
    return 1, further.get("page")


def _notes(notes: Notes, keys: Row) -> Iterator[Row]:
    return (NOTES.row({**keys, "confidence": notes.confidence}, note) for note in notes.items)


def _add_diagram(rows: Rows, page: DiagramPage, keys: Row) -> None:
    rows["nodes"] += [NODES.row(keys, node) for node in page.nodes]
    rows["edges"] += [EDGES.row(keys, edge) for edge in page.edges]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str] | None:
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else None


def table_of(name: str, rows: list[Row]) -> pa.Table:
    """Rows of one table, in a stable sort by its columns of SORTED_BY."""
    return ordered(name, pa.Table.from_pylist(rows, schema=TABLES[name]))


def ordered(name: str, table: pa.Table) -> pa.Table:
    """The table in a stable sort by its columns of SORTED_BY."""
    order = SORTED_BY.get(name)
    return table.sort_by([(column, "ascending") for column in order]) if order else table
