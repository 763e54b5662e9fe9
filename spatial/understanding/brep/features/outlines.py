"""The outline of walls seen along a direction: width and length of a pocket, and whether it is that of a slot."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, perpendicular
from spatial.understanding.brep.features.curved_slots import curved_plan
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.walls import direction_key, near_keys

PROMISING: Final = 8
"""Directions of which the sizes of an outline are measured exactly."""

_AT_ONCE: Final = 256
"""Directions that are looked at together, which bounds the memory."""

_AS_BROAD: Final = 1e-3
"""Part of the area by which two pairs of walls are as broad as each other."""


def plan_of(shape: FeatureShape, walls: list[int], normal: Array) -> dict[str, Any]:
    """Width and length of a pocket's outline, or its diameter, and whether it is a slot: two parallel walls and two half turns."""
    curved = curved_plan(shape, walls, normal)
    if curved is not None:
        return {"is_slot": True, **curved}
    pairs = _broadest_pairs(shape, walls)
    pair = pairs[0] if pairs else None
    sides = _sides(shape, walls, normal, pairs)
    ends = [wall for wall in walls if shape.kind(wall) == "cylinder" and shape.bulge(wall) < 0.0]
    radii = {round(surface.radius, 6) for wall in ends if (surface := shape.surfaces[wall]) is not None}
    width = None if pair is None or sides is None else gap_between(shape, pair)
    is_slot = (
        width is not None
        and sides is not None
        and len(radii) == 1
        and max(abs(2.0 * min(radii) - width), abs(sides[0] - width)) <= shape.tolerance
    )
    members: dict[str, Any] = {"is_slot": is_slot}
    if sides is not None and is_round(shape, walls):
        members["diameter"] = sides[1]
    elif sides is not None:
        members |= {"width": sides[0], "length": sides[1]}
    if len(radii) == 1:
        members["radius"] = min(radii)
    return members


def gap_between(shape: FeatureShape, pair: tuple[int, int]) -> float:
    """The distance of two parallel planes."""
    normal = shape.normal(pair[0])
    assert normal is not None
    return abs(float((shape.point(pair[1]) - shape.point(pair[0])) @ normal))


def is_corner(shape: FeatureShape, face: int, normal: Array) -> bool:
    """Whether a face is a cylinder that goes up along a normal."""
    surface = shape.surfaces[face]
    return surface is not None and surface.kind == "cylinder" and shape.is_along(surface.axis, normal)


def is_round(shape: FeatureShape, walls: list[int]) -> bool:
    """Whether walls are pieces of one cylinder, cone or sphere."""
    found = shape.kind(walls[0]) in ("cylinder", "cone", "sphere") if walls else False
    return found and all(shape.is_one_surface(walls[0], wall) for wall in walls)


def _broadest_pairs(shape: FeatureShape, walls: list[int]) -> list[tuple[int, int]]:
    """Parallel walls that look at or away from each other, of each direction the largest two, where they have the most area in common.

    More than one pair where they have as much: of a square or a hexagon.
    """
    sides: dict[tuple[float, ...], list[int]] = {}
    ways: dict[tuple[float, ...], Array] = {}
    for wall in walls:
        normal = shape.normal(wall)
        if normal is not None:
            key = next((near for near in near_keys(normal) if near in sides), direction_key(normal))
            ways.setdefault(key, normal)
            sides.setdefault(key, []).append(wall)
    found = []
    for key, one in sides.items():
        other = next((near for near in near_keys(-ways[key]) if near in sides), None)
        if other is not None and key < other and float(ways[key] @ ways[other]) <= -1.0 + 1e-6:
            common = min(sum(shape.areas[wall] for wall in side) for side in (one, sides[other]))
            pair = max(one, key=shape.areas.__getitem__), max(sides[other], key=shape.areas.__getitem__)
            found.append((common, pair))
    most = max((common for common, _ in found), default=0.0)
    return [pair for common, pair in found if common >= most * (1.0 - _AS_BROAD)]


def _sides(
    shape: FeatureShape, walls: list[int], normal: Array, pairs: list[tuple[int, int]]
) -> tuple[float, float] | None:
    """Width and length of the rectangle around an outline: along its broadest parallel walls, else the smallest along a flat wall.

    None of an outline without a flat wall that is no circle: it has no direction.
    """
    along = [pair[0] for pair in pairs] or walls
    flat = [found for wall in along if (found := shape.normal(wall)) is not None]
    if not flat:
        if not is_round(shape, walls):
            return None
        flat = [perpendicular(normal)]
    ways = np.array(flat)
    ways = ways - (ways @ normal)[:, None] * normal
    ways = ways / np.linalg.norm(ways, axis=1)[:, None]
    rectangles = []
    for across in _promising(shape, walls, ways, normal):
        sides = sorted(
            high - low for low, high in (shape.extent(walls, way) for way in (across, cross(normal, across)))
        )
        rectangles.append((sides[0], sides[1]))
    return min(rectangles, key=lambda sides: sides[0] * sides[1])


def _promising(shape: FeatureShape, walls: list[int], ways: Array, normal: Array) -> Array:
    """The few directions (n, 3) along which the rectangle around walls is smallest, by points on their edges."""
    if len(ways) <= PROMISING:
        return ways
    edges = {edge.curve: edge.type == "line" for wall in walls for edge in shape.around(wall)}
    straight = [number for number, is_line in edges.items() if is_line]
    curved = [number for number, is_line in edges.items() if not is_line]
    points = np.concatenate(
        [shape.polylines[straight][:, (0, -1)].reshape(-1, 3), shape.polylines[curved].reshape(-1, 3)]
    )
    x = perpendicular(normal)
    flat = np.unique(np.round(points @ np.stack([x, cross(normal, x)]).T / shape.tolerance), axis=0)
    across = ways @ np.stack([x, cross(normal, x)]).T
    areas = np.concatenate(
        [
            np.ptp(part @ flat.T, axis=1) * np.ptp(part @ np.array([[0.0, 1.0], [-1.0, 0.0]]) @ flat.T, axis=1)
            for part in np.array_split(across, len(across) // _AT_ONCE + 1)
        ]
    )
    return np.asarray(ways[np.argsort(areas, kind="stable")[:PROMISING]])
