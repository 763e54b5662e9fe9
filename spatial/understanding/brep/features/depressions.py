"""Pockets, slots, bosses and ribs: what planes have around them, seen loop by loop.

  pocket   a plane whose outer loop is a foot all round: its walls rise from it. With two parallel walls and round ends it is a slot.
  slot     also a plane between two parallel walls that face each other, open at one or both ends, and an obround opening that goes through.
  groove   a ring of one width in a plane: its floor has a foot along its outer loop and along an inner one, and what stands inside
           is as high as what stands around.
  boss     what stands on a plane: a loop within it whose edges are all feet.
  rib      a thin wall: two planes back to back, both with their foot on what it stands on.

Glossary
  foot     a concave edge, or the near side of a concave fillet that fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length, perpendicular
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape, Loop


def depressions(shape: FeatureShape, taken: set[int], *, channels: bool) -> list[Found]:
    """Pockets and slots, the most certain first: a wall of a pocket has feet too, and is no floor.

    taken: faces of holes. channels: whether slots that are open at an end are looked for; a bent sheet is one itself.
    """
    found: list[Found] = []
    seen: set[int] = set()
    planes = {face: normal for face in range(len(shape.faces)) if (normal := shape.normal(face)) is not None}
    closed = (_pocket(shape, face, normal, taken) for face, normal in planes.items() if face not in taken)
    _keep(found, seen, closed)
    openings = (
        _opening(shape, face, normal, loop, taken)
        for face, normal in planes.items()
        for loop in shape.loops(face)
        if not loop.outer
    )
    _keep(found, seen, openings)
    if channels:
        _keep(found, seen, _channels(shape, {face: each for face, each in planes.items() if face not in seen | taken}))
    return found


def grooves(shape: FeatureShape) -> list[Found]:
    """Rings cut into planes, as of a seal: neither a hole nor a boss."""
    found = []
    for face in range(len(shape.faces)):
        normal = shape.normal(face)
        groove = _ring(shape, face) if normal is None else _groove(shape, face, normal)
        if groove is not None:
            found.append(groove)
    return found


def _groove(shape: FeatureShape, face: int, normal: Array) -> Found | None:
    """By its floor."""
    outer, around = _risen(shape, face, normal)
    if outer is None or not around or None in around:
        return None
    islands = [
        (loop, feet) for loop in shape.loops(face) if not loop.outer and (feet := _feet(shape, face, loop, normal))
    ]
    if len(islands) != 1:
        return None
    inner, within = islands[0]
    outside = list(dict.fromkeys(wall for wall in around if wall is not None))
    depth, height = _depth(shape, face, outside, normal), _depth(shape, face, within, normal)
    if depth <= shape.tolerance or abs(depth - height) > shape.tolerance:
        return None
    faces = sorted({face, *outside, *within, *_blends(shape, face, outer), *_blends(shape, face, inner)})
    members: dict[str, Any] = {"depth": depth, "axis": -normal}
    radii = [_one_radius(shape, walls) for walls in (within, outside)]
    if radii[0] is not None and radii[1] is not None:
        members |= {
            "inner_diameter": 2.0 * radii[0],
            "outer_diameter": 2.0 * radii[1],
            "width": radii[1] - radii[0],
        }
    else:
        width = _equidistant(shape, face, outer, inner)
        if width is None:
            return None
        members["width"] = width
    return Found("groove", faces, members)


def _feet(shape: FeatureShape, face: int, loop: Loop, normal: Array) -> list[int]:
    """The walls that rise along a whole loop; empty where one does not."""
    walls = [_wall(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    standing = list(dict.fromkeys(wall for wall in walls if wall is not None))
    whole = len(walls) == sum(wall is not None for wall in walls)
    return standing if whole and all(_is_upright(shape, wall, normal) for wall in standing) else []


def _one_radius(shape: FeatureShape, walls: list[int]) -> float | None:
    """Of walls on one cylinder."""
    surfaces = [surface for wall in walls if (surface := shape.surfaces[wall]) is not None]
    first = surfaces[0] if len(surfaces) == len(walls) else None
    is_one = first is not None and all(
        each.kind == "cylinder"
        and abs(each.radius - first.radius) <= shape.tolerance
        and shape.is_along(each.axis, first.axis)
        and length(cross(each.origin - first.origin, first.axis)) <= shape.tolerance
        for each in surfaces
    )
    return first.radius if first is not None and is_one else None


def _equidistant(shape: FeatureShape, face: int, outer: Loop, inner: Loop) -> float | None:
    """The width of a floor between two loops where it is the same all along: then their lengths differ by a turn of it.

    A pocket with an island has none.
    """
    long, short = (sum(edge.length for edge in loop.edges) for loop in (outer, inner))
    width = 2.0 * shape.areas[face] / (long + short)
    return width if abs(long - short - 2.0 * np.pi * width) <= 2.0 * np.pi * shape.tolerance else None


def _ring(shape: FeatureShape, face: int) -> Found | None:
    """A groove with a round floor: a torus that two planes of one level end, and whose tube is open there."""
    surface = shape.surfaces[face]
    if surface is None or surface.kind != "torus" or shape.bulge(face) >= 0.0:
        return None
    beside = [(edge, other) for edge, other in shape.neighbours(face) if other != face]
    normals = [shape.normal(other) for _, other in beside]
    if len(beside) != 2 or any(shape.convexity(edge) != "convex" for edge, _ in beside):
        return None
    first, second = normals
    if first is None or second is None or not _is_level(shape, beside[0][1], beside[1][1]):
        return None
    if not shape.is_along(surface.axis, first):
        return None
    away = np.concatenate([shape.polylines[edge.curve] for edge, _ in beside]) - surface.origin
    distances = np.linalg.norm(away - (away @ first)[:, None] * first, axis=1)
    inner, outer = float(distances.min()), float(distances.max())
    members = {
        "depth": float(away[0] @ first) + surface.radius,
        "axis": -first,
        "inner_diameter": 2.0 * inner,
        "outer_diameter": 2.0 * outer,
        "width": outer - inner,
        "radius": surface.radius,
    }
    return Found("groove", [face], members)


def _keep(found: list[Found], seen: set[int], candidates: Iterable[Found | None]) -> None:
    """Take those whose faces no earlier one has."""
    for each in candidates:
        if each is not None and not seen & set(each.faces):
            seen |= set(each.faces)
            found.append(each)


def _wall(shape: FeatureShape, face: int, edge: BodyEdge) -> int | None:
    """The wall that rises at an edge of a face: across a foot, and across the fillet that fills it."""
    other = edge.other(face)
    if other is None:
        return None
    if shape.convexity(edge) == "concave":
        return other
    if shape.convexity(edge) != "smooth" or shape.bulge(other) >= 0.0 or shape.kind(other) not in ("cylinder", "torus"):
        return None
    beside = {beyond for further, beyond in shape.neighbours(face) if shape.convexity(further) == "smooth"}
    return next(
        (
            beyond
            for further, beyond in shape.neighbours(other)
            if beyond not in beside and beyond not in (face, other) and shape.convexity(further) == "smooth"
        ),
        other,
    )


def _pocket(shape: FeatureShape, face: int, normal: Array, taken: set[int]) -> Found | None:
    """By its floor: its outer loop is a foot all round. The floor of a counterbore is a hole's."""
    outer, walls = _risen(shape, face, normal)
    if outer is None or not walls or None in walls:
        return None
    standing = list(dict.fromkeys(wall for wall in walls if wall is not None))
    depth = _depth(shape, face, standing, normal)
    if depth <= shape.tolerance or set(standing) <= taken:
        return None
    members: dict[str, Any] = {"depth": depth, "through": False, "axis": -normal, **_plan(shape, standing, normal)}
    kind = "slot" if members.pop("is_slot") else "pocket"
    return Found(kind, sorted({face, *standing, *_blends(shape, face, outer)}), members)


