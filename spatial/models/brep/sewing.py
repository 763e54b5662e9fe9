"""Sewing: faces that lie edge to edge without sharing their edges.

IGES has no shells but in its rarest entities, and some STEP writers give every face edges of its own. What bounds a volume
all the same is found by joining edges that lie within a tolerance of each other, and believed only if nothing stays open.
"""

from __future__ import annotations

from typing import Final

from OCP.BRep import BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeSolid, BRepBuilderAPI_Sewing
from OCP.Standard import Standard_Failure
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.models.brep.body import explored

RELATIVE_TOLERANCE: Final = 1e-5
"""Gaps up to this part of the size of all faces together are closed: 0.01 mm in a metre."""

MOST_FACES: Final = 5_000
"""Sewing compares edges with edges; above this it is not tried."""


def closed_shells(faces: list[TopoDS_Shape], tolerance: float) -> list[TopoDS_Shape] | None:
    """The shells that faces make when they are sewn; None unless every face ends up in a closed one."""
    if not 2 <= len(faces) <= MOST_FACES:
        return None
    sewing = BRepBuilderAPI_Sewing(tolerance)
    for face in faces:
        sewing.Add(face)
    try:
        sewing.Perform()
    except Standard_Failure:
        return None
    sewn = sewing.SewedShape()
    if sewn is None or sewn.IsNull():
        return None
    shells = explored(sewn, TopAbs_ShapeEnum.TopAbs_SHELL)
    inside = sum(len(explored(shell, TopAbs_ShapeEnum.TopAbs_FACE)) for shell in shells)
    whole = inside == len(explored(sewn, TopAbs_ShapeEnum.TopAbs_FACE))
    return shells if shells and whole and all(BRep_Tool.IsClosed_s(shell) for shell in shells) else None


def mended_solid(solid: TopoDS_Shape, tolerance: float) -> TopoDS_Shape | None:
    """A solid whose faces share their edges, of one whose faces only lie edge to edge; None where they do not close."""
    shells = closed_shells(explored(solid, TopAbs_ShapeEnum.TopAbs_FACE), tolerance)
    if shells is None:
        return None
    made = BRepBuilderAPI_MakeSolid(TopoDS.Shell_s(shells[0]))
    for shell in shells[1:]:
        made.Add(TopoDS.Shell_s(shell))
    return made.Solid() if made.IsDone() else None
