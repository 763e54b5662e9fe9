"""How far a body is one of revolution: its faces about one axis, or its points at one distance from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.families.frame import Frame, ranked
from spatial.reasoning.scene.model import Array, SceneObject

ROUND: Final = frozenset({"cylinder", "cone", "torus", "revolution", "sphere"})

NEAR_AXIS: Final = 0.01
"""Part of the body's diagonal by which an axis may miss another and be the same."""

ON_CYLINDER: Final = 0.02
"""Part of the radius within which a point lies on the outer cylinder or on an end of it."""

BORE_POINTS: Final = 3
"""The bore is as wide as the distance of the point that is the third nearest to the axis: two outliers do not fill it."""

SLICES: Final = 24
"""Slices along the axis in which a head is looked for: the head of a short screw takes four or more."""

HEAD_POINTS: Final = 200
"""Fewest points for that: eight per slice."""

EVEN: Final = 1.1
"""Greatest outer radius of a shank to its median: threads and fillets, no steps."""

WHOLE_DISC: Final = 0.02
"""Relative difference of the outermost point and the outermost cylinder about an axis where its ends are discs."""

HEXAGON: Final = 1e-3
"""Sine of the angle by which sides of a hexagon may miss 60 degrees, and their relative difference of distance from the axis."""


@dataclass(frozen=True)
class Turning:
    """axis_share: part of the surface that is round about one axis or square to it. length_ratio: length along it to the outer diameter.

    bore_ratio: radius within which there is no surface, to the outer radius. head_ratio: of two outer radii along the axis, the
    greater to the lesser, where the greater takes a part of the length only. hex_share: part of the surface that is the six sides of
    a regular hexagon about the axis.
    """

    axis_share: float
    length_ratio: float | None = None
    bore_ratio: float | None = None
    head_ratio: float | None = None
    hex_share: float = 0.0


def turning_of(body: SceneObject, frame: Frame) -> Turning:
    """About the axis that has the largest share."""
    options = [_about(body, frame, origin, axis) for origin, axis in _axes(body, frame)]
    return max(options, key=lambda each: round(each.axis_share + each.hex_share, 6), default=Turning(0.0))


def _axes(body: SceneObject, frame: Frame) -> Iterator[tuple[Array, Array]]:
    """Axes of the largest round faces; of a body without faces, the axes of the least box through its centre."""
    rounds = sorted((face for face in body.faces if _is_round(face)), key=lambda face: -(face.area or 0.0))
    for axis in ranked(body.faces, "cylinder", "axis")[:3]:
        lines = [
            np.array(face.origin) for face in rounds if face.axis and abs(float(np.dot(face.axis, axis))) > 1 - 1e-8
        ]
        yield from ((origin, axis) for origin in lines[:3])
    if not rounds:
        yield from ((frame.centre, axis) for axis in frame.axes)


def _is_round(face: Face) -> bool:
    return face.type in ROUND and face.origin is not None


def _about(body: SceneObject, frame: Frame, origin: Array, axis: Array) -> Turning:
    axis = axis / np.linalg.norm(axis)
    along, from_axis = _places(body.points, origin, axis)
    hexagon = _hex_share(body, origin, axis)
    if any(_is_round(face) for face in body.faces):
        share = _share_of_faces(body, frame, origin, axis, float(from_axis.max(initial=0.0)))
    else:
        share = _share_of_points(along, from_axis)
    if not len(along) or from_axis.max() <= 0:
        return Turning(share, hex_share=hexagon)
    outer = float(from_axis.max())
    bore = float(np.sort(from_axis)[min(BORE_POINTS, len(from_axis)) - 1])
    return Turning(share, float(np.ptp(along)) / (2 * outer), bore / outer, _head_ratio(along, from_axis), hexagon)


def _places(points: Array, origin: Array, axis: Array) -> tuple[Array, Array]:
    """(n,) along the axis, and (n,) distances from it."""
    steps = points - origin
    along = steps @ axis
    return along, np.linalg.norm(steps - np.outer(along, axis), axis=1)