def _risen(shape: FeatureShape, face: int, normal: Array) -> tuple[Loop | None, list[int | None]]:
    """The outer loop of a floor, and the wall at each of its edges; no walls where one of them is not upright."""
    outer = next((loop for loop in shape.loops(face) if loop.outer), None)
    if outer is None:
        return None, []
    walls = [_wall(shape, face, edge) for edge in outer.edges if not edge.is_seam]
    if not all(wall is None or _is_upright(shape, wall, normal) for wall in walls):
        return outer, []
    return outer, walls


def _channels(shape: FeatureShape, planes: dict[int, Array]) -> list[Found]:
    """Slots that are open at an end: floors between two walls that face each other; those that a hole cut in two are one."""
    groups: list[tuple[list[int], tuple[int, int], list[int]]] = []
    for face, normal in planes.items():
        outer, walls = _risen(shape, face, normal)
        standing = list(dict.fromkeys(wall for wall in walls if wall is not None and shape.kind(wall) == "plane"))
        pair = _facing(shape, standing)
        if outer is None or pair is None or _depth(shape, face, list(pair), normal) <= shape.tolerance:
            continue
        ends = [wall for wall in standing if wall not in pair and _is_across(shape, wall, pair[0])]
        faces = [face, *pair, *ends, *_blends(shape, face, outer)]
        group = next(
            (each for each in groups if _is_level(shape, each[0][0], face) and _is_same_pair(shape, each[1], pair)),
            None,
        )
        if group is None:
            groups.append(([face], pair, faces))
        else:
            group[0].append(face)
            group[2].extend(faces)
    return [_channel(shape, floors, pair, sorted(set(faces))) for floors, pair, faces in groups]


