"""Cylinder faces as holes, pins and fillets, from surfaces without trimming curves.

A face's `area` stands for its extent: a whole turn of radius r has the length area / (2 pi r). Where that is the distance of two plane
faces square to the axis, the cylinder runs from the one to the other. Which side the material is on follows from those planes:

                                    plane within the circle     plane around the circle
    normal away from the cylinder   pin (its end)               hole (its rim)
    normal towards the cylinder     hole (its bottom)           pin (its base)

Writers halve a whole turn, so two or four equal faces of one axis and one radius are tried as one. A part of a turn to which two plane
faces are tangent, on the same side and not parallel, is a fillet, unless a second radius makes it a bend. What fits nowhere (a bend, a
fillet along a curved wall, a hole through one, a rim with a chamfer) stays a cylinder face whose side is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import Array, SceneObject

Side = Literal["hole", "pin", "fillet", "unknown"]

SAME: Final = 1e-5
"""Part of a body's diagonal within which lengths and positions are the same: the decimals of a file that was converted twice."""

SQUARE: Final = 1e-5
"""Sine of the angle between directions that are the same."""

SAME_AREA: Final = 1e-4
"""Relative difference of areas that are the same: areas are integrated to better than that."""

TURNS: Final = (1, 2, 4)
"""Equal faces that make a whole turn, as files have them."""

OUTER_POINTS: Final = 20
"""Fewest sampled points on a cylinder from which its outside is looked at: the wall around a hole has more surface than the hole."""

TURN_POINTS: Final = 30
"""Fewest points that rule a whole turn out: evenly drawn, they leave a third of a turn empty twice in ten thousand times."""

EMPTY_TURN: Final = 2 * np.pi / 3
"""Angle without points that a whole turn does not have."""

FACES: Final = 4_000
"""Most faces of a body whose cylinders are told apart; the time grows with cylinders times planes."""


@dataclass(frozen=True)
class Cylinder:
    """A cylinder of a whole turn, or the faces of one axis and one radius that are not known to be one.

    length: along the axis; None of a fillet, and where the side is unknown. through: of a hole, whether it is open at both ends.
    axis, origin: unit direction with its first component that counts positive, and the point of the axis nearest to the frame's origin.
    """

    radius: float
    axis: tuple[float, float, float]
    origin: tuple[float, float, float]
    area: float
    faces: tuple[str, ...]
    side: Side = "unknown"
    length: float | None = None
    through: bool | None = None


@dataclass(frozen=True)
class _Plane:
    """A plane square to an axis. facing: sign of its normal along the axis."""

    offset: float
    facing: float
    area: float


def find_cylinders(body: SceneObject) -> list[Cylinder]:
    """Every cylinder of a body, in the order of its faces."""
    if len(body.faces) > FACES or body.size is None:
        return []
    slack = SAME * float(np.linalg.norm(body.size))
    lines = _lines(body.faces, slack)
    found: list[Cylinder] = []
    for faces in lines:
        concentric = [face.radius or 0.0 for other in lines for face in other[:1] if _is_coaxial(faces[0], face, slack)]
        found += _of_line(faces, body, concentric, slack)
    return found


def _lines(faces: Sequence[Face], slack: float) -> list[list[Face]]:
    """Cylinder faces by axis and radius."""
    lines: list[list[Face]] = []
    for face in faces:
        if face.type != "cylinder" or not (face.origin and face.axis and face.radius and face.area):
            continue
        same = (
            line
            for line in lines
            if abs((line[0].radius or 0.0) - face.radius) <= slack and _is_coaxial(line[0], face, slack)
        )
        line = next(same, None)
        if line is None:
            lines.append([face])
        else:
            line.append(face)
    return lines


def _is_coaxial(one: Face, other: Face, slack: float) -> bool:
    assert one.axis and other.axis and one.origin and other.origin  # _lines keeps no others
    ax, ay, az = one.axis
    bx, by, bz = other.axis
    cross = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
    if cross[0] ** 2 + cross[1] ** 2 + cross[2] ** 2 > SQUARE**2:
        return False
    dx, dy, dz = (b - a for a, b in zip(one.origin, other.origin, strict=True))
    apart = (ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx)
    return apart[0] ** 2 + apart[1] ** 2 + apart[2] ** 2 <= slack**2


