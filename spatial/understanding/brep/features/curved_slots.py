"""Slots along an arc, as those in which a clamped part is turned: two walls about one axis, and a half turn at either end."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial.geometry.analytic import AnalyticSurface
from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.understanding.brep.features.shape import FeatureShape


def curved_plan(shape: FeatureShape, walls: list[int], normal: Array) -> dict[str, Any] | None:
    """Width, length along the middle from end to end, `radius` of the ends, and the `arc` from the centre of one to that of the other.

    walls: all around, along `normal`. None of any other outline.
    """
    surfaces = {wall: found for wall in walls if (found := _upright(shape, wall, normal)) is not None}
    inner = [wall for wall in surfaces if shape.bulge(wall) > 0.0]
    concave = [wall for wall in surfaces if shape.bulge(wall) < 0.0]
    if len(surfaces) < len(walls) or not inner or not concave:
        return None
    axis, wide = surfaces[inner[0]], max(surfaces[wall].radius for wall in concave)
    width, middle = wide - axis.radius, (wide + axis.radius) / 2.0
    ends = [wall for wall in concave if abs(2.0 * surfaces[wall].radius - width) <= shape.tolerance]
    outer = [wall for wall in concave if wall not in ends]
    rings = [(wall, axis.radius) for wall in inner] + [(wall, wide) for wall in outer]
    is_concentric = all(
        _off(surfaces[wall], axis, normal) <= shape.tolerance and abs(surfaces[wall].radius - radius) <= shape.tolerance
        for wall, radius in rings
    )
    centres = _apart(shape, [surfaces[wall] for wall in ends], normal)
    if not is_concentric or not outer or len(centres) != 2:
        return None
    if any(abs(_off(centre, axis, normal) - middle) > shape.tolerance for centre in centres):
        return None
    turn = _turn(shape, outer, axis, normal)
    arc = {"radius": middle, "angle": float(np.degrees(turn))}
    return {"width": width, "length": middle * turn + width, "radius": width / 2.0, "arc": arc}


def _upright(shape: FeatureShape, wall: int, normal: Array) -> AnalyticSurface | None:
    surface = shape.surfaces[wall]
    is_upright = surface is not None and surface.kind == "cylinder" and shape.is_along(surface.axis, normal)
    return surface if is_upright else None


def _off(one: AnalyticSurface, two: AnalyticSurface, normal: Array) -> float:
    """The distance of two parallel axes."""
    return length(cross(one.origin - two.origin, normal))


def _apart(shape: FeatureShape, ends: list[AnalyticSurface], normal: Array) -> list[AnalyticSurface]:
    """One of each axis: an end may be in halves."""
    found: list[AnalyticSurface] = []
    for each in ends:
        if all(_off(each, other, normal) > shape.tolerance for other in found):
            found.append(each)
    return found


def _turn(shape: FeatureShape, walls: list[int], axis: AnalyticSurface, normal: Array) -> float:
    """Radians that walls cover about an axis: a turn without the widest gap between points on their edges."""
    away = np.concatenate([shape.points(wall) for wall in walls]) - axis.origin
    x = away[0] - (away[0] @ normal) * normal
    angles = np.sort(np.arctan2(away @ cross(normal, x), away @ x))
    return float(2.0 * np.pi - np.diff(angles, append=angles[0] + 2.0 * np.pi).max())
