"""Holes and pins from cylinder faces, against the orientation that the kernel knows."""

from __future__ import annotations

import cadquery as cq
import pytest
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.TopAbs import TopAbs_Orientation

from spatial.reasoning.features.cylinders import Cylinder, find_cylinders
from spatial.reasoning.scene.build import build_scene
from tests.spatial.reasoning.documents import PARTS, extracted, part


def cylinders(shape: cq.Workplane) -> list[Cylinder]:
    return [each for body in build_scene(extracted(shape), None) for each in find_cylinders(body)]


def sides(shape: cq.Workplane) -> list[tuple[str, float, float | None, bool | None]]:
    found = cylinders(shape)
    return sorted((each.side, 2 * each.radius, each.length and round(each.length, 6), each.through) for each in found)


@pytest.mark.requirement("describe.holes")
def test_through_blind_and_stepped_holes() -> None:
    plate = cq.Workplane().box(60, 60, 20).faces(">Z").workplane()
    assert sides(plate.hole(8)) == [("hole", 8, 20, True)]
    assert sides(plate.hole(8, 12)) == [("hole", 8, 12, False)]
    assert sides(plate.cboreHole(6, 11, 5)) == [("hole", 6, 15, True), ("hole", 11, 5, False)]


@pytest.mark.requirement("describe.holes")
def test_a_pin_is_no_hole() -> None:
    stud = cq.Workplane().box(60, 60, 20).faces(">Z").workplane().circle(6).extrude(15)
    assert [each[0] for each in sides(stud)] == ["pin"]


@pytest.mark.requirement("describe.holes")
def test_a_fillet_is_neither_and_a_slot_and_a_bend_are_no_fillets() -> None:
    plate = cq.Workplane().box(60, 60, 20)
    assert sides(plate.edges("|Z").fillet(5)) == [("fillet", 10, None, None)] * 4
    step = plate.faces(">Z").workplane().center(-20, 0).rect(20, 60).extrude(20)
    assert sides(step.edges("|Y and (<X or >X)").fillet(2)) == [("fillet", 4, None, None)] * 4
    assert sides(step.edges("|Y and (not (<X or >X or >Z))").fillet(2)) == [("fillet", 4, None, None)]
    slot = plate.faces(">Z").workplane().slot2D(20, 6).cutThruAll()
    assert "fillet" not in {each[0] for each in sides(slot)}
    assert "fillet" not in {each[0] for each in sides(PARTS["bent_sheet"]())}


@pytest.mark.requirement("describe.holes")
def test_a_tube_has_one_outer_cylinder_and_one_hole() -> None:
    assert sides(PARTS["tube"]()) == [("hole", 34, 120, True), ("pin", 40, 120, None)]


@pytest.mark.requirement("describe.holes")
@pytest.mark.parametrize("name", sorted(PARTS))
def test_the_kernel_agrees_wherever_a_side_is_given(name: str) -> None:
    truth = {}
    solid = PARTS[name]().val()
    assert isinstance(solid, cq.Shape)
    for face in solid.Faces():
        surface = BRepAdaptor_Surface(face.wrapped, True)
        if surface.GetType() == GeomAbs_SurfaceType.GeomAbs_Cylinder:
            cylinder = surface.Cylinder()
            is_outward = cylinder.Position().Direct() != (
                face.wrapped.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
            )
            truth[round(cylinder.Radius(), 6), round(face.Area(), 3)] = "pin" if is_outward else "hole"
    for body in build_scene(part(name), None):
        areas = {face.id: face.area for face in body.faces}
        for each in find_cylinders(body):
            if each.side in ("hole", "pin"):
                assert {truth[round(each.radius, 6), round(areas[face] or 0.0, 3)] for face in each.faces} == {
                    each.side
                }
