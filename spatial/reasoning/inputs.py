"""What each task takes from a request's input: refuse what is missing, and name what is not used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.contract.responses import TaskType
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Scene, SceneObject

COORDINATE_LIMIT: Final = 1e12
"""Largest coordinate, in any unit: a million kilometres in millimetres. The sixth power of larger ones, which moments need, loses its
digits against the size of any part."""

GOALS_NAMED: Final = 20
"""Maximum number of unknown members of `goal` that a warning lists."""


@dataclass(frozen=True)
class Takes:
    """What one task takes, besides the scene.

    geometry: the task cannot be answered without points, faces or an extent.
    """

    geometry: bool = True
    secondary: bool = False
    previous: bool = False
    readings: bool = False


TAKES: Final[Mapping[TaskType, Takes]] = {
    "fit": Takes(secondary=True),
    "stability": Takes(secondary=True),
    "placement": Takes(secondary=True),
    "embed": Takes(),
    "describe": Takes(geometry=False),
    "classify": Takes(geometry=False),
    "compare": Takes(geometry=False, secondary=True, previous=True),
    "understand": Takes(geometry=False),
    "reconstruct": Takes(),
    "predict": Takes(previous=True, readings=True),
    "act": Takes(secondary=True, readings=True),
    "optimize": Takes(secondary=True),
}


def require_scene(question: Question, takes_depth: bool) -> None:
    """Raises: InputRejected if the request has nothing that the task could work with, or coordinates beyond COORDINATE_LIMIT."""
    scene = question.scene
    if TAKES[question.task].geometry:
        if not has_geometry(scene):
            raise InputRejected(
                f"input: the task {question.task} needs geometry and got none; send {_remedy(takes_depth)}",
                details={"field": "input"},
            )
    elif scene.document is None and not len(scene):
        raise InputRejected(
            "input.cad_scene and input.point_cloud_scene are absent or empty; send one of them",
            details={"field": "input.cad_scene"},
        )
    for each in (scene, question.previous):
        for found in each or ():
            _require_moderate(found)


def has_geometry(scene: Scene) -> bool:
    """Whether any object has something to measure."""
    return any(found.has_geometry for found in scene)


def require_points(found: SceneObject, least: int, task: TaskType) -> None:
    """Raises: InputRejected if an object has fewer points than the task needs."""
    if len(found.points) < least:
        raise InputRejected(
            f"input: {found.id!r} has {count_of(len(found.points), 'point')}, and the task {task} needs {least}; send more points, "
            "for a cad_scene with target_contract both",
            details={"field": "input", "object_id": found.id, "points": len(found.points), "points_needed": least},
        )


def unused(question: Question, goal_members: Sequence[str] | None, uses_images: bool) -> Iterator[str]:
    """Warnings that name what the task does not use. goal_members: None if the solver does not declare them."""
    task, takes = question.task, TAKES[question.task]
    if question.images and not uses_images:
        yield f"{count_of(len(question.images), 'image is', 'images are')} not used by the task {task}"
    if question.sensor_readings and not takes.readings:
        yield f"{count_of(len(question.sensor_readings), 'sensor reading is', 'sensor readings are')} not used by the task {task}"
    if question.previous is not None and not takes.previous:
        yield f"the previous scene is not used by the task {task}"
    if question.secondary_id is not None and not takes.secondary:
        yield f"secondary_id is not used by the task {task}"
    if goal_members is not None:
        unknown = sorted(set(question.goal) - {*goal_members, "seed"})
        if unknown:
            named = ", ".join(name[:80] for name in unknown[:GOALS_NAMED])
            yield f"goal has {count_of(len(unknown), 'member that the task does', 'members that the task does')} not use: {named}"


def _require_moderate(found: SceneObject) -> None:
    beyond = (len(found.points) > 0 and float(np.abs(found.points).max()) > COORDINATE_LIMIT) or (
        found.bounds is not None and float(np.abs(found.bounds).max()) > COORDINATE_LIMIT
    )
    if beyond:
        raise InputRejected(
            f"input: {found.id!r} has coordinates beyond {COORDINATE_LIMIT:g}; send it in larger units or nearer to the origin",
            details={"field": "input", "object_id": found.id},
        )


def _remedy(takes_depth: bool) -> str:
    clouds = "a cad_scene with target_contract both or a point_cloud_scene"
    return f"{clouds}, or as image a depth map with intrinsics" if takes_depth else clouds
