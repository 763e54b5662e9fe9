"""Convex outlines in the plane of a support: where one goes inside another."""

from __future__ import annotations

from typing import Final

import numpy as np
from shapely import MultiPoint, Polygon

from spatial.reasoning.contact.patches import CIRCLE, Plane
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array


def footprint(body: Body, plane: Plane) -> Array:
    """(k, 2) the corners of a body's projection along gravity, counterclockwise."""
    shape = body.outer
    if not shape.disc and not shape.ball:
        return hull_corners(plane.flat(shape.vertices))
    angles = np.arange(CIRCLE) * (2 * np.pi / CIRCLE)
    ways = np.outer(np.cos(angles), plane.right) + np.outer(np.sin(angles), plane.forward)
    return hull_corners(plane.flat(np.array([shape.support(way) for way in ways])))


def hull_corners(rows: Array) -> Array:
    """(k, 2) the corners of the hull of (n, 2) points, counterclockwise; the points themselves where they span no area."""
    hull = MultiPoint(rows).convex_hull
    if not isinstance(hull, Polygon):
        return rows
    corners = np.asarray(hull.exterior.coords[:-1])
    return np.asarray(corners if hull.exterior.is_ccw else corners[::-1])


def allowed_shifts(inner: Array, outer: Array, margin: float) -> Array:
    """(k, 2) corners of the convex set of shifts that bring `inner` into convex `outer`, `margin` from its edges; empty if there are none.

    A shift is allowed if no edge of `outer` is crossed: normal · shift <= offset - margin - support of `inner`.
    """
    span = float(np.ptp(np.vstack([inner, outer]), axis=0).max()) * 4 + 4 * float(
        np.abs(outer.mean(axis=0) - inner.mean(axis=0)).max()
    )
    centre = outer.mean(axis=0) - inner.mean(axis=0)
    found = centre + span * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    along = np.roll(outer, -1, axis=0) - outer
    lengths = np.linalg.norm(along, axis=1)
    normals = np.column_stack([along[:, 1], -along[:, 0]])[lengths > 0] / lengths[lengths > 0, None]
    limits = np.einsum("ij,ij->i", normals, outer[lengths > 0]) - margin - (inner @ normals.T).max(axis=0)
    for normal, limit in zip(normals, limits, strict=True):
        found = _clipped(found, normal, float(limit), span * 1e-12)
    return np.asarray(found)


def _clipped(corners: Array, normal: Array, limit: float, noise: float) -> Array:
    """What of a convex polygon lies behind a line (Sutherland, Hodgman 1974)."""
    if not len(corners):
        return corners
    heights = corners @ normal - limit
    kept: list[Array] = []
    for place in range(len(corners)):
        one, other = heights[place], heights[(place + 1) % len(corners)]
        if one <= noise:
            kept.append(corners[place])
        if (one > noise) != (other > noise):
            share = min(max(one / (one - other), 0.0), 1.0)
            kept.append(corners[place] + share * (corners[(place + 1) % len(corners)] - corners[place]))
    return np.array(kept).reshape(-1, 2)


def least_overhang(inner: Array, outer: Array) -> float:
    """How far `inner` must reach beyond an edge of convex `outer` at least, wherever it is shifted; 0 where it goes inside."""
    if len(allowed_shifts(inner, outer, 0.0)):
        return 0.0
    low, high = 0.0, float(np.ptp(inner, axis=0).max())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if len(allowed_shifts(inner, outer, -middle)) else (middle, high)
    return high


_HALVINGS: Final = 50
"""Halvings of the interval: beyond the bits of a float64."""
