"""Planes, cylinders, cones, spheres and tori: distances and normals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.geometry.quadrature import Array

AnalyticKind = Literal["plane", "cylinder", "cone", "sphere", "torus"]


@dataclass(frozen=True)
class AnalyticSurface:
    """A plane, cylinder, cone, sphere or torus, and the side on which its normals are."""

    kind: AnalyticKind
    origin: Array
    """(3,) a point of the plane or of the axis; the centre of a sphere or torus."""
    axis: Array
    """(3,) unit; the normal of a plane, the direction in which a cone widens."""
    radius: float = 0.0
    """Of a cone at its origin; of a torus the minor one; 0 of a plane."""
    major_radius: float = 0.0
    half_angle: float = 0.0
    """Of a cone, radians; else 0."""
    outward: float = 1.0
    """+1 where the normals point away from the axis, the centre, or the centre line of a tube; -1 where towards it."""
    deviation: float = 0.0
    """The greatest distance from the surface in which it was recognised."""

    def distances(self, points: Array) -> Array:
        """(n,) of points from the surface."""
        return np.asarray(np.abs(_DISTANCES[self.kind](self, points - self.origin)))

    def normals(self, points: Array) -> Array:
        """(n, 3) unit normals at points on the surface, on its side."""
        away = points - self.origin
        height = away @ self.axis
        radial = away - height[:, None] * self.axis
        if self.kind == "plane":
            return np.broadcast_to(self.axis, points.shape)
        if self.kind == "sphere":
            found = away
        elif self.kind == "torus":
            found = away - self.major_radius * _unit(radial)
        else:
            found = np.cos(self.half_angle) * _unit(radial) - np.sin(self.half_angle) * self.axis
        return np.asarray(self.outward * _unit(found))


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(length > 0.0, length, 1.0))


def _split(found: AnalyticSurface, away: Array) -> tuple[Array, Array]:
    """Heights along the axis and distances from it."""
    height = away @ found.axis
    return height, np.linalg.norm(away - height[:, None] * found.axis, axis=1)


def _from_cone(found: AnalyticSurface, away: Array) -> Array:
    height, distance = _split(found, away)
    return np.asarray((distance - found.radius) * np.cos(found.half_angle) - height * np.sin(found.half_angle))


def _from_torus(found: AnalyticSurface, away: Array) -> Array:
    height, distance = _split(found, away)
    return np.asarray(np.hypot(distance - found.major_radius, height) - found.radius)


_DISTANCES: Final[dict[AnalyticKind, Callable[[AnalyticSurface, Array], Array]]] = {
    "plane": lambda found, away: away @ found.axis,
    "cylinder": lambda found, away: _split(found, away)[1] - found.radius,
    "cone": _from_cone,
    "sphere": lambda found, away: np.linalg.norm(away, axis=1) - found.radius,
    "torus": _from_torus,
}
