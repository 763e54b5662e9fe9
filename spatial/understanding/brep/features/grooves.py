"""Grooves: rings cut into planes.

A ring of one width: its floor has a foot along its outer loop and along an inner one, and what stands inside is as high as what stands
around.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import PARALLEL, FeatureShape, Loop
from spatial.understanding.brep.features.walls import blends_at, depth_of, feet_of, is_level, risen_walls


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
    outer, around = risen_walls(shape, face, normal)
    if outer is None or not around or None in around:
        return None
    islands = [
        (loop, feet) for loop in shape.loops(face) if not loop.outer and (feet := feet_of(shape, face, loop, normal))
    ]
    if len(islands) != 1:
        return None
    inner, within = islands[0]
    outside = list(dict.fromkeys(wall for wall in around if wall is not None))
    depth, height = depth_of(shape, face, outside, normal), depth_of(shape, face, within, normal)
    if depth <= shape.tolerance or abs(depth - height) > shape.tolerance:
        return None
    faces = sorted({face, *outside, *within, *blends_at(shape, face, outer), *blends_at(shape, face, inner)})
    members: dict[str, Any] = {"depth": depth, "axis": -normal}
    radii = [_one_radius(shape, walls) for walls in (within, outside)]
    if radii[0] is not None and radii[1] is not None:
        members |= {
            "inner_diameter": 2.0 * radii[0],
            "outer_diameter": 2.0 * radii[1],
            "width": radii[1] - radii[0],
        }
    elif (width := _equidistant(shape, face, outer, inner)) is not None:
        blended = _foot_radii(shape, face, [*outside, *within], (outer, inner), normal)
        if blended is not None:
            members["width"] = width + blended
    elif not _is_concentric(shape, outer, inner):
        return None
    return Found("groove", faces, members)


def _foot_radii(
    shape: FeatureShape, face: int, walls: list[int], loops: tuple[Loop, Loop], normal: Array
) -> float | None:
    """What the fillets at both feet of a floor add to its width, 0 without any; None where walls lean or fillets are unlike."""
    added = 0.0
    for loop in loops:
        radii = {round(each.radius, 6) for blend in blends_at(shape, face, loop) if (each := shape.surfaces[blend])}
        if not radii:
            continue
        upright = all((plane := shape.normal(wall)) is None or abs(float(plane @ normal)) <= PARALLEL for wall in walls)
        if len(radii) > 1 or not upright:
            return None
        added += radii.pop()
    return added


def _is_concentric(shape: FeatureShape, outer: Loop, inner: Loop) -> bool:
    """Whether two loops are circles about one centre."""
    centres = [edge.center for edge in (*outer.edges, *inner.edges)]
    first = centres[0]
    return first is not None and all(
        each is not None and float(np.linalg.norm(each - first)) <= shape.tolerance for each in centres
    )


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
    if first is None or second is None or not is_level(shape, beside[0][1], beside[1][1]):
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
