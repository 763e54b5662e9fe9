"""Openings: loops of convex edges in a plane whose walls go down, through or to a point."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features.dimples import dimple
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.outlines import plan_of
from spatial.understanding.brep.features.shape import FeatureShape, Loop
from spatial.understanding.brep.features.walls import behind_rim, is_upright, near_keys, top_of


def opening(shape: FeatureShape, face: int, normal: Array, loop: Loop, taken: set[int]) -> Found | None:
    """An opening whose walls go down from a loop with convex edges and have no floor: through, or a dimple that closes itself."""
    rimmed = [behind_rim(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    walls = list(dict.fromkeys(wall for wall, _ in rimmed if wall is not None))
    rims = {rim for _, rim in rimmed if rim is not None}
    if not walls or any(wall is None for wall, _ in rimmed) or set(walls) & taken:
        return None
    if not all(is_upright(shape, wall, normal) for wall in walls):
        return None
    walls = _continued(shape, walls)
    around = set(walls)
    if around & taken or any(_meets_floor(shape, wall, around) for wall in walls):
        return None
    is_through = _is_through(shape, loop, around | rims, normal)
    hollow = None if is_through else dimple(shape, loop, walls, normal)
    if hollow is not None:
        return Found("pocket", sorted(walls), hollow | {MOUTH: -shape.extent([face], normal)[1]})
    high = shape.extent([face], normal)[1]
    low = -max(top_of(shape, wall, -normal) for wall in walls)
    members = plan_of(shape, walls, normal) | {
        "through": is_through,
        "axis": -normal,
        "depth": high - low,
        MOUTH: -high,
    }
    kind = "slot" if members.pop("is_slot") else "pocket"
    return Found(kind, sorted(walls), members)


def _continued(shape: FeatureShape, walls: list[int]) -> list[int]:
    """With the walls behind another opening that crosses: they are pieces of the surfaces of those in front of it."""
    found, known = [*walls], set(walls)
    surfaces: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for wall in walls:
        for key in _surface_keys(shape, wall):
            surfaces[key].append(wall)
    for wall in found:
        for edge, other in shape.neighbours(wall):
            if other in known or shape.convexity(edge) not in ("concave", "smooth"):
                continue
            alike = {each for key in _surface_keys(shape, other) for each in surfaces.get(key, ())}
            if any(shape.is_one_surface(each, other) and _faces_alike(shape, each, other) for each in alike):
                found.append(other)
                known.add(other)
    return found


def _surface_keys(shape: FeatureShape, face: int) -> set[tuple[Any, ...]]:
    """Keys of which pieces of one surface have one in common; of planes by their directions, else by kind and radius."""
    normal, surface = shape.normal(face), shape.surfaces[face]
    if normal is not None:
        return near_keys(normal)
    if surface is None:
        return set()
    cell = round(surface.radius / (10.0 * shape.tolerance))
    return {(surface.kind, near) for near in (cell - 1, cell, cell + 1)}


def _faces_alike(shape: FeatureShape, one: int, two: int) -> bool:
    """Whether two pieces of a plane face one way; those of round surfaces do where they bulge alike."""
    first, second = shape.normal(one), shape.normal(two)
    return first is None or second is None or float(first @ second) > 0.0


def _is_through(shape: FeatureShape, mouth: Loop, walls: set[int], normal: Array) -> bool:
    """Whether walls end below their mouth: those of a ball mill, of a drill's point or of a groove with a round floor do not."""
    level = min(float((shape.polylines[edge.curve] @ normal).min()) for edge in mouth.edges)
    return any(
        other not in walls and float((shape.polylines[edge.curve] @ normal).min()) < level - shape.tolerance
        for wall in walls
        for edge, other in shape.neighbours(wall)
    )


def _meets_floor(shape: FeatureShape, wall: int, walls: set[int]) -> bool:
    return any(
        other not in walls and other not in shape.rims and shape.convexity(edge) in ("concave", "smooth")
        for edge, other in shape.neighbours(wall)
    )
