"""How far a boundary representation can be trusted, layer by layer.

Glossary
  layer        one question about the file; the layers are asked in order, and the first that fails is named:
                 parsed      the file follows its format
                 loaded      geometry came out of it
                 kernel      curves, wires and faces are sound by the modelling kernel's own check
                 closed      every solid's boundary is without free edges
                 manifold    no edge of a solid has more than two faces
                 oriented    neighbouring faces agree on which side the material is, and it is the inside
                 units       the file says what its numbers mean
  fault        one thing that the kernel's check finds wrong with a face, wire, edge or vertex.
  free edge    an edge with one face; an edge along which a face closes on itself is not free.

A layer is `passed`, `failed`, or `unknown` with the reason. The whole is valid when every layer passed, invalid when one
failed, and otherwise nobody knows: `valid` is null.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from OCP.BRep import BRep_Tool
from OCP.BRepClass3d import BRepClass3d_SolidClassifier
from OCP.Standard import Standard_Failure
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_IN, TopAbs_OUT, TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from spatial.contract.extraction import Face, Shell, Solid
from spatial.extraction.reading import Meaning, Reading
from spatial.extraction.solid.brep import Brep
from spatial.extraction.solid.faults import Fault, faults_of
from spatial.extraction.solid.tessellation import faces_of, subshapes

KERNEL_FACES: Final = 10_000
"""Faces that the kernel's check looks at in one file, instances not counted; it takes about 0.4 ms a face."""

LISTED: Final = 50
"""Most faults and most ids in one list; counts are always of all."""

TOLD: Final = 3
"""Most faults that a warning spells out."""

Status = Literal["passed", "failed", "unknown"]


@dataclass
class _Layer:
    name: str
    status: Status = "passed"
    detail: str | None = None
    affected: list[str] = field(default_factory=list)
    """Ids of the solids or open shapes that the layer failed for."""

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"layer": self.name, "status": self.status}
        if self.detail:
            found["detail"] = self.detail
        if self.affected:
            found["affected"] = self.affected[:LISTED]
        return found


@dataclass
class _Definition:
    """What was found about one definition; None where it was not looked at."""

    ids: list[str]
    """Its instances."""
    name: str
    shape: TopoDS_Shape
    solid: bool
    tessellated: bool
    closed: bool
    faults: list[Fault] | None = None
    free_edges: int = 0
    crowded_edges: int = 0
    disagreeing_edges: int = 0
    inside_out: bool | None = None

    def asks(self, fault: Fault) -> bool:
        """Whether a later layer asks the same and finds it, too."""
        found = {
            "NotClosed": self.free_edges,
            "InvalidMultiConnexity": self.crowded_edges,
            "BadOrientation": self.disagreeing_edges or self.inside_out,
            "BadOrientationOfSubshape": self.disagreeing_edges or self.inside_out,
            "UnorientableShape": self.crowded_edges or self.disagreeing_edges,
        }
        return self.solid and fault.entity in ("shell", "solid", "edge") and bool(found.get(fault.code))

    @property
    def title(self) -> str:
        """How a warning calls it."""
        others = f" and {len(self.ids) - 1} more of it" if len(self.ids) > 1 else ""
        return f"{self.ids[0]} ({self.name}){others}" if self.name else f"{self.ids[0]}{others}"


def validity(source: Brep) -> Meaning:
    """The layers' verdicts as the `validity` member of `structure`, and a warning in plain words for each that failed."""
    definitions = _definitions(source)
    _examine(definitions)
    solids = [each for each in definitions if each.solid]
    layers = [
        _Layer("parsed"),
        _loaded(source.reading, definitions),
        _kernel(definitions),
        _closed(solids, definitions),
        _manifold(solids),
        _oriented(solids),
        _units(source.reading),
    ]
    verdict: dict[str, Any] = {"valid": _verdict(layers), "layers": [layer.as_json() for layer in layers]}
    first_failure = next((layer.name for layer in layers if layer.status == "failed"), None)
    if first_failure:
        verdict["first_failure"] = first_failure
    verdict |= _listed_faults(source.reading, definitions)
    return Meaning(structure={"validity": verdict}, warnings=list(_warnings(source.reading, definitions)))


