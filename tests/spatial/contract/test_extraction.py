"""CadExtraction and its structure."""

from __future__ import annotations

import json
from typing import Any

import pytest

from spatial.contract import examples
from spatial.contract.extraction import SCHEMA, BoundingBox, CadExtraction, Face, Solid, Statistics, Structure
from spatial.contract.target import TargetContract
from spatial.contract.validation import check
from spatial.errors import InputRejected, InvalidRequest

LEAST: dict[str, Any] = {
    "schema": "cad.extraction.v1",
    "source_format": "step",
    "units": "inch",
    "statistics": {"entity_counts": {}, "total_points": 0},
    "warnings": [],
    "request_id": "req_1",
}


def written(document: CadExtraction) -> dict[str, Any]:
    """The document as a caller reads it."""
    read: dict[str, Any] = json.loads(document.model_dump_json(exclude_none=True))
    return read


def wrong_path(value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(CadExtraction, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


@pytest.mark.requirement("extraction.required")
@pytest.mark.parametrize("name", ["schema", "source_format", "units", "statistics", "warnings", "request_id"])
def test_each_required_member_is_missed_by_its_name(name: str) -> None:
    assert wrong_path({key: value for key, value in LEAST.items() if key != name}) == name


@pytest.mark.requirement("extraction.required", "extraction.warnings")
def test_the_least_document_is_valid_and_written_as_it_came() -> None:
    assert written(check(CadExtraction, LEAST)) == LEAST


@pytest.mark.requirement("extraction.schema-constant", "version.schema", "service.schema")
def test_schema_is_the_constant() -> None:
    assert SCHEMA == "cad.extraction.v1"
    assert CadExtraction.model_json_schema()["properties"]["schema"]["const"] == "cad.extraction.v1"
    assert wrong_path({**LEAST, "schema": "cad.extraction.v2"}) == "schema"


@pytest.mark.requirement("extraction.statistics")
def test_statistics_count_entities_and_points_in_a_box() -> None:
    document = check(CadExtraction, examples.EXTRACTION)
    assert document.statistics == Statistics(
        entity_counts={"solids": 1, "shells": 1, "faces": 4},
        total_points=1,
        bbox=BoundingBox(min=(-10.0, -10.0, 0.0), max=(10.0, 10.0, 15.0)),
    )


@pytest.mark.requirement("extraction.statistics", "contract.strict")
@pytest.mark.parametrize(
    ("statistics", "path"),
    [
        ({"entity_counts": {"solids": "1"}}, "statistics.entity_counts.solids"),
        ({"entity_counts": {"solids": 1.5}}, "statistics.entity_counts.solids"),
        ({"entity_counts": {"solids": True}}, "statistics.entity_counts.solids"),
        ({"entity_counts": {"solids": -1}}, "statistics.entity_counts.solids"),
        ({"total_points": "0"}, "statistics.total_points"),
        ({"bbox": {"min": [0, 0, 0]}}, "statistics.bbox.max"),
        ({"bbox": {"min": [0], "max": [1]}}, "statistics.bbox.min"),
        ({"bbox": {"min": [0, 0], "max": [1, 1, 1]}}, "statistics.bbox"),
        ({"bbox": {"min": [0, 2], "max": [1, 1]}}, "statistics.bbox"),
        ({"bbox": {"min": ["0", 0], "max": [1, 1]}}, "statistics.bbox.min.0"),
        ({"points": 0}, "statistics.points"),
    ],
)
def test_what_statistics_refuse(statistics: dict[str, Any], path: str) -> None:
    assert wrong_path({**LEAST, "statistics": statistics}) == path


@pytest.mark.requirement("extraction.open")
def test_additional_properties_are_kept_as_they_came() -> None:
    more = {**LEAST, "tenant": {"name": "acme", "tags": [1, None, "x"]}}
    assert written(check(CadExtraction, more)) == more


@pytest.mark.requirement("extraction.absent-not-null")
def test_absent_members_are_left_out() -> None:
    document = CadExtraction(
        schema="cad.extraction.v1",
        source_format="step",
        units="inch",
        structure=Structure(kind="brep", solids=[Solid(id="solid-1", faces=[Face(id="face-1", type="plane")])]),
        statistics=Statistics(),
        warnings=[],
        request_id="req_1",
        target_contract=TargetContract.structured,
    )
    assert written(document) == {
        **LEAST,
        "structure": {"kind": "brep", "solids": [{"id": "solid-1", "faces": [{"id": "face-1", "type": "plane"}]}]},
        "target_contract": "structured",
    }


@pytest.mark.requirement("structure.kind")
def test_structure_kinds() -> None:
    for kind in ("brep", "drawing2d", "diagram2d"):
        assert wrong_path({**LEAST, "structure": {"kind": kind}, "units": 1}) == "units"
    assert wrong_path({**LEAST, "structure": {"kind": "mesh"}}) == "structure.kind"
    assert wrong_path({**LEAST, "structure": {}}) == "structure.kind"


@pytest.mark.requirement("structure.members")
def test_structure_holds_the_members_of_the_spec_and_more() -> None:
    members = {
        "kind": "drawing2d",
        "solids": [{"id": "solid-1", "faces": []}],
        "layers": [{"name": "0", "color": 7}],
        "entities": [{"type": "LINE", "start": [0.0, 0.0], "end": [1.0, 1.0]}],
        "dimensions": [{"id": "d1", "text": "12.5", "value": 12.5}],
        "annotations": [{"id": "a1", "text": "BREAK EDGES", "position": [1.0, 2.0]}],
        "pages": [examples.DIAGRAM_PAGE],
        "callouts": [examples.CALLOUT],
        "drawing_metadata": examples.DRAWING_METADATA,
        "validity": {"closed": True},
    }
    assert written(check(CadExtraction, {**LEAST, "structure": members})) == {**LEAST, "structure": members}


@pytest.mark.requirement("contract.solids-numbered")
def test_a_cad_scene_by_hand_need_not_number_its_solids() -> None:
    box = {"min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 1.0]}
    faces = [{"type": "plane"}, {"id": "top"}]
    structure = check(Structure, {"kind": "brep", "solids": [{"bbox": box, "faces": faces}, {"id": "lid"}, {}]})
    assert structure.solids is not None
    assert [solid.id for solid in structure.solids] == ["solid-1", "lid", "solid-3"]
    assert [face.id for face in structure.solids[0].faces] == ["face-1", "top"]


@pytest.mark.requirement("structure.members", "contract.strict")
@pytest.mark.parametrize(
    ("solid", "path"),
    [
        ({"volume": "1"}, "solids.0.volume"),
        ({"center_of_mass": [0, 0]}, "solids.0.center_of_mass.2"),
        ({"transform": [1.0] * 16}, "solids.0.transform"),
        ({"faces": {}}, "solids.0.faces"),
        ({"faces": [5]}, "solids.0.faces.0"),
        ({"faces": [{"radius": None, "axis": [0, 0, "1"]}]}, "solids.0.faces.0.axis.2"),
    ],
)
def test_what_a_solid_refuses(solid: dict[str, Any], path: str) -> None:
    assert wrong_path({**LEAST, "structure": {"kind": "brep", "solids": [solid]}}) == f"structure.{path}"


@pytest.mark.requirement("contract.strict")
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_no_number_is_infinite_or_none(value: float) -> None:
    solids = [{"id": "solid-1", "volume": value}]
    with pytest.raises(InputRejected, match=r"^structure\.solids\.0\.volume: "):
        check(CadExtraction, {**LEAST, "structure": {"kind": "brep", "solids": solids}})
