"""Parts made for tests, and files as a reader would hold them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import cadquery as cq
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_NurbsConvert, BRepBuilderAPI_Sewing
from OCP.Geom import Geom_BSplineSurface, Geom_Circle
from OCP.GeomConvert import GeomConvert
from OCP.gp import gp_Ax2, gp_Pnt, gp_Trsf
from OCP.TColgp import TColgp_Array2OfPnt
from OCP.TColStd import TColStd_Array1OfInteger, TColStd_Array1OfReal, TColStd_Array2OfReal
from OCP.TopoDS import TopoDS_Shape

from spatial.contract.extraction import Face, Solid, Structure
from spatial.models.brep.model import BrepModel, OpenShape, SolidModel
from spatial.models.brep.topology import faces_of
from spatial.models.reading import Reading, Units


def source_of(
    *solids: cq.Shape,
    open_shapes: Sequence[cq.Shape] = (),
    definitions: Sequence[str] | None = None,
    scale: float = 1.0,
    found: Literal["declared", "assumed"] = "declared",
    **flags: bool,
) -> BrepModel:
    """A file with these shapes; each is a definition of its own unless definitions are named."""
    names = list(definitions or (f"definition-{place}" for place in range(1, len(solids) + 1)))
    models = [
        SolidModel(f"solid-{place}", "", shape.wrapped, name, gp_Trsf(), **flags)
        for place, (shape, name) in enumerate(zip(solids, names, strict=True), start=1)
    ]
    opened = [OpenShape(f"shell-{place}", shape.wrapped) for place, shape in enumerate(open_shapes, start=1)]
    return BrepModel(reading_of(models, found=found), models, opened, scale=scale)


def reading_of(solids: Sequence[SolidModel] = (), found: Literal["declared", "assumed"] = "declared") -> Reading:
    """What a reader would say of them, without measures."""
    listed = [Solid(id=solid.id, faces=faces_named(solid.shape)) for solid in solids]
    return Reading(
        source_format="step",
        units=Units(name="millimeter", found=found),
        structure=Structure(kind="brep", solids=listed),
        entity_counts={"solids": len(listed)},
    )


def faces_named(shape: TopoDS_Shape) -> list[Face]:
    return [Face(id=f"face-{place}") for place, _ in enumerate(faces_of(shape), start=1)]


def solid(work: cq.Workplane) -> cq.Solid:
    """The one solid of a workplane."""
    (only,) = work.solids().vals()
    assert isinstance(only, cq.Solid)
    return only


def as_splines(shape: cq.Shape) -> cq.Shape:
    """The same shape with every surface and curve as a spline, as some IGES writers have it."""
    return cq.Shape.cast(BRepBuilderAPI_NurbsConvert(shape.wrapped, True).Shape())


@cache
def block() -> cq.Solid:
    return solid(cq.Workplane().box(10, 20, 30))


@cache
def split_block() -> cq.Solid:
    """A block in one piece whose long sides are two faces each."""
    lower = cq.Workplane().box(10, 20, 30, centered=False)
    upper = cq.Workplane("XY", origin=(0, 0, 30)).box(10, 20, 15, centered=False)
    return solid(lower.union(upper, clean=False))


@cache
def turned_block() -> cq.Solid:
    return block().rotate(cq.Vector(1, 2, 3), cq.Vector(4, 6, 9), 33).translate(cq.Vector(1e3, -2e3, 5e2))


def cup() -> cq.Workplane:
    """A round cup, 60 wide, 80 tall, walls of 3."""
    return cq.Workplane().circle(30).extrude(80).faces(">Z").shell(-3)


@cache
def tray() -> cq.Workplane:
    """A housing of 100 x 60 x 30 with rounded inner corners and four screw holes in its rim."""
    outer = cq.Workplane().rect(100, 60).extrude(30)
    pocket = cq.Workplane("XY", origin=(0, 0, 4)).rect(80, 52).extrude(26).edges("|Z").fillet(8)
    corners = [(x, y) for x in (-45, 45) for y in (-20, 20)]
    return outer.cut(pocket).faces(">Z").workplane(origin=(0, 0, 30)).pushPoints(corners).hole(3, 12)


def freeform() -> cq.Solid:
    """A lofted body whose sides are splines."""
    return solid(cq.Workplane().rect(40, 20).workplane(offset=30).circle(9).workplane(offset=25).ellipse(20, 12).loft())


def open_box(size: tuple[float, float, float] = (10, 20, 30), *, centered: bool = True) -> cq.Shell:
    """Five sides of a block; the one on top is missing."""
    box = solid(cq.Workplane().box(*size, centered=centered))
    lid = max(box.Faces(), key=lambda face: face.Center().z)
    return cq.Shell.makeShell([face for face in box.Faces() if not face.isSame(lid)])


def ball(radius: float) -> cq.Solid:
    """A whole sphere: one face with a seam and two poles."""
    return solid(cq.Workplane().sphere(radius))


def distances_to_surface(shape: cq.Shape, points: Any) -> list[float]:
    """From each point to the nearest place on the exact faces."""
    skin = cq.Compound.makeCompound(shape.Faces())
    return [skin.distance(cq.Vertex.makeVertex(*point)) for point in points]


def diagonal(shape: cq.Shape) -> float:
    return float(shape.BoundingBox().DiagonalLength)


def past_its_seam(begin: float) -> cq.Solid:
    """A rod, 10 by 6 across and 8 long, whose side is one periodic spline and begins at `begin` of a turn: volume 120 pi."""
    circle = GeomConvert.CurveToBSplineCurve_s(Geom_Circle(gp_Ax2(), 1.0))
    count, knots = circle.NbPoles(), circle.NbKnots()
    poles, weights = TColgp_Array2OfPnt(1, count, 1, 2), TColStd_Array2OfReal(1, count, 1, 2)
    for u in range(1, count + 1):
        for v in (1, 2):
            poles.SetValue(u, v, gp_Pnt(5 * circle.Pole(u).X(), 3 * circle.Pole(u).Y(), 8.0 * (v - 1)))
            weights.SetValue(u, v, circle.Weight(u))
    along, turns = TColStd_Array1OfReal(1, knots), TColStd_Array1OfInteger(1, knots)
    for place in range(1, knots + 1):
        along.SetValue(place, circle.Knot(place))
        turns.SetValue(place, circle.Multiplicity(place))
    across, ends = TColStd_Array1OfReal(1, 2), TColStd_Array1OfInteger(1, 2)
    for place in (1, 2):
        across.SetValue(place, place - 1.0)
        ends.SetValue(place, 2)
    surface = Geom_BSplineSurface(poles, weights, along, across, turns, ends, circle.Degree(), 1, True, False)
    period = circle.LastParameter() - circle.FirstParameter()
    side = BRepBuilderAPI_MakeFace(surface, begin * period, (begin + 1) * period, 0.0, 1.0, 1e-7).Face()
    sewing = BRepBuilderAPI_Sewing(1e-6)
    sewing.Add(side)
    for height in (0.0, 8.0):
        edges = [edge for edge in cq.Face(side).Edges() if abs(edge.Center().z - height) < 1e-6]
        sewing.Add(cq.Face.makeFromWires(cq.Wire.assembleEdges(edges)).wrapped)
    sewing.Perform()
    return cq.Solid.makeSolid(cq.Shell(sewing.SewedShape()))
