"""The edges of a body: their curves, lengths, the faces that they join, and how these meet.

Glossary
  angle    between the outward normals of the two faces: positive where the edge is convex (270 degrees of air around it, as at a
           box), negative where it is concave (as at the foot of a boss), 0 where the faces are tangent.
  smooth   the faces are tangent along the whole edge.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from math import degrees, isfinite
from typing import Final, Literal

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Curve2d
from OCP.gp import gp_Pnt, gp_Vec

from spatial.geometry.curves import Arcs, Group, Lines, Sampled, first_panels
from spatial.geometry.quadrature import Array, Index, integrate
from spatial.geometry.vectors import cross
from spatial.models.brep.body import Body, BodyFace, Coedge
from spatial.models.brep.kernel_errors import KERNEL_ERRORS

Convexity = Literal["convex", "concave", "smooth", "mixed"]
EdgeType = Literal["line", "circle", "ellipse", "spline", "other"]

SMOOTH: Final = np.radians(0.5)
"""Angle up to which faces count as tangent: modellers join to about 0.1 degrees, and no chamfer is that flat."""

STRAIGHT: Final = 1e-6
"""Deviation, as a part of an edge's length, up to which a spline is a line or a circle."""

_PLACES: Final = (0.25, 0.5, 0.75)
"""Where along an edge the faces are compared."""

_LENGTH_ERROR: Final = 1e-10


@dataclass
class Use:
    """An edge as it bounds one face, seen from outside of the material."""

    face: int
    sign: float
    """+1 where the face lies to the left of the edge's direction."""
    coedge: Coedge


@dataclass
class BodyEdge:
    """One edge; lengths in millimetres."""

    curve: int
    """Its number in the body's table, from 0."""
    type: EdgeType
    length: float
    points: Array
    """(3, 3) at a quarter, half and three quarters of it."""
    tangents: Array
    """(3, 3), not normalised."""
    ends: Array
    """(2, 3)."""
    center: Array | None = None
    """Of a circle."""
    axis: Array | None = None
    """Of a circle: unit."""
    radius: float | None = None
    uses: list[Use] = field(default_factory=list)
    angles: tuple[float, ...] | None = None
    """Radians at the points; None unless it joins two faces, or where a normal is not known."""

    @cached_property
    def faces(self) -> list[int]:
        """The faces that it bounds, each once; not asked for before all of them are noted."""
        return list(dict.fromkeys(use.face for use in self.uses))

    @cached_property
    def is_seam(self) -> bool:
        """Whether a face closes on itself along it."""
        return len(self.uses) == 2 and len(self.faces) == 1

    @cached_property
    def convexity(self) -> Convexity | None:
        """None of an edge that does not join two faces; not asked for before the angles are known."""
        if self.angles is None:
            return None
        low, high = min(self.angles), max(self.angles)
        if low >= -SMOOTH:
            return "smooth" if high <= SMOOTH else "convex"
        return "concave" if high <= SMOOTH else "mixed"

    @property
    def angle(self) -> float | None:
        """Degrees, in its middle."""
        return None if self.angles is None else degrees(self.angles[1])

    def other(self, face: int) -> int | None:
        """The face on the other side."""
        return next((each for each in self.faces if each != face), None)


class EdgeTable:
    """The edges of a body by the number of their curve."""

    def __init__(self, body: Body) -> None:
        self._body = body

    @cached_property
    def edges(self) -> dict[int, BodyEdge]:
        """Every edge that is no point."""
        found = _curves(self._body.groups)
        for number, face in enumerate(self._body.faces):
            for coedge in face.coedges:
                if coedge.curve in found:
                    found[coedge.curve].uses.append(Use(number, coedge.sign * face.sign, coedge))
        _set_angles(self._body.faces, found)
        return found

    @cached_property
    def of_face(self) -> dict[int, list[BodyEdge]]:
        """The edges around each face, each once."""
        found: dict[int, list[BodyEdge]] = defaultdict(list)
        for edge in self.edges.values():
            for face in edge.faces:
                found[face].append(edge)
        return found


