"""A body as the rules of features see it: analytic faces, how they meet, and the loops around them.

Glossary
  band    a face around an axis: a concave cylinder or cone, with the stretch of the axis that it takes.
  loop    one closed boundary of a face: the outer one, or that of a hole in it.
  round   an edge at which the faces are tangent; a face with such edges on both sides blends its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Final

import numpy as np
from OCP.BRepTools import BRepTools
from OCP.TopAbs import TopAbs_EDGE, TopAbs_WIRE
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.curves import at_fractions
from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.models.brep.body import BodyFace
from spatial.models.brep.curves import Unusable
from spatial.models.brep.definition import Definition
from spatial.models.brep.edges import BodyEdge
from spatial.models.brep.topology import subshapes

PARALLEL: Final = 1e-4
"""Sine of the angle up to which directions are parallel: 0.006 degrees."""

COINCIDENT: Final = 1e-4
"""Distance, as a part of the body's size, up to which axes and planes are one; not less than 1e-4 mm."""

_PLACES: Final = np.linspace(0.0, 1.0, 17)


@dataclass(frozen=True)
class Loop:
    """The edges of one boundary of a face."""

    outer: bool
    edges: tuple[BodyEdge, ...]


class FeatureShape:
    """One definition."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.body = definition.body
        self.faces: list[BodyFace] = self.body.faces
        self.surfaces: list[AnalyticSurface | None] = [face.analytic for face in self.faces]
        self.areas: list[float] = [area or 0.0 for area in definition.mass.areas]
        self.size = definition.mass.size
        self.tolerance = max(COINCIDENT * self.size, 1e-4)
        self.side = -1.0 if definition.reversed else 1.0
        self.rims: set[int] = set()
        """Chamfers and rounded edges, once they are found: where a wall ends in one, what it rises to is higher."""
        self._around: dict[int, list[BodyEdge]] = {}
        self._beside: dict[int, list[tuple[BodyEdge, int]]] = {}
        self._loops: dict[int, list[Loop]] = {}
        self._points: dict[int, Array] = {}
        self._arcs: dict[int, tuple[Array, Array, Array, Array, Array]] = {}

    @cached_property
    def edges(self) -> dict[int, BodyEdge]:
        """All edges by their number."""
        return self.definition.edges.edges

    def around(self, face: int) -> list[BodyEdge]:
        """The edges of a face that join it to another one."""
        if face not in self._around:
            self._around[face] = [edge for edge in self.definition.edges.of_face.get(face, []) if len(edge.faces) == 2]
        return self._around[face]

    def neighbours(self, face: int) -> list[tuple[BodyEdge, int]]:
        """The edges of a face, with the face on the other side."""
        if face not in self._beside:
            pairs = ((edge, edge.other(face)) for edge in self.around(face))
            self._beside[face] = [(edge, other) for edge, other in pairs if other is not None]
        return self._beside[face]

    def convexity(self, edge: BodyEdge) -> str | None:
        """Of an edge; right also where the body is inside out."""
        found = edge.convexity
        if self.side < 0.0 and found in ("convex", "concave"):
            return "concave" if found == "convex" else "convex"
        return found

    def bulge(self, face: int) -> float:
        """+1 of a round face that is convex, -1 of a concave one, else 0."""
        return self.faces[face].bulge * self.side

    def normal(self, face: int) -> Array | None:
        """Of a plane, out of the material."""
        surface = self.surfaces[face]
        if surface is None or surface.kind != "plane":
            return None
        return np.asarray(surface.axis * self.faces[face].sign * self.side)

    def kind(self, face: int) -> str:
        """Its analytic kind; empty of any other."""
        surface = self.surfaces[face]
        return surface.kind if surface else ""

    @cached_property
    def polylines(self) -> Array:
        """(edges, 17, 3) points along every edge."""
        return at_fractions(self.body.groups, _PLACES, self.body.edges.count)

    @cached_property
    def centre(self) -> Array:
        """The middle of its edges."""
        points = self.polylines.reshape(-1, 3)
        return (points.min(axis=0) + points.max(axis=0)) / 2 if len(points) else np.zeros(3)

    def reach(self, direction: Array) -> tuple[float, float]:
        """How far its edges reach along a direction: least and greatest."""
        heights = self.polylines.reshape(-1, 3) @ direction
        return (float(heights.min()), float(heights.max())) if len(heights) else (0.0, 0.0)

    def points(self, face: int) -> Array:
        """(n, 3) points on the boundary of a face; not to be written to."""
        if face not in self._points:
            numbers = [edge.curve for edge in self.definition.edges.of_face.get(face, [])]
            self._points[face] = self.polylines[numbers].reshape(-1, 3) if numbers else np.zeros((0, 3))
        return self._points[face]

    def point(self, face: int) -> Array:
        """(3,) a point on the boundary of a face that has one: its floor is asked for one at each of a thousand walls."""
        return np.asarray(self.polylines[self.definition.edges.of_face[face][0].curve][0])

    def extent(self, faces: list[int], direction: Array) -> tuple[float, float]:
        """How far the boundaries of faces reach along a direction: least and greatest; exact where they are lines and circles."""
        heights = np.concatenate([self._heights(face, direction) for face in faces])
        return (float(heights.min()), float(heights.max())) if len(heights) else (0.0, 0.0)

    def _heights(self, face: int, direction: Array) -> Array:
        """Of points on the boundary of a face along a direction, with the highest and lowest of its arcs."""
        heights = self.points(face) @ direction
        centres, axes, radii, middles, reach = self._arcs_of(face)
        if not len(radii):
            return heights
        away = direction - (axes @ direction)[:, None] * axes
        lengths = np.linalg.norm(away, axis=1)
        along = np.einsum("ij,ij->i", away, middles) / np.where(lengths > 0.0, lengths, 1.0)
        level = centres @ direction
        highest = (level + radii * lengths)[along >= reach]
        lowest = (level - radii * lengths)[-along >= reach]
        return np.concatenate([heights, highest, lowest])

    def _arcs_of(self, face: int) -> tuple[Array, Array, Array, Array, Array]:
        """Of each circular edge: centre, axis, radius, the direction to its middle, and the cosine of half its turn."""
        if face not in self._arcs:
            rows = [
                (
                    edge.center,
                    edge.axis,
                    edge.radius,
                    (edge.points[1] - edge.center) / edge.radius,
                    edge.length / (2.0 * edge.radius),
                )
                for edge in self.definition.edges.of_face.get(face, [])
                if edge.center is not None and edge.axis is not None and edge.radius
            ]
            centres, axes, radii, middles, halves = zip(*rows, strict=True) if rows else ((), (), (), (), ())
            self._arcs[face] = (
                np.array(centres).reshape(-1, 3),
                np.array(axes).reshape(-1, 3),
                np.array(radii),
                np.array(middles).reshape(-1, 3),
                np.cos(np.minimum(halves, np.pi)) if rows else np.zeros(0),
            )
        return self._arcs[face]

    def loops(self, face: int) -> list[Loop]:
        """The boundaries of a face; a loop with an edge that cannot be used is left out."""
        if face not in self._loops:
            wires = subshapes(self.faces[face].face, TopAbs_WIRE)
            # A face of one wire is not asked for its outer one, which the kernel finds by the extents of all.
            outer = BRepTools.OuterWire_s(self.faces[face].face) if len(wires) > 1 else None
            self._loops[face] = []
            for wire, numbers in zip(wires, self._curves_of(face, wires), strict=True):
                if numbers is None:
                    continue
                edges = [self.edges[number] for number in dict.fromkeys(numbers) if number in self.edges]
                self._loops[face].append(Loop(outer is None or bool(wire.IsSame(outer)), tuple(edges)))
        return self._loops[face]

    def _curves_of(self, face: int, wires: list[TopoDS_Shape]) -> Iterator[list[int | None] | None]:
        """The numbers of the curves of each boundary of a face; None where one of them cannot be used."""
        coedges, first = self.faces[face].coedges, 0
        are_all = sum(wire.NbChildren() for wire in wires) == len(coedges)
        for wire in wires:
            if are_all:
                last = first + wire.NbChildren()
                yield [coedge.curve for coedge in coedges[first:last]]
                first = last
                continue
            try:
                yield [self.body.number_of(TopoDS.Edge_s(edge)) for edge in subshapes(wire, TopAbs_EDGE)]
            except Unusable:
                yield None

    def is_one_surface(self, one: int, two: int) -> bool:
        """Whether two faces are pieces of one plane, cylinder, cone, sphere or torus."""
        first, second = self.surfaces[one], self.surfaces[two]
        if first is None or second is None or first.kind != second.kind:
            return False
        apart = second.origin - first.origin
        if first.kind == "plane":
            return self.is_along(first.axis, second.axis) and abs(float(apart @ first.axis)) <= self.tolerance
        if abs(first.radius - second.radius) > self.tolerance or self.bulge(one) != self.bulge(two):
            return False
        if first.kind == "sphere":
            return float(np.linalg.norm(apart)) <= self.tolerance
        off = cross(apart, first.axis) if first.kind == "cylinder" else apart
        return self.is_along(first.axis, second.axis) and float(np.linalg.norm(off)) <= self.tolerance

    def is_along(self, first: Array, second: Array) -> bool:
        """Whether two unit directions are parallel or opposite."""
        (a, b, c), (d, e, f) = first.tolist(), second.tolist()
        return bool(hypot(b * f - c * e, c * d - a * f, a * e - b * d) <= PARALLEL)
