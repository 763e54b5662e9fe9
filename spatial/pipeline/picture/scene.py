"""The bodies of a model as triangles and lines, each at its place and in its colour: what pictures are drawn from.

Lines are the sharp edges of a body: seams of a face with itself and edges across which two faces are tangent are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape

from spatial.geometry.cutting import cut_lines, cut_triangles
from spatial.geometry.placement import Placement
from spatial.geometry.quadrature import Array
from spatial.geometry.sampling import Integers
from spatial.geometry.triangles import WELD, node_normals, sides_of
from spatial.models.brep.body import BodyFace, Coedge
from spatial.models.brep.definition import Definition
from spatial.models.brep.model import BrepModel
from spatial.models.brep.tessellation import triangulate
from spatial.models.brep.topology import faces_of, matrix, transformed, unplaced
from spatial.models.brep.triangulations import meshes_of
from spatial.models.guard import attempt

SMOOTH: Final = 0.999
"""Cosine between the normals of two faces at their common edge from which they are one surface to the eye."""

NOWHERE: Final = np.empty((0, 2, 3))
"""No lines."""


@dataclass(frozen=True)
class Mesh:
    """Triangles and lines of one body."""

    corners: Array
    """(n, 3, 3)."""
    normals: Array
    """(n, 3, 3) unit, of the corners."""
    face: Integers
    """(n,) the face of each triangle, from 0."""
    lines: Array
    """(m, 2, 3) pieces of edges."""
    folds: Array
    """(k, 2, 3) sides that two triangles of a smooth surface share: outlines where one of these looks away from the eye."""
    beside: Integers
    """(k, 2) these triangles."""

    @property
    def box(self) -> Array:
        """(2, 3) least and greatest coordinates."""
        points = self.corners.reshape(-1, 3)
        return np.stack([points.min(axis=0), points.max(axis=0)])

    def placed(self, by: Placement) -> Mesh:
        """Where an instance stands."""
        return replace(
            self,
            corners=by.points(self.corners.reshape(-1, 3)).reshape(-1, 3, 3),
            normals=by.directions(self.normals.reshape(-1, 3)).reshape(-1, 3, 3),
            lines=by.points(self.lines.reshape(-1, 3)).reshape(-1, 2, 3),
            folds=by.points(self.folds.reshape(-1, 3)).reshape(-1, 2, 3),
        )

    def cut(self, axis: int, offset: float, towards: float) -> tuple[Mesh, Array]:
        """What lies behind a plane, and the lines (k, 2, 3) in which it is cut. towards: +1 or -1."""
        heights = towards * (self.corners[..., axis] - offset)
        parts, of, outline = cut_triangles(np.concatenate([self.corners, self.normals], axis=2), heights)
        lines = cut_lines(self.lines, towards * (self.lines[..., axis] - offset))
        behind = np.asarray((heights <= 0.0).all(axis=1))
        kept = behind[self.beside].all(axis=1)
        number = np.cumsum(behind) - 1  # whole triangles come first, in their order
        mesh = Mesh(parts[..., :3], parts[..., 3:], self.face[of], lines, self.folds[kept], number[self.beside[kept]])
        return mesh, outline[..., :3]


@dataclass(frozen=True)
class SceneBody:
    """One body."""

    id: str
    mesh: Mesh
    color: str | None
    """#rrggbb, as the file has it."""
    face_colors: dict[int, str]
    """Of faces that have one of their own."""
    outline: Array = field(default_factory=lambda: NOWHERE)
    """(n, 2, 3) lines around the face in which it is cut."""

    def moved(self, by: Array) -> SceneBody:
        """The same, shifted."""
        return replace(self, mesh=self.mesh.placed(Placement(np.eye(3), by)))


def bodies(model: BrepModel, warnings: list[str]) -> list[SceneBody]:
    """The bodies of a model in the document's units; one that cannot be meshed is left out, with a warning."""
    made: dict[str, Mesh | None] = {}
    found: list[SceneBody] = []
    colors = colors_of(model)
    for body_id, name, definition, shape in _shapes(model):
        if name not in made:
            made[name] = attempt(f"mesh of {body_id}", partial(_mesh, unplaced(shape), definition), None, warnings)
        mesh = made[name]
        if mesh is None:
            warnings.append(f"{body_id} has no surface that can be drawn")
            continue
        rows = matrix(shape.Location().Transformation())
        color, by_face = colors.get(body_id, (None, {}))
        where = Placement(rows[:, :3] * model.scale, rows[:, 3] * model.scale)
        found.append(SceneBody(body_id, mesh.placed(where), color, by_face))
    return found


