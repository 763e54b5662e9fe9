"""The route of a question: the scene's own geometry, or points of a depth map.

| images | scene has geometry | tasks that take depth | other tasks |
|---|---|---|---|
| a depth map with intrinsics | either | depth | geometric, with a warning |
| others | yes | geometric, with a warning | geometric, with a warning |
| others, or none | no | 422 | 422 |

Source: INTERPRETATION 13.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from spatial.contract.images import Image
from spatial.contract.models import DEPTH_TASKS
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.depth.views import TRUNCATED, objects_of, read_images
from spatial.reasoning.inputs import has_geometry, require_known_ids, require_scene, unused
from spatial.reasoning.question import Question
from spatial.reasoning.scene.build import UNKNOWN_UNITS
from spatial.reasoning.scene.model import Scene

Runtime = Literal["geometric", "depth", "learned"]
"""What an answer rests on: the scene's own geometry, points of a depth map, or learned weights (of which this version has none)."""


COMPLETING_TASKS: Final = frozenset(DEPTH_TASKS) - {"embed"}
"""Tasks of the depth route that need a whole shape, and complete what a view does not show."""


@dataclass(frozen=True)
class Routed:
    """A question whose scene has what the task needs, and warnings about what it does not use."""

    question: Question
    runtime: Runtime
    warnings: tuple[str, ...]


def route(question: Question) -> Routed:
    """Choose the route. Raises: InputRejected where neither the scene nor an image has the geometry that the task needs."""
    runtime: Runtime = "geometric"
    found: list[str] = []
    if question.images and question.task in DEPTH_TASKS:
        images = list(zip(question.image_paths, read_images(question.images, question.image_paths), strict=True))
        usable = [(path, image) for path, image in images if image.is_depth and image.intrinsics is not None]
        if usable:
            question, runtime = _with_depth(question, usable, found), "depth"
        found += _unusable(question, images)
    require_scene(question)
    require_known_ids(question)
    found += unused(question)
    return Routed(question, runtime, tuple(found))


def _with_depth(question: Question, images: list[tuple[str, Image]], warnings: list[str]) -> Question:
    """The question with the objects of the depth maps; they replace the geometry of objects with the same ids."""
    scene = question.scene
    views = objects_of(images, None if scene.units == UNKNOWN_UNITS else scene.units, question.seed)
    warnings += views.warnings
    if has_geometry(scene) and any(image.pose is None for _, image in images):
        warnings.append(
            "the depth map has no pose, so that positions relative to the objects of the scene mean nothing"
        )
    if views.seen_once and question.task in COMPLETING_TASKS:
        shown = views.seen_once[:TRUNCATED]
        warnings.append(
            f"one view shows {', '.join(shown)}: the sides turned away from the camera are taken from the convex hull of the seen points, "
            "so the answer holds where the object has that hull; send a view from another side, with poses"
        )
    replaced = [object_id for object_id in views.objects if object_id in scene.objects]
    if replaced:
        warnings.append(f"the depth map replaces the geometry of {', '.join(replaced)}")
    objects = {**scene.objects, **views.objects}
    return replace(question, scene=Scene(views.units, objects, scene.document, scene.warnings))


def _unusable(question: Question, images: list[tuple[str, Image]]) -> list[str]:
    """Warnings about images that are no depth maps with intrinsics. Raises: InputRejected if nothing else has geometry."""
    others = [path for path, image in images if not image.is_depth or image.intrinsics is None]
    if others and not has_geometry(question.scene):
        raise InputRejected(
            f"{others[0]}: an image without depth has no geometry for the task {question.task}; send a depth map (kind depth) with "
            "intrinsics and depth_scale, or a scene with points",
            details={"field": others[0]},
        )
    if not others:
        return []
    verb = count_of(
        len(others), "image is no depth map with intrinsics and is", "images are no depth maps with intrinsics and are"
    )
    return [f"{verb} not used: {', '.join(others)}"]
