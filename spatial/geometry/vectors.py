"""Vectors of space, single ones and many at once: NumPy's own functions spend most of a call on shapes that need no checking here."""

from __future__ import annotations

from math import sqrt

import numpy as np

from spatial.geometry.quadrature import Array


def cross(first: Array, second: Array) -> Array:
    """Cross products (..., 3) of vectors (..., 3), broadcast against each other."""
    if first.ndim == second.ndim == 1:
        (a, b, c), (d, e, f) = first.tolist(), second.tolist()
        return np.array([b * f - c * e, c * d - a * f, a * e - b * d])
    a, b, c = first[..., 0], first[..., 1], first[..., 2]
    d, e, f = second[..., 0], second[..., 1], second[..., 2]
    x = b * f - c * e
    found = np.empty((*x.shape, 3))
    found[..., 0] = x
    found[..., 1] = c * d - a * f
    found[..., 2] = a * e - b * d
    return found


def length(vector: Array) -> float:
    """Of one vector (n,)."""
    return sqrt(vector.dot(vector))


def perpendicular(axis: Array) -> Array:
    """(3,) a unit vector at right angles to a unit vector."""
    found = cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    return found / length(found)
