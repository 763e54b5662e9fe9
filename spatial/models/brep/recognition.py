"""Analytic surfaces in faces that are written as splines, extrusions, revolutions or offsets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import degrees
from typing import Any, Final

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Pnt, gp_Vec
from OCP.Precision import Precision
from OCP.TopoDS import TopoDS_Face

from spatial.contract.extraction import SurfaceType
from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.geometry.recognition import deviation, recognise
from spatial.geometry.vectors import cross, perpendicular
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.patches import patch_borders

RECOGNISED: Final[frozenset[SurfaceType]] = frozenset(
    {"bspline", "bezier", "revolution", "extrusion", "offset", "other"}
)
"""Kinds of surface in which another one may be recognised."""

TOLERANCE: Final = 1e-3
"""Millimetres: a tenth of the finest tolerance of a common machine; a crown or draft that is meant is more."""

RELATIVE_TOLERANCE: Final = 1e-4
"""The same as a part of the face's size, for small faces."""

EXACT: Final = 1e-10
"""Deviation, as a part of the size of what is measured, up to which closed forms take the place of quadrature: rounding."""

_FEW: Final = 4
"""Places per parameter at which a surface is looked at first: most freeform surfaces fail there."""

MOST_PLACES: Final = 20_000
"""Places at most, where the first look finds something; a surface of more pieces stays what it is."""


@dataclass(frozen=True)
class Canonical:
    """The analytic surface that a face lies on."""

    fitted: AnalyticSurface

    @property
    def kind(self) -> SurfaceType:
        """What a document calls it."""
        return self.fitted.kind

    @property
    def parameters(self) -> dict[str, Any]:
        """As `surfaces.parameters`: millimetres and degrees, names of the contract's Face."""
        return _PARAMETERS[self.fitted.kind](self.fitted)

    @property
    def frame(self) -> Array:
        """(4, 3): origin, x, y and z; x × y shows the side of the surface's own normals."""
        z = self.fitted.axis
        x = perpendicular(z)
        return np.array([self.fitted.origin, x, cross(z, x) * self.fitted.outward, z])

    @property
    def profile(self) -> tuple[float, ...]:
        """See `Revolutes`: of a cylinder or cone."""
        return (
            self.fitted.radius,
            float(np.sin(self.fitted.half_angle)),
            0.0,
            float(np.cos(self.fitted.half_angle)),
            0.0,
        )


def canonical(face: TopoDS_Face, surface: BRepAdaptor_Surface) -> Canonical | None:
    """The analytic surface of a face; None where it lies on none."""
    low_u, high_u, low_v, high_v = bounds = BRepTools.UVBounds_s(face)
    if any(Precision.IsInfinite_s(limit) for limit in bounds) or not (high_u > low_u and high_v > low_v):
        return None
    try:
        points, normals = _samples(surface, np.linspace(low_u, high_u, _FEW), np.linspace(low_v, high_v, _FEW))
        found = _recognised(points, normals)
        if found is None:
            return None
        u, v = _places(surface, "U", low_u, high_u), _places(surface, "V", low_v, high_v)
        if len(u) * len(v) > MOST_PLACES:
            return None
        points = _points(surface, u, v)
        furthest = deviation(found, points)
        if furthest > EXACT * _size(points):
            found = _recognised(*_samples(surface, u, v))
        else:
            found = replace(found, deviation=furthest)
    except KERNEL_ERRORS:
        return None
    return None if found is None else Canonical(found)


def _places(surface: BRepAdaptor_Surface, side: str, low: float, high: float) -> Array:
    """Ascending parameters from low to high: the knots, where there may be kinks, and a place between each two."""
    borders = patch_borders(surface, side, low, high)
    return np.sort(np.concatenate([borders, (borders[1:] + borders[:-1]) / 2.0]))


def _recognised(points: Array, normals: Array) -> AnalyticSurface | None:
    if len(points) < _FEW:
        return None
    size = _size(points)
    return recognise(points, normals, EXACT * size, min(TOLERANCE, RELATIVE_TOLERANCE * size))


def _size(points: Array) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _points(surface: BRepAdaptor_Surface, u: Array, v: Array) -> Array:
    """(n, 3), those of `_samples` and where it leaves some out: their normals take twice as long as they."""
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    rows = []
    for a in u.tolist():
        for b in v.tolist():
            surface.D1(a, b, point, along_u, along_v)
            rows.append(point.Coord())
    return np.array(rows)


def _samples(surface: BRepAdaptor_Surface, u: Array, v: Array) -> tuple[Array, Array]:
    """Points and unit normals; without those at which the surface has no normal, as at a pole."""
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    rows = []
    for a in u.tolist():
        for b in v.tolist():
            surface.D1(a, b, point, along_u, along_v)
            rows.append((point.Coord(), along_u.Coord(), along_v.Coord()))
    found = np.array(rows)
    normals = cross(found[:, 1], found[:, 2])
    length = np.linalg.norm(normals, axis=1)
    kept = length > 1e-9 * max(float(length.max()), 1e-300)
    return found[kept, 0], normals[kept] / length[kept, None]


def _tuple(vector: Array) -> tuple[float, ...]:
    return tuple(vector.tolist())


_PARAMETERS: Final[dict[str, Callable[[AnalyticSurface], dict[str, Any]]]] = {
    "plane": lambda found: {"origin": _tuple(found.origin), "normal": _tuple(found.axis)},
    "cylinder": lambda found: {
        "origin": _tuple(found.origin),
        "axis": _tuple(found.axis),
        "radius": found.radius,
    },
    "cone": lambda found: {
        "origin": _tuple(found.origin),
        "axis": _tuple(found.axis),
        "radius": found.radius,
        "half_angle": degrees(found.half_angle),
    },
    "sphere": lambda found: {"origin": _tuple(found.origin), "radius": found.radius},
    "torus": lambda found: {
        "origin": _tuple(found.origin),
        "axis": _tuple(found.axis),
        "major_radius": found.major_radius,
        "minor_radius": found.radius,
    },
}
