"""Documents for tests: parts that are extracted as a file would be, whole scenes turned, moved and scaled, diagrams and drawings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cadquery as cq
import numpy as np

from spatial.contract.extraction import CadExtraction
from spatial.contract.formats import format_of
from spatial.contract.responses import ResponsesInput
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import read
from spatial.reasoning.scene.model import Array
from spatial.reasoning.solve import solve

PLAN = SamplingPlan(points_per_object=2048, points_total=65536, seed=7)


def extracted(shape: cq.Workplane | cq.Assembly) -> CadExtraction:
    """The document of a shape that is written as STEP and read back."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.step"
        if isinstance(shape, cq.Assembly):
            shape.export(str(path))
        else:
            cq.exporters.export(shape, str(path))
        steps = read(format_of(path.name), path.read_bytes(), path.name)
    return assemble(
        steps.reading,
        steps.interpret(),
        steps.sample(PLAN),
        file_name="part.step",
        target=TargetContract.both,
        request_id="test",
        plan=PLAN,
    )


def ask(task: str, document: CadExtraction | dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """The output item of one task."""
    content = {"task_type": task, **members}
    if document is not None:
        content["cad_scene"] = document
    found: dict[str, Any] = solve(ResponsesInput.model_validate(content)).output[0]
    return found


def moved(document: CadExtraction, turn: Array, shift: Sequence[float], scale: float) -> CadExtraction:
    """The document with every point p of its bodies at scale * turn @ p + shift; bounds are those of the points.

    turn: (3, 3) rotation.
    """
    place = _Place(np.asarray(turn, dtype=float), np.asarray(shift, dtype=float), scale)
    data = document.model_dump(by_alias=True, exclude_none=True)
    points = {}
    for cloud in data["point_cloud_scene"]["point_clouds"]:
        rows = place.points([[point["x"], point["y"], point["z"]] for point in cloud["points"]])
        points[cloud["object_id"]] = rows
        cloud["points"] = [{"x": x, "y": y, "z": z} for x, y, z in rows.tolist()]
    for solid in data["structure"]["solids"]:
        place.solid(solid, points[solid["id"]])
    return CadExtraction.model_validate(data)


class _Place:
    def __init__(self, turn: Array, shift: Array, scale: float) -> None:
        self.turn, self.shift, self.scale = turn, shift, scale

    def points(self, rows: Iterable[Sequence[float]]) -> Array:
        return np.asarray(np.array(list(rows)) @ self.turn.T * self.scale + self.shift)

    def solid(self, solid: dict[str, Any], points: Array) -> None:
        solid["bbox"] = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
        solid["center_of_mass"] = self.points([solid["center_of_mass"]])[0].tolist()
        solid["volume"] *= self.scale**3
        solid["surface_area"] *= self.scale**2
        solid.pop("transform", None)
        for face in solid["faces"]:
            self.face(face)

    def face(self, face: dict[str, Any]) -> None:
        face["area"] *= self.scale**2
        for name in ("radius", "major_radius", "minor_radius"):
            if name in face:
                face[name] *= self.scale
        if "origin" in face:
            face["origin"] = self.points([face["origin"]])[0].tolist()
        for name in ("axis", "normal"):
            if name in face:
                face[name] = (self.turn @ np.array(face[name])).tolist()


def rotation(axis: Sequence[float], degrees: float) -> Array:
    """(3, 3) about an axis (Rodrigues)."""
    x, y, z = np.array(axis, dtype=float) / np.linalg.norm(axis)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew)


@cache
def part(name: str) -> CadExtraction:
    """A part of PARTS, extracted."""
    return extracted(PARTS[name]())


def _plate() -> cq.Workplane:
    return cq.Workplane().box(120, 80, 8).faces(">Z").workplane().rarray(90, 50, 2, 2).hole(9)


def _bare_plate() -> cq.Workplane:
    return cq.Workplane().box(200, 140, 3)


def _block() -> cq.Workplane:
    return cq.Workplane().box(60, 50, 40)


def _pocket_block() -> cq.Workplane:
    return (
        cq.Workplane()
        .box(80, 60, 50)
        .faces(">Z")
        .workplane()
        .rect(40, 30)
        .cutBlind(-10)
        .faces(">X")
        .workplane()
        .hole(12)
    )


