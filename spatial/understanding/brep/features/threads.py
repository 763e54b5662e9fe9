"""Modelled threads: helicoidal flanks about an axis, and the strips of cylinders between them.

A thread is what a screw motion carries into itself: the normals of its flanks tell axis and lead, whatever the surfaces are written as.

Glossary
  lead      shift along the axis in a whole turn; the pitch is that by the number of starts.
  flank     a face between crest and root.
  strip     a crest or root: a part of a cylinder that winds between flanks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, degrees
from typing import Any, Final

import numpy as np
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Pnt, gp_Vec

from spatial.geometry.quadrature import Array
from spatial.geometry.screws import Screw, screw
from spatial.geometry.vectors import cross, length, perpendicular
from spatial.knowledge.threads import METRIC_ANGLE, metric_designation
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.shape import FeatureShape

_FIRST: Final = (8, 3)
_PLACES: Final = (48, 5)
"""Places along both parameters of a face: at the first look, which most freeform faces end, and at the second."""
_GOLDEN: Final = (5.0**0.5 - 1.0) / 2.0
"""Places at multiples of it never fall on the same side of every turn."""
_ACROSS: Final = 0.5
"""Least part of a flank's normal that is along the axis; of crests and roots it is less."""
_RADIAL: Final = 0.05
"""Part of a normal that is away from the axis, from which it tells on which side the material is; flanks of a square thread have none."""
_ONE_ANGLE: Final = 1.0
"""Degrees within which all flanks of a thread lean by the same angle."""
_DIGITS: Final = 5
"""Significant digits of a pitch: modellers write a helix as a spline that follows it to a millionth."""


@dataclass(frozen=True)
class _Patch:
    """A helicoidal face, with places on it (n, 3) and the outward normals there."""

    face: int
    points: Array
    normals: Array
    screw: Screw


@dataclass(frozen=True)
class Thread:
    """A modelled thread; millimetres."""

    origin: Array
    axis: Array
    """Its side is that of the coordinate that counts first, as of all axes of features."""
    inner: bool
    """Whether it is that of a hole."""
    major: float
    minor: float
    """Diameters."""
    lead: float
    """Positive of a right-hand thread."""
    starts: int
    angle: float | None
    """Degrees between the flanks; None where they do not all lean alike."""
    low: float
    high: float
    """Where its flanks begin and end along the axis, from the origin."""
    faces: tuple[int, ...]
    """Flanks and strips."""

    @property
    def pitch(self) -> float:
        """From one ridge to the next along the axis."""
        return float(f"{abs(self.lead) / self.starts:.{_DIGITS}g}")

    @property
    def designation(self) -> str | None:
        """Of ISO 261, where diameter, pitch and angle are those of one of its threads."""
        if self.starts > 1 or self.angle is None or abs(self.angle - METRIC_ANGLE) > _ONE_ANGLE:
            return None
        name = metric_designation(self.major, self.pitch, inner=self.inner)
        return f"{name}-LH" if name and self.lead < 0.0 else name

    @property
    def members(self) -> dict[str, Any]:
        """As the contract's Thread."""
        found = {
            "designation": self.designation,
            "diameter": self.major,
            "minor_diameter": self.minor,
            "pitch": self.pitch,
            "starts": self.starts if self.starts > 1 else None,
            "hand": "right" if self.lead > 0.0 else "left",
            "angle": self.angle,
            "length": self.high - self.low,
            "source": "modelled",
        }
        return {name: value for name, value in found.items() if value is not None}


def threads(shape: FeatureShape) -> list[Thread]:
    """Every modelled thread of a body."""
    groups: list[list[_Patch]] = []
    for face in range(len(shape.faces)):
        patch = _patch(shape, face)
        if patch is None:
            continue
        group = next((each for each in groups if _is_one(shape, each[0].screw, patch.screw)), None)
        if group is None:
            groups.append([patch])
        else:
            group.append(patch)
    return [found for group in groups for piece in _pieces(shape, group) if (found := _thread(shape, piece))]


def outer_threads(found: list[Thread]) -> list[Found]:
    """Those of shafts as features; one of a hole is a member of it."""
    return [
        Found(
            "thread",
            list(each.faces),
            {
                "diameter": each.major,
                "length": each.high - each.low,
                "axis": each.axis,
                "position": each.origin + each.low * each.axis,
                "thread": each.members,
            },
        )
        for each in found
        if not each.inner
    ]


