"""The parallel gripper: two fingers that close on a line, and a palm behind them.

Glossary
  closing line   the line through both contacts; opening is the distance of the fingers along it.
  approach       the unit vector along which the gripper moves towards the object; at right angles to the closing line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.members import Members
from spatial.reasoning.shape.convex import Array, Convex

MEMBERS: Final = ("max_opening", "finger_width", "finger_thickness", "finger_length", "friction")
"""Members of `goal.gripper`."""

OPENING: Final = 0.085
"""Metres; stroke of the common two-finger grippers of collaborative robots (80 to 90 mm)."""

FRICTION: Final = 0.4
"""Coefficient of rubber pads on smooth dry parts, on the safe side: tables give 0.5 and more."""

WIDTH: Final = 0.25
THICKNESS: Final = 0.15
LENGTH: Final = 0.7
PALM: Final = 0.5
"""Finger width, finger thickness, finger length and depth of the palm as shares of the opening: those of the same grippers."""

SLACK: Final = 0.1
"""Share of the largest opening that the fingers are wider apart than the object while they approach, half on each side."""


@dataclass(frozen=True, eq=False)
class Gripper:
    """Lengths in the scene's units; friction: coefficient between pad and object."""

    max_opening: float
    width: float
    thickness: float
    length: float
    friction: float

    @property
    def cone(self) -> float:
        """Half angle of the friction cone, in radians."""
        return float(np.arctan(self.friction))

    def opened(self, need: float) -> float:
        """The opening while the gripper approaches an object of an extent."""
        return min(self.max_opening, need + SLACK * self.max_opening)

    def solids(self, middle: Array, closing: Array, approach: Array, opening: float) -> tuple[Convex, ...]:
        """Both fingers and the palm, with the middle of the contacts at (3,), their tips half a finger's width beyond it."""
        across = np.cross(closing, approach)
        tip, root = self.width / 2, self.width / 2 - self.length
        half = opening / 2 + self.thickness
        boxes = [
            ((opening / 2, half), (root, tip)),
            ((-half, -opening / 2), (root, tip)),
            ((-half, half), (root - PALM * self.max_opening, root)),
        ]
        return tuple(
            Convex(
                np.array(
                    [
                        middle + a * closing + b * approach + c * across
                        for a in along for b in depth for c in (-self.width / 2, self.width / 2)
                    ]
                )
            )
            for along, depth in boxes
        )  # fmt: skip


def read_gripper(goal: Members, metre: float | None) -> Gripper | None:
    """The gripper of a goal; None where neither its opening nor the units are known. metre: units per metre."""
    values = goal.group("gripper", MEMBERS) or Members({}, "input.goal.gripper", MEMBERS)
    default = 0.0 if metre is None else OPENING * metre
    opening = values.number("max_opening", default, above=0.0) if "max_opening" in values else default
    friction = values.number("friction", FRICTION, above=0.0)
    sizes = [
        values.number(name, share * opening, above=0.0) if name in values else share * opening
        for name, share in (("finger_width", WIDTH), ("finger_thickness", THICKNESS), ("finger_length", LENGTH))
    ]
    return Gripper(opening, sizes[0], sizes[1], sizes[2], friction) if opening else None
