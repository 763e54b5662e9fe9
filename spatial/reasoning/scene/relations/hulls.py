"""Convex hulls of bodies, each made once."""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.scene.model import Array, SceneObject

HULL_TOLERANCE: Final = 1e-6
"""Part of the hull's diagonal by which a point may lie outside and count as within."""


class Hulls:
    """Hulls by object; of an object without points, that of the corners of its bounds."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Array, Array | None]] = {}

    def margin(self, body: SceneObject, holder: SceneObject) -> float | None:
        """Least distance of a body from the hull of its holder; None if some of it lies outside, or there is no hull."""
        points, spaces = self._hull(body)[0], self._hull(holder)[1]
        if spaces is None or holder.size is None:
            return None
        reach = float((points @ spaces[:, :3].T + spaces[:, 3]).max())
        return max(-reach, 0.0) if reach <= float(np.linalg.norm(holder.size)) * HULL_TOLERANCE else None

    def _hull(self, body: SceneObject) -> tuple[Array, Array | None]:
        if body.id not in self._made:
            self._made[body.id] = _hull(body.points if len(body.points) else corners_of(body))
        return self._made[body.id]


def corners_of(body: SceneObject) -> Array:
    """(8, 3) corners of the bounds, or none."""
    if body.bounds is None:
        return np.empty((0, 3))
    return np.array(
        [[body.bounds[i, 0], body.bounds[j, 1], body.bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    )


def _hull(points: Array) -> tuple[Array, Array | None]:
    """Its vertices, and (n, 4) half-spaces with outward normals and offsets; all points and None where they are flat."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return points, None
    return points[hull.vertices], np.asarray(hull.equations)
