"""Planes, cylinders, cones, spheres and tori in points and normals of a surface that is written as something else.

Each is found by linear least squares from points with exact normals (H. Pottmann, J. Wallner, Computational Line Geometry, 2001,
chapters 5 and 7), and is believed only as far as the points lie on it.

Glossary
  deviation   the greatest distance of a point from the surface that was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import acos, asin, cos
from typing import Final

import numpy as np

from spatial.geometry.analytic import AnalyticKind, AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross

LEAST_TURN: Final = 0.02
"""Radians by which the normals of a curved surface must turn: a radius cannot be told from less."""

RADIUS_ERROR: Final = 1e-2
"""Greatest relative error of a radius that deviation and turn leave possible."""

_FLAT: Final = 0.99
"""Least cosine between the normals of what may be a plane."""

_LEAST_CONE: Final = 1e-6
"""Sine of the least half angle; anything less is a cylinder."""


def recognise(points: Array, normals: Array, exact: float, tolerance: float) -> AnalyticSurface | None:
    """The simplest surface that points (n, 3) with unit normals (n, 3) lie on.

    One within `exact` is taken before a simpler one that is only within `tolerance`: a shallow cylinder is no plane.
    """
    close: AnalyticSurface | None = None
    for fit in _FITS:
        try:
            found = fit(points, normals)
        except np.linalg.LinAlgError:
            continue
        if found is None or not found.deviation <= tolerance:
            continue
        if found.deviation <= exact:
            return found
        close = close or found
    return close


def deviation(found: AnalyticSurface, points: Array) -> float:
    """The greatest distance of points (n, 3) from a surface."""
    return float(found.distances(points).max(initial=0.0))


def _plane(points: Array, normals: Array) -> AnalyticSurface | None:
    if (normals @ normals[0]).min() < _FLAT:
        return None
    middle = points.mean(axis=0)
    _, _, rows = np.linalg.svd(points - middle, full_matrices=False)
    side = float(np.sign(normals.sum(axis=0) @ rows[2]))
    return _fitted("plane", points, middle, (side or 1.0) * rows[2]) if normals.shape[0] > 2 else None


def _cylinder(points: Array, normals: Array) -> AnalyticSurface | None:
    _, sizes, rows = np.linalg.svd(normals, full_matrices=False)
    if sizes[1] < LEAST_TURN * sizes[0]:
        return None
    axis, across = rows[2], rows[:2]
    middle = points.mean(axis=0)
    center, radius = _round((points - middle) @ across.T, normals @ across.T)
    found = _fitted("cylinder", points, middle + center @ across, axis, radius=radius)
    return found if _is_certain(found, normals) else None


def _cone(points: Array, normals: Array) -> AnalyticSurface | None:
    mean = normals.mean(axis=0)
    _, sizes, rows = np.linalg.svd(normals - mean, full_matrices=False)
    sine = float(mean @ rows[2])
    if sizes[1] < LEAST_TURN * np.sqrt(len(points)) / 2 or not _LEAST_CONE < abs(sine) < 1.0 - _LEAST_CONE:
        return None
    middle = points.mean(axis=0)
    away = points - middle
    apex = np.linalg.lstsq(normals, np.einsum("ni,ni->n", away, normals), rcond=None)[0] + middle
    axis = rows[2] * (1.0 if (middle - apex) @ rows[2] > 0.0 else -1.0)
    height = (points - apex) @ axis
    if not (height > 0.0).all():
        return None
    angle = asin(abs(sine))
    foot = apex + float(height.mean()) * axis
    outward = -float(np.sign(normals @ axis).mean())
    return _fitted(
        "cone", points, foot, axis, radius=float(height.mean() * np.tan(angle)), half_angle=angle, outward=outward
    )


def _sphere(points: Array, normals: Array) -> AnalyticSurface | None:
    middle = points.mean(axis=0)
    center, radius = _round(points - middle, normals)
    found = _fitted("sphere", points, middle + center, np.array([0.0, 0.0, 1.0]), radius=radius)
    return found if _is_certain(found, normals) else None


def _torus(points: Array, normals: Array) -> AnalyticSurface | None:
    """The lines along the normals of a surface of revolution all meet its axis: their moments about it vanish."""
    middle = points.mean(axis=0)
    away = points - middle
    size = float(np.abs(away).max())
    if not size > 0.0:
        return None
    _, _, rows = np.linalg.svd(np.concatenate([cross(away / size, normals), normals], axis=1), full_matrices=False)
    axis, moment = rows[5, :3], rows[5, 3:] * size
    length = float(np.linalg.norm(axis))
    if length < LEAST_TURN:
        return None
    axis, moment = axis / length, moment / length
    foot = cross(axis, moment)
    height = (away - foot) @ axis
    radial = away - foot - height[:, None] * axis
    distance = np.linalg.norm(radial, axis=1)
    if not (distance > 0.0).all():
        return None
    profile = np.stack([distance, height], axis=1)
    turned = np.stack([np.einsum("ni,ni->n", normals, radial) / distance, normals @ axis], axis=1)
    center, radius = _round(profile, turned)
    if not (center[0] > 0.0 and abs(radius) < 1e3 * size and center[0] < 1e3 * size):
        return None
    origin = middle + foot + center[1] * axis
    found = _fitted("torus", points, origin, axis, radius=radius, major_radius=float(center[0]))
    return found if _is_certain(found, normals) else None


def _round(points: Array, normals: Array) -> tuple[Array, float]:
    """Centre and signed radius of points = centre + radius · normals, in any dimension."""
    mean, mean_normal = points.mean(axis=0), normals.mean(axis=0)
    turned = normals - mean_normal
    spread = float((turned * turned).sum())
    radius = float((turned * (points - mean)).sum()) / spread if spread > 0.0 else np.inf
    return mean - radius * mean_normal, radius


def _fitted(
    kind: AnalyticKind,
    points: Array,
    origin: Array,
    axis: Array,
    radius: float = 0.0,
    major_radius: float = 0.0,
    half_angle: float = 0.0,
    outward: float = 1.0,
) -> AnalyticSurface:
    """A negative radius says that the normals point inwards."""
    side = -1.0 if radius < 0.0 else outward
    found = AnalyticSurface(kind, origin, axis, abs(radius), major_radius, half_angle, side, np.inf)
    deviation = float(found.distances(points).max()) if np.isfinite(radius) else np.inf
    return AnalyticSurface(kind, origin, axis, abs(radius), major_radius, half_angle, side, deviation)


def _is_certain(found: AnalyticSurface, normals: Array) -> bool:
    """Whether the normals turn by enough for the radius: an arc of the turn t is r (1 - cos t/2) high."""
    mean = normals.mean(axis=0)
    length = float(np.linalg.norm(mean))
    turn = acos(min(1.0, max(-1.0, float((normals @ mean).min()) / length))) if length > LEAST_TURN else 1.0
    return turn >= LEAST_TURN and found.deviation <= RADIUS_ERROR * found.radius * (1.0 - cos(turn))


_FITS: Final[Iterable[Callable[[Array, Array], AnalyticSurface | None]]] = (_plane, _cylinder, _cone, _sphere, _torus)
"""Simplest first."""
