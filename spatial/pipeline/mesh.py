"""The triangles of a boundary representation as binary glTF, for viewers: every triangle knows its face.

    nodes      one per solid or open shape; `extras` has its id in the document and the number of its faces.
    meshes     one per definition: its instances share it. Coordinates are the definition's, less the middle of its box, in document units.
    triangles  a primitive with POSITION, NORMAL and _FACE, the number of the face: `face-1` of the document is 0. Where the file has
               colours, also COLOR_0: that of the face or body, linear; instances of other colours have meshes of their own.
    lines      a primitive with the edges between faces.

The triangles are those that points are sampled on: within LINEAR_DEFLECTION of the definition's size of its surfaces.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from OCP.TopoDS import TopoDS_Shape

from spatial.geometry.glb import LINES, TRIANGLES, Glb
from spatial.geometry.quadrature import Array
from spatial.geometry.triangles import node_normals, sides_of
from spatial.models.brep.model import BrepModel
from spatial.models.brep.tessellation import triangulate
from spatial.models.brep.topology import faces_of, matrix, unplaced
from spatial.models.brep.triangulations import meshes_of
from spatial.models.guard import attempt
from spatial.pipeline.picture.scene import colors_of
from spatial.pipeline.picture.view import PLAIN, rgb

EDGES: Final = "#22262e"
"""Colour of the edges."""


def mesh(model: BrepModel) -> bytes:
    """The binary glTF of a model; a body that cannot be meshed is left out and listed in the scene's `extras.missing`."""
    glb = Glb()
    made: dict[tuple[Any, ...], tuple[int, Array] | None] = {}
    missing: list[str] = []
    colors = colors_of(model)
    materials = Materials(glb.material(linear(PLAIN)), glb.material((1.0, 1.0, 1.0)), glb.material(linear(EDGES)))
    for body_id, definition, name, shape in _bodies(model):
        body, faces = colors.get(body_id, (None, {}))
        key = (definition, body, *faces.items())
        if key not in made:
            add = partial(_add, glb, unplaced(shape), model.scale, materials, body, faces)
            made[key] = attempt(f"mesh of {body_id}", add, None, [])
        if (known := made[key]) is None:
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


class Materials(NamedTuple):
    """Their numbers: of bodies without a colour, of those whose vertices have colours, and of edges."""

    plain: int
    colored: int
    edges: int


def linear(color: str) -> tuple[float, float, float]:
    """The linear parts of a colour that is written as sRGB (IEC 61966-2-1), #rrggbb."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4) for part in rgb(color)
    )
    return red, green, blue


def _add(
    glb: Glb, shape: TopoDS_Shape, scale: float, materials: Materials, body: str | None, faces: dict[int, str]
) -> tuple[int, Array] | None:
    """Number and middle (document units) of the mesh of a definition; None where it has no triangles."""
    triangulate(shape)
    meshes = meshes_of(faces_of(shape))
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
    is_colored = body is not None or bool(faces)
    if is_colored:
        table = np.array([linear(faces.get(face, body or PLAIN)) for face in range(len(meshes))])
        attributes["COLOR_0"] = table[face_of].astype(np.float32)
    material = materials.colored if is_colored else materials.plain
    primitives = [glb.primitive(attributes, corners.reshape(-1).astype(np.uint32), TRIANGLES, material)]
    edges, _ = sides_of(corners)
    if len(edges):
        used, places = np.unique(edges, return_inverse=True)
        lines = {"POSITION": position[used]}
        primitives.append(glb.primitive(lines, places.reshape(-1).astype(np.uint32), LINES, materials.edges))
    return glb.mesh(primitives), middle


def _placement(shape: TopoDS_Shape, middle: Array, scale: float) -> list[float]:
    """The node's matrix, column by column: the instance's transform in document units, after the shift by the middle."""
    by = matrix(shape.Location().Transformation())
    rotation, shift = by[:, :3], by[:, 3] * scale
    columns: list[Any] = [*rotation.T.tolist(), (rotation @ middle + shift).tolist()]
    return [value for column, last in zip(columns, (0.0, 0.0, 0.0, 1.0), strict=True) for value in (*column, last)]
