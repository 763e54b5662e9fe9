"""Where the pieces of a surface meet: the parameters between which it is smooth.

Glossary
  side    "U" or "V", one of the two parameters of a surface.
  span    the part of a side between two consecutive knots; a surface without knots has one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Shape, GeomAbs_SurfaceType
from OCP.TColStd import TColStd_Array1OfReal

from spatial.geometry.quadrature import Array
from spatial.models.brep.curves import UNBOUNDED

_SPLINES: Final = (GeomAbs_SurfaceType.GeomAbs_BSplineSurface, GeomAbs_SurfaceType.GeomAbs_BezierSurface)

_MARGIN: Final = 1e-6
"""A knot this near to an end, as a part of the range, is that end."""

_LEAST_SPANS: Final = 4
"""Fewest patches of a side of a spline: one span may hold a few local maxima."""

_OTHER_SPANS: Final = 8
"""Fewest patches of a side of any other surface (offset, revolved): an eighth of a turn holds one."""


def is_straight(surface: BRepAdaptor_Surface, side: str) -> bool:
    """Whether a surface runs straight along a side, from knot to knot."""
    return surface.GetType() in _SPLINES and getattr(surface, f"{side}Degree")() == 1


def span_count(surface: BRepAdaptor_Surface, side: str) -> int:
    """How many spans a side has."""
    return int(getattr(surface, f"Nb{side}Intervals")(GeomAbs_Shape.GeomAbs_CN))


def patch_borders(surface: BRepAdaptor_Surface, side: str, low: float, high: float) -> Array:
    """Ascending parameters from low to high: the knots, and others between them where the surface is curved."""
    inside = _marks(surface, side)
    if getattr(surface, f"Is{side}Periodic")():
        period = getattr(surface, f"{side}Period")()
        turns = np.arange(np.floor((low - inside[0]) / period), np.ceil((high - inside[0]) / period) + 1)
        inside = np.unique((inside + period * turns[:, None]).ravel())
    margin = _MARGIN * (high - low)
    inside = inside[(inside > low + margin) & (inside < high - margin)]
    apart = np.diff(inside, prepend=-np.inf) > margin
    return np.concatenate([[low], inside[apart], [high]])


def _marks(surface: BRepAdaptor_Surface, side: str) -> Array:
    """The knots of a side, and evenly spaced parameters; none of a side without end."""
    first, last = getattr(surface, f"First{side}Parameter")(), getattr(surface, f"Last{side}Parameter")()
    if last - first > UNBOUNDED:
        return np.zeros(0)
    knots = _knots(surface, side)
    if is_straight(surface, side):
        return knots
    spans = _LEAST_SPANS if surface.GetType() in _SPLINES else _OTHER_SPANS
    return np.union1d(knots, np.linspace(first, last, spans + 1)) if len(knots) <= spans else knots


def _knots(surface: BRepAdaptor_Surface, side: str) -> Array:
    count = span_count(surface, side)
    knots = TColStd_Array1OfReal(1, count + 1)
    getattr(surface, f"{side}Intervals")(knots, GeomAbs_Shape.GeomAbs_CN)
    return np.array([knots.Value(number) for number in range(1, count + 2)])
