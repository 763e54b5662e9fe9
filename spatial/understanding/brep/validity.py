"""How far a boundary representation can be trusted, layer by layer.

Glossary
  layer        one property of the file; the layers are checked in order, and the first that fails is named:
                 parsed      the file follows its format
                 loaded      geometry came out of it
                 kernel      curves, wires and faces are sound by the modelling kernel's own check
                 closed      every solid's boundary is without free edges
                 manifold    no edge of a solid has more than two faces
                 oriented    neighbouring faces agree on which side the material is, and it is the inside
                 units       the file says what its numbers mean
  fault        one thing that the kernel's check finds wrong with a face, wire, edge or vertex.

A layer is `passed`, `failed`, or `unknown` with the reason. The whole is valid when every layer passed, invalid when one
failed, and unknown otherwise: `valid` is null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from spatial.contract.extraction import Face, Shell, Solid
from spatial.counting import count_of, listed
from spatial.models.brep import faults
from spatial.models.brep.faults import Fault
from spatial.models.brep.model import BrepModel
from spatial.models.reading import Meaning, Reading
from spatial.understanding.brep.examination import Examination, examine

LISTED: Final = 50
"""Most faults and most ids in one list; counts are always of all."""

LISTED_FAULTS: Final = 3
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


def validity(source: BrepModel) -> Meaning:
    """The layers' verdicts as the `validity` member of `structure`, and warnings in plain words.

    That a solid is open or inside out, and that there is none, is what its reader warns of.
    """
    definitions = examine(source)
    # Where the file calls nothing a solid, a shell that closes is judged as one.
    solids = [each for each in definitions if each.solid] or [each for each in definitions if each.encloses]
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
    verdict |= _of_solids(solids)
    return Meaning(structure={"validity": verdict}, warnings=list(_warnings(source.reading, definitions)))


def _of_solids(solids: list[Examination]) -> dict[str, Any]:
    """The layers of each definition of a solid, with the solids that it is placed as."""
    found = []
    for each in solids[:LISTED]:
        layers = [_kernel([each]), _closed([each], [each]), _manifold([each]), _oriented([each])]
        row: dict[str, Any] = {
            "solids": each.ids[:LISTED],
            "valid": _verdict(layers),
            "layers": {layer.name: layer.status for layer in layers},
        }
        failed = next((layer for layer in layers if layer.status == "failed"), None)
        if failed:
            row |= {"first_failure": failed.name, "detail": failed.detail}
        found.append(row)
    return {"solids": found} if found else {}


def _verdict(layers: list[_Layer]) -> bool | None:
    statuses = {layer.status for layer in layers}
    return False if "failed" in statuses else None if "unknown" in statuses else True


def _loaded(reading: Reading, definitions: list[Examination]) -> _Layer:
    if reading.partial:
        return _Layer("loaded", "failed", "the file states more geometry than could be read")
    if definitions:
        return _Layer("loaded")
    if reading.structure.curves:
        return _Layer("loaded", detail="the file has only curves and nothing with a surface")
    return _Layer("loaded", "failed", "the file has no geometry that could be read")


def _kernel(definitions: list[Examination]) -> _Layer:
    faulty = [each for each in definitions if each.faults]
    if faulty:
        count = count_of(sum(len(each.faults or ()) for each in faulty), "fault")
        return _Layer("kernel", "failed", f"the check found {count}", _ids(faulty))
    meshes = [each for each in definitions if each.tessellated]
    skipped = [each for each in definitions if each.faults is None and not each.tessellated]
    if skipped:
        reason = f"the check stops at {faults.KERNEL_FACES:,} faces per file, before these"
        return _Layer("kernel", "unknown", reason, _ids(skipped))
    crowded = [each for each in definitions if each.crowded_faces]
    if crowded:
        count = count_of(sum(each.crowded_faces for each in crowded), "face has", "faces have")
        reason = f"{count} more than {faults.MOST_WIRES:,} boundaries, and whether they cross is not checked"
        return _Layer("kernel", "unknown", reason, _ids(crowded))
    if meshes:
        return _Layer("kernel", "unknown", "the kernel cannot judge triangles without surfaces", _ids(meshes))
    return _Layer("kernel") if definitions else _Layer("kernel", "unknown", "there is nothing to check")


def _closed(solids: list[Examination], definitions: list[Examination]) -> _Layer:
    """Open shapes fail the layer where nothing closes; beside solids they are what a modeller keeps for reference."""
    if not solids:
        only = f", only {count_of(len(definitions), 'open shape')}" if definitions else ""
        return _Layer("closed", "failed" if only else "unknown", f"there is no solid{only}", _ids(definitions))
    leaking = [each for each in solids if each.free_edges or (each.solid and not each.closed)]
    if leaking:
        free = sum(each.free_edges for each in leaking)
        lacks = (
            f"the boundary has {count_of(free, 'free edge')}" if free else "the faces miss the edges that they share"
        )
        return _Layer("closed", "failed", lacks, _ids(leaking))
    beside = len(definitions) - len(solids)
    notes = [] if solids[0].solid else ["the file does not call its closed shells solids"]
    notes += [f"the file also has {count_of(beside, 'open shape')}"] if beside else []
    return _Layer("closed", detail="; ".join(notes) or None)


def _manifold(solids: list[Examination]) -> _Layer:
    crowded = [each for each in solids if each.crowded_edges]
    if crowded:
        count = count_of(sum(each.crowded_edges for each in crowded), "edge has", "edges have")
        return _Layer("manifold", "failed", f"{count} more than two faces", _ids(crowded))
    return _of_surfaces("manifold", solids)


def _oriented(solids: list[Examination]) -> _Layer:
    disagreeing = [each for each in solids if each.disagreeing_edges]
    if disagreeing:
        return _Layer("oriented", "failed", "faces do not agree on where the material is", _ids(disagreeing))
    inside_out = [each for each in solids if each.inside_out]
    if inside_out:
        return _Layer("oriented", "failed", "the faces look into the material", _ids(inside_out))
    covering = [each for each in solids if each.complements]
    if covering:
        return _Layer(
            "oriented", "failed", "faces cover what their boundaries leave of a closed surface", _ids(covering)
        )
    unknown = [each for each in solids if each.solid and each.inside_out is None and not each.tessellated]
    if unknown:
        return _Layer(
            "oriented", "unknown", "only closed solids that the kernel's check has seen are examined", _ids(unknown)
        )
    return _of_surfaces("oriented", solids)


def _of_surfaces(name: str, solids: list[Examination]) -> _Layer:
    """Passed, unless there is no solid or one is made of triangles that need not share edges."""
    if not solids:
        return _Layer(name, "unknown", "there is no solid")
    meshes = [each for each in solids if each.tessellated]
    return _Layer(name, "unknown", "the triangles need not share edges", _ids(meshes)) if meshes else _Layer(name)


def _units(reading: Reading) -> _Layer:
    if reading.units.found == "declared":
        return _Layer("units", detail=f"{reading.units.name}, declared")
    return _Layer("units", "unknown", f"{reading.units.name}, assumed because the file declares no unit")


def _listed_faults(reading: Reading, definitions: list[Examination]) -> dict[str, Any]:
    """The kernel's faults, each with the solids and the face that have it; at most LISTED, and then their count."""
    rows = [
        fault.as_json(each.ids[:LISTED], _face_id(reading, each.ids[0], fault))
        for each in definitions
        for fault in each.faults or ()
    ]
    if not rows:
        return {}
    return {"faults": rows[:LISTED], **({"fault_count": len(rows)} if len(rows) > LISTED else {})}


