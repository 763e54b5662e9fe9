"""Embed: the shape of objects as unit vectors, and the distances between them. docs/reasoning/embed.md has the output."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.answer import Answer
from spatial.reasoning.embedding import (
    BLOCKS,
    LEAST_POINTS,
    LENGTH,
    SURE_POINTS,
    VERSION,
    Embedding,
    embed_points,
    embed_surfaces,
)
from spatial.reasoning.inputs import require_points
from spatial.reasoning.log import log_step
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Array, Scene, SceneObject

DUPLICATE: Final = 1e-3
"""Distance below which two objects have the same shape: the same points after a rotation are below 1e-5, other parts above 1e-2."""


def solve(question: Question) -> Answer:
    """The vector of the object of object_id, or of every object with enough points. Raises: InputRejected."""
    scene = question.scene
    if question.object_id is not None:
        require_points(question.primary(), LEAST_POINTS, question.task)
    named = [question.primary()] if question.object_id is not None else list(scene)
    measured = {found.id: shape for found in scene if (shape := _shape(found)) is not None}
    chosen = [found for found in named if found.id in measured]
    if not chosen:
        largest = max(named, key=lambda found: len(found.points))
        require_points(largest, LEAST_POINTS, question.task)
        raise InputRejected(
            f"input: the points of {largest.id!r} are all at one place; send points of its surface",
            details={"field": "input", "object_id": largest.id},
        )
    log_step(f"{count_of(len(measured), 'object')} measured by points, {len(chosen)} asked for")
    surfaces = {found.id: vector for found in scene if (vector := embed_surfaces(found)) is not None}
    return Answer(
        data={
            "version": VERSION,
            "length": LENGTH,
            "units": scene.units,
            "objects": [_record(found, measured[found.id], surfaces.get(found.id)) for found in chosen],
        },
        proof={
            "blocks": BLOCKS,
            "duplicate_below": DUPLICATE,
            "distances": [
                {"object_id": found.id, "others": _distances(found.id, measured, surfaces)} for found in chosen
            ],
        },
        warnings=tuple(_warnings(scene, chosen, measured)),
    )


def _shape(found: SceneObject) -> Embedding | None:
    return embed_points(found.points) if len(found.points) >= LEAST_POINTS else None


def _record(found: SceneObject, shape: Embedding, surfaces: Array | None) -> dict[str, Any]:
    return {
        "object_id": found.id,
        "embedding": shape.vector,
        "scale": shape.scale,
        "diameter": shape.diameter,
        "points": len(found.points),
        "surface_embedding": surfaces,
    }


def _distances(name: str, measured: dict[str, Embedding], surfaces: dict[str, Array]) -> list[dict[str, Any]]:
    """To the other objects, the nearest first."""
    own = measured[name]
    rows = []
    for other, shape in measured.items():
        if other == name:
            continue
        distance = float(np.linalg.norm(own.vector - shape.vector))
        row: dict[str, Any] = {
            "object_id": other,
            "distance": distance,
            "scale_ratio": shape.scale / own.scale,
            "is_duplicate": distance < DUPLICATE,
        }
        if name in surfaces and other in surfaces:
            row["surface_distance"] = float(np.linalg.norm(surfaces[name] - surfaces[other]))
        rows.append(row)
    return sorted(rows, key=lambda row: (row["distance"], row["object_id"]))


def _warnings(scene: Scene, chosen: list[SceneObject], measured: dict[str, Embedding]) -> list[str]:
    found = []
    coarse = [each.id for each in chosen if len(each.points) < SURE_POINTS]
    if coarse:
        found.append(
            f"{', '.join(coarse[:20])}: below {SURE_POINTS} points the vector follows the sample more than the shape"
        )
    views = [each.id for each in chosen if each.origin == "depth_map"]
    if views:
        found.append(
            f"{', '.join(views[:20])}: a depth map shows the sides that face the camera; compare with vectors of the same view"
        )
    left_out = len(scene) - len(measured)
    if left_out:
        found.append(f"{count_of(left_out, 'object has', 'objects have')} too few points and no vector")
    return found
