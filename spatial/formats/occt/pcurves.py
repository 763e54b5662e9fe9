"""The curves of edges on curved faces: those that a file does not state, and seams whose two stand in the wrong order.

A seam bounds its face twice, once each way, and has a curve on the face for either. The kernel takes the first for the edge that runs
forward; its repair of solids exchanges the two where the boundary would not close otherwise, and adds the curves that are missing. The
same steps of it are taken here, by themselves: a fifth of the whole repair.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.Geom import Geom_Plane
from OCP.ShapeAnalysis import ShapeAnalysis_Wire
from OCP.ShapeFix import ShapeFix_Wire
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_WIRE
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape, TopoDS_Wire

from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.topology import faces_of, subshapes

_PRECISION: Final = 1e-7
"""Millimetres; neither the order of curves nor the gaps between them depend on it."""

_GAP: Final = 1e-3
"""In parameters of the surface: sound boundaries have 1e-8 at most, one that jumps by a period 1 or 2 pi."""

Step = Callable[[TopoDS_Wire, TopoDS_Face], TopoDS_Wire]
"""What is done to a boundary of a curved face; it returns the boundary that stands there then."""


def order_seams(shape: TopoDS_Shape) -> bool:
    """Exchange the curves of every seam of a shape that has them in the wrong order.

    Returns whether the boundaries of its curved faces then close on their surfaces, without which its check finds faults.
    """
    return _closes_after(shape, lambda face: _order_seam if _has_seam(face) else None)


def add_pcurves(shape: TopoDS_Shape) -> bool:
    """Give every edge of a curved face its curve on it, by projection, order those of seams, and add the edge that is the tip of a cone.

    Returns whether the boundaries of its curved faces then close on their surfaces. One of two circles around a face that lacks its
    seam does not.
    """
    try:
        return _closes_after(shape, lambda _: _add)
    except KERNEL_ERRORS:
        return False


def _closes_after(shape: TopoDS_Shape, step_for: Callable[[TopoDS_Face], Step | None]) -> bool:
    for face in faces_of(shape):
        own = TopoDS.Face_s(face.Oriented(TopAbs_FORWARD))
        surface = BRep_Tool.Surface_s(own, TopLoc_Location())
        if surface is None or isinstance(surface, Geom_Plane):
            continue
        step = step_for(own)
        for wire in map(TopoDS.Wire_s, subshapes(own, TopAbs_WIRE)):
            if not _closes(step(wire, own) if step else wire, own):
                return False
    return True


def _has_seam(face: TopoDS_Face) -> bool:
    """Whether an edge bounds a face twice; edges whose hashes agree are nearly always one."""
    edges = subshapes(face, TopAbs_EDGE)
    return len({hash(edge) for edge in edges}) < len(edges)


def _order_seam(wire: TopoDS_Wire, face: TopoDS_Face) -> TopoDS_Wire:
    repair = ShapeFix_Wire(wire, face, _PRECISION)
    for place in range(1, repair.NbEdges() + 1):
        repair.FixSeam(place)
    return wire


def _add(wire: TopoDS_Wire, face: TopoDS_Face) -> TopoDS_Wire:
    repair = ShapeFix_Wire(wire, face, _PRECISION)
    repair.FixEdgeCurves()
    if not repair.FixDegenerated() or len(subshapes(face, TopAbs_WIRE)) > 1:
        return wire
    tipped = repair.Wire()
    _exchange(face, wire, tipped)
    return tipped


def _exchange(face: TopoDS_Face, old: TopoDS_Wire, new: TopoDS_Wire) -> None:
    """Put a boundary in the place of a face's only one. A face that a shell holds is not free, and lets nothing be taken out."""
    builder, is_free = BRep_Builder(), face.Free()
    face.Free(True)
    builder.Remove(face, old)
    builder.Add(face, new)
    face.Free(is_free)


def _closes(wire: TopoDS_Wire, face: TopoDS_Face) -> bool:
    analysis = ShapeAnalysis_Wire(wire, face, _PRECISION)
    analysis.CheckGaps2d()
    return bool(analysis.MaxDistance2d() < _GAP)