def _face_id(reading: Reading, object_id: str, fault: Fault) -> str | None:
    """The document's id of the face that a fault is at."""
    return None if fault.face is None else _listed_face(reading, object_id, fault.face)


def _listed_face(reading: Reading, object_id: str, place: int) -> str | None:
    """The document's id of a face: they are listed in the order in which the shape holds them."""
    structure = reading.structure
    owners: list[Solid | Shell] = [*(structure.solids or ()), *(structure.shells or ())]
    faces: list[Face] = next((owner.faces for owner in owners if owner.id == object_id), [])
    return faces[place].id if place < len(faces) else None


def _warnings(reading: Reading, definitions: list[Examination]) -> Iterator[str]:
    for each in definitions:
        if each.faults:
            yield _fault_sentence(each.title, [_where(reading, each, fault) for fault in each.faults])
        if each.solid and each.closed and each.free_edges:
            yield f"{each.title}: the boundary has {count_of(each.free_edges, 'free edge')}, though it should be closed"
        if each.solid and each.crowded_edges:
            yield (
                f"{each.title}: {count_of(each.crowded_edges, 'edge has', 'edges have')} more than two faces, "
                "so the boundary is not manifold"
            )
        if each.solid and each.disagreeing_edges:
            yield f"{each.title}: faces do not agree on where the material is, at {count_of(each.disagreeing_edges, 'edge')}"
        if each.complements:
            faces = [_listed_face(reading, each.ids[0], place) or "a face" for place in each.complements]
            yield (
                f"{each.title}: {listed(faces, LISTED_FAULTS)}: a boundary on a torus or sphere runs against its face, which then covers "
                "all the rest of its surface, so that area, volume and box are wrong; turn the face over, and export the file again"
            )
    unseen = _ids(each for each in definitions if each.faults is None and not each.tessellated)
    if unseen:
        yield (
            f"the kernel's check stops at {faults.KERNEL_FACES:,} faces per file: "
            f"{count_of(len(unseen), 'object was', 'objects were')} not checked"
        )


def _fault_sentence(title: str, told: list[str]) -> str:
    found = count_of(len(told), "fault")
    return f"{title}: the kernel's check found {found}, so measures may be wrong: {listed(told, LISTED_FAULTS, '; ')}"


def _where(reading: Reading, each: Examination, fault: Fault) -> str:
    face = _face_id(reading, each.ids[0], fault)
    return (
        f"{fault.means} ({fault.entity} of {face})"
        if face and fault.entity != "face"
        else f"{fault.means} ({face or fault.entity})"
    )


def _ids(definitions: Iterable[Examination]) -> list[str]:
    return [instance for each in definitions for instance in each.ids]
