"""Grasps: pairs in force closure, with a straight approach on which nothing is in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.grasping.clearance import Clearance, Surroundings, distance_to
from spatial.reasoning.grasping.gripper import Gripper
from spatial.reasoning.grasping.pairs import Pair, pairs_of
from spatial.reasoning.log import log_step
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.hull import plane_axes

APPROACHES: Final = 8
"""Approach directions around the closing line, from above first."""

CHECKS: Final = 160
"""Most pairs with an approach that are checked for clearance, about 3 ms each: beyond them the object counts as blocked."""


@dataclass(frozen=True, eq=False)
class Grasp:
    """A pair with an approach: (3,) unit vector; way: length of the straight approach.

    margin: how far inside the friction cones the closing line lies, in radians. quality: 0 to 1. clearance: of the gripper on its way.
    """

    pair: Pair
    approach: Array
    way: float
    opening: float
    margin: float
    quality: float
    clearance: Clearance


@dataclass(frozen=True, eq=False)
class Grasps:
    """What was found, best first, and why the rest was not.

    closed: pairs in force closure; narrow: those that the gripper opens for; least: the smallest opening; blocked: checks that failed, by
    what was in the way.
    """

    found: tuple[Grasp, ...]
    closed: int
    narrow: int
    least: float | None
    checked: int
    is_cut: bool
    blocked: Counter[str] = field(default_factory=Counter)


def grasps_of(body: Body, gripper: Gripper, around: Surroundings, *, count: int, clearance: float) -> Grasps:
    """The `count` best grasps of an object whose gripper keeps a clearance from what is around it."""
    pairs = pairs_of(body, gripper.cone)
    openings = [pair.opening for pair in pairs]
    narrow = [pair for pair in pairs if pair.opening <= gripper.max_opening + around.reach]
    ranked = sorted(narrow, key=lambda pair: (-round(quality(pair, body, gripper), 9), round(pair.opening, 9)))
    found: list[Grasp] = []
    blocked: Counter[str] = Counter()
    checked = 0
    for pair in ranked:
        for approach in _approaches(pair, around.plane):
            if checked >= CHECKS or len(found) >= count:
                break
            checked += 1
            grasp, cause = _checked(pair, approach, body, gripper, around, clearance)
            if grasp is None:
                blocked[cause] += 1
                continue
            found.append(grasp)
            break
    least = min(openings) if openings else None
    causes = ", ".join(f"{cause} {number}" for cause, number in blocked.items()) or "none"
    log_step(
        f"{len(pairs)} pairs of faces, {len(narrow)} narrow enough, {checked} checked, {len(found)} free; blocked: {causes}"
    )
    return Grasps(tuple(found), len(pairs), len(narrow), least, checked, checked >= CHECKS, blocked)


def quality(pair: Pair, body: Body, gripper: Gripper) -> float:
    """0 to 1: half for the margin in the friction cones, half for the nearness of the closing line to the centre of mass."""
    centre = body.centre if body.centre is not None else body.outer.middle
    offset = centre - pair.middle
    distance = float(np.linalg.norm(offset - (offset @ pair.closing) * pair.closing))
    return 0.5 * max(0.0, pair.margin(gripper.cone)) / gripper.cone + 0.5 * max(0.0, 1 - 2 * distance / body.size)


def _approaches(pair: Pair, plane: Plane) -> Iterator[Array]:
    """Unit vectors at right angles to the closing line, the one most along gravity first."""
    down = -plane.up - (-plane.up @ pair.closing) * pair.closing
    length = float(np.linalg.norm(down))
    start = down / length if length > 1e-6 else plane_axes(pair.closing)[0]
    across = np.cross(pair.closing, start)
    for turn in (0, 1, -1, 2, -2, 3, -3, 4):
        angle = 2 * np.pi * turn / APPROACHES
        yield np.cos(angle) * start + np.sin(angle) * across


def _checked(
    pair: Pair, approach: Array, body: Body, gripper: Gripper, around: Surroundings, clearance: float
) -> tuple[Grasp | None, str]:
    """The grasp with this approach, or what is in its way."""
    opening = gripper.opened(pair.opening)
    way = gripper.length + float(body.outer.widths(approach[None])[0])
    solids = gripper.solids(pair.middle - way * approach, pair.closing, approach, opening)
    if any(distance_to(solid.swept(way * approach), body) < -around.reach for solid in solids):
        return None, body.id
    found = around.clearance(solids, way * approach)
    if found.distance < clearance - around.reach:
        return None, found.nearest or "ground"
    inwards = (opening - pair.opening) / 2 * pair.closing
    fingers = gripper.solids(pair.middle, pair.closing, approach, opening)[:2]
    for finger, way_in in zip(fingers, (-inwards, inwards), strict=True):
        closing = around.clearance((finger,), way_in)
        if closing.distance < -around.reach:
            return None, closing.nearest or "ground"
    margin = pair.margin(gripper.cone)
    return Grasp(pair, approach, way, opening, margin, quality(pair, body, gripper), found), ""
