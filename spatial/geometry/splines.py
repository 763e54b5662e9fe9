"""B-spline curves and surfaces as Bézier pieces, evaluated many at a time.

Glossary
  flat knots   every knot repeated by its multiplicity.
  span         an interval between two different consecutive knots; the curve is one (rational) polynomial there.
  piece        the Bézier form of one span: degree + 1 control points, whose hull holds the curve.
  homogeneous  control points as (w·x, w·y, w·z, w); a polynomial curve has w = 1.

Source: Piegl & Tiller, The NURBS Book, chapters 1 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import ceil, comb, floor
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array, Index

RESOLUTION: Final = 1e-12
"""Spans shorter than this, relative to the parameters, are taken for none."""


@dataclass(frozen=True)
class Pieces:
    """Bézier pieces of one degree, of any number of curves."""

    points: Array
    """(n, degree + 1, d + 1) homogeneous control points."""
    start: Array
    """(n,) parameter at which each piece begins."""
    stop: Array
    """(n,) parameter at which it ends."""

    def placed(self, origin: Array, factor: float) -> Pieces:
        """The same curves after p -> (p - origin) * factor."""
        return replace(self, points=placed_poles(self.points, origin, factor))

    def evaluate(self, piece: Index, parameter: Array) -> tuple[Array, Array]:
        """Points and first derivatives at parameters (m, k) of pieces (m,): two arrays (m, k, d)."""
        width = self.stop[piece] - self.start[piece]
        local = (parameter - self.start[piece][:, None]) / width[:, None]
        values, slopes = bernstein(self.points.shape[1] - 1, local)
        poles = self.points[piece]
        return _projected(values @ poles, slopes @ poles / width[:, None, None])

    def points_at(self, piece: Index, parameter: Array) -> Array:
        """The points alone: (m, k, d)."""
        width = self.stop[piece] - self.start[piece]
        local = (parameter - self.start[piece][:, None]) / width[:, None]
        homogeneous = _bernstein_values(self.points.shape[1] - 1, local) @ self.points[piece]
        return np.asarray(homogeneous[..., :-1] / homogeneous[..., -1:])


def placed_poles(poles: Array, origin: Array, factor: float) -> Array:
    """Homogeneous control points (..., d + 1) after p -> (p - origin) * factor."""
    weight = poles[..., -1:]
    return np.concatenate([(poles[..., :-1] - weight * origin) * factor, weight], axis=-1)


def flat_knots(knots: list[float], multiplicities: list[int]) -> Array:
    """Every knot, as often as its multiplicity says."""
    return np.repeat(np.asarray(knots, dtype=float), multiplicities)


def spans(flat: Array, degree: int, first: float, last: float) -> Index:
    """Indices i of the spans [flat[i], flat[i+1]] that overlap [first, last]."""
    inner = np.arange(degree, len(flat) - degree - 1)
    resolution = RESOLUTION * max(abs(first), abs(last))
    wide = flat[inner + 1] > flat[inner] + resolution
    return inner[wide & (flat[inner + 1] > first + resolution) & (flat[inner] < last - resolution)]


@dataclass(frozen=True)
class Spline:
    """One B-spline curve between two parameters."""

    degree: int
    flat: Array
    """(n + degree + 1,) flat knots."""
    poles: Array
    """(n, d + 1) homogeneous."""
    first: float
    last: float


def pieces(splines: list[Spline]) -> tuple[Pieces, Index]:
    """The pieces of curves of one degree, cut at the curves' ends, and the curve that each piece belongs to."""
    degree = splines[0].degree
    sizes = [len(spline.flat) for spline in splines]
    flat = np.concatenate([spline.flat for spline in splines])
    poles = np.concatenate([spline.poles for spline in splines])
    owner = np.repeat(np.arange(len(splines)), sizes)
    first, last = (np.array([getattr(spline, end) for spline in splines])[owner] for end in ("first", "last"))
    low, high = np.maximum(flat, first), np.minimum(np.append(flat[1:], np.inf), last)
    within = np.arange(len(flat)) - offsets(sizes)[owner]
    inner = (within >= degree) & (within < np.array(sizes)[owner] - degree - 1)
    at_flat = np.flatnonzero(inner & (high - low > RESOLUTION * np.maximum(np.abs(first), np.abs(last))))
    owner, start, stop = owner[at_flat], low[at_flat], high[at_flat]
    at_pole = within[at_flat] + offsets([len(spline.poles) for spline in splines])[owner]
    controls = bezier_points(flat[at_flat[:, None] + np.arange(1 - degree, degree + 1)],
                             poles[at_pole[:, None] + np.arange(-degree, 1)], start, stop)  # fmt: skip
    return Pieces(controls, start, stop), owner


