"""Wall thickness from plane faces: opposite faces with material between, and sides of the least box that a wall covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.families.frame import Frame
from spatial.reasoning.scene.model import SceneObject

SAME_THICKNESS: Final = 0.02
"""Relative difference of thicknesses that are one."""

PARALLEL: Final = 1e-6
"""1 - cosine of the angle between normals that are opposite."""

FACES: Final = 1_500
"""Most plane faces that are paired; of more, the largest."""

COVERED: Final = 0.5
"""Part of a side of the least box that plane faces in it have at least, for the side to count as a wall."""

AT_SIDE: Final = 0.02
"""Distance of a plane face from a side of the least box up to which it lies in it, as a part of the longest extent.

Sampled points miss the corners of a body, so its least box is a little too small.
"""


@dataclass(frozen=True)
class Walls:
    """thickness_ratio: the commonest wall thickness to the shortest extent; None without opposite faces. thickness_share: part of
    the plane surface with that thickness. bend_count: pairs of cylinder faces with one axis whose radii differ by it.
    covered_sides: sides of the least box that are walls, 0 to 6. wall_directions: directions of at least a tenth of the plane surface.
    """

    thickness_ratio: float | None
    thickness_share: float
    bend_count: int
    covered_sides: int
    wall_directions: int


def walls_of(body: SceneObject, frame: Frame) -> Walls:
    """Measured on plane faces."""
    planes = sorted(
        (face for face in body.faces if face.type == "plane" and face.normal and face.origin and face.area),
        key=lambda face: -(face.area or 0.0),
    )[:FACES]
    if not planes:
        return Walls(None, 0.0, 0, 0, 0)
    normals = np.array([face.normal for face in planes], dtype=np.float64)
    origins = np.array([face.origin for face in planes], dtype=np.float64)
    areas = np.array([face.area for face in planes], dtype=np.float64)
    thickness, share = _commonest(normals, origins, areas, float(frame.extents[0]))
    return Walls(
        thickness_ratio=None if thickness is None else thickness / float(frame.extents[2]),
        thickness_share=share,
        bend_count=0 if thickness is None else _bends(body, thickness),
        covered_sides=_covered(normals, origins, areas, frame),
        wall_directions=_directions(normals, areas),
    )


def _commonest(
    normals: np.ndarray, origins: np.ndarray, areas: np.ndarray, longest: float
) -> tuple[float | None, float]:
    """The thickness with the most surface, each face with its nearest opposite one; and its share of the plane surface."""
    opposite = normals @ normals.T <= -1 + PARALLEL
    depth = (normals * origins).sum(axis=1)[:, None] - normals @ origins.T
    depth = np.where(opposite & (depth > 1e-6 * longest), depth, np.inf)
    alike = np.minimum(areas[:, None], areas[None]) >= 0.25 * areas[:, None]
    nearest = np.where(alike, depth, np.inf).min(axis=1)
    known = np.isfinite(nearest)
    if not known.any():
        return None, 0.0
    weights = [
        float(areas[np.abs(nearest - each) <= SAME_THICKNESS * each].sum()) if np.isfinite(each) else 0.0
        for each in nearest
    ]
    place = int(np.argmax(np.round(np.array(weights) / areas.sum(), 6)))
    return float(nearest[place]), weights[place] / float(areas.sum())


def _bends(body: SceneObject, thickness: float) -> int:
    """Pairs of cylinder faces, an inner and an outer one, that bend a sheet of that thickness; other coaxial faces are counted once."""
    rounds = [face for face in body.faces if face.type == "cylinder" and face.axis and face.origin and face.radius]
    used: set[str] = set()
    count = 0
    for inner in rounds:
        for outer in rounds:
            if inner.id in used or outer.id in used:
                continue
            assert inner.radius and outer.radius and inner.axis and outer.axis and inner.origin and outer.origin
            if abs(outer.radius - inner.radius - thickness) > SAME_THICKNESS * thickness:
                continue
            if abs(float(np.dot(inner.axis, outer.axis))) < 1 - PARALLEL:
                continue
            apart = np.cross(np.array(outer.origin) - np.array(inner.origin), inner.axis)
            if float(np.linalg.norm(apart)) <= SAME_THICKNESS * thickness:
                used |= {inner.id, outer.id}
                count += 1
    return count


def _covered(normals: np.ndarray, origins: np.ndarray, areas: np.ndarray, frame: Frame) -> int:
    local = frame.local(origins)
    count = 0
    for place, axis in enumerate(frame.axes):
        side = float(np.delete(frame.extents, place).prod())
        for sense in (1.0, -1.0):
            facing = normals @ axis * sense >= 1 - 1e-3
            at_side = local[:, place] * sense >= frame.extents[place] / 2 - AT_SIDE * frame.extents[0]
            count += bool(areas[facing & at_side].sum() >= COVERED * side)
    return count


def _directions(normals: np.ndarray, areas: np.ndarray) -> int:
    """Normals, either sense as one, that a tenth of the plane surface has."""
    left = np.ones(len(areas), dtype=bool)
    count = 0
    while left.any():
        first = int(np.flatnonzero(left)[0])
        same = np.abs(normals @ normals[first]) >= 1 - 1e-4
        count += bool(areas[same & left].sum() >= 0.1 * areas.sum())
        left &= ~same
    return count
