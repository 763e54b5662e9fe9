"""What moving bodies meet: gravity, the ground, friction, and what a body stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from shapely import LineString, Point, union_all

from spatial.reasoning.contact.balance import Verdict, balance
from spatial.reasoning.contact.patches import Patch, Plane, bottom, lowest, merged, standing, top
from spatial.reasoning.motion.impact import gap
from spatial.reasoning.motion.state import State
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.distance import Proximity, are_closer
from spatial.reasoning.shape.tolerances import CONTACT, touching_reach


@dataclass(frozen=True, eq=False)
class World:
    """What does not change.

    ground: level of an endless floor, None for none. pull: gravity in units/s².
    friction: coefficient of friction; None where it is not given.
    """

    plane: Plane
    ground: float | None
    pull: float
    friction: float | None

    @property
    def grip(self) -> float:
        """The coefficient of friction that is reckoned with: none where it is not given."""
        return self.friction or 0.0

    @property
    def gravity(self) -> Array:
        """(3,) the acceleration of a free fall."""
        return -self.pull * self.plane.up


@dataclass(frozen=True, eq=False)
class Footing:
    """What a body stands on: ids, "" for the ground, and how."""

    supports: tuple[str, ...]
    patch: Patch | None
    verdict: Verdict

    @property
    def steepness(self) -> float:
        """Least coefficient of friction that keeps the body from sliding down."""
        return 0.0 if self.patch is None else self.patch.steepness

    def tips(self, state: State, world: World, way: Array) -> bool:
        """Whether the body tips forward while friction slows it on its (3,) way.

        The line of weight and friction through the centre of mass leaves the contact by the coefficient times the centre's height.
        """
        if self.patch is None or not world.grip:
            return False
        centre = state.centre + state.shifted
        height = float(centre @ world.plane.up) - self.patch.level
        ahead = centre + world.grip * height * way / float(np.linalg.norm(way))
        return balance(self.patch, ahead, world.plane, state.body.size).verdict == "unstable"


def footing(name: str, body: Body, others: Mapping[str, Body], world: World) -> Footing:
    """How a body stands on others and on the ground, now."""
    found: list[tuple[str, Patch]] = []
    if world.ground is not None and lowest(body, world.plane) <= world.ground + CONTACT * body.size:
        found.append(("", bottom(body, world.plane)))
    for each, other in others.items():
        if each != name and are_closer(body.outer, other.outer, touching_reach(body.size, other.size)):
            patch = _on(body, other, world.plane)
            if patch is not None:
                found.append((each, patch))
    if not found:
        return Footing((), None, "unstable")
    whole = merged([patch for _, patch in found])
    centre = body.centre if body.centre is not None else body.outer.middle
    return Footing(tuple(each for each, _ in found), whole, balance(whole, centre, world.plane, body.size).verdict)


def _on(upper: Body, lower: Body, plane: Plane) -> Patch | None:
    """The contact of a body on another one."""

    def touching() -> tuple[Proximity, bool]:
        near = gap(upper, lower)
        return near, near.distance <= touching_reach(upper.size, lower.size)

    return standing(upper, lower, plane, touching)


def way_to_edge(state: State, supports: Sequence[Body], world: World) -> float:
    """How far a sliding body's centre is from the edge of what it stands on, along its velocity; infinite on the ground."""
    plane, body = world.plane, state.present
    level = lowest(body, plane)
    tops = [top(each, plane, level).inner for each in supports]
    if not supports:
        return float("inf")
    region = union_all([each.buffer(CONTACT * body.size) for each in tops])
    centre = plane.flat((state.centre + state.shifted)[None])[0]
    way = plane.flat(state.velocity[None])[0]
    length = float(np.linalg.norm(way))
    if length <= 0 or not region.covers(Point(centre)):
        return 0.0 if length > 0 else float("inf")
    far = sum(float(np.ptp(np.array(each.bounds).reshape(2, 2), axis=0).sum()) for each in tops if not each.is_empty)
    end = centre + way / length * (far + body.size)
    crossing = LineString([centre, end]).intersection(region.boundary)
    return float(Point(centre).distance(crossing)) if not crossing.is_empty else float("inf")
