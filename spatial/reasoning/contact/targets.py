"""What an object goes into or onto: the object that the request names, else the only container, else the only surface."""

from __future__ import annotations

from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import SceneObject


def target_of(question: Question) -> SceneObject:
    """The target. Raises: InputRejected if the request names none and there is not exactly one container or surface."""
    named = question.secondary()
    if named is not None:
        return named
    for kind in ("container", "surface"):
        found = [item for item in question.scene if item.kind == kind and item.id != question.object_id]
        if len(found) == 1:
            return found[0]
    raise question.scene.unnamed(
        "secondary_id",
        f"the task {question.task} needs it where the scene does not have exactly one container or surface",
    )


def primary_of(question: Question, target: SceneObject) -> SceneObject:
    """The object that goes there. Raises: InputRejected if the request names none and there are several."""
    if question.object_id is not None:
        return question.primary()
    rest = [item for item in question.scene if item.id != target.id]
    if len(rest) == 1:
        return rest[0]
    raise question.scene.unnamed("object_id", f"the task {question.task} needs the object that goes into {target.id!r}")
