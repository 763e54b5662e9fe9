"""The triangles of a boundary representation as binary glTF, for viewers: every triangle knows its face.

    nodes      one per solid or open shape; `extras` has its id in the document and the number of its faces.
    meshes     one per definition: its instances share it. Coordinates are the definition's, less the middle of its box, in document units.
    triangles  a primitive with POSITION, NORMAL and _FACE, the number of the face: `face-1` of the document is 0.
    lines      a primitive with the edges between faces.

The triangles are those that points are sampled on: within LINEAR_DEFLECTION of the definition's size of its surfaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from OCP.TopoDS import TopoDS_Shape

from spatial.geometry.glb import LINES, TRIANGLES, Glb
from spatial.geometry.quadrature import Array
from spatial.geometry.sampling import Integers
from spatial.geometry.triangles import node_normals, sides_of
from spatial.models.brep.model import BrepModel
from spatial.models.brep.tessellation import triangulate
from spatial.models.brep.topology import faces_of, matrix, mesh_of, unplaced
from spatial.models.guard import attempt

FaceMesh = tuple[Array, Integers]
"""Nodes (n, 3) and corners (m, 3)."""


def mesh(model: BrepModel) -> bytes:
    """The binary glTF of a model; a body that cannot be meshed is left out and listed in the scene's `extras.missing`."""
    glb = Glb()
    made: dict[str, tuple[int, Array] | None] = {}
    missing: list[str] = []
    for body_id, definition, name, shape in _bodies(model):
        if definition not in made:
            made[definition] = attempt(f"mesh of {body_id}", partial(_add, glb, unplaced(shape), model.scale), None, [])
        if (known := made[definition]) is None:
            missing.append(body_id)
            continue
        number, middle = known
        glb.node(name, number, _placement(shape, middle, model.scale), {"id": body_id})
    return glb.to_bytes({"missing": missing, "units_per_millimetre": model.scale})


def _bodies(model: BrepModel) -> Iterator[tuple[str, str, str, TopoDS_Shape]]:
    """Id, definition, name and shape of every body."""
    for solid in model.solids:
        yield solid.id, solid.definition, solid.name, solid.shape
    for open_shape in model.open_shapes:
        yield open_shape.id, open_shape.id, open_shape.id, open_shape.shape


def _add(glb: Glb, shape: TopoDS_Shape, scale: float) -> tuple[int, Array] | None:
    """Number and middle (document units) of the mesh of a definition; None where it has no triangles."""
    triangulate(shape)
    meshes = [mesh_of(face) for face in faces_of(shape)]
    if not any(len(corners) for _, corners in meshes):
        return None
    points = np.concatenate([nodes for nodes, _ in meshes]) * scale
    if not np.isfinite(points).all():
        return None
    middle: Array = (points.min(axis=0) + points.max(axis=0)) / 2
    starts = np.cumsum([0, *(len(nodes) for nodes, _ in meshes)])
    corners = np.concatenate([found + start for (_, found), start in zip(meshes, starts[:-1], strict=True)])
    face_of = np.repeat(np.arange(len(meshes)), [len(nodes) for nodes, _ in meshes])
    position = (points - middle).astype(np.float32)
    attributes = {
        "POSITION": position,
        "NORMAL": node_normals(points, corners).astype(np.float32),
        "_FACE": face_of.astype(np.float32),
    }
    primitives = [glb.primitive(attributes, corners.reshape(-1).astype(np.uint32), TRIANGLES)]
    edges, _ = sides_of(corners)
    if len(edges):
        used, places = np.unique(edges, return_inverse=True)
        lines = {"POSITION": position[used]}
        primitives.append(glb.primitive(lines, places.reshape(-1).astype(np.uint32), LINES))
    return glb.mesh(primitives), middle


def _placement(shape: TopoDS_Shape, middle: Array, scale: float) -> list[float]:
    """The node's matrix, column by column: the instance's transform in document units, after the shift by the middle."""
    by = matrix(shape.Location().Transformation())
    rotation, shift = by[:, :3], by[:, 3] * scale
    columns: list[Any] = [*rotation.T.tolist(), (rotation @ middle + shift).tolist()]
    return [value for column, last in zip(columns, (0.0, 0.0, 0.0, 1.0), strict=True) for value in (*column, last)]