def _of_line(faces: list[Face], body: SceneObject, concentric: list[float], slack: float) -> Iterator[Cylinder]:
    axis, origin = _axis(faces[0])
    radius = faces[0].radius or 0.0
    planes = list(_planes(body.faces, axis))
    seen = _Seen.of(body.points, axis, origin, radius, slack)
    rest = sorted(faces, key=lambda face: face.area or 0.0)
    while rest:
        whole = _whole_turn(rest, planes, seen, slack)
        if whole is None:
            break
        count, spans = whole
        taken, rest = rest[:count], rest[count:]
        found: set[tuple[Side, bool | None]] = {_side(planes, span, radius, concentric, slack) for span in spans}
        side, through = found.pop() if len(found) == 1 else ("unknown", None)
        yield _cylinder(taken, axis, origin, side, spans[0][1] - spans[0][0], through)
    if rest:
        alone = len(set(concentric)) == 1  # a bend of a sheet has an inner and an outer radius
        is_fillet = alone and _is_fillet(body.faces, axis, origin, radius, slack)
        side = "fillet" if is_fillet else "pin" if seen.is_outermost else "unknown"
        yield _cylinder(rest, axis, origin, side, None, None)


def _is_fillet(faces: Sequence[Face], axis: Array, origin: Array, radius: float, slack: float) -> bool:
    """Whether two plane faces are tangent to a cylinder, both on the far side of its axis or both on the near one, and not parallel."""
    tangent: dict[bool, list[Array]] = {True: [], False: []}
    for face in faces:
        if face.type != "plane" or not (face.normal and face.origin):
            continue
        normal = np.array(face.normal)
        distance = float(normal @ (np.array(face.origin) - origin))
        if abs(float(normal @ axis)) <= SQUARE and abs(abs(distance) - radius) <= slack:
            tangent[distance > 0].append(normal)
    return any(
        float(np.linalg.norm(np.cross(normals[0], other))) > SQUARE
        for normals in tangent.values()
        if normals
        for other in normals
    )


def _axis(face: Face) -> tuple[Array, Array]:
    assert face.axis and face.origin  # _lines keeps no others
    axis = np.array(face.axis) / np.linalg.norm(face.axis)
    lead = next(value for value in axis if abs(value) > SQUARE)
    axis = axis if lead > 0 else -axis
    origin = np.array(face.origin)
    return axis, origin - axis * (origin @ axis)


def _planes(faces: Sequence[Face], axis: Array) -> Iterator[_Plane]:
    for face in faces:
        if face.type == "plane" and face.normal and face.origin and face.area:
            facing = float(np.dot(face.normal, axis))
            if abs(facing) > 1 - SQUARE:
                yield _Plane(float(np.dot(face.origin, axis)), facing, face.area)


def _whole_turn(
    faces: list[Face], planes: list[_Plane], seen: _Seen, slack: float
) -> tuple[int, list[tuple[float, float]]] | None:
    """How many of the faces, which are sorted by area, make a whole turn between two planes, and the spans where they may lie."""
    radius, area = faces[0].radius or 0.0, faces[0].area or 0.0
    offsets = sorted({plane.offset for plane in planes})
    for count in TURNS:
        if count > len(faces) or (faces[count - 1].area or 0.0) > area * (1 + SAME_AREA):
            break
        length = count * area / (2 * np.pi * radius)
        ends = (
            (low, high) for low in offsets for high in offsets if abs(high - low - length) <= slack + SAME_AREA * length
        )
        spans = [span for span in ends if span[1] > span[0] and seen.allows(span)]
        if spans:
            return count, spans
    return None


