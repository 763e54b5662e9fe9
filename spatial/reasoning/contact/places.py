"""Places for an object on flat regions: it rests there stably, inside the region, and overlaps with nothing.

Candidates are shifts of rest poses: corners, edges and middle of the set of allowed shifts, positions against the other objects (Crainic,
Perboli, Tadei 2008, "extreme points"), and a raster. Every place that is reported passed the tests of `separation` and `balance`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.counting import count_of
from spatial.reasoning.contact.balance import Balance, balance
from spatial.reasoning.contact.orientations import SAME, Turned, about_up, alignments, longest_edges, orientations
from spatial.reasoning.contact.outlines import allowed_shifts
from spatial.reasoning.contact.patches import Patch, Plane, bottom, corners_of, highest, lowest
from spatial.reasoning.contact.regions import Region
from spatial.reasoning.log import log_step
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.inclusion import Turning
from spatial.reasoning.shape.separation import are_clear, separation
from spatial.reasoning.shape.tolerances import CONTACT, ZERO

Preference = Literal["low", "corner", "centre", "margin"]

RASTER: Final = 7
"""Raster lines over the allowed shifts, per direction."""

CHECKS: Final = 80
"""Candidates per region and orientation that are checked exactly: beyond them the region is taken as full."""


ALL_CHECKS: Final = 400
"""Candidates that are checked exactly at all."""


@dataclass(frozen=True, eq=False)
class Place:
    """One place.

    rotation, translation: from the present position; region: where it rests; body: the object there.
    clearance: distance to the nearest other object, None without others; wall: smallest distance to the region's edge.
    """

    rotation: Array
    translation: Array
    region: Region
    body: Body
    patch: Patch
    balance: Balance
    wall: float
    clearance: float | None
    nearest: str | None
    score: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Wish:
    """What a goal asks of places: how many, which first, how far from others, in which orientations."""

    prefer: Preference
    count: int
    clearance: float
    turning: Turning


def places(
    body: Body, regions: Sequence[Region], target: Body | None, obstacles: Sequence[Body], plane: Plane, wish: Wish
) -> list[Place]:
    """Places of a body, best first; fewer than asked for, or none, where no more were found.

    target: what the regions belong to; the body may touch it.
    """
    candidates = [
        each
        for turned in orientations(body, plane, wish.turning)
        for region in regions
        for each in _candidates(turned, region, obstacles, plane, wish)
    ]
    found: list[Place] = []
    checks: dict[int, int] = {}
    for score, turned, region, shift in sorted(candidates, key=lambda each: each[0]):
        key = hash((id(turned), id(region)))
        if (
            checks.get(key, 0) >= CHECKS
            or sum(checks.values()) >= ALL_CHECKS
            or any(_is_near(turned, shift, region, other, plane) for other in found)
        ):
            continue
        checks[key] = checks.get(key, 0) + 1
        place = _checked(turned, region, shift, obstacles, plane, wish, score)
        if place is not None and not _collides(place, target, plane):
            found.append(place)
        if len(found) >= wish.count:
            break
    log_step(f"{count_of(sum(checks.values()), 'place')} of {len(candidates)} candidates checked, {len(found)} free")
    return found


def _candidates(
    turned: Turned, region: Region, obstacles: Sequence[Body], plane: Plane, wish: Wish
) -> Iterator[tuple[tuple[float, ...], Turned, Region, Array]]:
    """Shifts of an orientation over a region with their scores."""
    height = highest(turned.body, plane) - lowest(turned.body, plane)
    if region.ceiling is not None and region.level + height > region.ceiling + CONTACT * turned.body.size:
        return
    near = _nearest_to(region, obstacles, plane)
    for angle in alignments(turned, region.corners) if wish.turning != "none" else [0.0]:
        aligned = turned if angle == 0 else about_up(turned, angle, plane)
        inner = aligned.outline if region.relation == "in" else corners_of(aligned.patch.inner)
        margin = wish.clearance if region.relation == "in" else 0.0
        allowed = allowed_shifts(inner, region.corners, margin)
        if not len(allowed):  # an object as large as the region may be larger by noise
            allowed = allowed_shifts(inner, region.corners, margin - ZERO * aligned.body.size)
        if not len(allowed):
            continue
        shifts = _shifts(allowed, aligned, region, near, plane, wish.clearance)
        for score, shift in zip(_scores(aligned, region, shifts, plane, wish).tolist(), shifts, strict=True):
            yield tuple(score), aligned, region, shift


def _shifts(
    allowed: Array, turned: Turned, region: Region, obstacles: Sequence[Body], plane: Plane, clearance: float
) -> Array:
    """(n, 2) shifts to try inside the allowed set, along the region's own edges."""
    angle = longest_edges(region.corners)[0]
    axes = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    rows, outline = allowed @ axes.T, turned.outline @ axes.T
    steps, found = np.linspace(0, 1, RASTER), []
    for axis in range(2):
        low, high = rows[:, axis].min(), rows[:, axis].max()
        values = [low + steps * (high - low)]
        way = (axes[axis] @ np.array([plane.right, plane.forward]))[None]
        for body in obstacles:
            reach = -float(body.outer.heights(-way)[0]), float(body.outer.heights(way)[0])
            values.append(
                np.array([reach[0] - clearance - outline[:, axis].max(), reach[1] + clearance - outline[:, axis].min()])
            )
        each = np.unique(np.concatenate(values))
        found.append(each[(each >= low) & (each <= high)])
    raster = np.array([[x, y] for x in found[0] for y in found[1]]).reshape(-1, 2) @ axes
    return np.vstack([allowed, allowed.mean(axis=0), raster[_inside(raster, allowed)]])