def _bar() -> cq.Workplane:
    return cq.Workplane().box(300, 20, 15)


def _shaft() -> cq.Workplane:
    return (
        cq.Workplane()
        .circle(10)
        .extrude(60)
        .faces(">Z")
        .workplane()
        .circle(8)
        .extrude(40)
        .faces("<Z")
        .workplane()
        .circle(8)
        .extrude(30)
    )


def _pin() -> cq.Workplane:
    return cq.Workplane().circle(5).extrude(50).edges().chamfer(0.8)


def _tube() -> cq.Workplane:
    return cq.Workplane().circle(20).circle(17).extrude(120)


def _bush() -> cq.Workplane:
    return cq.Workplane().circle(15).circle(10).extrude(25)


def _flange() -> cq.Workplane:
    return cq.Workplane().circle(60).extrude(12).faces(">Z").workplane().polarArray(45, 0, 360, 6).hole(9)


def _washer() -> cq.Workplane:
    return cq.Workplane().circle(12).circle(6.5).extrude(2.5)


def _nut() -> cq.Workplane:
    return cq.Workplane().polygon(6, 15.01).circle(4).extrude(6.5)


def _bolt() -> cq.Workplane:
    return cq.Workplane().polygon(6, 15.01).extrude(5.3).faces(">Z").workplane().circle(4).extrude(40)


def _cap_screw() -> cq.Workplane:
    return cq.Workplane().circle(6.5).extrude(8).faces(">Z").workplane().circle(4).extrude(30)


def _bent_sheet() -> cq.Workplane:
    """A channel of 2 mm sheet, bent by 90 degrees about an inner radius of 2 mm."""
    outer = (
        cq.Workplane("XZ")
        .moveTo(0, 40)
        .lineTo(0, 4)
        .radiusArc((4, 0), -4)
        .lineTo(56, 0)
        .radiusArc((60, 4), -4)
        .lineTo(60, 40)
    )
    inner = outer.lineTo(58, 40).lineTo(58, 4).radiusArc((56, 2), 2).lineTo(4, 2).radiusArc((2, 4), 2).lineTo(2, 40)
    return inner.close().extrude(80)


def _angle_bracket() -> cq.Workplane:
    base = cq.Workplane().box(80, 60, 12, centered=(True, True, False))
    wall = cq.Workplane().box(12, 60, 70, centered=(True, True, False)).translate((-34, 0, 0))
    return base.union(wall).faces(">Z[-2]").workplane(origin=(15, 0, 12)).rarray(30, 30, 2, 2).hole(7)


def _enclosure() -> cq.Workplane:
    return cq.Workplane().box(150, 100, 60).faces(">Z").shell(-3)


def _closed_case() -> cq.Workplane:
    outer, inner = cq.Workplane().box(120, 90, 50), cq.Workplane().box(114, 84, 44)
    return outer.cut(inner)


PARTS = {
    "plate": _plate,
    "bare_plate": _bare_plate,
    "block": _block,
    "pocket_block": _pocket_block,
    "bar": _bar,
    "shaft": _shaft,
    "pin": _pin,
    "tube": _tube,
    "bush": _bush,
    "flange": _flange,
    "washer": _washer,
    "nut": _nut,
    "bolt": _bolt,
    "cap_screw": _cap_screw,
    "bent_sheet": _bent_sheet,
    "angle_bracket": _angle_bracket,
    "enclosure": _enclosure,
    "closed_case": _closed_case,
}

FAMILY = {
    "plate": "plate",
    "bare_plate": "plate",
    "block": "block",
    "pocket_block": "block",
    "bar": "bar",
    "shaft": "shaft",
    "pin": "shaft",
    "tube": "tube",
    "bush": "tube",
    "flange": "disc",
    "washer": "disc",
    "nut": "fastener",
    "bolt": "fastener",
    "cap_screw": "fastener",
    "bent_sheet": "sheet_metal",
    "angle_bracket": "bracket",
    "enclosure": "enclosure",
    "closed_case": "enclosure",
}
"""What an engineer calls each part."""
