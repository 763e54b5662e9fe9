"""The question: a request's input as scenes, ids, goal and level of detail, checked for what no solver can work with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from spatial.contract.responses import Detail, ResponsesInput, TaskType
from spatial.counting import count_of
from spatial.reasoning.members import Members
from spatial.reasoning.scene.build import build_scene
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.takes import TAKES

SEED: Final = 20_260_101
"""Seed of random searches where `goal.seed` gives none."""


@dataclass(frozen=True, eq=False)
class Question:
    """What one solver gets.

    previous: the scene of `previous_cad_scene` or `previous_point_cloud_scene`.
    images: `image`, followed by `images`, as in the request.
    has_image: whether the first of them is `image`.
    """

    task: TaskType
    scene: Scene
    goal: Members
    previous: Scene | None = None
    object_id: str | None = None
    secondary_id: str | None = None
    detail: Detail = "standard"
    images: tuple[Mapping[str, Any], ...] = ()
    has_image: bool = False
    sensor_readings: tuple[Mapping[str, Any], ...] = ()
    seed: int = SEED

    @property
    def image_paths(self) -> tuple[str, ...]:
        """Where each image is in the request."""
        alone = ("input.image",) if self.has_image else ()
        return (*alone, *(f"input.images.{place}" for place in range(len(self.images) - len(alone))))

    def primary(self) -> SceneObject:
        """The object of `object_id`; the only object where the request names none.

        Raises: InputRejected if it is unknown, or not named although there are several.
        """
        if self.object_id is not None:
            return self.scene.find(self.object_id)
        others = [found for found in self.scene if found.id != self.secondary_id]
        if len(others) == 1:
            return others[0]
        raise self.scene.unnamed(
            "object_id", f"the task {self.task} needs it where the scene has {count_of(len(others), 'object')}"
        )

    def secondary(self) -> SceneObject | None:
        """The object of `secondary_id`; None where the request names none. Raises: InputRejected if it is unknown."""
        return None if self.secondary_id is None else self.scene.find(self.secondary_id, "secondary_id")


def goal_of(task: TaskType, values: Mapping[str, Any]) -> Members:
    """The goal of a request."""
    return Members(values, "input.goal", {"seed", *TAKES[task].goal})


def pose(content: ResponsesInput) -> Question:
    """The question of a request. Raises: InputRejected."""
    goal = goal_of(content.task_type, content.goal or {})
    images = (*([content.image] if content.image is not None else []), *(content.images or []))
    previous = build_scene(content.previous_cad_scene, content.previous_point_cloud_scene)
    return Question(
        task=content.task_type,
        scene=build_scene(content.cad_scene, content.point_cloud_scene),
        goal=goal,
        previous=previous if content.previous_cad_scene or content.previous_point_cloud_scene else None,
        object_id=content.object_id,
        secondary_id=content.secondary_id,
        detail=content.detail,
        images=images,
        has_image=content.image is not None,
        sensor_readings=tuple(content.sensor_readings or ()),
        seed=goal.whole("seed", SEED, at_least=0),
    )
