"""Surfaces of faces: their kind, their analytic parameters, and their arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, degrees, sin
from typing import Any, Final

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_SurfaceType

from spatial.contract.extraction import SurfaceType
from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.geometry.splines import flat_knots, unrolled
from spatial.geometry.surfaces import Basis, Extrusion, KnotVector, Revolution, SplineSurface
from spatial.geometry.vectors import cross
from spatial.models.brep.curves import Unusable, basis_table

Rectangle = tuple[float, float, float, float]
"""Least and greatest u, least and greatest v."""

CONTINUED: Final = 0.01
"""How far beyond its surface a boundary may lie, as part of the face's own extent."""

KINDS: Final[dict[Any, SurfaceType]] = {
    GeomAbs_SurfaceType.GeomAbs_Plane: "plane",
    GeomAbs_SurfaceType.GeomAbs_Cylinder: "cylinder",
    GeomAbs_SurfaceType.GeomAbs_Cone: "cone",
    GeomAbs_SurfaceType.GeomAbs_Sphere: "sphere",
    GeomAbs_SurfaceType.GeomAbs_Torus: "torus",
    GeomAbs_SurfaceType.GeomAbs_BSplineSurface: "bspline",
    GeomAbs_SurfaceType.GeomAbs_BezierSurface: "bezier",
    GeomAbs_SurfaceType.GeomAbs_SurfaceOfRevolution: "revolution",
    GeomAbs_SurfaceType.GeomAbs_SurfaceOfExtrusion: "extrusion",
    GeomAbs_SurfaceType.GeomAbs_OffsetSurface: "offset",
}
"""What the kernel's surface types are called in a document; any other one is `other`."""


def frame(position: Any) -> Array:
    """(4, 3): origin, x, y and z of a kernel placement."""
    return np.array(
        [
            position.Location().Coord(),
            position.XDirection().Coord(),
            position.YDirection().Coord(),
            position.Direction().Coord(),
        ]
    )


def profile(kind: SurfaceType, surface: BRepAdaptor_Surface) -> tuple[Array, tuple[float, ...]]:
    """Frame and profile (see `Revolutes`) of a cylinder, cone, sphere or torus."""
    if kind == "cylinder":
        cylinder = surface.Cylinder()
        return frame(cylinder.Position()), (cylinder.Radius(), 0.0, 0.0, 1.0, 0.0)
    if kind == "cone":
        cone = surface.Cone()
        angle = cone.SemiAngle()
        return frame(cone.Position()), (cone.RefRadius(), sin(angle), 0.0, cos(angle), 0.0)
    if kind == "sphere":
        sphere = surface.Sphere()
        return frame(sphere.Position()), (0.0, 0.0, sphere.Radius(), 0.0, sphere.Radius())
    torus = surface.Torus()
    radii = (torus.MajorRadius(), 0.0, torus.MinorRadius(), 0.0, torus.MinorRadius())
    return frame(torus.Position()), radii


def analytic(kind: SurfaceType, surface: BRepAdaptor_Surface) -> AnalyticSurface | None:
    """The surface of a face that the file writes as an analytic one; None of any other."""
    if kind == "plane":
        place = frame(surface.Plane().Position())
        return AnalyticSurface(kind, place[0], cross(place[1], place[2]))
    if kind not in _POSITIONS:
        return None
    shape = _POSITIONS[kind](surface)
    place = frame(shape.Position())
    side = 1.0 if shape.Direct() else -1.0
    if kind == "cylinder":
        return AnalyticSurface(kind, place[0], place[3], shape.Radius(), outward=side)
    if kind == "cone":
        angle = shape.SemiAngle()
        axis = place[3] if angle > 0.0 else -place[3]
        return AnalyticSurface(kind, place[0], axis, shape.RefRadius(), half_angle=abs(angle), outward=side)
    if kind == "sphere":
        return AnalyticSurface(kind, place[0], place[3], shape.Radius(), outward=side)
    return AnalyticSurface("torus", place[0], place[3], shape.MinorRadius(), shape.MajorRadius(), outward=side)


