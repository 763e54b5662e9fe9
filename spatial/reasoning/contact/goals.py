"""Members of a goal that the tasks about contact share."""

from __future__ import annotations

from typing import Final

import numpy as np

from spatial.reasoning.members import Members
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.inclusion import Turning

DOWN: Final = (0.0, 0.0, -1.0)
"""Gravity where the goal names none: z points up in models."""


def gravity(goal: Members) -> Array:
    """(3,) the unit vector of gravity; -z where the goal names none. Raises: InputRejected."""
    found = goal.direction("gravity")
    return np.array(DOWN) if found is None else found


def turning(goal: Members) -> Turning:
    """Which orientations `rotate` allows: true for any, "axes" for aligned ones, false for the present one. Raises: InputRejected."""
    value = goal.flag_or_choice("rotate", ("axes",), default=True)
    if isinstance(value, bool):
        return "any" if value else "none"
    return "axes"
