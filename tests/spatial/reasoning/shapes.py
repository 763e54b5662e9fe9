"""Clouds and solids of known shape for the tests of spatial reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from spatial.contract.extraction import Face
from spatial.contract.points import PointCloudKind
from spatial.contract.responses import Detail, TaskType
from spatial.reasoning.answer import express
from spatial.reasoning.question import Question, goal_of
from spatial.reasoning.scene.model import Scene, SceneObject
from spatial.reasoning.solvers.registry import SOLVERS

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


Box = tuple[Sequence[float], Sequence[float]]
"""Lower and upper corner."""


def solid_of(
    name: str, material: Sequence[Box], cuts: Sequence[Box] = (), count: int = 2048, seed: int = 1
) -> SceneObject:
    """A solid as an extraction has it: the union of boxes without the cuts, with plane faces, volume, centre and area-weighted points."""
    boxes = [*material, *cuts]
    levels = [np.unique([corner[axis] for box in boxes for corner in box]) for axis in range(3)]
    cells = np.array(
        [[x, y, z] for x in _middles(levels[0]) for y in _middles(levels[1]) for z in _middles(levels[2])],
        dtype=np.float64,
    )
    sizes = np.array([[x, y, z] for x in np.diff(levels[0]) for y in np.diff(levels[1]) for z in np.diff(levels[2])])
    filled = _is_inside(cells, material, cuts)
    volumes = sizes.prod(axis=1)[filled]
    points, normals = _on_surface(boxes, material, cuts, count, seed)
    faces = [
        Face(
            id=f"face-{place}", type="plane", origin=tuple((row[:3] * row[3]).tolist()), normal=tuple(row[:3].tolist())
        )
        for place, row in enumerate(
            np.unique(np.column_stack([normals, np.einsum("ij,ij->i", points, normals)]).round(9), axis=0)
        )
    ]
    bounds = np.stack([points.min(axis=0), points.max(axis=0)])
    return SceneObject(
        name, "solid", points=points, faces=tuple(faces), volume=float(volumes.sum()), bounds=bounds, is_closed=True,
        center_of_mass=volumes @ cells[filled] / volumes.sum(),
    )  # fmt: skip


def _middles(levels: Array) -> Array:
    return np.asarray((levels[1:] + levels[:-1]) / 2)


def _is_inside(points: Array, material: Sequence[Box], cuts: Sequence[Box]) -> NDArray[np.bool_]:
    def held(box: Box) -> NDArray[np.bool_]:
        return np.asarray(((points > np.array(box[0])) & (points < np.array(box[1]))).all(axis=1))

    return np.asarray(
        np.any([held(box) for box in material], axis=0)
        & ~np.any([held(box) for box in cuts] or [np.zeros(len(points), bool)], axis=0)
    )


def _on_surface(
    boxes: Sequence[Box], material: Sequence[Box], cuts: Sequence[Box], count: int, seed: int
) -> tuple[Array, Array]:
    """Points of the boxes' sides where there is material on one side only, and the normals out of it."""
    chance, found = np.random.default_rng(seed), []
    extents = [np.subtract(high, low).astype(np.float64) for low, high in boxes]
    total = sum(2 * float(np.prod(np.delete(size, axis))) for size in extents for axis in range(3))
    for (low, _), size in zip(boxes, extents, strict=True):
        for axis in range(3):
            for side in (0.0, 1.0):
                area = float(np.prod(np.delete(size, axis)))
                rows = chance.uniform(size=(20 + int(_SURPLUS * count * area / total), 3))
                rows[:, axis] = side
                normal = np.eye(3)[axis] * np.ones((len(rows), 1))
                found.append((np.array(low) + rows * size, normal, np.full(len(rows), area / len(rows))))
    points, normals, areas = (np.concatenate([each[place] for each in found]) for place in range(3))
    step = 1e-7 * float(np.ptp(points))
    above, below = (_is_inside(points + way * step * normals, material, cuts) for way in (1, -1))
    kept = np.flatnonzero(above != below)
    chosen = chance.choice(kept, size=count, p=areas[kept] / areas[kept].sum())
    return points[chosen], np.where(above[chosen, None], -normals[chosen], normals[chosen])


_SURPLUS = 20
"""Points on all sides for each one that is kept: duplicates are then rare."""


def bored_block(name: str, radius: float, depth: float | None = None, count: int = 2048) -> SceneObject:
    """A block of 40 x 40 x 20 on z = 0 with a bore along z in its middle: through, or blind from the top."""
    floor = 0.0 if depth is None else 20.0 - depth
    block = solid_of(name, [([-20, -20, 0], [20, 20, 20])], count=count)
    flat = np.linalg.norm(block.points[:, :2], axis=1)
    outside = block.points[(flat > radius) | ((block.points[:, 2] < 1e-9) & (depth is not None))]
    chance = np.random.default_rng(5)
    angle = chance.uniform(0, 2 * np.pi, count // 8)
    wall = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), chance.uniform(floor, 20, len(angle))])
    inner = radius * np.sqrt(chance.random(count // 30))
    turn = chance.uniform(0, 2 * np.pi, len(inner))
    bottom = np.column_stack([inner * np.cos(turn), inner * np.sin(turn), np.full(len(inner), floor)])
    drilled = np.pi * radius**2 * (20 - floor)
    faces = (
        *block.faces,
        Face(id="bore", type="cylinder", origin=(0.0, 0.0, 3.0), axis=(0.0, 0.0, 1.0), radius=radius),
    )
    if depth is not None:
        faces = (*faces, Face(id="floor", type="plane", origin=(0.0, 0.0, floor), normal=(0.0, 0.0, 1.0)))
    points = np.vstack([outside, wall, *([] if depth is None else [bottom])])
    return replace(block, points=points, faces=faces, volume=32_000 - drilled, center_of_mass=None)


def moved(item: SceneObject, rotation: Array, shift: Array, scale: float = 1.0) -> SceneObject:
    """The same object after x ↦ scale rotation x + shift, as a file of the moved scene would have it."""

    def place(rows: Array) -> Array:
        return np.asarray(scale * rows @ rotation.T + shift)

    points = place(item.points)
    faces = tuple(
        face.model_copy(
            update={
                "origin": None if face.origin is None else tuple(place(np.array(face.origin)).tolist()),
                "normal": None if face.normal is None else tuple((rotation @ face.normal).tolist()),
                "axis": None if face.axis is None else tuple((rotation @ face.axis).tolist()),
                "radius": None if face.radius is None else scale * face.radius,
            }
        )
        for face in item.faces
    )
    return replace(
        item,
        points=points,
        faces=faces,
        bounds=np.stack([points.min(axis=0), points.max(axis=0)]) if len(points) and not faces else None,
        volume=None if item.volume is None else item.volume * scale**3,
        center_of_mass=None if item.center_of_mass is None else place(item.center_of_mass),
    )


def ask(
    task: TaskType,
    *objects: SceneObject,
    detail: Detail = "debug",
    goal: Mapping[str, Any] | None = None,
    **rest: Any,
) -> dict[str, Any]:
    """The answer of a solver, as it is written."""
    question = Question(task, scene_of(*objects), goal_of(task, goal or {}), **rest)
    return express(SOLVERS[task].solve(question), task, detail, {})


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
