"""What the kernel's check (BRepCheck) finds wrong, in words.

Glossary
  wire               the edges around a face, or around a hole in it.
  pcurve             an edge's curve in the parameters of a face's surface; it has to agree with the edge's curve in space.
  same parameter     both curves are at the same place at the same parameter, to within the edge's tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from OCP.BRepCheck import BRepCheck_Analyzer, BRepCheck_ListOfStatus, BRepCheck_Result, BRepCheck_Status
from OCP.TopAbs import (
    TopAbs_EDGE,
    TopAbs_FACE,
    TopAbs_ShapeEnum,
    TopAbs_SHELL,
    TopAbs_SOLID,
    TopAbs_VERTEX,
    TopAbs_WIRE,
)
from OCP.TopoDS import TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.topology import count_of_kind, faces_of, subshapes

MEANS: Final = {
    "InvalidPointOnCurve": "a vertex lies off its edge's curve",
    "InvalidPointOnCurveOnSurface": "a vertex lies off its edge's curve on the surface",
    "InvalidPointOnSurface": "a vertex lies off the surface",
    "No3DCurve": "an edge has no curve in space",
    "Multiple3DCurve": "an edge has several curves in space",
    "Invalid3DCurve": "an edge's curve in space is not usable",
    "NoCurveOnSurface": "an edge has no curve on the surface",
    "InvalidCurveOnSurface": "an edge's curve on the surface leaves its curve in space",
    "InvalidCurveOnClosedSurface": "an edge's two curves along a seam do not fit",
    "InvalidSameRangeFlag": "an edge's curves run over different ranges",
    "InvalidSameParameterFlag": "an edge's curves in space and on the surface do not agree",
    "InvalidDegeneratedFlag": "an edge is marked as a point but is not one",
    "FreeEdge": "an edge bounds no face",
    "InvalidMultiConnexity": "an edge has more than two faces",
    "InvalidRange": "an edge's range is not within its curve",
    "EmptyWire": "a wire has no edges",
    "RedundantEdge": "a wire has an edge twice",
    "SelfIntersectingWire": "a wire crosses itself",
    "NoSurface": "a face has no surface",
    "InvalidWire": "a face has a wire that is not usable",
    "RedundantWire": "a face has a wire twice",
    "IntersectingWires": "a face's wires cross each other",
    "InvalidImbricationOfWires": "a face's holes are not inside its outline",
    "EmptyShell": "a shell has no faces",
    "RedundantFace": "a shell has a face twice",
    "InvalidImbricationOfShells": "a solid's voids are not inside it",
    "UnorientableShape": "the faces cannot be turned to agree",
    "NotClosed": "the boundary does not close",
    "NotConnected": "the parts are not connected",
    "SubshapeNotInShape": "a part is not where it should be",
    "BadOrientation": "the orientation is wrong",
    "BadOrientationOfSubshape": "a part's orientation is wrong",
    "InvalidPolygonOnTriangulation": "an edge's polygon does not lie on the triangles",
    "InvalidToleranceValue": "a tolerance is smaller than the gap that it should bridge",
    "EnclosedRegion": "a region is enclosed by another",
    "CheckFail": "the check itself failed",
}
"""The kernel's statuses, each in a few words."""

_ENTITIES: Final[dict[TopAbs_ShapeEnum, str]] = {
    TopAbs_SOLID: "solid",
    TopAbs_SHELL: "shell",
    TopAbs_FACE: "face",
    TopAbs_WIRE: "wire",
    TopAbs_EDGE: "edge",
    TopAbs_VERTEX: "vertex",
}


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong."""

    entity: str
    """solid, shell, face, wire, edge or vertex."""
    code: str
    """The kernel's name for it, without its prefix."""
    face: int | None = None
    """The face that it is at, by its place in the shape, from 0; None for shells and solids."""

    @property
    def means(self) -> str:
        """The code in a few words."""
        return MEANS.get(self.code, self.code)

    def as_json(self, objects: list[str], face_id: str | None) -> dict[str, Any]:
        """The fault as the document has it."""
        at = {"face": face_id} if face_id else {}
        return {"objects": objects, **at, "entity": self.entity, "fault": self.code, "means": self.means}


KERNEL_FACES: Final = 10_000
"""Faces of one file that the kernel checks, instances not counted: it takes about 0.4 ms per face."""