def colors_of(model: BrepModel) -> dict[str, tuple[str | None, dict[int, str]]]:
    """By the id of a solid, its colour and those of faces that have one of their own, by number; #rrggbb as the file has them."""
    return {
        solid.id: (solid.color, {place: face.color for place, face in enumerate(solid.faces or []) if face.color})
        for solid in model.reading.structure.solids or []
    }


def cut(found: list[SceneBody], axis: int, offset: float, towards: float) -> list[SceneBody]:
    """What lies behind a plane, with the outlines of the cuts. towards: +1 or -1, the side that is taken away."""
    both = [(body, *body.mesh.cut(axis, offset, towards)) for body in found]
    return [replace(body, mesh=mesh, outline=outline) for body, mesh, outline in both if len(mesh.corners)]


def _shapes(model: BrepModel) -> Iterator[tuple[str, str, Definition | None, TopoDS_Shape]]:
    """Id, name of the definition, definition and shape of every body."""
    for solid in model.solids:
        yield solid.id, solid.definition, model.definitions.get(solid.definition), solid.shape
    for open_shape in model.open_shapes:
        yield open_shape.id, open_shape.id, None, open_shape.shape


def _mesh(shape: TopoDS_Shape, definition: Definition | None) -> Mesh | None:
    triangulate(shape)
    meshes = meshes_of(faces_of(shape))
    if not any(len(corners) for _, corners in meshes):
        return None
    points = np.concatenate([nodes for nodes, _ in meshes])
    starts = np.cumsum([0, *(len(nodes) for nodes, _ in meshes)])
    corners = np.concatenate([found + start for (_, found), start in zip(meshes, starts[:-1], strict=True)])
    face = np.repeat(np.arange(len(meshes)), [len(found) for _, found in meshes])
    finite = np.isfinite(points[corners]).all(axis=(1, 2))
    corners, face = corners[finite], face[finite]
    normals = node_normals(points, corners)
    lines = _sharp(definition) if definition is not None and not definition.tessellated else None
    ends, beside = _folds(points, normals, corners, face)
    return Mesh(
        points[corners],
        normals[corners],
        face,
        points[sides_of(corners)[0]] if lines is None else lines,
        points[ends],
        beside,
    )


def _folds(points: Array, normals: Array, corners: Integers, face: Integers) -> tuple[Integers, Integers]:
    """Sides (k, 2) that two triangles share across which the surface goes on smoothly, and these triangles (k, 2).

    Faces have nodes of their own along a common edge, and so has a face on both sides of its seam: those at one place are one.
    """
    size = float(np.ptp(points, axis=0).max()) or 1.0
    _, welded = np.unique(np.round(points / (size * WELD)), axis=0, return_inverse=True)
    _, number = sides_of(welded.ravel()[corners])
    order = np.argsort(number, kind="stable")
    pairs = np.flatnonzero(np.diff(number[order]) == 0)
    first, second = order[pairs], order[pairs + 1]
    count = len(corners)
    begin, end = corners[first % count, first // count], corners[first % count, (first // count + 1) % 3]
    opposite = corners[second % count, (second // count + 1) % 3]
    beside = np.stack([first % count, second % count], axis=1)
    level = np.einsum("ni,ni->n", normals[begin], normals[opposite]) > SMOOTH
    kept = level | (face[beside[:, 0]] == face[beside[:, 1]])
    return np.stack([begin, end], axis=1)[kept], beside[kept]


def _sharp(definition: Definition) -> Array:
    """(n, 2, 3) pieces of the edges that are seen as lines."""
    found = [NOWHERE]
    for edge in definition.edges.edges.values():
        if edge.is_seam or edge.convexity == "smooth" or not edge.uses:
            continue
        use = edge.uses[0]
        points = _polyline(definition.body.faces[use.face], use.coedge)
        found.append(np.stack([points[:-1], points[1:]], axis=1))
    return np.concatenate(found)


def _polyline(face: BodyFace, coedge: Coedge) -> Array:
    """(n, 3) points along an edge, on the triangles of a face that it bounds."""
    location = TopLoc_Location()
    mesh = BRep_Tool.Triangulation_s(face.face, location)
    polygon = None if mesh is None else BRep_Tool.PolygonOnTriangulation_s(coedge.edge, mesh, location)
    if polygon is None:
        return np.empty((0, 3))
    numbers = [polygon.Node(place) for place in range(1, polygon.NbNodes() + 1)]
    points = np.array([mesh.Node(number).Coord() for number in numbers])
    return points if location.IsIdentity() else transformed(points, matrix(location.Transformation()))
