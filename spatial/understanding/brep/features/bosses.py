"""Bosses: what stands on planes, and the ribs among it.

boss     a loop within a plane whose edges are all feet.
rib      a thin one: between two opposite walls it is at most half as thick as it is long and high.
gusset   a rib that leans against what stands beside it, under a slope: thin against its longer leg.
"""

from __future__ import annotations

from typing import Any

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.footprints import Foot, footprint, parts_of
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.outlines import plan_of
from spatial.understanding.brep.features.ribs import ribs
from spatial.understanding.brep.features.shape import FeatureShape, Loop
from spatial.understanding.brep.features.walls import blends_at, top_of, wall_at


def bosses(shape: FeatureShape, ringed: set[int], turned: set[int]) -> list[Found]:
    """What stands on planes, and thin walls.

    ringed: faces of grooves, whose inner walls are no bosses. turned: those of a turned part, whose steps stand on each other.
    """
    found: list[Found] = []
    seen: set[int] = set(ringed)
    for face in range(len(shape.faces)):
        normal = shape.normal(face)
        for loop in () if normal is None else shape.loops(face):
            for boss in () if loop.outer or normal is None else _standing(shape, face, normal, loop):
                if not seen & set(boss.faces) and not set(boss.faces) <= turned:
                    seen |= set(boss.faces)
                    found.append(boss)
    return found + ribs(shape, seen)


def _standing(shape: FeatureShape, face: int, normal: Array, loop: Loop) -> list[Found]:
    """What stands within a loop: one thing, or that with the ribs that cross it or lean against it."""
    feet = [wall_at(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    walls = list(dict.fromkeys(wall for wall in feet if wall is not None))
    if not walls or len(feet) != sum(wall is not None for wall in feet):
        return []
    foot = Foot(normal, shape.extent([face], normal)[1])
    blends = blends_at(shape, face, loop)
    parts = parts_of(shape, walls)
    if len(parts) > 1 and all(_is_round(shape, face, part) for part in parts):
        each = [_boss(shape, part, foot, _beside(shape, blends, part)) for part in parts]
        return [boss for boss in each if boss is not None]
    if len(parts) > 1 and all(_diameter(shape, part) or footprint(shape, part, foot) for part in parts):
        first, *others = [
            _boss(shape, part, foot, _beside(shape, blends, part), leans=place > 0) for place, part in enumerate(parts)
        ]
        # Where anything but ribs stands against the first, they are one thing of another outline.
        against = [other for other in others if other is not None and other.type == "rib"]
        if first is not None and len(against) == len(others):
            return [first, *against]
    whole = _boss(shape, walls, foot, blends)
    return [] if whole is None else [whole]


def _is_round(shape: FeatureShape, base: int, part: list[int]) -> bool:
    """Whether a part is a cylinder of which the foot shows more than half: one of several round bosses that have grown together."""
    diameter = _diameter(shape, part)
    if diameter is None or not all(shape.is_one_surface(part[0], wall) for wall in part):
        return False
    feet = [edge.length for wall in part for edge, other in shape.neighbours(wall) if other == base]
    return sum(feet) > thresholds.MORE_THAN_HALF * diameter / 2.0


def _slopes(shape: FeatureShape, walls: list[int], foot: Foot) -> bool:
    """Whether a flat wall leans so far that it is the free side of a gusset."""
    leans = [abs(float(normal @ foot.normal)) for wall in walls if (normal := shape.normal(wall)) is not None]
    return max(leans, default=0.0) >= thresholds.DRAFT


def _beside(shape: FeatureShape, blends: list[int], part: list[int]) -> list[int]:
    """The fillets at the feet of a part."""
    own = set(part)
    return [blend for blend in blends if any(other in own for _, other in shape.neighbours(blend))]


def _boss(shape: FeatureShape, walls: list[int], foot: Foot, blends: list[int], *, leans: bool = False) -> Found | None:
    """leans: whether it stands against something else."""
    height = max(top_of(shape, wall, foot.normal) for wall in walls) - foot.level
    if height <= shape.tolerance:
        return None
    members: dict[str, Any] = {"height": height, "axis": foot.normal}
    faces = sorted({*walls, *blends})
    diameter = _diameter(shape, walls)
    if diameter is not None:
        return Found("boss", faces, members | {"diameter": diameter})
    sides = footprint(shape, walls, foot)
    if sides is None:
        plan = plan_of(shape, walls, foot.normal)
        return Found(
            "boss", faces, members | {name: plan[name] for name in ("diameter", "width", "length") if name in plan}
        )
    legs = sorted((sides[1], height))
    is_gusset = leans and _slopes(shape, walls, foot) and sides[0] < legs[0]
    if sides[0] <= thresholds.RIB_THICKNESS * legs[1 if is_gusset else 0]:
        return Found("rib", faces, members | {"thickness": sides[0], "length": sides[1]})
    return Found("boss", faces, members | {"width": min(sides), "length": max(sides)})


def _diameter(shape: FeatureShape, walls: list[int]) -> float | None:
    """Of walls that are all of one diameter."""
    radii = [surface.radius for wall in walls if (surface := shape.surfaces[wall]) and surface.kind == "cylinder"]
    is_round = len(radii) == len(walls) and max(radii) - min(radii) <= shape.tolerance
    return 2.0 * radii[0] if is_round else None