def _nearest_to(region: Region, obstacles: Sequence[Body], plane: Plane) -> list[Body]:
    """The obstacles nearest to a region, at most _MOST_OBSTACLES of them, whatever their order in the scene."""
    middle = plane.lifted(region.corners.mean(axis=0)[None], region.level)[0]
    return sorted(obstacles, key=lambda body: (float(np.linalg.norm(body.outer.middle - middle)), body.id))[
        :_MOST_OBSTACLES
    ]


_MOST_OBSTACLES: Final = 20
"""Obstacles next to which places are tried: their count squared is that of the candidates."""


def _inside(rows: Array, corners: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    along = np.roll(corners, -1, axis=0) - corners
    noise = 1e-9 * float(np.ptp(corners, axis=0).max() + 1e-300)
    sides = along[:, 0] * (rows[:, None, 1] - corners[:, 1]) - along[:, 1] * (rows[:, None, 0] - corners[:, 0])
    return np.asarray((sides >= -noise * np.linalg.norm(along, axis=1)).all(axis=1))


def _scores(turned: Turned, region: Region, shifts: Array, plane: Plane, wish: Wish) -> Array:
    """(n, k) scores, smaller is better; rounded, so that the order of equal places does not hang on noise."""
    size = turned.body.size
    centre = turned.body.centre if turned.body.centre is not None else turned.body.outer.middle
    height = np.full(len(shifts), region.level + float(centre @ plane.up) - lowest(turned.body, plane))
    rows = plane.flat(centre[None])[0] + shifts
    corner = np.linalg.norm(rows[:, None] - region.corners, axis=2).min(axis=1)
    middle = np.linalg.norm(rows - region.corners.mean(axis=0), axis=1)
    margin = np.full(len(shifts), -balance(turned.patch, centre, plane, size).margin)
    first = {
        "low": (height, corner),
        "corner": (corner, height),
        "centre": (middle, height),
        "margin": (margin, middle),
    }
    return np.asarray(np.round(np.column_stack([*first[wish.prefer], shifts]) / size, 6))


def _is_near(turned: Turned, shift: Array, region: Region, other: Place, plane: Plane) -> bool:
    """Whether a place is another one moved by less than a quarter of the object."""
    if region is not other.region or np.abs(turned.rotation - other.rotation).max() > SAME:
        return False
    extent = np.ptp(turned.outline, axis=0)
    return bool((np.abs(shift - plane.flat(other.translation[None])[0]) < extent / 4).all())


def _checked(
    turned: Turned,
    region: Region,
    shift: Array,
    obstacles: Sequence[Body],
    plane: Plane,
    wish: Wish,
    score: tuple[float, ...],
) -> Place | None:
    """The place, if it is free of all obstacles and stable on what of the region it stands on."""
    translation = plane.lifted(shift[None], region.level - lowest(turned.body, plane))[0]
    moved = turned.body.moved(np.eye(3), translation)
    if not all(are_clear(moved, other, wish.clearance) for other in obstacles):
        return None
    patch = bottom(moved, plane)
    patch = Patch(region.level, patch.inner, patch.outer if not patch.is_exact else patch.inner)
    centre = moved.centre if moved.centre is not None else moved.outer.middle
    found = balance(patch, centre, plane, moved.size)
    if found.verdict != "stable":
        return None
    nearest = _nearest(moved, obstacles)
    inner = turned.outline if region.relation == "in" else corners_of(turned.patch.inner)
    gap = None if nearest is None else nearest[0]
    return Place(
        turned.rotation,
        translation,
        region,
        moved,
        patch,
        found,
        _wall(inner + shift, region.corners),
        gap,
        nearest and nearest[1],
        score,
    )


def _collides(place: Place, target: Body | None, plane: Plane) -> bool:
    """Whether a place on a body overlaps another part of it; one in its cavity does not, as its outline lies inside."""
    if target is None or place.region.relation == "in" or not (target.parts or target.cover):
        return False
    if highest(target, plane) <= place.region.level + CONTACT * target.size:
        return False  # it stands on the very top
    raised = place.body.moved(
        np.eye(3), plane.up * place.body.error
    )  # its outer shape is lower than it stands by its error
    return not are_clear(raised, target, 0.0)


def _nearest(body: Body, obstacles: Sequence[Body]) -> tuple[float, str] | None:
    """The distance to the nearest other object, and its id."""
    found: tuple[float, str] | None = None
    for other in obstacles:
        if found is None or _may_be_closer(body, other, found[0]):
            found = min((separation(body, other).lower, other.id), found or (float("inf"), ""))
    return found


def _may_be_closer(first: Body, second: Body, distance: float) -> bool:
    gaps = np.maximum(first.outer.bounds[0] - second.outer.bounds[1], second.outer.bounds[0] - first.outer.bounds[1])
    return float(np.linalg.norm(np.clip(gaps, 0, None))) < distance


def _wall(inner: Array, corners: Array) -> float:
    along = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(along, axis=1)
    normals = np.column_stack([along[:, 1], -along[:, 0]])[lengths > 0] / lengths[lengths > 0, None]
    return float((np.einsum("ij,ij->i", normals, corners[lengths > 0]) - (inner @ normals.T).max(axis=0)).min())
