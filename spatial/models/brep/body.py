"""One body taken out of the kernel: its faces, the curves around them, and how they hang together.

Glossary
  body      a solid, shell or face as it was modelled, before any instance places it.
  boundary  the edges of a face; each is used in a direction. A seam is used twice, once each way.
  pcurve    an edge as a curve in the parameters of a face's surface.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d, BRepAdaptor_Surface
from OCP.BRepTools import BRepTools
from OCP.Precision import Precision
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape

from spatial.contract.extraction import SurfaceType
from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.curves import CurveTable, Group
from spatial.geometry.quadrature import Array
from spatial.models.brep import curves, surfaces
from spatial.models.brep.curves import Unusable
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.recognition import EXACT, RECOGNISED, Canonical, canonical
from spatial.models.brep.topology import faces_of, subshapes
from spatial.models.brep.triangulations import triangles_of

CLOSED_FORMS: Final[frozenset[SurfaceType]] = frozenset({"plane", "cylinder", "cone"})
"""Recognised surfaces that are measured by their edges in space; the poles of a sphere have none, and a torus closes twice."""

_TORUS_SAMPLES: Final = 360
"""Places along the tube of a torus at which its side of the axis is looked at: one per degree of a whole turn."""

_FORWARD = TopAbs_Orientation.TopAbs_FORWARD
# The kernel's enumerations take thirty times as long to compare as their values.
_SIGNS: Final = {_FORWARD.value: 1.0, TopAbs_Orientation.TopAbs_REVERSED.value: -1.0}


@dataclass(frozen=True)
class Coedge:
    """An edge as it bounds one face, seen with the face's own side up; a seam bounds its face twice, once each way."""

    edge: TopoDS_Edge
    sign: float
    """+1 where the face takes it along its curve, -1 against it."""
    curve: int | None
    """Its number in the body's table; None for an edge that is a point (a pole of a sphere)."""


@dataclass(frozen=True)
class BodyFace:
    """A face and what is around it."""

    face: TopoDS_Face
    """With its surface's own side up."""
    sign: float
    """+1 where the surface's normal points out of the material, -1 where into it."""
    kind: SurfaceType
    surface: Any
    """BRepAdaptor_Surface; None for a face of triangles."""
    coedges: list[Coedge]
    """Empty where one of them cannot be used."""
    triangles: Array | None = None
    """(n, 3, 3) corners in millimetres, of a face without surface."""

    @cached_property
    def canonical(self) -> Canonical | None:
        """The analytic surface that it lies on, where it is written as another one."""
        if self.kind not in RECOGNISED or self.surface is None:
            return None
        return canonical(self.face, self.surface)

    @cached_property
    def analytic(self) -> AnalyticSurface | None:
        """Its surface where that is analytic, stated or recognised, with the surface's own normals."""
        if self.canonical:
            return self.canonical.fitted
        return None if self.surface is None else surfaces.analytic(self.kind, self.surface)

    @property
    def bulge(self) -> float:
        """+1 where it is curved away from the material, as a pin; -1 where into it, as a hole; 0 where flat or not analytic."""
        found = self.analytic
        return 0.0 if found is None or found.kind == "plane" else found.outward * self.sign

    @property
    def type(self) -> SurfaceType:
        """The kind of its surface, as recognised."""
        return self.canonical.kind if self.canonical else self.kind

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The analytic parameters of its surface, in millimetres."""
        if self.canonical:
            return self.canonical.parameters
        return surfaces.parameters(self.kind, self.surface)

    def measured_as(self, size: float) -> SurfaceType:
        """The kind of surface by whose formulas it is measured: the recognised one where that is as exact. size: of the body."""
        found = self.canonical
        if found and found.kind in CLOSED_FORMS and found.fitted.deviation <= EXACT * size:
            return found.kind
        return self.kind

    @property
    def bounded(self) -> bool:
        """Whether it ends somewhere; a plane that lost its boundary does not."""
        return not any(Precision.IsInfinite_s(limit) for limit in BRepTools.UVBounds_s(self.face))

    @cached_property
    def crosses_itself(self) -> bool:
        """Whether it goes through the axis of a torus from one sheet to the other, which no boundary of a solid does."""
        if self.kind != "torus":
            return False
        torus = self.surface.Torus()
        if torus.MajorRadius() >= torus.MinorRadius():
            return False
        _, _, low, high = BRepTools.UVBounds_s(self.face)
        middle = np.linspace(low, high, _TORUS_SAMPLES + 2)[1:-1]
        across = torus.MajorRadius() + torus.MinorRadius() * np.cos(middle)
        return bool(across.min() < 0.0 < across.max())

    @cached_property
    def spline(self) -> Any:
        """The kernel's surface, of a B-spline or Bézier face."""
        return surfaces.spline_of(self.kind, self.surface)

    @cached_property
    def poles(self) -> Array:
        """(nu, nv, 4) homogeneous control points, of a B-spline or Bézier face."""
        return surfaces.surface_poles(self.spline)


