"""The size of the blank of a bent sheet.

Each flange is laid into one plane, bend after bend; a bend becomes a strip as wide as its neutral fibre is long. Along a bend nothing
changes.

Glossary
  flange         a flat part of a sheet: planes on both sides of it.
  neutral fibre  what bending neither stretches nor presses: DIN 6935 puts it k times half the thickness from the inner side, with
                 k = 0.65 + 0.5 lg(r / s), at most 1.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from math import log10
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, perpendicular
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


@dataclass(frozen=True)
class _Laid:
    """A flange in the blank."""

    origin: Array
    """(3,) of its plane."""
    along: Array
    across: Array
    """(3,) unit directions in its plane."""
    place: Array
    """(2,) of the origin in the blank."""
    flat_along: Array
    """(2,) what `along` is there."""
    hand: float = 1.0
    """-1 where `across` lies to the right of it there."""

    @property
    def _flat_across(self) -> Array:
        return self.hand * np.array([-self.flat_along[1], self.flat_along[0]])

    def turned(self, direction: Array) -> Array:
        """(2,) a direction in the flange, in the blank."""
        return np.asarray((direction @ self.along) * self.flat_along + (direction @ self.across) * self._flat_across)

    def at(self, point: Array) -> Array:
        """(2,) a point of the flange, in the blank."""
        return np.asarray(self.place + self.turned(point - self.origin))

    def facing(self, flat_across: Array) -> _Laid:
        """The same with `across` on the side of a direction of the blank."""
        return replace(self, hand=1.0 if float(self._flat_across @ flat_across) > 0.0 else -1.0)

    def extent(self, shape: FeatureShape, faces: list[int], way: Array) -> tuple[float, float]:
        """How far faces of the flange reach along a direction of the blank."""
        direction = float(way @ self.flat_along) * self.along + float(way @ self._flat_across) * self.across
        shift = float(self.place @ way) - float(self.origin @ direction)
        low, high = shape.extent(faces, direction)
        return low + shift, high + shift


def neutral_fibre(inner_radius: float, thickness: float) -> float | None:
    """The factor K: how far the neutral fibre is from the inner side, as a part of the thickness; None beyond the rule of DIN 6935."""
    ratio = inner_radius / thickness
    return min(0.65 + 0.5 * log10(ratio), 1.0) / 2.0 if ratio >= LEAST_RATIO else None


def blank(shape: FeatureShape, bends: list[Bend], thickness: float, volume: float) -> dict[str, Any]:
    """Length, width and rule of the blank, or the reason why there are none.

    Args:
        thickness: millimetres. volume: of the part, cubic millimetres.
    """
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
    laid = _laid_out(shape, flanges, joints)
    if laid is None:
        return {"reason": "the bends close a ring, or leave flanges apart"}
    width, length = _rectangle(shape, flanges, joints, laid)
    return {"length": length, "width": width, "rule": RULE}


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
    return abs(float((shape.point(one) - shape.point(two)) @ first) - thickness) <= shape.tolerance


def _sides(shape: FeatureShape, flanges: dict[int, list[int]], bend: Bend) -> tuple[int, int] | None:
    beside = _tangent(shape, bend[1])
    found = [name for name, faces in flanges.items() if set(faces) & set(beside)]
    return (found[0], found[1]) if len(found) == 2 else None


def _laid_out(shape: FeatureShape, flanges: dict[int, list[int]], joints: list[_Joint]) -> dict[int, _Laid] | None:
    """Where each flange lies in the blank; None where they are not all joined, or two ways to one do not agree."""
    first = next(iter(flanges))
    normal = shape.normal(first)
    assert normal is not None
    along = perpendicular(normal)
    placed = {first: _Laid(np.zeros(3), along, cross(normal, along), np.zeros(2), np.array([1.0, 0.0]))}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        for joint in joints:
            other = joint.second if joint.first == name else joint.first if joint.second == name else None
            if other is None:
                continue
            laid = _beyond(shape, flanges, placed[name], joint, name, other)
            if other not in placed:
                placed[other] = laid
                waiting.append(other)
            elif not _agree(shape, laid, placed[other]):
                return None
    return placed if len(placed) == len(flanges) else None


def _beyond(
    shape: FeatureShape, flanges: dict[int, list[int]], laid: _Laid, joint: _Joint, name: int, other: int
) -> _Laid:
    """Where the flange on the other side of a bend lies: behind the strip that the bend becomes."""
    axis, inner, _ = joint.bend
    # The tangent lines of the bend on both flanges: where the strip begins and ends.
    here, there = (_line(shape, inner, flanges[each]) for each in (name, other))
    middle = _middle(shape, inner.faces)
    towards, onward = (_across(shape, each, axis.direction) for each in (name, other))
    towards = towards if float((middle - here) @ towards) > 0.0 else -towards
    onward = onward if float((middle - there) @ onward) < 0.0 else -onward
    along = laid.turned(axis.direction)
    shift = float((there - here) @ axis.direction)
    return _Laid(
        there, axis.direction, onward, laid.at(here) + joint.allowance * laid.turned(towards) + shift * along, along
    ).facing(laid.turned(towards))


def _agree(shape: FeatureShape, one: _Laid, two: _Laid) -> bool:
    """Whether two ways lay a flange into one place, as both pieces of a bend with a gap do."""
    corners = (one.origin, one.origin + shape.size * one.along, one.origin + shape.size * one.across)
    return all(float(np.linalg.norm(one.at(each) - two.at(each))) <= 4.0 * shape.tolerance for each in corners)


def _rectangle(
    shape: FeatureShape, flanges: dict[int, list[int]], joints: list[_Joint], laid: dict[int, _Laid]
) -> tuple[float, float]:
    """Width and length of the smallest rectangle around the blank with a side along one of its bends."""
    strips = [corner for joint in joints for corner in _strip(shape, flanges, laid, joint)]
    found = []
    for joint in joints:
        along = laid[joint.first].turned(joint.bend[0].direction)
        sides = []
        for way in (along, np.array([-along[1], along[0]])):
            spans = [each.extent(shape, flanges[name], way) for name, each in laid.items()]
            heights = [float(corner @ way) for corner in strips] + [end for span in spans for end in span]
            sides.append(max(heights) - min(heights))
        found.append((min(sides), max(sides)))
    return min(found, key=lambda sides: sides[0] * sides[1])


def _strip(shape: FeatureShape, flanges: dict[int, list[int]], laid: dict[int, _Laid], joint: _Joint) -> list[Array]:
    """The corners of a bend in the blank."""
    axis, inner, _ = joint.bend
    corners = []
    for name in (joint.first, joint.second):
        line = _line(shape, inner, flanges[name])
        height = float(axis.heights(line[None])[0])
        corners += [laid[name].at(line + (end - height) * axis.direction) for end in (inner.low, inner.high)]
    return corners


def _across(shape: FeatureShape, face: int, axis: Array) -> Array:
    """In the plane of a flange, at right angles to a bend."""
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