def unrolled(flat: Array, degree: int, poles: Array, low: float, high: float) -> tuple[Array, Array]:
    """A periodic spline over all turns that [low, high] touches: flat knots and poles (n, ...).

    flat, poles: of one turn, as a spline that is not periodic; the poles that the seam shares stand at both ends.
    """
    first, period = flat[degree], flat[-degree - 1] - flat[degree]
    count = len(poles) - (degree + 1 - np.count_nonzero(flat == first))
    begin = floor((low - first) / period + RESOLUTION)
    end = max(ceil((high - first) / period - RESOLUTION), begin + 1)
    knot = np.arange(begin * count - degree, end * count + degree + 1)
    pole = np.arange(begin * count, end * count + degree)
    return flat[degree + knot % count] + period * (knot // count), poles[pole % count]


def offsets(lengths: list[int]) -> Index:
    """Where each of several parts of the given lengths begins when they are put one after another."""
    return np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp)


def bezier_points(knots: Array, poles: Array, start: Array, stop: Array) -> Array:
    """Control points (m, degree + 1, ...) of the Bézier form of [start, stop] within m spans.

    knots: (m, 2 degree) around each span, poles: (m, degree + 1, ...) that act on it. Control point j is the blossom of
    the span at `start` degree - j times and `stop` j times: de Boor's recursion with those arguments, all spans at once.
    """
    degree = poles.shape[1] - 1
    controls = []
    for j in range(degree + 1):
        local = poles
        for level in range(1, degree + 1):
            argument = start if level <= degree - j else stop
            local = _blossom_step(knots, level, argument, local)
        controls.append(local[:, 0])
    return np.stack(controls, axis=1)


def _blossom_step(knots: Array, level: int, argument: Array, local: Array) -> Array:
    degree = knots.shape[1] // 2
    left = knots[:, level - 1 : degree]
    right = knots[:, degree : 2 * degree - level + 1]
    weight = (argument[:, None] - left) / (right - left)
    weight = weight.reshape(weight.shape + (1,) * (local.ndim - 2))
    return (1.0 - weight) * local[:, :-1] + weight * local[:, 1:]


@cache
def _binomials(degree: int) -> Array:
    return np.array([float(comb(degree, i)) for i in range(degree + 1)])


def bernstein(degree: int, t: Array) -> tuple[Array, Array]:
    """Bernstein polynomials of a degree and their derivatives at t: two arrays t.shape + (degree + 1,)."""
    values = _bernstein_values(degree, t)
    if degree == 0:
        return values, np.zeros_like(values)
    lower = _bernstein_values(degree - 1, t)
    none = np.zeros((*t.shape, 1))
    slopes = degree * (np.concatenate([none, lower], axis=-1) - np.concatenate([lower, none], axis=-1))
    return values, slopes


def _bernstein_values(degree: int, t: Array) -> Array:
    values = np.empty((*t.shape, degree + 1))
    values[..., 0] = 1.0
    for i in range(degree):
        values[..., i + 1] = values[..., i] * t
    rest = 1.0 - t
    falling = rest
    for i in range(degree - 1, -1, -1):
        values[..., i] *= falling
        falling = falling * rest
    return values * _binomials(degree)


def basis(knots: Array, t: Array) -> tuple[Array, Array]:
    """B-spline basis functions that are not zero in a span, and their derivatives: two arrays t.shape + (degree + 1,).

    knots: (..., 2 degree) around the span of each t; broadcast against t. (The NURBS Book, A2.2.)
    """
    degree = knots.shape[-1] // 2
    values = [np.ones_like(t)]
    parts: list[Array] = []
    for level in range(1, degree + 1):
        low = [knots[..., degree - level + r] for r in range(level)]
        high = [knots[..., degree + r] for r in range(level)]
        parts = [value / (top - bottom) for value, bottom, top in zip(values, low, high, strict=True)]
        rising = [part * (t - bottom) for part, bottom in zip(parts, low, strict=True)]
        falling = [part * (top - t) for part, top in zip(parts, high, strict=True)]
        values = [falling[0], *(a + b for a, b in zip(falling[1:], rising[:-1], strict=True)), rising[-1]]
    slopes = [-parts[0], *(a - b for a, b in pairwise(parts)), parts[-1]]
    return np.stack(values, axis=-1), degree * np.stack(slopes, axis=-1)


def _projected(homogeneous: Array, slope: Array) -> tuple[Array, Array]:
    """From homogeneous points and derivatives to the curve's own."""
    weight = homogeneous[..., -1:]
    point = homogeneous[..., :-1] / weight
    return point, (slope[..., :-1] - point * slope[..., -1:]) / weight


def halves(points: Array) -> tuple[Array, Array]:
    """Control points (n, degree + 1, ...) of the two halves of each piece (de Casteljau)."""
    left, right = [points[:, 0]], [points[:, -1]]
    level = points
    while level.shape[1] > 1:
        level = (level[:, :-1] + level[:, 1:]) / 2.0
        left.append(level[:, 0])
        right.append(level[:, -1])
    return np.stack(left, axis=1), np.stack(right[::-1], axis=1)
