"""Channels between two walls that face each other: slots that are open at one end or both.

Glossary
  pair     the two walls on the sides of a channel, which may be in pieces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.outlines import gap_between, is_corner
from spatial.understanding.brep.features.shape import FeatureShape, Loop
from spatial.understanding.brep.features.walls import (
    blends_at,
    depth_of,
    direction_key,
    facing,
    feet_of,
    is_level,
    risen_walls,
    top_of,
)


@dataclass
class Channel:
    """A slot that is open at an end."""

    floors: list[int]
    pair: tuple[int, int]
    """The two walls that face each other."""
    ends: list[int]
    """Walls that close it at an end."""
    faces: set[int]
    """All of it."""
    along: list[int] = field(default_factory=list)
    """Faces that are as long as it is; its floors where there are none."""


def joined(shape: FeatureShape, floors: list[Channel]) -> list[Channel]:
    """Slots that are open at an end; those that a hole cut in two are one."""
    levels: dict[tuple[float, ...], list[Channel]] = defaultdict(list)
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


def _both(one: Channel, two: Channel) -> Channel:
    along = one.along + two.along if one.along and two.along else []
    return Channel(one.floors + two.floors, one.pair, one.ends + two.ends, one.faces | two.faces, along)


def is_crossed(shape: FeatureShape, channel: Channel, used: set[int]) -> bool:
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


def channels_of(shape: FeatureShape, face: int, normal: Array) -> list[Channel]:
    """By its floor, which is that of several where channels of one depth cross."""
    outer, walls = risen_walls(shape, face, normal)
    risen = list(dict.fromkeys(wall for wall in walls if wall is not None))
    flat = [wall for wall in risen if shape.kind(wall) == "plane"]
    pair = facing(shape, flat)
    if outer is None or pair is None or depth_of(shape, face, list(pair), normal) <= shape.tolerance:
        return []
    crossing = facing(shape, _crossing(shape, face, flat, pair, normal))
    if crossing is None:
        return [_channel(shape, face, pair, risen, normal, outer)]
    risen += [wall for loop in shape.loops(face) if not loop.outer for wall in feet_of(shape, face, loop, normal)]
    flat = [wall for wall in risen if shape.kind(wall) == "plane"]
    own, other = (_pairs(shape, flat, one) for one in (pair, crossing))
    if len(own) + len(other) > 2 and not _is_one_level(shape, [*own, *other], normal):
        # What stands on a board leaves no channels between it.
        own, other = [pair], [crossing]
        risen = [wall for wall in risen if wall in walls]
    found = []
    for each, across in (*((each, other) for each in own), *((each, own) for each in other)):
        walls_across = {wall for two in across for wall in _level_with(shape, two, flat)}
        channel = _channel(shape, face, each, [wall for wall in risen if wall not in walls_across], normal, outer)
        if len(own) + len(other) > 2:
            channel.along = [*_level_with(shape, each, flat), *channel.ends]
        found.append(channel)
    return found


def _is_one_level(shape: FeatureShape, pairs: list[tuple[int, int]], normal: Array) -> bool:
    """Whether all walls end on one level: that which the channels were cut from."""
    tops = [top_of(shape, wall, normal) for pair in pairs for wall in pair]
    return max(tops) - min(tops) <= shape.tolerance


def islands(shape: FeatureShape, found: list[Found]) -> set[int]:
    """The walls of what channels that cross leave between them: as high as what is around, it is no boss."""
    shared = Counter(
        face for each in found if each.type == "slot" for face in each.faces if shape.normal(face) is not None
    )
    return {
        other
        for face, count in shared.items()
        if count > 1
        for loop in shape.loops(face)
        if not loop.outer
        for edge in loop.edges
        if (other := edge.other(face)) is not None
    }


def _pairs(shape: FeatureShape, walls: list[int], like: tuple[int, int]) -> list[tuple[int, int]]:
    """The walls parallel to a pair that face each other with none between them."""
    way = shape.normal(like[0])
    assert way is not None
    level: dict[int, tuple[int, int]] = {}
    for wall in walls:
        normal = shape.normal(wall)
        if normal is not None and abs(float(normal @ way)) >= 1.0 - 1e-6:
            side = 1 if float(normal @ way) > 0.0 else -1
            level.setdefault(round(float(shape.point(wall) @ way) / (10.0 * shape.tolerance)), (side, wall))
    ordered = [level[place] for place in sorted(level)]
    return [(one, two) for (first, one), (second, two) in pairwise(ordered) if first > 0 > second]


def _channel(
    shape: FeatureShape, face: int, pair: tuple[int, int], walls: list[int], normal: Array, outer: Loop
) -> Channel:
    """Between two walls; what else rises at the floor may close it."""
    ends = [
        wall
        for wall in walls
        if wall not in pair
        and (_is_across(shape, wall, pair[0]) or _is_round_end(shape, wall, pair, normal))
        and _is_between(shape, wall, pair)
    ]
    sides = _level_with(shape, pair, walls)
    return Channel([face], pair, ends, {face, *pair, *sides, *ends, *blends_at(shape, face, outer)})


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


def _is_between(shape: FeatureShape, wall: int, pair: tuple[int, int]) -> bool:
    """Whether the middle of a wall is between two others that face each other."""
    way = shape.normal(pair[0])
    assert way is not None
    low, high = sorted(float(shape.point(side) @ way) for side in pair)
    return low < sum(shape.extent([wall], way)) / 2.0 < high


def _is_across(shape: FeatureShape, wall: int, side: int) -> bool:
    """Whether a wall ends a channel: at right angles to its sides."""
    first, second = shape.normal(wall), shape.normal(side)
    return first is not None and second is not None and abs(float(first @ second)) <= thresholds.DRAFT


def _goes_on(shape: FeatureShape, one: Channel, two: Channel) -> bool:
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


def slot_of(shape: FeatureShape, channel: Channel) -> Found:
    """With its sizes: along its walls, over what has cut it."""
    floors, pair = channel.floors, channel.pair
    normal, across = shape.normal(floors[0]), shape.normal(pair[0])
    assert normal is not None
    assert across is not None
    along = np.asarray(cross(normal, across))
    low, high = shape.extent(channel.along or floors, along)
    depth = depth_of(shape, floors[0], list(pair), normal)
    mouth = depth + shape.extent(floors, normal)[1]
    middle = sum(float(shape.point(wall) @ across) for wall in pair) / 2.0
    members = {
        "width": gap_between(shape, pair),
        "length": high - low,
        "depth": depth,
        "through": False,
        "axis": -normal,
        "position": mouth * normal + middle * across + (low + high) / 2.0 * along,
    }
    if any(_is_round_end(shape, each, pair, normal) for each in channel.ends):
        members["radius"] = gap_between(shape, pair) / 2.0
    return Found("slot", sorted(channel.faces), members)
