"""The document: what goes into it, its bytes, and its summary."""

from __future__ import annotations

import json
from math import inf, nan
from typing import Any

import pytest

from converter.child import SPECIMENS
from spatial.contract.drawing import Callout, DrawingMetadata
from spatial.contract.extraction import BoundingBox, CadExtraction, Face, Solid, Statistics, Structure
from spatial.contract.points import PointCloud, PointCloudScene
from spatial.contract.target import TargetContract
from spatial.contract.usage import Usage
from spatial.document.assemble import assemble, result_bytes
from spatial.document.summary import figure, summarise
from spatial.errors import InternalError
from spatial.models.reading import Meaning, Reading, Units
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import read_file

BOX = BoundingBox(min=(0, 0, 0), max=(10, 20, 30.5))
USAGE = Usage(input_tokens=3, output_tokens=4, estimated_cost_usd=0.5)


def reading(**changes: Any) -> Reading:
    sides = [Face(id=f"face-{place}", type="plane", area=1.5) for place in range(1, 4)]
    bores = [Face(id=f"face-{place}", type="torus") for place in range(4, 6)]
    solid = Solid(id="solid-1", name="Foot", bbox=BOX, volume=6100, surface_area=2230.26, faces=[*sides, *bores])
    told: dict[str, Any] = {
        "source_format": "step",
        "units": Units(name="inch", found="declared", source="LENGTH_UNIT"),
        "structure": Structure(kind="brep", solids=[solid]),
        "entity_counts": {"solids": 1, "faces": 5, "plane_faces": 3, "curves": 0},
        "bbox": BOX,
        "warnings": ["first", "second", "first"],
    }
    return Reading(**(told | changes))


def scene(*counts: int) -> PointCloudScene:
    rows = [[(0.5, float(place), 1e-7) for place in range(count)] for count in counts]
    return PointCloudScene(point_clouds=[PointCloud.of(f"solid-{n}", row) for n, row in enumerate(rows, start=1)])


def document(
    read: Reading | None = None,
    meaning: Meaning | None = None,
    clouds: PointCloudScene | None = None,
    target: TargetContract = TargetContract.both,
    plan: SamplingPlan | None = None,
) -> CadExtraction:
    return assemble(
        read or reading(),
        meaning or Meaning(),
        clouds,
        file_name="foot.step",
        target=target,
        request_id="req-1",
        plan=plan,
    )


def written(*args: Any, **kwargs: Any) -> dict[str, Any]:
    return dict(json.loads(result_bytes(document(*args, **kwargs)), parse_constant=pytest.fail))


@pytest.mark.requirement("target.structured", "extraction.points-by-target", "extraction.structure-by-target")
def test_structured_has_structure_and_no_points() -> None:
    found = written(clouds=scene(5), target=TargetContract.structured)
    assert "structure" in found and "point_cloud_scene" not in found
    assert found["statistics"]["total_points"] == 0


@pytest.mark.requirement("target.point-cloud-scene", "extraction.points-by-target")
def test_point_cloud_scene_has_points_and_no_structure() -> None:
    found = written(clouds=scene(5), target=TargetContract.point_cloud_scene)
    assert "structure" not in found and len(found["point_cloud_scene"]["point_clouds"]) == 1


@pytest.mark.requirement("target.both", "extraction.statistics")
def test_both_has_everything() -> None:
    found = written(clouds=scene(5, 7), target=TargetContract.both)
    assert "structure" in found and "point_cloud_scene" in found
    assert found["statistics"] == {
        "entity_counts": {"solids": 1, "faces": 5, "plane_faces": 3, "curves": 0},
        "total_points": 12,
        "bbox": {"min": [0, 0, 0], "max": [10, 20, 30.5]},
    }


@pytest.mark.requirement(
    "extraction.required",
    "extraction.units",
    "extraction.file-name",
    "extraction.target-contract",
    "document.units-evidence",
)
def test_units_come_with_their_evidence() -> None:
    found = written()
    assert found["schema"] == "cad.extraction.v1"
    assert (found["source_format"], found["file_name"], found["request_id"]) == ("step", "foot.step", "req-1")
    assert found["target_contract"] == "both"
    assert found["units"] == "inch"
    assert found["units_evidence"] == {"name": "inch", "found": "declared", "source": "LENGTH_UNIT"}


@pytest.mark.requirement("document.warnings-once", "extraction.warnings")
def test_warnings_are_there_once_in_the_order_of_the_stages() -> None:
    found = document(meaning=Meaning(warnings=["third", "second"]))
    assert found.warnings == ["first", "second", "third"]
    assert written(reading(warnings=[]))["warnings"] == []


