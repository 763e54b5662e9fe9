"""Triangles of a shape, meshed once, and the way back from a triangle to the surface that it approximates.

Glossary
  linear deflection    how far a triangle may lie from its surface.
  angular deflection   how far the surface may turn along one triangle's edge.
  analytic surface     plane, cylinder, cone, sphere or torus: its nearest point is known in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GeomAbs import GeomAbs_SurfaceType
from OCP.gp import gp_Ax1, gp_Pnt
from OCP.IMeshTools import IMeshTools_MeshAlgoType, IMeshTools_Parameters
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from spatial.geometry.sampling import (
    ANGULAR_DEFLECTION,
    LINEAR_DEFLECTION,
    Floats,
    Integers,
    snap_cone,
    snap_cylinder,
    snap_plane,
    snap_sphere,
    snap_torus,
)
from spatial.geometry.triangles import areas_of
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.topology import faces_of, loose_box
from spatial.models.brep.triangulations import triangles_of

Row = tuple[float, float, float, float, float, float, float, float]
"""An analytic surface: a point (3), a unit axis (3), and two sizes."""

SNAP_REACH: Final = 4.0
"""Linear deflections that a point may move onto its surface; a longer way says that the triangles are not the mesher's."""

MANY_BOUNDARIES: Final = 8
"""Boundaries of a face beyond which its shape is meshed by the other algorithm of the kernel."""

FREEFORM: Final = ""
"""Kind of a face whose points stay on their triangles."""

_SNAPS: Final[dict[str, Callable[[Floats, Floats], Floats]]] = {
    "plane": lambda points, rows: snap_plane(points, rows[:, 0:3], rows[:, 3:6]),
    "cylinder": lambda points, rows: snap_cylinder(points, rows[:, 0:3], rows[:, 3:6], rows[:, 6]),
    "cone": lambda points, rows: snap_cone(points, rows[:, 0:3], rows[:, 3:6], rows[:, 6]),
    "sphere": lambda points, rows: snap_sphere(points, rows[:, 0:3], rows[:, 6]),
    "torus": lambda points, rows: snap_torus(points, rows[:, 0:3], rows[:, 3:6], rows[:, 6], rows[:, 7]),
}


@dataclass(frozen=True)
class Tessellation:
    """A shape's triangles in its own coordinates, wound so that their normals point out of the material."""

    corners: Floats
    """(n, 3, 3)."""
    face_of: Integers
    """(n,) the face of each triangle: its place in `faces_of(shape)`, from 0."""
    kinds: list[str]
    """A face's analytic surface, or FREEFORM."""
    rows: Floats
    """(faces, 8) the analytic surfaces."""
    deflection: float
    """The linear deflection that the mesher was given, in the coordinates' unit."""
    bare: list[int] = field(default_factory=list)
    """Faces that the mesher could not triangulate."""

    @cached_property
    def areas(self) -> Floats:
        """(n,) of each triangle."""
        return areas_of(self.corners)

    @cached_property
    def area(self) -> float:
        """The triangles' area."""
        return float(self.areas.sum())

    @cached_property
    def sides(self) -> Floats:
        """(3,) of the triangles' bounding box; 0 without triangles."""
        along = np.ascontiguousarray(self.corners.reshape(-1, 3).T)
        return np.ptp(along, axis=1) if along.size else np.zeros(3)

    @cached_property
    def size(self) -> float:
        """Diagonal of the triangles' bounding box; 0 without triangles."""
        return float(np.linalg.norm(self.sides))

    def on_surface(self, points: Floats, triangles: Integers) -> Floats:
        """The points moved onto the analytic surfaces of their faces; those of other faces as they are.

        A longer move than SNAP_REACH deflections is not made: then the triangles came with the file, as another
        approximation of the surface.
        """
        placed = points.copy()
        faces, kinds = self.face_of[triangles], np.array(self.kinds)
        for kind in sorted(set(self.kinds) - {FREEFORM}):
            chosen = (kinds == kind)[faces]
            moved = _SNAPS[kind](points[chosen], self.rows[faces[chosen]])
            near = np.linalg.norm(moved - points[chosen], axis=1) <= SNAP_REACH * self.deflection
            placed[chosen] = np.where(near[:, None], moved, points[chosen])
        return placed


NO_TRIANGLES: Final = Tessellation(np.empty((0, 3, 3)), np.empty(0, dtype=np.int64), [], np.empty((0, 8)), 0.0)
"""Of a shape that cannot be meshed."""


