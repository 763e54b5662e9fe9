"""Affines of the plane, arcs in numbers, and coordinates rounded as the document lists them.

Glossary
  affine    (a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f.
  OCS       object coordinate system: entities of a plane lie in axes of their own, given by the plane's normal
            (arbitrary axis algorithm of the DXF reference).
  bulge     tan(sweep / 4) of a piece of a polyline that is an arc.
"""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np

from spatial.models.sheet.drawing import Array, Box

Affine: TypeAlias = tuple[float, float, float, float, float, float]
Point2: TypeAlias = tuple[float, float]
IDENTITY: Final[Affine] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

MAX_COORDINATE: Final = 1e15
"""Coordinates beyond this are damage."""

DECIMALS: Final = 6
CIRCLE_STEPS: Final = 64
"""Strokes of a whole ellipse."""

MAX_LISTED_POINTS: Final = 2_000
"""Points that a document lists per entity; strokes have all of them."""

FEW_POINTS: Final = 12
"""Points up to which plain numbers are faster than numpy."""

SCALE_TOLERANCE: Final = 1e-6
"""Two scales that differ by less are one."""


def compose(outer: Affine, inner: Affine) -> Affine:
    """The affine that applies `inner` first, then `outer`."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, l = inner  # noqa: E741
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f)


def transform_point(m: Affine, x: float, y: float) -> tuple[float, float]:
    """One point."""
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]


def is_exact(m: Affine) -> bool:
    """Whether it turns by quarters and scales by nothing: plain arithmetic gives then what numpy gives, which else rounds once less."""
    return all(number in _EXACT for number in m[:4])


_EXACT: Final = (0.0, 1.0, -1.0)


def transform_points(m: Affine, points: Array) -> Array:
    """(n, 2) points."""
    linear = np.array(((m[0], m[1]), (m[2], m[3])))
    return np.asarray(points @ linear + (m[4], m[5]), dtype=np.float64)


def scale_of(m: Affine) -> float | None:
    """The one scale of a similarity, None where circles would become ellipses."""
    x, y = math.hypot(m[0], m[1]), math.hypot(m[2], m[3])
    skew = abs(m[0] * m[2] + m[1] * m[3])
    return x if abs(x - y) <= SCALE_TOLERANCE * x and skew <= SCALE_TOLERANCE * x * y else None


def is_mirrored(m: Affine) -> bool:
    """Whether it turns left into right."""
    return m[0] * m[3] - m[1] * m[2] < 0


def ocs_affine(extrusion: tuple[float, float, float], elevation: float = 0.0) -> Affine:
    """From the plane's axes to x and y of the world seen from above (arbitrary axis algorithm)."""
    x, y, z = extrusion
    length = math.sqrt(x * x + y * y + z * z)
    if not 0 < length < MAX_COORDINATE or (x == 0 and y == 0 and z > 0):
        return IDENTITY
    n = np.array((x, y, z)) / length
    near = abs(n[0]) < 1 / 64 and abs(n[1]) < 1 / 64
    right = np.cross((0.0, 1.0, 0.0) if near else (0.0, 0.0, 1.0), n)
    right /= np.linalg.norm(right)
    up = np.cross(n, right)
    shift = n * elevation
    return (float(right[0]), float(right[1]), float(up[0]), float(up[1]), float(shift[0]), float(shift[1]))


def rounded(value: float) -> float:
    """A number as the document lists it, to DECIMALS places."""
    return round(float(value), DECIMALS)


def clip_line(at: Point2, direction: Point2, box: Box, *, both: bool) -> tuple[Point2, Point2] | None:
    """The part of a line without end that lies in a box; `both`: to both sides of `at`. None where it passes by."""
    low, high = (-math.inf if both else 0.0), math.inf
    for place in (0, 1):
        near, far = box[place] - at[place], box[place + 2] - at[place]
        if direction[place] == 0:
            if near > 0 or far < 0:
                return None
            continue
        first, last = sorted((near / direction[place], far / direction[place]))
        low, high = max(low, first), min(high, last)
    if low >= high or math.isinf(low) or math.isinf(high):
        return None
    (x, y), (dx, dy) = at, direction
    return (x + low * dx, y + low * dy), (x + high * dx, y + high * dy)


def is_sane(m: Affine) -> bool:
    """Whether all numbers of an affine are numbers below MAX_COORDINATE."""
    return all(abs(number) < MAX_COORDINATE for number in m)


def are_sane(points: Array) -> bool:
    """Whether all coordinates of (n, 2) points are numbers below MAX_COORDINATE."""
    if len(points) <= FEW_POINTS:
        # Nearly always all of them together stay below what one may be.
        return sum(map(abs, points.ravel().tolist())) < MAX_COORDINATE or all(
            -MAX_COORDINATE < x < MAX_COORDINATE and -MAX_COORDINATE < y < MAX_COORDINATE for x, y in points.tolist()
        )
    return bool(np.abs(points).max(initial=0.0) < MAX_COORDINATE)


def bulge_arc(
    start: tuple[float, float], end: tuple[float, float], bulge: float
) -> tuple[float, float, float, float, float] | None:
    """Centre, radius and angles (counter-clockwise, degrees) of a bulged piece; None where it is straight."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = math.hypot(dx, dy)
    if abs(bulge) < 1e-9 or chord == 0 or abs(bulge) > 1e9:
        return None
    offset = (1 - bulge * bulge) / (4 * bulge)
    x = (start[0] + end[0]) / 2 - dy * offset
    y = (start[1] + end[1]) / 2 + dx * offset
    first = math.degrees(math.atan2(start[1] - y, start[0] - x))
    last = math.degrees(math.atan2(end[1] - y, end[0] - x))
    if bulge < 0:
        first, last = last, first
    return x, y, math.hypot(start[0] - x, start[1] - y), first % 360, last % 360


def arc_points(x: float, y: float, radius: float, start: float, end: float) -> Array:
    """An arc cut into pieces, counter-clockwise."""
    sweep = (end - start) % 360 or 360.0
    angles = np.radians(np.linspace(start, start + sweep, max(3, math.ceil(sweep / 360 * CIRCLE_STEPS) + 1)))
    return np.column_stack((x + radius * np.cos(angles), y + radius * np.sin(angles)))
