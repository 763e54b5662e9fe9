"""What every task asks of its input, and what it names as unused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spatial.contract.responses import TASK_TYPES, ResponsesInput, TaskType
from spatial.errors import InputRejected
from spatial.reasoning.answer import Answer
from spatial.reasoning.inputs import TAKES, require_points
from spatial.reasoning.question import pose
from spatial.reasoning.route import route
from spatial.reasoning.solvers.registry import Solver
from tests.spatial.reasoning import clouds

SCENE = clouds.cloud_scene(a=clouds.sphere(1, count=30))


def warnings(task: TaskType, **members: Any) -> tuple[str, ...]:
    content = ResponsesInput.model_validate({"task_type": task, "point_cloud_scene": SCENE, **members})
    return route(pose(content), Solver(task, lambda _: Answer({}), goal_members=("height",))).warnings


@pytest.mark.requirement("inputs.unused")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_every_task_says_what_it_does_not_use(task: TaskType) -> None:
    found = " ".join(
        warnings(
            task, sensor_readings=[{}], previous_point_cloud_scene=SCENE, secondary_id="a", goal={"hight": 1, "seed": 2}
        )
    )
    takes = TAKES[task]
    assert ("1 sensor reading is not used" in found) is not takes.readings
    assert ("previous scene is not used" in found) is not takes.previous
    assert ("secondary_id is not used" in found) is not takes.secondary
    assert "1 member that the task does not use: hight" in found
    assert warnings(task, goal={"height": 3}) == ()


@pytest.mark.requirement("reasoning.neither-422")
@pytest.mark.parametrize("task", TASK_TYPES)
def test_no_task_works_without_a_scene(task: TaskType) -> None:
    with pytest.raises(
        InputRejected, match=f"the task {task} needs geometry|absent or empty; send one of them"
    ) as caught:
        route(pose(ResponsesInput(task_type=task)), Solver(task, lambda _: Answer({})))
    assert caught.value.details == {"field": "input" if TAKES[task].geometry else "input.cad_scene"}


@pytest.mark.requirement("inputs.moderate")
def test_coordinates_that_no_part_has_are_refused() -> None:
    far = clouds.cloud_scene(a=clouds.sphere(1, count=30) + np.array([2e12, 0, 0]))
    with pytest.raises(InputRejected, match="beyond 1e\\+12; send it"):
        warnings("predict", previous_point_cloud_scene=far)
    with pytest.raises(InputRejected, match="beyond 1e\\+12; send it"):
        warnings("fit", point_cloud_scene=clouds.cloud_scene(a=np.full((3, 3), -1e300)))


@pytest.mark.requirement("inputs.too-few-points")
def test_points_are_counted() -> None:
    question = pose(ResponsesInput.model_validate({"task_type": "fit", "point_cloud_scene": SCENE}))
    require_points(question.scene.find("a"), 30, "fit")
    with pytest.raises(InputRejected, match="has 30 points, and the task fit needs 31; send more"):
        require_points(question.scene.find("a"), 31, "fit")
