"""Who stands on whom, and whether the stack stands.

Every object carries all that stands on it. Where an object has one support, it stands if the centre of mass of it and its load is above
the support polygon. Where loads are shared between several supports, there is no such polygon for each: then the stack stands
if forces at the corners of all contacts, which can only push, hold every object in balance (linear programming; Livesley 1978).
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy.optimize import linprog

from spatial.reasoning.contact.patches import Patch, Plane, bottom, corners_of, lowest, standing
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.distance import Proximity, are_closer
from spatial.reasoning.shape.separation import separation
from spatial.reasoning.shape.tolerances import CONTACT

GROUND: Final = ""
"""The support that is no object: a plane at the lowest level of the scene."""


@dataclass(frozen=True, eq=False)
class Stack:
    """Bodies and their contacts.

    contacts: (upper, lower) ids, lower may be GROUND, to the patch.
    masses: relative masses; volumes where nothing else is known.
    fixed: ids of bodies that do not move, whatever they carry.
    """

    bodies: Mapping[str, Body]
    contacts: Mapping[tuple[str, str], Patch]
    masses: Mapping[str, float]
    plane: Plane
    fixed: frozenset[str] = frozenset()

    def supports(self, name: str) -> list[str]:
        """What an object stands on."""
        return [lower for upper, lower in self.contacts if upper == name]

    def carries(self, name: str) -> list[str]:
        """All objects that stand on an object, directly or through others; it comes first."""
        return self._reached(name, upwards=True)

    def rests_on(self, name: str) -> list[str]:
        """All objects that an object stands on, directly or through others; it comes first."""
        return self._reached(name, upwards=False)

    def _reached(self, name: str, *, upwards: bool) -> list[str]:
        found = [name]
        for each in found:
            for upper, lower in self.contacts:
                here, there = (lower, upper) if upwards else (upper, lower)
                if here == each and there != GROUND and there not in found:
                    found.append(there)
        return found

    def load_centre(self, name: str) -> Array:
        """(3,) the centre of mass of an object and all that it carries."""
        names = self.carries(name)
        masses = np.array([self.masses[each] for each in names])
        centres = np.array([self.bodies[each].centre for each in names])
        return np.asarray(masses @ centres / masses.sum() if masses.sum() > 0 else centres[0])

    @cached_property
    def shared(self) -> frozenset[str]:
        """Objects whose load is not theirs alone: something that they carry also stands on what they do not carry."""
        found = set()
        for name in self.bodies:
            load = self.carries(name)
            if any(support not in load for each in load[1:] for support in self.supports(each)):
                found.add(name)
        return frozenset(found)

    @cached_property
    def is_balanced(self) -> bool:
        """Whether pushing forces at the contacts hold every object in balance."""
        forces = [
            (upper, lower, row)
            for (upper, lower), patch in self.contacts.items()
            if upper not in self.fixed
            for row in corners_of(patch.inner)
        ]
        names = [name for name in self.bodies if name not in self.fixed]
        rows = np.zeros((3 * len(names), len(forces)))
        for column, (upper, lower, place) in enumerate(forces):
            moment = np.array([1.0, place[0], place[1]])
            rows[3 * names.index(upper) : 3 * names.index(upper) + 3, column] += moment
            if lower != GROUND and lower not in self.fixed:
                rows[3 * names.index(lower) : 3 * names.index(lower) + 3, column] -= moment
        flat = self.plane.flat(np.array([self.bodies[name].centre for name in names]))
        weights = np.array([self.masses[name] for name in names])
        wanted = np.column_stack([weights, weights[:, None] * flat]).ravel()
        scale = np.tile([1.0, *([1 / max(body.size for body in self.bodies.values())] * 2)], len(names))
        found = linprog(np.zeros(len(forces)), A_eq=rows * scale[:, None], b_eq=wanted * scale, method="highs")
        return bool(found.status == 0)


def stack_of(
    bodies: Mapping[str, Body],
    masses: Mapping[str, float],
    plane: Plane,
    *,
    ground: float,
    fixed: Set[str] = frozenset(),
) -> Stack:
    """The contacts between bodies, and of those at the ground level with the ground; `fixed` bodies do not move."""
    contacts: dict[tuple[str, str], Patch] = {}
    for name, body in bodies.items():
        reach = CONTACT * body.size
        if lowest(body, plane) <= ground + reach:
            contacts[name, GROUND] = bottom(body, plane)
        for other_name, other in bodies.items():
            if other_name != name and are_closer(body.outer, other.outer, CONTACT * max(body.size, other.size)):
                patch = _standing(body, other, plane)
                if patch is not None:
                    contacts[name, other_name] = patch
    return Stack(bodies, contacts, masses, plane, frozenset(fixed))


def _standing(upper: Body, lower: Body, plane: Plane) -> Patch | None:
    """The contact of a body that stands on another one."""

    def touching() -> tuple[Proximity, bool]:
        apart = separation(upper, lower)
        return apart.nearest, apart.state == "touching"

    return standing(upper, lower, plane, touching)
