"""Exact convex shapes of solids, proven by their volume.

Faces have no trimming curves. Three shapes are still certain: the half-spaces of plane faces enclose the solid if it is
convex, and then their volume is the document's; likewise a cylinder between two planes, and a sphere. A solid that is not
convex has less volume than its half-spaces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.convex import Array, Convex, cylinder, sphere
from spatial.reasoning.shape.hull import Hull, are_parallel, hull_of_planes
from spatial.reasoning.shape.tolerances import COPLANAR, VOLUME

MAX_PLANES = 400
"""Plane faces beyond which no half-spaces are intersected: a mesh of triangles, which its points describe as well."""


def exact_shape(item: SceneObject) -> Convex | Hull | None:
    """The exact shape of a convex solid; None if it is none, or cannot be proven to be one."""
    types = {face.type for face in item.faces}
    if item.volume is None or item.volume <= 0 or not types:
        return None
    if types == {"plane"}:
        return _polyhedron(item, item.volume)
    if types == {"cylinder", "plane"}:
        return _cylinder(item, item.volume)
    return _sphere(item.faces, item.volume) if types == {"sphere"} else None


def planes_of(faces: Sequence[Face]) -> tuple[Array, Array]:
    """(k, 3) outward unit normals and (k,) offsets of the plane faces."""
    found = [(face.normal, face.origin) for face in faces if face.type == "plane" and face.normal and face.origin]
    normals = np.array([normal for normal, _ in found], dtype=np.float64).reshape(-1, 3)
    origins = np.array([origin for _, origin in found], dtype=np.float64).reshape(-1, 3)
    lengths = np.linalg.norm(normals, axis=1)
    normals, origins = normals[lengths > 0] / lengths[lengths > 0, None], origins[lengths > 0]
    return normals, np.einsum("ij,ij->i", normals, origins)


def _polyhedron(item: SceneObject, volume: float) -> Hull | None:
    normals, offsets = planes_of(item.faces)
    if not 4 <= len(normals) <= MAX_PLANES:
        return None
    found = hull_of_planes(normals, offsets)
    return found if found is not None and _is_same(found.volume, volume) and _has_bounds(found.shape, item) else None


def _cylinder(item: SceneObject, volume: float) -> Convex | None:
    """A cylinder between two planes; its side may be split into several faces."""
    sides = [face for face in item.faces if face.type == "cylinder"]
    first = sides[0]
    if first.axis is None or first.origin is None or not first.radius:
        return None
    axis, origin = _unit(first.axis), np.array(first.origin)
    normals, offsets = planes_of(item.faces)
    across = [are_parallel(axis, normal) for normal in normals]
    if len(normals) != 2 or not all(across) or not all(_is_coaxial(face, first, axis) for face in sides[1:]):
        return None
    ends = [
        origin + axis * (offset - normal @ origin) / (normal @ axis)
        for normal, offset in zip(normals, offsets, strict=True)
    ]
    found = cylinder(ends[0], ends[1], first.radius)
    expected = math.pi * first.radius**2 * float(np.linalg.norm(ends[1] - ends[0]))
    return found if _is_same(expected, volume) and _has_bounds(found, item) else None


def _is_coaxial(face: Face, first: Face, axis: Array) -> bool:
    if face.axis is None or face.origin is None or not face.radius or not first.radius:
        return False
    away = np.cross(np.subtract(face.origin, first.origin or face.origin), axis)
    near = COPLANAR * first.radius * 10
    return (
        are_parallel(_unit(face.axis), axis)
        and float(np.linalg.norm(away)) <= near
        and abs(face.radius - first.radius) <= near
    )


def _sphere(faces: Sequence[Face], volume: float) -> Convex | None:
    first = faces[0]
    if first.origin is None or not first.radius:
        return None
    if any(face.origin != first.origin or face.radius != first.radius for face in faces):
        return None
    return sphere(np.array(first.origin), first.radius) if _is_same(4 / 3 * math.pi * first.radius**3, volume) else None


def _is_same(found: float, volume: float) -> bool:
    return abs(found - volume) <= VOLUME * volume


def _has_bounds(shape: Convex, item: SceneObject) -> bool:
    """Whether the bounds of the document, where it has any, are those of the shape."""
    return item.bounds is None or bool(np.abs(shape.bounds - item.bounds).max() <= 10 * COPLANAR * shape.size)


def _unit(vector: Sequence[float]) -> Array:
    found = np.array(vector, dtype=np.float64)
    return found / (float(np.linalg.norm(found)) or 1.0)
