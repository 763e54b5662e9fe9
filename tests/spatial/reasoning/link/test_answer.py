"""The answer of compare on a drawing and a model: members, detail levels, units, and the bundled pair."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from examples import make_plate
from spatial.contract.drawing import Sheet
from spatial.contract.extraction import CadExtraction
from spatial.contract.responses import Detail, ResponsesInput
from spatial.reasoning.link.link import link
from spatial.reasoning.link.report import statements
from spatial.reasoning.solve import solve
from tests.spatial.reasoning.diff.revisions import compared, document, step
from tests.spatial.reasoning.link.plates import Group, Plate, Style, changed, drawing, model

PLATE = Plate(4, 3, 12.0, (Group(6.6, 4), Group(4.5, 2, 8.0)))


@pytest.fixture(scope="module")
def solid() -> CadExtraction:
    return model(PLATE, random.Random(5))


@pytest.mark.requirement("link.answer")
def test_either_scene_may_be_the_drawing(solid: CadExtraction) -> None:
    sheet = drawing(PLATE)
    first, second = compared(solid, sheet), compared(sheet, solid)
    assert first["verdict"] == second["verdict"] == "agrees"
    assert first["data"]["link"].pop("drawing") == "cad_scene"
    assert second["data"]["link"].pop("drawing") == "previous_cad_scene"
    assert first["data"]["link"] == second["data"]["link"]
    assert first["data"]["cad_scene"]["kind"] == "drawing2d" and "cad_scene_diff" not in first["data"]


@pytest.mark.requirement("link.answer")
def test_rows_name_callouts_features_sizes_and_places_in_the_unit_of_the_drawing(solid: CadExtraction) -> None:
    found = compared(solid, drawing(changed(PLATE, 0, diameter=7.0), Style(inch=True)))["data"]["link"]
    assert found["verdict"] == "contradicts"
    assert found["unit"] == {"name": "inch", "found": "document"}
    assert found["summary"] == {
        "requests": 5,
        "bound": 5,
        "contradictions": 1,
        "missing": 0,
        "undrawn": 0,
        "not_compared": 0,
    }
    row = found["bound"][0]
    assert row["callouts"] == ["callout-1"] and row["page"] == 1 and len(row["position"]) == 2
    assert row["type"] == "hole" and row["unit"] == "inch" and len(row["features"]) == 4
    assert row["asked"]["quantity"] == 4 and row["asked"]["diameter"] == pytest.approx(0.2756)
    (difference,) = row["differences"]
    assert difference["what"] == "diameter" and difference["unit"] == "inch" and len(difference["position"]) == 3
    assert difference["deviation"] == pytest.approx(6.6 / 25.4 - 0.2756)
    assert "asks a diameter of Ø0.2756 in, but" in found["statements"][0]
    assert "have Ø0.2598 in, 0.0158 in less" in found["statements"][0]
    assert 0.0 < row["score"] < 0.7


@pytest.mark.requirement("link.answer")
@pytest.mark.parametrize(
    ("detail", "members"), [("compact", set()), ("standard", {"proof"}), ("debug", {"proof", "debug"})]
)
def test_each_level_of_detail_has_its_members(solid: CadExtraction, detail: Detail, members: set[str]) -> None:
    found = compared(solid, drawing(PLATE), detail=detail)
    assert {"proof", "debug"} & set(found) == members
    assert len(found["data"]["link"]["bound"]) == 5
    if "proof" in members:
        assert found["proof"]["matching"]["pairs"] == 5
    if "debug" in members:
        assert found["debug"]["extents"] == pytest.approx([12.0, 90.0, 120.0])
        assert {each["kind"] for each in found["debug"]["requests"]} == {"hole", "overall"}


@pytest.mark.requirement("link.answer")
def test_an_answer_is_plain_json_and_always_the_same(solid: CadExtraction) -> None:
    sheet = drawing(changed(PLATE, 1, depth=9.0))
    answers = [json.dumps(compared(solid, sheet), sort_keys=True) for _ in range(2)]
    assert answers[0] == answers[1]


@pytest.mark.requirement("link.units")
@pytest.mark.parametrize("is_inch", [False, True])
def test_a_drawing_without_a_unit_is_read_as_the_model_tells(solid: CadExtraction, is_inch: bool) -> None:
    sheet = _without_unit(drawing(PLATE, Style(inch=is_inch)))
    found = link(sheet, solid)
    assert (found.unit, found.unit_found) == ("inch" if is_inch else "millimeter", "bound")
    assert found.verdict == "agrees", statements(found)


@pytest.mark.requirement("link.units")
def test_where_the_model_does_not_tell_the_unit_either_the_reason_says_what_to_do(solid: CadExtraction) -> None:
    other = Plate(4, 3, 17.0, (Group(2.1, 4),), length=431.0, width=377.0)
    found = link(_without_unit(drawing(other)), solid)
    assert found.verdict == "unknown"
    assert found.reason is not None and "state the unit on the sheet" in found.reason


@pytest.mark.requirement("link.units")
@pytest.mark.parametrize(
    ("per_point", "unit"), [(25.4 / 72, "millimeter"), (25.4 / 72 * 2.5, "millimeter"), (1 / 36, "inch"), (0.3, None)]
)
def test_the_scale_of_the_views_tells_the_unit_where_the_model_does_not(
    solid: CadExtraction, per_point: float, unit: str | None
) -> None:
    """Views at 1:1 and 1:2.5 in millimetres, at 1:2 in inches, and at no preferred scale."""
    other = _without_unit(drawing(Plate(4, 3, 17.0, (Group(2.1, 4),), length=431.0, width=377.0)))
    agreed = {"value": round(per_point, 6), "spread": 0.0002, "dimensions": 6, "of": 7}
    sheet = Sheet.model_validate({"page": 1, "kind": "page", "unit": "point", "printed_per_unit": agreed})
    assert other.structure is not None
    found = link(other.model_copy(update={"structure": other.structure.model_copy(update={"sheets": [sheet]})}), solid)
    assert (found.unit, found.unit_found) == (unit, "scale" if unit else "stated")


@pytest.mark.requirement("link.units")
def test_a_model_without_a_unit_of_length_is_unknown(solid: CadExtraction) -> None:
    found = link(drawing(PLATE), solid.model_copy(update={"units": "unknown"}))
    assert found.verdict == "unknown"
    assert found.reason is not None and "export it with a unit of length" in found.reason


@pytest.mark.requirement("link.example")
def test_the_bundled_pair_has_the_one_contradiction_that_was_planted() -> None:
    sheet, body = (document(Path("examples", name).read_bytes(), name) for name in ("plate.dxf", "plate.step"))
    found = solve(ResponsesInput(task_type="compare", cad_scene=sheet, previous_cad_scene=body)).output[0]
    assert found["verdict"] == "contradicts"
    (line,) = found["data"]["link"]["statements"]
    assert "asks a counterbore depth of 6.8 mm" in line and line.endswith("have 6 mm, 0.8 mm less")
    assert found["data"]["link"]["summary"]["bound"] == 9


@pytest.mark.requirement("link.example")
def test_the_bundled_pair_is_what_its_script_makes() -> None:
    made = document(step(make_plate.plate()), "plate.step").structure
    bundled = document(Path("examples/plate.step").read_bytes(), "plate.step").structure
    assert made is not None and bundled is not None
    assert [each.type for each in made.features or ()] == [each.type for each in bundled.features or ()]
    drawn = [
        _written(document(data, "plate.dxf")) for data in (make_plate.sheet(), Path("examples/plate.dxf").read_bytes())
    ]
    assert drawn[0] == drawn[1]


def _written(found: CadExtraction) -> list[dict[str, Any]]:
    assert found.structure is not None
    return [each.model_dump() for each in found.structure.callouts or ()]


def _without_unit(found: CadExtraction) -> CadExtraction:
    """The same as of a PDF that names no unit: its callouts have none, and its coordinates are on paper."""
    data = found.model_dump(by_alias=True, exclude_none=True)
    data["units"] = "point"
    for callout in data["structure"]["callouts"]:
        callout.pop("unit", None)
    return CadExtraction.model_validate(data)
