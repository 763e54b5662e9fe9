"""Questions as a request poses them, and scenes that are turned, moved and scaled as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from spatial.contract.responses import ResponsesInput
from spatial.reasoning.scene.model import Array
from spatial.reasoning.solve import solve


def point_scene(objects: Mapping[str, Array], kinds: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A point_cloud_scene of (n, 3) points by object id."""
    return {
        "point_clouds": [
            {
                "object_id": name,
                "kind": (kinds or {}).get(name, "unknown"),
                "points": [{"x": x, "y": y, "z": z} for x, y, z in points.tolist()],
            }
            for name, points in objects.items()
        ]
    }


def ask(
    task: str, objects: Mapping[str, Array], goal: Mapping[str, Any] | None = None, **members: Any
) -> dict[str, Any]:
    """The output item of one task over point clouds."""
    kinds = members.pop("kinds", None)
    content = {"task_type": task, "point_cloud_scene": point_scene(objects, kinds), "goal": dict(goal or {}), **members}
    found: dict[str, Any] = solve(ResponsesInput.model_validate(content)).output[0]
    return found


def about_z(degrees: float) -> Array:
    """(3, 3) a rotation about z."""
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])


def transformed(
    objects: Mapping[str, Array], scale: float = 1.0, turn: Array | None = None, shift: Sequence[float] = (0, 0, 0)
) -> dict[str, Array]:
    """Every point x as scale * turn x + shift."""
    rotation = np.eye(3) if turn is None else turn
    return {name: scale * points @ rotation.T + np.array(shift) for name, points in objects.items()}