def _definitions(source: Brep) -> list[_Definition]:
    """One entry a definition, in the order of their first instances; an open shape is its own definition."""
    found: dict[str, _Definition] = {}
    for solid in source.solids:
        entry = found.setdefault(
            solid.definition,
            _Definition([], solid.name, _unplaced(solid.shape), True, solid.tessellated, solid.closed),
        )
        entry.ids.append(solid.id)
    open_shapes = [
        _Definition([each.id], "", _unplaced(each.shape), False, _is_mesh(each.shape), False)
        for each in source.open_shapes
    ]
    return [*found.values(), *open_shapes]


def _unplaced(shape: TopoDS_Shape) -> TopoDS_Shape:
    return shape.Located(TopLoc_Location())


def _is_mesh(shape: TopoDS_Shape) -> bool:
    return all(BRep_Tool.Surface_s(face) is None for face in faces_of(shape))


def _examine(definitions: list[_Definition]) -> None:
    """Ask the kernel and the topology about each definition, as far as the kernel's faces reach."""
    left = KERNEL_FACES
    for each in definitions:
        if each.tessellated:
            continue
        faces = sum(1 for _ in faces_of(each.shape))
        if faces <= left:
            left -= faces
            each.faults = faults_of(each.shape)
        each.free_edges, each.crowded_edges, each.disagreeing_edges = _edges(each.shape)
        if each.faults is None:
            continue
        if each.solid and not each.free_edges:
            each.inside_out = _is_inside_out(each.shape)
        each.faults = [fault for fault in each.faults if not each.asks(fault)]


def _edges(shape: TopoDS_Shape) -> tuple[int, int, int]:
    """How many edges are free, have more than two faces, or run the same way round in both of their faces."""
    numbers = TopTools_IndexedMapOfShape()
    uses: dict[Any, Counter[int]] = {TopAbs_FORWARD: Counter(), TopAbs_REVERSED: Counter()}
    for face in faces_of(shape):
        for edge in subshapes(face, TopAbs_EDGE):
            if edge.Orientation() in uses and not BRep_Tool.Degenerated_s(TopoDS.Edge_s(edge)):
                uses[edge.Orientation()][numbers.Add(edge)] += 1
    forward, reversed_ = uses.values()
    both = forward + reversed_
    free = sum(count == 1 for count in both.values())
    crowded = sum(count > 2 for count in both.values())
    disagreeing = sum(count == 2 and forward[edge] != 1 for edge, count in both.items())
    return free, crowded, disagreeing


def _is_inside_out(solid: TopoDS_Shape) -> bool | None:
    """Whether the point at infinity counts as material; None where the kernel cannot say."""
    try:
        classifier = BRepClass3d_SolidClassifier(solid)
        classifier.PerformInfinitePoint(1e-7)
    except Standard_Failure:
        return None
    return {TopAbs_IN: True, TopAbs_OUT: False}.get(classifier.State())


def _verdict(layers: list[_Layer]) -> bool | None:
    statuses = {layer.status for layer in layers}
    return False if "failed" in statuses else None if "unknown" in statuses else True


def _loaded(reading: Reading, definitions: list[_Definition]) -> _Layer:
    if definitions:
        return _Layer("loaded")
    if reading.structure.curves:
        return _Layer("loaded", detail="curves only: nothing that has a surface")
    return _Layer("loaded", "failed", "the file holds no geometry that could be read")


def _kernel(definitions: list[_Definition]) -> _Layer:
    faulty = [each for each in definitions if each.faults]
    if faulty:
        count = _count(sum(len(each.faults or ()) for each in faulty), "fault")
        return _Layer("kernel", "failed", count, _ids(faulty))
    meshes = [each for each in definitions if each.tessellated]
    skipped = [each for each in definitions if each.faults is None and not each.tessellated]
    if skipped:
        reason = f"not looked at: the check stops at {KERNEL_FACES:,} faces a file"
        return _Layer("kernel", "unknown", reason, _ids(skipped))
    if meshes:
        return _Layer("kernel", "unknown", "the kernel cannot judge triangles without surfaces", _ids(meshes))
    return _Layer("kernel") if definitions else _Layer("kernel", "unknown", "there is nothing to check")


def _closed(solids: list[_Definition], definitions: list[_Definition]) -> _Layer:
    """Open shapes fail the layer where there are no solids; beside solids they are what a modeller keeps for reference."""
    if not solids:
        count = _count(len(definitions), "open shape")
        return _Layer("closed", "failed" if definitions else "unknown", f"no solid, {count}", _ids(definitions))
    leaking = [each for each in solids if not each.closed or each.free_edges]
    if leaking:
        count = _count(sum(each.free_edges for each in leaking), "free edge")
        return _Layer("closed", "failed", count, _ids(leaking))
    beside = len(definitions) - len(solids)
    return _Layer("closed", detail=f"beside the solids {_count(beside, 'open shape')}" if beside else None)


