"""Rows of a few columns taken together: numpy's own reductions along the rows cost a call of its inner loop per row."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Array

Flags = NDArray[np.bool_]


def every(flags: Flags) -> Flags:
    """(n,) whether all flags of a row (n, k) are set."""
    return np.asarray(reduce(np.logical_and, flags.T))


def bounds(points: Array) -> tuple[Array, Array]:
    """(k,) the least and the greatest number of each column (n, k), of one row at least."""
    return np.array([column.min() for column in points.T]), np.array([column.max() for column in points.T])


def least(numbers: Array) -> Array:
    """(n,) the least number of each row (n, k)."""
    return np.asarray(reduce(np.minimum, numbers.T))


def greatest(numbers: Array) -> Array:
    """(n,) the greatest number of each row (n, k)."""
    return np.asarray(reduce(np.maximum, numbers.T))


def scalar_products(one: Array, other: Array) -> Array:
    """(n,) of each two vectors of the plane (n, 2); never -0, whose direction is another."""
    return np.asarray(one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1] + 0.0)
