"""The unbounded surfaces: planes, spheres, cylinders and cones, many at a time, and their distances to points.

A surface is a row (point, axis, size): plane (a point, normal, 0), sphere (centre, 0, radius), cylinder (a point of the axis, axis,
radius), cone (apex, axis into the nappe, half angle in radians).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.reasoning.scene.model import Array

Kind = Literal["plane", "sphere", "cylinder", "cone"]
KINDS: Final[tuple[Kind, ...]] = ("plane", "sphere", "cylinder", "cone")
"""From simple to general."""


@dataclass(frozen=True, eq=False)
class Surface:
    """One surface. point, axis: (3,)."""

    kind: Kind
    point: Array
    axis: Array
    size: float = 0.0

    def distances(self, points: Array) -> Array:
        """(n,) signed distances: positive along a plane's normal, outside of the others."""
        away = points - self.point
        along = away @ self.axis
        if self.kind == "plane":
            return np.asarray(along)
        square = np.einsum("ni,ni->n", away, away)
        if self.kind == "sphere":
            return np.asarray(np.sqrt(square) - self.size)
        rho = np.sqrt(np.maximum(square - along**2, 0))
        if self.kind == "cylinder":
            return np.asarray(rho - self.size)
        return np.asarray(rho * np.cos(self.size) - along * np.sin(self.size))

    def normals(self, points: Array) -> Array:
        """(n, 3) unit normals of the surface next to points."""
        away = points - self.point
        if self.kind == "plane":
            return np.broadcast_to(self.axis, points.shape)
        if self.kind == "sphere":
            return _unit(away)
        along = away @ self.axis
        outward = _unit(away - along[:, None] * self.axis)
        if self.kind == "cylinder":
            return outward
        found: Array = outward * np.cos(self.size) - self.axis * np.sin(self.size)
        return found


@dataclass(frozen=True, eq=False)
class Surfaces:
    """Many surfaces of one kind. point, axis: (m, 3); size: (m,)."""

    kind: Kind
    point: Array
    axis: Array
    size: Array

    def __len__(self) -> int:
        return len(self.size)

    def __getitem__(self, place: int) -> Surface:
        return Surface(self.kind, self.point[place], self.axis[place], float(self.size[place]))


def batch_distances(kind: Kind, point: Array, axis: Array, size: Array, points: Array) -> tuple[Array, Array]:
    """(m, n) signed distances, and the radial coordinate rho where the kind has an axis of rotation (else the distances again)."""
    if kind == "plane":
        away = axis @ points.T - (axis * point).sum(axis=1)[:, None]
        return away, away
    square = (points**2).sum(axis=1) - 2 * (point @ points.T) + (point**2).sum(axis=1)[:, None]
    if kind == "sphere":
        rho = np.sqrt(np.maximum(square, 0))
        return rho - size[:, None], rho
    along = axis @ points.T - (axis * point).sum(axis=1)[:, None]
    rho = np.sqrt(np.maximum(square - along**2, 0))
    if kind == "cylinder":
        return rho - size[:, None], rho
    return rho * np.cos(size)[:, None] - along * np.sin(size)[:, None], rho


def batch_alignment(surfaces: Surfaces, points: Array, normals: Array, rho: Array) -> Array:
    """(m, n) cosine between the points' normals, which have no side, and those of the surfaces."""
    point, axis = surfaces.point, surfaces.axis
    if surfaces.kind == "plane":
        return np.asarray(np.abs(axis @ normals.T))
    radial = (points * normals).sum(axis=1) - point @ normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        if surfaces.kind == "sphere":
            return np.asarray(np.nan_to_num(np.abs(radial) / rho))
        turned = axis @ normals.T
        along = axis @ points.T - (axis * point).sum(axis=1)[:, None]
        outward = np.nan_to_num((radial - along * turned) / rho)
    if surfaces.kind == "cylinder":
        return np.asarray(np.abs(outward))
    angle = surfaces.size[:, None]
    return np.asarray(np.abs(outward * np.cos(angle) - turned * np.sin(angle)))


def _unit(vectors: Array) -> Array:
    lengths = np.sqrt(np.einsum("ni,ni->n", vectors, vectors))[:, None]
    return np.asarray(vectors / np.maximum(lengths, np.finfo(float).tiny))
