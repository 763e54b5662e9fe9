"""Analytic surfaces that are written as splines, extrusions and revolutions, and what is none; edges and how faces meet."""

from __future__ import annotations

from collections import Counter
from math import asin, atan2, degrees, pi, radians, sin, tan
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeEdge
from OCP.BRepPrimAPI import BRepPrimAPI_MakePrism, BRepPrimAPI_MakeRevol
from OCP.Geom import Geom_Circle
from OCP.GeomConvert import GeomConvert
from OCP.gp import gp_Ax1, gp_Ax2, gp_Circ, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec

from spatial.contract.extraction import Edge, Face, Structure
from spatial.models.brep.adjacency import listed
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, Product
from spatial.models.reading import Units
from tests.spatial import parts

POSES = [((0.0, 0.0, 1.0), 0.0, (0.0, 0.0, 0.0)), ((1.0, 2.0, -0.5), 77.0, (310.0, -45.0, 1200.0))]
"""Axis of a turn, degrees, shift."""


def structure_of(shape: Any) -> Structure:
    flattened = flatten([Node(None, Product("part", shape), gp_Trsf())], 1.0)
    return measure(flattened, Units(name="millimeter", found="declared"), 1.0, "step", []).reading.structure


def posed(shape: cq.Shape, pose: Any) -> cq.Shape:
    axis, angle, shift = pose
    return shape.rotate(cq.Vector(), cq.Vector(*axis), angle).translate(cq.Vector(*shift)) if angle else shape


def faces_of(shape: cq.Shape) -> list[Face]:
    structure = structure_of(shape.wrapped)
    return [face for solid in structure.solids or [] for face in solid.faces]


def solids() -> dict[str, cq.Solid]:
    return {
        "plane": parts.solid(cq.Workplane().polyline([(0, 0), (30, 0), (7, 22)]).close().extrude(9)),
        "cylinder": parts.solid(cq.Workplane().circle(8).extrude(25)),
        "cone": cq.Solid.makeCone(12, 4, 20),
        "sphere": parts.solid(cq.Workplane().sphere(15)),
        "torus": cq.Solid.makeTorus(20, 6),
    }


PARAMETERS = {
    "plane": {},
    "cylinder": {"radius": 8.0},
    "cone": {"half_angle": degrees(atan2(8, 20))},
    "sphere": {"radius": 15.0},
    "torus": {"major_radius": 20.0, "minor_radius": 6.0},
}


@pytest.mark.requirement("brep.recognised", "brep.curvature")
@pytest.mark.parametrize("pose", POSES, ids=["modelled", "turned"])
@pytest.mark.parametrize("kind", list(PARAMETERS))
def test_surfaces_written_as_splines_are_what_they_are(kind: str, pose: Any) -> None:
    exact = posed(solids()[kind], pose)
    found = faces_of(parts.as_splines(exact))
    assert {face.modelled_as for face in found} <= {"bspline", "bezier"}
    assert Counter(face.type for face in found) == Counter(face.type for face in faces_of(exact))
    for face in found:
        assert face.recognised
        assert face.deviation == pytest.approx(0.0, abs=1e-9)
        assert face.curvature == (None if face.type == "plane" else "convex")
    for face in (face for face in found if face.type == kind):
        for name, value in PARAMETERS[kind].items():
            assert getattr(face, name) == pytest.approx(value, rel=1e-9)


@pytest.mark.requirement("brep.recognised")
@pytest.mark.parametrize("kind", list(PARAMETERS))
def test_measures_are_those_of_the_analytic_part(kind: str) -> None:
    (exact,) = structure_of(solids()[kind].wrapped).solids or []
    (spline,) = structure_of(parts.as_splines(solids()[kind]).wrapped).solids or []
    assert spline.volume == pytest.approx(exact.volume, rel=1e-9)
    assert spline.surface_area == pytest.approx(exact.surface_area, rel=1e-9)
    assert spline.center_of_mass == pytest.approx(exact.center_of_mass, abs=1e-8)


