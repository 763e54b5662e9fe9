"""Whether a convex shape goes into a cavity, in which orientation, and how much room is left.

A cavity is convex, so an object goes into it exactly if its hull does. For a given orientation the answer is exact: a box has room if
the shape's extents along it are smaller, a bore if the smallest circle around the shape's projection is smaller. Orientations are those in
which axes of both are aligned, then a search: evenly spread rotations, the best of them refined. An object that is wider than the cavity in
its thinnest direction, or has more volume, goes into it in no orientation at all; otherwise that rests on the search.

Clearance is that of ISO 286-1:2010 §3.2.9: the size of the space minus the size of the object, for the tightest direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations, product
from typing import Final, Literal

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from spatial.reasoning.shape.body import volume_of
from spatial.reasoning.shape.cavity import Cavity
from spatial.reasoning.shape.circles import enclosing_circle
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.hull import hull_of
from spatial.reasoning.shape.tolerances import ZERO

Turning = Literal["none", "axes", "any"]
"""Which orientations may be tried: the present one, all in which the axes are aligned, any."""

FoundBy = Literal["present orientation", "aligned axes", "search"]

SAMPLES: Final = 600
"""Rotations that a search begins with: on average 19 degrees apart."""

REFINED: Final = 8
"""Rotations of them that are refined."""


@dataclass(frozen=True, eq=False)
class Room:
    """What is left of a cavity around a shape in one orientation.

    rotation: (3, 3) from the object's present orientation; translation: (3,).
    clearances: (3,) size of the space minus size of the object along the cavity's frame; the diameters for the first two of a bore.
    constrained: which of them count: the object may stick out of an opening.
    found_by: how the orientation was found.
    """

    rotation: Array
    translation: Array
    clearances: Array
    constrained: tuple[bool, bool, bool]
    found_by: FoundBy

    @property
    def clearance(self) -> float:
        """The smallest clearance; negative where the shape does not go in."""
        return float(self.clearances[self.tightest])

    @property
    def tightest(self) -> int:
        """The direction of the cavity's frame with the smallest clearance."""
        return int(np.argmin(np.where(self.constrained, self.clearances, np.inf)))


def most_room(shape: Convex, axes: Array, cavity: Cavity, turning: Turning, may_protrude: bool, need: float) -> Room:
    """The first orientation with the clearance `need`; if none has it, the one with the most clearance.

    axes: (3, 3) rows are the object's own directions, for aligned orientations.
    """
    constrained = _constrained(cavity, may_protrude)
    best = _room(shape, np.eye(3), cavity, constrained, "present orientation")
    if best.clearance >= need or turning == "none":
        return best
    aligned = [_room(shape, turn, cavity, constrained, "aligned axes") for turn in _aligned(axes, cavity.frame)]
    best = max([best, *aligned], key=lambda room: round(room.clearance / shape.size, _DIGITS))
    if best.clearance >= need or turning == "axes" or is_excluded(shape, cavity, may_protrude, need) is not None:
        return best
    searched = _searched(shape, axes, cavity, constrained, best)
    return searched if searched.clearance > best.clearance + ZERO * shape.size else best


_DIGITS: Final = 7
"""Digits of a clearance, as a share of the size, within which orientations are equal and the first one is taken."""


def is_excluded(shape: Convex, cavity: Cavity, may_protrude: bool, need: float) -> str | None:
    """Why a shape goes into a cavity in no orientation; None if that is not certain. Width, diameter and volume only shrink in a part."""
    space = cavity.shape
    constrained = _constrained(cavity, may_protrude)
    narrowest = float(np.min(np.where(constrained, cavity.size, np.inf)))
    if _thinnest(shape) > narrowest - need + ZERO * shape.size:
        return "its smallest width is larger than the space"
    if not all(constrained):
        return None
    if np.prod(np.clip(cavity.size - need, 0, None)) * (np.pi / 4 if cavity.radius else 1) < volume_of(shape) * (
        1 - ZERO
    ):
        return "its hull has more volume than the space"
    return "it is longer than the longest line in the space" if shape.diameter > space.diameter * (1 + ZERO) else None