def _patch(shape: FeatureShape, face: int) -> _Patch | None:
    """Of a freeform face that is a helicoid of a lead that threads have."""
    if shape.surfaces[face] is not None or shape.faces[face].surface is None or len(shape.around(face)) < 2:
        return None
    seen = _screw_of(shape, face, _FIRST) and _screw_of(shape, face, _PLACES)
    if seen is None:
        return None
    points, normals, found = seen
    if not 0.0 < abs(found.lead) <= thresholds.THREAD_LEAD * 2.0 * float(_distances(found, points).max()):
        return None
    return _Patch(face, points, normals, found)


def _screw_of(shape: FeatureShape, face: int, places: tuple[int, int]) -> tuple[Array, Array, Screw] | None:
    sampled = _sampled(shape, face, places)
    found = screw(*sampled) if sampled else None
    return None if sampled is None or found is None else (*sampled, found)


def _sampled(shape: FeatureShape, face: int, places: tuple[int, int]) -> tuple[Array, Array] | None:
    body = shape.faces[face]
    u_low, u_high, v_low, v_high = BRepTools.UVBounds_s(body.face)
    limits = np.array([u_low, u_high, v_low, v_high])
    if not np.isfinite(limits).all() or np.abs(limits).max() > 1e50:
        return None
    pairs = [(a, b) for a in _fractions(places[0]) for b in np.linspace(0.0, 1.0, places[1]).tolist()]
    point, along_u, along_v = gp_Pnt(), gp_Vec(), gp_Vec()
    points, normals = [], []
    try:
        # The longer of the two runs along the helix: parameters may count turns, millimetres or knots.
        body.surface.D1((u_low + u_high) / 2.0, (v_low + v_high) / 2.0, point, along_u, along_v)
        is_along_u = along_u.Magnitude() * (u_high - u_low) >= along_v.Magnitude() * (v_high - v_low)
        for a, b in pairs:
            u, v = (a, b) if is_along_u else (b, a)
            body.surface.D1(u_low + u * (u_high - u_low), v_low + v * (v_high - v_low), point, along_u, along_v)
            points.append(point.Coord())
            normals.append(along_u.Crossed(along_v).Coord())
    except KERNEL_ERRORS:
        return None
    found = np.array(normals)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    if not lengths.min() > 0.0:
        return None
    return np.array(points), found / lengths * body.sign * shape.side


def _fractions(count: int) -> list[float]:
    return sorted(((np.arange(count) * _GOLDEN) % 1.0).tolist())


def _is_one(shape: FeatureShape, first: Screw, second: Screw) -> bool:
    """Whether two faces belong to one thread: one axis and one lead."""
    near = max(shape.tolerance, thresholds.THREAD_FIT * abs(first.lead))
    return (
        abs(first.lead - second.lead) <= thresholds.THREAD_FIT * abs(first.lead)
        and length(cross(first.axis, second.axis)) <= thresholds.THREAD_FIT
        and float(_distances(first, second.origin[None])[0]) <= near
    )


def _distances(found: Screw, points: Array) -> Array:
    away = points - found.origin
    return np.asarray(np.linalg.norm(away - (away @ found.axis)[:, None] * found.axis, axis=1))


def _pieces(shape: FeatureShape, group: list[_Patch]) -> list[list[_Patch]]:
    """The patches of one screw motion, apart where a gap of more than a lead is between them along the axis."""
    axis, lead = group[0].screw.axis, abs(group[0].screw.lead)
    spans = sorted((*shape.extent([patch.face], axis), place) for place, patch in enumerate(group))
    pieces: list[list[_Patch]] = []
    end = -np.inf
    for low, high, place in spans:
        if low > end + lead:
            pieces.append([])
        pieces[-1].append(group[place])
        end = max(end, high)
    return pieces


