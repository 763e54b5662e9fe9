"""Fillets and chamfers: faces that break or fill the edges between others.

A fillet is tangent to its neighbours on both sides of its length; a chamfer is a narrow plane or cone with a convex edge on both
sides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import degrees, hypot, radians, sin
from typing import Any, Final

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.geometry.vectors import cross, length
from spatial.models.brep.edges import BodyEdge
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.bands import RoundFaces
from spatial.understanding.brep.features.footprints import surface_key
from spatial.understanding.brep.features.found import Found
from spatial.understanding.brep.features.sections import FITTED, Section, section
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.walls import direction_key, near_keys

SAME_RADIUS: Final = 1e-4
"""Relative difference up to which neighbouring fillets are one."""


def fillets(shape: FeatureShape, rounds: RoundFaces, taken: set[int]) -> list[Found]:
    """Chains of tangent faces of one radius, or of one that varies. taken: faces of holes, which are none."""
    slot_ends = _slot_ends(rounds)
    ends = slot_ends | {
        face
        for axis in rounds.convex
        for band in axis.bands
        if band.turn >= thresholds.MORE_THAN_HALF
        for face in band.faces
    }
    sections = {
        face: found
        for face in range(len(shape.faces))
        if face not in taken and face not in ends and (found := _section(shape, face)) is not None
    }
    chains: dict[int, list[int]] = defaultdict(list)
    leader = {face: face for face in sections}

    def lead(face: int) -> int:
        while leader[face] != face:
            leader[face] = leader[leader[face]]
            face = leader[face]
        return face

    for face, own in sections.items():
        for edge, other in shape.neighbours(face):
            if other in sections and shape.convexity(edge) == "smooth" and _is_one(own, sections[other]):
                leader[lead(other)] = lead(face)
    for one, two in _pieces(shape, sections):
        leader[lead(two)] = lead(one)
    for face in sections:
        chains[lead(face)].append(face)
    return [
        _chain(shape, faces, sections)
        for faces in chains.values()
        if _is_blend(shape, faces)
        and not _is_blended(shape, faces, sections)
        # What goes over into the ends of a slot alone is a wall of it, along an arc.
        and not _tangent_to(shape, faces) <= slot_ends
    ]


def _pieces(shape: FeatureShape, sections: dict[int, Section]) -> Iterator[tuple[int, int]]:
    """Pieces of one surface along one face: a hole through a fillet leaves two of it."""
    along: dict[tuple[Any, ...], int] = {}
    for face in sections:
        if shape.surfaces[face] is None:
            continue
        for beside in _tangent_to(shape, [face]) - sections.keys():
            first = along.setdefault((beside, *surface_key(shape, face)), face)
            if first != face and shape.is_one_surface(first, face):
                yield first, face


def _tangent_to(shape: FeatureShape, faces: list[int]) -> set[int]:
    """The faces that a chain goes over into."""
    return {
        other
        for face in faces
        for edge, other in shape.neighbours(face)
        if shape.convexity(edge) == "smooth" and other not in faces
    }


def _section(shape: FeatureShape, face: int) -> Section | None:
    """Of a face that may be a fillet: it has tangent neighbours."""
    surface = shape.surfaces[face]
    if surface is None:
        return section(shape, face)
    if surface.kind not in ("cylinder", "torus", "sphere"):
        return None
    if sum(edge.convexity == "smooth" for edge in shape.around(face)) < 2:
        return None
    return Section(surface.radius, surface.radius, shape.bulge(face))


def _is_one(first: Section, second: Section) -> bool:
    """Whether two neighbours are parts of one fillet: of one radius, or of one that goes on where the radius varies."""
    same = FITTED if first.fitted or second.fitted else SAME_RADIUS
    apart = max(first.low, second.low) - min(first.high, second.high)
    return first.bulge == second.bulge and first.varies == second.varies and apart <= same * first.high


def _is_blend(shape: FeatureShape, faces: list[int]) -> bool:
    """Whether a chain is tangent to other faces on both sides; the dome of a pin is so to one, in as many pieces as it has."""
    beside = _tangent_to(shape, faces)
    first = min(beside, default=None)
    return first is not None and any(not shape.is_one_surface(first, other) for other in beside - {first})


def _is_blended(shape: FeatureShape, faces: list[int], sections: dict[int, Section]) -> bool:
    """Whether all that a chain is tangent to are smaller fillets: it is what they blend, such as the arc of a lug."""
    radius = min(sections[face].low for face in faces)
    beside = _tangent_to(shape, faces)
    return all(other in sections and sections[other].high < radius * (1.0 - FITTED) for other in beside)


def _slot_ends(rounds: RoundFaces) -> set[int]:
    """Round walls of half a turn that join two parallel planes: ends of slots, or full rounds."""
    found: set[int] = set()
    for axis in rounds.concave:
        for band in axis.bands:
            if band.kind == "cylinder" and band.turn >= thresholds.HALF:
                found |= set(band.faces)
    return found


def _chain(shape: FeatureShape, faces: list[int], sections: dict[int, Section]) -> Found:
    long = [face for face in faces if shape.kind(face) == "cylinder"]
    own = [sections[face] for face in faces]
    # What a surface states is nearer to what was meant than what was measured on another one.
    radius = min((each for each in own if not each.fitted), default=None, key=lambda each: each.low)
    members: dict[str, Any] = {"radius": min(each.low for each in own) if radius is None else radius.low}
    if own[0].varies:
        members["radius_max"] = max(each.high for each in own)
    members["side"] = "convex" if own[0].bulge > 0.0 else "concave"
    if long and len(long) == len(faces):
        members["length"] = sum(_lengths(shape, long))
    return Found("fillet", sorted(faces), members)


def _lengths(shape: FeatureShape, faces: list[int]) -> Iterator[float]:
    """Of cylinders along their axes, the pieces of one together."""
    left = list(faces)
    while left:
        first = left[0]
        pieces = [face for face in left if shape.is_one_surface(first, face)]
        left = [face for face in left if face not in pieces]
        low, high = shape.extent(pieces, shape.surfaces[first].axis)  # type: ignore[union-attr]  # a cylinder has a surface
        yield high - low


def chamfers(shape: FeatureShape, taken: set[int]) -> list[Found]:
    """Narrow planes and cones between two convex edges."""
    found: list[Found] = []
    by_surface: dict[tuple[Any, ...], list[Found]] = defaultdict(list)
    for face in range(len(shape.faces)):
        if face in taken:
            continue
        if shape.kind(face) == "plane":
            chamfer = _plane_chamfer(shape, face)
        elif shape.kind(face) == "cone":
            chamfer = _cone_chamfer(shape, face)
        else:
            continue
        known = None if chamfer is None else by_surface[surface_key(shape, face)]
        if chamfer is not None and known is not None and not _goes_on(shape, chamfer, known):
            known.append(chamfer)
            found.append(chamfer)
    return found


def _goes_on(shape: FeatureShape, chamfer: Found, found: list[Found]) -> bool:
    """Whether a chamfer is a piece of one that was found, to which it is added: half a cone, or what a slot has left of a plane."""
    [face] = chamfer.faces
    for known in found:
        is_one = shape.is_one_surface(known.faces[0], face) and _is_same(chamfer.members, known.members)
        if is_one and _beside(shape, [face]) & _beside(shape, known.faces):
            known.faces.append(face)
            _lengthen(shape, known)
            return True
    return False


def _beside(shape: FeatureShape, faces: list[int]) -> set[int]:
    """The faces around a chamfer, and those of it that are next to each other."""
    return {*faces, *(other for face in faces for _, other in shape.neighbours(face))}


def _lengthen(shape: FeatureShape, chamfer: Found) -> None:
    """The length of a flat chamfer, over the gaps between its pieces."""
    if "length" in chamfer.members:
        ends = [edge for face in chamfer.faces for edge in shape.around(face) if edge.type == "line"]
        along = _direction(max(ends, key=lambda edge: edge.length))
        low, high = shape.extent(chamfer.faces, along)
        chamfer.members["length"] = high - low


def _is_same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Whether two chamfers of one surface have the same legs, in either order, and diameter."""
    if first.keys() != second.keys():
        return False
    sizes = [[*sorted(members["legs"]), members.get("diameter", 0.0)] for members in (first, second)]
    return bool(np.allclose(sizes[0], sizes[1], rtol=SAME_RADIUS, atol=SAME_RADIUS))


