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
from math import comb

import numpy as np

from spatial.geometry.quadrature import Array, Index


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
    resolution = 1e-12 * max(abs(first), abs(last), 1e-300)
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
    index = [spans(spline.flat, degree, spline.first, spline.last) for spline in splines]
    owner = np.repeat(np.arange(len(splines)), [len(found) for found in index])
    flat = np.concatenate([spline.flat for spline in splines])
    poles = np.concatenate([spline.poles for spline in splines])
    at_flat = np.concatenate(index) + _offsets([len(spline.flat) for spline in splines])[owner]
    at_pole = np.concatenate(index) + _offsets([len(spline.poles) for spline in splines])[owner]
    start = np.maximum(flat[at_flat], np.array([spline.first for spline in splines])[owner])
    stop = np.minimum(flat[at_flat + 1], np.array([spline.last for spline in splines])[owner])
    controls = bezier_points(flat[at_flat[:, None] + np.arange(1 - degree, degree + 1)],
                             poles[at_pole[:, None] + np.arange(-degree, 1)], start, stop)  # fmt: skip
    return Pieces(controls, start, stop), owner


def _offsets(lengths: list[int]) -> Index:
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
    exponents = np.arange(degree + 1)
    base = t[..., None]
    values: Array = _binomials(degree) * base**exponents * (1.0 - base) ** exponents[::-1]
    return values


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
