"""Rigid transforms: a rotation, then a translation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.reasoning.scene.model import Array

ANGLE: Final = 1e-6
"""Radians below which a rotation is none: a millionth of the length of a part at its far end."""


@dataclass(frozen=True, eq=False)
class Rigid:
    """p -> rotation @ p + translation. rotation: (3, 3) orthogonal; translation: (3,) in the scene's units."""

    rotation: Array
    translation: Array

    def points(self, rows: Array) -> Array:
        """Points (n, 3), transformed."""
        found: Array = rows @ self.rotation.T + self.translation
        return found

    def directions(self, rows: Array) -> Array:
        """Directions (n, 3), rotated."""
        found: Array = rows @ self.rotation.T
        return found

    def inverse(self) -> Rigid:
        """The transform back."""
        return Rigid(self.rotation.T, -self.rotation.T @ self.translation)

    def after(self, first: Rigid) -> Rigid:
        """`first`, then this."""
        return Rigid(self.rotation @ first.rotation, self.rotation @ first.translation + self.translation)

    @property
    def angle(self) -> float:
        """Angle of rotation in radians, from 0 to pi."""
        skew = self.rotation - self.rotation.T
        sine = float(np.linalg.norm([skew[2, 1], skew[0, 2], skew[1, 0]])) / 2.0
        return float(np.arctan2(sine, (float(np.trace(self.rotation)) - 1.0) / 2.0))

    @property
    def axis(self) -> Array | None:
        """Unit axis of rotation; None without rotation."""
        if self.angle < ANGLE:
            return None
        values, vectors = np.linalg.eigh((self.rotation + self.rotation.T) / 2.0)
        axis: Array = vectors[:, int(np.argmax(values))]
        skew = self.rotation - self.rotation.T
        turn = float(axis @ [skew[2, 1], skew[0, 2], skew[1, 0]])
        leading = axis[int(np.argmax(np.abs(axis) > 0.3))]
        return axis if turn > ANGLE or (abs(turn) <= ANGLE and leading > 0) else -axis

    def moves(self, where: Array, size: float, tolerance: float) -> bool:
        """Whether it moves a thing of a size at a place by more than a tolerance."""
        shift = float(np.linalg.norm(self.rotation @ where + self.translation - where))
        return shift > tolerance or self.angle * size > tolerance + ANGLE * size

    def as_json(self) -> dict[str, Any]:
        """kind, translation, and where it rotates angle in degrees, axis and rotation."""
        axis = self.axis
        if axis is None:
            kind = "translation" if np.any(self.translation) else "identity"
            return {"kind": kind, "translation": self.translation}
        degrees = float(np.degrees(self.angle))
        return {
            "kind": "rigid",
            "translation": self.translation,
            "angle_degrees": degrees,
            "axis": axis,
            "rotation": self.rotation,
        }


IDENTITY: Final = Rigid(np.eye(3), np.zeros(3))


def of_matrix(numbers: tuple[float, ...], factor: float = 1.0) -> Rigid | None:
    """A rigid transform of a 3 x 4 matrix, row by row, its translation times `factor`; None if it scales or mirrors."""
    matrix = np.array(numbers, dtype=np.float64).reshape(3, 4)
    rotation = matrix[:, :3]
    if not np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-6) or np.linalg.det(rotation) < 0:
        return None
    return Rigid(rotation, matrix[:, 3] * factor)


def between(first: Array, second: Array) -> Array:
    """(3, 3) the least rotation that takes unit direction `first` to `second`."""
    cross, cosine = np.cross(first, second), float(first @ second)
    if cosine < -1.0 + 1e-12:
        other = np.eye(3)[int(np.argmin(np.abs(first)))]
        axis = np.cross(first, other)
        axis /= np.linalg.norm(axis)
        half: Array = 2.0 * np.outer(axis, axis) - np.eye(3)
        return half
    skew = np.array([[0, -cross[2], cross[1]], [cross[2], 0, -cross[0]], [-cross[1], cross[0], 0]])
    found: Array = np.eye(3) + skew + skew @ skew / (1.0 + cosine)
    return found
