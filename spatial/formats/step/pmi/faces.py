"""Which face of the document is which `advanced_face` of the file.

The kernel makes the faces of a shell in their order in the file but may leave one out or split one. So each face is compared by its
surface as well: where all faces of a body agree in their order, that is the answer; elsewhere a face counts only where no other face of
its body has the same surface.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.formats.step.instances import Instance, Instances
from spatial.formats.step.pmi.features import Axis, DocumentFace
from spatial.models.brep.body import BodyFace
from spatial.models.brep.definition import Definition
from spatial.models.brep.instances import FlattenedAssembly

_KINDS: Final = {
    "plane": "plane",
    "cylindrical_surface": "cylinder",
    "conical_surface": "cone",
    "spherical_surface": "sphere",
    "toroidal_surface": "torus",
}
"""Surfaces that have a placement, by what the document calls them; other surfaces are not compared."""

_NEAR: Final = 1e-4
"""Millimetres within which two places are one: the translator and the file round less."""
_PLACES: Final = 3
"""Decimals of a millimetre by which faces are told apart within a body."""

_NAME: Final = rb"\(\s*(?:'(?:[^']|'')*'|\$|\*)\s*,\s*"
_FACE: Final = re.compile(rb"#\s*(\d{1,18})\s*,\s*\.[TF]\.\s*\)\s*$")
_SURFACE: Final = re.compile(rb"(\w+)\s*" + _NAME + rb"#\s*(\d{1,18})")
_PLACEMENT: Final = re.compile(_NAME + rb"#\s*(\d{1,18})")
_REAL: Final = rb"\s*([-+]?\d++(?:\.\d*+)?+(?:[Ee][-+]?\d{1,3})?)\s*"
_POINT: Final = re.compile(_NAME + rb"\(" + _REAL + rb"," + _REAL + rb"," + _REAL + rb"\)")

Key = tuple[str, tuple[float, float, float]]
"""Kind of a surface, and where its placement is, millimetres."""


def document_faces(instances: Instances, flattened: FlattenedAssembly, scale: float) -> dict[int, DocumentFace]:
    """What the file's faces are in the document; those of which it is not certain are left out.

    scale: millimetres per unit of the file's geometry.
    """
    by_size: dict[int, list[tuple[Definition, tuple[str, ...]]]] = defaultdict(list)
    for definition, ids in _bodies(flattened):
        by_size[len(definition.body.faces)].append((definition, ids))
    found: dict[int, DocumentFace] = {}
    left = []
    for numbers in _written_bodies(instances):
        keys = [_written(instances, number, scale) for number in numbers]
        match = next((row for row in by_size[len(numbers)] if _agree(keys, row[0].body.faces)), None)
        if match is None:
            left.append((numbers, keys))
            continue
        by_size[len(numbers)].remove(match)
        found |= {number: _document_face(*match, place) for place, number in enumerate(numbers)}
    rest = [row for rows in by_size.values() for row in rows]
    if len(left) == 1 and len(rest) == 1:
        found |= _by_surface(*left[0], *rest[0])
    return found


def _bodies(flattened: FlattenedAssembly) -> list[tuple[Definition, tuple[str, ...]]]:
    """Each definition that has faces, with the ids of its instances."""
    definitions: dict[int, Definition] = {}
    ids: dict[int, list[str]] = defaultdict(list)
    for body in flattened.of_kind("solid", "shell"):
        definitions[id(body.definition)] = body.definition
        ids[id(body.definition)].append(body.id)
    return [(definition, tuple(ids[key])) for key, definition in definitions.items()]


def _written_bodies(instances: Instances) -> Iterator[list[int]]:
    """The faces of each body that the file writes: of a solid with its voids, and of each shell of a surface model."""
    for body in instances.of("manifold_solid_brep", "shell_based_surface_model"):
        shells = [
            *instances.all_at(body, "manifold_solid_brep.outer"),
            *instances.all_at(body, "brep_with_voids.voids"),
        ]
        if shells:
            yield [number for shell in shells for number in _faces(instances, shell)]
        for shell in instances.all_at(body, "shell_based_surface_model.sbsm_boundary"):
            yield _faces(instances, shell)


def _faces(instances: Instances, shell: Instance) -> list[int]:
    inner = instances.at(shell, "oriented_closed_shell.closed_shell_element")
    return (inner or shell).numbers_at("connected_face_set.cfs_faces")


def _written(instances: Instances, number: int, scale: float) -> Key | None:
    """None where the surface has no placement, or it cannot be read.

    The texts are searched and not parsed: this is done for every face of a file.
    """
    face = _FACE.search(instances.raw(number))
    surface = _SURFACE.match(instances.raw(int(face[1]))) if face else None
    kind = _KINDS.get(surface[1].decode("ascii", "replace").lower()) if surface else None
    if surface is None or kind is None:
        return None
    place = _PLACEMENT.search(instances.raw(int(surface[2])))
    point = _POINT.search(instances.raw(int(place[1]))) if place else None
    if point is None:
        return None
    return kind, (float(point[1]) * scale, float(point[2]) * scale, float(point[3]) * scale)


def _made(face: BodyFace) -> Key | None:
    origin = face.parameters.get("origin")
    return None if origin is None or face.kind not in _KINDS.values() else (face.kind, tuple(map(float, origin)))  # type: ignore[return-value]


def _agree(keys: list[Key | None], faces: list[BodyFace]) -> bool:
    """Whether faces have the surfaces that the file writes, one by one."""
    return len(keys) == len(faces) and all(
        key is None or _is_same(key, _made(face)) for key, face in zip(keys, faces, strict=True)
    )


def _is_same(written: Key, made: Key | None) -> bool:
    if made is None or written[0] != made[0]:
        return False
    return all(abs(a - b) < _NEAR for a, b in zip(written[1], made[1], strict=True))


def _by_surface(
    numbers: list[int], keys: list[Key | None], definition: Definition, ids: tuple[str, ...]
) -> dict[int, DocumentFace]:
    """Faces whose surface no other face of the body has, in the file and in what was made of it."""
    written: dict[Key, list[int]] = defaultdict(list)
    made: dict[Key, list[int]] = defaultdict(list)
    for number, key in zip(numbers, keys, strict=True):
        if key is not None:
            written[_rounded(key)].append(number)
    for place, face in enumerate(definition.body.faces):
        key = _made(face)
        if key is not None:
            made[_rounded(key)].append(place)
    return {
        found[0]: _document_face(definition, ids, made[key][0])
        for key, found in written.items()
        if len(found) == 1 and len(made.get(key, ())) == 1
    }


def _document_face(definition: Definition, ids: tuple[str, ...], place: int) -> DocumentFace:
    """The face of a definition at a place, from 0."""
    return DocumentFace(ids, f"face-{place + 1}", _axis(definition.body.faces[place]))


def _axis(face: BodyFace) -> Axis | None:
    if face.kind not in ("cylinder", "cone"):
        return None
    direction = np.round(face.parameters["axis"], _PLACES) + 0.0
    if tuple(direction) < tuple(-direction):
        direction = -direction + 0.0
    axis, origin = np.array(face.parameters["axis"]), np.array(face.parameters["origin"])
    nearest = np.round(origin - axis * (origin @ axis), _PLACES) + 0.0
    return (*direction.tolist(), *nearest.tolist())


def _rounded(key: Key) -> Key:
    x, y, z = (round(value, _PLACES) + 0.0 for value in key[1])
    return key[0], (x, y, z)