_POSITIONS: Final[dict[SurfaceType, Callable[[BRepAdaptor_Surface], Any]]] = {
    "cylinder": lambda surface: surface.Cylinder(),
    "cone": lambda surface: surface.Cone(),
    "sphere": lambda surface: surface.Sphere(),
    "torus": lambda surface: surface.Torus(),
}


def parameters(kind: SurfaceType, surface: BRepAdaptor_Surface) -> dict[str, Any]:
    """The analytic parameters of a surface, in millimetres and degrees; names as in the contract's Face."""
    found: dict[str, Any] = _PARAMETERS[kind](surface) if kind in _PARAMETERS else {}
    return found


def _placed(position: Any) -> dict[str, Any]:
    return {"origin": position.Location().Coord(), "axis": position.Direction().Coord()}


def _plane(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    place = frame(surface.Plane().Position())
    return {"origin": tuple(place[0]), "normal": tuple(cross(place[1], place[2]))}


def _cylinder(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    cylinder = surface.Cylinder()
    return {**_placed(cylinder.Position()), "radius": cylinder.Radius()}


def _cone(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    cone = surface.Cone()
    place = _placed(cone.Position())
    angle = cone.SemiAngle()
    if angle < 0.0:
        # The kernel writes a cone that narrows along its axis with a negative angle; turn the axis instead.
        place["axis"] = tuple(-c for c in place["axis"])
    return {**place, "radius": cone.RefRadius(), "half_angle": abs(degrees(angle))}


def _sphere(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    sphere = surface.Sphere()
    return {"origin": sphere.Location().Coord(), "radius": sphere.Radius()}


def _torus(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    torus = surface.Torus()
    return {**_placed(torus.Position()), "major_radius": torus.MajorRadius(), "minor_radius": torus.MinorRadius()}


def _revolution(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    axis = surface.AxeOfRevolution()
    return {"origin": axis.Location().Coord(), "axis": axis.Direction().Coord()}


def _extrusion(surface: BRepAdaptor_Surface) -> dict[str, Any]:
    return {"axis": surface.Direction().Coord()}


_PARAMETERS: Final[dict[SurfaceType, Callable[[BRepAdaptor_Surface], dict[str, Any]]]] = {
    "plane": _plane,
    "cylinder": _cylinder,
    "cone": _cone,
    "sphere": _sphere,
    "torus": _torus,
    "revolution": _revolution,
    "extrusion": _extrusion,
}


def rectangle(surface: BRepAdaptor_Surface, outside: Array, inside: Array) -> Rectangle:
    """The rectangle of parameters that holds a face.

    outside: (2, 2) corners of one that certainly does; inside: of one of points on the boundary.

    Pcurves may leave a surface by as much as the tolerance of their edges: it is then continued, as the kernel does.

    Raises: Unusable where the boundary leaves the surface by more, or encloses nothing.
    """
    natural = _natural(surface)
    reach = CONTINUED * (inside[1] - inside[0])
    if (inside[0] < natural[0] - reach).any() or (inside[1] > natural[1] + reach).any():
        raise Unusable("the face reaches beyond its surface")
    low = np.minimum(np.maximum(outside[0], natural[0]), inside[0])
    high = np.maximum(np.minimum(outside[1], natural[1]), inside[1])
    if not (high > low).all():
        raise Unusable("the face has no extent")
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


def is_within(surface: BRepAdaptor_Surface, rectangle: Rectangle) -> bool:
    """Whether a rectangle of parameters is within the surface's own, but for what a boundary may lie beyond it."""
    corners = np.array(rectangle).reshape(2, 2).T
    reach = CONTINUED * (corners[1] - corners[0])
    natural = _natural(surface)
    return bool((corners[0] >= natural[0] - reach).all() and (corners[1] <= natural[1] + reach).all())


def _natural(surface: BRepAdaptor_Surface) -> Array:
    """(2, 2) least and greatest u and v of a surface; infinite where it is periodic."""
    sides = [
        (-np.inf, np.inf)
        if getattr(surface, f"Is{side}Periodic")()
        else (getattr(surface, f"First{side}Parameter")(), getattr(surface, f"Last{side}Parameter")())
        for side in "UV"
    ]
    return np.array(sides).T


def spline_of(kind: SurfaceType, surface: BRepAdaptor_Surface) -> Any:
    """The kernel's own surface of a B-spline or Bézier face, not periodic."""
    spline = surface.BSpline() if kind == "bspline" else surface.Bezier()
    if kind == "bspline" and (spline.IsUPeriodic() or spline.IsVPeriodic()):
        spline = spline.Copy()
        spline.SetUNotPeriodic()
        spline.SetVNotPeriodic()
    return spline


def spline_surface(
    kind: SurfaceType, surface: BRepAdaptor_Surface, spline: Any, poles: Array, within: Rectangle
) -> SplineSurface:
    """A B-spline or Bézier surface within a rectangle of its parameters; outer u, inner v.

    spline, poles: not periodic. A face of a periodic surface may begin anywhere on it and go on beyond its seam.
    """
    u_flat, v_flat = (_flat_knots(spline, side, kind) for side in "UV")
    u_low, u_high, v_low, v_high = within
    if surface.IsUPeriodic():
        u_flat, poles = unrolled(u_flat, spline.UDegree(), poles, u_low, u_high)
    if surface.IsVPeriodic():
        v_flat, across = unrolled(v_flat, spline.VDegree(), poles.swapaxes(0, 1), v_low, v_high)
        poles = across.swapaxes(0, 1)
    u = KnotVector(u_flat, spline.UDegree(), u_low, u_high)
    v = KnotVector(v_flat, spline.VDegree(), v_low, v_high)
    return SplineSurface(u, v, poles)


def extrusion(surface: BRepAdaptor_Surface, within: Rectangle) -> Extrusion:
    """An extrusion within a rectangle of its parameters.

    Raises: Unusable where its curve cannot be taken.
    """
    u_low, u_high, v_low, v_high = within
    return Extrusion(_basis(surface, u_low, u_high), np.array(surface.Direction().Coord()), np.array([v_low, v_high]))


def revolution(surface: BRepAdaptor_Surface, within: Rectangle) -> Revolution:
    """A revolution within a rectangle of its parameters.

    Raises: Unusable where its curve cannot be taken.
    """
    u_low, u_high, v_low, v_high = within
    axis = surface.AxeOfRevolution()
    origin, turn = np.array(axis.Location().Coord()), np.array(axis.Direction().Coord())
    return Revolution(_basis(surface, v_low, v_high), origin, turn, np.array([u_low, u_high]))


def _flat_knots(spline: Any, side: str, kind: SurfaceType) -> Array:
    if kind == "bezier":
        return np.repeat([0.0, 1.0], getattr(spline, f"{side}Degree")() + 1)
    index = range(1, getattr(spline, f"Nb{side}Knots")() + 1)
    knot, multiplicity = getattr(spline, f"{side}Knot"), getattr(spline, f"{side}Multiplicity")
    return flat_knots([knot(i) for i in index], [multiplicity(i) for i in index])


def surface_poles(spline: Any) -> Array:
    """Homogeneous control points (nu, nv, 4) of a B-spline or Bézier surface."""
    rows, columns = range(1, spline.NbUPoles() + 1), range(1, spline.NbVPoles() + 1)
    points = np.array([[spline.Pole(i, j).Coord() for j in columns] for i in rows])
    if not (spline.IsURational() or spline.IsVRational()):
        return np.concatenate([points, np.ones((*points.shape[:2], 1))], axis=2)
    weight = np.array([[spline.Weight(i, j) for j in columns] for i in rows])[..., None]
    return np.concatenate([points * weight, weight], axis=2)


def _basis(surface: BRepAdaptor_Surface, first: float, last: float) -> Basis:
    """The curve that is extruded or revolved, where the face stands."""
    groups = basis_table(surface.BasisCurve().Curve(), first, last).groups()
    if len(groups) != 1 or last <= first:
        raise Unusable("the generating curve is empty")
    return Basis(groups[0], first, last)