@pytest.mark.requirement("brep.recognised")
def test_a_cone_with_its_apex_is_measured_whole() -> None:
    """A pole has no curve in space."""
    (pointed,) = structure_of(parts.as_splines(cq.Solid.makeCone(9, 0, 12)).wrapped).solids or []
    assert pointed.volume == pytest.approx(pi * 81 * 4, rel=1e-9)
    assert pointed.surface_area == pytest.approx(pi * 81 + pi * 9 * 15, rel=1e-9)


@pytest.mark.requirement("brep.recognised")
def test_a_cone_knows_where_it_is_how_wide() -> None:
    (face,) = [face for face in faces_of(parts.as_splines(solids()["cone"])) if face.type == "cone"]
    assert face.axis == pytest.approx((0, 0, -1), abs=1e-9)
    assert face.radius == pytest.approx(12 - (face.origin or (0, 0, 0))[2] * 0.4, rel=1e-9)


def free_face(shape: Any) -> Face:
    (face,) = structure_of(shape).free_faces or []
    return face


def arc() -> Any:
    return BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp_Pnt(10, 0, 0), gp_Dir(0, 0, 1)), 5.0), 0.0, 1.9).Edge()


def spline_arc() -> Any:
    """The arc as a B-spline: then the extrusion of it is written as one."""
    curve = GeomConvert.CurveToBSplineCurve_s(Geom_Circle(gp_Ax2(gp_Pnt(10, 0, 0), gp_Dir(0, 0, 1)), 5.0))
    curve.Segment(0.0, 1.9)
    return BRepBuilderAPI_MakeEdge(curve).Edge()


@pytest.mark.requirement("brep.recognised")
def test_an_extruded_circle_is_a_cylinder() -> None:
    face = free_face(BRepPrimAPI_MakePrism(spline_arc(), gp_Vec(0, 0, 7)).Shape())
    assert (face.type, face.modelled_as) == ("cylinder", "extrusion")
    assert face.radius == pytest.approx(5.0, rel=1e-9)
    assert (face.origin or (0,))[0] == pytest.approx(10.0, rel=1e-9)


@pytest.mark.requirement("brep.recognised")
def test_a_revolved_circle_is_a_torus() -> None:
    turn = gp_Ax1(gp_Pnt(-20, 0, 0), gp_Dir(0, 1, 0))
    face = free_face(BRepPrimAPI_MakeRevol(spline_arc(), turn, 2.0).Shape())
    assert (face.type, face.modelled_as) == ("torus", "revolution")
    assert face.major_radius == pytest.approx(30.0, rel=1e-9)
    assert face.minor_radius == pytest.approx(5.0, rel=1e-9)


@pytest.mark.requirement("brep.not-recognised")
def test_what_is_almost_a_cylinder_is_none() -> None:
    """A barrel: its radius grows by a hundredth of a millimetre over its length."""
    heights = np.linspace(0, 40, 9)
    wires = [cq.Wire.makeCircle(10 + 0.01 * sin(pi * h / 40), cq.Vector(0, 0, h), cq.Vector(0, 0, 1)) for h in heights]
    barrel = cq.Solid.makeLoft(wires)
    (side,) = [face for face in faces_of(barrel) if face.type != "plane"]
    assert side.type == "bspline"
    assert side.recognised is None


@pytest.mark.requirement("brep.not-recognised")
def test_an_ellipse_is_no_circle() -> None:
    body = parts.as_splines(parts.solid(cq.Workplane().ellipse(10, 10.05).extrude(20)))
    assert Counter(face.type for face in faces_of(body)) == {"plane": 2, "bspline": 1}


