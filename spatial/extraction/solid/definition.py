"""A body measured once, and what an instance of it is.

Everything an instance needs follows from its definition and a similarity transform: volumes scale with the cube, areas with
the square, points move, directions turn. Only the box must be found anew when an instance is turned, from the same extent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS_Shape

from spatial.contract.extraction import BoundingBox, Face, SurfaceType
from spatial.extraction.solid import body, boxes, mass, wires
from spatial.geometry import rounding
from spatial.geometry.extent import Extent, box
from spatial.geometry.quadrature import Array
from spatial.geometry.triangles import closes

CLOSED_GAP: Final = 1e-5
"""Area vectors of a closed body add up to nothing; a gap beyond this, relative to the area, says that faces are missing."""


@dataclass(frozen=True)
class Placement:
    """A similarity transform from a definition to the document: turn, mirror, scale, shift, and the unit."""

    linear: Array
    """(3, 3) millimetres to document units."""
    shift: Array
    """(3,) document units."""

    @staticmethod
    def of(transform: gp_Trsf, scale: float) -> Placement:
        """From a kernel transform in millimetres, and document units per millimetre."""
        rows = np.array([[transform.Value(i, j) for j in range(1, 5)] for i in range(1, 4)])
        return Placement(rows[:, :3] * scale, rows[:, 3] * scale)

    @cached_property
    def factor(self) -> float:
        """Document units of length per millimetre of the definition."""
        return float(abs(np.linalg.det(self.linear)) ** (1.0 / 3.0))

    def point(self, where: Any) -> Array:
        """A point of the definition, in the document."""
        return np.asarray(self.linear @ np.asarray(where) + self.shift)

    def direction(self, along: Any) -> Array:
        """A unit direction of the definition, in the document."""
        return np.asarray(self.linear @ np.asarray(along) / self.factor)


class Definition:
    """One body, taken from the kernel and measured when first asked."""

    def __init__(self, name: str, shape: TopoDS_Shape, sewn: bool = False) -> None:
        self.name = name
        self.shape = shape
        self.sewn = sewn
        """Whether its faces share their edges only because they were sewn here."""

    @cached_property
    def body(self) -> body.Body:
        """Its faces and edges."""
        return body.take(self.shape)

    @cached_property
    def mass(self) -> mass.Mass:
        """Its area, volume and centre."""
        return mass.measure(self.body)

    @cached_property
    def extent(self) -> Extent:
        """What bounds it."""
        if self.shape.ShapeType() in (TopAbs_ShapeEnum.TopAbs_EDGE, TopAbs_ShapeEnum.TopAbs_VERTEX):
            return Extent(wires.point(self.shape), wires.table(self.shape).groups(), [])
        return boxes.extent(self.body)

    @cached_property
    def shells(self) -> list[TopoDS_Shape]:
        """Its shells."""
        return body.explored(self.shape, TopAbs_ShapeEnum.TopAbs_SHELL)

    @cached_property
    def shells_closed(self) -> list[bool]:
        """Whether all edges of each shell are shared."""
        return [bool(BRep_Tool.IsClosed_s(shell)) for shell in self.shells]

    @cached_property
    def closed(self) -> bool:
        """Whether its faces close: every edge is shared, and the faces' area vectors cancel."""
        if self.tessellated:
            signed = [face.triangles[:, :: int(face.sign)] for face in self.body.faces if face.triangles is not None]
            return closes(np.concatenate(signed))
        return bool(self.shells) and all(self.shells_closed) and not self.mass.gap > CLOSED_GAP

    @cached_property
    def vertex_count(self) -> int:
        """How many different vertices it has."""
        return len({hash(vertex) for vertex in body.explored(self.shape, TopAbs_ShapeEnum.TopAbs_VERTEX)})

    @cached_property
    def tessellated(self) -> bool:
        """Whether it is made of triangles only."""
        faces = self.body.faces
        return bool(faces) and all(face.triangles is not None for face in faces)

    @cached_property
    def surface_types(self) -> Counter[SurfaceType]:
        """How many faces of each type it has."""
        return Counter(face.kind for face in self.body.faces)

    def bounds(self, place: Placement) -> tuple[Array, Array]:
        """Least and greatest coordinates of an instance, in document units."""
        low, high = box(self.extent, place.linear / place.factor)
        return low * place.factor + place.shift, high * place.factor + place.shift

    @property
    def reversed(self) -> bool:
        """Whether it is closed and inside out."""
        return self.closed and self.mass.volume < 0.0

    def faces(self, place: Placement, places: int) -> list[Face]:
        """The faces of an instance; planes' normals point out of the material even if the file turned it inside out."""
        outward = -1.0 if self.reversed else 1.0
        measured = zip(self.body.faces, self.mass.areas, strict=True)
        return [_face(number, face, area, place, places, outward) for number, (face, area) in enumerate(measured, start=1)]


def _face(number: int, face: body.BodyFace, area: float | None, place: Placement, places: int, outward: float) -> Face:
    found: dict[str, Any] = {"id": f"face-{number}", "type": face.kind}
    if area is not None:
        found["area"] = rounding.significant(area * place.factor**2)
    for name, value in face.parameters.items():
        if name == "origin":
            found[name] = rounding.position(place.point(value), places)
        elif name == "normal":
            found[name] = rounding.direction(outward * face.sign * place.direction(value))
        elif name == "axis":
            found[name] = rounding.direction(place.direction(value))
        elif name == "half_angle":
            found[name] = rounding.significant(value)
        else:
            found[name] = rounding.significant(value * place.factor)
    return Face(**found)


def bounding_box(low: Array, high: Array) -> BoundingBox:
    """A contract box, rounded by its own size."""
    places = rounding.decimals(float(max(np.abs(low).max(), np.abs(high).max())))
    return BoundingBox(min=rounding.position(low, places), max=rounding.position(high, places))

