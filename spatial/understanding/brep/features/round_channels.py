"""Channels with a round floor: what a ball mill leaves, with or without walls above its half turn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.outlines import gap_between
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape
from spatial.understanding.brep.features.walls import behind_rim, is_level, top_of

Side = tuple[BodyEdge, int]
"""An edge along the floor, and the face beyond it."""


def round_channels(shape: FeatureShape, taken: set[int]) -> Iterator[Found]:
    """By their floors: concave cylinders with one straight edge on either side. taken: faces of other features."""
    for face in range(len(shape.faces)):
        surface = shape.surfaces[face]
        if face in taken or surface is None or surface.kind != "cylinder" or shape.bulge(face) >= 0.0:
            continue
        sides = [(edge, other) for edge, other in shape.neighbours(face) if edge.type == "line" and other != face]
        if len(sides) == 2 and all(_is_along(shape, edge, surface.axis) for edge, _ in sides):
            channel = _walled(shape, face, sides) or _open(shape, face, sides)
            if channel is not None:
                yield channel


def _is_along(shape: FeatureShape, edge: BodyEdge, axis: Array) -> bool:
    along = edge.ends[1] - edge.ends[0]
    return shape.is_along(along / (float(np.linalg.norm(along)) or 1.0), axis)


def _walled(shape: FeatureShape, face: int, sides: list[Side]) -> Found | None:
    """Between two walls that go on from the floor, as far apart as it is wide."""
    surface, walls = shape.surfaces[face], [wall for _, wall in sides]
    normals = [shape.normal(wall) for wall in walls]
    one, two = normals
    if surface is None or one is None or two is None or any(shape.convexity(edge) != "smooth" for edge, _ in sides):
        return None
    pair = (walls[0], walls[1])
    if float(one @ two) > -1.0 + 1e-6 or abs(gap_between(shape, pair) - 2.0 * surface.radius) > shape.tolerance:
        return None
    up = np.asarray(cross(one, surface.axis))
    up = up if shape.extent(walls, up)[1] - float(surface.origin @ up) > shape.tolerance else -up
    top = min(top_of(shape, wall, up) for wall in walls)
    low, high = shape.extent([face], surface.axis)
    depth = top - float(surface.origin @ up) + surface.radius
    if depth < high - low:
        return _slot(shape, face, up, top, 2.0 * surface.radius, {face, *walls})
    is_blind = any(shape.convexity(edge) == "concave" for edge in shape.around(face))
    return None if is_blind else _notch(shape, face, walls, depth)


def _notch(shape: FeatureShape, face: int, walls: list[int], length: float) -> Found:
    """What is deeper than long goes through a plate, from its edge to a round end."""
    surface = shape.surfaces[face]
    assert surface is not None
    low, high = shape.extent([face], surface.axis)
    members = {"width": 2.0 * surface.radius, "length": length, "depth": high - low, "through": True}
    return Found("slot", sorted({face, *walls}), members | {"radius": surface.radius, "axis": surface.axis})


def _open(shape: FeatureShape, face: int, sides: list[Side]) -> Found | None:
    """In one plane, at most a half turn deep and longer than wide: a shorter one is a scallop."""
    surface = shape.surfaces[face]
    beyond = [behind_rim(shape, face, edge)[0] for edge, _ in sides]
    one, two = beyond
    if surface is None or one is None or two is None or not is_level(shape, one, two):
        return None
    normal = shape.normal(one)
    if normal is None or abs(float(normal @ surface.axis)) > PARALLEL:
        return None
    level = float(shape.point(one) @ normal)
    height = level - float(surface.origin @ normal)
    if height > shape.tolerance or height < -thresholds.FLUTE * surface.radius:
        return None
    width = 2.0 * float(np.sqrt(surface.radius**2 - height**2))
    low, high = shape.extent([face], surface.axis)
    return _slot(shape, face, normal, level, width, {face}) if high - low > width else None


def _slot(shape: FeatureShape, face: int, up: Array, top: float, width: float, faces: set[int]) -> Found:
    surface = shape.surfaces[face]
    assert surface is not None
    low, high = shape.extent([face], surface.axis)
    members = {
        "width": width,
        "length": high - low,
        "depth": top - float(surface.origin @ up) + surface.radius,
        "floor_radius": surface.radius,
        "through": False,
        "axis": -up,
        MOUTH: -top,
    }
    return Found("slot", sorted(faces), members)
