"""Candidates: surfaces through minimal samples of neighbouring points and their normals.

One point makes a plane, two a sphere or a cylinder, three a cone (Schnabel, Wahl and Klein, Efficient RANSAC for point-cloud shape
detection, 2007, §4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.primitives.cloud import Cloud
from spatial.reasoning.primitives.surfaces import KINDS, Kind, Surfaces
from spatial.reasoning.scene.model import Array

SEEDS: Final[Mapping[Kind, int]] = {"plane": 192, "sphere": 96, "cylinder": 192, "cone": 128}
"""Samples of each kind. A face with a hundredth of the points then has two planes and two cylinders."""

PARALLEL: Final = np.sin(np.radians(5))
"""Sine below which normals are too nearly parallel to meet: the noise of normals is a few degrees."""

LARGEST_RADIUS: Final = 4.0
"""Largest radius, in scales of the cloud: a patch of a larger sphere is a plane within the tolerance."""

NARROWEST, WIDEST = np.radians(3), np.radians(85)
"""Half angles of cones; narrower ones are cylinders, wider ones planes."""

MISMATCH: Final = 0.2
"""Largest difference between the radii that the points of a sample give, as a part of the radius."""


def propose(cloud: Cloud, generator: np.random.Generator) -> list[Surfaces]:
    """Candidates of every kind."""
    return [_MAKERS[kind](cloud, _samples(cloud.neighbours, SEEDS[kind], generator)) for kind in KINDS]


def _samples(near: NDArray[np.int64], seeds: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """(m, 3) indices: a seed, and two of its nearest points."""
    first = np.linspace(0, len(near) - 1, seeds).astype(int)
    second, third = generator.integers(1, near.shape[1], (2, seeds))
    return np.column_stack([first, near[first, second], near[first, third]])


def _planes(cloud: Cloud, samples: NDArray[np.int64]) -> Surfaces:
    first = samples[:, 0]
    return Surfaces("plane", cloud.points[first], cloud.normals[first], np.zeros(len(first)))


def _spheres(cloud: Cloud, samples: NDArray[np.int64]) -> Surfaces:
    """The centre is where the lines along two normals come nearest to each other."""
    p, q, m, n = _two(cloud, samples)
    s, t, sine = _nearest(p, q, m, n)
    centre = (p + s[:, None] * m + q + t[:, None] * n) / 2
    radii = np.linalg.norm(p - centre, axis=1), np.linalg.norm(q - centre, axis=1)
    return _kept("sphere", centre, np.zeros_like(centre), _agreed(*radii), sine > PARALLEL)


def _cylinders(cloud: Cloud, samples: NDArray[np.int64]) -> Surfaces:
    """The axis is perpendicular to both normals, whose lines meet on it."""
    p, q, m, n = _two(cloud, samples)
    axis = np.cross(m, n)
    sine = np.linalg.norm(axis, axis=1)
    axis = axis / np.where(sine > 0, sine, 1)[:, None]
    flat = q - ((q - p) * axis).sum(axis=1)[:, None] * axis
    s, t, _ = _nearest(p, flat, m, n)
    centre = (p + s[:, None] * m + flat + t[:, None] * n) / 2
    return _kept("cylinder", centre, axis, _agreed(np.abs(s), np.abs(t)), sine > PARALLEL)


def _cones(cloud: Cloud, samples: NDArray[np.int64]) -> Surfaces:
    """The apex is where three tangent planes meet; the points are seen from it under one angle to the axis."""
    points, normals = cloud.points[samples], cloud.normals[samples]
    is_proper = np.abs(np.linalg.det(normals)) > PARALLEL**3
    safe = np.where(is_proper[:, None, None], normals, np.eye(3))
    apex = np.linalg.solve(safe, (normals * points).sum(axis=2)[:, :, None])[:, :, 0]
    sight = points - apex[:, None]
    lengths = np.linalg.norm(sight, axis=2, keepdims=True)
    sight = sight / np.where(lengths > 0, lengths, 1)
    axis = np.cross(sight[:, 1] - sight[:, 0], sight[:, 2] - sight[:, 0])
    size = np.linalg.norm(axis, axis=1)
    axis = axis / np.where(size > 0, size, 1)[:, None]
    cosine = np.einsum("mki,mi->mk", sight, axis).mean(axis=1)
    axis = axis * np.where(cosine < 0, -1, 1)[:, None]
    angle = np.arccos(np.clip(np.abs(cosine), 0, 1))
    fits = is_proper & (size > 0) & (angle > NARROWEST) & (angle < WIDEST)
    return Surfaces("cone", apex[fits], axis[fits], angle[fits])


def _two(cloud: Cloud, samples: NDArray[np.int64]) -> tuple[Array, Array, Array, Array]:
    first, second = samples[:, 0], samples[:, 1]
    return cloud.points[first], cloud.points[second], cloud.normals[first], cloud.normals[second]


def _nearest(p: Array, q: Array, m: Array, n: Array) -> tuple[Array, Array, Array]:
    """Where the lines p + s m and q + t n come nearest: s, t, and the sine between them."""
    cosine = (m * n).sum(axis=1)
    square = np.maximum(1 - cosine**2, 0)
    safe = np.where(square > 0, square, 1)
    away = q - p
    along_m, along_n = (away * m).sum(axis=1), (away * n).sum(axis=1)
    s = (along_m - cosine * along_n) / safe
    t = (cosine * along_m - along_n) / safe
    return s, t, np.sqrt(square)


def _agreed(first: Array, second: Array) -> Array:
    """The mean of two radii; infinite where they differ too much."""
    mean = (first + second) / 2
    return np.where(np.abs(first - second) <= MISMATCH * mean, mean, np.inf)


def _kept(kind: Kind, point: Array, axis: Array, radius: Array, fits: NDArray[np.bool_]) -> Surfaces:
    fits = fits & (radius > 0) & (radius < LARGEST_RADIUS)
    return Surfaces(kind, point[fits], axis[fits], radius[fits])


_MAKERS: Final[Mapping[Kind, Callable[[Cloud, NDArray[np.int64]], Surfaces]]] = {
    "plane": _planes,
    "sphere": _spheres,
    "cylinder": _cylinders,
    "cone": _cones,
}