@pytest.mark.requirement("brep.not-recognised")
def test_a_strip_of_a_huge_cylinder_has_no_radius_that_it_does_not_show() -> None:
    """A millimetre of a radius of 10 m: its height of 12 nm tells no radius."""
    half = asin(0.5 / 10_000)
    curve = GeomConvert.CurveToBSplineCurve_s(Geom_Circle(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), 10_000.0))
    curve.Segment(1.0 - half, 1.0 + half)
    face = free_face(BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeEdge(curve).Edge(), gp_Vec(0, 0, 5)).Shape())
    assert face.radius is None


@pytest.mark.requirement("brep.curvature")
def test_holes_are_concave_and_pins_convex() -> None:
    plate = cq.Workplane().rect(40, 40).extrude(10).faces(">Z").workplane().hole(6)
    body = parts.solid(plate.faces(">Z").workplane().center(12, 0).circle(4).extrude(5))
    found = {face.radius: face.curvature for face in faces_of(body) if face.type == "cylinder"}
    assert found == {3.0: "concave", 4.0: "convex"}
    inside_out = body.wrapped.Reversed()
    turned = [face for solid in structure_of(inside_out).solids or [] for face in solid.faces]
    assert {face.radius: face.curvature for face in turned if face.type == "cylinder"} == found


def edges_of(shape: cq.Shape) -> list[Edge]:
    return edges_in(Product("part", shape.wrapped))


def edges_in(product: Product) -> list[Edge]:
    flattened = flatten([Node(None, product, gp_Trsf())], 1.0)
    model = measure(flattened, Units(name="millimeter", found="declared"), 1.0, "step", [])
    assert model.reading.structure.edges is None, "they are listed on request"
    return [Edge.model_validate(row) for row in listed(model).structure["edges"]]


@pytest.mark.requirement("brep.edges")
@pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])
def test_edges_know_their_faces_and_how_they_meet(as_written: Any) -> None:
    work = cq.Workplane().box(30, 20, 10).edges("|Z").fillet(3).faces(">Z").workplane().circle(4).extrude(6)
    found = edges_of(as_written(parts.solid(work)))
    circles = [edge for edge in found if edge.radius == pytest.approx(4.0)]
    assert Counter((edge.convexity, edge.angle) for edge in circles) == {("concave", -90.0): 1, ("convex", 90.0): 1}
    assert [edge.length for edge in circles] == [pytest.approx(8 * pi)] * 2
    rounds = [edge for edge in found if edge.convexity == "smooth"]
    assert [edge.length for edge in rounds] == [pytest.approx(10.0)] * 8
    assert all(len(edge.faces) == 2 for edge in rounds)
    seams = [edge for edge in found if edge.seam]
    assert [edge.length for edge in seams] == [pytest.approx(6.0)]
    assert sum(edge.type == "line" and edge.convexity == "convex" for edge in found) == 8


@pytest.mark.requirement("brep.edges")
@pytest.mark.parametrize("angle", [20.0, 75.0, 120.0])
def test_the_angle_of_an_edge_is_that_of_its_faces(angle: float) -> None:
    """A wedge: at its sharp edge the outward normals are 180 degrees less its angle apart."""
    width = 30 / tan(radians(angle)) if angle != 90 else 0.0
    wedge = parts.solid(cq.Workplane().polyline([(0, 0), (40, 0), (width, 30)]).close().extrude(8))
    found = {round(edge.angle or 0, 6) for edge in edges_of(wedge) if edge.length == pytest.approx(8.0)}
    assert round(180.0 - angle, 6) in found
    assert sum(found) == pytest.approx(360.0)


@pytest.mark.requirement("brep.edges")
def test_definitions_list_their_edges_once() -> None:
    block = Product("block", parts.block().wrapped)
    shift = gp_Trsf()
    shift.SetTranslation(gp_Vec(100, 0, 0))
    tree = Product("pair", nodes=[Node("left", block, gp_Trsf()), Node("right", block, shift)])
    found = edges_in(tree)
    assert len(found) == 12
    assert {edge.body for edge in found} == {"solid-1"}
