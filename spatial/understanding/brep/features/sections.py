"""Circular sections of freeform faces: what a ball that rolls along an edge leaves behind.

A modeller writes a fillet along a curved edge, or one whose radius varies, as a spline surface. The parameter lines of one direction are
its sections: arcs across the fillet, from the face on one side to the face on the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Pnt, gp_Vec

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features.shape import FeatureShape

FITTED: Final = 2e-3
"""Part of the radius up to which a section deviates from its arc, and up to which two radii are one: modellers approximate."""

VARYING: Final = 0.05
"""Part of the greatest radius by which the least one is smaller, from which a fillet is meant to vary; between is where blends meet."""

_ALONG, _ACROSS = 7, 9
"""Sections that are looked at, and points of each."""
_LEAST_WHOLE: Final = 4
"""Sections that reach from edge to edge."""
_LEAST_ANGLE: Final = np.radians(5.0)
_AT_EDGE: Final = 0.05
"""Part of the radius within which a section ends at an edge; edges are followed by straight pieces."""


Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Section:
    """The arcs across a face, in millimetres."""

    low: float
    """Least radius."""
    high: float
    """Greatest one."""
    bulge: float
    """+1 of a rounded edge, -1 of a filled corner."""
    fitted: bool = False
    """Whether the radii come from points of a freeform surface."""

    @property
    def varies(self) -> bool:
        """Whether the radius is not the same along the face."""
        return self.high - self.low > FITTED * self.high


def section(shape: FeatureShape, face: int) -> Section | None:
    """Of a freeform face that is tangent to its neighbours along both sides; None of any other."""
    smooth = [edge for edge, other in shape.neighbours(face) if shape.convexity(edge) == "smooth" and other != face]
    body = shape.faces[face]
    if shape.surfaces[face] is not None or body.surface is None or len(smooth) < 2:
        return None
    u_low, u_high, v_low, v_high = BRepTools.UVBounds_s(body.face)
    if not np.isfinite([u_low, u_high, v_low, v_high]).all() or max(map(abs, (u_low, u_high, v_low, v_high))) > 1e50:
        return None
    u, v = np.linspace(u_low, u_high, _ALONG), np.linspace(v_low, v_high, _ACROSS)
    lines = [np.array([[body.surface.Value(a, b).Coord() for b in v.tolist()] for a in u.tolist()])]
    u, v = np.linspace(u_low, u_high, _ACROSS), np.linspace(v_low, v_high, _ALONG)
    lines.append(np.array([[body.surface.Value(a, b).Coord() for a in u.tolist()] for b in v.tolist()]))
    edges = shape.polylines[[edge.curve for edge in smooth]]
    found = []
    for points in lines:
        arcs = _arcs(points)
        if arcs is None or arcs[0].max() > shape.size:
            continue
        radii, centres = arcs
        # A face that ends at an angle has no whole section at its ends.
        whole = _end_at(points[:, 0], edges, radii) & _end_at(points[:, -1], edges, radii)
        if whole.sum() >= _LEAST_WHOLE and whole[_ALONG // 2]:
            found.append((float(np.ptp(radii[whole])), radii[whole], centres[_ALONG // 2]))
    if not found:
        return None
    _, radii, centre = min(found, key=lambda each: each[0])
    if FITTED < np.ptp(radii) / radii.max() < VARYING:
        return None
    return Section(float(radii.min()), float(radii.max()), _bulge(shape, face, centre), fitted=True)


def _arcs(points: Array) -> tuple[Array, Array] | None:
    """Radius and centre of each line of points (lines, n, 3); None where one of them is no arc."""
    first, middle, last = points[:, 0], points[:, _ACROSS // 2], points[:, -1]
    a, b = middle - first, last - first
    normal = cross(a, b)
    area = np.einsum("ij,ij->i", normal, normal)
    spans = np.linalg.norm(b, axis=1)
    if (area <= (1e-9 * spans**2) ** 2).any() or (spans <= 0.0).any():
        return None
    squares = np.einsum("ij,ij->i", a, a)[:, None], np.einsum("ij,ij->i", b, b)[:, None]
    centres = first + cross(squares[0] * b - squares[1] * a, normal) / (2.0 * area[:, None])
    radii = np.linalg.norm(first - centres, axis=1)
    off = np.abs(np.linalg.norm(points - centres[:, None], axis=2) - radii[:, None])
    plane = np.abs(np.einsum("ijk,ik->ij", points - first[:, None], normal)) / np.sqrt(area)[:, None]
    angles = 2.0 * np.arcsin(np.minimum(spans / (2.0 * radii), 1.0))
    is_arc = (np.maximum(off, plane).max(axis=1) <= FITTED * radii).all() and angles.min() >= _LEAST_ANGLE
    return (radii, centres) if is_arc else None


def _end_at(ends: Array, edges: Array, radii: Array) -> Flags:
    """Of each end (n, 3) of the sections, whether it lies on one of the edges (m, 17, 3)."""
    begin, along = edges[:, :-1].reshape(-1, 3), np.diff(edges, axis=1).reshape(-1, 3)
    lengths = np.maximum(np.einsum("ij,ij->i", along, along), 1e-300)
    part = np.clip(np.einsum("ikj,kj->ik", ends[:, None] - begin, along) / lengths, 0.0, 1.0)
    gaps = np.linalg.norm(ends[:, None] - begin - part[..., None] * along, axis=2).min(axis=1)
    return np.asarray(gaps <= _AT_EDGE * radii)


def _bulge(shape: FeatureShape, face: int, centre: Array) -> float:
    """By the side of the face on which the centre of its middle section lies."""
    body = shape.faces[face]
    u_low, u_high, v_low, v_high = BRepTools.UVBounds_s(body.face)
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    body.surface.D1((u_low + u_high) / 2.0, (v_low + v_high) / 2.0, point, along_u, along_v)
    outward = np.array(along_u.Crossed(along_v).Coord()) * body.sign * shape.side
    return -1.0 if float((centre - np.array(point.Coord())) @ outward) > 0.0 else 1.0