def _side(
    planes: list[_Plane], span: tuple[float, float], radius: float, concentric: list[float], slack: float
) -> tuple[Side, bool | None]:
    """On which side the material is, as the planes at both ends say; and whether a hole is open at both.

    A disc or ring that fits the circle says more than a larger face, which may belong to something else at the same level: without
    one, only rims at both ends show a hole, and nothing shows a pin.
    """
    fitting: set[Side] = set()
    around: list[set[Side]] = [set(), set()]
    closed = False
    for ends, sign, end in zip(around, (-1.0, 1.0), span, strict=True):
        for plane in (each for each in planes if abs(each.offset - end) <= slack):
            is_away, within = plane.facing * sign > 0, _is_within(plane.area, radius, concentric)
            if within is not None:
                side: Side = "pin" if within == is_away else "hole"
                (fitting if within or _is_ring(plane.area, radius, concentric) else ends).add(side)
                closed = closed or (within and not is_away)
    votes = fitting or (around[0] if around[0] == around[1] == {"hole"} else set())
    if len(votes) != 1:
        return "unknown", None
    only = votes.pop()
    return only, not closed if only == "hole" else None


@dataclass(frozen=True, eq=False)
class _Seen:
    """The sampled points on a cylinder: (n,) places along the axis, and angles about it. No points rule nothing out."""

    along: Array
    angles: Array
    is_outermost: bool

    @classmethod
    def of(cls, points: Array, axis: Array, origin: Array, radius: float, slack: float) -> _Seen:
        """is_outermost: the body reaches no farther than the cylinder anywhere along it; a hole has a wall with points beyond it."""
        first = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
        first /= np.linalg.norm(first)
        across = np.stack([(points - origin) @ first, (points - origin) @ np.cross(axis, first)], axis=1)
        from_axis, along = np.linalg.norm(across, axis=1), points @ axis
        on = np.abs(from_axis - radius) <= slack
        outermost = False
        if on.sum() >= OUTER_POINTS:
            beside = (along >= along[on].min()) & (along <= along[on].max())
            outermost = bool((from_axis[beside] <= radius + slack).all())
        return cls(along[on], np.arctan2(across[on, 1], across[on, 0]), outermost)

    def allows(self, span: tuple[float, float]) -> bool:
        """Whether a whole turn may lie in a span of the axis: it has points, and they do not leave a third of the turn empty."""
        within = (self.along >= span[0]) & (self.along <= span[1])
        angles = np.sort(self.angles[within])
        if len(angles) < TURN_POINTS:
            return len(angles) > 0 or not len(self.along)
        gaps = np.diff(angles, append=angles[0] + 2 * np.pi)
        return bool(gaps.max() <= EMPTY_TURN)


def _is_within(area: float, radius: float, concentric: list[float]) -> bool | None:
    """Whether a plane lies within the circle that ends at it, as a disc or ring of the same axis, or around it."""
    disc = np.pi * radius**2
    if area > disc * (1 + SAME_AREA):
        return False
    inner = [0.0, *(other for other in concentric if other < radius)]
    is_disc = any(abs(area - (disc - np.pi * other**2)) <= SAME_AREA * disc for other in inner)
    is_ring = _is_ring(area, radius, concentric)
    return None if is_disc == is_ring else is_disc


def _is_ring(area: float, radius: float, concentric: list[float]) -> bool:
    """Whether a plane is the ring between the circle and a larger one of the same axis."""
    rings = (np.pi * (other**2 - radius**2) for other in concentric if other > radius)
    return any(abs(area - ring) <= SAME_AREA * area for ring in rings)


def _cylinder(
    faces: list[Face], axis: Array, origin: Array, side: Side, length: float | None, through: bool | None
) -> Cylinder:
    return Cylinder(
        radius=faces[0].radius or 0.0,
        axis=(float(axis[0]), float(axis[1]), float(axis[2])),
        origin=(float(origin[0]), float(origin[1]), float(origin[2])),
        area=sum(face.area or 0.0 for face in faces),
        faces=tuple(face.id for face in faces),
        side=side,
        length=None if side == "unknown" else length,
        through=through,
    )