def _curves(groups: list[Group]) -> dict[int, BodyEdge]:
    found: dict[int, BodyEdge] = {}
    for group in groups:
        first = first_panels(group.curve)
        lengths = np.add.reduceat(_lengths(group), first)
        points, tangents, ends = _places(group, first)
        for row, (panel, length) in enumerate(zip(first.tolist(), lengths.tolist(), strict=True)):
            edge = BodyEdge(int(group.curve[panel]), "spline", length, points[row], tangents[row], ends[row])
            _set_type(edge, group, panel)
            found[edge.curve] = edge
    return dict(sorted(found.items()))


def _lengths(group: Group) -> Array:
    """Of each panel."""
    if isinstance(group, Lines):
        return np.asarray(np.linalg.norm(group.ends[:, 1] - group.ends[:, 0], axis=1))

    def speed(panel: Index, parameter: Array) -> Array:
        return np.asarray(np.linalg.norm(group.evaluate(panel, parameter)[1], axis=-1)[..., None])

    size = float(np.abs(speed(np.arange(len(group.curve)), group.start[:, None])).max(initial=0.0)) or 1.0
    return integrate(speed, group.start, group.stop, _LENGTH_ERROR * size)[:, 0]


def _places(group: Group, first: Index) -> tuple[Array, Array, Array]:
    """Points (n, 3, 3) and tangents at three places of each curve, and its ends (n, 2, 3).

    first: (n,) the first panel of each curve. Places are by panels and parameters, near enough to parts of the length.
    """
    count = np.diff(first, append=len(group.curve))
    place = np.array(_PLACES) * count[:, None]
    step = np.minimum(place.astype(int), count[:, None] - 1)
    panel = (first[:, None] + step).ravel()
    parameter = group.start[panel] + (place - step).ravel() * (group.stop[panel] - group.start[panel])
    points, tangents = (np.array(each).reshape(-1, 3, 3) for each in group.evaluate(panel, parameter[:, None]))
    last = first + count - 1
    begin = group.points(first, group.start[first][:, None])
    end = group.points(last, group.stop[last][:, None])
    return points, tangents, np.concatenate([begin, end], axis=1)


def _set_type(edge: BodyEdge, group: Group, panel: int) -> None:
    if isinstance(group, Lines):
        edge.type = "line"
    elif isinstance(group, Arcs):
        _set_arc(edge, group.frame[panel])
    else:
        edge.type = "other" if isinstance(group, Sampled) else "spline"
        _recognise(edge)


def _set_arc(edge: BodyEdge, frame: Array) -> None:
    radius, other = np.linalg.norm(frame[1]), np.linalg.norm(frame[2])
    edge.type = "circle" if abs(radius - other) <= STRAIGHT * radius else "ellipse"
    if edge.type == "circle":
        (a, b, c), (d, e, f) = frame[1].tolist(), frame[2].tolist()
        axis = np.array([b * f - c * e, c * d - a * f, a * e - b * d])
        edge.center, edge.axis, edge.radius = frame[0], axis / (radius * other), float(radius)


def _recognise(edge: BodyEdge) -> None:
    """A line or a circle, where points, tangents and length agree with one."""
    first, middle, last = edge.points
    chord = last - first
    reach = float(np.linalg.norm(edge.ends[1] - edge.ends[0]))
    if abs(reach - edge.length) <= STRAIGHT * edge.length:
        edge.type = "line"
        return
    normal = cross(middle - first, chord)
    size = float(normal @ normal)
    if size <= STRAIGHT**2 * float(chord @ chord) ** 2:
        return
    a, b = middle - first, chord
    center = first + cross((a @ a) * b - (b @ b) * a, cross(a, b)) / (2.0 * size)
    radius, axis = float(np.linalg.norm(first - center)), normal / np.sqrt(size)
    away = np.concatenate([edge.points, edge.ends]) - center
    off = max(np.abs(np.linalg.norm(away, axis=1) - radius).max(), np.abs(away @ axis).max())
    tangents = edge.tangents / np.linalg.norm(edge.tangents, axis=1, keepdims=True)
    square = np.abs(np.einsum("ni,ni->n", tangents, away[:3])).max()
    if off <= STRAIGHT * edge.length and square <= 1e-3 * radius and edge.length <= 2.001 * np.pi * radius:
        edge.type, edge.center, edge.axis, edge.radius = "circle", center, axis, radius


