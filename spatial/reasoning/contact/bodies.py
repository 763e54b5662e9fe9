"""The bodies of a question's objects, or the error that says what to send."""

from __future__ import annotations

from typing import Final

from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.shape.body import Body, body_of
from spatial.reasoning.shape.tolerances import COPLANAR

LEAST_POINTS: Final = 4
"""Points of the smallest body with a volume."""


SPATIAL: Final = ("solid", "point_cloud", "depth_map")
"""Origins of objects that have a body; nodes, sheets and views are flat."""


def require_geometry(question: Question) -> None:
    """Raises: InputRejected for a scene without any geometry."""
    if not any(item.has_geometry for item in question.scene):
        raise InputRejected(
            f"the task {question.task} got neither geometry nor an image; send a cad_scene with solids or points, a "
            "point_cloud_scene, or a depth map with intrinsics",
            details={"field": "input"},
        )


def body_with_volume(item: SceneObject, task: str) -> Body:
    """The body of an object that the task needs a volume of. Raises: InputRejected that says what to send."""
    found = body_or_reject(item, task)
    if found.basis == "flat":
        raise _rejected(
            item,
            f"its {count_of(len(item.points), 'point')} lie in one plane, to {COPLANAR:g} of its extent, and {task} needs a volume",
            task,
        )
    return found


def body_or_reject(item: SceneObject, task: str) -> Body:
    """The body of an object. Raises: InputRejected for one without geometry or with too few points."""
    if item.origin not in SPATIAL:
        raise _rejected(item, f"it is part of a drawing or diagram, and {task} needs a body in space", task)
    if 0 < len(item.points) < LEAST_POINTS and not item.faces and item.origin == "point_cloud":
        raise _rejected(item, f"{count_of(len(item.points), 'point is', 'points are')} too few for {task}", task)
    found = body_of(item)
    if found is None:
        raise _rejected(item, f"it has no geometry, and {task} needs some", task)
    return found


def others(scene: Scene, *left_out: str) -> list[Body]:
    """The bodies of all other objects of the scene that have geometry."""
    found = [body_of(item) for item in scene if item.id not in left_out and item.origin in SPATIAL]
    return [body for body in found if body is not None]


def _rejected(item: SceneObject, problem: str, task: str) -> InputRejected:
    advice = f"send at least {LEAST_POINTS} points of its surface that span a volume, or a cad_scene with its faces"
    return InputRejected(f"object {item.id!r}: {problem}; {advice}", details={"object_id": item.id, "task": task})
