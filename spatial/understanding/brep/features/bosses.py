"""Bosses and ribs: what stands on planes.

boss     a loop within a plane whose edges are all feet.
rib      a thin wall: two planes back to back, both with their foot on what it stands on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape, Loop
from spatial.understanding.brep.features.walls import blends_at, is_level, plan_of, top_of, wall_at

_DIRECTION: Final = 4
"""Decimals of directions that are the same."""


def bosses(shape: FeatureShape, ringed: set[int], turned: set[int]) -> list[Found]:
    """What stands on planes, and thin walls.

    ringed: faces of grooves, whose inner walls are no bosses. turned: those of a turned part, whose steps stand on each other.
    """
    found: list[Found] = []
    seen: set[int] = set(ringed)
    for face in range(len(shape.faces)):
        normal = shape.normal(face)
        for loop in () if normal is None else shape.loops(face):
            boss = None if loop.outer or normal is None else _boss(shape, face, normal, loop)
            if boss is not None and not seen & set(boss.faces) and not set(boss.faces) <= turned:
                seen |= set(boss.faces)
                found.append(boss)
    return found + _ribs(shape, seen)


def _boss(shape: FeatureShape, face: int, normal: Array, loop: Loop) -> Found | None:
    feet = [wall_at(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    walls = list(dict.fromkeys(wall for wall in feet if wall is not None))
    if not walls or len(feet) != sum(wall is not None for wall in feet):
        return None
    height = max(top_of(shape, wall, normal) for wall in walls) - shape.extent([face], normal)[1]
    if height <= shape.tolerance:
        return None
    members: dict[str, Any] = {"height": height, "axis": normal}
    faces = sorted({*walls, *blends_at(shape, face, loop)})
    surface = shape.surfaces[walls[0]]
    radii = {round(each.radius, 6) for wall in walls if (each := shape.surfaces[wall]) and each.kind == "cylinder"}
    if surface is not None and len(radii) == 1 and all(shape.kind(wall) == "cylinder" for wall in walls):
        return Found("boss", faces, members | {"diameter": 2.0 * surface.radius})
    members |= {name: value for name, value in plan_of(shape, walls, normal).items() if name in ("width", "length")}
    if "width" in members and members["width"] <= thresholds.RIB_THICKNESS * min(members["length"], height):
        members["thickness"] = members.pop("width")
        return Found("rib", faces, members)
    return Found("boss", faces, members)


def _ribs(shape: FeatureShape, seen: set[int]) -> list[Found]:
    """Two planes back to back, both with their foot on one plane, and open above."""
    found = []
    feet: dict[int, list[tuple[int, BodyEdge]]] = {}
    for face in range(len(shape.faces)):
        if shape.normal(face) is None or face in seen:
            continue
        for edge, other in shape.neighbours(face):
            if edge.type == "line" and shape.convexity(edge) == "concave" and shape.normal(other) is not None:
                feet.setdefault(face, []).append((other, edge))
    for one, two in _back_to_back(shape, feet):
        rib = _rib(shape, one, two, feet)
        if rib is not None and not seen & set(rib.faces):
            seen |= set(rib.faces)
            found.append(rib)
    return found


def _back_to_back(shape: FeatureShape, feet: dict[int, list[tuple[int, BodyEdge]]]) -> Iterator[tuple[int, int]]:
    """Pairs of planes with material between them that is no thicker than a rib as long as their feet."""
    groups: dict[tuple[float, ...], list[tuple[float, int]]] = defaultdict(list)
    for face in feet:
        normal = shape.normal(face)
        if normal is not None:
            key = tuple((np.round(normal, _DIRECTION) + 0.0).tolist())
            groups[key].append((float(shape.points(face)[0] @ normal), face))
    for key, ones in groups.items():
        # The planes of the other direction, by where they stand along this one.
        twos = sorted((-height, face) for height, face in groups.get(tuple(-each + 0.0 for each in key), ()))
        for height, one in ones:
            most = thresholds.RIB_THICKNESS * max(edge.length for _, edge in feet[one])
            begin = bisect_left(twos, (height - most - shape.tolerance, -1))
            for low, two in twos[begin:]:
                if low >= height:
                    break
                yield one, two


def _rib(shape: FeatureShape, one: int, two: int, feet: dict[int, list[tuple[int, BodyEdge]]]) -> Found | None:
    first, second = shape.normal(one), shape.normal(two)
    if first is None or second is None or float(first @ second) > -1.0 + 1e-6:
        return None
    thickness = float((shape.points(one)[0] - shape.points(two)[0]) @ first)
    if thickness <= shape.tolerance:
        return None
    for base, edge in feet[one]:
        normal = shape.normal(base)
        partner = next((other for ground, other in feet[two] if is_level(shape, base, ground)), None)
        if normal is None or partner is None:
            continue
        length = min(edge.length, partner.length)
        height = top_of(shape, one, normal) - shape.extent([base], normal)[1]
        tops = {other for line, other in shape.neighbours(one) if shape.convexity(line) == "convex"} & {
            other for line, other in shape.neighbours(two) if shape.convexity(line) == "convex"
        }
        if tops and thickness <= thresholds.RIB_THICKNESS * min(length, height):
            members = {"thickness": thickness, "length": length, "height": height, "axis": normal}
            return Found("rib", sorted({one, two, *(top for top in tops if _is_top(shape, top, normal))}), members)
    return None


def _is_top(shape: FeatureShape, face: int, normal: Array) -> bool:
    found = shape.normal(face)
    return found is not None and float(found @ normal) > 1.0 - 1e-6
