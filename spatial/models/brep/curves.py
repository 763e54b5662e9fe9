"""Curves of edges, out of the kernel and into arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from OCP.Geom2dAdaptor import Geom2dAdaptor_Curve
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.GeomAdaptor import GeomAdaptor_Curve
from OCP.gp import gp_Pnt, gp_Pnt2d, gp_Vec, gp_Vec2d

from spatial.geometry.curves import CurveTable, PointAndTangent
from spatial.geometry.quadrature import Array
from spatial.geometry.splines import Spline, flat_knots, unrolled

CONTINUED: Final = 0.01
"""How far beyond its knots a spline is continued, as part of their range; one that goes on further is evaluated point by point."""

Adaptor = Any
"""BRepAdaptor_Curve, GeomAdaptor_Curve, or their two-dimensional sisters: all answer the same questions."""

UNBOUNDED: Final = 1e50
"""A parameter beyond this is the kernel's infinity (Precision::Infinite is 2e100)."""


class Unusable(Exception):
    """A curve or surface that cannot be put into arrays."""


def add(table: CurveTable, curve: Adaptor) -> int:
    """Put a trimmed curve into the table.

    Raises: Unusable for a curve without end.
    """
    first, last = curve.FirstParameter(), curve.LastParameter()
    if max(abs(first), abs(last)) > UNBOUNDED:
        raise Unusable("the curve has no end")
    reader = _READERS.get(curve.GetType().value, _sampled)
    return reader(table, curve, first, last)


def _line(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    return table.line(curve.Value(first).Coord(), curve.Value(last).Coord())


def _circle(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    circle = curve.Circle()
    return table.arc(_frame(circle, circle.Radius(), circle.Radius()), first, last)


def _ellipse(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    ellipse = curve.Ellipse()
    return table.arc(_frame(ellipse, ellipse.MajorRadius(), ellipse.MinorRadius()), first, last)


def _frame(conic: Any, x_radius: float, y_radius: float) -> tuple[tuple[float, ...], ...]:
    x = tuple(x_radius * c for c in conic.XAxis().Direction().Coord())
    y = tuple(y_radius * c for c in conic.YAxis().Direction().Coord())
    return conic.Location().Coord(), x, y


def _bspline(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    spline = curve.BSpline()
    periodic = spline.IsPeriodic()
    if periodic:
        spline = spline.Copy()
        spline.SetNotPeriodic()
    count = spline.NbKnots()
    flat = flat_knots(
        [spline.Knot(i) for i in range(1, count + 1)], [spline.Multiplicity(i) for i in range(1, count + 1)]
    )
    degree, points = spline.Degree(), poles(spline)
    if periodic:
        flat, points = unrolled(flat, degree, points, first, last)
    reach = CONTINUED * (flat[-1] - flat[0])
    if first < flat[degree] - reach or last > flat[-degree - 1] + reach:
        return _sampled(table, curve, first, last)
    return table.spline(Spline(degree, flat, points, first, last))


def _bezier(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    bezier = curve.Bezier()
    flat = np.repeat([0.0, 1.0], bezier.Degree() + 1)
    return table.spline(Spline(bezier.Degree(), flat, poles(bezier), first, last))


def poles(spline: Any) -> Array:
    """Homogeneous control points (n, d + 1) of a B-spline or Bézier curve."""
    index = range(1, spline.NbPoles() + 1)
    points = np.array([spline.Pole(i).Coord() for i in index])
    if not spline.IsRational():
        return np.concatenate([points, np.ones((len(points), 1))], axis=1)
    weight = np.array([spline.Weight(i) for i in index])[:, None]
    return np.concatenate([points * weight, weight], axis=1)


def _sampled(table: CurveTable, curve: Adaptor, first: float, last: float) -> int:
    return table.sampled(_evaluator(curve), first, last)


def _evaluator(curve: Adaptor) -> PointAndTangent:
    flat = isinstance(curve, Geom2dAdaptor_Curve)
    point, tangent = (gp_Pnt2d(), gp_Vec2d()) if flat else (gp_Pnt(), gp_Vec())

    def evaluate(parameter: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        curve.D1(parameter, point, tangent)
        return point.Coord(), tangent.Coord()

    return evaluate


def basis_table(curve: Any, first: float, last: float) -> CurveTable:
    """A table of one curve of space, between two parameters."""
    table = CurveTable()
    add(table, GeomAdaptor_Curve(curve, first, last))
    return table


_READERS: Final[dict[int, Callable[[CurveTable, Adaptor, float, float], int]]] = {
    GeomAbs_CurveType.GeomAbs_Line.value: _line,
    GeomAbs_CurveType.GeomAbs_Circle.value: _circle,
    GeomAbs_CurveType.GeomAbs_Ellipse.value: _ellipse,
    GeomAbs_CurveType.GeomAbs_BSplineCurve.value: _bspline,
    GeomAbs_CurveType.GeomAbs_BezierCurve.value: _bezier,
}
"""By the values of the kernel's curve types, because its enumerations are slow keys."""
