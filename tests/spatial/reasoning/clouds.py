"""Points on surfaces whose analytic truth is known, with seeded noise."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from spatial.contract.points import PointCloud, PointCloudScene
from spatial.contract.responses import ResponsesInput
from spatial.reasoning.solve import Solved, solve

Array = NDArray[np.float64]

COUNT = 2_048


def noisy(points: Array, deviation: float, seed: int = 1) -> Array:
    """Gaussian noise in every direction."""
    return points + np.random.default_rng(seed).normal(size=points.shape) * deviation


def turned(points: Array, seed: int, scale: float = 1.0, shift: float = 0.0) -> Array:
    """After a random rotation, a scaling and a translation."""
    generator = np.random.default_rng(seed)
    turn = np.linalg.qr(generator.normal(size=(3, 3)))[0]
    turn = turn * np.sign(np.linalg.det(turn))
    return np.asarray(points @ turn.T * scale + generator.normal(size=3) * shift)


def box(x: float, y: float, z: float, count: int = COUNT, seed: int = 0) -> Array:
    generator = np.random.default_rng(seed)
    areas = np.array([y * z, y * z, x * z, x * z, x * y, x * y])
    side = generator.choice(6, count, p=areas / areas.sum())
    points = generator.random((count, 3))
    for each in range(6):
        points[side == each, each // 2] = each % 2
    return points * [x, y, z]


def cylinder(radius: float, height: float, count: int = COUNT, seed: int = 0, *, caps: bool = True) -> Array:
    generator = np.random.default_rng(seed)
    areas = np.array([2 * np.pi * radius * height, *([np.pi * radius**2] * 2 if caps else [0, 0])])
    face = generator.choice(3, count, p=areas / areas.sum())
    rho = np.where(face == 0, radius, radius * np.sqrt(generator.random(count)))
    z = np.where(face == 0, generator.random(count) * height, np.where(face == 1, 0, height))
    return _around(rho, z, generator)


def cone(radius: float, height: float, count: int = COUNT, seed: int = 0) -> Array:
    generator = np.random.default_rng(seed)
    areas = np.array([np.pi * radius * np.hypot(radius, height), np.pi * radius**2])
    face = generator.choice(2, count, p=areas / areas.sum())
    part = np.sqrt(generator.random(count))
    return _around(radius * part, np.where(face == 0, height * (1 - part), 0), generator)


def tube(inner: float, outer: float, height: float, count: int = COUNT, seed: int = 0) -> Array:
    generator = np.random.default_rng(seed)
    ring = np.pi * (outer**2 - inner**2)
    areas = np.array([2 * np.pi * inner * height, 2 * np.pi * outer * height, ring, ring])
    face = generator.choice(4, count, p=areas / areas.sum())
    rho = np.select([face == 0, face == 1], [inner, outer], np.sqrt(inner**2 + ring / np.pi * generator.random(count)))
    return _around(rho, np.select([face < 2, face == 2], [generator.random(count) * height, 0], height), generator)


def sphere(radius: float, count: int = COUNT, seed: int = 0) -> Array:
    direction = np.random.default_rng(seed).normal(size=(count, 3))
    return np.asarray(radius * direction / np.linalg.norm(direction, axis=1, keepdims=True))


def ellipsoid(x: float, y: float, z: float, count: int = COUNT, seed: int = 0) -> Array:
    """Points are not uniform on its area, which no test asks for."""
    return sphere(1.0, count, seed) * [x, y, z]


def _around(rho: Array, z: Array, generator: np.random.Generator) -> Array:
    angle = generator.random(len(z)) * 2 * np.pi
    return np.column_stack([rho * np.cos(angle), rho * np.sin(angle), z])


def cloud_scene(**clouds: Array) -> PointCloudScene:
    """One cloud per name."""
    return PointCloudScene(point_clouds=[PointCloud.of(name, rows.tolist()) for name, rows in clouds.items()])


def ask(task: str, clouds: dict[str, Array] | None = None, **members: Any) -> Solved:
    """The answer to a request with these point clouds."""
    scene = {"point_cloud_scene": cloud_scene(**clouds)} if clouds else {}
    return solve(ResponsesInput.model_validate({"task_type": task, **scene, **members}))


def item(task: str, clouds: dict[str, Array] | None = None, **members: Any) -> dict[str, Any]:
    """The only item of its output."""
    (only,) = ask(task, clouds, **members).output
    return only


def base64(data: bytes) -> str:
    return b64encode(data).decode()


def npy(array: NDArray[Any], **options: Any) -> str:
    file = io.BytesIO()
    np.save(file, array, **options)
    return base64(file.getvalue())


def picture(array: NDArray[Any], form: str = "PNG") -> str:
    file = io.BytesIO()
    Pillow.fromarray(array).save(file, form)
    return base64(file.getvalue())
