"""HATCH: its boundary paths, curves cut into pieces. Pattern lines are never made.

Glossary
  path      one closed boundary: a polyline with bulges, or a ring of edges.
  edge      a line, a circular arc, an elliptic arc or a B-spline of a path.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from spatial.formats.dxf import plane
from spatial.formats.dxf.curved_shapes import Ellipse, Hatch
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.polylines import BulgedPolyline
from spatial.formats.dxf.shape import Shape
from spatial.formats.dxf.spline import b_spline
from spatial.formats.dxf.tags import Record
from spatial.models.sheet.drawing import Array

PATHS: Final = 5_000
EDGES: Final = 100_000
"""Hatches with more are cut off."""

_POLYLINE: Final = 2


class _Pairs:
    """The pairs of a record, read one after the other."""

    def __init__(self, record: Record) -> None:
        self.codes, self.values, self.at = record.codes, record.values, 0

    def seek(self, code: int) -> Value | None:
        """The next value of this code; None where there is none."""
        try:
            place = self.codes.index(code, self.at)
        except ValueError:
            return None
        self.at = place + 1
        return self.values[place]

    def number(self, code: int) -> float:
        value = self.seek(code)
        if value is None:
            raise ValueError(f"the hatch has no further group {code}")
        return float(value)

    def whole(self, code: int) -> int:
        return int(self.number(code))

    def next_is(self, code: int) -> bool:
        return self.at < len(self.codes) and self.codes[self.at] == code

    def point(self, code: int) -> tuple[float, float]:
        return self.number(code), self.number(code + 10)


def hatch_shape(record: Record) -> Shape | None:
    """The shape of a HATCH; a path that is damaged ends the reading of paths."""
    pairs = _Pairs(record)
    paths: list[Array] = []
    try:
        for _ in range(min(pairs.whole(91), PATHS)):
            path = _path(pairs)
            if len(path) > 1:
                paths.append(path)
    except (ValueError, OverflowError, ArithmeticError):
        pass
    if not paths:
        return None
    shape = Hatch(paths, bool(record.whole(70)), record.name(2))
    extrusion = (record.number(210), record.number(220), record.number(230, 1.0))
    turn = plane.ocs_affine(extrusion, record.number(30))
    return shape if turn is plane.IDENTITY else shape.moved(turn)


def _path(pairs: _Pairs) -> Array:
    flags = pairs.whole(92)
    if flags & _POLYLINE:
        return _polyline(pairs)
    edges = [_edge(pairs) for _ in range(min(pairs.whole(93), EDGES))]
    pieces = [edge for edge in edges if len(edge)]
    return np.vstack(pieces) if pieces else np.zeros((0, 2))


def _polyline(pairs: _Pairs) -> Array:
    bulged = bool(pairs.whole(72))
    closed = bool(pairs.whole(73))
    count = min(pairs.whole(93), EDGES)
    points: list[tuple[float, float]] = []
    bulges: list[float] = []
    for _ in range(count):
        points.append(pairs.point(10))
        bulges.append(pairs.number(42) if bulged and pairs.next_is(42) else 0.0)
    array = np.array(points).reshape(-1, 2)
    return BulgedPolyline(array, bulges, closed).flattened() if any(bulges) else array


def _edge(pairs: _Pairs) -> Array:
    kind = pairs.whole(72)
    if kind == 1:
        return np.array((pairs.point(10), pairs.point(11)))
    if kind == 2:
        return _arc(pairs)
    if kind == 3:
        return _ellipse(pairs)
    if kind == 4:
        return _spline(pairs)
    raise ValueError(f"a hatch has no edges of type {kind}")


def _arc(pairs: _Pairs) -> Array:
    x, y = pairs.point(10)
    radius, start, end = pairs.number(40), pairs.number(50), pairs.number(51)
    if pairs.whole(73):
        return plane.arc_points(x, y, radius, start, end)
    # A clockwise edge counts its angles clockwise, too.
    return plane.arc_points(x, y, radius, -end, -start)[::-1]


def _ellipse(pairs: _Pairs) -> Array:
    center, major = pairs.point(10), pairs.point(11)
    ratio, start, end = pairs.number(40), math.radians(pairs.number(50)), math.radians(pairs.number(51))
    minor = (-major[1] * ratio, major[0] * ratio)
    if pairs.whole(73):
        return Ellipse(center, major, minor, start, end).flattened()
    return Ellipse(center, major, minor, -end, -start).flattened()[::-1]


def _spline(pairs: _Pairs) -> Array:
    degree, rational = pairs.whole(94), pairs.whole(73)
    pairs.whole(74)
    knot_count, count = min(pairs.whole(95), EDGES), min(pairs.whole(96), EDGES)
    knots = np.array([pairs.number(40) for _ in range(knot_count)])
    control: list[tuple[float, float]] = []
    weights: list[float] = []
    for _ in range(count):
        control.append(pairs.point(10))
        if rational and pairs.next_is(42):
            weights.append(pairs.number(42))
    poles = np.array(control).reshape(-1, 2)
    flat = b_spline(degree, poles, knots, weights if len(weights) == len(poles) else [])
    return poles if flat is None else flat