def tessellate(shape: TopoDS_Shape) -> Tessellation:
    """Mesh a shape; faces that already are triangles keep theirs."""
    deflection = triangulate(shape)
    faces = faces_of(shape)
    meshes = triangles_of(faces)
    corners = np.concatenate([np.empty((0, 3, 3)), *meshes])
    face_of = np.repeat(np.arange(len(faces)), [len(mesh) for mesh in meshes])
    if not np.isfinite(corners).all():
        finite = np.isfinite(corners).all(axis=(1, 2))
        corners, face_of = corners[finite], face_of[finite]
    surfaces = [_surface(face) for face in faces]
    return Tessellation(
        corners=corners,
        face_of=face_of,
        kinds=[kind for kind, _ in surfaces],
        rows=np.array([row for _, row in surfaces], dtype=np.float64).reshape(-1, 8),
        deflection=deflection,
        bare=[index for index, mesh in enumerate(meshes) if not len(mesh)],
    )


def triangulate(shape: TopoDS_Shape) -> float:
    """Give the faces their triangles; returns the linear deflection, 0 where there is nothing to mesh."""
    parts = [(shape, loose_box(shape))]
    if parts[0][1].IsOpen():
        parts = [(face, box) for face in faces_of(shape) if not (box := loose_box(face)).IsOpen()]
    together = Bnd_Box()
    for _, box in parts:
        together.Add(box)
    deflection = 0.0 if together.IsVoid() else LINEAR_DEFLECTION * math.sqrt(together.SquareExtent())
    if deflection > 0:
        for part, _ in parts:
            _mesh(part, deflection)
    return deflection


def _mesh(shape: TopoDS_Shape, deflection: float) -> None:
    """Mesh a shape; a face on which the kernel fails stays without triangles.

    The kernel's Watson algorithm takes the square of a face's boundaries: 26 s for 900 holes, where Delabella takes 2 s, and three times
    as long for 20. Delabella leaves some faces without triangles that Watson meshes.
    """
    faces = faces_of(shape)
    if all(face.NbChildren() <= MANY_BOUNDARIES for face in faces):
        _mesh_by(_WATSON, shape, deflection)
        return
    _mesh_by(_DELABELLA, shape, deflection)
    for face in faces:
        if BRep_Tool.Triangulation_s(face, TopLoc_Location()) is None and face.NbChildren() <= MANY_BOUNDARIES:
            _mesh_by(_WATSON, face, deflection)


def _mesh_by(algorithm: IMeshTools_MeshAlgoType, shape: TopoDS_Shape, deflection: float) -> None:
    parameters = IMeshTools_Parameters()
    parameters.Deflection, parameters.Angle, parameters.MeshAlgo = deflection, ANGULAR_DEFLECTION, algorithm
    with suppress(*KERNEL_ERRORS):
        BRepMesh_IncrementalMesh(shape, parameters)


_WATSON: Final = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Watson
_DELABELLA: Final = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Delabella


def _surface(face: TopoDS_Face) -> tuple[str, Row]:
    """The face's analytic surface; a face that is nothing but triangles has none."""
    if BRep_Tool.Surface_s(face) is None:
        return FREEFORM, _row(gp_Pnt(), None)
    surface = BRepAdaptor_Surface(face, False)
    describe = _SURFACES.get(surface.GetType())
    return describe(surface) if describe else (FREEFORM, _row(gp_Pnt(), None))


def _row(at: gp_Pnt, axis: gp_Ax1 | None, *sizes: float) -> Row:
    direction = axis.Direction() if axis else None
    towards = (direction.X(), direction.Y(), direction.Z()) if direction else (0.0, 0.0, 1.0)
    first, second = (*sizes, 0.0, 0.0)[:2]
    return (at.X(), at.Y(), at.Z(), *towards, first, second)


def _plane(surface: Any) -> tuple[str, Row]:
    plane = surface.Plane()
    return "plane", _row(plane.Location(), plane.Axis())


def _cylinder(surface: Any) -> tuple[str, Row]:
    cylinder = surface.Cylinder()
    return "cylinder", _row(cylinder.Location(), cylinder.Axis(), cylinder.Radius())


def _cone(surface: Any) -> tuple[str, Row]:
    cone = surface.Cone()
    return "cone", _row(cone.Apex(), cone.Axis(), abs(cone.SemiAngle()))


def _sphere(surface: Any) -> tuple[str, Row]:
    sphere = surface.Sphere()
    return "sphere", _row(sphere.Location(), None, sphere.Radius())


def _torus(surface: Any) -> tuple[str, Row]:
    torus = surface.Torus()
    return "torus", _row(torus.Location(), torus.Axis(), torus.MajorRadius(), torus.MinorRadius())


_SURFACES: Final[dict[GeomAbs_SurfaceType, Callable[[Any], tuple[str, Row]]]] = {
    GeomAbs_SurfaceType.GeomAbs_Plane: _plane,
    GeomAbs_SurfaceType.GeomAbs_Cylinder: _cylinder,
    GeomAbs_SurfaceType.GeomAbs_Cone: _cone,
    GeomAbs_SurfaceType.GeomAbs_Sphere: _sphere,
    GeomAbs_SurfaceType.GeomAbs_Torus: _torus,
}
