"""The smallest circle around the projection of a convex shape."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.tolerances import PARALLEL

OUTLINE: Final = 360
"""Directions of the outline of an oblique cylinder; the circle around them is larger than that of the outline's points by 4e-5 of it."""


_FEW: Final = 16
"""Points of which no hull is made first."""


def enclosing_circle(shape: Convex, ways: Array) -> tuple[Array, float]:
    """Centre, (2,) along the first two of (3, 3) directions, and radius of the smallest circle around a shape seen along the third."""
    flat = shape.vertices @ ways[:2].T
    extra = shape.ball
    if shape.disc and shape.axis is not None:
        if abs(float(shape.axis @ ways[2])) > 1 - PARALLEL**2:
            extra += shape.disc
        else:
            flat = _outline(shape, ways)
    centre, radius = smallest_circle(flat)
    return centre, radius + extra


def _outline(shape: Convex, ways: Array) -> Array:
    """Support points of the shape, without its ball, in its projection, pushed out so that their hull contains it."""
    angles = np.arange(OUTLINE) * (2 * np.pi / OUTLINE)
    directions = np.column_stack([np.cos(angles), np.sin(angles)]) @ ways[:2]
    core = Convex(shape.vertices, 0.0, shape.disc, shape.axis)
    return np.array([core.support(direction) for direction in directions]) @ ways[:2].T


def smallest_circle(points: Array) -> tuple[Array, float]:
    """Centre and radius of the smallest circle around (n, 2) points: it grows by the farthest point until none is outside."""
    points = _corners(points)
    chosen = points[[0]]
    centre, radius = points[0], 0.0
    for _ in range(len(points) + 2):
        away = np.linalg.norm(points - centre, axis=1)
        farthest = int(np.argmax(away))
        if away[farthest] <= radius * (1 + 1e-12) + 1e-300:
            break
        chosen = np.vstack([chosen, points[farthest]])
        centre, radius, chosen = _around_few(chosen)
    return centre, radius


def _corners(points: Array) -> Array:
    try:
        return np.asarray(points[ConvexHull(points).vertices]) if len(points) > _FEW else points
    except QhullError:  # all on one line
        return points


def _around_few(points: Array) -> tuple[Array, float, Array]:
    """The smallest circle around at most four points, and the two or three that hold it."""
    best: tuple[Array, float, Array] | None = None
    for size in (2, 3):
        for subset in combinations(range(len(points)), min(size, len(points))):
            held = points[list(subset)]
            centre = held.mean(axis=0) if len(held) < 3 else _circumcentre(held)
            if centre is None:
                continue
            radius = float(np.linalg.norm(held - centre, axis=1).max())
            if np.linalg.norm(points - centre, axis=1).max() <= radius * (1 + 1e-10) and (
                best is None or radius < best[1]
            ):
                best = centre, radius, held
    assert best is not None
    return best


def _circumcentre(corners: Array) -> Array | None:
    spans = corners[1:] - corners[0]
    area = float(spans[0, 0] * spans[1, 1] - spans[0, 1] * spans[1, 0])
    if abs(area) <= 1e-14 * float((spans**2).sum()):
        return None
    return np.asarray(corners[0] + np.linalg.solve(2 * spans, (spans**2).sum(axis=1)))
