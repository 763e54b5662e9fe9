"""Ribs that run from wall to wall: thin walls that stand on planes, whatever ends them.

rib      two flat walls back to back, both with their foot on one level, and one top that joins them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.footprints import Foot, across, offset_of, tops_of
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.walls import direction_key, is_level, top_of, wall_at


@dataclass(frozen=True)
class _Flank:
    """A flat wall at one of the planes that it stands on."""

    wall: int
    base: int
    edge: BodyEdge
    """On the base."""
    way: Array
    """In which it faces, seen from above."""
    foot: Foot
    offset: float
    """Along that direction, at its foot."""


def ribs(shape: FeatureShape, seen: set[int]) -> list[Found]:
    """Two flat walls back to back, and open above. seen: faces of what was found before; those of ribs are added."""
    found = []
    candidates = [_rib(shape, one, two) for one, two in _back_to_back(_flanks(shape, seen))]
    # A rib stands on where its foot is longest: one from wall to wall has feet at these walls too.
    for rib in sorted(filter(None, candidates), key=lambda each: -each.members["length"]):
        if not seen & set(rib.faces):
            seen |= set(rib.faces)
            found.append(rib)
    return found


def _flanks(shape: FeatureShape, seen: set[int]) -> list[_Flank]:
    found = []
    for base in range(len(shape.faces)):
        normal = shape.normal(base)
        if normal is None:
            continue
        foot = Foot(normal, float(shape.point(base) @ normal))
        for edge, _ in shape.neighbours(base):
            wall = wall_at(shape, base, edge) if edge.type == "line" else None
            way = None if wall is None or wall in seen else across(shape, wall, normal)
            if wall is not None and way is not None:
                found.append(_Flank(wall, base, edge, way, foot, offset_of(shape, wall, way, foot)))
    return found


def _back_to_back(flanks: list[_Flank]) -> Iterator[tuple[_Flank, _Flank]]:
    """Pairs of walls with material between them that is no thicker than a rib as long as the foot of the first."""
    groups: dict[tuple[float, ...], list[tuple[float, int]]] = defaultdict(list)
    for place, flank in enumerate(flanks):
        groups[_key(flank.foot.normal, flank.way)].append((flank.offset, place))
    for places in groups.values():
        way, up = flanks[places[0][1]].way, flanks[places[0][1]].foot.normal
        # The walls that face the other way, by where they stand along this one.
        twos = sorted((-offset, place) for offset, place in groups.get(_key(up, -way), ()))
        for offset, one in places:
            begin = bisect_left(twos, (offset - thresholds.RIB_THICKNESS * flanks[one].edge.length, -1))
            for low, two in twos[begin:]:
                if low >= offset:
                    break
                yield flanks[one], flanks[two]


def _key(normal: Array, way: Array) -> tuple[float, ...]:
    return direction_key(np.concatenate([normal, way]))


def _rib(shape: FeatureShape, one: _Flank, two: _Flank) -> Found | None:
    if not is_level(shape, one.base, two.base):
        return None
    thickness, normal = one.offset + two.offset, one.foot.normal
    length = _common(shape, one, two)
    height = top_of(shape, one.wall, normal) - one.foot.level
    if not shape.tolerance < thickness <= thresholds.RIB_THICKNESS * min(length, height):
        return None
    tops = tops_of(shape, one.wall) & tops_of(shape, two.wall)
    if not tops:
        return None
    members = {"thickness": thickness, "length": length, "height": height, "axis": normal}
    return Found("rib", sorted({one.wall, two.wall, *(top for top in tops if _is_top(shape, top, normal))}), members)


def _common(shape: FeatureShape, one: _Flank, two: _Flank) -> float:
    """The length along which both have their feet; that of the walls where fillets fill them."""
    along = cross(one.foot.normal, one.way)
    spans = [
        shape.extent([each.wall], along)
        if shape.convexity(each.edge) == "smooth"
        else tuple(sorted(float(end @ along) for end in each.edge.ends))
        for each in (one, two)
    ]
    return min(high for _, high in spans) - max(low for low, _ in spans)


def _is_top(shape: FeatureShape, face: int, normal: Array) -> bool:
    found = shape.normal(face)
    return found is not None and float(found @ normal) > 1.0 - 1e-6
