"""What rises from a plane: walls across feet and fillets, how high they are and how far apart.

Glossary
  foot     a concave edge, or the near side of a concave fillet that fills it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np

from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape, Loop

_DIRECTION: Final = 4
"""Decimals of directions that are the same."""


_SHIFTS: Final = np.array(list(product((-1.0, 1.0), repeat=3))) * 0.1 * 10.0**-_DIRECTION


def direction_key(direction: Array) -> tuple[float, ...]:
    """Equal for directions that are the same, but for rounding."""
    return tuple((np.round(direction, _DIRECTION) + 0.0).tolist())


def near_keys(direction: Array) -> set[tuple[float, ...]]:
    """The keys of all directions that are the same as one, whichever way each coordinate is rounded."""
    return set(map(tuple, (np.round(direction + _SHIFTS, _DIRECTION) + 0.0).tolist()))


def wall_at(shape: FeatureShape, face: int, edge: BodyEdge) -> int | None:
    """The wall that rises at an edge of a face: across a foot, and across the fillet that fills it."""
    other = edge.other(face)
    if other is None:
        return None
    if shape.convexity(edge) == "concave":
        return other
    if shape.convexity(edge) != "smooth" or shape.bulge(other) >= 0.0 or shape.kind(other) not in ("cylinder", "torus"):
        return None
    return _across_fillet(shape, face, edge, other)


def _across_fillet(shape: FeatureShape, face: int, edge: BodyEdge, fillet: int) -> int:
    """The wall that a fillet goes over into: its neighbours at the ends of the foot go on along it, as the ball in a corner does."""
    beyond = [
        (meets(shape, edge, further), -further.length, other)
        for further, other in shape.neighbours(fillet)
        if other not in (face, fillet) and further is not edge and shape.convexity(further) == "smooth"
    ]
    return min(beyond)[2] if beyond else fillet


def meets(shape: FeatureShape, one: BodyEdge, two: BodyEdge) -> bool:
    """Whether two edges have an end in common."""
    gaps = np.linalg.norm(one.ends[:, None] - two.ends[None], axis=2)
    return bool(gaps.min() <= shape.tolerance)


def risen_walls(
    shape: FeatureShape, face: int, normal: Array, lean: float = thresholds.DRAFT
) -> tuple[Loop | None, list[int | None]]:
    """The outer loop of a floor, and the wall at each of its edges; no walls where one of them is not upright.

    lean: sine of the angle by which a wall may lean.
    """
    outer = next((loop for loop in shape.loops(face) if loop.outer), None)
    if outer is None:
        return None, []
    walls = [wall_at(shape, face, edge) for edge in outer.edges if not edge.is_seam]
    if not all(wall is None or is_upright(shape, wall, normal, lean) for wall in walls):
        return outer, []
    return outer, walls


def feet_of(shape: FeatureShape, face: int, loop: Loop, normal: Array) -> list[int]:
    """The walls that rise along a whole loop; empty where one does not."""
    walls = [wall_at(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    standing = list(dict.fromkeys(wall for wall in walls if wall is not None))
    whole = len(walls) == sum(wall is not None for wall in walls)
    return standing if whole and all(is_upright(shape, wall, normal) for wall in standing) else []


def blends_at(shape: FeatureShape, face: int, loop: Loop) -> list[int]:
    """The fillets at the foot of a loop."""
    return [
        other
        for edge in loop.edges
        if shape.convexity(edge) == "smooth" and (other := edge.other(face)) is not None and shape.bulge(other) < 0.0
    ]


def is_upright(shape: FeatureShape, wall: int, normal: Array, lean: float = thresholds.DRAFT) -> bool:
    """Whether a wall goes up along a normal; `lean` is the sine of the angle by which a flat one may lean."""
    surface = shape.surfaces[wall]
    if surface is None:
        return True
    along = abs(float(surface.axis @ normal))
    return (
        along < lean
        if surface.kind == "plane"
        else along > 1.0 - thresholds.DRAFT
        if surface.kind == "cylinder"
        else True
    )


def depth_of(shape: FeatureShape, face: int, walls: list[int], normal: Array) -> float:
    """From the floor to the lowest rim, the least height that a wall reaches; of a keyway to the crown of its shaft or bore (DIN 6885)."""
    level = shape.extent([face], normal)[1]
    crown = _crown(shape, walls, normal)
    if crown is not None and crown > level + shape.tolerance:
        return crown - level
    return min(top_of(shape, wall, normal) for wall in walls) - level


def top_of(shape: FeatureShape, wall: int, normal: Array) -> float:
    """How high a wall reaches along a normal, with the chamfer or rounded edge in which its upper edge ends."""
    top = shape.extent([wall], normal)[1]
    rims = [
        other
        for edge, other in shape.neighbours(wall)
        if other in shape.rims
        and shape.convexity(edge) in ("convex", "smooth")
        and float((shape.polylines[edge.curve] @ normal).min()) >= top - shape.tolerance
    ]
    return shape.extent([wall, *rims], normal)[1] if rims else top


def _crown(shape: FeatureShape, walls: list[int], normal: Array) -> float | None:
    """How high the cylinder across a normal stands in which all flat walls end; None where they end in anything else."""
    rims: set[int] = set()
    for wall in walls:
        if shape.normal(wall) is None:
            continue
        # A hole through a wall is round and lies across too, but the wall does not end there.
        top = shape.extent([wall], normal)[1] - shape.tolerance
        beyond = {
            other
            for edge, other in shape.neighbours(wall)
            if shape.convexity(edge) == "convex" and float((shape.polylines[edge.curve] @ normal).max()) >= top
        }
        round_ = {other for other in beyond if _lies_across(shape, other, normal)}
        if not round_:
            return None
        rims |= round_
    first = min(rims, default=None)
    surface = None if first is None else shape.surfaces[first]
    if first is None or surface is None or not all(shape.is_one_surface(first, other) for other in rims):
        return None
    if not all(_faces_axis(shape, wall, surface) for wall in walls):
        return None
    return float(surface.origin @ normal) + shape.bulge(first) * surface.radius


def _faces_axis(shape: FeatureShape, wall: int, round_: AnalyticSurface) -> bool:
    """Whether a wall along a cylinder has its axis before it: a keyway is cut where the shaft is highest."""
    normal = shape.normal(wall)
    if normal is None or abs(float(normal @ round_.axis)) > PARALLEL:
        return True
    return float((round_.origin - shape.point(wall)) @ normal) > 0.0


def _lies_across(shape: FeatureShape, face: int, normal: Array) -> bool:
    """Whether a face is a cylinder whose axis is at right angles to a normal."""
    surface = shape.surfaces[face]
    return surface is not None and surface.kind == "cylinder" and abs(float(surface.axis @ normal)) <= PARALLEL


def opposite_walls(shape: FeatureShape, walls: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of parallel planes with opposite normals, face to face or back to back."""
    planes = [(wall, normal) for wall in walls if (normal := shape.normal(wall)) is not None]
    ways: dict[tuple[float, ...], list[tuple[int, Array]]] = defaultdict(list)
    for place, (_, normal) in enumerate(planes):
        for key in near_keys(normal):
            ways[key].append((place, normal))
    for place, (wall, normal) in enumerate(planes):
        for other, facing_ in ways.get(direction_key(-normal), ()):
            if other > place and float(normal @ facing_) <= -1.0 + 1e-6:
                yield wall, planes[other][0]