def _set_angles(faces: list[BodyFace], edges: dict[int, BodyEdge]) -> None:
    """The angles of all edges that join two faces."""
    joining = [edge for edge in edges.values() if len(edge.uses) == 2]
    for edge in joining:
        for use in edge.uses:
            if faces[use.face].analytic is None:
                _take_from_kernel(edge, use.coedge)
                break
    asked: dict[int, list[tuple[BodyEdge, int]]] = defaultdict(list)
    for edge in joining:
        for place, use in enumerate(edge.uses):
            asked[use.face].append((edge, place))
    normals: dict[tuple[int, int], Array] = {}
    for number, those in asked.items():
        found = _normals(faces[number], those)
        if found is not None:
            normals |= {(edge.curve, place): row for (edge, place), row in zip(those, found, strict=True)}
    known = [edge for edge in joining if (edge.curve, 0) in normals and (edge.curve, 1) in normals]
    if known:
        first, second = (np.array([normals[edge.curve, place] for edge in known]) for place in (0, 1))
        for edge, row in zip(known, _angles(known, first, second).tolist(), strict=True):
            edge.angles = tuple(row) if all(map(isfinite, row)) else None


def _take_from_kernel(edge: BodyEdge, coedge: Coedge) -> None:
    """Points and tangents at the places where the kernel's parameters are those of the pcurves."""
    try:
        curve = BRepAdaptor_Curve(coedge.edge)
        first, last = curve.FirstParameter(), curve.LastParameter()
        point, tangent = gp_Pnt(), gp_Vec()
        for row, place in enumerate(_PLACES):
            curve.D1(first + place * (last - first), point, tangent)
            edge.points[row], edge.tangents[row] = point.Coord(), tangent.Coord()
    except KERNEL_ERRORS:
        return


def _normals(face: BodyFace, those: list[tuple[BodyEdge, int]]) -> Array | None:
    """(n, 3, 3) normals out of the material at the points of edges on a face."""
    if face.analytic is not None:
        points = np.concatenate([edge.points for edge, _ in those])
        return np.asarray(face.sign * face.analytic.normals(points)).reshape(-1, len(_PLACES), 3)
    if face.surface is None:
        return None
    return np.array([face.sign * _kernel_normals(face, edge.uses[place].coedge) for edge, place in those])


def _kernel_normals(face: BodyFace, coedge: Coedge) -> Array:
    """Unit normals of the surface along a pcurve; NaN where there is none."""
    found = np.full((len(_PLACES), 3), np.nan)
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    try:
        pcurve = BRepAdaptor_Curve2d(coedge.edge, face.face)
        first, last = pcurve.FirstParameter(), pcurve.LastParameter()
        for row, place in enumerate(_PLACES):
            u, v = pcurve.Value(first + place * (last - first)).Coord()
            face.surface.D1(u, v, point, along_u, along_v)
            normal = cross(np.array(along_u.Coord()), np.array(along_v.Coord()))
            size = np.linalg.norm(normal)
            found[row] = normal / size if size > 0.0 else np.nan
    except KERNEL_ERRORS:
        return found
    return found


def _angles(edges: list[BodyEdge], first: Array, second: Array) -> Array:
    """Signed angles (n, 3) from the normals of one face to those of the other, along the edge as the first face takes it."""
    tangents = (
        np.array([edge.tangents for edge in edges]) * np.array([edge.uses[0].sign for edge in edges])[:, None, None]
    )
    across = np.einsum("nki,nki->nk", cross(first, second), tangents)
    size = np.linalg.norm(tangents, axis=-1)
    sine = across / np.where(size > 0.0, size, 1.0)
    return np.asarray(np.arctan2(sine, np.einsum("nki,nki->nk", first, second)))
