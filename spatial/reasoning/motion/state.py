"""The state of a rigid body in motion: pose and velocities, with constant acceleration and constant turning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.spatial.transform import Rotation

from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body

Condition = Literal[
    "fixed", "at_rest", "moving", "sliding", "falling", "stopped", "landed", "topples", "leaves_support", "undetermined"
]
"""What a body does. A body that `topples` or `leaves_support` starts to tip, which is not followed; `undetermined`: not known."""

RESTING: frozenset[Condition] = frozenset({"fixed", "at_rest", "stopped", "landed"})
"""Conditions in which a body does not move, and carries others."""

OPEN: frozenset[Condition] = frozenset({"topples", "leaves_support", "undetermined"})
"""Conditions whose end is not known."""


@dataclass(frozen=True, eq=False)
class State:
    """A body at a time. centre: (3,) the point about which it turns; turned: (3, 3) since the start; shifted: (3,) of the centre.

    why: a predicate that says why the end of the motion is not known; empty where the condition says it.
    body: in its pose at the start. velocity, acceleration: (3,); turning: (3,) rad/s. Units and seconds of the scene.
    """

    body: Body
    centre: Array
    turned: Array
    shifted: Array
    velocity: Array
    turning: Array
    acceleration: Array
    condition: Condition
    why: str = ""

    @property
    def is_resting(self) -> bool:
        """Whether it neither moves nor will."""
        return self.condition in RESTING

    @property
    def translation(self) -> Array:
        """(3,) t of the motion x ↦ turned x + t since the start."""
        found: Array = self.centre + self.shifted - self.turned @ self.centre
        return found

    @cached_property
    def present(self) -> Body:
        """The body in its present pose."""
        return self.body.moved(self.turned, self.translation)

    def after(self, seconds: float) -> State:
        """The state later, if nothing is in the way."""
        if self.is_resting or self.condition in OPEN:
            return self
        turn = Rotation.from_rotvec(self.turning * seconds).as_matrix()
        return replace(
            self,
            turned=turn @ self.turned,
            shifted=self.shifted + self.velocity * seconds + self.acceleration * seconds**2 / 2,
            velocity=self.velocity + self.acceleration * seconds,
        )

    def halted(self, condition: Condition, why: str = "") -> State:
        """The state without any motion, and why its end is not known."""
        still = np.zeros(3)
        return replace(self, velocity=still, turning=still, acceleration=still, condition=condition, why=why)
