"""Answer one request's input: the only function that the worker's child calls."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from spatial.contract.responses import ResponsesInput
from spatial.counting import count_of
from spatial.reasoning.answer import express
from spatial.reasoning.log import log_step, recording
from spatial.reasoning.question import pose
from spatial.reasoning.route import Runtime, route
from spatial.reasoning.scene.model import Scene
from spatial.reasoning.solvers.registry import SOLVERS


@dataclass(frozen=True)
class Solved:
    """Output items, and where they came from."""

    output: list[dict[str, Any]]
    runtime: Runtime
    solver: str
    """Name and version, for example "fit-1"."""
    solve_ms: float


def solve(content: ResponsesInput) -> Solved:
    """Solve. Raises: InputRejected for input that the task cannot work with."""
    began = time.perf_counter()
    row = SOLVERS[content.task_type]
    with recording(content.detail == "debug") as lines:
        routed = route(pose(content))
        log_step(f"{_scene_in_words(routed.question.scene)}; the route is {routed.runtime}")
        answer = row.solve(routed.question)
    question = routed.question
    warnings = dict.fromkeys((*routed.warnings, *question.scene.warnings, *answer.warnings, *question.goal.unused()))
    answer = replace(answer, warnings=tuple(warnings))
    ids = {"object_id": content.object_id, "secondary_id": content.secondary_id}
    milliseconds = (time.perf_counter() - began) * 1000
    if content.detail == "debug":
        answer = replace(answer, debug={**answer.debug, "log": lines, "solve_ms": milliseconds})
    output = [express(answer, content.task_type, content.detail, ids)]
    return Solved(output, routed.runtime, f"{row.task}-{row.version}", milliseconds)


def _scene_in_words(scene: Scene) -> str:
    points = sum(len(each.points) for each in scene)
    return f"{count_of(len(scene), 'object')} with {count_of(points, 'point')}, unit {scene.units}"