@dataclass
class Body:
    """The faces of a body and the table of its edges' curves."""

    faces: list[BodyFace] = field(default_factory=list)
    edges: CurveTable = field(default_factory=CurveTable)
    _numbers: dict[int, list[tuple[TopoDS_Edge, int | None]]] = field(default_factory=dict)
    _groups: list[Group] | None = None

    @property
    def groups(self) -> list[Group]:
        """All edges' curves as arrays, in millimetres."""
        if self._groups is None:
            self._groups = self.edges.groups()
        return self._groups

    @property
    def edge_count(self) -> int:
        """How many different edges its faces have."""
        return sum(len(known) for known in self._numbers.values())

    def number_of(self, edge: TopoDS_Edge) -> int | None:
        """The number of an edge's curve in the table; the same for every face that shares the edge.

        Raises: Unusable where the curve cannot be taken.
        """
        known = self._numbers.setdefault(hash(edge), [])
        for other, number in known:
            if edge.IsSame(other):
                return number
        number = self._add(edge)
        known.append((edge, number))
        return number

    def _add(self, edge: TopoDS_Edge) -> int | None:
        if BRep_Tool.Degenerated_s(edge):
            return None
        try:
            return curves.add(self.edges, BRepAdaptor_Curve(edge))
        except KERNEL_ERRORS as failure:
            raise Unusable(str(failure)) from failure


def body_of(shape: TopoDS_Shape) -> Body:
    """The body of a shape, with its faces in the order in which the kernel visits them."""
    body = Body()
    for face in faces_of(shape):
        body.faces.append(_face(body, face))
    return body


def _face(body: Body, face: TopoDS_Face) -> BodyFace:
    sign = _SIGNS.get(face.Orientation().value, 1.0)
    own = TopoDS.Face_s(face.Oriented(_FORWARD))
    surface = _surface(own)
    if surface is None:
        (triangles,) = triangles_of([own])
        return BodyFace(own, sign, "other", None, [], triangles if len(triangles) else None)
    try:
        coedges = [_coedge(body, TopoDS.Edge_s(item)) for item in subshapes(own, TopAbs_ShapeEnum.TopAbs_EDGE)]
    except Unusable:
        coedges = []
    kind = surfaces.KINDS.get(surface.GetType(), "other")
    return BodyFace(own, sign, kind, surface, [coedge for coedge in coedges if coedge.sign])


def _surface(face: TopoDS_Face) -> BRepAdaptor_Surface | None:
    if BRep_Tool.Surface_s(face, TopLoc_Location()) is None:
        return None
    return BRepAdaptor_Surface(face, False)


def _coedge(body: Body, edge: TopoDS_Edge) -> Coedge:
    """Edges that lie within the face (INTERNAL, EXTERNAL) bound nothing: sign 0."""
    return Coedge(edge, _SIGNS.get(edge.Orientation().value, 0.0), body.number_of(edge))


def add_pcurves(table: CurveTable, face: BodyFace) -> list[int]:
    """Add the boundary of a face to a table of pcurves; their numbers.

    Raises: Unusable where an edge has no pcurve on the face.
    """
    try:
        return [curves.add(table, BRepAdaptor_Curve2d(coedge.edge, face.face)) for coedge in face.coedges]
    except KERNEL_ERRORS as failure:
        raise Unusable(str(failure)) from failure
