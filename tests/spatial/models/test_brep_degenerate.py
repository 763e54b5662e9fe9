"""Bodies that have no volume, no extent or no sound geometry: their facts are left out with a reason, others stay."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from math import nan, pi

import cadquery as cq
import pytest
from OCP.BRep import BRep_Builder
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace
from OCP.Geom import Geom_CylindricalSurface, Geom_Plane, Geom_Surface
from OCP.gp import gp_Ax3, gp_Dir, gp_Pnt, gp_Torus, gp_Trsf
from OCP.TopoDS import TopoDS_Edge, TopoDS_Face, TopoDS_Shape, TopoDS_Shell, TopoDS_Solid, TopoDS_Wire

from spatial.formats.step import reader
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, Product
from spatial.models.brep.repair import repair_solids, sew_free_faces
from spatial.models.reading import Units
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.read import read_file
from tests.spatial import parts
from tests.spatial.models.test_brep_truth import step_bytes
from tests.support.stack import ROOT

UNITS = Units(name="millimeter", found="declared")


def solid_of(*faces: TopoDS_Shape) -> TopoDS_Solid:
    """A solid of one shell that holds these faces, whatever they are."""
    builder, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in faces:
        builder.Add(shell, face)
    shell.Closed(True)
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    return solid


def face_on(surface: Geom_Surface) -> TopoDS_Face:
    """A face whose one edge has neither a curve in space nor one on the surface, over which the kernel raises."""
    builder, face, wire, edge = BRep_Builder(), TopoDS_Face(), TopoDS_Wire(), TopoDS_Edge()
    builder.MakeFace(face, surface, 1e-6)
    builder.MakeWire(wire)
    builder.MakeEdge(edge)
    builder.Add(wire, edge)
    builder.Add(face, wire)
    return face


def sheet() -> TopoDS_Solid:
    """A rectangle and its own back."""
    face = cq.Face.makePlane(10, 20).wrapped
    return solid_of(face, face.Reversed())


BAD: dict[str, tuple[Callable[[], TopoDS_Shape], str]] = {
    "a sheet": (sheet, "the faces are flat and enclose no volume"),
    "no faces": (solid_of, "there is no face"),
    "an edge without curves on a plane": (lambda: solid_of(face_on(Geom_Plane(gp_Ax3()))), "not closed"),
    "one on a cylinder": (lambda: solid_of(face_on(Geom_CylindricalSurface(gp_Ax3(), 1.0))), "not closed"),
    "a plane nowhere": (
        lambda: solid_of(face_on(Geom_Plane(gp_Ax3(gp_Pnt(nan, 0, 0), gp_Dir(0, 0, 1))))),
        "not closed",
    ),
    "a box beyond all numbers": (lambda: cq.Solid.makeBox(1e90, 1e90, 1e90).wrapped, "not a finite number"),
    "a torus through its axis": (
        lambda: solid_of(BRepBuilderAPI_MakeFace(gp_Torus(gp_Ax3(), 3, 5), 0, 2 * pi, 0, 2 * pi).Face()),
        "crosses its axis",
    ),
}


@cache
def alone() -> dict[str, object]:
    """The facts of the good part by itself."""
    return facts_of(None)["solid-1"]


def facts_of(bad: TopoDS_Shape | None) -> dict[str, dict[str, object]]:
    """What the document has of a good part, and of a bad one beside it; its validity and points are made too."""
    products = [Product("good", parts.freeform().wrapped), *([Product("bad", bad)] if bad is not None else [])]
    found = flatten([Node(None, product, gp_Trsf()) for product in products], 1.0)
    steps = BrepSteps(measure(repair_solids(sew_free_faces(found)), UNITS, 1.0, "step", []))
    reading = json.loads(steps.reading.model_dump_json(exclude_none=True))
    solids = {solid["id"]: solid for solid in reading["structure"]["solids"]}
    solids["document"] = {"warnings": [*reading["warnings"], *steps.interpret().warnings]}
    clouds = steps.sample(SamplingPlan(points_per_object=8)).point_clouds
    assert clouds[0].object_id == "solid-1" and len(clouds[0].points) == 8
    return solids


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers beyond all numbers are the case
@pytest.mark.parametrize("name", list(BAD))
@pytest.mark.requirement("brep.bad-solid")
def test_a_solid_that_cannot_be_measured_costs_no_other(name: str) -> None:
    make, reason = BAD[name]
    found = facts_of(make())
    assert found["solid-1"] == alone()
    bad = found["solid-2"]
    assert {"volume", "center_of_mass"}.isdisjoint(bad) and bad.get("surface_area") != 0
    warnings = found["document"]["warnings"]
    assert isinstance(warnings, list)
    assert any("solid-2" in warning and reason in warning for warning in warnings), warnings


@pytest.mark.requirement("brep.bad-solid")
def test_a_file_with_a_flat_solid_is_a_document() -> None:
    both = cq.Compound.makeCompound([parts.block(), cq.Shape.cast(sheet())])
    reading = reader.read(step_bytes(both), "both.step").reading
    volumes = [solid.volume for solid in reading.structure.solids or ()]
    assert pytest.approx(6000) in volumes
    json.dumps(reading.model_dump(mode="json"), allow_nan=False)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numbers beyond all numbers are the case
@pytest.mark.requirement("brep.bad-solid")
def test_a_point_at_the_end_of_the_numbers_costs_what_reaches_there_and_says_so() -> None:
    plate = (ROOT / "examples" / "plate.step").read_bytes()
    point = b"#27 = CARTESIAN_POINT('',(-60.,-30.,0.));"
    assert plate.count(point) == 1
    source = read_file(plate.replace(point, point.replace(b"-60.", b"1.E308")), "plate.step")
    meaning = source.interpret()
    [solid] = source.reading.structure.solids or []
    assert (len(solid.faces), solid.volume, solid.surface_area) == (39, None, None)
    assert [face.id for face in solid.faces if face.area is None]
    warnings = [*source.reading.warnings, *meaning.warnings]
    assert not [each for each in warnings if "internal error" in each]
    assert any("some faces could not be measured; area and volume leave them out" in each for each in warnings)
    assert "solid-1: features are left out: the body reaches beyond the numbers that a document can hold" in warnings


@pytest.mark.requirement("brep.bad-solid")
@pytest.mark.parametrize(("far", "doubted"), [(0.0, False), (1e5, False), (1e12, True), (1e16, True)])
def test_a_body_so_far_out_that_digits_are_lost_says_so_and_has_no_bounds(far: float, doubted: bool) -> None:
    moved = cq.Solid.makeBox(10, 20, 30).translate(cq.Vector(far, 0, 0))
    reading = read_file(step_bytes(moved), "far.step").reading
    (solid,) = reading.structure.solids or []
    assert any("so far from the origin" in warning for warning in reading.warnings) == doubted
    assert (solid.volume_error is None and solid.center_of_mass_error is None) == doubted
