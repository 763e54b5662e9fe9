"""The size of the blank of a bent sheet whose bends are all parallel.

Each flange is laid into one plane, bend after bend; a bend becomes a strip as wide as its neutral fibre is long. Along the bends nothing
changes, so that one coordinate per flange is enough.

Glossary
  flange         a flat part of a sheet: planes on both sides of it.
  neutral fibre  what bending neither stretches nor presses: DIN 6935 puts it k times half the thickness from the inner side, with
                 k = 0.65 + 0.5 lg(r / s), at most 1.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import log10
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross
from spatial.understanding.brep.features.bands import Axis, Band
from spatial.understanding.brep.features.shape import FeatureShape

RULE: Final = "DIN 6935"
LEAST_RATIO: Final = 0.1
"""Inner radius by thickness down to which the rule is taken; below it a bend is a crease whose fibre nothing tells."""
ALL_MATERIAL: Final = 0.01
"""Part of the volume that flanges and bends may miss: edges that are not square. More is a form that this does not unfold."""

Bend = tuple[Axis, Band, Band]
"""Axis, inner and outer cylinder."""


@dataclass(frozen=True)
class _Joint:
    """A bend between two flanges."""

    first: int
    second: int
    bend: Bend
    allowance: float


def neutral_fibre(inner_radius: float, thickness: float) -> float | None:
    """The factor K: how far the neutral fibre is from the inner side, as a part of the thickness; None beyond the rule of DIN 6935."""
    ratio = inner_radius / thickness
    return min(0.65 + 0.5 * log10(ratio), 1.0) / 2.0 if ratio >= LEAST_RATIO else None


def blank(shape: FeatureShape, bends: list[Bend], thickness: float, volume: float) -> dict[str, Any]:
    """Length, width and rule of the blank, or the reason why there are none.

    Args:
        thickness: millimetres. volume: of the part, cubic millimetres.
    """
    axis = bends[0][0].direction
    if not all(shape.is_along(each.direction, axis) for each, _, _ in bends):
        return {"reason": "the bends are not parallel"}
    flanges = _flanges(shape, bends)
    joints = []
    for bend in bends:
        sides = _sides(shape, flanges, bend)
        fibre = neutral_fibre(bend[1].radius, thickness)
        if sides is None:
            return {"reason": "a bend does not join two flanges"}
        if fibre is None:
            return {
                "reason": f"{RULE} has no neutral fibre for an inner radius of less than {LEAST_RATIO:g} thicknesses"
            }
        joints.append(_Joint(*sides, bend, bend[1].turn * (bend[1].radius + fibre * thickness)))
    faces = {face for flange in flanges.values() for face in flange}
    bent = {face for _, inner, outer in bends for face in (*inner.faces, *outer.faces)}
    covered = sum(shape.areas[face] for face in faces | bent) * thickness / 2.0
    if abs(covered - volume) > ALL_MATERIAL * volume:
        return {"reason": "the sheet has forms beside flanges and bends"}
    if len(joints) != len(flanges) - 1:
        return {"reason": "the bends close a ring, or leave flanges apart"}
    spans = _laid_out(shape, axis, flanges, joints)
    if spans is None:
        return {"reason": "the bends close a ring, or leave flanges apart"}
    low, high = shape.reach(axis)
    sides_ = sorted((high - low, spans[1] - spans[0]))
    return {"length": sides_[1], "width": sides_[0], "rule": RULE}


def _flanges(shape: FeatureShape, bends: list[Bend]) -> dict[int, list[int]]:
    """The planes of each flange, both sides, by the first of them."""
    leader: dict[int, int] = {}

    def lead(face: int) -> int:
        while leader.setdefault(face, face) != face:
            face = leader[face]
        return face

    for _, inner, outer in bends:
        for one in _tangent(shape, inner):
            for two in _tangent(shape, outer):
                if _are_sides(shape, one, two, outer.radius - inner.radius):
                    leader[lead(two)] = lead(one)
    groups: dict[int, list[int]] = defaultdict(list)
    for face in list(leader):
        groups[lead(face)].append(face)
    return dict(groups)


def _tangent(shape: FeatureShape, band: Band) -> list[int]:
    """The planes that a bend goes over into."""
    return list(
        dict.fromkeys(
            other
            for face in band.faces
            for edge, other in shape.neighbours(face)
            if shape.convexity(edge) == "smooth" and shape.kind(other) == "plane"
        )
    )


def _are_sides(shape: FeatureShape, one: int, two: int, thickness: float) -> bool:
    """Whether two planes are the sides of one flange: back to back, a thickness apart."""
    first, second = shape.normal(one), shape.normal(two)
    if first is None or second is None or float(first @ second) > -1.0 + 1e-6:
        return False
    return abs(float((shape.points(one)[0] - shape.points(two)[0]) @ first) - thickness) <= shape.tolerance


def _sides(shape: FeatureShape, flanges: dict[int, list[int]], bend: Bend) -> tuple[int, int] | None:
    beside = _tangent(shape, bend[1])
    found = [name for name, faces in flanges.items() if set(faces) & set(beside)]
    return (found[0], found[1]) if len(found) == 2 else None


def _laid_out(
    shape: FeatureShape, axis: Array, flanges: dict[int, list[int]], joints: list[_Joint]
) -> tuple[float, float] | None:
    """Where the blank begins and ends across the bends; None where the flanges are not all joined."""
    first = next(iter(flanges))
    placed: dict[int, tuple[Array, float]] = {first: (_across(shape, first, axis), 0.0)}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        way, shift = placed[name]
        for joint in joints:
            other = joint.second if joint.first == name else joint.first if joint.second == name else None
            if other is None or other in placed:
                continue
            # The tangent lines of the bend on both flanges: where the strip begins and ends.
            here, there = (_line(shape, joint.bend[1], flanges[each]) for each in (name, other))
            side = 1.0 if float((_middle(shape, joint.bend[1].faces) - here) @ way) > 0.0 else -1.0
            onward = _across(shape, other, axis)
            if float((_middle(shape, joint.bend[1].faces) - there) @ onward) * side > 0.0:
                onward = -onward
            at = float(here @ way) + shift + side * joint.allowance
            placed[other] = (onward, at - float(there @ onward))
            waiting.append(other)
    if len(placed) != len(flanges):
        return None
    ends = [end + shift for name, (way, shift) in placed.items() for end in shape.extent(flanges[name], way)]
    return min(ends), max(ends)


def _across(shape: FeatureShape, face: int, axis: Array) -> Array:
    """In the plane of a flange, at right angles to the bends."""
    normal = shape.normal(face)
    assert normal is not None
    return cross(axis, normal)


def _middle(shape: FeatureShape, faces: list[int]) -> Array:
    """Of a bend, in its arc."""
    points = np.concatenate([shape.points(face) for face in faces])
    return np.asarray((points.min(axis=0) + points.max(axis=0)) / 2.0)


def _line(shape: FeatureShape, band: Band, flange: list[int]) -> Array:
    """A point of the edge between a bend and a flange."""
    edge = next(
        edge
        for face in band.faces
        for edge, other in shape.neighbours(face)
        if other in flange and shape.convexity(edge) == "smooth"
    )
    return np.asarray(shape.polylines[edge.curve][0])
