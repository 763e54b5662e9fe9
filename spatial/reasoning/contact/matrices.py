"""Motions as they are written: 3 x 4 matrices, row by row, as in the contract's `transform`."""

from __future__ import annotations

import numpy as np

from spatial.reasoning.shape.convex import Array


def transform(rotation: Array, translation: Array) -> list[float]:
    """Twelve numbers: from the object's present position to the one that is meant."""
    found: list[float] = np.column_stack([rotation, translation]).ravel().tolist()
    return found


def turn_between(first: Array, second: Array) -> Array:
    """(3, 3) the smallest rotation that turns one unit vector into another (Rodrigues)."""
    crossed, cosine = np.cross(first, second), float(first @ second)
    if cosine < -1 + 1e-12:
        across = np.cross(first, np.eye(3)[int(np.argmin(np.abs(first)))])
        across = across / np.linalg.norm(across)
        return np.asarray(2 * np.outer(across, across) - np.eye(3))
    skew = np.array([[0, -crossed[2], crossed[1]], [crossed[2], 0, -crossed[0]], [-crossed[1], crossed[0], 0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1 + cosine))
