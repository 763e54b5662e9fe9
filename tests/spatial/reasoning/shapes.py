"""Clouds and solids of known shape for the tests of spatial reasoning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from spatial.contract.extraction import Face
from spatial.contract.points import PointCloudKind
from spatial.reasoning.scene.model import Scene, SceneObject

Array = NDArray[np.float64]


def turned(seed: int) -> Array:
    """(3, 3) a random rotation."""
    return np.asarray(Rotation.random(random_state=seed).as_matrix(), dtype=np.float64)


def corners(lower: Sequence[float], upper: Sequence[float]) -> Array:
    """(8, 3) the corners of a box."""
    return np.array(
        [[x, y, z] for x in (lower[0], upper[0]) for y in (lower[1], upper[1]) for z in (lower[2], upper[2])]
    )


def on_box(
    lower: Sequence[float], upper: Sequence[float], count: int = 2048, seed: int = 1, open_at: int | None = None
) -> Array:
    """(count, 3) points on the six sides of a box, by area; `open_at` (0 to 5: -x +x -y +y -z +z) leaves one side out."""
    chance = np.random.default_rng(seed)
    low, size = np.array(lower, dtype=np.float64), np.subtract(upper, lower)
    areas = np.repeat([size[1] * size[2], size[0] * size[2], size[0] * size[1]], 2)
    if open_at is not None:
        areas[open_at] = 0
    sides = chance.choice(6, size=count, p=areas / areas.sum())
    points = chance.uniform(size=(count, 3))
    points[np.arange(count), sides // 2] = sides % 2
    return np.asarray(low + points * size)


def on_sphere(radius: float, count: int = 2048, seed: int = 1) -> Array:
    """(count, 3) points on a sphere around the origin."""
    rows = np.random.default_rng(seed).normal(size=(count, 3))
    return np.asarray(radius * rows / np.linalg.norm(rows, axis=1, keepdims=True))


def on_cylinder(radius: float, height: float, count: int = 2048, seed: int = 1) -> Array:
    """(count, 3) points on a cylinder along z, from z = 0 to `height`."""
    chance = np.random.default_rng(seed)
    side = chance.random(count) < height / (height + radius)
    angle = chance.uniform(0, 2 * np.pi, count)
    out = np.where(side, radius, radius * np.sqrt(chance.random(count)))
    level = np.where(side, chance.uniform(0, height, count), height * chance.integers(0, 2, count))
    return np.column_stack([out * np.cos(angle), out * np.sin(angle), level])


def cloud(name: str, points: Array, kind: PointCloudKind = "unknown") -> SceneObject:
    """An object of a point cloud."""
    bounds = np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) else None
    return SceneObject(name, "point_cloud", kind=kind, points=points, bounds=bounds)


def scene_of(*objects: SceneObject) -> Scene:
    """A scene in millimetres."""
    return Scene("millimeter", {each.id: each for each in objects})


def box_faces(lower: Sequence[float], upper: Sequence[float], inward: bool = False) -> tuple[Face, ...]:
    """The six plane faces of a box; `inward` for those of a cavity, whose normals point into it."""
    found: list[Face] = []
    for axis in range(3):
        for corner, sign in ((lower, -1.0), (upper, 1.0)):
            x, y, z = (np.eye(3)[axis] * (-sign if inward else sign)).tolist()
            found.append(
                Face(
                    id=f"face-{axis}{sign:+.0f}{inward}",
                    type="plane",
                    origin=(corner[0], corner[1], corner[2]),
                    normal=(x, y, z),
                )
            )
    return tuple(found)
