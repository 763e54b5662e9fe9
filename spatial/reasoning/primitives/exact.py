"""Primitives of an exact solid, straight from its analytic faces.

Faces on one surface are one primitive. The residuals are the distances of the sampled points to the nearest of all surfaces; the
contract's faces have no trimming curves, so that a point on an edge, or on the prolongation of a face, counts for either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.primitives.bodies import Body
from spatial.reasoning.primitives.surfaces import KINDS, Surface
from spatial.reasoning.scene.model import Array, SceneObject

SAME: Final = 1e-6
"""Largest difference of two faces' surfaces, as a part of the solid's size, or in radians; documents are rounded to a millionth."""

OUTSIDE: Final = 1e-5
"""Distance beyond a surface, as a part of the size, from which on a point is outside; points are rounded to a millionth."""

VOLUME_AGREES: Final = 1e-5
"""Largest difference between the volume of a closed primitive and that of the document, as a part of it."""


@dataclass(eq=False)
class ExactPrimitive:
    """One surface of a solid, and the faces on it, in the scene's units."""

    surface: Surface
    faces: list[str] = field(default_factory=list)
    area: float = 0.0


@dataclass(frozen=True, eq=False)
class ExactSurfaces:
    """The primitives of a solid. others: types of the faces that are none, with their number."""

    primitives: list[ExactPrimitive]
    others: dict[str, int]


def surfaces_of(found: SceneObject) -> ExactSurfaces:
    """The primitives of an exact solid, the largest first."""
    size = float(np.linalg.norm(found.size)) if found.size is not None else 1.0
    primitives: list[ExactPrimitive] = []
    others: dict[str, int] = {}
    known = _Known(SAME * size)
    for face in found.faces:
        surface = _surface(face)
        if surface is None:
            others[face.type or "unknown"] = others.get(face.type or "unknown", 0) + 1
            continue
        same = primitives[place] if (place := known.place_of(surface)) is not None else ExactPrimitive(surface)
        if place is None:
            known.add(surface, len(primitives))
            primitives.append(same)
        same.faces.append(face.id)
        same.area += face.area or 0.0
    return ExactSurfaces(sorted(primitives, key=lambda each: -each.area), others)


def is_exact(found: SceneObject) -> bool:
    """Whether the object has an analytic face."""
    return any(_surface(face) is not None for face in found.faces)


def body_of(found: SceneObject, exact: ExactSurfaces) -> Body | None:
    """The closed primitive that the faces bound, if the document's volume agrees; in the scene's frame and units."""
    if exact.others or found.volume is None or found.volume <= 0:
        return None
    kinds = sorted(each.surface.kind for each in exact.primitives)
    body = None
    if kinds == ["plane"] * 6:
        body = _box(exact.primitives)
    elif kinds == ["sphere"]:
        only = exact.primitives[0].surface
        body = Body("sphere", only.point, np.eye(3), np.array([only.size]))
    elif kinds in (["cylinder", "plane", "plane"], ["cone", "plane"], ["cone", "plane", "plane"]):
        body = _round(exact.primitives)
    agrees = (
        body is not None and (body.sizes > 0).all() and abs(body.volume - found.volume) <= VOLUME_AGREES * found.volume
    )
    return body if agrees else None


def concave_surface(exact: ExactSurfaces, found: SceneObject) -> str | None:
    """The kind of the first surface that has points of the solid on its outer side; a convex solid has none.

    The normals of the document's planes point out of the material.
    """
    if not len(found.points):
        return None
    near = OUTSIDE * float(np.linalg.norm(np.ptp(found.points, axis=0)))
    return next(
        (each.surface.kind for each in exact.primitives if each.surface.distances(found.points).max() > near), None
    )


def _surface(face: Face) -> Surface | None:
    """The surface of a plane, cylinder, sphere or cone whose parameters are all there."""
    if face.type not in KINDS or face.origin is None:
        return None
    origin = np.array(face.origin)
    if face.type == "plane":
        return None if face.normal is None else Surface("plane", origin, _unit(face.normal))
    if face.radius is None:
        return None
    if face.type == "sphere":
        return Surface("sphere", origin, np.zeros(3), face.radius)
    if face.axis is None:
        return None
    axis = _unit(face.axis)
    if face.type == "cylinder":
        return Surface("cylinder", origin, axis, face.radius)
    if face.half_angle is None or not 0 < abs(face.half_angle) < 90:
        return None
    angle = float(np.radians(face.half_angle))
    apex = origin - axis * face.radius / np.tan(angle)
    return Surface("cone", apex, axis if angle > 0 else -axis, abs(angle))