@pytest.mark.requirement("document.meaning-merged")
def test_meaning_is_merged_into_structure() -> None:
    callout = Callout(id="c-1", type="thread", text="M6", source="dimension-1")
    meaning = Meaning(
        callouts=[callout],
        drawing_metadata=DrawingMetadata(),
        structure={"validity": {"valid": None}, "curves": [{"id": "curve-1", "type": "line"}]},
    )
    found = document(meaning=meaning)
    assert found.structure is not None
    assert found.structure.callouts == [callout]
    structure = written(meaning=meaning)["structure"]
    assert structure["validity"] == {"valid": None}
    assert structure["curves"] == [{"id": "curve-1", "type": "line"}]
    assert structure["drawing_metadata"] == {}
    assert len(structure["solids"]) == 1


@pytest.mark.requirement("document.meaning-merged")
def test_the_reading_is_not_changed() -> None:
    read = reading()
    before = read.model_dump_json()
    document(read, Meaning(structure={"validity": {"valid": True}}, warnings=["more"]))
    assert read.model_dump_json() == before


@pytest.mark.requirement("document.sampling")
def test_the_document_says_how_its_points_were_sampled() -> None:
    plan = SamplingPlan(points_per_object=5, points_total=100, seed=42)
    found = written(clouds=scene(5), plan=plan)
    assert found["sampling"] == {
        "points_per_object": 5,
        "points_total": 100,
        "seed": 42,
        "linear_deflection": 0.001,
        "angular_deflection": 0.3,
    }
    assert found["warnings"] == ["first", "second"]
    assert "sampling" not in written(clouds=scene(5), plan=plan, target=TargetContract.structured)


@pytest.mark.requirement("document.sampling")
def test_shared_points_are_warned_of() -> None:
    found = document(clouds=scene(9, 4), plan=SamplingPlan(points_per_object=9, points_total=13))
    assert (
        found.warnings[-1] == "2 objects share 13 points: each has at least 4 and larger ones more, instead of 9 each"
    )


@pytest.mark.requirement("document.sampling")
def test_solids_without_points_are_warned_of() -> None:
    structure = Structure(kind="brep", solids=[Solid(id=f"solid-{place}") for place in range(1, 15)])
    found = document(reading(structure=structure), clouds=scene(3))
    assert found.warnings[-1].startswith("there are no points on solid-2, solid-3")
    assert "solid-11 and 3 more: no face" in found.warnings[-1]


@pytest.mark.requirement("document.finite")
def test_a_number_that_is_not_finite_is_left_out_and_told() -> None:
    solid = Solid.model_construct(
        id="solid-1", volume=nan, faces=[], hull={"volume": inf, "points": [[0.0, nan], [1.0, 2.0]]}
    )
    structure = Structure.model_construct(kind="brep", solids=[solid])
    found = written(reading().model_copy(update={"structure": structure}))
    assert found["structure"]["solids"] == [{"id": "solid-1", "faces": [], "hull": {"points": [[1.0, 2.0]]}}]
    assert found["warnings"] == [
        "first",
        "second",
        "structure.solids[0].volume is not a finite number and was left out",
        "structure.solids[0].hull.volume is not a finite number and was left out",
        "structure.solids[0].hull.points[0] is not a finite number and was left out",
    ]


@pytest.mark.requirement("document.finite")
def test_the_list_of_such_warnings_is_bounded() -> None:
    found = written(meaning=Meaning(structure={"validity": {str(place): -inf for place in range(50)}}))
    assert found["structure"]["validity"] == {}
    assert found["warnings"][-1] == "30 more numbers are not finite and were left out"


@pytest.mark.requirement("document.finite")
def test_nulls_that_are_meant_stay() -> None:
    found = written(meaning=Meaning(structure={"validity": {"valid": None, "null": "null"}}))
    assert found["structure"]["validity"] == {"valid": None, "null": "null"}
    assert found["warnings"] == ["first", "second"]


@pytest.mark.requirement("document.finite")
def test_a_document_that_cannot_do_without_the_number_is_refused() -> None:
    broken = document().model_copy(
        update={"statistics": Statistics.model_construct(bbox=BoundingBox.model_construct(min=(nan, 0), max=(1, 1)))}
    )
    with pytest.raises(InternalError, match="must have is not finite"):
        result_bytes(broken)


