"""V-grooves along a shaft: two flanks that end in one cylinder whose axis they run along."""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, degrees

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.leaning_channels import Point, points
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape


def shaft_channels(shape: FeatureShape, taken: set[int]) -> Iterator[Found]:
    """Their depth is taken from the crown of the shaft, as that of a keyway is. taken: faces of other features."""
    for point in points(shape, taken):
        found = _channel(shape, point)
        if found is not None:
            yield found


def _channel(shape: FeatureShape, point: Point) -> Found | None:
    flanks, roots, edges = point
    way = edges[0].ends[1] - edges[0].ends[0]
    along = np.asarray(way / (length(way) or 1.0))
    rims = [_rim(shape, flank, along) for flank in flanks]
    normals = [shape.normal(flank) for flank in flanks]
    (one, first), (two, second) = rims
    if (
        one is None
        or two is None
        or normals[0] is None
        or normals[1] is None
        or not shape.is_one_surface(first, second)
    ):
        return None
    shaft = shape.surfaces[first]
    assert shaft is not None
    middle = (one.points[1] + two.points[1]) / 2.0 - shaft.origin
    up = middle - (middle @ along) * along
    if length(up) <= shape.tolerance or not all(
        float(normal @ up) > PARALLEL * length(up) for normal in normals if normal is not None
    ):
        return None
    up = up / length(up)
    crown = float(shaft.origin @ up) + shaft.radius
    low = min(shape.extent([root], up)[0] for root in roots) if roots else float((edges[0].ends @ up).min())
    low_end, high_end = shape.extent(list(flanks), along)
    members = {
        "width": length(cross(two.points[1] - one.points[1], along)),
        "length": high_end - low_end,
        "depth": crown - low,
        "angle": 180.0 - degrees(acos(max(-1.0, min(1.0, float(normals[0] @ normals[1]))))),
        "through": False,
        "axis": -up,
        MOUTH: -crown,
    }
    filled = [surface.radius for root in roots if (surface := shape.surfaces[root]) is not None]
    return Found("slot", sorted({*flanks, *roots}), members | ({"floor_radius": filled[0]} if filled else {}))


def _rim(shape: FeatureShape, flank: int, along: Array) -> tuple[BodyEdge | None, int]:
    """The edge of a flank at a convex cylinder along a direction, and that cylinder."""
    for edge, other in shape.neighbours(flank):
        surface = shape.surfaces[other]
        if edge.type != "line" or surface is None or surface.kind != "cylinder" or shape.bulge(other) <= 0.0:
            continue
        if shape.convexity(edge) == "convex" and shape.is_along(surface.axis, along):
            return edge, other
    return None, flank
