"""Circles at equal steps among points that have other points beside them: the bolt circles of a flange with more holes of that size."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, perpendicular

LEAST: Final = 3
"""Fewest points of a circle."""

MOST_POINTS: Final = 64
"""Points up to which circles are looked for among them: the time grows with the cube of their number."""


def rings_among(points: Array, axis: Array, tolerance: float) -> list[list[int]]:
    """The points of each whole circle about an axis, at equal steps; points: (n, 3) in one plane across the axis, millimetres.

    Circles that share a point are left out, because a grid has a square in each of its cells; a triangle in a hexagon is part of it.
    """
    if not LEAST < len(points) <= MOST_POINTS:
        return []
    x = perpendicular(axis)
    flat = points @ np.stack([x, cross(axis, x)]).T
    found = {ring for count in range(LEAST, len(points)) for ring in _rings_of(flat, count, tolerance)}
    whole = [ring for ring in found if not any(ring < other for other in found)]
    alone = [ring for ring in whole if not any(ring & other for other in whole if other is not ring)]
    return sorted(sorted(ring) for ring in alone)


def _rings_of(flat: Array, count: int, tolerance: float) -> set[frozenset[int]]:
    """The circles of so many points, followed from each pair of them, counter-clockwise."""
    turn = 2.0 * pi / count
    chords = flat[None] - flat[:, None]
    turned = chords @ np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    gaps = np.linalg.norm((flat[None] + turned)[:, :, None] - flat, axis=3)
    following = np.where(gaps.min(axis=2) <= 4.0 * tolerance, gaps.argmin(axis=2), -1)
    np.fill_diagonal(following, -1)
    found: set[frozenset[int]] = set()
    for first, second in np.argwhere(following >= 0).tolist():
        ring = [first, second]
        while len(ring) <= count and (third := int(following[ring[-2], ring[-1]])) >= 0:
            ring.append(third)
        if len(ring) > count and ring[count] == first and len(set(ring[:count])) == count:
            found.add(frozenset(ring[:count]))
    return found
