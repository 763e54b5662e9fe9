"""Validity: every layer fails for the thing it is about, and says so in words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import cadquery as cq
import pytest
from OCP.BRep import BRep_Builder
from OCP.TopoDS import TopoDS_Shell, TopoDS_Solid

from examples.make_bracket import bracket
from spatial.contract.extraction import Curve, Solid
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.models.brep import faults
from spatial.models.brep.model import BrepModel
from spatial.models.reading import Meaning
from spatial.understanding.brep import validity as rules
from spatial.understanding.brep.validity import validity
from tests.spatial import parts

LAYERS = ["parsed", "loaded", "kernel", "closed", "manifold", "oriented", "units"]


def verdict_of(source: BrepModel) -> tuple[dict[str, Any], list[str]]:
    meaning = validity(source)
    return meaning.structure["validity"], meaning.warnings


def statuses(verdict: dict[str, Any]) -> dict[str, str]:
    return {layer["layer"]: layer["status"] for layer in verdict["layers"]}


def layer(verdict: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [layer for layer in verdict["layers"] if layer["layer"] == name]
    return dict(found)


def solid_of(faces: list[cq.Face]) -> cq.Solid:
    """A solid that has these faces just as they are: nothing is sewn, turned or mended."""
    builder, shell, body = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in faces:
        builder.Add(shell, face.wrapped)
    builder.MakeSolid(body)
    builder.Add(body, shell)
    return cq.Solid(body)


def bow_tie() -> cq.Face:
    """A flat face whose outline crosses itself."""
    corners = [cq.Vector(*corner) for corner in ((0, 0), (10, 10), (10, 0), (0, 10))]
    return cq.Face.makeFromWires(cq.Wire.makePolygon(corners, close=True))


def lump_with_a_crowded_edge() -> cq.Solid:
    """Two blocks that touch along an edge, as one body: the edge has four faces."""
    near = cq.Workplane().box(5, 5, 5, centered=False)
    touching = near.union(near.translate((5, 5, 0))).faces().vals()
    return solid_of([face for face in touching if isinstance(face, cq.Face)])


@pytest.mark.requirement("validity.layers", "validity.verdict")
@pytest.mark.parametrize("part", [parts.block(), parts.ball(3), parts.freeform(), parts.solid(bracket())])
def test_a_sound_part_passes_every_layer(part: cq.Solid) -> None:
    verdict, warnings = verdict_of(parts.source_of(part))
    assert list(statuses(verdict)) == LAYERS
    assert set(statuses(verdict).values()) == {"passed"}
    assert verdict["valid"] is True
    assert "first_failure" not in verdict and "faults" not in verdict
    assert warnings == []


@pytest.mark.requirement("validity.verdict")
def test_assumed_units_leave_validity_unknown() -> None:
    verdict, warnings = verdict_of(parts.source_of(parts.block(), found="assumed"))
    assert verdict["valid"] is None
    assert layer(verdict, "units")["status"] == "unknown"
    assert warnings == []


@pytest.mark.requirement("validity.verdict")
def test_unknown_validity_is_null_in_the_document() -> None:
    source = parts.source_of(parts.block(), found="assumed")
    document = assemble(
        source.reading, validity(source), None, file_name="a.step", target=TargetContract.structured, request_id="r"
    )
    written = json.loads(result_bytes(document))
    assert written["structure"]["validity"]["valid"] is None


@pytest.mark.requirement("validity.faults", "validity.warnings", "validity.verdict")
def test_a_wire_that_crosses_itself_is_a_fault_of_its_face() -> None:
    source = parts.source_of(solid_of([*parts.block().Faces(), bow_tie()]))
    verdict, warnings = verdict_of(source)
    assert verdict["valid"] is False
    assert verdict["first_failure"] == "kernel"
    assert layer(verdict, "kernel")["affected"] == ["solid-1"]
    assert {
        "objects": ["solid-1"],
        "face": "face-7",
        "entity": "wire",
        "fault": "SelfIntersectingWire",
        "means": "a wire crosses itself",
    } in verdict["faults"]
    assert any("a wire crosses itself (wire of face-7)" in warning for warning in warnings)


@pytest.mark.requirement("validity.faults")
def test_the_faults_of_a_definition_are_told_once_for_all_its_instances() -> None:
    bad = solid_of([*parts.block().Faces(), bow_tie()])
    source = parts.source_of(bad, bad.moved(cq.Location((50, 0, 0))), definitions=["bad", "bad"])
    verdict, warnings = verdict_of(source)
    assert {tuple(fault["objects"]) for fault in verdict["faults"]} == {("solid-1", "solid-2")}
    assert layer(verdict, "kernel")["affected"] == ["solid-1", "solid-2"]
    assert sum("kernel's check" in warning for warning in warnings) == 1


@pytest.mark.requirement("validity.faults")
def test_the_list_of_faults_is_bounded_and_their_count_is_not() -> None:
    many = [bow_tie().moved(cq.Location((20 * place, 0, 0))) for place in range(60)]
    verdict, _ = verdict_of(parts.source_of(open_shapes=many))
    assert len(verdict["faults"]) == rules.LISTED
    assert verdict["fault_count"] >= 60
    assert len(layer(verdict, "kernel")["affected"]) == rules.LISTED


@pytest.mark.requirement("validity.verdict", "validity.warnings")
def test_a_solid_with_a_hole_in_its_boundary_is_not_closed() -> None:
    source = parts.source_of(cq.Solid.makeSolid(parts.open_box()), closed=False)
    verdict, warnings = verdict_of(source)
    assert verdict["valid"] is False
    assert verdict["first_failure"] == "closed"
    assert layer(verdict, "closed") == {
        "layer": "closed", "status": "failed", "detail": "the boundary has 4 free edges", "affected": ["solid-1"],
    }  # fmt: skip
    assert warnings == []


@pytest.mark.requirement("validity.verdict", "validity.warnings")
def test_an_edge_with_four_faces_is_not_manifold() -> None:
    verdict, warnings = verdict_of(parts.source_of(lump_with_a_crowded_edge()))
    assert verdict["first_failure"] == "manifold"
    assert layer(verdict, "manifold")["detail"] == "1 edge has more than two faces"
    assert warnings[0] == "solid-1: 1 edge has more than two faces, so the boundary is not manifold"


@pytest.mark.requirement("validity.verdict", "validity.warnings")
def test_a_face_turned_over_is_not_oriented() -> None:
    first, *others = parts.block().Faces()
    verdict, warnings = verdict_of(parts.source_of(solid_of([cq.Face(first.wrapped.Reversed()), *others])))
    assert verdict["first_failure"] == "oriented"
    assert warnings == ["solid-1: faces do not agree on where the material is, at 4 edges"]


@pytest.mark.requirement("validity.verdict", "validity.warnings")
def test_a_solid_whose_faces_all_point_inwards_is_inside_out() -> None:
    inside_out = solid_of([cq.Face(face.wrapped.Reversed()) for face in parts.block().Faces()])
    verdict, _ = verdict_of(parts.source_of(inside_out))
    assert verdict["first_failure"] == "oriented"


@pytest.mark.requirement("validity.verdict")
@pytest.mark.parametrize(("told", "status"), [("reversed", "failed"), ("forward", "passed")])
def test_what_the_reader_says_of_the_orientation_counts(told: str, status: str) -> None:
    source = parts.source_of(parts.block())
    solid = Solid(id="solid-1", orientation=told)
    structure = source.reading.structure.model_copy(update={"solids": [solid]})
    source.reading = source.reading.model_copy(update={"structure": structure})
    assert statuses(verdict_of(source)[0])["oriented"] == status


@pytest.mark.requirement("validity.verdict")
def test_faces_without_a_solid_are_not_closed() -> None:
    verdict, warnings = verdict_of(parts.source_of(open_shapes=[parts.open_box()]))
    assert verdict["first_failure"] == "closed"
    assert layer(verdict, "closed")["detail"] == "there is no solid, only 1 open shape"
    assert statuses(verdict)["manifold"] == "unknown"
    assert warnings == []


@pytest.mark.requirement("validity.verdict")
def test_a_shell_that_closes_is_judged_as_a_solid() -> None:
    """As in IGES files of surfaces, once they are sewn."""
    (shell,) = parts.block().Shells()
    verdict, _ = verdict_of(parts.source_of(open_shapes=[shell]))
    assert verdict["valid"] is True
    assert layer(verdict, "closed")["detail"] == "the file does not call its closed shells solids"


@pytest.mark.requirement("validity.verdict")
def test_faces_beside_a_solid_are_named_and_forgiven() -> None:
    verdict, _ = verdict_of(parts.source_of(parts.block(), open_shapes=[parts.open_box()]))
    assert verdict["valid"] is True
    assert layer(verdict, "closed")["detail"] == "the file also has 1 open shape"


@pytest.mark.requirement("validity.verdict", "validity.warnings")
def test_a_file_without_geometry_fails_to_load() -> None:
    verdict, warnings = verdict_of(parts.source_of())
    assert verdict["valid"] is False
    assert verdict["first_failure"] == "loaded"
    assert warnings == []


@pytest.mark.requirement("validity.verdict")
def test_a_wireframe_is_loaded_and_nobody_knows_more() -> None:
    source = parts.source_of()
    structure = source.reading.structure.model_copy(update={"curves": [Curve(id="curve-1")]})
    source.reading = source.reading.model_copy(update={"structure": structure})
    verdict, warnings = verdict_of(source)
    assert verdict["valid"] is None
    assert layer(verdict, "loaded")["detail"] == "the file has only curves and nothing with a surface"
    assert warnings == []


@pytest.mark.requirement("validity.bounded", "validity.warnings")
def test_a_file_with_too_many_faces_is_checked_as_far_as_the_bound_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "KERNEL_FACES", 8)
    verdict, warnings = verdict_of(parts.source_of(parts.block(), parts.solid(bracket()), parts.ball(3)))
    assert verdict["valid"] is None
    assert layer(verdict, "kernel") == {
        "layer": "kernel", "status": "unknown", "detail": "the check stops at 8 faces per file, before these",
        "affected": ["solid-2"],
    }  # fmt: skip
    assert warnings == ["the kernel's check stops at 8 faces per file: 1 object was not checked"]


@pytest.mark.requirement("validity.bounded")
def test_a_face_with_too_many_boundaries_is_left_out_of_the_check_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_WIRES", 4)
    plate = cq.Workplane("XY").box(60, 20, 5).faces(">Z").workplane().rarray(10, 1, 4, 1).hole(4)
    verdict, warnings = verdict_of(parts.source_of(parts.solid(plate), parts.block()))
    assert verdict["valid"] is None
    assert layer(verdict, "kernel") == {
        "layer": "kernel", "status": "unknown", "affected": ["solid-1"],
        "detail": "2 faces have more than 4 boundaries, and whether they cross is not checked",
    }  # fmt: skip
    assert {name for name, status in statuses(verdict).items() if status == "unknown"} == {"kernel"}
    assert warnings == []


@pytest.mark.requirement("validity.tessellated")
def test_triangles_are_unknown_to_the_kernel() -> None:
    verdict, warnings = verdict_of(parts.source_of(parts.block(), tessellated=True))
    assert verdict["valid"] is None
    assert {name for name, status in statuses(verdict).items() if status == "unknown"} == {
        "kernel",
        "manifold",
        "oriented",
    }
    assert warnings == []


@pytest.mark.requirement("validity.warnings")
def test_a_warning_calls_a_solid_by_its_name() -> None:
    """And tells of free edges that the reader has not seen."""
    source = parts.source_of(cq.Solid.makeSolid(parts.open_box()))
    (model,) = source.solids
    source.solids = [replace(model, name="Housing")]
    assert validity(source).warnings == ["solid-1 (Housing): the boundary has 4 free edges, though it should be closed"]
    source.solids = [replace(model, name="solid-1")]
    assert validity(source).warnings == ["solid-1: the boundary has 4 free edges, though it should be closed"]


@pytest.mark.requirement("validity.layers")
def test_validity_is_part_of_the_meaning_and_nothing_else() -> None:
    meaning = validity(parts.source_of(parts.block()))
    assert meaning == Meaning(structure={"validity": meaning.structure["validity"]})
