"""The extent of a body, from its edges and from the interior extrema of its curved faces."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.BRepTopAdaptor import BRepTopAdaptor_FClass2d
from OCP.GeomAbs import GeomAbs_CurveType
from OCP.gp import gp_Pnt2d
from OCP.TopAbs import TopAbs_State
from OCP.TopoDS import TopoDS_Face

from spatial.geometry.extent import GRID_STEPS, Contains, CurvedFace, Extent, FreeformFace, RoundFace
from spatial.geometry.quadrature import Array
from spatial.geometry.surfaces import Revolution, SplineFaces
from spatial.models.brep.body import Body, BodyFace
from spatial.models.brep.patches import is_straight, patch_borders, span_count
from spatial.models.brep.surfaces import Rectangle, frame, is_within, revolution, spline_surface

RULED: Final = ("plane", "cylinder", "cone", "extrusion")
"""Surfaces with a straight line through every point, so that they are highest at their edges.

So are turned lines, and splines of degree 1 with one span; those of several spans have an edge at every knot.
"""

BOX_EXACT: Final = 1e-9
"""Millimetres within which a recognised surface says how far a face reaches."""

_CLASSIFIER_TOLERANCE: Final = 1e-9
"""In parameters of the surface."""


def extent(body: Body) -> Extent:
    """What bounds a body; millimetres."""
    triangles = [face.triangles.reshape(-1, 3) for face in body.faces if face.triangles is not None]
    points = np.concatenate(triangles) if triangles else np.zeros((0, 3))
    if any(face.crosses_itself for face in body.faces):
        points = np.full((1, 3), np.inf)  # no box: which of its sheets is meant is not known
    curved = [_curved_face(face) for face in body.faces if face.surface is not None and not _is_ruled(face)]
    return Extent(points, body.groups, curved)


def _is_ruled(face: BodyFace) -> bool:
    if face.canonical and face.canonical.kind in RULED and face.canonical.fitted.deviation <= BOX_EXACT:
        return True
    if face.kind in ("bspline", "bezier"):
        return any(is_straight(face.surface, side) and span_count(face.surface, side) == 1 for side in ("U", "V"))
    if face.kind == "revolution":
        return bool(face.surface.BasisCurve().GetType() == GeomAbs_CurveType.GeomAbs_Line)
    return face.kind in RULED


def _curved_face(face: BodyFace) -> CurvedFace:
    contains = _classifier(face.face)
    if face.kind == "sphere":
        sphere = face.surface.Sphere()
        return RoundFace(frame(sphere.Position()), 0.0, sphere.Radius(), contains)
    if face.kind == "torus":
        torus = face.surface.Torus()
        return RoundFace(frame(torus.Position()), torus.MajorRadius(), torus.MinorRadius(), contains)
    return _freeform_face(face, contains)


def _classifier(face: TopoDS_Face) -> Contains:
    """Made at the first question: most faces stay below what edges reach."""
    made: list[BRepTopAdaptor_FClass2d] = []

    def contains(u: float, v: float) -> bool:
        if not made:
            made.append(BRepTopAdaptor_FClass2d(face, _CLASSIFIER_TOLERANCE))
        return bool(made[0].Perform(gp_Pnt2d(u, v)) == TopAbs_State.TopAbs_IN)

    return contains


def _freeform_face(face: BodyFace, contains: Contains) -> CurvedFace:
    @cache
    def rectangle() -> Rectangle:
        low_u, high_u, low_v, high_v = BRepTools.UVBounds_s(face.face)
        return low_u, high_u, low_v, high_v

    def borders() -> tuple[Array, Array]:
        low_u, high_u, low_v, high_v = rectangle()
        return patch_borders(face.surface, "U", low_u, high_u), patch_borders(face.surface, "V", low_v, high_v)

    @cache
    def surface() -> SplineFaces | Revolution:
        if face.kind == "revolution":
            return revolution(face.surface, rectangle())
        return SplineFaces([spline_surface(face.kind, face.surface, face.spline, face.poles, rectangle())])

    @cache
    def inside() -> bool:
        return face.kind == "revolution" or is_within(face.surface, rectangle())

    def points(u: Array, v: Array) -> Array:
        return surface().points(u, v) if inside() else _points(face.surface)(u, v)

    if face.kind == "revolution":
        return FreeformFace(points, borders, (GRID_STEPS, GRID_STEPS), contains, None)
    if face.kind not in ("bspline", "bezier"):
        return FreeformFace(_points(face.surface), borders, (GRID_STEPS, GRID_STEPS), contains, None)
    poles = face.poles.reshape(-1, 4)
    along_u, along_v = (1 if is_straight(face.surface, side) else GRID_STEPS for side in ("U", "V"))
    return FreeformFace(points, borders, (along_u, along_v), contains, poles[:, :3] / poles[:, 3:])


def _points(surface: BRepAdaptor_Surface) -> Callable[[Array, Array], Array]:
    def points(u: Array, v: Array) -> Array:
        return np.array([surface.Value(a, b).Coord() for a, b in zip(u.tolist(), v.tolist(), strict=True)]).reshape(
            -1, 3
        )

    return points
