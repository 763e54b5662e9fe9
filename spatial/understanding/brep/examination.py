"""What the kernel's check and the topology show about each definition of a file.

Glossary
  free edge         an edge with one face; an edge along which a face closes on itself is not free.
  crowded edge      an edge with more than two faces.
  disagreeing edge  an edge that runs the same way round in both of its faces, so that they do not agree on a side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from OCP.BRep import BRep_Tool
from OCP.BRepClass3d import BRepClass3d_SolidClassifier
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_IN, TopAbs_OUT, TopAbs_REVERSED
from OCP.TopoDS import TopoDS, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from spatial.models.brep import faults
from spatial.models.brep.body import Body
from spatial.models.brep.complements import complements
from spatial.models.brep.definition import Definition
from spatial.models.brep.faults import Fault, crowded_faces, faults_of
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.model import BrepModel
from spatial.models.brep.topology import faces_of, subshapes, unplaced
from spatial.models.reading import Reading

CLASSIFIER_TOLERANCE: Final = 1e-7
"""Millimetres; the kernel's own Precision::Confusion."""


@dataclass
class Examination:
    """What was found about one definition; None where it was not checked."""

    ids: list[str]
    """Its instances."""
    name: str
    shape: TopoDS_Shape
    solid: bool
    tessellated: bool
    closed: bool
    definition: Definition | None = None
    """None of a face that belongs to no shell."""
    faults: list[Fault] | None = None
    edges: int = 0
    free_edges: int = 0
    crowded_edges: int = 0
    disagreeing_edges: int = 0
    inside_out: bool | None = None
    complements: list[int] = field(default_factory=list)
    """Faces that cover the rest of a closed surface, by their places in the shape, from 0."""
    crowded_faces: int = 0
    """Faces with so many wires that the kernel's check leaves them out."""

    def repeats(self, fault: Fault) -> bool:
        """Whether a fault repeats what the edges show, which a later layer reports."""
        found = {
            "NotClosed": self.free_edges,
            "InvalidMultiConnexity": self.crowded_edges,
            "BadOrientation": self.disagreeing_edges or self.inside_out,
            "BadOrientationOfSubshape": self.disagreeing_edges or self.inside_out,
            "UnorientableShape": self.crowded_edges or self.disagreeing_edges,
        }
        return self.solid and fault.entity in ("shell", "solid", "edge") and bool(found.get(fault.code))

    @property
    def encloses(self) -> bool:
        """Whether it is a shell without free edges, though the file does not call it a solid.

        A face that lost its boundary has no edges at all, and is infinite.
        """
        return self.edges > 0 and not (self.solid or self.tessellated or self.free_edges)

    @property
    def title(self) -> str:
        """Its name in warnings."""
        others = f" and {len(self.ids) - 1} more of it" if len(self.ids) > 1 else ""
        return (
            f"{self.ids[0]} ({self.name}){others}" if self.name not in ("", self.ids[0]) else f"{self.ids[0]}{others}"
        )


def examine(source: BrepModel) -> list[Examination]:
    """Every definition, in the order of their first instances, and then every open shape."""
    definitions = _definitions(source)
    _check(definitions, _reported_orientations(source.reading))
    return definitions


def _definitions(source: BrepModel) -> list[Examination]:
    """One entry per definition, in the order of their first instances; an open shape is its own definition."""
    found: dict[str, Examination] = {}
    for solid in source.solids:
        entry = found.setdefault(
            solid.definition,
            Examination(
                [],
                solid.name,
                unplaced(solid.shape),
                True,
                solid.tessellated,
                solid.closed,
                source.definitions.get(solid.definition),
            ),
        )
        entry.ids.append(solid.id)
    shells = {body.id: body.definition for body in source.bodies if body.kind == "shell"}
    open_shapes = [
        Examination([each.id], "", unplaced(each.shape), False, _is_mesh(each.shape), False, shells.get(each.id))
        for each in source.open_shapes
    ]
    return [*found.values(), *open_shapes]