def _share_of_faces(body: SceneObject, frame: Frame, origin: Array, axis: Array, reach: float) -> float:
    """Round faces about the axis, and plane faces square to it: all of them where the body is round outside, else as much as the round ones.

    reach: of the points from the axis.
    """
    slack = NEAR_AXIS * float(np.linalg.norm(frame.extents))
    turned = square = total = radius = 0.0
    for face in body.faces:
        area = face.area or 0.0
        total += area
        if face.type == "plane" and face.normal is not None:
            square += area if abs(float(np.dot(face.normal, axis))) > 1 - 1e-6 else 0.0
        elif _is_round(face) and _is_about(face, origin, axis, slack):
            turned += area
            radius = max(radius, face.radius or 0.0) if face.type == "cylinder" else radius
    is_round_outside = reach > 0 and abs(radius - reach) <= WHOLE_DISC * reach
    return (turned + (square if is_round_outside else min(square, turned))) / total if total else 0.0


def _is_about(face: Face, origin: Array, axis: Array, slack: float) -> bool:
    if face.axis is not None and abs(float(np.dot(face.axis, axis))) < 1 - 1e-6:
        return False
    return face.origin is not None and float(np.linalg.norm(np.cross(np.array(face.origin) - origin, axis))) <= slack


def _share_of_points(along: Array, from_axis: Array) -> float:
    """Part of the points on the outer cylinder or at its ends, where the middle of its length has all of them on it."""
    if not len(along):
        return 0.0
    outer, low, high = from_axis.max(), along.min(), along.max()
    reach = ON_CYLINDER * outer
    at_end = (along <= low + reach) | (along >= high - reach)
    wall = from_axis[~at_end]
    if not len(wall):
        return 0.0
    radii = np.quantile(wall, [0.02, 0.98])
    on_wall = (np.abs(wall - radii[1]) <= reach) | (np.abs(wall - radii[0]) <= reach)
    return float(on_wall.mean()) if np.abs(from_axis[at_end]).max() <= outer else 0.0


def _head_ratio(along: Array, from_axis: Array) -> float | None:
    """Outer radius of a head at one end to that of the shank, from the outermost points of slices along the axis; 1 without a head."""
    low, high = float(along.min()), float(along.max())
    if high <= low or len(along) < HEAD_POINTS:
        return None
    slices = np.minimum(((along - low) / (high - low) * SLICES).astype(int), SLICES - 1)
    outer = np.array([from_axis[slices == place].max(initial=0.0) for place in range(SLICES)])
    widest, shank = float(outer.max()), float(np.median(outer))
    wide = np.flatnonzero(outer > (widest + shank) / 2)
    if shank <= 0 or not len(wide) or np.ptp(wide) >= SLICES // 2 or wide[0] < SLICES // 2 <= wide[-1]:
        return 1.0
    rest = outer[wide[-1] + 1 :] if wide[0] < SLICES // 2 else outer[: wide[0]]
    return widest / shank if rest.max() <= shank * EVEN else 1.0


def _hex_share(body: SceneObject, origin: Array, axis: Array) -> float:
    """Six or more plane faces along the axis, in three directions 60 degrees apart, at one distance from it."""
    sides: list[tuple[Array, float, float]] = []
    for face in body.faces:
        if face.type == "plane" and face.normal and face.origin and abs(float(np.dot(face.normal, axis))) < HEXAGON:
            normal = np.array(face.normal)
            sides.append((normal, float((np.array(face.origin) - origin) @ normal), face.area or 0.0))
    total = sum(face.area or 0.0 for face in body.faces)
    best = 0.0
    for normal, distance, _ in sides:
        ring = [
            each for each in sides if abs(each[1] - distance) <= HEXAGON * abs(distance) and _is_sixth(normal, each[0])
        ]
        senses = {
            round(float(np.degrees(np.arctan2(float(np.cross(normal, each[0]) @ axis), float(normal @ each[0])))) / 60)
            % 6
            for each in ring
        }
        if len(senses) == 6 and distance > 0:
            best = max(best, sum(each[2] for each in ring) / total)
    return best


def _is_sixth(one: Array, other: Array) -> bool:
    """Whether two directions enclose a multiple of 60 degrees."""
    cosine = float(one @ other)
    return min(abs(cosine - each) for each in (1.0, 0.5, -0.5, -1.0)) <= HEXAGON
