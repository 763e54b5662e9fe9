"""The solid of one feature by itself: what it adds to a body, or takes away."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_MakePolygon, BRepBuilderAPI_Transform
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
)
from OCP.gp import gp_Ax1, gp_Ax2, gp_Ax3, gp_Pnt, gp_Trsf
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from spatial.formats.feature_tree.parameters import NotBuildable, Parameters, vector

FULL_TURN: Final = 360.0


def box(given: Parameters) -> TopoDS_Shape:
    """`size` [x, y, z], or width, depth and height; `origin` is its lowest corner."""
    if given.has("size"):
        size = given.point("size")
        lengths = (size.X(), size.Y(), size.Z())
    else:
        lengths = (given.positive("width", "length"), given.positive("depth"), given.positive("height"))
    if min(lengths) <= 0:
        raise NotBuildable("its size is not positive")
    return BRepPrimAPI_MakeBox(given.frame(), *lengths).Shape()


def cylinder(given: Parameters) -> TopoDS_Shape:
    """radius or diameter, height; along `axis` from `origin`."""
    return BRepPrimAPI_MakeCylinder(given.frame(), given.radius(), given.positive("height", "length")).Shape()


def cone(given: Parameters) -> TopoDS_Shape:
    """radius or diameter at `origin`, top_radius (0: to a point), height."""
    top = given.number("top_radius", 0.0)
    radius = given.radius()
    if top < 0 or math.isclose(top, radius):
        raise NotBuildable("its top_radius is negative, or that of a cylinder")
    return BRepPrimAPI_MakeCone(given.frame(), radius, top, given.positive("height", "length")).Shape()


def sphere(given: Parameters) -> TopoDS_Shape:
    """radius or diameter about `origin`."""
    return BRepPrimAPI_MakeSphere(given.point("origin", (0, 0, 0)), given.radius()).Shape()


def extrude(given: Parameters) -> TopoDS_Shape:
    """A profile in the plane of `origin` and `axis`, moved along the axis by `depth`."""
    frame, depth = given.frame(), given.positive("depth", "distance", "height")
    circle = given.member("circle")
    if isinstance(circle, dict):
        return BRepPrimAPI_MakeCylinder(_moved(frame, *_centre(circle)), Parameters(circle).radius(), depth).Shape()
    face = _face([(x, y, 0.0) for x, y in _profile(given)])
    return _placed(BRepPrimAPI_MakePrism(face, vector(gp_Ax2().Direction(), depth)).Shape(), frame)


def revolve(given: Parameters) -> TopoDS_Shape:
    """A profile of points [distance from the axis, height along it], turned about `axis` by `angle` degrees (360 without it)."""
    points = given.points2("profile")
    if min(radius for radius, _ in points) < 0:
        raise NotBuildable("its profile crosses the axis")
    angle = given.number("angle", FULL_TURN)
    if not 0 < angle <= FULL_TURN:
        raise NotBuildable("its angle is not between 0 and 360 degrees")
    face = _face([(radius, 0.0, height) for radius, height in points])
    axis = gp_Ax1(gp_Pnt(), gp_Ax2().Direction())
    turned = (
        BRepPrimAPI_MakeRevol(face, axis)
        if angle == FULL_TURN
        else BRepPrimAPI_MakeRevol(face, axis, math.radians(angle))
    )
    return _placed(turned.Shape(), given.frame())


def hole(given: Parameters, across: float) -> TopoDS_Shape:
    """The drill of a hole at `position` along `direction` (default: down): `diameter`, and `depth` or `through`.

    across: a length that is longer than the body, for a hole through it.
    """
    start, along = given.point("position"), given.direction("direction", (0, 0, -1))
    through = given.flag("through")
    if not through and not given.has("depth"):
        raise NotBuildable("it has neither a depth nor `through: true`")
    length = 2 * across if through else given.positive("depth")
    first = start.Translated(vector(along, -across)) if through else start
    return BRepPrimAPI_MakeCylinder(gp_Ax2(first, along), given.radius(), length).Shape()


ADDED: Final[dict[str, Callable[[Parameters], TopoDS_Shape]]] = {
    "box": box,
    "cylinder": cylinder,
    "cone": cone,
    "sphere": sphere,
    "extrude": extrude,
    "revolve": revolve,
}
"""Feature types that make a solid by themselves: a body of its own, or what `operation` joins to a body or cuts from it."""


def _profile(given: Parameters) -> list[tuple[float, float]]:
    rectangle = given.member("rectangle")
    if not isinstance(rectangle, dict):
        return given.points2("profile")
    sides = Parameters(rectangle)
    half_width, half_height = sides.positive("width") / 2, sides.positive("height") / 2
    x, y = _centre(rectangle)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return [(x + sign_x * half_width, y + sign_y * half_height) for sign_x, sign_y in signs]


def _centre(profile: dict[str, object]) -> tuple[float, float]:
    centre = profile.get("center", [0.0, 0.0])
    if not isinstance(centre, list) or len(centre) != 2 or not all(isinstance(each, int | float) for each in centre):
        raise NotBuildable("the center of its profile is not given as [x, y]")
    return float(centre[0]), float(centre[1])


def _face(points: list[tuple[float, float, float]]) -> TopoDS_Face:
    polygon = BRepBuilderAPI_MakePolygon()
    for x, y, z in points:
        polygon.Add(gp_Pnt(x, y, z))
    polygon.Close()
    if not polygon.IsDone():
        raise NotBuildable("its profile is no polygon")
    face = BRepBuilderAPI_MakeFace(polygon.Wire(), True)
    if not face.IsDone():
        raise NotBuildable("its profile does not bound a face")
    return face.Face()


def _moved(frame: gp_Ax2, x: float, y: float) -> gp_Ax2:
    shift = vector(frame.XDirection(), x).Added(vector(frame.YDirection(), y))
    return frame.Translated(shift)


def _placed(shape: TopoDS_Shape, frame: gp_Ax2) -> TopoDS_Shape:
    placing = gp_Trsf()
    placing.SetTransformation(gp_Ax3(frame), gp_Ax3())
    return BRepBuilderAPI_Transform(shape, placing, True).Shape()