@lru_cache(maxsize=64)
def _thinnest(shape: Convex) -> float:
    """The smallest width of a shape: for a polytope it is between a facet and a vertex, or between two edges."""
    if not shape.vertices.shape[0] > 1:
        return 2 * shape.ball
    if shape.disc:
        return min(float(np.linalg.norm(shape.vertices[1] - shape.vertices[0])), 2 * shape.disc) + 2 * shape.ball
    hull = hull_of(shape.vertices)
    if hull is None:
        return 2 * shape.ball
    normals = np.array([facet.normal for facet in hull.largest(_EDGE_FACETS)])
    edges = [np.roll(facet.polygon, -1, axis=0) - facet.polygon for facet in hull.largest(_EDGE_FACETS)]
    ways = np.vstack(edges)
    if len(hull.labels) > 2 * _EDGE_FACETS or len(ways) > _MOST_EDGES:
        return 0.0  # too many pairs of edges to prove a smallest width
    crossed = np.cross(ways[:, None], ways[None]).reshape(-1, 3)
    lengths = np.linalg.norm(crossed, axis=1)
    crossed = crossed[lengths > ZERO * shape.size**2] / lengths[lengths > ZERO * shape.size**2, None]
    return float(shape.widths(np.vstack([normals, crossed])).min())


_EDGE_FACETS: Final = 60
_MOST_EDGES: Final = 240
"""Facets and edges up to which all pairs are tried."""


def _constrained(cavity: Cavity, may_protrude: bool) -> tuple[bool, bool, bool]:
    """Whether the object must stay between both sides, per direction."""
    is_open = [may_protrude and "open" in cavity.sides[2 * axis : 2 * axis + 2] for axis in range(3)]
    return not is_open[0], not is_open[1], not is_open[2]


def _room(
    shape: Convex, rotation: Array, cavity: Cavity, constrained: tuple[bool, bool, bool], found_by: FoundBy
) -> Room:
    """The room in one orientation, with the shape in the middle of the space."""
    ways = cavity.frame @ rotation  # the cavity's directions, seen from the object
    upper, lower = shape.heights(ways), -shape.heights(-ways)
    clearances, middle = cavity.size - (upper - lower), (upper + lower) / 2
    if cavity.radius is not None:
        centre, radius = enclosing_circle(shape, ways)
        clearances[:2] = 2 * (cavity.radius - radius)
        middle[:2] = centre
    translation = cavity.frame.T @ ((cavity.lower + cavity.upper) / 2 - middle)
    return Room(rotation, translation, clearances, constrained, found_by)


def _aligned(axes: Array, frame: Array) -> Iterator[Array]:
    """The 24 rotations that turn an object's directions into a cavity's."""
    for turn in _QUARTERS:
        yield frame.T @ turn @ axes


def _quarter_turns() -> list[Array]:
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            turn = np.eye(3)[list(order)] * np.array(signs)[:, None]
            if np.linalg.det(turn) > 0:
                found.append(turn)
    return sorted(found, key=lambda turn: -float(np.trace(turn)))


_QUARTERS: Final = _quarter_turns()


def _searched(shape: Convex, axes: Array, cavity: Cavity, constrained: tuple[bool, bool, bool], best: Room) -> Room:
    """The orientation with the most clearance that a search finds."""
    is_round = cavity.radius is not None  # a turn about the axis of a bore changes nothing
    turns = [cavity.frame.T @ turn @ axes for turn in _spread()[:: _ROUND if is_round else 1]]
    rooms = [_room(shape, turn, cavity, constrained, "search") for turn in turns]
    starts = sorted(rooms, key=lambda room: -room.clearance)[: REFINED // (_ROUND if is_round else 1)]
    for start in [best, *starts]:

        def loss(vector: Array, first: Array = start.rotation) -> float:
            turn = Rotation.from_rotvec(vector).as_matrix() @ first
            return -_room(shape, turn, cavity, constrained, "search").clearance / shape.size

        simplex = np.vstack([np.zeros(3), _STEP * np.eye(3)])
        found = minimize(
            loss,
            np.zeros(3),
            method="Nelder-Mead",
            options={"initial_simplex": simplex, "maxfev": 250, "xatol": 1e-7, "fatol": 1e-9},
        )
        room = _room(shape, Rotation.from_rotvec(found.x).as_matrix() @ start.rotation, cavity, constrained, "search")
        best = room if room.clearance > best.clearance else best
    return best


_ROUND: Final = 4
"""One in so many rotations is tried in a bore."""

_STEP: Final = 0.15
"""First step of the refinement, in radians: half the mean spacing of the rotations it begins with."""


@lru_cache(maxsize=1)
def _spread() -> list[Array]:
    """Evenly spread rotations: the super-Fibonacci sequence (Alexa 2022)."""
    place = np.arange(SAMPLES) + 0.5
    share = place / SAMPLES
    first, second = 2 * np.pi * place / np.sqrt(2), 2 * np.pi * place / 1.533751168755204288118041
    quaternions = np.column_stack(
        [
            np.sqrt(share) * np.sin(first),
            np.sqrt(share) * np.cos(first),
            np.sqrt(1 - share) * np.sin(second),
            np.sqrt(1 - share) * np.cos(second),
        ]
    )
    return list(Rotation.from_quat(quaternions).as_matrix())