def _thread(shape: FeatureShape, patches: list[_Patch]) -> Thread | None:
    """None where the faces are no thread: a spring, a helical gear, a drill's flutes."""
    points, normals = (np.concatenate([getattr(each, name) for each in patches]) for name in ("points", "normals"))
    found = screw(points, normals)
    if found is None:
        return None
    axis = found.axis if found.axis[int(np.argmax(np.abs(found.axis) > 1e-6))] > 0.0 else -found.axis
    faces = [each.face for each in patches]
    heights = [height - float(found.origin @ axis) for height in shape.extent(faces, axis)]
    rims = _distances(found, np.concatenate([shape.points(face) for face in faces]))
    minor, major = float(rims.min()), float(rims.max())
    starts = _starts(found, patches, (minor + major) / 2.0)
    strips = _strips(shape, found, faces, minor, major)
    side = _side(shape, found, patches, strips)
    if side is None or not starts:
        return None
    depth = (major - minor) * starts / abs(found.lead)
    if not thresholds.THREAD_DEPTH[0] <= depth <= thresholds.THREAD_DEPTH[1]:
        return None
    if heights[1] - heights[0] < abs(found.lead) or abs(found.lead) > thresholds.THREAD_LEAD * 2.0 * major:
        return None
    return Thread(
        origin=found.origin,
        axis=axis,
        inner=side < 0.0,
        major=2.0 * major,
        minor=2.0 * minor,
        lead=found.lead,
        starts=starts,
        angle=_angle(found, patches),
        low=heights[0],
        high=heights[1],
        faces=tuple(sorted({*faces, *strips})),
    )


def _strips(shape: FeatureShape, found: Screw, faces: list[int], minor: float, major: float) -> list[int]:
    """Cylinders about the axis beside the flanks."""
    near = max(shape.tolerance, thresholds.THREAD_FIT * (major - minor))
    beside = {other for face in faces for _, other in shape.neighbours(face)} - set(faces)
    return [other for other in sorted(beside) if _is_strip(shape, found, other, (minor - near, major + near), near)]


def _is_strip(shape: FeatureShape, found: Screw, face: int, radii: tuple[float, float], near: float) -> bool:
    surface = shape.surfaces[face]
    if surface is None:
        # Splines that follow a helix are not always cylinders within the tolerance of their recognition.
        sampled = _sampled(shape, face, _FIRST) if shape.faces[face].surface is not None else None
        away = _distances(found, sampled[0]) if sampled else np.zeros(1)
        return bool(np.ptp(away) <= near and radii[0] <= away.min() and away.max() <= radii[1])
    return (
        surface.kind == "cylinder"
        and length(cross(surface.axis, found.axis)) <= thresholds.THREAD_FIT
        and radii[0] <= surface.radius <= radii[1]
        and float(_distances(found, surface.origin[None])[0]) <= near
    )


def _side(shape: FeatureShape, found: Screw, patches: list[_Patch], strips: list[int]) -> float | None:
    """+1 where all faces look away from the axis, as those of a bolt; -1 where towards it; None where some do either, as a spring."""
    signs = {shape.bulge(face) for face in strips}
    for patch in patches:
        radial = _radial(found, patch)
        signs |= {float(np.sign(each)) for each in (radial.min(), radial.max()) if abs(each) > _RADIAL}
    signs.discard(0.0)
    return signs.pop() if len(signs) == 1 else None


def _radial(found: Screw, patch: _Patch) -> Array:
    """The part of each normal that points away from the axis."""
    away = patch.points - found.origin
    away = away - (away @ found.axis)[:, None] * found.axis
    return np.asarray(np.einsum("ij,ij->i", patch.normals, away) / np.linalg.norm(away, axis=1))


def _starts(found: Screw, patches: list[_Patch], radius: float) -> int:
    """How many flanks of one side a line along the axis meets in a lead, at a distance from the axis."""
    x = perpendicular(found.axis)
    phases = []
    for patch in patches:
        upward = np.flatnonzero(patch.normals @ found.axis > _ACROSS)
        if not len(upward):
            continue
        away = patch.points[upward] - found.origin
        place = int(np.argmin(np.abs(_distances(found, patch.points[upward]) - radius)))
        turn = float(np.arctan2(away[place] @ cross(found.axis, x), away[place] @ x)) / (2.0 * np.pi)
        phases.append((float(away[place] @ found.axis) / found.lead - turn) % 1.0)
    apart: list[float] = []
    for phase in phases:
        if all(min(abs(phase - each), 1.0 - abs(phase - each)) > thresholds.THREAD_START for each in apart):
            apart.append(phase)
    return len(apart)


def _angle(found: Screw, patches: list[_Patch]) -> float | None:
    angles = []
    for patch in patches:
        along = np.abs(patch.normals @ found.axis)
        flank = along > _ACROSS
        if flank.any():
            angles.append(degrees(atan(float(np.median(np.abs(_radial(found, patch)[flank]) / along[flank])))))
    alike = angles and max(angles) - min(angles) <= _ONE_ANGLE
    return float(round(2.0 * sum(angles) / len(angles), 1)) if alike else None
