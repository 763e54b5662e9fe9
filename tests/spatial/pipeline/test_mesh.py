"""The mesh of a model: every triangle on its face, at its place, in the document's units."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import cadquery as cq
import numpy as np
import pytest
import trimesh

from spatial.geometry.sampling import LINEAR_DEFLECTION
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.read import read_file
from tests.spatial import parts

SAMPLE = Path(__file__).parents[3] / "examples" / "bracket.step"


class Mesh:
    """A binary glTF, read by its specification."""

    def __init__(self, glb: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", glb)
        assert (magic, version, length) == (b"glTF", 2, len(glb))
        size = struct.unpack_from("<I", glb, 12)[0]
        self.json: dict[str, Any] = json.loads(glb[20 : 20 + size])
        self._binary = glb[28 + size :]

    def array(self, number: int) -> Any:
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = {5126: np.float32, 5125: np.uint32}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
        found = np.frombuffer(self._binary, kind, accessor["count"] * width, view["byteOffset"])
        return found if width == 1 else found.reshape(-1, 3)

    def body(self, place: int) -> tuple[Any, Any, Any]:
        """Corners (n, 3, 3) in the world, normals of the corners, and the face of each triangle."""
        node = self.json["nodes"][place]
        matrix = np.array(node["matrix"]).reshape(4, 4).T
        (surface,) = [one for one in self.json["meshes"][node["mesh"]]["primitives"] if one["mode"] == 4]
        position, normal, face = (self.array(surface["attributes"][name]) for name in ("POSITION", "NORMAL", "_FACE"))
        index = self.array(surface["indices"]).reshape(-1, 3)
        world = position @ matrix[:3, :3].T + matrix[:3, 3]
        faces = face[index]
        assert (faces == faces[:, :1]).all(), "a triangle belongs to one face"
        return world[index], (normal @ matrix[:3, :3].T)[index], faces[:, 0].astype(int)


def mesh_of(model: Any) -> Mesh:
    return Mesh(BrepSteps(model).mesh())


def areas(corners: Any) -> Any:
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2


@pytest.mark.requirement("mesh.faces")
def test_the_triangles_of_a_face_lie_on_the_face_that_the_document_describes() -> None:
    steps = read_file(SAMPLE.read_bytes(), SAMPLE.name)
    assert isinstance(steps, BrepSteps)
    (solid,) = steps.reading.structure.solids or []
    assert solid.bbox is not None
    mesh = Mesh(steps.mesh())
    assert [node["extras"]["id"] for node in mesh.json["nodes"]] == [solid.id]
    corners, normals, face_of = mesh.body(0)
    assert set(face_of) == set(range(len(solid.faces)))
    reach = 2 * LINEAR_DEFLECTION * float(np.linalg.norm(np.subtract(solid.bbox.max, solid.bbox.min)))
    for number, face in enumerate(solid.faces):
        own = corners[face_of == number].reshape(-1, 3)
        assert areas(corners[face_of == number]).sum() == pytest.approx(face.area, rel=0.05)
        away = own - np.asarray(face.origin)
        if face.type == "plane":
            assert np.abs(away @ face.normal).max() < reach
            assert (normals[face_of == number].reshape(-1, 3) @ face.normal).min() > 0.999
        elif face.type == "cylinder":
            axis = np.asarray(face.axis)
            radial = away - np.outer(away @ axis, axis)
            assert np.abs(np.linalg.norm(radial, axis=1) - face.radius).max() < reach


@pytest.mark.requirement("mesh.faces")
def test_the_mesh_encloses_the_volume_of_the_document() -> None:
    box = parts.solid(cq.Workplane("XY").box(30, 20, 10).faces(">Z").hole(8))
    corners, _, _ = mesh_of(parts.source_of(box)).body(0)
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(30 * 20 * 10 - np.pi * 16 * 10, rel=0.01)


@pytest.mark.requirement("mesh.instances")
def test_copies_share_one_mesh_and_stand_where_the_document_says(tmp_path: Path) -> None:
    assembly = cq.Assembly()
    part = cq.Workplane("XY").box(4, 2, 1).edges("|Z").fillet(0.3)
    for place, angle in (((10, 0, 0), 0), ((0, 50, 3), 90)):
        assembly.add(part, loc=cq.Location(cq.Vector(*place), cq.Vector(0, 0, 1), angle))
    assembly.export(str(file := tmp_path / "pair.step"))
    steps = read_file(file.read_bytes(), file.name)
    assert isinstance(steps, BrepSteps)
    mesh = Mesh(steps.mesh())
    assert len(mesh.json["meshes"]) == 1 and len(mesh.json["nodes"]) == 2
    for number, solid in enumerate(steps.reading.structure.solids or ()):
        assert solid.bbox is not None
        corners, _, _ = mesh.body(number)
        points = corners.reshape(-1, 3)
        assert points.min(axis=0) == pytest.approx(solid.bbox.min, abs=1e-4)
        assert points.max(axis=0) == pytest.approx(solid.bbox.max, abs=1e-4)


@pytest.mark.requirement("mesh.format")
def test_another_reader_of_gltf_reads_it() -> None:
    steps = read_file(SAMPLE.read_bytes(), SAMPLE.name)
    assert isinstance(steps, BrepSteps)
    scene = trimesh.load(io.BytesIO(steps.mesh()), file_type="glb")
    assert scene.extents == pytest.approx([110, 60, 94], abs=0.2)


@pytest.mark.requirement("mesh.format")
def test_edges_are_the_sides_of_faces() -> None:
    mesh = mesh_of(parts.source_of(parts.solid(cq.Workplane("XY").box(3, 2, 1))))
    (lines,) = [one for one in mesh.json["meshes"][0]["primitives"] if one["mode"] == 1]
    points, ends = mesh.array(lines["attributes"]["POSITION"]), mesh.array(lines["indices"]).reshape(-1, 2)
    lengths = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    assert lengths.sum() == pytest.approx(2 * 4 * (3 + 2 + 1)), "each edge of a box bounds two faces"


def colors_in(mesh: Mesh, place: int) -> Any:
    """(n, 3) linear colours of the corners of a body's triangles."""
    (surface,) = [
        one for one in mesh.json["meshes"][mesh.json["nodes"][place]["mesh"]]["primitives"] if one["mode"] == 4
    ]
    return mesh.array(surface["attributes"]["COLOR_0"])


