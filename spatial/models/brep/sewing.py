"""Sewing: faces that lie edge to edge without sharing their edges.

IGES has no shells but in its rarest entities, and some STEP writers give every face edges of its own. What bounds a volume
all the same is found by joining edges that lie within a tolerance of each other, and believed only if nothing stays open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeSolid, BRepBuilderAPI_Sewing
from OCP.TopAbs import TopAbs_SHELL
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.topology import faces_of, is_closed, subshapes

RELATIVE_TOLERANCE: Final = 1e-5
"""Gaps up to this part of the size of all faces together are closed: 0.01 mm in a metre."""

MOST_FACES: Final = 5_000
"""Sewing compares edges with edges; above this it is not tried."""


def sew(faces: Sequence[TopoDS_Shape], tolerance: float) -> list[TopoDS_Shape] | None:
    """The shells that faces make when they are sewn, each of them closed; None unless every face ends up in one."""
    if not 2 <= len(faces) <= MOST_FACES:
        return None
    sewing = BRepBuilderAPI_Sewing(tolerance)
    try:
        for face in faces:
            sewing.Add(face)
        sewing.Perform()
        found = sewing.SewedShape()
    except KERNEL_ERRORS:
        return None
    if found is None or found.IsNull():
        return None
    shells = subshapes(found, TopAbs_SHELL)
    in_shells = sum(len(faces_of(shell)) for shell in shells)
    return shells if is_closed(found) and in_shells == len(faces_of(found)) else None


def repair_solid(solid: TopoDS_Shape, tolerance: float) -> TopoDS_Shape | None:
    """A solid whose faces share their edges, of one whose faces only lie edge to edge; None where they do not close."""
    shells = sew(faces_of(solid), tolerance)
    if shells is None:
        return None
    try:
        made = BRepBuilderAPI_MakeSolid(TopoDS.Shell_s(shells[0]))
        for shell in shells[1:]:
            made.Add(TopoDS.Shell_s(shell))
        return made.Solid() if made.IsDone() else None
    except KERNEL_ERRORS:
        return None
