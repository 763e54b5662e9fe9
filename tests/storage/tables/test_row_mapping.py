"""Rows of tables: everything the document says, once, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.extraction import CadExtraction
from storage.tables.row_mapping import IDENTITY, TABLES, rows_of, table_of
from storage.tables.schemas import SORTED_BY
from tests.storage.tables_lake import BUNDLED, document

KEYS = {"document_id": "content", "extraction_id": "reading"}

JSON_COLUMNS = {"datums", "attributes", "waypoints"}

VECTORS = {
    "callouts": {"position": "x y z"},
    "annotations": {"position": "x y z"},
    "dimensions": {"position": "x y z"},
    "entities": {
        "position": "x y z",
        "start": "start_x start_y start_z",
        "end": "end_x end_y end_z",
        "center": "center_x center_y center_z",
    },
    "faces": {
        "origin": "origin_x origin_y origin_z",
        "axis": "axis_x axis_y axis_z",
        "normal": "normal_x normal_y normal_z",
    },
    "solids": {"center_of_mass": "center_x center_y center_z"},
    "nodes": {"center": "center_x center_y"},
    "edges": {},
}
"""Table to member to the columns of its coordinates."""

RENAMED = {
    "callouts": {"id": "callout_id"},
    "annotations": {"id": "annotation_id"},
    "dimensions": {"id": "dimension_id"},
    "entities": {"id": "entity_id", "insert": "insert_id", "width": "line_width"},
    "faces": {"id": "face_id"},
    "solids": {"id": "solid_id"},
    "nodes": {"id": "node_id"},
    "edges": {"id": "edge_id"},
}

LEFT_OUT = {"solids": {"faces", "shells", "bbox"}, "nodes": {"children", "bbox"}}
"""Members that other rows or columns say; their tests are below."""


def tabled(found: CadExtraction) -> dict[str, list[dict[str, Any]]]:
    """The rows of a document, as a reader of the Parquet objects has them."""
    rows = rows_of(found, document_id="content", extraction_id="reading")
    assert all(rows.values()), "tables without rows are left out"
    return {name: table_of(name, those).to_pylist() for name, those in rows.items()}


def said(table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """The thing that a row was made of."""
    rest = json.loads(row["geometry" if table == "entities" else "details"] or "{}")
    names = {column: member for member, column in RENAMED[table].items()}
    thing = dict(rest)
    taken = {
        "document_id",
        "extraction_id",
        "units",
        "solid_id",
        "shell_id",
        "page_id",
        "page_name",
        "details",
        "geometry",
    }
    taken = (taken - set(names)) | ({"page"} if table in {"nodes", "edges"} else set()) | {"faces"}
    for member, columns in VECTORS[table].items():
        numbers = [row[column] for column in columns.split()]
        taken |= set(columns.split())
        if numbers[0] is not None:
            thing[member] = [number for number in numbers if number is not None]
    for column, value in row.items():
        if column not in taken and value is not None:
            thing[names.get(column, column)] = json.loads(value) if column in JSON_COLUMNS else value
    return {
        name: value
        for name, value in thing.items()
        if name not in {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z"}
    }


def told(table: str, thing: Any) -> dict[str, Any]:
    """The thing as the document has it; a member without a value is the same as none, and so is an empty list of JSON."""
    members = json.loads(thing.model_dump_json(exclude_none=True))
    return {
        name: value
        for name, value in members.items()
        if value is not None
        and name not in LEFT_OUT.get(table, ())
        and not (name in JSON_COLUMNS and value in ([], {}, ""))
    }


def same(table: str, rows: list[dict[str, Any]], things: list[Any]) -> None:
    """The rows say what the things say, each once."""
    found = [said(table, row) for row in rows]
    if table == "nodes":
        found = [
            {name: value for name, value in one.items() if name not in {"x", "y", "width", "height"}} for one in found
        ]
    assert sorted(map(canonical, found)) == sorted(canonical(told(table, thing)) for thing in things)


def canonical(thing: Any) -> str:
    """Equal things have equal texts: 5 is 5.0."""
    if isinstance(thing, dict):
        return "{" + ",".join(f"{name!r}:{canonical(thing[name])}" for name in sorted(thing)) + "}"
    if isinstance(thing, list):
        return "[" + ",".join(map(canonical, thing)) + "]"
    if isinstance(thing, int | float) and not isinstance(thing, bool) and abs(thing) <= 2**53:
        return repr(float(thing) + 0.0)
    return repr(thing)


@pytest.mark.requirement("tables.every-fact-once")
@pytest.mark.parametrize("path", BUNDLED)
def test_a_documents_rows_say_what_it_says(path: str) -> None:
    found = document(path)
    rows, structure = tabled(found), found.structure
    assert structure is not None
    of_bodies = [face for solid in structure.solids or () for face in solid.faces]
    same("faces", rows.get("faces", []), of_bodies)
    same("solids", rows.get("solids", []), list(structure.solids or ()))
    for table in ("entities", "dimensions", "callouts", "annotations"):
        same(table, rows.get(table, []), list(getattr(structure, table) or ()))
    for table in ("nodes", "edges"):
        same(table, rows.get(table, []), [one for page in structure.pages or () for one in getattr(page, table)])
    assert [row["text"] for row in rows.get("warnings", [])] == found.warnings
    for row, solid in zip(rows.get("solids", []), structure.solids or (), strict=True):
        assert solid.bbox is not None
        assert tuple(row[f"min_{axis}"] for axis in "xyz") == solid.bbox.min
        assert tuple(row[f"max_{axis}"] for axis in "xyz") == solid.bbox.max


@pytest.mark.requirement("tables.every-fact-once")
def test_what_a_sheet_says_of_itself_is_rows() -> None:
    found = document("examples/sheet.pdf")
    assert found.structure is not None and found.structure.drawing_metadata is not None
    rows, block = tabled(found), found.structure.drawing_metadata.title_block
    assert block is not None and block.model_extra is not None
    printed = {row["field"]: row for row in rows["title_blocks"] if row["origin"] == "title_block"}
    assert {field: row["value"] for field, row in printed.items()} == block.fields
    assert {field: row["sources"] for field, row in printed.items()} == block.sources
    assert printed["title"]["confidence"] == block.model_extra["confidences"]["title"]
    [about] = rows["documents"]
    assert about["title"] == block.fields["title"]
    assert about["callouts"] == len(rows["callouts"])
    assert about["nodes"] == 0


@pytest.mark.requirement("tables.every-fact-once")
def test_cells_of_tables_are_rows() -> None:
    table = {
        "columns": ["ITEM", "NAME"],
        "rows": [{"ITEM": "1", "NAME": "axis"}, {"ITEM": "2"}, {"ITEM": "1"}],
        "confidence": 0.5,
    }
    parts = [{"first_row": 0, "rows": 2, "page": 1}, {"first_row": 2, "rows": 1, "page": 3}]
    rows = tabled(made({"drawing_metadata": {"bom": {**table, "parts": parts}, "revisions": table}}))
    cells = [
        (row["table_no"], row["row_no"], row["column_no"], row["column_name"], row["value"], row["page"])
        for row in rows["bom_rows"]
    ]
    assert sorted(cells) == [
        (1, 1, 1, "ITEM", "1", 1),
        (1, 1, 2, "NAME", "axis", 1),
        (1, 2, 1, "ITEM", "2", 1),
        (2, 3, 1, "ITEM", "1", 3),
    ]
    assert {(row["table_no"], row["page"], row["confidence"]) for row in rows["revisions"]} == {(1, None, 0.5)}


@pytest.mark.requirement("tables.every-fact-once")
def test_faces_of_shells_and_free_faces_say_where_they_are() -> None:
    face = {"id": "f", "type": "plane"}
    shell = {"id": "s", "faces": [face]}
    rows = tabled(
        made(
            {"solids": [{"id": "b", "faces": [face], "shells": [shell]}], "shells": [shell], "free_faces": [face]},
            "brep",
        )
    )
    assert {(row["solid_id"], row["shell_id"]) for row in rows["faces"]} == {
        ("b", None),
        ("b", "s"),
        (None, "s"),
        (None, None),
    }
    assert [row["faces"] for row in rows["solids"]] == [2]


@pytest.mark.requirement("tables.nothing-invented")
def test_what_is_not_said_is_null() -> None:
    [row] = tabled(made({"callouts": [{"id": "c", "type": "hole", "text": "Ø5", "source": "a"}]}))["callouts"]
    assert {name: value for name, value in row.items() if value is not None} == {
        **KEYS, "callout_id": "c", "type": "hole", "text": "Ø5", "source": "a",
    }  # fmt: skip
    [bare] = tabled(made(None))["documents"]
    assert {name: value for name, value in bare.items() if value is not None} == {
        **KEYS, "format": "dxf", "units": "millimeter", "mm_per_unit": 1.0, "warnings": 0, "partial": False,
    }  # fmt: skip


@pytest.mark.requirement("tables.schemas")
def test_every_table_says_whose_its_rows_are() -> None:
    for name, schema in TABLES.items():
        assert IDENTITY[name] in schema.names
        assert "document_id" in schema.names
        assert "ingest_date" not in schema.names, "it is in the key"
        assert set(SORTED_BY.get(name, ())) <= set(schema.names)


def made(structure: dict[str, Any] | None, kind: str = "drawing2d") -> CadExtraction:
    """A document."""
    body = {
        "schema": "cad.extraction.v1",
        "source_format": "dxf",
        "units": "millimeter",
        "statistics": {},
        "warnings": [],
        "request_id": "r",
    }
    return CadExtraction.model_validate(
        body | ({"structure": {"kind": kind, **structure}} if structure is not None else {})
    )


# What a document may say, though no reader of ours ever does: members of any kind, under names that have a column and under others.

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=5,
)
_NUMBERS = st.floats(-1e9, 1e9)
_PLACED = ("start", "end", "center", "position", "radius", "page", "closed", "points", "width", "insert", "visible")
_POSITIONS = st.lists(_NUMBERS, min_size=2, max_size=3)
_CALLOUTS = st.fixed_dictionaries(
    {
        "id": st.text(max_size=5),
        "type": st.sampled_from(("hole", "thread", "gdt")),
        "text": st.text(),
        "source": st.text(max_size=5),
    },
    optional={
        "quantity": st.integers(1, 2**62),
        "through": st.booleans(),
        "depth": _NUMBERS,
        "position": _POSITIONS,
        "page": st.integers(1, 9),
        "sources": st.lists(st.text(max_size=3), max_size=3),
        "confidence": st.floats(0, 1),
        **dict.fromkeys(
            ("nominal", "pitch", "unit", "class", "datums", "min", "starts", "value", "hand", "whatever", "mended"),
            _VALUES,
        ),
    },
)
_ENTITIES = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=5),
        "type": st.sampled_from(("line", "circle")),
        **dict.fromkeys(
            ("start", "end", "center", "position", "radius", "page", "closed", "points", "width", "insert", "visible"),
            _VALUES | _POSITIONS | _NUMBERS,
        ),
    },
)
_FACES = st.fixed_dictionaries(
    {"id": st.text(max_size=5)},
    optional={
        "area": _NUMBERS,
        "axis": st.lists(_NUMBERS, min_size=3, max_size=3),
        "radius": _NUMBERS,
        "holes": _VALUES,
    },
)


@pytest.mark.requirement("tables.every-fact-once", "tables.nothing-invented", "tables.schemas")
@settings(max_examples=60)
@given(st.lists(_CALLOUTS, max_size=4), st.lists(_ENTITIES, max_size=4), st.lists(_FACES, max_size=3))
def test_whatever_a_document_says_is_in_its_rows(callouts: list[Any], entities: list[Any], faces: list[Any]) -> None:
    found = made({"callouts": callouts, "entities": entities, "free_faces": faces})
    rows, structure = tabled(found), found.structure
    assert structure is not None
    same("callouts", rows.get("callouts", []), list(structure.callouts or ()))
    same("entities", rows.get("entities", []), list(structure.entities or ()))
    same("faces", rows.get("faces", []), list(structure.free_faces or ()))