def _is_mesh(shape: TopoDS_Shape) -> bool:
    return all(BRep_Tool.Surface_s(face) is None for face in faces_of(shape))


def _reported_orientations(reading: Reading) -> dict[str, str]:
    """The orientation that the reader reports of each solid: forward, or reversed where its faces look inwards."""
    return {solid.id: solid.orientation for solid in reading.structure.solids or () if solid.orientation}


def _check(definitions: list[Examination], orientations: dict[str, str]) -> None:
    """Check each definition, by the kernel until `faults.KERNEL_FACES` are used up."""
    left = faults.KERNEL_FACES
    for each in definitions:
        reported = orientations.get(each.ids[0])
        each.inside_out = None if reported is None else reported == "reversed"
        if each.tessellated:
            continue
        faces = len(faces_of(each.shape))
        try:
            _check_one(each, by_kernel=faces <= left)
        except KERNEL_ERRORS:
            each.faults = [Fault("solid" if each.solid else "shell", "CheckFail")]
        left -= faces if faces <= left else 0


def _check_one(each: Examination, *, by_kernel: bool) -> None:
    body = each.definition.body if each.definition is not None else None
    uses = _of_shape(each.shape) if body is None or not all(face.coedges for face in body.faces) else _of_body(body)
    each.edges, each.free_edges, each.crowded_edges, each.disagreeing_edges = _edges(*uses)
    if not by_kernel:
        return
    if each.solid and each.inside_out is None and not each.free_edges:
        each.inside_out = _is_inside_out(each.shape)
    if each.solid and each.definition is not None:
        each.complements = complements(each.definition)
    each.crowded_faces = len(crowded_faces(each.shape))
    found = faults_of(each.shape) if each.definition is None else each.definition.kernel_faults
    each.faults = [fault for fault in found if not each.repeats(fault)]


def _of_body(body: Body) -> tuple[Counter[int], Counter[int]]:
    """How often each edge is taken forward, and how often against its direction."""
    uses: dict[float, Counter[int]] = {1.0: Counter(), -1.0: Counter()}
    for face in body.faces:
        for coedge in face.coedges:
            if coedge.curve is not None:
                uses[coedge.sign * face.sign][coedge.curve] += 1
    return uses[1.0], uses[-1.0]


def _of_shape(shape: TopoDS_Shape) -> tuple[Counter[int], Counter[int]]:
    """The same where not every edge has a curve that can be used."""
    numbers = TopTools_IndexedMapOfShape()
    uses: dict[Any, Counter[int]] = {TopAbs_FORWARD: Counter(), TopAbs_REVERSED: Counter()}
    for face in faces_of(shape):
        for edge in subshapes(face, TopAbs_EDGE):
            if edge.Orientation() in uses and not BRep_Tool.Degenerated_s(TopoDS.Edge_s(edge)):
                uses[edge.Orientation()][numbers.Add(edge)] += 1
    return uses[TopAbs_FORWARD], uses[TopAbs_REVERSED]


def _edges(forward: Counter[int], reversed_: Counter[int]) -> tuple[int, int, int, int]:
    """How many edges there are, are free, have more than two faces, or run the same way round in both of their faces."""
    both = forward + reversed_
    free = sum(count == 1 for count in both.values())
    crowded = sum(count > 2 for count in both.values())
    disagreeing = sum(count == 2 and forward[edge] != 1 for edge, count in both.items())
    return len(both), free, crowded, disagreeing


def _is_inside_out(solid: TopoDS_Shape) -> bool | None:
    """Whether the point at infinity counts as material; None where the kernel cannot say."""
    try:
        classifier = BRepClass3d_SolidClassifier(solid)
        classifier.PerformInfinitePoint(CLASSIFIER_TOLERANCE)
    except KERNEL_ERRORS:
        return None
    return {TopAbs_IN: True, TopAbs_OUT: False}.get(classifier.State())