def _plane_chamfer(shape: FeatureShape, face: int) -> Found | None:
    """Between two planes or other faces along two parallel lines."""
    lines = [
        (edge, other)
        for edge, other in shape.neighbours(face)
        if edge.type == "line" and shape.convexity(edge) == "convex" and edge.angle is not None
    ]
    best: tuple[float, Found] | None = None
    low, high = thresholds.CHAMFER_ANGLES
    slanted = [(edge, other, _direction(edge)) for edge, other in lines if low <= abs(edge.angle or 0.0) <= high]
    for (first, one), (second, two) in _parallel(shape, slanted):
        if one == two:
            continue
        angles = abs(first.angle or 0.0), abs(second.angle or 0.0)
        width = _distance(first, second)
        length = min(first.length, second.length)
        # Edges on one line, and those of a cut across the chamfer, are not its two sides.
        if not shape.tolerance < width <= length or sum(angles) > 170.0:
            continue
        if any(_reach(shape, face, edge) > width + shape.tolerance for edge in (first, second)):
            continue
        if any(
            width > thresholds.CHAMFER_WIDTH * _reach(shape, other, edge)
            for edge, other in ((first, one), (second, two))
        ):
            continue
        legs = [
            width * sin(radians(angles[1])) / sin(radians(sum(angles))),
            width * sin(radians(angles[0])) / sin(radians(sum(angles))),
        ]
        chamfer = Found("chamfer", [face], {"legs": legs, "angle": angles[0], "length": length})
        if best is None or width < best[0]:
            best = width, chamfer
    return best[1] if best else None


