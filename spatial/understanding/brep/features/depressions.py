"""Pockets and slots: what planes have around them, seen loop by loop.

pocket   a plane whose outer loop is a foot all round: its walls rise from it. With two parallel walls and round ends it is a slot.
slot     also a plane between two parallel walls that face each other, open at one or both ends, and an obround opening that goes through.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.dimples import dimple
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.leaning_channels import leaning_channels
from spatial.understanding.brep.features.round_channels import round_channels
from spatial.understanding.brep.features.shape import FeatureShape, Loop
from spatial.understanding.brep.features.undercuts import undercut
from spatial.understanding.brep.features.walls import (
    behind_rim,
    blends_at,
    depth_of,
    direction_key,
    facing,
    gap_between,
    is_corner,
    is_level,
    is_upright,
    near_keys,
    plan_of,
    risen_walls,
    top_of,
)


def depressions(shape: FeatureShape, taken: set[int], *, channels: bool) -> list[Found]:
    """Pockets and slots, the most certain first: a wall of a pocket has feet too, and is no floor.

    taken: faces of holes. channels: whether slots that are open at an end are looked for; a bent sheet is one itself.
    """
    found: list[Found] = []
    seen: set[int] = set()
    planes = {face: normal for face in range(len(shape.faces)) if (normal := shape.normal(face)) is not None}
    _keep(found, seen, (undercut(shape, face, normal) for face, normal in planes.items() if face not in taken))
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
        _keep(found, seen, leaning_channels(shape, taken | seen))
        used = seen | taken
        floors = [each for face, way in planes.items() if face not in used for each in _channels(shape, face, way)]
        # An end of a slot is a round channel too, where a hole or a pocket has cut the slot in two.
        _keep_channels(shape, found, seen, [each for each in _joined(shape, floors) if _is_crossed(shape, each, used)])
        _keep(found, seen, round_channels(shape, taken | seen))
        left = [each for each in floors if not seen.intersection(each.floors)]
        _keep_channels(shape, found, seen, _joined(shape, left))
    return found


def _keep(found: list[Found], seen: set[int], candidates: Iterable[Found | None]) -> None:
    """Take those whose faces no earlier one has."""
    for each in candidates:
        if each is not None and not seen & set(each.faces):
            seen |= set(each.faces)
            found.append(each)


def _keep_channels(shape: FeatureShape, found: list[Found], seen: set[int], candidates: Iterable[_Channel]) -> None:
    """The same for channels, of which several may have one floor: they cross there."""
    floors: set[int] = set()
    for each in candidates:
        if not seen & (each.faces - floors):
            seen |= each.faces
            floors |= set(each.floors)
            found.append(_slot(shape, each))


def _pocket(shape: FeatureShape, face: int, normal: Array, taken: set[int]) -> Found | None:
    """By its floor: its outer loop is a foot all round. The floor of a counterbore is a hole's."""
    outer, walls = risen_walls(shape, face, normal, thresholds.LEAN)
    if outer is None or not walls or None in walls:
        return None
    standing = list(dict.fromkeys(wall for wall in walls if wall is not None))
    if not all(is_upright(shape, wall, normal) or _opens(shape, wall, face, standing) for wall in standing):
        return None
    depth = depth_of(shape, face, standing, normal)
    if depth <= shape.tolerance or set(standing) <= taken:
        return None
    faces = _with_corners(shape, {face, *standing, *blends_at(shape, face, outer)})
    steep = set(standing)
    upright = [each for each in faces - {face} if each in steep or is_corner(shape, each, normal)]
    members: dict[str, Any] = {"depth": depth, "through": False, "axis": -normal, **plan_of(shape, upright, normal)}
    members[MOUTH] = -depth - shape.extent([face], normal)[1]
    if any(shape.kind(wall) in ("torus", "sphere") and shape.bulge(wall) > 0.0 for wall in standing):
        # Walls that bulge into a pocket end outside of it: it is as wide as nothing that is measured here.
        members = {name: value for name, value in members.items() if name not in ("width", "length")}
    kind = "slot" if members.pop("is_slot") else "pocket"
    return Found(kind, sorted(faces), members)


