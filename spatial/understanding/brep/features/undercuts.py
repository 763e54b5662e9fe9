"""Slots that are wider below than at their mouth, as the T-slots of machine tables (ISO 299), and longer than they are wide.

Glossary
  neck       the two upper walls, a slot's own width apart.
  shoulder   a plane that faces the floor, between a neck and a lower wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.outlines import gap_between
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.walls import blends_at, depth_of, opposite_walls, risen_walls


def undercut(shape: FeatureShape, face: int, normal: Array) -> Found | None:
    """By its floor: two walls that face each other, each with a shoulder over it that ends at a neck."""
    outer, walls = risen_walls(shape, face, normal)
    standing = list(dict.fromkeys(wall for wall in walls if wall is not None))
    if next(opposite_walls(shape, standing), None) is None:
        return None
    rims: dict[int, list[int]] = {}
    necks_of = {wall: found for wall in standing if (found := list(_necks(shape, wall, normal, rims)))}
    for one, two in opposite_walls(shape, list(necks_of)):
        for first, second in product(necks_of[one], necks_of[two]):
            necks, pair = (first[1], second[1]), (one, two)
            if outer is None or not _is_narrower(shape, necks, pair) or not _ends_alike(shape, necks, pair, normal):
                continue
            ends = [wall for wall in standing if wall not in pair]
            faces = {face, *pair, *first, *second, *ends, *blends_at(shape, face, outer)}
            members = _members(shape, face, normal, necks, pair)
            if members["length"] < members["undercut"]["width"]:
                continue
            members["undercut"]["depth"] = shape.extent([first[0]], normal)[1] - shape.extent([face], normal)[1]
            return Found("slot", sorted(faces), members)
    return None


def _necks(shape: FeatureShape, wall: int, normal: Array, rims: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    """Shoulder and neck over a lower wall. rims: the flat faces at the convex edges of shoulders that were looked at."""
    facing = shape.normal(wall)
    if facing is None:
        return
    for edge, shoulder in shape.neighbours(wall):
        if shape.convexity(edge) != "concave" or not _looks_down(shape, shoulder, normal):
            continue
        if shoulder not in rims:
            rims[shoulder] = [
                neck
                for rim, neck in shape.neighbours(shoulder)
                if shape.convexity(rim) == "convex" and shape.normal(neck) is not None
            ]
        for neck in rims[shoulder]:
            way = shape.normal(neck)
            if way is not None and float(way @ facing) > 1.0 - 1e-6:
                yield shoulder, neck


def _looks_down(shape: FeatureShape, face: int, normal: Array) -> bool:
    found = shape.normal(face)
    return found is not None and float(found @ normal) <= -1.0 + 1e-6


def _is_narrower(shape: FeatureShape, necks: tuple[int, int], pair: tuple[int, int]) -> bool:
    """Whether necks look at each other, nearer than the walls below them do."""
    first = shape.normal(necks[0])
    apart = 0.0 if first is None else float((shape.point(necks[1]) - shape.point(necks[0])) @ first)
    return shape.tolerance < apart < gap_between(shape, pair) - shape.tolerance


def _ends_alike(shape: FeatureShape, necks: tuple[int, int], pair: tuple[int, int], normal: Array) -> bool:
    """Whether the lower walls end where the necks do, or further by what their cutter is wider; a passage that crosses goes on."""
    way = shape.normal(pair[0])
    assert way is not None
    along = np.asarray(cross(normal, way))
    (low, high), (first, last) = shape.extent(list(necks), along), shape.extent(list(pair), along)
    wider = (gap_between(shape, pair) - gap_between(shape, necks)) / 2.0 + shape.tolerance
    return low - first <= wider and last - high <= wider


def _members(
    shape: FeatureShape, face: int, normal: Array, necks: tuple[int, int], pair: tuple[int, int]
) -> dict[str, Any]:
    way = shape.normal(pair[0])
    assert way is not None
    low, high = shape.extent(list(necks), np.asarray(cross(normal, way)))
    depth = depth_of(shape, face, list(necks), normal)
    return {
        "width": gap_between(shape, necks),
        "length": high - low,
        "depth": depth,
        "through": False,
        "axis": -normal,
        "undercut": {"width": gap_between(shape, pair)},
        MOUTH: -depth - shape.extent([face], normal)[1],
    }
