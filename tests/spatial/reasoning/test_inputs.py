"""What every task asks of its input, and what it names as unused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spatial.contract.models import PREVIOUS_TASKS, READING_TASKS
from spatial.contract.responses import TASK_TYPES, ResponsesInput, TaskType
from spatial.errors import InputRejected
from spatial.reasoning.inputs import require_points
from spatial.reasoning.question import pose
from spatial.reasoning.route import route
from spatial.reasoning.solve import solve
from spatial.reasoning.takes import TAKES
from tests.spatial.reasoning import asked, clouds

DOCS = Path(__file__).parents[3] / "docs" / "reasoning"
BOX = np.array([[x, y, z] for x in (-1.0, 0, 1) for y in (-1.0, 0, 1) for z in (-1.0, 0, 1) if (x, y, z) != (0, 0, 0)])
SCENE = clouds.cloud_scene(a=clouds.sphere(1, count=30))


def warnings(task: TaskType, **members: Any) -> tuple[str, ...]:
    content = ResponsesInput.model_validate({"task_type": task, "point_cloud_scene": SCENE, **members})
    question = pose(content)
    return (*route(question).warnings, *question.goal.unused())


@pytest.mark.requirement("inputs.too-few-points")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_point_clouds_without_points_are_refused_by_every_task(task: TaskType) -> None:
    empty = {"point_clouds": [{"object_id": "a", "points": []}]}
    with pytest.raises(InputRejected, match=r"have no points|needs geometry and got none"):
        solve(ResponsesInput.model_validate({"task_type": task, "point_cloud_scene": empty}))


@pytest.mark.requirement("inputs.unused")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_every_task_says_what_it_does_not_use(task: TaskType) -> None:
    found = " ".join(
        warnings(
            task, sensor_readings=[{}], previous_point_cloud_scene=SCENE, secondary_id="a", goal={"hight": 1, "seed": 2}
        )
    )
    takes = TAKES[task]
    assert ("1 sensor reading is not used" in found) is (task not in READING_TASKS)
    assert ("previous scene is not used" in found) is (task not in PREVIOUS_TASKS)
    assert ("secondary_id is not used" in found) is not takes.secondary
    assert "1 member that the task does not use: hight" in found
    assert warnings(task, goal=dict.fromkeys(takes.goal, 1)) == ()


@pytest.mark.requirement("inputs.unused")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_the_page_of_a_task_names_what_it_reads_of_the_goal(task: TaskType) -> None:
    page = (DOCS / f"{task}.md").read_text()
    named = {name.split(".")[0] for name in re.findall(r"`goal\.([a-z_.]+)`", page)}
    assert named - {"seed"} == set(TAKES[task].goal)


@pytest.mark.requirement("reasoning.neither-422")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_no_task_works_without_a_scene(task: TaskType) -> None:
    with pytest.raises(
        InputRejected, match=f"the task {task} needs geometry|absent or empty; send one of them"
    ) as caught:
        route(pose(ResponsesInput(task_type=task)))
    assert caught.value.details == {"field": "input" if TAKES[task].geometry else "input.cad_scene"}


@pytest.mark.requirement("inputs.moderate")
def test_coordinates_that_no_part_has_are_refused() -> None:
    far = clouds.cloud_scene(a=clouds.sphere(1, count=30) + np.array([2e12, 0, 0]))
    with pytest.raises(InputRejected, match="beyond 1e\\+12; send it"):
        warnings("predict", previous_point_cloud_scene=far)
    with pytest.raises(InputRejected, match="beyond 1e\\+12; send it"):
        warnings("fit", point_cloud_scene=clouds.cloud_scene(a=np.full((3, 3), -1e300)))


@pytest.mark.requirement("inputs.unknown-id")
@pytest.mark.parametrize("task", TASK_TYPES)
@pytest.mark.parametrize("member", ["object_id", "secondary_id"])
def test_an_unknown_id_is_refused_by_every_task_and_the_known_ones_are_named(task: TaskType, member: str) -> None:
    with pytest.raises(InputRejected, match="no object 'zz'") as caught:
        warnings(task, **{member: "zz"})
    assert (caught.value.details or {})["known_ids"] == ["a"]


@pytest.mark.requirement("inputs.too-few-points")
def test_points_are_counted() -> None:
    question = pose(ResponsesInput.model_validate({"task_type": "fit", "point_cloud_scene": SCENE}))
    require_points(question.scene.find("a"), 30, "fit")
    with pytest.raises(InputRejected, match="has 30 points, and the task fit needs 31; send more"):
        require_points(question.scene.find("a"), 31, "fit")


@pytest.mark.requirement("responses.solver-log")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_debug_has_the_log_of_the_solver_and_other_details_have_none(task: TaskType) -> None:
    scene = {"crate": BOX, "table": BOX * [9, 9, 1] - np.array([0, 0, 2])}
    members: dict[str, Any] = {"units": "millimeter"} if task in ("act", "predict") else {}
    members |= {"objective": "footprint"} if task == "optimize" else {}
    asked_for: dict[str, Any] = {"object_id": "crate"} if task in ("act", "fit", "placement") else {}
    asked_for |= {"secondary_id": "table"} if task in ("fit", "placement") else {}
    if task == "compare":
        asked_for["previous_point_cloud_scene"] = asked.point_scene(scene)
    found = asked.ask(task, scene, members, detail="debug", **asked_for)
    log = found["debug"]["log"]
    assert len(log) >= 2, "the scene, and what the solver did"
    assert "2 objects" in log[0]["text"] and all(line["text"] for line in log)
    assert [line["ms"] for line in log] == sorted(line["ms"] for line in log)
    assert "debug" not in asked.ask(task, scene, members, **asked_for)
