"""Contact points and the closest pair of a shape in a cavity."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial.reasoning.contact.outlines import hull_corners
from spatial.reasoning.contact.patches import Plane, bottom, corners_of
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.cavity import Cavity
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.tolerances import CONTACT


def contact_points(shape: Convex, cavity: Cavity, direction: Array) -> Array:
    """(k, 3) corners of what touches the wall at the end of the way; none where it does not reach a wall."""
    gap = float(cavity.shape.heights(direction[None])[0] - shape.heights(direction[None])[0])
    if abs(gap) > CONTACT * shape.size:
        return np.empty((0, 3))
    plane = Plane.across(direction)
    patch = bottom(Body("", shape, shape, (shape,), 0.0, "points", np.empty((0, 3))), plane)
    corners = corners_of(patch.inner)
    return patch.points(hull_corners(corners) if len(corners) > 2 else corners, plane)


def tightest_pair(shape: Convex, cavity: Cavity, axis: int) -> dict[str, Any]:
    """The point of the shape nearest to a wall across the tightest direction, or deepest in it, and the wall's point next to it."""
    if cavity.radius is not None and axis < 2:
        return _in_bore(shape, cavity)
    ways = np.array([cavity.frame[axis], -cavity.frame[axis]])
    walls = np.array([cavity.upper[axis], -cavity.lower[axis]])
    gaps = walls - shape.heights(ways)
    nearest = int(np.argmin(np.round(gaps / shape.size, 9)))
    on_object = shape.support(ways[nearest])
    return {
        "on_object": on_object,
        "on_target": on_object + gaps[nearest] * ways[nearest],
        "distance": float(gaps[nearest]),
    }


def _in_bore(shape: Convex, cavity: Cavity) -> dict[str, Any]:
    assert cavity.radius is not None
    middle = (cavity.lower + cavity.upper) / 2
    angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    ways = np.column_stack([np.cos(angles), np.sin(angles)]) @ cavity.frame[:2]
    points = np.array([shape.support(way) for way in ways])
    rows = points @ cavity.frame.T - middle
    away = np.linalg.norm(rows[:, :2], axis=1)
    farthest = int(np.argmax(np.round(away / shape.size, 9)))
    gap = cavity.radius - float(away[farthest])
    outward = rows[farthest, :2] / max(float(away[farthest]), float(np.finfo(np.float64).tiny)) @ cavity.frame[:2]
    return {"on_object": points[farthest], "on_target": points[farthest] + gap * outward, "distance": gap}


_DIRECTIONS = 360
"""Directions in which the point nearest to a bore's wall is looked for."""