def _is_across(shape: FeatureShape, wall: int, side: int) -> bool:
    """Whether a wall ends a channel: at right angles to its sides."""
    first, second = shape.normal(wall), shape.normal(side)
    return first is not None and second is not None and abs(float(first @ second)) <= _DRAFT


def _is_same_pair(shape: FeatureShape, one: tuple[int, int], two: tuple[int, int]) -> bool:
    return any(all(_is_level(shape, a, b) for a, b in zip(one, order, strict=True)) for order in (two, two[::-1]))


def _channel(shape: FeatureShape, floors: list[int], pair: tuple[int, int], faces: list[int]) -> Found:
    normal, across = shape.normal(floors[0]), shape.normal(pair[0])
    assert normal is not None
    assert across is not None
    low, high = shape.extent(floors, cross(normal, across))
    members = {
        "width": _gap(shape, pair),
        "length": high - low,
        "depth": _depth(shape, floors[0], list(pair), normal),
        "through": False,
        "axis": -normal,
    }
    return Found("slot", faces, members)


def _is_upright(shape: FeatureShape, wall: int, normal: Array) -> bool:
    """Whether a wall goes up along a normal, within 10 degrees of draft."""
    surface = shape.surfaces[wall]
    if surface is None:
        return True
    along = abs(float(surface.axis @ normal))
    return along < _DRAFT if surface.kind == "plane" else along > 1.0 - _DRAFT if surface.kind == "cylinder" else True


_DRAFT = float(np.sin(np.radians(10.0)))


def _blends(shape: FeatureShape, face: int, loop: Loop) -> list[int]:
    """The fillets at the foot of a loop."""
    return [
        other
        for edge in loop.edges
        if shape.convexity(edge) == "smooth" and (other := edge.other(face)) is not None and shape.bulge(other) < 0.0
    ]


def _depth(shape: FeatureShape, face: int, walls: list[int], normal: Array) -> float:
    """From the floor to the lowest rim: the least height that a wall reaches."""
    level = shape.extent([face], normal)[1]
    return min(shape.extent([wall], normal)[1] for wall in walls) - level


def _facing(shape: FeatureShape, walls: list[int]) -> tuple[int, int] | None:
    """Two parallel planes that look at each other."""
    for one, two in _opposite(shape, walls):
        first = shape.normal(one)
        if first is not None and float((shape.points(two)[0] - shape.points(one)[0]) @ first) > shape.tolerance:
            return one, two
    return None


def _opposite(shape: FeatureShape, walls: list[int]) -> Iterator[tuple[int, int]]:
    """Pairs of parallel planes with opposite normals, face to face or back to back."""
    planes = [(wall, normal) for wall in walls if (normal := shape.normal(wall)) is not None]
    for (one, first), (two, second) in combinations(planes, 2):
        if float(first @ second) <= -1.0 + 1e-6:
            yield one, two


def _gap(shape: FeatureShape, pair: tuple[int, int]) -> float:
    normal = shape.normal(pair[0])
    assert normal is not None
    return abs(float((shape.points(pair[1])[0] - shape.points(pair[0])[0]) @ normal))


def _plan(shape: FeatureShape, walls: list[int], normal: Array) -> dict[str, Any]:
    """Width and length of a pocket's outline, and whether it is a slot: two parallel walls and two half turns."""
    pair = next(_opposite(shape, walls), None)
    if pair is None:
        across = perpendicular(normal)
    else:
        found = shape.normal(pair[0])
        assert found is not None
        across = found
    sides = sorted(
        high - low for low, high in (shape.extent(walls, direction) for direction in (across, cross(normal, across)))
    )
    ends = [wall for wall in walls if shape.kind(wall) == "cylinder"]
    radii = {round(surface.radius, 6) for wall in ends if (surface := shape.surfaces[wall]) is not None}
    is_slot = pair is not None and len(radii) == 1 and abs(2.0 * min(radii) - _gap(shape, pair)) <= shape.tolerance
    members: dict[str, Any] = {"width": sides[0], "length": sides[1], "is_slot": is_slot}
    if len(radii) == 1:
        members["radius"] = min(radii)
    return members


def _opening(shape: FeatureShape, face: int, normal: Array, loop: Loop, taken: set[int]) -> Found | None:
    """An opening whose walls go down from a loop with convex edges and have no floor: through, or a dimple that closes itself."""
    if not loop.edges or any(shape.convexity(edge) != "convex" for edge in loop.edges):
        return None
    walls = list(dict.fromkeys(other for edge in loop.edges if (other := edge.other(face)) is not None))
    if not walls or set(walls) & taken or not all(_is_upright(shape, wall, normal) for wall in walls):
        return None
    walls = _continued(shape, walls)
    if set(walls) & taken:
        return None
    low, high = shape.extent(walls, normal)
    if any(_meets_floor(shape, wall, walls, normal) for wall in walls):
        return None
    members = _plan(shape, walls, normal) | {
        "through": _is_through(shape, loop, walls, normal),
        "axis": -normal,
        "depth": high - low,
    }
    kind = "slot" if members.pop("is_slot") else "pocket"
    return Found(kind, sorted(walls), members)


