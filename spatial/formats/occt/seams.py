"""The curves that a file states for edges on curved faces: seams whose two stand in the wrong order, and boundaries that do not close.

A seam bounds its face twice, once each way, and has a curve on the face for either. The kernel takes the first for the edge that runs
forward; its repair of solids exchanges the two where the boundary would not close otherwise, and so does this one, by itself.
"""

from __future__ import annotations

from typing import Final

from OCP.BRep import BRep_Tool
from OCP.Geom import Geom_Plane
from OCP.ShapeAnalysis import ShapeAnalysis_Wire
from OCP.ShapeFix import ShapeFix_Wire
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_WIRE
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape, TopoDS_Wire

from spatial.models.brep.topology import faces_of, subshapes

_PRECISION: Final = 1e-7
"""Millimetres; neither the order of curves nor the gaps between them depend on it."""

_GAP: Final = 1e-3
"""In parameters of the surface: sound boundaries have 1e-8 at most, one that jumps by a period 1 or 2 pi."""


def order_seams(shape: TopoDS_Shape) -> bool:
    """Exchange the curves of every seam of a shape that has them in the wrong order.

    Returns whether the boundaries of its curved faces then close on their surfaces, without which its check finds faults.
    """
    for face in faces_of(shape):
        own = TopoDS.Face_s(face.Oriented(TopAbs_FORWARD))
        surface = BRep_Tool.Surface_s(own, TopLoc_Location())
        if surface is None or isinstance(surface, Geom_Plane):
            continue
        has_seam = _has_seam(own)
        for wire in map(TopoDS.Wire_s, subshapes(own, TopAbs_WIRE)):
            if has_seam:
                _order(wire, own)
            if not _closes(wire, own):
                return False
    return True


def _has_seam(face: TopoDS_Face) -> bool:
    """Whether an edge bounds a face twice; edges whose hashes agree are nearly always one."""
    edges = subshapes(face, TopAbs_EDGE)
    return len({hash(edge) for edge in edges}) < len(edges)


def _order(wire: TopoDS_Wire, face: TopoDS_Face) -> None:
    repair = ShapeFix_Wire(wire, face, _PRECISION)
    for place in range(1, repair.NbEdges() + 1):
        repair.FixSeam(place)


def _closes(wire: TopoDS_Wire, face: TopoDS_Face) -> bool:
    analysis = ShapeAnalysis_Wire(wire, face, _PRECISION)
    analysis.CheckGaps2d()
    return bool(analysis.MaxDistance2d() < _GAP)