def _manifold(solids: list[_Definition]) -> _Layer:
    crowded = [each for each in solids if each.crowded_edges]
    if crowded:
        count = _count(sum(each.crowded_edges for each in crowded), "edge")
        return _Layer("manifold", "failed", f"{count} with more than two faces", _ids(crowded))
    return _of_surfaces("manifold", solids)


def _oriented(solids: list[_Definition]) -> _Layer:
    wrong = [each for each in solids if each.disagreeing_edges or each.inside_out]
    if wrong:
        return _Layer("oriented", "failed", "the faces do not agree on where the material is", _ids(wrong))
    unknown = [each for each in solids if each.inside_out is None and not each.tessellated]
    if unknown:
        return _Layer("oriented", "unknown", "asked only of closed solids that the kernel can judge", _ids(unknown))
    return _of_surfaces("oriented", solids)


def _of_surfaces(name: str, solids: list[_Definition]) -> _Layer:
    """Passed, unless there is no solid or one is made of triangles that need not share edges."""
    if not solids:
        return _Layer(name, "unknown", "there is no solid")
    meshes = [each for each in solids if each.tessellated]
    return _Layer(name, "unknown", "triangles without shared edges", _ids(meshes)) if meshes else _Layer(name)


def _units(reading: Reading) -> _Layer:
    if reading.units.found == "declared":
        return _Layer("units", detail=f"{reading.units.name}, declared")
    return _Layer("units", "unknown", f"{reading.units.name}, assumed: the file does not say")


def _listed_faults(reading: Reading, definitions: list[_Definition]) -> dict[str, Any]:
    """The kernel's faults, each with the solids and the face that have it; at most LISTED, and then their count."""
    listed = [
        fault.as_json(each.ids[:LISTED], _face_id(reading, each.ids[0], fault))
        for each in definitions
        for fault in each.faults or ()
    ]
    if not listed:
        return {}
    return {"faults": listed[:LISTED], **({"fault_count": len(listed)} if len(listed) > LISTED else {})}


def _face_id(reading: Reading, object_id: str, fault: Fault) -> str | None:
    """The document's id of the face that a fault is at: faces are listed in the order in which the shape holds them."""
    structure = reading.structure
    owners: list[Solid | Shell] = [*(structure.solids or ()), *(structure.shells or ())]
    faces: list[Face] = next((owner.faces for owner in owners if owner.id == object_id), [])
    return faces[fault.face].id if fault.face is not None and fault.face < len(faces) else None


def _warnings(reading: Reading, definitions: list[_Definition]) -> Iterator[str]:
    if not definitions and not reading.structure.curves:
        yield "The file holds no geometry that could be read."
    for each in definitions:
        if each.faults:
            yield _told(each.title, [_where(reading, each, fault) for fault in each.faults])
        if each.free_edges and each.solid:
            yield f"{each.title} is not closed: {_count(each.free_edges, 'free edge')}."
        if each.crowded_edges and each.solid:
            yield f"{each.title} is not manifold: {_count(each.crowded_edges, 'edge')} with more than two faces."
        if each.inside_out:
            yield f"{each.title} is inside out: its faces point into the material."
        elif each.disagreeing_edges and each.solid:
            yield f"{each.title} has faces that do not agree on where the material is, at {_count(each.disagreeing_edges, 'edge')}."
    unseen = _ids(each for each in definitions if each.faults is None and not each.tessellated)
    if unseen:
        yield f"The kernel's check stops at {KERNEL_FACES:,} faces a file: {_count(len(unseen), 'object')} not looked at."


def _told(title: str, faults: list[str]) -> str:
    more = f"; and {len(faults) - TOLD} more" if len(faults) > TOLD else ""
    told = "; ".join(faults[:TOLD])
    return f"{title} has {_count(len(faults), 'fault')} by the kernel's check: {told}{more}. What is measured on it may be off."


def _where(reading: Reading, each: _Definition, fault: Fault) -> str:
    face = _face_id(reading, each.ids[0], fault)
    return (
        f"{fault.means} ({fault.entity} of {face})"
        if face and fault.entity != "face"
        else f"{fault.means} ({face or fault.entity})"
    )


def _ids(definitions: Iterable[_Definition]) -> list[str]:
    return [instance for each in definitions for instance in each.ids]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
