"""Pockets and slots: what planes have around them, seen loop by loop.

pocket   a plane whose outer loop is a foot all round: its walls rise from it. With two parallel walls and round ends it is a slot.
slot     also a plane between two parallel walls that face each other, open at one or both ends, and an obround opening that goes through.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features import thresholds
from spatial.understanding.brep.features.channels import Channel, channels_of, is_crossed, joined, slot_of
from spatial.understanding.brep.features.found import MOUTH, Found
from spatial.understanding.brep.features.leaning_channels import leaning_channels
from spatial.understanding.brep.features.openings import opening
from spatial.understanding.brep.features.outlines import is_corner, plan_of
from spatial.understanding.brep.features.round_channels import round_channels
from spatial.understanding.brep.features.shaft_channels import shaft_channels
from spatial.understanding.brep.features.shape import FeatureShape
from spatial.understanding.brep.features.undercuts import undercut
from spatial.understanding.brep.features.walls import blends_at, depth_of, is_upright, risen_walls


def depressions(shape: FeatureShape, taken: set[int], *, channels: bool) -> list[Found]:
    """Pockets and slots, the most certain first: a wall of a pocket has feet too, and is no floor.

    taken: faces of holes. channels: whether slots that are open at an end are looked for; a bent sheet is one itself.
    """
    found: list[Found] = []
    seen: set[int] = set()
    planes = {face: normal for face in range(len(shape.faces)) if (normal := shape.normal(face)) is not None}
    _keep(found, seen, (undercut(shape, face, normal) for face, normal in planes.items() if face not in taken))
    closed = (_pocket(shape, face, normal, taken) for face, normal in planes.items() if face not in taken)
    _keep(found, seen, closed)
    openings = (
        opening(shape, face, normal, loop, taken)
        for face, normal in planes.items()
        for loop in shape.loops(face)
        if not loop.outer
    )
    _keep(found, seen, openings)
    if channels:
        _keep(found, seen, leaning_channels(shape, taken | seen))
        _keep(found, seen, shaft_channels(shape, taken | seen))
        used = seen | taken
        floors = [each for face, way in planes.items() if face not in used for each in channels_of(shape, face, way)]
        # An end of a slot is a round channel too, where a hole or a pocket has cut the slot in two.
        _keep_channels(shape, found, seen, [each for each in joined(shape, floors) if is_crossed(shape, each, used)])
        _keep(found, seen, round_channels(shape, taken | seen))
        left = [each for each in floors if not seen.intersection(each.floors)]
        _keep_channels(shape, found, seen, joined(shape, left))
    return found


def _keep(found: list[Found], seen: set[int], candidates: Iterable[Found | None]) -> None:
    """Take those whose faces no earlier one has."""
    for each in candidates:
        if each is not None and not seen & set(each.faces):
            seen |= set(each.faces)
            found.append(each)


def _keep_channels(shape: FeatureShape, found: list[Found], seen: set[int], candidates: Iterable[Channel]) -> None:
    """The same for channels, of which several may have one floor: they cross there."""
    floors: set[int] = set()
    for each in candidates:
        if not seen & (each.faces - floors):
            seen |= each.faces
            floors |= set(each.floors)
            found.append(slot_of(shape, each))


def _pocket(shape: FeatureShape, face: int, normal: Array, taken: set[int]) -> Found | None:
    """By its floor: its outer loop is a foot all round. The floor of a counterbore is a hole's."""
    outer, walls = risen_walls(shape, face, normal, thresholds.LEANS_MOST)
    if outer is None or not walls or None in walls:
        return None
    feet = list(dict.fromkeys(wall for wall in walls if wall is not None))
    broken = {
        wall: _behind_broken(shape, wall, face, feet, normal)
        for wall in feet
        if not is_upright(shape, wall, normal) and not _opens(shape, wall, face, feet)
    }
    if not all(broken.values()):
        return None
    standing = list(dict.fromkeys(each for wall in feet for each in broken.get(wall, [wall])))
    depth = depth_of(shape, face, standing, normal)
    if depth <= shape.tolerance or set(standing) <= taken:
        return None
    faces = _with_corners(shape, {face, *standing, *broken, *blends_at(shape, face, outer)})
    steep = set(standing)
    upright = [each for each in faces - {face} if each in steep or is_corner(shape, each, normal)]
    members: dict[str, Any] = {"depth": depth, "through": False, "axis": -normal, **plan_of(shape, upright, normal)}
    members[MOUTH] = -depth - shape.extent([face], normal)[1]
    if any(shape.kind(wall) in ("torus", "sphere") and shape.bulge(wall) > 0.0 for wall in standing):
        # Walls that bulge into a pocket end outside of it: it is as wide as nothing that is measured here.
        members = {name: value for name, value in members.items() if name not in ("width", "length")}
    kind = "slot" if members.pop("is_slot") else "pocket"
    return Found(kind, sorted(faces), members)


def _behind_broken(shape: FeatureShape, wall: int, floor: int, feet: list[int], normal: Array) -> list[int]:
    """The walls behind the broken corner of a floor, a flat face that leans and is smaller than it; none of any other."""
    if shape.normal(wall) is None or shape.areas[wall] >= shape.areas[floor]:
        return []
    return [
        other
        for edge, other in shape.neighbours(wall)
        if other != floor
        and other not in feet
        and shape.convexity(edge) == "concave"
        and is_upright(shape, other, normal)
    ]


def _opens(shape: FeatureShape, wall: int, floor: int, walls: list[int]) -> bool:
    """Whether a wall leans out of a pocket and ends at its rim: the broken corner of a floor ends at another wall."""
    normal, up = shape.normal(wall), shape.normal(floor)
    return (
        normal is not None
        and up is not None
        and float(normal @ up) > 0.0
        and all(
            other == floor or other in walls or shape.convexity(edge) == "convex" or shape.bulge(other) != 0.0
            for edge, other in shape.neighbours(wall)
        )
    )


def _with_corners(shape: FeatureShape, faces: set[int]) -> set[int]:
    """With the filled corners between them: cylinders between two walls, the ball where three fillets meet."""
    found, waiting = set(faces), list(faces)
    while waiting:
        face = waiting.pop()
        for edge, other in shape.neighbours(face):
            if other in found or shape.convexity(edge) != "smooth" or shape.bulge(other) >= 0.0:
                continue
            beside = {beyond for further, beyond in shape.neighbours(other) if shape.convexity(further) == "smooth"}
            if len(beside & found) >= 2:
                found.add(other)
                waiting.append(other)
    return found
