"""What stands on a plane, seen along its normal: the parts of its outline, and how wide and long each is at its foot.

Glossary
  foot     where walls meet what they stand on, also where a fillet fills the corner: walls are followed down to that level.
  part     walls that convex edges join. A concave edge, or the fillet that fills it, is where one thing stands against another, as a
           gusset against an upright.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.outlines import PROMISING
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape
from spatial.understanding.brep.features.walls import direction_key


@dataclass(frozen=True)
class Foot:
    """The plane that something stands on."""

    normal: Array
    """Up."""
    level: float
    """Along the normal."""


def parts_of(shape: FeatureShape, walls: list[int]) -> list[list[int]]:
    """The parts of an outline, the one with the greatest area first; one that is crossed on its level is in one with its other half."""
    standing = [wall for wall in walls if shape.bulge(wall) >= 0.0]
    leader = {wall: wall for wall in standing}

    def lead(wall: int) -> int:
        while leader[wall] != wall:
            leader[wall] = leader[leader[wall]]
            wall = leader[wall]
        return wall

    surfaces: dict[tuple[Any, ...], int] = {}
    for wall in standing:
        for edge, other in shape.neighbours(wall):
            if other in leader and shape.convexity(edge) in ("convex", "smooth"):
                leader[lead(other)] = lead(wall)
        first = surfaces.setdefault(surface_key(shape, wall), wall)
        if first != wall and shape.is_one_surface(first, wall) and tops_of(shape, first) & tops_of(shape, wall):
            leader[lead(wall)] = lead(first)
    parts: dict[int, list[int]] = defaultdict(list)
    for wall in standing:
        parts[lead(wall)].append(wall)
    return sorted(parts.values(), key=lambda part: -sum(shape.areas[wall] for wall in part))


def surface_key(shape: FeatureShape, wall: int) -> tuple[Any, ...]:
    """Equal for walls of one surface, but for rounding; a wall of none is alone."""
    surface, normal = shape.surfaces[wall], shape.normal(wall)
    if surface is None:
        return (wall,)
    cell = 10.0 * shape.tolerance
    if normal is not None:
        return (*direction_key(normal), round(float(surface.origin @ normal) / cell))
    away = surface.origin - (surface.origin @ surface.axis) * surface.axis
    return (surface.kind, round(surface.radius / cell), *np.round(away / cell).tolist())


def tops_of(shape: FeatureShape, wall: int) -> set[int]:
    """What a wall goes over into at its convex edges, and behind those that are rounded or broken."""
    found = {other for edge, other in shape.neighbours(wall) if shape.convexity(edge) == "convex"}
    rims = {other for _, other in shape.neighbours(wall) if other in shape.rims}
    return found | rims | {other for rim in rims for _, other in shape.neighbours(rim) if other != wall}


def across(shape: FeatureShape, wall: int, normal: Array) -> Array | None:
    """The direction in which a flat wall faces, seen from above; None of one that leans by more than a draft."""
    found = shape.normal(wall)
    if found is None or abs(float(found @ normal)) >= thresholds.DRAFT:
        return None
    level = found - float(found @ normal) * normal
    return np.asarray(level / np.linalg.norm(level))


def offset_of(shape: FeatureShape, wall: int, way: Array, foot: Foot) -> float:
    """How far along a direction a flat wall that faces it stands at its foot."""
    normal = shape.normal(wall)
    assert normal is not None
    height = float(shape.point(wall) @ normal) - foot.level * float(foot.normal @ normal)
    return height / float(way @ normal)


def footprint(shape: FeatureShape, part: list[int], foot: Foot) -> tuple[float, float] | None:
    """Width between two opposite walls, and length along them, the narrowest of all; None where no two walls are opposite."""
    ways: dict[tuple[float, ...], Array] = {}
    areas: dict[tuple[float, ...], float] = defaultdict(float)
    for wall in part:
        way = across(shape, wall, foot.normal)
        if way is not None:
            ways.setdefault(direction_key(way), way)
            areas[direction_key(way)] += shape.areas[wall]
    facing = {key: min(area, areas[_opposite(key)]) for key, area in areas.items() if _opposite(key) in ways}
    broad = sorted((key for key in facing if key > _opposite(key)), key=lambda key: -facing[key])
    return min((_sides(shape, part, ways[key], foot) for key in broad[:PROMISING]), default=None)


def _opposite(key: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-each + 0.0 for each in key)


def _sides(shape: FeatureShape, part: list[int], way: Array, foot: Foot) -> tuple[float, float]:
    return _reach(shape, part, way, foot), _reach(shape, part, cross(foot.normal, way), foot)


def _reach(shape: FeatureShape, part: list[int], way: Array, foot: Foot) -> float:
    """How far a part reaches along a direction, from end to end."""
    return _end(shape, part, way, foot) + _end(shape, part, -way, foot)


def _end(shape: FeatureShape, part: list[int], way: Array, foot: Foot) -> float:
    """The furthest that its walls reach; walls along the direction end at others, or at the fillets of their own feet."""
    ends = []
    for wall in part:
        facing = across(shape, wall, foot.normal)
        along = None if facing is None else float(facing @ way)
        if along is not None and along > 1.0 - PARALLEL:
            ends.append(offset_of(shape, wall, way, foot))
        elif along is None or along > PARALLEL:
            ends.append(shape.extent([wall], way)[1] + _flare(shape, wall, foot))
    return max(ends) if ends else shape.extent(part, way)[1]


def _flare(shape: FeatureShape, wall: int, foot: Foot) -> float:
    """By how much a cone that stands upright is wider at its foot than at its lowest edge, which a fillet may have raised."""
    surface = shape.surfaces[wall]
    if surface is None or surface.kind != "cone" or not shape.is_along(surface.axis, foot.normal):
        return 0.0
    raised = shape.extent([wall], foot.normal)[0] - foot.level
    return float(-np.sign(surface.axis @ foot.normal) * raised * np.tan(surface.half_angle))