def facing(shape: FeatureShape, walls: list[int]) -> tuple[int, int] | None:
    """Two parallel planes that look at each other."""
    for one, two in opposite_walls(shape, walls):
        first = shape.normal(one)
        if first is not None and float((shape.point(two) - shape.point(one)) @ first) > shape.tolerance:
            return one, two
    return None


def is_level(shape: FeatureShape, first: int, second: int) -> bool:
    """Whether two planes are one: what a rib stands on is cut in two by it where it reaches from wall to wall."""
    one, two = shape.normal(first), shape.normal(second)
    if first == second:
        return True
    if one is None or two is None or float(one @ two) < 1.0 - 1e-6:
        return False
    return abs(float((shape.point(second) - shape.point(first)) @ one)) <= shape.tolerance


def behind_rim(shape: FeatureShape, face: int, edge: BodyEdge) -> tuple[int | None, int | None]:
    """The wall that goes down at an edge of a face, and the chamfer or rounded edge between them, if there is one."""
    other = edge.other(face)
    if other is None or other not in shape.rims:
        return (other if shape.convexity(edge) == "convex" else None), None
    beyond = [
        (meets(shape, edge, further), -further.length, wall)
        for further, wall in shape.neighbours(other)
        if wall not in (face, other) and wall not in shape.rims and shape.convexity(further) in ("convex", "smooth")
    ]
    return (min(beyond)[2] if beyond else None), other