@pytest.mark.requirement("document.records")
@pytest.mark.parametrize("name", ["svg.svg", "pdf.pdf", "dxf.dxf", "drawio.drawio", "png.png"])
def test_records_of_readers_are_what_the_models_of_the_contract_dump(name: str) -> None:
    steps = read_file((SPECIMENS / name).read_bytes(), name)
    target = TargetContract.structured
    found = assemble(steps.reading, steps.interpret(), None, file_name=name, target=target, request_id="req-1")
    body = result_bytes(found)
    validated = CadExtraction.model_validate_json(body)
    assert json.loads(result_bytes(validated)) == json.loads(body)
    assert validated.structure is not None
    models = [entity.model_dump(exclude_none=True) for entity in validated.structure.entities or ()]
    assert [list(entity) for entity in json.loads(body)["structure"].get("entities", [])] == [*map(list, models)]


@pytest.mark.requirement("document.usage-last", "metering.output-without-usage")
def test_usage_is_attached_to_the_bytes_and_to_nothing_else() -> None:
    body = result_bytes(document(clouds=scene(2)))
    assert b'"usage"' not in body
    assert result_bytes(document(clouds=scene(2)).model_copy(update={"usage": USAGE})) == body
    attached = USAGE.attached_to(body)
    assert attached[: len(body) - 1] == body[:-1]
    assert json.loads(attached) == json.loads(body) | {"usage": json.loads(USAGE.model_dump_json(exclude_none=True))}
    assert CadExtraction.model_validate_json(attached).usage == USAGE


@pytest.mark.requirement("extraction.absent-not-null")
def test_absent_members_are_left_out() -> None:
    body = result_bytes(document(reading(bbox=None), target=TargetContract.structured))
    assert b"null" not in body
    assert "bbox" not in json.loads(body)["statistics"]


@pytest.mark.requirement("document.summary")
def test_a_summary_is_readable() -> None:
    meaning = Meaning(
        structure={
            "validity": {"valid": False, "layers": [
                {"layer": "parsed", "status": "passed"},
                {"layer": "closed", "status": "failed", "detail": "4 free edges"},
            ]},
            "features": [{"id": "feature-1", "type": "sheet_metal", "solids": ["solid-1"], "faces": ["face-1"]}],
            "pmi": [
                {"id": f"pmi-{number}", "type": kind, "source": f"annotation-{number}"}
                for number, kind in enumerate(["gdt", "datum", "gdt"], start=1)
            ],
        }
    )  # fmt: skip
    assert summarise(document(meaning=meaning, clouds=scene(1200))) == [
        "foot.step: STEP, units inch (declared)",
        "overall size 10 × 20 × 30.5 in",
        "entities: solids 1, faces 5",
        "solid-1 Foot: 10 × 20 × 30.5 in, volume 6,100 in³, area 2,230.3 in², 5 faces (3 planes, 2 tori)",
        "1 feature (1 sheet metal)",
        "3 PMI items (2 gdt, 1 datum)",
        "1,200 points in 1 cloud (1 unknown)",
        "not valid (closed: 4 free edges)",
        "warning: first",
        "warning: second",
    ]


@pytest.mark.requirement("document.summary")
def test_a_long_document_has_a_short_summary() -> None:
    bolts = [Solid(id=f"solid-{place}", name="Bolt", instance_of="bolt") for place in range(1, 31)]
    others = [Solid(id=f"solid-{place}") for place in range(31, 61)]
    read = reading(structure=Structure(kind="brep", solids=[*bolts, *others]), warnings=[f"w{n}" for n in range(20)])
    lines = summarise(document(read, target=TargetContract.structured))
    assert lines[3] == "30 × solid-1 Bolt"
    assert "and 19 more definitions" in lines
    assert lines[-1] == "and 12 more warnings"


@pytest.mark.requirement("document.summary")
def test_a_summary_does_with_what_there_is() -> None:
    bare = CadExtraction(
        schema="cad.extraction.v1",
        source_format="dxf",
        units="furlong",
        statistics=Statistics(),
        warnings=[],
        request_id="r",
    )
    assert summarise(bare) == ["DXF, units furlong"]


@pytest.mark.requirement("document.summary")
def test_a_name_cannot_break_out_of_its_line() -> None:
    hostile = Solid(id="solid-1", name="a\n\x1b[2Jb\u202e" + "x" * 1000)
    lines = summarise(document(reading(structure=Structure(kind="brep", solids=[hostile]))))
    assert all(line.isprintable() and len(line) <= 400 for line in lines)
    assert any("solid-1 a  [2Jb x" in line for line in lines)


@pytest.mark.requirement("document.summary")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (94.00000001, "94"), (12.3456, "12.346"), (-1234.56, "-1,234.6"), (149178.916, "149,179"),
        (0.00123456, "0.0012346"), (1.2e-5, "1.2e-05"), (3e14, "3e+14"), (9.999999, "10"),
    ],
)  # fmt: skip
def test_figures_have_five_digits_that_count(value: float, text: str) -> None:
    assert figure(value) == text