def _opens(shape: FeatureShape, wall: int, floor: int, walls: list[int]) -> bool:
    """Whether a wall leans out of a pocket and ends at its rim: the broken corner of a floor ends at another wall."""
    normal, up = shape.normal(wall), shape.normal(floor)
    return (
        normal is not None
        and up is not None
        and float(normal @ up) > 0.0
        and all(
            other == floor or other in walls or shape.convexity(edge) == "convex" or shape.bulge(other) != 0.0
            for edge, other in shape.neighbours(wall)
        )
    )


def _with_corners(shape: FeatureShape, faces: set[int]) -> set[int]:
    """With the filled corners between them: cylinders between two walls, the ball where three fillets meet."""
    found, waiting = set(faces), list(faces)
    while waiting:
        face = waiting.pop()
        for edge, other in shape.neighbours(face):
            if other in found or shape.convexity(edge) != "smooth" or shape.bulge(other) >= 0.0:
                continue
            beside = {beyond for further, beyond in shape.neighbours(other) if shape.convexity(further) == "smooth"}
            if len(beside & found) >= 2:
                found.add(other)
                waiting.append(other)
    return found


@dataclass
class _Channel:
    """A slot that is open at an end."""

    floors: list[int]
    pair: tuple[int, int]
    """The two walls that face each other."""
    ends: list[int]
    """Walls that close it at an end."""
    faces: set[int]
    """All of it."""


def _joined(shape: FeatureShape, floors: list[_Channel]) -> list[_Channel]:
    """Slots that are open at an end; those that a hole cut in two are one."""
    levels: dict[tuple[float, ...], list[_Channel]] = defaultdict(list)
    for floor in floors:
        [face] = floor.floors
        normal = shape.normal(face)
        assert normal is not None
        level = round(float(shape.point(face) @ normal) / (10.0 * shape.tolerance))
        same = levels[*direction_key(normal), level]
        place = next((place for place, each in enumerate(same) if _goes_on(shape, each, floor)), None)
        if place is None:
            same.append(floor)
        else:
            same[place] = _both(same[place], floor)
    return [each for same in levels.values() for each in same]


def _both(one: _Channel, two: _Channel) -> _Channel:
    return _Channel(one.floors + two.floors, one.pair, one.ends + two.ends, one.faces | two.faces)


def _is_crossed(shape: FeatureShape, channel: _Channel, used: set[int]) -> bool:
    """Whether a channel with a round end is open towards holes and pockets alone: it is a slot that they cut, and no channel."""
    normal = shape.normal(channel.floors[0])
    if normal is None or not any(_is_round_end(shape, each, channel.pair, normal) for each in channel.ends):
        return False
    rims = {
        other
        for floor in channel.floors
        for edge, other in shape.neighbours(floor)
        if shape.convexity(edge) == "convex"
    }
    return bool(rims) and rims <= used


def _channels(shape: FeatureShape, face: int, normal: Array) -> list[_Channel]:
    """By its floor, which is that of two where channels of one depth cross."""
    outer, walls = risen_walls(shape, face, normal)
    risen = list(dict.fromkeys(wall for wall in walls if wall is not None))
    flat = [wall for wall in risen if shape.kind(wall) == "plane"]
    pair = facing(shape, flat)
    if outer is None or pair is None or depth_of(shape, face, list(pair), normal) <= shape.tolerance:
        return []
    crossing = facing(shape, _crossing(shape, face, flat, pair, normal))
    if crossing is None:
        return [_channel(shape, face, pair, risen, normal, outer)]
    return [
        _channel(
            shape, face, own, [wall for wall in risen if wall not in _level_with(shape, other, flat)], normal, outer
        )
        for own, other in ((pair, crossing), (crossing, pair))
    ]


