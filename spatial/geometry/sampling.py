"""Points spread over surfaces: how many each object gets, where they fall, and how they are put on the exact surface.

Glossary
  share      how many points one object of a scene gets.
  scatter    area-weighted points on triangles, spread evenly rather than independently.
  snap       the move from a triangle to the curved surface that the triangle approximates.
  quantum    the power of ten that coordinates are rounded to.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LINEAR_DEFLECTION: Final = 1e-3
"""Largest distance between a triangle and its surface, as a part of the shape's bounding-box diagonal."""

ANGULAR_DEFLECTION: Final = 0.3
"""Largest turn of a surface along a triangle's edge, in radians: a full circle has at least 21 chords."""

SHARE_FLOOR: Final = 64
"""Points that every object gets before size counts, while the total allows it."""

SHARE_LEAST: Final = 4
"""Points that every object keeps even where that passes the total."""

QUANTUM: Final = 1e-6
"""Coordinates are rounded to the power of ten at or below this part of an object's size."""

_GOLDEN: Final = (5**0.5 - 1) / 2

_ROUNDING: Final = 1e-9
"""A quota this little below a whole number is that number."""


def is_capped(objects: int, per_object: int, total: int) -> bool:
    """Whether so many objects have to share a total that is less than `per_object` for each."""
    return objects * per_object > total