MOST_WIRES: Final = 300
"""Wires of a face that the kernel checks: it compares them with each other, in a time that grows with their cube (2 s for 500)."""


def crowded_faces(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    """The faces that have more wires than the kernel checks."""
    if count_of_kind(shape, TopAbs_WIRE) <= MOST_WIRES:
        return []
    return [face for face in faces_of(shape) if len(subshapes(face, TopAbs_WIRE)) > MOST_WIRES]


def faults_of(shape: TopoDS_Shape) -> list[Fault]:
    """Every fault of a shape, once: first what is wrong face by face, then with its shells and as a whole.

    A shape with crowded faces is checked without them, and as a whole not at all.
    """
    try:
        crowded = crowded_faces(shape)
        if crowded:
            return list(_faults_of_faces(shape, crowded))
        analyzer = BRepCheck_Analyzer(shape)
        return [] if analyzer.IsValid() else list(_faults(analyzer, shape))
    except KERNEL_ERRORS:
        return [Fault(_ENTITIES.get(shape.ShapeType(), "shape"), "CheckFail")]


def _faults(analyzer: BRepCheck_Analyzer, shape: TopoDS_Shape) -> Iterator[Fault]:
    seen: set[tuple[int, str]] = set()
    numbers = TopTools_IndexedMapOfShape()
    for place, face in enumerate(faces_of(shape)):
        yield from _of_face(analyzer, face, place, numbers, seen)
    for kind in (TopAbs_SHELL, TopAbs_SOLID):
        for part in subshapes(shape, kind):
            yield from _of(analyzer.Result(part), part, shape, None, numbers, seen)


def _faults_of_faces(shape: TopoDS_Shape, crowded: list[TopoDS_Shape]) -> Iterator[Fault]:
    """Those of each face by itself."""
    seen: set[tuple[int, str]] = set()
    numbers = TopTools_IndexedMapOfShape()
    for place, face in enumerate(faces_of(shape)):
        if any(face.IsSame(each) for each in crowded):
            continue
        analyzer = BRepCheck_Analyzer(face)
        if not analyzer.IsValid():
            yield from _of_face(analyzer, face, place, numbers, seen)


def _of_face(
    analyzer: BRepCheck_Analyzer,
    face: TopoDS_Shape,
    place: int,
    numbers: TopTools_IndexedMapOfShape,
    seen: set[tuple[int, str]],
) -> Iterator[Fault]:
    for part in (face, *(part for kind in _PARTS_OF_FACE for part in subshapes(face, kind))):
        yield from _of(analyzer.Result(part), part, face, place, numbers, seen)


_PARTS_OF_FACE: Final = (TopAbs_WIRE, TopAbs_EDGE, TopAbs_VERTEX)


def _of(
    result: BRepCheck_Result,
    part: TopoDS_Shape,
    within: TopoDS_Shape,
    place: int | None,
    numbers: TopTools_IndexedMapOfShape,
    seen: set[tuple[int, str]],
) -> Iterator[Fault]:
    number = numbers.Add(part)
    for code in _codes(result, within):
        if (number, code) not in seen:
            seen.add((number, code))
            yield Fault(_ENTITIES[part.ShapeType()], code, place)


def _codes(result: BRepCheck_Result, within: TopoDS_Shape) -> Iterator[str]:
    """What is wrong with a shape by itself and as a part of another; "NoError" is a status, too."""
    statuses = _values(result.Status())
    result.InitContextIterator()
    while result.MoreShapeInContext():
        if result.ContextualShape().IsSame(within):
            statuses += _values(result.StatusOnShape())
        result.NextShapeInContext()
    yield from (code for code in map(_CODES.__getitem__, statuses) if code != "NoError")


def _values(statuses: BRepCheck_ListOfStatus) -> list[int]:
    """The statuses of a list by their values.

    A loop over a list of the kernel ends by an exception of C++, which takes a millisecond, and the name of a status half a one.
    """
    left, found = BRepCheck_ListOfStatus(statuses), []
    while not left.IsEmpty():
        found.append(left.First().value)
        left.RemoveFirst()
    return found


_CODES: Final = {each.value: name.removeprefix("BRepCheck_") for name, each in BRepCheck_Status.__members__.items()}
"""The kernel's names of its statuses, without their prefix, by their values."""
