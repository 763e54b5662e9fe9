"""What a second process does for one that reads a boundary representation: the kernel's check, triangles for points, masses.

Shapes travel in the kernel's binary form, which keeps every number, order and shared part; results as JSON and arrays.
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final, TypeVar

import numpy as np
from OCP.BinTools import BinTools
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound, TopoDS_Iterator, TopoDS_Shape

from spatial.models import delegation
from spatial.models.brep.definition import Definition, measure_together
from spatial.models.brep.faults import Fault, faults_of
from spatial.models.brep.mass import Errors, Mass
from spatial.models.brep.tessellation import NO_TRIANGLES, Tessellation, tessellate
from spatial.models.brep.topology import faces_of
from spatial.models.guard import attempt

T = TypeVar("T")

LEAST_FACES: Final = 200
"""Faces from which on handing over pays: it takes some 20 ms, the check of a face 0.3 ms."""

MASSES_SHARE: Final = 2.0 / 3.0
"""Of the faces, those of the bodies that are measured there; the boxes of all bodies and the masses of the others take as long here."""

_LENGTH: Final = struct.Struct("!I")


def perform(task: str, payload: bytes) -> bytes:
    """Do a task. Raises: KeyError for a name without one; what the task raises."""
    return TASKS[task](payload)


def delegates(definitions: Sequence[Definition]) -> bool:
    """Whether work on bodies will be handed over, because it may be and pays."""
    return bool(delegation.tasks_left()) and sum(each.face_count for each in definitions) >= LEAST_FACES


def delegate_check(definitions: Sequence[Definition]) -> None:
    """Let another process check bodies, unless it is needed for their triangles, which take longer."""
    if not delegates(definitions) or (delegation.points_are_wanted() and delegation.tasks_left() == 1):
        return
    result = delegation.delegate("faults", packed([each.shape for each in definitions]))
    found = cache(partial(_faults, result))
    for number, definition in enumerate(definitions):
        definition.delegate_check(partial(_numbered, found, number))


def delegate_masses(definitions: Sequence[Definition]) -> None:
    """Let another process measure the last bodies, where that pays; those before them are measured here meanwhile."""
    if not delegates(definitions):
        return
    left = MASSES_SHARE * sum(each.face_count for each in definitions)
    chosen: list[Definition] = []
    for definition in reversed(definitions):
        if left <= 0.0:
            break
        left -= definition.face_count
        chosen.append(definition)
    result = delegation.delegate("masses", packed([each.shape for each in chosen]))
    found = cache(partial(_masses, result))
    for number, definition in enumerate(chosen):
        definition.delegate_mass(partial(_numbered, found, number))


def delegate_triangles(shapes: dict[str, TopoDS_Shape]) -> Callable[[], dict[str, Tessellation]] | None:
    """Let another process mesh shapes, each under its name, where that pays; None where it does not.

    What is returned waits for the triangles, and has none where the other process did not get there.
    """
    if not (delegation.tasks_left() and delegation.points_are_wanted()):
        return None
    faces = [face for shape in shapes.values() for face in faces_of(shape)]
    if len(faces) < LEAST_FACES or any(BRep_Tool.Triangulation_s(face, TopLoc_Location()) for face in faces):
        return None
    return partial(_meshes, delegation.delegate("triangles", packed(list(shapes.values()))), list(shapes))


def packed(shapes: Sequence[TopoDS_Shape]) -> bytes:
    """Shapes as bytes."""
    together, builder, stream = TopoDS_Compound(), BRep_Builder(), io.BytesIO()
    builder.MakeCompound(together)
    for shape in shapes:
        builder.Add(together, shape)
    BinTools.Write_s(together, stream)
    return stream.getvalue()


def unpacked(payload: bytes) -> list[TopoDS_Shape]:
    """The shapes of `packed`, in their order."""
    together = TopoDS_Shape()
    BinTools.Read_s(together, io.BytesIO(payload))
    found, iterator = [], TopoDS_Iterator(together)
    while iterator.More():
        found.append(iterator.Value())
        iterator.Next()
    return found


def _find_faults(payload: bytes) -> bytes:
    found = [[[each.entity, each.code, each.face] for each in faults_of(shape)] for shape in unpacked(payload)]
    return json.dumps(found).encode()


def _faults(result: delegation.Result) -> list[list[Fault]] | None:
    found = result()
    return None if found is None else [[Fault(*row) for row in rows] for rows in json.loads(found)]


def _numbered(found: Callable[[], list[T] | None], number: int) -> T | None:
    every = found()
    return None if every is None else every[number]


def _find_masses(payload: bytes) -> bytes:
    definitions = [Definition(f"definition-{number}", shape) for number, shape in enumerate(unpacked(payload))]
    measure_together(definitions)
    found = [(each.mass, each.faults) for each in definitions]
    return json.dumps([None if faults else _row(mass) for mass, faults in found]).encode()


def _row(found: Mass) -> list[Any]:
    errors = found.errors
    return [
        found.areas,
        found.volume,
        found.first_moment.tolist(),
        found.gap,
        found.size,
        found.spread.tolist(),
        [errors.area, errors.volume, errors.free_gap],
    ]


def _masses(result: delegation.Result) -> list[Mass | None] | None:
    found = result()
    return None if found is None else [row and _mass_of(*row) for row in json.loads(found)]


def _mass_of(
    areas: list[float | None],
    volume: float,
    moment: list[float],
    gap: float,
    size: float,
    spread: list[list[float]],
    errors: list[float],
) -> Mass:
    return Mass(areas, volume, np.array(moment), gap, size, np.array(spread), Errors(*errors))


def _find_triangles(payload: bytes) -> bytes:
    shapes = unpacked(payload)
    meshes = [attempt("triangles", partial(tessellate, shape), NO_TRIANGLES, []) for shape in shapes]
    head = json.dumps([_head(mesh) for mesh in meshes]).encode()
    arrays = [array for mesh in meshes for array in (mesh.corners, mesh.face_of, mesh.rows)]
    return b"".join([_LENGTH.pack(len(head)), head, *(np.ascontiguousarray(array).tobytes() for array in arrays)])


def _head(mesh: Tessellation) -> dict[str, Any]:
    return {
        "triangles": len(mesh.corners),
        "kinds": mesh.kinds,
        "deflection": mesh.deflection,
        "bare": mesh.bare,
    }


def _meshes(result: delegation.Result, names: list[str]) -> dict[str, Tessellation]:
    found = result()
    if found is None:
        return {}
    end = _LENGTH.size + _LENGTH.unpack_from(found)[0]
    arrays, meshes = _Arrays(found, end), {}
    for name, head in zip(names, json.loads(found[_LENGTH.size : end]), strict=True):
        count = head.pop("triangles")
        corners = arrays.take(np.float64, (count, 3, 3))
        face_of = arrays.take(np.int64, (count,))
        rows = arrays.take(np.float64, (len(head["kinds"]), 8))
        meshes[name] = Tessellation(corners=corners, face_of=face_of, rows=rows, **head)
    return meshes


class _Arrays:
    """Arrays that stand one behind the other."""

    def __init__(self, content: bytes, at: int) -> None:
        self._content, self._at = content, at

    def take(self, kind: type[np.generic], shape: tuple[int, ...]) -> Any:
        """The next one; it can be written to."""
        count = int(np.prod(shape))
        found = np.frombuffer(self._content, kind, count, self._at).reshape(shape).copy()
        self._at += found.nbytes
        return found


TASKS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "faults": _find_faults,
    "triangles": _find_triangles,
    "masses": _find_masses,
}
"""Name to what does the task."""