class _Known:
    """The surfaces that were met, by kind, so that each new one is compared with all of its kind at once."""

    def __init__(self, near: float) -> None:
        self._near = near
        self._rows: dict[str, list[tuple[Array, int]]] = {}

    def add(self, surface: Surface, place: int) -> None:
        """Remember a surface under its place."""
        self._rows.setdefault(surface.kind, []).append((np.array([*surface.point, *surface.axis, surface.size]), place))

    def place_of(self, surface: Surface) -> int | None:
        """The place of the same surface. The two sides of a wall have opposite normals and are not the same."""
        rows = self._rows.get(surface.kind)
        if not rows:
            return None
        table = np.array([row for row, _ in rows])
        away, size_differs = surface.point - table[:, :3], np.abs(surface.size - table[:, 6])
        cosine = table[:, 3:6] @ surface.axis
        turned = np.linalg.norm(np.cross(table[:, 3:6], surface.axis), axis=1)
        if surface.kind == "plane":
            off, size_limit = np.abs((away * table[:, 3:6]).sum(axis=1)), self._near
        elif surface.kind == "cylinder":
            off, size_limit = np.linalg.norm(np.cross(away, table[:, 3:6]), axis=1), self._near
        else:
            off, size_limit = np.linalg.norm(away, axis=1), SAME if surface.kind == "cone" else self._near
        one_way = (cosine > 0) | (surface.kind in ("cylinder", "sphere"))
        same = np.flatnonzero((off <= self._near) & (size_differs <= size_limit) & (turned <= SAME) & one_way)
        return rows[int(same[0])][1] if len(same) else None


def _box(primitives: Sequence[ExactPrimitive]) -> Body | None:
    """Three pairs of opposite planes that are perpendicular to each other."""
    planes = [each.surface for each in primitives]
    axes: list[Array] = []
    middles, sizes = [], []
    while planes:
        first = planes.pop(0)
        facing = next((each for each in planes if each.axis @ first.axis < -1 + SAME), None)
        if facing is None:
            return None
        planes.remove(facing)
        low, high = sorted((first.point @ first.axis, facing.point @ first.axis))
        axes.append(first.axis)
        middles.append((low + high) / 2)
        sizes.append(high - low)
    frame = np.column_stack(axes)
    if not np.allclose(frame.T @ frame, np.eye(3), atol=SAME):
        return None
    return Body("box", frame @ np.array(middles), frame, np.array(sizes))


def _round(primitives: Sequence[ExactPrimitive]) -> Body | None:
    """A cylinder or cone between planes that are perpendicular to its axis."""
    side = next(each.surface for each in primitives if each.surface.kind != "plane")
    planes = [each.surface for each in primitives if each.surface.kind == "plane"]
    axis = side.axis if side.kind == "cylinder" else -side.axis
    if any(np.linalg.norm(np.cross(plane.axis, axis)) > SAME for plane in planes):
        return None
    along = sorted(float((plane.point - side.point) @ axis) for plane in planes)
    low, high = along[0], along[1] if len(along) == 2 else 0.0
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across = across / np.linalg.norm(across)
    frame = np.column_stack([across, np.cross(axis, across), axis])
    origin = side.point + axis * (low + high) / 2
    if side.kind == "cylinder":
        return Body("cylinder", origin, frame, np.array([side.size, high - low]))
    slope = np.tan(side.size)
    if len(along) == 1:
        return Body("cone", origin, frame, np.array([-low * slope, -low]))
    return Body("frustum", origin, frame, np.array([-low * slope, -high * slope, high - low]))


def _unit(vector: Sequence[float]) -> Array:
    array = np.array(vector, dtype=np.float64)
    length = np.linalg.norm(array)
    found: Array = array / (length or 1)
    return found
