"""Triangles that are taken from all faces at once are those that the kernel gives one by one."""

from __future__ import annotations

from typing import Any

import cadquery as cq
import numpy as np
import pytest
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face

from spatial.models.brep.tessellation import triangulate
from spatial.models.brep.topology import faces_of
from spatial.models.brep.triangulations import FaceMesh, meshes_of, triangles_of


def one_by_one(face: TopoDS_Face) -> FaceMesh:
    """The same, each node and each triangle by a call of the kernel."""
    place = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face, place)
    move = place.Transformation()
    nodes = [mesh.Node(number).Transformed(move).Coord() for number in range(1, mesh.NbNodes() + 1)]
    corners = np.array([mesh.Triangle(number).Get() for number in range(1, mesh.NbTriangles() + 1)]) - 1
    return np.array(nodes), corners[:, ::-1] if face.Orientation() == TopAbs_REVERSED else corners


def meshed_faces() -> list[TopoDS_Face]:
    """Of a plate with holes and a ball, some of them turned round, some placed elsewhere, and one held twice."""
    plate: Any = cq.Workplane("XY").box(90, 60, 8).faces(">Z").workplane().rarray(9, 9, 4, 4).hole(5).val()
    ball = cq.Solid.makeSphere(7.0)
    for shape in (plate, ball):
        triangulate(shape.wrapped)
    moved = plate.moved(cq.Location(cq.Vector(12, -7, 3), cq.Vector(1, 2, 3), 40.0))
    return [face for shape in (plate, moved, ball, plate) for face in faces_of(shape.wrapped)]


@pytest.mark.requirement("sampling.triangles-at-once")
def test_triangles_of_many_faces_are_those_of_each() -> None:
    faces = meshed_faces()
    for (nodes, corners), (expected, numbers) in zip(meshes_of(faces), map(one_by_one, faces), strict=True):
        assert np.array_equal(corners, numbers)
        assert np.allclose(nodes, expected, rtol=0.0, atol=1e-12)


@pytest.mark.requirement("sampling.triangles-at-once")
def test_every_digit_of_a_node_stays() -> None:
    (face,) = faces_of(cq.Face.makePlane(1 / 3, 1 / 7).wrapped)
    triangulate(face)
    (nodes, corners), (expected, _) = *meshes_of([face]), one_by_one(face)
    assert nodes.tolist() == expected.tolist()
    assert triangles_of([face])[0].tolist() == expected[corners].tolist()


@pytest.mark.requirement("sampling.triangles-at-once")
def test_normals_that_come_with_triangles_are_passed_over() -> None:
    faces = meshed_faces()[:4]
    expected = [triangles.tolist() for triangles in triangles_of(faces)]
    for face in faces:
        BRep_Tool.Triangulation_s(face, TopLoc_Location()).ComputeNormals()
    assert [triangles.tolist() for triangles in triangles_of(faces)] == expected


@pytest.mark.requirement("sampling.triangles-at-once")
def test_faces_without_triangles_keep_their_places() -> None:
    bare = TopoDS_Face()
    BRep_Builder().MakeFace(bare)
    meshed = meshed_faces()[:2]
    counts = [len(triangles) for triangles in triangles_of([bare, meshed[0], bare, meshed[1]])]
    assert counts == [0, len(triangles_of(meshed)[0]), 0, len(triangles_of(meshed)[1])]
    assert meshes_of([]) == []
