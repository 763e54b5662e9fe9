"""Holes: the concave bands of one axis that follow each other, from where they enter to where they end.

A wall is a hole's where it goes all round, or more than half round and something else has cut it open. Half a turn is the end of
a slot, less is a rounded corner; a convex wall is a pin.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from math import atan, degrees
from typing import Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.bands import Axis, Band, RoundFaces
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.hole_steps import described, merged, step_of
from spatial.understanding.brep.features.shape import FeatureShape

_SIDES: Final = (-1.0, 1.0)


def holes(shape: FeatureShape, rounds: RoundFaces, taken: set[int]) -> list[Found]:
    """Every hole of a body. taken: faces of grooves, whose outer walls are none."""
    found = []
    for axis in rounds.concave:
        for stack in _stacks(shape, axis, taken):
            hole = _hole(shape, axis, stack)
            if hole is not None:
                found.append(hole)
    return found


def _stacks(shape: FeatureShape, axis: Axis, taken: set[int]) -> list[list[Band]]:
    """Bands that continue each other; those that no drill made are left out."""
    drilled = [
        band
        for band in axis.bands
        if band.turn >= thresholds.MORE_THAN_HALF and not set(band.faces) <= taken and not _is_milled(shape, axis, band)
    ]
    stacks: list[list[Band]] = []
    for band in drilled:
        stack = next((each for each in reversed(stacks) if _continues(shape, each[-1], band, axis)), None)
        if stack is None:
            stacks.append([band])
        else:
            stack.append(band)
    return stacks


def _is_milled(shape: FeatureShape, axis: Axis, band: Band) -> bool:
    """Whether a wall goes over into round walls at both of its sides: the outer wall of a slot along an arc. What is cut open has edges."""
    beyond = [
        (edge, other)
        for face in band.faces
        for edge, other in shape.neighbours(face)
        if other not in band.faces and edge.type == "line"
    ]
    return bool(beyond) and all(
        shape.convexity(edge) == "smooth"
        and shape.kind(other) == "cylinder"
        and shape.bulge(other) < 0.0
        and any(_is_pin(shape, axis, further) for _, further in shape.neighbours(other))
        for edge, other in beyond
    )


def _is_pin(shape: FeatureShape, axis: Axis, face: int) -> bool:
    """Whether a face is a convex cylinder about an axis: the inner wall of a slot along an arc."""
    surface = shape.surfaces[face]
    return (
        surface is not None
        and surface.kind == "cylinder"
        and shape.bulge(face) > 0.0
        and float(axis.distances(surface.origin[None])[0]) <= shape.tolerance
    )


def _continues(shape: FeatureShape, last: Band, band: Band, axis: Axis) -> bool:
    gap = band.low - last.high
    if -gap > shape.tolerance + thresholds.BESIDE * min(last.length, band.length) and "cylinder" in (
        last.kind,
        band.kind,
    ):
        # Walls beside each other at one height are an island's and that around it: no tool makes both.
        return False
    if gap <= shape.tolerance:
        return True
    if last.kind == band.kind == "cylinder" and abs(last.radius - band.radius) <= shape.tolerance:
        reach = thresholds.JOINED_BY_DRILL * max(last.length, band.length)
        return gap <= reach and not _floor(shape, axis, last, 1.0) and not _floor(shape, axis, band, -1.0)
    return _blended(shape, last, band)


def _blended(shape: FeatureShape, last: Band, band: Band) -> bool:
    """Whether a rounded corner, a torus about the axis, joins two bands."""
    beside = {other for face in last.faces for _, other in shape.neighbours(face) if shape.kind(other) == "torus"}
    return any(
        other in beside or any(further in beside for _, further in shape.neighbours(other))
        for face in band.faces
        for _, other in shape.neighbours(face)
        if other not in last.faces
    )


@dataclass
class _End:
    """How a stack ends on one side."""

    shape: str
    """open, flat, conical or spherical."""
    faces: list[int]
    angle: float | None = None


def _end(shape: FeatureShape, axis: Axis, band: Band, side: float) -> _End:
    if band.kind == "cone" and band.radii[0 if side < 0.0 else 1] <= shape.tolerance:
        return _End("conical", [], 2.0 * _half_angle(band))
    floor = _floor(shape, axis, band, side)
    if not floor:
        return _End("open", [])
    kind = shape.kind(floor[0])
    return _End({"plane": "flat", "sphere": "spherical", "torus": "flat"}.get(kind, "flat"), floor)


def _floor(shape: FeatureShape, axis: Axis, band: Band, side: float) -> list[int]:
    """The faces that close a band on one side: planes across the axis within it, spheres, or a rounded corner to such a plane."""
    found = []
    level = band.high if side > 0.0 else band.low
    for face in band.faces:
        for edge, other in shape.neighbours(face):
            closing = [] if other in band.faces else _closing(shape, axis, other, shape.convexity(edge), band)
            if closing and abs(float(axis.heights(edge.points).mean()) - level) <= shape.tolerance:
                found += closing
    return list(dict.fromkeys(found))


def _closing(shape: FeatureShape, axis: Axis, face: int, convexity: str | None, band: Band) -> list[int]:
    kind = shape.kind(face)
    surface = shape.surfaces[face]
    if kind == "plane" and convexity == "concave":
        within = axis.distances(shape.points(face)).max() <= max(band.radii) + shape.tolerance
        return [face] if surface is not None and shape.is_along(surface.axis, axis.direction) and within else []
    if kind == "sphere" and convexity in ("smooth", "concave") and shape.bulge(face) < 0.0:
        return [face]
    if kind == "torus" and convexity == "smooth" and shape.bulge(face) < 0.0:
        planes = [
            other
            for edge, other in shape.neighbours(face)
            if shape.kind(other) == "plane" and shape.convexity(edge) == "smooth"
        ]
        inner = [other for other in planes if axis.distances(shape.points(other)).max() < max(band.radii)]
        return [face, *inner] if inner else []
    return []


def _half_angle(band: Band) -> float:
    return degrees(atan(abs(band.radii[1] - band.radii[0]) / band.length)) if band.length > 0.0 else 90.0


def _hole(shape: FeatureShape, axis: Axis, stack: list[Band]) -> Found | None:
    if not any(band.kind == "cylinder" for band in stack):
        return None
    low, high = _end(shape, axis, stack[0], -1.0), _end(shape, axis, stack[-1], 1.0)
    if "open" not in (low.shape, high.shape):
        return None
    is_through = low.shape == high.shape == "open"
    # A through hole enters where it is wider; one without treatment, from the side of the axis.
    is_wider = max(stack[-1].radii) > max(stack[0].radii) + shape.tolerance
    enters_high = high.shape == "open" and (low.shape != "open" or is_wider)
    if enters_high:
        stack, bottom, side = stack[::-1], low, -1.0
    else:
        bottom, side = high, 1.0
    entry = _mouth(shape, axis, stack[0], side)
    steps = merged(shape, [step_of(band, entry, side) for band in stack])
    faces = [face for band in stack for face in band.faces] + bottom.faces + _shoulders(shape, axis, stack)
    members = described(shape, steps)
    members |= {
        "through": is_through,
        "axis": axis.direction * side,
        "position": axis.at(entry),
    }
    if max(band.turn for band in stack if band.kind == "cylinder") < thresholds.WHOLE_TURN:
        members["interrupted"] = True
    thread = next((band.thread for band in stack if band.thread), None)
    if thread is not None:
        members["thread"] = thread.members
    walls = _walls(shape, stack)
    if walls > 1:
        members["walls"] = walls
    if not is_through:
        members["bottom"] = {"shape": bottom.shape, **({"angle": bottom.angle} if bottom.angle else {})}
        members["depth"] = max(step.end for step in steps if step.kind == "cylinder")
    return Found("hole", sorted(set(faces)), members)


def _mouth(shape: FeatureShape, axis: Axis, first: Band, side: float) -> float:
    """Where a hole begins along its axis: at its first wall, or where the rounded edge around its mouth does."""
    begin = first.low if side > 0.0 else first.high
    rounded = [
        other
        for face in first.faces
        for edge, other in shape.neighbours(face)
        if shape.kind(other) == "torus"
        and shape.bulge(other) > 0.0
        and shape.convexity(edge) == "smooth"
        and float(axis.distances(shape.surfaces[other].origin[None])[0]) <= shape.tolerance  # type: ignore[union-attr]  # a torus has a surface
        and abs(float(axis.heights(edge.points).mean()) - begin) <= shape.tolerance
    ]
    heights = [begin, *(float(height) for face in rounded for height in axis.heights(shape.points(face)))]
    return min(heights) if side > 0.0 else max(heights)


def _walls(shape: FeatureShape, stack: list[Band]) -> int:
    """How many cylinders of the smallest diameter there are, with gaps between them."""
    cylinders = [band for band in stack if band.kind == "cylinder"]
    least = min(band.radius for band in cylinders) + shape.tolerance
    spans = sorted((band.low, band.high) for band in cylinders if band.radius <= least)
    ends = accumulate((high for _, high in spans), max)
    return 1 + sum(low > end + shape.tolerance for end, (low, _) in zip(ends, spans[1:], strict=False))


def _shoulders(shape: FeatureShape, axis: Axis, stack: list[Band]) -> list[int]:
    """The rings between two diameters, and the rounded corners at them."""
    walls = {face for band in stack for face in band.faces}
    widest = max(max(band.radii) for band in stack) + shape.tolerance
    return [
        other
        for face in walls
        for edge, other in shape.neighbours(face)
        if other not in walls
        and shape.convexity(edge) in ("concave", "smooth")
        and shape.kind(other) in ("plane", "torus")
        and shape.is_along(shape.surfaces[other].axis, axis.direction)  # type: ignore[union-attr]  # a plane has a surface
        and axis.distances(shape.points(other)).max() <= widest
    ]


def walls(found: list[Found]) -> set[int]:
    """The faces of holes."""
    return {face for each in found if each.type == "hole" for face in each.faces}


def entry_of(hole: Found) -> Array:
    """Where a hole begins; millimetres."""
    return np.asarray(hole.members["position"])