def _parallel(
    shape: FeatureShape, lines: list[tuple[BodyEdge, int, Array]]
) -> Iterator[tuple[tuple[BodyEdge, int], tuple[BodyEdge, int]]]:
    """Pairs of lines that are parallel, whichever way they run, each with the face beyond it."""
    ways: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for place, (_, _, along) in enumerate(lines):
        for key in near_keys(along) | near_keys(-along):
            ways[key].append(place)
    for place, (edge, face, along) in enumerate(lines):
        for other in ways[direction_key(along)]:
            if other > place and shape.is_along(along, lines[other][2]):
                yield (edge, face), lines[other][:2]


def _direction(line: BodyEdge) -> Array:
    """Unit, of a line."""
    along = line.ends[1] - line.ends[0]
    return np.asarray(along / (hypot(*along.tolist()) or 1.0))


def _distance(first: BodyEdge, second: BodyEdge) -> float:
    """Between two parallel lines."""
    along = _direction(first)
    return length(cross(second.points[1] - first.points[1], along))


def _reach(shape: FeatureShape, face: int, edge: BodyEdge) -> float:
    """How far a face goes away from one of its edges."""
    along = _direction(edge)
    away = shape.points(face) - edge.points[1]
    return float(np.linalg.norm(away - (away @ along)[:, None] * along, axis=1).max(initial=0.0))


def _cone_chamfer(shape: FeatureShape, face: int) -> Found | None:
    """At the end of a shaft, or around the mouth of a round wall: a cone between two circles, both of them convex."""
    surface = shape.surfaces[face]
    circles = [
        (edge, other)
        for edge, other in shape.neighbours(face)
        if edge.type == "circle" and shape.convexity(edge) == "convex"
    ]
    if surface is None or len({round(edge.radius or 0.0, 6) for edge, _ in circles}) != 2:
        return None
    wide = max(circles, key=lambda pair: pair[0].radius or 0.0)
    narrow = min(circles, key=lambda pair: pair[0].radius or 0.0)
    radial = (wide[0].radius or 0.0) - (narrow[0].radius or 0.0)
    heights = [float((edge.points[0] - surface.origin) @ surface.axis) for edge, _ in (wide, narrow)]
    axial = abs(heights[0] - heights[1])
    low, high = thresholds.CHAMFER_ANGLES
    is_shaft = shape.bulge(face) > 0.0
    around = wide if is_shaft else narrow
    is_small = max(radial, axial) <= thresholds.CHAMFER_WIDTH * (around[0].radius or 0.0)
    if not is_small or not low <= degrees(surface.half_angle) <= high or shape.kind(around[1]) != "cylinder":
        return None
    members: dict[str, Any] = {"legs": [axial, radial], "angle": degrees(surface.half_angle)}
    if is_shaft:
        members["diameter"] = 2.0 * (wide[0].radius or 0.0)
    return Found("chamfer", [face], members)
