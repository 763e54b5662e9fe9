"""The triangles that faces carry, taken over many at once.

Asked for one by one, nodes and triangles cost 2 µs each, thirty times what they take in the kernel's binary form: faces of nothing but
triangles are written in it, and read back as arrays. Every number keeps all its digits there.

Layout of a triangulation in that form, version 4, little-endian (BinTools_ShapeSet::WriteTriangulation of OCCT 7.9): number of nodes and of
triangles, whether it has parameters, whether it has normals, deflection; then nodes, parameters, triangles, normals.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
from OCP.BinTools import BinTools
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.Poly import Poly_Triangulation
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound, TopoDS_Face

from spatial.geometry.quadrature import Array
from spatial.geometry.sampling import Integers
from spatial.models.brep.topology import matrix, transformed

FaceMesh = tuple[Array, Integers]
"""Nodes (n, 3), millimetres, and corners of triangles (m, 3) as places in them, wound as the face is oriented."""

_COUNT: Final = b"\nTriangulations "
_HEAD: Final = struct.Struct("<ii??d")


def triangles_of(faces: Sequence[TopoDS_Face]) -> list[Array]:
    """The triangles (n, 3, 3) that each face carries, millimetres, wound as the face is oriented; none where it carries none."""
    return [np.asarray(nodes[corners], dtype=np.float64) for nodes, corners in meshes_of(faces)]


def meshes_of(faces: Sequence[TopoDS_Face]) -> list[FaceMesh]:
    """The nodes and triangles that each face carries; none where it carries none."""
    places = [TopLoc_Location() for _ in faces]
    carried = [BRep_Tool.Triangulation_s(face, place) for face, place in zip(faces, places, strict=True)]
    has = [mesh is not None and mesh.NbTriangles() > 0 for mesh in carried]
    found = iter(_arrays([mesh for mesh, has_any in zip(carried, has, strict=True) if has_any]))
    return [
        _placed(*next(found), face, place) if has_any else (np.empty((0, 3)), np.empty((0, 3), dtype=np.int64))
        for face, place, has_any in zip(faces, places, has, strict=True)
    ]


def _placed(nodes: Array, corners: Integers, face: TopoDS_Face, place: TopLoc_Location) -> FaceMesh:
    if not place.IsIdentity():
        nodes = transformed(nodes, matrix(place.Transformation()))
    return nodes, corners[:, ::-1] if face.Orientation() == TopAbs_REVERSED else corners


def _arrays(meshes: Sequence[Poly_Triangulation]) -> list[FaceMesh]:
    if not meshes:
        return []
    content = _written(meshes)
    _, _, rest = content.partition(_COUNT)
    at = len(content) - len(rest) + rest.index(b"\n") + 1
    found = []
    for _ in meshes:
        nodes, corners, _, _, _ = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        points = np.frombuffer(content, "<f8", 3 * nodes, at)
        at += points.nbytes
        numbers = np.frombuffer(content, "<i4", 3 * corners, at)
        at += numbers.nbytes
        found.append((points.reshape(-1, 3).astype(np.float64), numbers.reshape(-1, 3).astype(np.int64) - 1))
    return found


def _written(meshes: Sequence[Poly_Triangulation]) -> bytes:
    """Faces of these triangles in the kernel's binary form; of copies, because one that two faces share would be written once."""
    together, builder, stream = TopoDS_Compound(), BRep_Builder(), io.BytesIO()
    builder.MakeCompound(together)
    for mesh in meshes:
        bare, face = mesh.Copy(), TopoDS_Face()
        bare.RemoveUVNodes()
        bare.RemoveNormals()
        builder.MakeFace(face, bare)
        builder.Add(together, face)
    BinTools.Write_s(together, stream)
    return stream.getvalue()
