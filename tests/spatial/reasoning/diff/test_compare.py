"""The task as a whole: its members, and what it cannot compare."""

from __future__ import annotations

import pytest

from spatial.contract.responses import ResponsesInput
from spatial.errors import InputRejected
from spatial.reasoning.solve import solve
from tests.spatial.diagrams import edge, vertex
from tests.spatial.reasoning.diff.revisions import compared, diagram, drawing

BEFORE = diagram(vertex("a", value="A"), vertex("b", (90, 0, 40, 20), "B"), edge("e", "a", "b"))
AFTER = diagram(vertex("a", value="A"), vertex("b", (90, 0, 40, 20), "C"), edge("e", "a", "b"))


@pytest.mark.requirement("reasoning.compare-diff")
@pytest.mark.requirement("compare.shape")
def test_an_answer_has_verdict_scene_difference_and_proof() -> None:
    found = compared(BEFORE, AFTER)
    assert found["type"] == "compare"
    assert found["verdict"] == "changed"
    assert found["data"]["cad_scene"]["kind"] == "diagram2d"
    diff = found["data"]["cad_scene_diff"]
    assert diff["verdict"] == "changed"
    assert diff["statements"] == ["node 'B' was renamed to 'C'"]
    assert diff["nodes"]["unchanged"] == 1
    assert diff["edges"] == {"unchanged": 1}
    assert set(found["proof"]) == {"alignment", "matching"}
    lowest = found["proof"]["matching"]["nodes"]["lowest"]
    assert [row["current"] for row in lowest] == ["b", "a"]
    assert lowest[0]["score"] < lowest[1]["score"] == 1


@pytest.mark.requirement("compare.shape")
def test_the_compact_answer_has_no_proof() -> None:
    found = compared(BEFORE, AFTER, detail="compact")
    assert "proof" not in found
    assert "cad_scene_diff" in found["data"]


@pytest.mark.requirement("compare.previous-missing")
def test_without_a_previous_scene_the_request_says_what_to_send() -> None:
    with pytest.raises(
        InputRejected, match="previous_cad_scene is missing; send the earlier extraction there"
    ) as error:
        solve(ResponsesInput(task_type="compare", cad_scene=AFTER))
    assert error.value.details == {"field": "input.previous_cad_scene"}


@pytest.mark.requirement("compare.previous-missing")
def test_without_any_scene_the_request_is_rejected() -> None:
    with pytest.raises(InputRejected, match="send one of them"):
        solve(ResponsesInput(task_type="compare"))


@pytest.mark.requirement("compare.kinds-differ")
def test_scenes_of_two_kinds_are_unknown_with_the_reason() -> None:
    found = compared(BEFORE, drawing(lambda space, file: None))
    assert found["verdict"] == "unknown"
    assert found["reason"] == (
        "the previous scene is a diagram and the current one a drawing; send two scenes of one kind, or two with point clouds"
    )
    assert "cad_scene" in found["data"] and "cad_scene_diff" not in found["data"]


@pytest.mark.requirement("compare.nothing")
def test_the_same_question_has_the_same_answer() -> None:
    assert compared(BEFORE, AFTER) == compared(BEFORE, AFTER)
