"""What each task takes from a request's input: refuse what is missing, and name what is not used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.contract.models import DEPTH_TASKS, PREVIOUS_TASKS, READING_TASKS
from spatial.contract.responses import TaskType
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.takes import TAKES

COORDINATE_LIMIT: Final = 1e12
"""Largest coordinate, in any unit: a million kilometres in millimetres. The sixth power of larger ones, which moments need, loses its
digits against the size of any part."""


SIZE_LIMIT: Final = 1e-12
"""Smallest extent of an object that is larger than a point, in any unit: below, squares and cubes of lengths vanish."""


def require_scene(question: Question) -> None:
    """Raises: InputRejected if the request has nothing that the task could work with, or is beyond COORDINATE_LIMIT or below SIZE_LIMIT."""
    scene = question.scene
    if TAKES[question.task].geometry:
        if not has_geometry(scene):
            raise InputRejected(
                f"input: the task {question.task} needs geometry and got none; send {_remedy(question.task)}",
                details={"field": "input"},
            )
    elif scene.document is None and not len(scene):
        raise InputRejected(
            "input.cad_scene and input.point_cloud_scene are absent or empty; send one of them",
            details={"field": "input.cad_scene"},
        )
    elif scene.document is None and not has_geometry(scene):
        raise InputRejected(
            f"input.point_cloud_scene: its point clouds have no points, too few for the task {question.task}; send points",
            details={"field": "input.point_cloud_scene"},
        )
    for each in (scene, question.previous):
        for found in each or ():
            _require_moderate(found)


def require_known_ids(question: Question) -> None:
    """Raises: InputRejected for an id that is of no object of the scene, also where the task has no use for it."""
    if question.object_id is not None:
        question.scene.find(question.object_id)
    question.secondary()


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


def unused(question: Question) -> Iterator[str]:
    """Warnings that name what the task does not use; members of the goal name themselves."""
    task = question.task
    if question.images and task not in DEPTH_TASKS:
        yield f"{count_of(len(question.images), 'image is', 'images are')} not used by the task {task}"
    if question.sensor_readings and task not in READING_TASKS:
        yield f"{count_of(len(question.sensor_readings), 'sensor reading is', 'sensor readings are')} not used by the task {task}"
    if question.previous is not None and task not in PREVIOUS_TASKS:
        yield f"the previous scene is not used by the task {task}"
    if question.secondary_id is not None and not TAKES[task].secondary:
        yield f"secondary_id is not used by the task {task}"


def _require_moderate(found: SceneObject) -> None:
    beyond = (len(found.points) > 0 and float(np.abs(found.points).max()) > COORDINATE_LIMIT) or (
        found.bounds is not None and float(np.abs(found.bounds).max()) > COORDINATE_LIMIT
    )
    if beyond:
        raise InputRejected(
            f"input: {found.id!r} has coordinates beyond {COORDINATE_LIMIT:g}; send it in larger units or nearer to the origin",
            details={"field": "input", "object_id": found.id},
        )
    if len(found.points) and 0.0 < float(np.ptp(found.points, axis=0).max()) < SIZE_LIMIT:
        raise InputRejected(
            f"input: {found.id!r} is smaller than {SIZE_LIMIT:g}; send it in smaller units",
            details={"field": "input", "object_id": found.id},
        )


def _remedy(task: TaskType) -> str:
    clouds = "a cad_scene with target_contract both or a point_cloud_scene"
    return f"{clouds}, or as image a depth map with intrinsics" if task in DEPTH_TASKS else clouds
