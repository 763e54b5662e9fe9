"""Walks over the kernel's topology, and the one test of whether it closes.

Glossary
  shape     the kernel's word for a solid, shell, face, wire, edge, vertex, or compound of such.
  location  where a shape is placed; the same geometry may be placed many times.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepBndLib import BRepBndLib
from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHAPE, TopAbs_ShapeEnum, TopAbs_SHELL
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from spatial.geometry.quadrature import Array

_NOWHERE: Final = TopLoc_Location()


def subshapes(
    shape: TopoDS_Shape, kind: TopAbs_ShapeEnum, outside: TopAbs_ShapeEnum = TopAbs_SHAPE
) -> list[TopoDS_Shape]:
    """The sub-shapes of one kind in the order in which a shape holds them, as often as it does.

    outside: a kind of shape that those found must not be part of; by default, of any.
    """
    found = []
    explorer = TopExp_Explorer(shape, kind, outside)
    while explorer.More():
        found.append(explorer.Current())
        explorer.Next()
    return found


def count_of_kind(shape: TopoDS_Shape, kind: TopAbs_ShapeEnum) -> int:
    """How many different sub-shapes of a kind a shape has; the same one turned round or held twice counts once."""
    found = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, kind, found)
    return int(found.Extent())


def faces_of(shape: TopoDS_Shape) -> list[TopoDS_Face]:
    """The faces of a shape in the order in which it holds them."""
    return [TopoDS.Face_s(face) for face in subshapes(shape, TopAbs_FACE)]


def is_closed(shape: TopoDS_Shape) -> bool:
    """Whether a shape has shells, and every edge of each of them bounds two faces, or one face twice."""
    shells = subshapes(shape, TopAbs_SHELL)
    return bool(shells) and all(BRep_Tool.IsClosed_s(shell) for shell in shells)


def unplaced(shape: TopoDS_Shape) -> TopoDS_Shape:
    """A shape where it was modelled."""
    return shape.Located(_NOWHERE)


def is_mesh(face: TopoDS_Face) -> bool:
    """Whether a face is triangles, without a surface."""
    if BRep_Tool.Surface_s(face, TopLoc_Location()) is not None:
        return False
    mesh = BRep_Tool.Triangulation_s(face, TopLoc_Location())
    return mesh is not None and mesh.NbTriangles() > 0


def matrix(transform: gp_Trsf) -> Array:
    """The (3, 4) matrix of a transform; its last column is in millimetres."""
    return np.array([[transform.Value(row, column) for column in range(1, 5)] for row in range(1, 4)])


def transformed(points: Array, by: Array) -> Array:
    """(n, 3) points under a (3, 4) matrix."""
    return points @ by[:, :3].T + by[:, 3]


def loose_box(shape: TopoDS_Shape) -> Bnd_Box:
    """A box around a shape, at most a little too large; open where a face has no end, as an untrimmed plane."""
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box, False)
    return box
