"""Faces that cover what is left of a closed surface, and not what their boundary encloses.

A boundary on a torus or a sphere encloses two parts of it, and the direction in which it runs says which is meant. A file whose face is
turned while its boundary is not means the one and states the other. The edges still fit, and the boundary of the solid is closed, so that
neither the kernel's check nor the area vectors show it; the volume is off by that of the whole torus or sphere.

Glossary
  winding number   how often a closed boundary goes around a point: 1 in the material, 0 outside of it. The rest of a torus or sphere
                   adds or takes away 1 within it, and what it should have covered lies beside some of it: there it is 2 or -1.

Source: A. Van Oosterom, J. Strackee, The solid angle of a plane triangle, IEEE Trans. Biomed. Eng. 30 (1983).
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, perpendicular
from spatial.models.brep.body import BodyFace
from spatial.models.brep.definition import Definition
from spatial.models.brep.tessellation import tessellate

MOST: Final = 0.6
"""Least part of its whole surface that such a face covers: a rounded edge is at most a quarter of a torus, a dome half a sphere."""

PLACES: Final = 36
"""Points on the centre line of a torus at which winding numbers are taken."""

MOST_FACES: Final = 5_000
"""Faces of a body up to which its triangles are made for this."""

_SEAMS: Final = {"torus": 2, "sphere": 1}
"""Edges along which a face closes on itself, from which it may cover the rest of its surface."""


def complements(definition: Definition) -> list[int]:
    """The faces of a closed body that cover the rest of their surface, by number from 0."""
    faces = definition.body.faces
    closing = [number for number, face in enumerate(faces) if _closes(face)]
    suspects = {
        number: surface
        for number in closing
        if (surface := faces[number].analytic) is not None
        and _covers_most(surface, definition.mass.areas[number])
        and not _goes_on(definition, number)
    }
    if not suspects or len(faces) > MOST_FACES or not definition.closed:
        return []
    mesh = tessellate(definition.shape)
    corners = mesh.corners if not definition.reversed else mesh.corners[:, ::-1]
    return [
        number
        for number, surface in suspects.items()
        if any(_is_impossible(corners, point) for point in _middles(surface))
    ]


def _closes(face: BodyFace) -> bool:
    """Whether a face closes on itself all around and has another edge as well: few do that are right, as a ball with a hole in it."""
    surface = face.analytic
    if surface is None or surface.kind not in _SEAMS:
        return False
    uses = Counter(coedge.curve for coedge in face.coedges if coedge.curve is not None)
    seams = sum(count == 2 for count in uses.values())
    return seams >= _SEAMS[surface.kind] and len(uses) > seams


def _covers_most(surface: AnalyticSurface, area: float | None) -> bool:
    if area is None:
        return False
    if surface.kind == "sphere":
        return area > MOST * 4.0 * np.pi * surface.radius**2
    return area > MOST * 4.0 * np.pi**2 * surface.major_radius * surface.radius


def _goes_on(definition: Definition, number: int) -> bool:
    """Whether a face is tangent to a neighbour; the rest of its surface would fold back onto that one."""
    return any(edge.convexity == "smooth" and not edge.is_seam for edge in definition.edges.of_face.get(number, ()))


def _is_impossible(corners: Array, point: Array) -> bool:
    return round(winding(corners, point)) not in (0, 1)


def _middles(surface: AnalyticSurface) -> Array:
    """(n, 3) the centre of a sphere, or points on the centre line of a torus; millimetres."""
    if surface.kind == "sphere":
        return surface.origin[None]
    x = perpendicular(surface.axis)
    around = 2.0 * np.pi * np.arange(PLACES)[:, None] / PLACES
    ring = np.cos(around) * x + np.sin(around) * cross(surface.axis, x)
    return np.asarray(surface.origin + surface.major_radius * ring)


def winding(corners: Array, point: Array) -> float:
    """The winding number of triangles (n, 3, 3), which close, around a point (3,)."""
    a, b, c = (corners[:, corner] - point for corner in range(3))
    sizes = [np.linalg.norm(each, axis=1) for each in (a, b, c)]
    volume = np.einsum("ni,ni->n", a, cross(b, c))
    ab, bc, ca = (np.einsum("ni,ni->n", first, second) for first, second in ((a, b), (b, c), (c, a)))
    below = sizes[0] * sizes[1] * sizes[2] + ab * sizes[2] + bc * sizes[0] + ca * sizes[1]
    return float(np.arctan2(volume, below).sum() / (2.0 * np.pi))
