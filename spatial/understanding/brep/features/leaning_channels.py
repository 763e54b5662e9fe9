"""Channels whose walls lean: dovetails, whose floor is wider than their mouth, V-grooves, and channels with sloping sides.

Glossary
  flank    a flat wall of a channel, from its foot to the rim at its mouth.
  root     where flanks meet what lies between them: a floor, a filled corner, or the edge of a V.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import acos, degrees
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.footprints import Foot, offset_of, surface_key
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape
from spatial.understanding.brep.features.walls import behind_rim, is_level, wall_at

Point = tuple[tuple[int, int], tuple[int, ...], tuple[BodyEdge, ...]]
"""Two flanks, the filled corner between them, if there is one, and the edges at it."""


@dataclass(frozen=True)
class _Channel:
    """One piece of a channel."""

    flanks: tuple[int, int]
    roots: tuple[int, ...]
    """The floor, or the filled corner between flanks; none where they meet in an edge."""
    edges: tuple[BodyEdge, ...]
    """At the feet of the flanks."""
    up: Array
    """Out of the mouth."""
    level: float
    """Of the mouth, along `up`."""


def leaning_channels(shape: FeatureShape, taken: set[int]) -> Iterator[Found]:
    """Two leaning walls that look at each other and end in one plane. taken: faces of other features."""
    pieces: dict[tuple[Any, ...], list[_Channel]] = defaultdict(list)
    for channel in (*_floored(shape, taken), *_pointed(shape, taken)):
        keys = sorted(map(repr, (surface_key(shape, flank) for flank in channel.flanks)))
        pieces[*keys].append(channel)
    for same in pieces.values():
        for group in _whole(shape, same):
            yield _found(shape, group)


def _whole(shape: FeatureShape, pieces: list[_Channel]) -> list[list[_Channel]]:
    """Pieces that share a flank are one channel, which something cut."""
    groups: list[list[_Channel]] = []
    for piece in pieces:
        own = set(piece.flanks)
        near = [group for group in groups if any(own & set(each.flanks) for each in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(each for group in near for each in group), piece])
    return groups


def _floored(shape: FeatureShape, taken: set[int]) -> Iterator[_Channel]:
    """With a flat floor: its feet are parallel, and the walls at them lean alike, in or out."""
    for face in range(len(shape.faces)):
        up = shape.normal(face)
        if face in taken or up is None:
            continue
        feet = [
            (edge, wall, along)
            for edge, _ in shape.neighbours(face)
            if edge.type == "line" and (wall := wall_at(shape, face, edge)) is not None and wall not in taken
            and (along := _leaning(shape, wall, up, thresholds.DRAFT)) is not None and _is_along(shape, edge, along)
        ]  # fmt: skip
        for one, two in ((one, two) for place, one in enumerate(feet) for two in feet[place + 1 :]):
            channel = _channel(shape, (one[1], two[1]), (face,), (one[0], two[0]), up)
            if channel is not None:
                yield channel
                break


def _leaning(shape: FeatureShape, wall: int, up: Array, least: float = PARALLEL) -> Array | None:
    """The direction along a flat wall that leans; None of any other. least: sine of the angle by which it does."""
    normal = shape.normal(wall)
    if normal is None or not least < abs(float(normal @ up)) < thresholds.LEANS_MOST:
        return None
    along = cross(normal, up)
    return np.asarray(along / length(along))


def _is_along(shape: FeatureShape, edge: BodyEdge, along: Array) -> bool:
    way = edge.ends[1] - edge.ends[0]
    return shape.is_along(way / (length(way) or 1.0), along)


def _pointed(shape: FeatureShape, taken: set[int]) -> Iterator[_Channel]:
    """Flanks that meet in a concave edge, or in a filled corner."""
    for flanks, roots, edges in points(shape, taken):
        yield from _between(shape, flanks, roots, edges)


def points(shape: FeatureShape, taken: set[int]) -> Iterator[Point]:
    """Two flat faces that meet in a concave straight edge, or in a filled corner; the corner, and the edges at it."""
    for edge in shape.edges.values():
        beside = [face for face in dict.fromkeys(edge.faces) if face not in taken]
        if edge.type == "line" and len(beside) == 2 and shape.convexity(edge) == "concave":
            yield (beside[0], beside[1]), (), (edge,)
    for face in range(len(shape.faces)):
        if face not in taken and shape.kind(face) == "cylinder" and shape.bulge(face) < 0.0:
            sides = [
                (edge, other)
                for edge, other in shape.neighbours(face)
                if edge.type == "line" and shape.convexity(edge) == "smooth" and other not in taken
            ]
            if len(sides) == 2 and sides[0][1] != sides[1][1]:
                yield (sides[0][1], sides[1][1]), (face,), (sides[0][0], sides[1][0])


def _between(
    shape: FeatureShape, flanks: tuple[int, int], roots: tuple[int, ...], edges: tuple[BodyEdge, ...]
) -> Iterator[_Channel]:
    """A channel whose mouth is the plane beyond both rims."""
    tops = [_beyond(shape, flank, edges[0]) for flank in flanks]
    for top in tops[0]:
        up = shape.normal(top)
        if up is None or any(_leaning(shape, flank, up) is None for flank in flanks):
            continue
        channel = _channel(shape, flanks, roots, edges, up)
        if channel is not None:
            yield channel
            return


def _beyond(shape: FeatureShape, flank: int, foot: BodyEdge) -> dict[int, int | None]:
    """The planes behind the rims of a flank that run along its foot, each with the chamfer or rounded edge between."""
    found: dict[int, int | None] = {}
    way = foot.ends[1] - foot.ends[0]
    along = way / (length(way) or 1.0)
    for edge, _ in shape.neighbours(flank):
        if edge.type == "line" and _is_along(shape, edge, along):
            top, rim = behind_rim(shape, flank, edge)
            if top is not None and shape.normal(top) is not None:
                found[top] = rim
    return found


def _channel(
    shape: FeatureShape, flanks: tuple[int, int], roots: tuple[int, ...], edges: tuple[BodyEdge, ...], up: Array
) -> _Channel | None:
    """Where both flanks look at each other and end in one plane across `up`."""
    one, two = (shape.normal(flank) for flank in flanks)
    if one is None or two is None or _leaning(shape, flanks[0], up) is None or _leaning(shape, flanks[1], up) is None:
        return None
    leans = float(one @ up), float(two @ up)
    level = [each - lean * up for each, lean in zip((one, two), leans, strict=True)]
    facing = float(level[0] @ level[1]) <= -(1.0 - PARALLEL) * length(level[0]) * length(level[1])
    if not facing or leans[0] * leans[1] <= 0.0:
        return None
    tops = [_beyond(shape, flank, edges[0]) for flank in flanks]
    for first in tops[0]:
        out = shape.normal(first)
        if out is not None and float(out @ up) > 1.0 - 1e-6 and any(is_level(shape, first, each) for each in tops[1]):
            channel = _Channel(flanks, roots, edges, up, float(shape.point(first) @ up))
            return channel if _width(shape, channel, channel.level) > shape.tolerance else None
    return None


def _width(shape: FeatureShape, channel: _Channel, level: float) -> float:
    """Between the planes of both flanks at a level; below 0 where their fronts are not towards each other."""
    foot, offsets = Foot(channel.up, level), []
    for flank in channel.flanks:
        normal = shape.normal(flank)
        assert normal is not None
        way = normal - float(normal @ channel.up) * channel.up
        offsets.append(offset_of(shape, flank, way / length(way), foot))
    return -sum(offsets)


def _found(shape: FeatureShape, pieces: list[_Channel]) -> Found:
    first, up = pieces[0], pieces[0].up
    roots = sorted({root for each in pieces for root in each.roots})
    flanks = sorted({flank for each in pieces for flank in each.flanks})
    feet = [edge for each in pieces for edge in each.edges]
    low = min([*(shape.extent([root], up)[0] for root in roots), *(float((e.ends @ up).min()) for e in feet)])
    way = feet[0].ends[1] - feet[0].ends[0]
    along = way / length(way)
    ends = [float(end) for edge in feet for end in edge.ends @ along]
    members: dict[str, Any] = {
        "width": _width(shape, first, first.level),
        "length": max(ends) - min(ends),
        "depth": first.level - low,
        "through": False,
        "axis": -up,
        MOUTH: -first.level,
    }
    closing = {
        other
        for face in (*roots, *flanks)
        for edge, other in shape.neighbours(face)
        if shape.convexity(edge) == "concave" and (normal := shape.normal(other)) is not None
        if shape.is_along(normal, along)
    }
    return Found("slot", sorted({*roots, *flanks, *closing}), members | _section(shape, first, roots, low))


def _section(shape: FeatureShape, channel: _Channel, roots: list[int], low: float) -> dict[str, Any]:
    """What tells a dovetail, a V and sloping sides from each other."""
    one, two = (shape.normal(flank) for flank in channel.flanks)
    assert one is not None
    assert two is not None
    between = 180.0 - degrees(acos(max(-1.0, min(1.0, float(one @ two)))))
    floor = next((root for root in roots if shape.normal(root) is not None), None)
    if floor is None:
        filled = [surface.radius for root in roots if (surface := shape.surfaces[root]) is not None]
        return {"angle": between, **({"floor_radius": filled[0]} if filled else {})}
    width = _width(shape, channel, low)
    if float(one @ channel.up) > 0.0:
        return {"angle": between, "floor_width": width}
    flank = degrees(acos(-float(one @ channel.up)))
    return {"undercut": {"width": width, "depth": channel.level - low, "angle": 90.0 - abs(90.0 - flank)}}
