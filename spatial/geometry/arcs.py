"""Circles and arcs recovered from what exporters make of them: Bézier curves, and chains of short straight pieces.

Glossary
  chain    points that are joined by straight pieces, one after the other.
  run      a stretch of pieces of one chain that may be one arc: it turns one way, by small steps of like length.
  arc      centre x, centre y, radius, start angle, end angle: degrees, counter-clockwise, as `drawing.sheet.Arcs` has them.
  sweep    the signed angle that a run or curve goes round its centre, in radians; positive is counter-clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.columns import scalar_products

Array: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

GRID: Final = 0.08
"""SolidWorks rounds to 0.1 point: points of a true circle are this far off it."""
STEP: Final = np.radians(37.0)
"""A chain that turns more at a corner is a polygon; circles of eight chords are taken where they are small."""
STRAIGHT: Final = np.radians(0.2)
"""Pieces that turn by no more than this are one straight line."""
SMALL: Final = 8.0
"""Radius in points up to which eight chords are a circle: hexagons stay hexagons."""
PIECES: Final = 4
"""Fewer straight pieces are no arc."""
HALF: Final = np.radians(150.0)
"""A cubic curve cannot follow an arc of this sweep better than to some percent."""
WHOLE: Final = np.radians(357.0)
"""A sweep from here on is a whole circle."""


@dataclass(frozen=True, slots=True)
class Fits:
    """Circles through k groups of points."""

    centre: Array
    """(k, 2); not finite where the points are on one line."""
    radius: Array
    """(k,)"""
    residual: Array
    """(k,) the greatest distance of a point from its circle."""
    sweep: Array
    """(k,)"""
    steady: Flags
    """(k,) whether it goes round one way only."""
    step: Array
    """(k,) the greatest angle of one piece."""

    def round(self) -> Flags:
        """Which of them are arcs, and no polygons, nearly straight lines or freehand curves."""
        size = np.abs(self.sweep)
        slack = 0.003 * self.radius + np.minimum(GRID, 0.05 * self.radius)
        rise = self.radius * (1.0 - np.cos(np.minimum(size, np.pi) / 2.0))
        coarse = np.where(self.radius < SMALL, np.radians(47.0), STEP)
        good = np.isfinite(self.radius) & self.steady & (self.residual <= slack) & (self.step <= coarse)
        arc: Flags = good & (rise > np.maximum(4.0 * self.residual, 0.02 * self.radius)) & (size < np.radians(370.0))
        return arc


def fitted(points: Array, first: Indices, count: Indices) -> Fits:
    """Circles of least squares (Kåsa) through points[first : first + count] for each group.

    points: (n, 2); first, count: (k,), count at least 3.
    """
    size = np.maximum(count, 1)
    begin = np.concatenate([[0], np.cumsum(size)[:-1]]).astype(np.int64)
    place = np.arange(int(size.sum())) - np.repeat(begin - first, size)
    mean = np.add.reduceat(points[place], begin) / size[:, None]
    local = points[place] - np.repeat(mean, size, axis=0)
    u, v = local[:, 0], local[:, 1]
    square = u * u + v * v
    uu, vv, uv, ur, vr = (np.add.reduceat(term, begin) for term in (u * u, v * v, u * v, u * square, v * square))
    with np.errstate(all="ignore"):
        across = uu * vv - uv * uv
        across = np.where(across > 1e-9 * (uu + vv) ** 2, across, np.nan)
        a, b = (ur * vv - vr * uv) / (2.0 * across), (vr * uu - ur * uv) / (2.0 * across)
        radius = np.sqrt(a * a + b * b + (uu + vv) / size)
        arm = local - np.repeat(np.stack([a, b], axis=1), size, axis=0)
        off = np.abs(np.hypot(arm[:, 0], arm[:, 1]) - np.repeat(radius, size))
        turn = np.zeros(len(arm))
        cross = arm[:-1, 0] * arm[1:, 1] - arm[:-1, 1] * arm[1:, 0]
        turn[1:] = np.arctan2(cross, scalar_products(arm[:-1], arm[1:]))
        turn[begin] = 0.0
        sweep = np.add.reduceat(turn, begin)
        steady = np.abs(sweep) >= 0.999 * np.add.reduceat(np.abs(turn), begin)
    return Fits(
        mean + np.stack([a, b], axis=1),
        radius,
        np.maximum.reduceat(off, begin),
        np.nan_to_num(sweep),
        steady,
        np.maximum.reduceat(np.abs(turn), begin),
    )


def angles(centre: Array, sweep: Array, start: Array, end: Array) -> Array:
    """(k, 2) start and end angle, counter-clockwise, of arcs that go from start to end (k, 2) by sweep."""
    left, right = np.where(sweep[:, None] >= 0.0, start, end), np.where(sweep[:, None] >= 0.0, end, start)
    begin, stop = _direction(left - centre), _direction(right - centre)
    stop[stop == 0.0] = 360.0
    whole = np.abs(sweep) >= WHOLE
    return np.stack([np.where(whole, 0.0, begin), np.where(whole, 360.0, stop)], axis=1)


def _direction(arm: Array) -> Array:
    """In [0, 360); a twentieth of a degree beside an axis is on it."""
    direction = np.degrees(np.arctan2(arm[:, 1], arm[:, 0]))
    axis = np.round(direction / 90.0) * 90.0
    snapped: Array = np.where(np.abs(direction - axis) < 0.05, axis, direction) % 360.0
    return snapped


def runs(ends: Array, joined: Flags) -> tuple[Indices, Indices, Array, Array]:
    """The arcs among straight pieces.

    ends: (n, 4) pieces in drawing order; joined: (n,) whether a piece begins where the one before it ends.
    Returns first and count (k,) of the pieces of each arc, the arcs (k, 5) and their sweeps (k,).
    """
    found: list[tuple[Indices, Indices, Array, Array]] = []
    first, count = _groups(joined)
    if int(count.max(initial=0)) < PIECES:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros((0, 5)), np.zeros(0)
    whole = _accepted(ends, first, count, found)
    taken = np.repeat(whole, count)
    first, count = _groups(joined & _smooth(ends, joined) & ~taken)
    rest = ~taken[first]
    _accepted(ends, first[rest], count[rest], found)
    parts = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(parts[0], kind="stable")
    return parts[0][order], parts[1][order], parts[2][order], parts[3][order]


def _groups(joined: Flags) -> tuple[Indices, Indices]:
    """First and count of the stretches that are joined."""
    first = np.flatnonzero(~joined) if len(joined) else np.zeros(0, np.int64)
    if len(joined) and (not len(first) or first[0] != 0):
        first = np.concatenate([[0], first])
    return first, np.diff(np.append(first, len(joined)))


def _accepted(ends: Array, first: Indices, count: Indices, found: list[tuple[Indices, Indices, Array, Array]]) -> Flags:
    """Keep the stretches that are arcs in `found`; say of all stretches whether they are."""
    good = np.zeros(len(first), bool)
    enough = np.flatnonzero(count >= PIECES)
    none = np.zeros(0, np.int64)
    if not len(enough):
        found.append((none, none, np.zeros((0, 5)), np.zeros(0)))
        return good
    first, count = first[enough], count[enough]
    points, start = _points(ends, first, count)
    fits = fitted(points, start, count + 1)
    arc = fits.round()
    good[enough] = arc
    head, tail = ends[first, :2], ends[first + count - 1, 2:]
    spans = angles(fits.centre, fits.sweep, head, tail)
    circles = np.column_stack([fits.centre, fits.radius, spans])
    found.append((first[arc], count[arc], circles[arc], fits.sweep[arc]))
    return good


def _points(ends: Array, first: Indices, count: Indices) -> tuple[Array, Indices]:
    """The points of stretches of pieces, one after the other, and where each stretch begins."""
    start = np.concatenate([[0], np.cumsum(count + 1)[:-1]]).astype(np.int64)
    total = int((count + 1).sum())
    points = np.empty((total, 2))
    last = start + count
    inner = np.ones(total, bool)
    inner[last] = False
    piece = np.repeat(first, count) + np.arange(int(count.sum())) - np.repeat(start - np.arange(len(start)), count)
    points[inner] = ends[piece, :2]
    points[last] = ends[first + count - 1, 2:]
    return points, start


def _smooth(ends: Array, joined: Flags) -> Flags:
    """Whether each piece goes on from the one before as an arc does: a small turn the same way, a like length."""
    along = ends[:, 2:] - ends[:, :2]
    length = np.hypot(along[:, 0], along[:, 1])
    turn = np.zeros(len(ends))
    cross = along[:-1, 0] * along[1:, 1] - along[:-1, 1] * along[1:, 0]
    turn[1:] = np.arctan2(cross, scalar_products(along[:-1], along[1:]))
    with np.errstate(all="ignore"):
        shorter = np.minimum(length[1:], length[:-1])
        noise = np.minimum(0.6, 2.0 * GRID / np.maximum(shorter, 1e-9))
        even = np.maximum(length[1:], length[:-1]) < 2.2 * shorter + 2.0 * GRID
    calm = np.zeros(len(ends), bool)
    calm[1:] = even & (np.abs(turn[1:]) <= STEP + noise)
    same = np.ones(len(ends), bool)
    same[2:] = (turn[2:] * turn[1:-1] > 0.0) | (np.abs(turn[2:]) < noise[1:]) | (np.abs(turn[1:-1]) < noise[:-1])
    return calm & (same | ~np.roll(joined & calm, 1))


def bending(ends: Array, joined: Flags) -> Flags:
    """Whether each piece is of a stretch of six or more that bends smoothly: a spline that was cut into chords.

    A stretch without any turn is a straight line: the rule of a table that was drawn row by row.
    """
    first, count = _groups(joined & _smooth(ends, joined))
    if not len(count):
        return np.zeros(len(ends), bool)
    along = ends[:, 2:] - ends[:, :2]
    turn = np.zeros(len(ends))
    cross = along[:-1, 0] * along[1:, 1] - along[:-1, 1] * along[1:, 0]
    turn[1:] = np.abs(np.arctan2(cross, scalar_products(along[:-1], along[1:])))
    turn[first] = 0.0
    bends = np.maximum.reduceat(turn, first) > STRAIGHT
    return np.repeat((count >= 6) & bends, count)


def of_beziers(control: Array) -> tuple[Array, Array]:
    """The arcs that cubic Bézier curves draw: arcs (n, 5), not finite where a curve is no arc, and their sweeps (n,).

    control: (n, 8) four points each.
    """
    steps = np.linspace(0.0, 1.0, 9)
    points = bezier_points(control, steps)
    count = len(control)
    if not count:
        return np.zeros((0, 5)), np.zeros(0)
    fits = fitted(points.reshape(-1, 2), np.arange(count) * 9, np.full(count, 9))
    with np.errstate(all="ignore"):
        size = np.abs(fits.sweep)
        rise = fits.radius * (1.0 - np.cos(size / 2.0))
        arc = (
            fits.steady
            & (fits.residual <= np.where(size > HALF, 0.02, 0.004) * fits.radius + 0.02)
            & (rise > 4.0 * fits.residual)
        )
        arc &= (size > np.radians(2.0)) & (size < np.radians(200.0)) & (fits.residual < 0.05 * fits.radius)
        spans = angles(fits.centre, fits.sweep, points[:, 0], points[:, -1])
    circles = np.column_stack([fits.centre, fits.radius, spans])
    circles[~arc] = np.nan
    return circles, fits.sweep


def bezier_points(control: Array, at: Array) -> Array:
    """(n, k, 2) points of cubic curves (n, 8) at parameters (k,)."""
    t = at[None, :, None]
    p = control.reshape(-1, 4, 1, 2)
    s = 1.0 - t
    points: Array = s**3 * p[:, 0] + 3.0 * s * s * t * p[:, 1] + 3.0 * s * t * t * p[:, 2] + t**3 * p[:, 3]
    return points


def ellipse(control: Array) -> tuple[float, float, float, float, float] | None:
    """Centre x and y, greater and lesser half axis and the greater one's direction in degrees, of four joined curves.

    control: (4, 8). Four Bézier curves at conjugate diameters are how every exporter writes a whole ellipse.
    """
    corner = control[:, :2]
    centre = corner.mean(axis=0)
    one, two = corner[0] - centre, corner[1] - centre
    size = float(np.hypot(*one) + np.hypot(*two))
    if not size > 0.0:
        return None
    middle = bezier_points(control, np.array([0.5]))[:, 0]
    quarter = np.sqrt(0.5)
    wanted = np.array([one + two, two - one, -one - two, one - two]) * quarter + centre
    closed = np.abs(control[3, 6:] - corner[0]).max() <= 0.01 * size
    if not closed or not np.abs(middle - wanted).max() <= 0.02 * size:
        return None
    if not np.abs(corner[2] + corner[0] - 2.0 * centre).max() <= 0.02 * size:
        return None
    axes, lengths, _ = np.linalg.svd(np.column_stack([one, two]))
    direction = float(np.degrees(np.arctan2(axes[1, 0], axes[0, 0])) % 180.0)
    return float(centre[0]), float(centre[1]), float(lengths[0]), float(lengths[1]), direction


def merged(circles: Array, sweep: Array, follows: Flags) -> tuple[Array, Array, Indices]:
    """Arcs that go on along one circle, as one arc.

    follows: (n,) whether an arc begins where the one before it ends. Returns the arcs, their sweeps, and of each arc that
    was given its place among those returned.
    """
    if not len(circles):
        return circles, sweep, np.zeros(0, np.int64)
    near = np.zeros(len(circles), bool)
    off = np.abs(np.diff(circles[:, :3], axis=0)).max(axis=1, initial=0.0)
    near[1:] = off <= 0.02 * circles[1:, 2] + GRID
    near[1:] &= np.sign(sweep[1:]) == np.sign(sweep[:-1])
    goes_on = near & follows
    first, count = _groups(goes_on)
    total = np.add.reduceat(sweep, first)
    last = first + count - 1
    joined = circles[first].copy()
    weight = np.abs(sweep)[:, None]
    joined[:, :3] = np.add.reduceat(circles[:, :3] * weight, first) / np.add.reduceat(weight, first)
    positive = total >= 0.0
    joined[:, 3] = np.where(positive, circles[first, 3], circles[last, 3])
    joined[:, 4] = np.where(positive, circles[last, 4], circles[first, 4])
    whole = np.abs(total) >= WHOLE
    joined[whole, 3], joined[whole, 4] = 0.0, 360.0
    return joined, total, np.repeat(np.arange(len(first)), count)


def closed(circles: Array, kin: Flags) -> tuple[Array, Indices]:
    """Circles that are drawn as two arcs, one after the other and either way round, as one circle.

    kin: (n,) whether an arc is drawn like the one before it. Returns the arcs and of each that was given its place.
    """
    if len(circles) < 2:
        return circles, np.arange(len(circles))
    span = (circles[:, 4] - circles[:, 3]) % 360.0
    off = np.abs(np.diff(circles[:, :3], axis=0)).max(axis=1)
    pair = np.zeros(len(circles), bool)
    pair[1:] = kin[1:] & (off <= 0.02 * circles[1:, 2] + GRID) & (np.abs(span[1:] + span[:-1] - 360.0) < 4.0)
    turned = np.abs((circles[1:, 3] - circles[:-1, 4] + 180.0) % 360.0 - 180.0)
    pair[1:] &= turned < 4.0
    pair[1:] &= ~pair[:-1]
    whole = circles.copy()
    before = np.flatnonzero(pair) - 1
    whole[before, :3] = (circles[before, :3] + circles[before + 1, :3]) / 2.0
    whole[before, 3:] = 0.0, 360.0
    return whole[~pair], np.cumsum(~pair) - 1


def sweeps(circles: Array) -> Array:
    """(n,) degrees that each arc turns, in (0, 360]; circles: (n, 5)."""
    sweep: Array = np.mod(circles[:, 4] - circles[:, 3], 360.0)
    return np.where(sweep == 0.0, 360.0, sweep)


def on_arcs(circles: Array, part: Array | float) -> Array:
    """(n, 2) the point of each arc after a part of its sweep."""
    turn = np.radians(circles[:, 3] + part * sweeps(circles))
    on: Array = circles[:, :2] + circles[:, 2, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return on
