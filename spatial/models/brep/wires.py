"""Curves that bound no face."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.geometry.curves import CurveTable
from spatial.geometry.quadrature import Array, Index, integrate
from spatial.models.brep import curves
from spatial.models.brep.curves import Unusable
from spatial.models.brep.kernel_errors import KERNEL_ERRORS

KINDS: Final[dict[Any, str]] = {
    GeomAbs_CurveType.GeomAbs_Line: "line",
    GeomAbs_CurveType.GeomAbs_Circle: "circle",
    GeomAbs_CurveType.GeomAbs_Ellipse: "ellipse",
    GeomAbs_CurveType.GeomAbs_Hyperbola: "hyperbola",
    GeomAbs_CurveType.GeomAbs_Parabola: "parabola",
    GeomAbs_CurveType.GeomAbs_BezierCurve: "bezier",
    GeomAbs_CurveType.GeomAbs_BSplineCurve: "bspline",
    GeomAbs_CurveType.GeomAbs_OffsetCurve: "offset",
}
"""What the kernel's curve types are called in a document; any other one is `other`."""

_LENGTH_ERROR: Final = 1e-10


def table(shape: TopoDS_Shape) -> CurveTable:
    """The curve of an edge; none where it has none that can be used."""
    found = CurveTable()
    if shape.ShapeType() == TopAbs_ShapeEnum.TopAbs_EDGE:
        with suppress(Unusable, *KERNEL_ERRORS):
            curves.add(found, BRepAdaptor_Curve(TopoDS.Edge_s(shape)))
    return found


def point(shape: TopoDS_Shape) -> Array:
    """(1, 3) where a vertex is; (0, 3) for anything else."""
    if shape.ShapeType() != TopAbs_ShapeEnum.TopAbs_VERTEX:
        return np.zeros((0, 3))
    return np.array([BRep_Tool.Pnt_s(TopoDS.Vertex_s(shape)).Coord()])


def describe(shape: TopoDS_Shape) -> tuple[str, float | None]:
    """Kind and length (millimetres) of an edge; no length where its curve cannot be used."""
    try:
        kind = KINDS.get(BRepAdaptor_Curve(TopoDS.Edge_s(shape)).GetType(), "other")
    except KERNEL_ERRORS:
        return "other", None
    groups = table(shape).groups()
    return kind, sum(_length(group) for group in groups) if groups else None


def _length(group: Any) -> float:
    def speed(panel: Index, parameter: Array) -> Array:
        _, tangent = group.evaluate(panel, parameter)
        return np.asarray(np.linalg.norm(tangent, axis=-1)[..., None])

    size = (
        float(np.ptp(group.evaluate(np.arange(len(group.curve)), np.stack([group.start, group.stop], axis=1))[0]))
        or 1.0
    )
    return float(integrate(speed, group.start, group.stop, _LENGTH_ERROR * size).sum())