def shares(areas: Floats, per_object: int, total: int) -> Integers:
    """How many points each object gets, in the objects' order.

    Each gets `per_object` where the total allows it. Otherwise each gets SHARE_FLOOR points (or an even share where
    that is less, but never fewer than SHARE_LEAST), and the rest is distributed by surface area; none gets more than
    `per_object`.
    """
    if not is_capped(len(areas), per_object, total):
        return np.full(len(areas), per_object, dtype=np.int64)
    floor = min(per_object, SHARE_FLOOR, max(SHARE_LEAST, total // len(areas)))
    left = max(0, total - floor * len(areas))
    return floor + _whole(_by_area(areas, per_object - floor, left), left)


def _by_area(areas: Floats, most: int, left: float) -> Floats:
    """`left` points distributed by area; what one object cannot take goes to the others."""
    given = np.zeros(len(areas))
    unfilled = np.ones(len(areas), dtype=bool)
    while left > 0 and unfilled.any() and areas[unfilled].sum() > 0:
        quota = left * np.where(unfilled, areas, 0.0) / areas[unfilled].sum()
        full = unfilled & (quota >= most)
        if not full.any():
            given += quota
            break
        given[full] = most
        left -= most * int(full.sum())
        unfilled &= ~full
    return given


def _whole(quotas: Floats, left: int) -> Integers:
    """Whole numbers with the quotas' sum: the largest remainders are rounded up, ties by order."""
    whole = np.floor(quotas + _ROUNDING)
    missing = min(left, round(float(quotas.sum()))) - int(whole.sum())
    for index in np.argsort(whole - quotas, kind="stable")[: max(0, missing)]:
        whole[index] += 1
    return whole.astype(np.int64)


def scatter(corners: Floats, areas: Floats, count: int, generator: np.random.Generator) -> tuple[Floats, Integers]:
    """Area-weighted points on triangles (n, 3, 3) of areas (n,): (count, 3) points and the (count,) indices of their triangles.

    Point i falls in the i-th of `count` equal slices of the whole area (one uniform draw per slice), so a region gets its
    part of the points to within one for each piece it is in. Where a slice falls inside its triangle is the first
    coordinate there; the second is a golden-ratio sequence under a random shift (Roberts 2018, quasirandom R sequences).
    Each point by itself is uniform on the area; together they leave neither clumps nor gaps. The order is shuffled, so
    that the first k points are a fair sample too.
    """
    ends = np.cumsum(areas)
    if count <= 0 or not len(ends) or ends[-1] <= 0:
        return np.empty((0, 3)), np.empty(0, dtype=np.int64)
    slices = np.arange(count)
    reach = (slices + generator.random(count)) / count * ends[-1]
    index = np.minimum(np.searchsorted(ends, reach, side="right"), len(ends) - 1)
    starts = np.where(index > 0, ends[index - 1], 0.0)
    across = np.clip((reach - starts) / np.maximum(ends[index] - starts, np.finfo(np.float64).tiny), 0.0, 1.0)
    along = np.mod(slices * _GOLDEN + generator.random(), 1.0, dtype=np.float64)
    order = generator.permutation(count)
    return _inside(corners[index], across, along)[order], index[order]


def _inside(corners: Floats, across: Floats, along: Floats) -> Floats:
    """The unit square mapped onto triangles, areas kept: the square root stretches the first coordinate."""
    reach = np.sqrt(across)[:, None]
    turn = along[:, None]
    edge = corners[:, 1] + turn * (corners[:, 2] - corners[:, 1])
    placed: Floats = corners[:, 0] + reach * (edge - corners[:, 0])
    return placed


def snap_plane(points: Floats, origin: Floats, axis: Floats) -> Floats:
    """The nearest points on planes; origin and unit normal one row per point."""
    off: Floats = points - _dot(points - origin, axis)[:, None] * axis
    return off


def snap_cylinder(points: Floats, origin: Floats, axis: Floats, radius: Floats) -> Floats:
    """The nearest points on cylinders; origin, unit axis and radius one row per point."""
    height, radial, distance = _cylindrical(points, origin, axis)
    on: Floats = origin + height[:, None] * axis + radial * _ratio(radius, distance)[:, None]
    return on


def snap_cone(points: Floats, apex: Floats, axis: Floats, half_angle: Floats) -> Floats:
    """The nearest points on the nappe that each point is on; half angles in radians, 0 to pi/2."""
    height, radial, distance = _cylindrical(points, apex, axis)
    nappe = np.where(height < 0, -1.0, 1.0)
    along = nappe * height * np.cos(half_angle) + distance * np.sin(half_angle)
    tall = nappe * along * np.cos(half_angle)
    wide = along * np.sin(half_angle)
    on: Floats = apex + tall[:, None] * axis + radial * _ratio(wide, distance)[:, None]
    return on


def snap_sphere(points: Floats, centre: Floats, radius: Floats) -> Floats:
    """The nearest points on spheres; centre and radius one row per point."""
    ray = points - centre
    on: Floats = centre + ray * _ratio(radius, np.linalg.norm(ray, axis=1))[:, None]
    return on


def snap_torus(points: Floats, centre: Floats, axis: Floats, major: Floats, minor: Floats) -> Floats:
    """The nearest points on tori; the radius of the ring and of its tube one row per point.

    A torus that crosses its axis has a second sheet, which belongs to the circle on the far side of the axis.
    """
    _, radial, distance = _cylindrical(points, centre, axis)
    ring = radial * _ratio(major, distance)[:, None]
    near, far = snap_sphere(points, centre + ring, minor), snap_sphere(points, centre - ring, minor)
    is_near = np.linalg.norm(near - points, axis=1) <= np.linalg.norm(far - points, axis=1)
    return np.where(is_near[:, None], near, far)


def _cylindrical(points: Floats, origin: Floats, axis: Floats) -> tuple[Floats, Floats, Floats]:
    """Height along the axis, the vector away from it, and that vector's length."""
    ray = points - origin
    height = _dot(ray, axis)
    radial = ray - height[:, None] * axis
    return height, radial, np.linalg.norm(radial, axis=1)


def _dot(left: Floats, right: Floats) -> Floats:
    product: Floats = np.einsum("ij,ij->i", left, right)
    return product


def _ratio(goal: Floats, length: Floats) -> Floats:
    """goal / length; 1 where the length is 0 and there is no direction to move in."""
    return np.divide(goal, length, out=np.ones_like(length), where=length > 0)


SMALLEST_STEP: Final = 1e-290
"""Smallest step of a grid; numpy.round multiplies by its inverse, which must leave room for coordinates of 10^18."""


def quantum(size: float) -> float:
    """The power of ten that coordinates of an object of this size are rounded to; 0 where there is no size to go by."""
    return float(10.0 ** np.floor(np.log10(size * QUANTUM))) if size > 0 and np.isfinite(size) else 0.0


def rounded(points: Floats, step: float) -> Floats:
    """Points on the decimal grid of `step` (a power of ten); unchanged where it is 0, or too small to multiply by its inverse."""
    return np.round(points, -round(np.log10(step))) + 0.0 if step > SMALLEST_STEP else points