def _continued(shape: FeatureShape, walls: list[int]) -> list[int]:
    """With the walls behind another opening that crosses: they are level with those in front of it."""
    found = [*walls]
    for wall in found:
        for edge, other in shape.neighbours(wall):
            is_beyond = other not in found and shape.convexity(edge) == "concave"
            if is_beyond and any(shape.normal(each) is not None and _is_level(shape, each, other) for each in walls):
                found.append(other)
    return found


def _is_through(shape: FeatureShape, mouth: Loop, walls: list[int], normal: Array) -> bool:
    """Whether walls end below their mouth: those of a ball mill, of a drill's point or of a groove with a round floor do not."""
    level = min(float((shape.polylines[edge.curve] @ normal).min()) for edge in mouth.edges)
    return any(
        other not in walls and float((shape.polylines[edge.curve] @ normal).min()) < level - shape.tolerance
        for wall in walls
        for edge, other in shape.neighbours(wall)
    )


def _meets_floor(shape: FeatureShape, wall: int, walls: list[int], normal: Array) -> bool:
    return any(
        other not in walls and shape.convexity(edge) in ("concave", "smooth") for edge, other in shape.neighbours(wall)
    )


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
    feet = [_wall(shape, face, edge) for edge in loop.edges if not edge.is_seam]
    walls = list(dict.fromkeys(wall for wall in feet if wall is not None))
    if not walls or len(feet) != sum(wall is not None for wall in feet):
        return None
    height = shape.extent(walls, normal)[1] - shape.extent([face], normal)[1]
    if height <= shape.tolerance:
        return None
    members: dict[str, Any] = {"height": height, "axis": normal}
    faces = sorted({*walls, *_blends(shape, face, loop)})
    surface = shape.surfaces[walls[0]]
    radii = {round(each.radius, 6) for wall in walls if (each := shape.surfaces[wall]) and each.kind == "cylinder"}
    if surface is not None and len(radii) == 1 and all(shape.kind(wall) == "cylinder" for wall in walls):
        return Found("boss", faces, members | {"diameter": 2.0 * surface.radius})
    members |= {name: value for name, value in _plan(shape, walls, normal).items() if name in ("width", "length")}
    thin = thresholds.RIB_THICKNESS * min(members["length"], height)
    if members["width"] <= thin:
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
    for one, two in combinations(feet, 2):
        rib = _rib(shape, one, two, feet)
        if rib is not None and not seen & set(rib.faces):
            seen |= set(rib.faces)
            found.append(rib)
    return found


def _rib(shape: FeatureShape, one: int, two: int, feet: dict[int, list[tuple[int, BodyEdge]]]) -> Found | None:
    first, second = shape.normal(one), shape.normal(two)
    if first is None or second is None or float(first @ second) > -1.0 + 1e-6:
        return None
    thickness = float((shape.points(one)[0] - shape.points(two)[0]) @ first)
    if thickness <= shape.tolerance:
        return None
    for base, edge in feet[one]:
        normal = shape.normal(base)
        partner = next((other for ground, other in feet[two] if _is_level(shape, base, ground)), None)
        if normal is None or partner is None:
            continue
        length = min(edge.length, partner.length)
        height = shape.extent([one], normal)[1] - shape.extent([base], normal)[1]
        tops = {other for line, other in shape.neighbours(one) if shape.convexity(line) == "convex"} & {
            other for line, other in shape.neighbours(two) if shape.convexity(line) == "convex"
        }
        if tops and thickness <= thresholds.RIB_THICKNESS * min(length, height):
            members = {"thickness": thickness, "length": length, "height": height, "axis": normal}
            return Found("rib", sorted({one, two, *(top for top in tops if _is_top(shape, top, normal))}), members)
    return None


def _is_level(shape: FeatureShape, first: int, second: int) -> bool:
    """Whether two planes are one: what a rib stands on is cut in two by it where it reaches from wall to wall."""
    one, two = shape.normal(first), shape.normal(second)
    if first == second:
        return True
    if one is None or two is None or float(one @ two) < 1.0 - 1e-6:
        return False
    return abs(float((shape.points(second)[0] - shape.points(first)[0]) @ one)) <= shape.tolerance


def _is_top(shape: FeatureShape, face: int, normal: Array) -> bool:
    found = shape.normal(face)
    return found is not None and float(found @ normal) > 1.0 - 1e-6
