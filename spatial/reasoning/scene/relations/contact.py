"""Contact of two bodies: proven by exact faces, or measured between sampled points.

boxes       both bodies fill their bounds, or are clouds of the kind `box`: contact follows from the bounds.
planes      two plane faces in one plane with opposite normals, on which sampled points of both lie next to each other.
cylinders   two cylinder faces with one axis and one radius, with sampled points of both next to each other.
points      the least distance between sampled points, where a body has no analytic faces; the true gap is at most as large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from scipy.spatial import cKDTree

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import Array, SceneObject

FILLED: Final = 1e-6
"""Part of its bounds' volume that a box may miss: the decimals of an exact volume."""

PARALLEL: Final = 1e-6
"""Sine of the angle that parallel directions may enclose: the decimals of unit vectors in a document, with margin."""

SAMPLED_REACH: Final = 0.01
"""Part of the smaller body's diagonal within which sampled points count as in contact: the noise of a good scan."""

SPACINGS: Final = 2.0
"""Distance between the points of two contact patches, in spacings of their points: an overlap leaves no wider gap."""

PATCH_POINTS: Final = 3
"""Fewest points of either body on a common surface."""

PAIRS: Final = 40_000
"""Most pairs of faces of two bodies that are compared: about 200 faces each."""


@dataclass(frozen=True)
class Contact:
    """How two bodies touch. normal: unit vector from the first to the second; None where they touch on a curved surface."""

    how: Literal["boxes", "planes", "cylinders", "points"]
    gap: float
    normal: tuple[float, float, float] | None = None
    spacing: float | None = None
    """Spacing of the sampled points of the patch; contact is not proven below it."""


def find_contact(one: SceneObject, other: SceneObject, tolerance: float) -> Contact | None:
    """The contact of two bodies whose bounds touch. tolerance: gap that counts as none between exact surfaces."""
    if is_box(one) and is_box(other):
        slack = tolerance if one.origin == other.origin == "solid" else _reach(one, other)
        return _of_boxes(one, other, slack)
    if _is_exact(one) and _is_exact(other):
        return _of_planes(one, other, tolerance) or _of_cylinders(one, other, tolerance)
    return _of_points(one, other)


def is_box(body: SceneObject) -> bool:
    """Whether a body fills its bounds."""
    if body.size is None or body.size.min() <= 0:
        return False
    if body.kind == "box":
        return True
    return body.volume is not None and abs(body.volume / float(body.size.prod()) - 1) <= FILLED


def _is_exact(body: SceneObject) -> bool:
    return any(face.type in ("plane", "cylinder") for face in body.faces)


def _reach(one: SceneObject, other: SceneObject) -> float:
    return SAMPLED_REACH * min(float(np.linalg.norm(each.size)) for each in (one, other) if each.size is not None)


def _of_boxes(one: SceneObject, other: SceneObject, slack: float) -> Contact | None:
    assert one.bounds is not None and other.bounds is not None  # is_box has bounds
    after, before = other.bounds[0] - one.bounds[1], one.bounds[0] - other.bounds[1]
    apart = np.maximum(after, before)
    axis = int(apart.argmax())
    if abs(apart[axis]) > slack or (np.delete(apart, axis) >= -slack).any():
        return None
    normal = np.zeros(3)
    normal[axis] = 1.0 if after[axis] >= before[axis] else -1.0
    return Contact("boxes", max(float(apart[axis]), 0.0), _triple(normal))


def _of_planes(one: SceneObject, other: SceneObject, tolerance: float) -> Contact | None:
    first, second = _planes(one), _planes(other)
    if not len(first) or not len(second) or len(first) * len(second) > PAIRS:
        return None
    opposite = np.linalg.norm(first[:, None, 3:] + second[None, :, 3:], axis=2) <= PARALLEL
    gaps = ((second[None, :, :3] - first[:, None, :3]) * first[:, None, 3:]).sum(axis=2)
    tried: set[tuple[float, ...]] = set()
    for here, there in np.argwhere(opposite & (np.abs(gaps) <= tolerance)):
        normal, origin = first[here, 3:], first[here, :3]
        key = tuple(np.round([*normal, float(normal @ origin) / max(tolerance, 1e-12)], 3))
        if key in tried:
            continue
        tried.add(key)
        patches = [body.points[np.abs((body.points - origin) @ normal) <= tolerance] for body in (one, other)]
        spacing = _meeting(*patches)
        if spacing is not None:
            return Contact("planes", max(float(gaps[here, there]), 0.0), _triple(normal), spacing)
    return None