def _channel(
    shape: FeatureShape, face: int, pair: tuple[int, int], walls: list[int], normal: Array, outer: Loop
) -> _Channel:
    """Between two walls; what else rises at the floor may close it."""
    ends = [
        wall
        for wall in walls
        if wall not in pair and (_is_across(shape, wall, pair[0]) or _is_round_end(shape, wall, pair, normal))
    ]
    sides = _level_with(shape, pair, walls)
    return _Channel([face], pair, ends, {face, *pair, *sides, *ends, *blends_at(shape, face, outer)})


def _level_with(shape: FeatureShape, pair: tuple[int, int], walls: list[int]) -> set[int]:
    """The pieces of two walls."""
    return {wall for wall in walls if any(is_level(shape, wall, each) for each in pair)}


def _crossing(shape: FeatureShape, face: int, walls: list[int], pair: tuple[int, int], normal: Array) -> list[int]:
    """The walls across a channel that stand between its ends: those of another one that crosses it."""
    across = shape.normal(pair[0])
    assert across is not None
    along = np.asarray(cross(normal, across))
    low, high = shape.extent([face], along)
    return [
        wall
        for wall in walls
        if _is_across(shape, wall, pair[0])
        and low + shape.tolerance < float(shape.point(wall) @ along) < high - shape.tolerance
    ]


def _is_round_end(shape: FeatureShape, wall: int, pair: tuple[int, int], normal: Array) -> bool:
    """Whether a wall is the half turn between the two sides of a channel."""
    surface = shape.surfaces[wall]
    if surface is None or shape.bulge(wall) >= 0.0 or not is_corner(shape, wall, normal):
        return False
    return abs(2.0 * surface.radius - gap_between(shape, pair)) <= shape.tolerance


def _is_across(shape: FeatureShape, wall: int, side: int) -> bool:
    """Whether a wall ends a channel: at right angles to its sides."""
    first, second = shape.normal(wall), shape.normal(side)
    return first is not None and second is not None and abs(float(first @ second)) <= thresholds.DRAFT


def _goes_on(shape: FeatureShape, one: _Channel, two: _Channel) -> bool:
    """Whether two channels are one that something cut in two: on one level, between the same walls, and open towards each other."""
    if not is_level(shape, one.floors[0], two.floors[0]) or not _is_same_pair(shape, one.pair, two.pair):
        return False
    normal, across = shape.normal(one.floors[0]), shape.normal(one.pair[0])
    assert normal is not None
    assert across is not None
    along = cross(normal, across)
    spans = [shape.extent(each.floors, along) for each in (one, two)]
    low, high = min(end for _, end in spans), max(begin for begin, _ in spans)
    ends = [shape.extent([wall], along) for wall in (*one.ends, *two.ends)]
    # A round end begins before the floor does; what counts is where it is closed.
    return not any(low - shape.tolerance <= end <= high + shape.tolerance for span in ends for end in span)


def _is_same_pair(shape: FeatureShape, one: tuple[int, int], two: tuple[int, int]) -> bool:
    return any(all(is_level(shape, a, b) for a, b in zip(one, order, strict=True)) for order in (two, two[::-1]))


def _slot(shape: FeatureShape, channel: _Channel) -> Found:
    floors, pair = channel.floors, channel.pair
    normal, across = shape.normal(floors[0]), shape.normal(pair[0])
    assert normal is not None
    assert across is not None
    low, high = shape.extent(floors, cross(normal, across))
    depth = depth_of(shape, floors[0], list(pair), normal)
    members = {
        "width": gap_between(shape, pair),
        "length": high - low,
        "depth": depth,
        "through": False,
        "axis": -normal,
        MOUTH: -depth - shape.extent(floors, normal)[1],
    }
    if any(_is_round_end(shape, each, pair, normal) for each in channel.ends):
        members["radius"] = gap_between(shape, pair) / 2.0
    return Found("slot", sorted(channel.faces), members)


def _opening(shape: FeatureShape, face: int, normal: Array, loop: Loop, taken: set[int]) -> Found | None:
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