def decoded(color: str) -> list[float]:
    """Linear parts of #rrggbb by the transfer function of IEC 61966-2-1."""
    parts_ = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_]


@pytest.mark.requirement("mesh.colors")
def test_bodies_of_several_colors_keep_them(tmp_path: Path) -> None:
    part = cq.Workplane("XY").box(4, 2, 1)
    assembly = cq.Assembly()
    for place, color in enumerate([(0.8, 0.1, 0.1), (0.1, 0.2, 0.7), (0.8, 0.1, 0.1)]):
        assembly.add(part, loc=cq.Location(cq.Vector(10 * place, 0, 0)), color=cq.Color(*color))
    assembly.export(str(file := tmp_path / "three.step"))
    steps = read_file(file.read_bytes(), file.name)
    assert isinstance(steps, BrepSteps)
    mesh = Mesh(steps.mesh())
    solids = steps.reading.structure.solids or []
    assert len({solid.color for solid in solids}) == 2
    for place, solid in enumerate(solids):
        assert solid.color is not None
        found = colors_in(mesh, place)
        assert found == pytest.approx(np.broadcast_to(decoded(solid.color), found.shape), abs=1e-6)
    assert len(mesh.json["meshes"]) == 2, "copies of one colour share a mesh"


@pytest.mark.requirement("mesh.colors")
def test_a_face_of_its_own_color_keeps_it() -> None:
    text = SAMPLE.read_text("latin-1")
    face = next(part for part in text.split(";") if "ADVANCED_FACE" in part).split("=")[0].strip()
    style = (
        "#99001=COLOUR_RGB('',1.,0.5,0.);#99002=FILL_AREA_STYLE_COLOUR('',#99001);#99003=FILL_AREA_STYLE('',(#99002));"
        "#99004=SURFACE_STYLE_FILL_AREA(#99003);#99005=SURFACE_SIDE_STYLE('',(#99004));"
        "#99006=SURFACE_STYLE_USAGE(.BOTH.,#99005);#99007=PRESENTATION_STYLE_ASSIGNMENT((#99006));"
        f"#99008=STYLED_ITEM('',(#99007),{face});"
    )
    head, end, tail = text.rpartition("ENDSEC;")
    context = next(part for part in text.split(";") if "GEOMETRIC_REPRESENTATION_CONTEXT" in part).split("=")[0].strip()
    style += f"#99009=MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(#99008),{context});\n"
    steps = read_file((head + style + end + tail).encode("latin-1"), "colored.step")
    assert isinstance(steps, BrepSteps)
    (solid,) = steps.reading.structure.solids or []
    colored = {number: each.color for number, each in enumerate(solid.faces) if each.color}
    assert list(colored.values()) == ["#ff8000"]
    mesh = Mesh(steps.mesh())
    (surface,) = [one for one in mesh.json["meshes"][0]["primitives"] if one["mode"] == 4]
    own = np.isin(mesh.array(surface["attributes"]["_FACE"]), list(colored))
    found = colors_in(mesh, 0)
    assert found[own] == pytest.approx(np.broadcast_to(decoded("#ff8000"), found[own].shape), abs=1e-6)
    assert not np.isclose(found[~own], decoded("#ff8000")).all(axis=1).any()


@pytest.mark.requirement("mesh.colors")
def test_a_body_without_color_has_a_dull_material() -> None:
    mesh = mesh_of(parts.source_of(parts.solid(cq.Workplane("XY").box(3, 2, 1))))
    surface = mesh.json["meshes"][0]["primitives"][0]
    assert "COLOR_0" not in surface["attributes"]
    assert mesh.json["materials"][surface["material"]]["pbrMetallicRoughness"]["metallicFactor"] == 0.0
