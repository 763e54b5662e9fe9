"""A face whose boundary runs against it covers the rest of its closed surface: it is found, and what is right is left alone."""

from __future__ import annotations

import re

import cadquery as cq
import numpy as np
import pytest
from OCP.BRep import BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeFace, BRepBuilderAPI_Sewing
from OCP.BRepTools import BRepTools
from OCP.Geom import Geom_ToroidalSurface
from OCP.GeomConvert import GeomConvert
from OCP.ShapeFix import ShapeFix_Face, ShapeFix_Solid
from OCP.TopoDS import TopoDS, TopoDS_Face

from spatial.models.brep.complements import complements, winding
from spatial.models.brep.definition import Definition
from spatial.models.brep.tessellation import tessellate
from spatial.pipeline.read import read_file
from tests.spatial import parts
from tests.spatial.models.test_brep_truth import step_bytes
from tests.support.stack import ROOT

BRACKET = (ROOT / "examples" / "bracket.step").read_text("latin-1")
VOLUME = 149178.91644125
TORUS = 2.0 * np.pi**2 * 6.0 * 2.0**2
"""Volume of the torus of a rounded corner of the bracket: radii 6 and 2."""


def turned_over(place: int) -> bytes:
    """The bracket with a face turned over, and its boundary as it was."""
    found = list(re.finditer(r"ADVANCED_FACE\([^;]*\.([TF])\.\);", BRACKET))[place]
    other = "F" if found[1] == "T" else "T"
    return (BRACKET[: found.start(1)] + other + BRACKET[found.end(1) :]).encode("latin-1")


@pytest.mark.requirement("validity.complements")
@pytest.mark.parametrize("place", [5, 8, 19, 20])
def test_a_rounded_corner_that_is_turned_over_fails_and_is_named(place: int) -> None:
    source = read_file(turned_over(place), "bracket.step")
    (solid,) = source.reading.structure.solids or []
    assert solid.volume == pytest.approx(VOLUME - TORUS, rel=1e-9)
    meaning = source.interpret()
    (warning,) = meaning.warnings
    assert re.match(rf"solid-1 .*: face-{place + 1}: a boundary on a torus or sphere runs against its face", warning)
    assert meaning.structure["validity"]["first_failure"] == "oriented"


@pytest.mark.requirement("validity.complements")
@pytest.mark.parametrize("place", [0, 3, 12])
def test_a_plane_or_cylinder_that_is_turned_over_is_set_right(place: int) -> None:
    source = read_file(turned_over(place), "bracket.step")
    (solid,) = source.reading.structure.solids or []
    assert solid.volume == pytest.approx(VOLUME, rel=1e-9)
    assert source.interpret().structure["validity"]["valid"]


def ball_with_a_flat() -> cq.Workplane:
    return cq.Workplane().sphere(10).cut(cq.Workplane().box(20, 20, 20).translate((0, 0, 18)))


def ring_with_a_hole() -> cq.Workplane:
    ring = cq.Workplane(cq.Solid.makeTorus(20, 5))
    return ring.cut(cq.Workplane().circle(2).extrude(30).translate((20, 0, -15)))


@pytest.mark.requirement("validity.complements")
@pytest.mark.parametrize("work", [ball_with_a_flat(), ring_with_a_hole()])
def test_a_ball_with_a_flat_and_a_ring_with_a_hole_cover_most_of_their_surface_rightly(work: cq.Workplane) -> None:
    assert complements(Definition("definition-1", parts.solid(work).wrapped)) == []


@pytest.mark.requirement("validity.complements")
def test_the_winding_number_is_one_inside_and_zero_outside() -> None:
    corners = tessellate(parts.block().wrapped).corners
    middle = corners.reshape(-1, 3).mean(axis=0)
    assert winding(corners, middle) == pytest.approx(1.0)
    assert winding(corners, middle + 1e3) == pytest.approx(0.0, abs=1e-9)
    assert winding(corners[:, ::-1], middle) == pytest.approx(-1.0)


def on_whole_spline(face: cq.Face) -> TopoDS_Face:
    """A face with its boundary on the whole torus as one spline, closed both ways; any other face as it is."""
    surface = BRep_Tool.Surface_s(face.wrapped)
    if not isinstance(surface, Geom_ToroidalSurface):
        return face.wrapped
    whole = GeomConvert.SurfaceToBSplineSurface_s(Geom_ToroidalSurface(surface.Torus()))
    fix = ShapeFix_Face(BRepBuilderAPI_MakeFace(whole, BRepTools.OuterWire_s(face.wrapped), True).Face())
    fix.Perform()
    return fix.Face()


@pytest.mark.requirement("validity.complements")
def test_the_rest_of_a_torus_that_is_written_as_a_spline_is_named() -> None:
    sewing = BRepBuilderAPI_Sewing(1e-5)
    for face in cq.importers.importStep(str(ROOT / "examples" / "bracket.step")).faces().vals():
        assert isinstance(face, cq.Face)
        sewing.Add(on_whole_spline(face))
    sewing.Perform()
    solid = cq.Solid(ShapeFix_Solid().SolidFromShell(TopoDS.Shell_s(sewing.SewedShape())))
    source = read_file(step_bytes(solid), "bracket.step")
    (found,) = source.reading.structure.solids or []
    rest = [
        place
        for place, face in enumerate(found.faces or [], start=1)
        if face.modelled_as == "bspline" and (face.area or 0) > 400
    ]
    meaning = source.interpret()
    assert found.volume == pytest.approx(VOLUME - 4 * TORUS, rel=1e-5)
    assert meaning.structure["validity"]["first_failure"] == "oriented"
    assert all(f"face-{place}" in meaning.warnings[0] for place in rest[:3])