def _planes(body: SceneObject) -> Array:
    """(n, 6) origins and normals of its plane faces."""
    rows = [(*face.origin, *face.normal) for face in body.faces if face.type == "plane" and face.origin and face.normal]
    return np.array(rows, dtype=np.float64).reshape(-1, 6)


def _of_cylinders(one: SceneObject, other: SceneObject, tolerance: float) -> Contact | None:
    mine, theirs = _cylinders(one), _cylinders(other)
    if len(mine) * len(theirs) > PAIRS:
        return None
    for here in mine:
        for there in theirs:
            if not _is_same_cylinder(here, there, tolerance):
                continue
            spacing = _meeting(*(_on_cylinder(body.points, here, tolerance) for body in (one, other)))
            if spacing is not None:
                return Contact("cylinders", abs((here.radius or 0.0) - (there.radius or 0.0)), None, spacing)
    return None


def _cylinders(body: SceneObject) -> list[Face]:
    return [face for face in body.faces if face.type == "cylinder" and face.origin and face.axis and face.radius]


def _is_same_cylinder(here: Face, there: Face, tolerance: float) -> bool:
    """Whether two faces have one axis and one radius, the first from outside and the second from inside, where they tell."""
    assert here.origin and here.axis and here.radius and there.origin and there.axis and there.radius  # _cylinders
    if abs(here.radius - there.radius) > tolerance:
        return False
    axis = np.array(here.axis)
    if np.linalg.norm(np.cross(axis, there.axis)) > PARALLEL:
        return False
    across = np.cross(np.array(there.origin) - np.array(here.origin), axis)
    return float(np.linalg.norm(across)) <= tolerance


def _on_cylinder(points: Array, face: Face, tolerance: float) -> Array:
    """Points on a cylinder; sampled points are put on the exact surface, so the tolerance is that of exact surfaces."""
    assert face.origin and face.axis and face.radius  # _cylinders
    from_axis = np.linalg.norm(np.cross(points - np.array(face.origin), face.axis), axis=1)
    return np.asarray(points[np.abs(from_axis - face.radius) <= tolerance])


def _meeting(mine: Array, theirs: Array) -> float | None:
    """The spacing of the points of two patches that lie next to each other; None where they do not."""
    if min(len(mine), len(theirs)) < PATCH_POINTS:
        return None
    here, there = cKDTree(mine), cKDTree(theirs)
    spacing = max(
        float(np.median(tree.query(points, k=2)[0][:, 1])) for tree, points in ((here, mine), (there, theirs))
    )
    least = float(there.query(mine)[0].min())
    return spacing if least <= SPACINGS * spacing else None


def _of_points(one: SceneObject, other: SceneObject) -> Contact | None:
    if not len(one.points) or not len(other.points):
        return None
    reach = _reach(one, other)
    distances, nearest = cKDTree(other.points).query(one.points, distance_upper_bound=reach)
    place = int(distances.argmin())
    if not np.isfinite(distances[place]):
        return None
    step = other.points[nearest[place]] - one.points[place]
    return Contact("points", float(distances[place]), _facing(one, other, step, reach))


def _facing(one: SceneObject, other: SceneObject, step: Array, reach: float) -> tuple[float, float, float] | None:
    """The axis along which the bounds of two clouds touch, if there is one."""
    assert one.bounds is not None and other.bounds is not None  # both have points
    after, before = other.bounds[0] - one.bounds[1], one.bounds[0] - other.bounds[1]
    apart = np.maximum(after, before)
    axis = int(apart.argmax())
    if abs(apart[axis]) > reach:
        return None
    normal = np.zeros(3)
    normal[axis] = 1.0 if after[axis] >= before[axis] else -1.0
    return _triple(normal)


def _triple(vector: Array) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])
