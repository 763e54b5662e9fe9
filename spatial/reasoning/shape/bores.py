"""Round bores: cylinder faces whose material is outside, with the exact radius and axis of the face.

A cylinder face says neither on which side its material is nor where it ends. Sampled points say both: a bore has points on its wall
all around, none inside it between its ends, and points of other faces around it between its ends. Its ends are planes across its axis
where there are some, else the last points on its wall, within the spacing of the points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.exact import planes_of
from spatial.reasoning.shape.hull import are_parallel, plane_axes
from spatial.reasoning.shape.tolerances import COPLANAR

MIN_WALL_POINTS: Final = 12
"""Points on a bore's wall below which it is not known to go all around."""

MAX_GAP: Final = 0.5
"""Largest angle without a point on a full bore's wall, as a share of the whole turn; a half cylinder has a gap of 0.5 or more."""

AROUND: Final = 8
"""Sectors of the turn, of which all but one have points of the body outside a bore's wall."""


@dataclass(frozen=True, eq=False)
class Bore:
    """A round hole.

    frame: (3, 3) rows, right-handed, the last along the axis; centre: (3,) a point of the axis.
    lower, upper: its ends along the axis; error: how far they may be wrong.
    """

    face: str
    frame: Array
    centre: Array
    radius: float
    lower: float
    upper: float
    ends: tuple[Literal["wall", "open"], Literal["wall", "open"]]
    error: float


def bores_of(item: SceneObject) -> Iterator[Bore]:
    """The full bores of a solid with cylinder faces and points."""
    seen: list[Bore] = []
    for face in item.faces:
        if (
            face.type != "cylinder"
            or not face.radius
            or face.axis is None
            or face.origin is None
            or not len(item.points)
        ):
            continue
        bore = _bore(item, face)
        if bore is not None and not any(_is_same(bore, other) for other in seen):
            seen.append(bore)
            yield bore


def _bore(item: SceneObject, face: Face) -> Bore | None:
    assert face.radius is not None
    axis = np.array(face.axis, dtype=np.float64)
    axis = axis / np.linalg.norm(axis)
    frame = np.array([*plane_axes(axis), axis])
    centre = np.array(face.origin, dtype=np.float64)
    rows = (item.points - centre) @ frame.T
    reach = COPLANAR * float(np.linalg.norm(np.ptp(item.points, axis=0)))
    away = np.linalg.norm(rows[:, :2], axis=1)
    wall = rows[np.abs(away - face.radius) <= 4 * reach]
    if len(wall) < MIN_WALL_POINTS or _widest_gap(wall) >= MAX_GAP:
        return None
    spacing = (float(np.ptp(wall[:, 2])) + 2 * reach) / len(wall) * _LAST
    lower, upper = wall[:, 2].min(), wall[:, 2].max()
    levels = _planes_across(item, axis, centre)
    lower, upper, error = _ends(lower, upper, levels, spacing, reach)
    inside = (away < _CORE * face.radius) & (rows[:, 2] > lower + 4 * reach) & (rows[:, 2] < upper - 4 * reach)
    outside = (away > face.radius + 4 * reach) & (rows[:, 2] > lower - spacing) & (rows[:, 2] < upper + spacing)
    if (
        inside.any()
        or _sectors(rows[outside]) < AROUND - 1
        or _is_capped(item, face, axis, centre, (lower, upper), reach)
    ):
        return None
    floors = [_has_floor(rows, away, face.radius, level, reach) for level in (lower, upper)]
    ends: tuple[Literal["wall", "open"], Literal["wall", "open"]] = (
        "wall" if floors[0] else "open",
        "wall" if floors[1] else "open",
    )
    start = float(centre @ axis)
    return Bore(face.id, frame, centre, face.radius, lower + start, upper + start, ends, error)


_LAST: Final = 8.0
"""How many mean gaps of points along a wall its end may be beyond the last point: exp(-8) is one in 3,000."""


_CORE: Final = 0.9
"""Share of the radius within which a point is in the bore: those of a plane around it may be inside by the mesh's deflection."""


def _widest_gap(wall: Array) -> float:
    angles = np.sort(np.arctan2(wall[:, 1], wall[:, 0]))
    return float(np.append(np.diff(angles), angles[0] + 2 * np.pi - angles[-1]).max() / (2 * np.pi))


def _sectors(rows: Array) -> int:
    return len(
        np.unique(np.floor((np.arctan2(rows[:, 1], rows[:, 0]) / (2 * np.pi) + 0.5) * AROUND).clip(0, AROUND - 1))
    )


def _planes_across(item: SceneObject, axis: Array, centre: Array) -> Array:
    """Offsets along the axis of the plane faces across it."""
    normals, offsets = planes_of(item.faces)
    across = np.array([are_parallel(normal, axis) for normal in normals], dtype=bool)
    return offsets[across] * np.sign(normals[across] @ axis) - float(centre @ axis) if across.any() else np.zeros(0)


def _ends(lower: float, upper: float, levels: Array, spacing: float, reach: float) -> tuple[float, float, float]:
    """The ends of a wall: at planes across the axis just beyond its points, else at its last points, and their error."""
    below = levels[(levels <= lower + 4 * reach) & (levels >= lower - spacing)]
    above = levels[(levels >= upper - 4 * reach) & (levels <= upper + spacing)]
    error = 0.0 if len(below) and len(above) else spacing
    return float(below.max()) if len(below) else lower, float(above.min()) if len(above) else upper, error


def _is_capped(
    item: SceneObject, face: Face, axis: Array, centre: Array, ends: tuple[float, float], reach: float
) -> bool:
    """Whether an end plane with points within the radius points away from the cylinder: it is a pin, not a bore."""
    rows = item.points - centre
    levels = rows @ axis
    within = np.linalg.norm(rows - np.outer(levels, axis), axis=1) < _CORE * (face.radius or 0.0)
    normals, offsets = planes_of(item.faces)
    for end, outward in zip(ends, (-axis, axis), strict=True):
        if (within & (np.abs(levels - end) <= 4 * reach)).any():
            same = np.abs(offsets - normals @ (centre + end * axis)) <= 10 * reach
            if (same & (normals @ outward > 1 - COPLANAR)).any() and not (
                same & (normals @ outward < -1 + COPLANAR)
            ).any():
                return True
    return False


def _has_floor(rows: Array, away: Array, radius: float, level: float, reach: float) -> bool:
    return bool(((away < _CORE * radius) & (np.abs(rows[:, 2] - level) <= 4 * reach)).any())


def _is_same(first: Bore, second: Bore) -> bool:
    """Whether two faces are halves of one bore."""
    near = 1e-4 * first.radius
    shift = np.cross(first.centre - second.centre, first.frame[2])
    return (
        are_parallel(first.frame[2], second.frame[2])
        and abs(first.radius - second.radius) <= near
        and float(np.linalg.norm(shift)) <= near
        and first.lower <= second.upper
        and second.lower <= first.upper
    )
