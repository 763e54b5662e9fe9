"""The straight way on which an object goes into a cavity, and what blocks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.cavity import Cavity
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.separation import nearest
from spatial.reasoning.shape.tolerances import CONTACT

Passage = Literal["open", "wall", "unknown", "oblique"]


@dataclass(frozen=True, eq=False)
class Insertion:
    """A way in.

    direction: (3,) unit vector of the motion; length: from clear of the opening to the end.
    passage: what is on the side through which it enters.
    shift: (3,) from the pose in the middle of the space to the end of the way; blocked_by: ids of other objects in the way.
    """

    direction: Array
    length: float
    passage: Passage
    shift: Array
    blocked_by: tuple[str, ...]


def insertion(
    shape: Convex, cavity: Cavity, direction: Array | None, down: Array, obstacles: Sequence[Body]
) -> Insertion:
    """The way of a shape, which is in the middle of a cavity, from outside.

    direction: of the motion; None for the opening that faces up best, else the side that may be open.
    """
    way = _default(cavity, down) if direction is None else direction
    side = cavity.side_towards(-way)
    if side is None:
        return Insertion(way, 0.0, "oblique", np.zeros(3), ())
    far = cavity.sides[side ^ 1]
    ends = cavity.shape.heights(np.array([way, -way]))
    reach = shape.heights(np.array([way, -way]))
    # It goes to the far wall; without one it stays in the middle.
    shift = np.zeros(3) if far == "open" else way * float(ends[0] - reach[0])
    length = max(float(reach[0] + shift @ way + ends[1]), 0.0)
    swept = shape.moved(np.eye(3), shift).swept(-way * length)
    blocking = tuple(body.id for body in obstacles if _meets(swept, body))
    return Insertion(way, length, cavity.sides[side], shift, blocking)


def _default(cavity: Cavity, down: Array) -> Array:
    """Into the opening that looks up best; straight down into a space whose openings are not known."""
    outward = cavity.openings or cavity.possible_openings or [-down]
    best = max(outward, key=lambda each: round(float(-each @ down), 9))
    return -best


def _meets(swept: Convex, body: Body) -> bool:
    return nearest((swept,), body.parts or body.cover or (body.outer,)).distance < -CONTACT * max(swept.size, body.size)
