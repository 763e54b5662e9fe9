"""With a cad_scene, the answers of understand, describe and compare carry the scene (spec: ResponsesResponse)."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.contract.responses import ResponsesInput
from spatial.reasoning.solve import solve

SCENE: dict[str, Any] = {
    "schema": "cad.extraction.v1",
    "source_format": "step",
    "units": "millimeter",
    "structure": {"kind": "brep", "solids": [{"id": "solid-1", "bbox": {"min": [0, 0, 0], "max": [4, 2, 1]}}]},
    "statistics": {"entity_counts": {"solids": 1}, "total_points": 0},
    "warnings": [],
    "request_id": "req_1",
}


@pytest.mark.requirement("reasoning.cad-scene-output")
@pytest.mark.parametrize("task", ["understand", "describe", "compare"])
def test_the_scene_is_in_the_answer_with_absolute_bounds(task: str) -> None:
    asked = {"task_type": task, "cad_scene": SCENE} | ({"previous_cad_scene": SCENE} if task == "compare" else {})
    [item] = solve(ResponsesInput.model_validate(asked)).output
    [found] = item["data"]["cad_scene"]["objects"]
    assert found["id"] == "solid-1" and found["bounds"] == {"min": [0, 0, 0], "max": [4, 2, 1]}
    assert ("cad_scene_diff" in item["data"]) == (task == "compare")
