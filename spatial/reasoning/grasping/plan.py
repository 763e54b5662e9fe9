"""Steps that bring a grasped object to a place: approach, grasp, lift, transfer, lower, release, retreat; all on straight lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.reasoning.contact.patches import highest
from spatial.reasoning.grasping.clearance import Clearance, Surroundings
from spatial.reasoning.grasping.grasps import Grasp
from spatial.reasoning.grasping.gripper import Gripper
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Convex

StepName = Literal["approach", "grasp", "lift", "transfer", "lower", "release", "retreat"]

RISE: Final = 0.25
"""Height of the lowest lift that is tried, as a share of the object's size."""


@dataclass(frozen=True, eq=False)
class Step:
    """One step. way: (3,) the motion; the object moves with the gripper from lift to lower."""

    name: StepName
    way: Array
    clearance: Clearance | None


def steps_to(
    shift: Array, body: Body, grasp: Grasp, gripper: Gripper, around: Surroundings, least: float
) -> list[Step] | Step:
    """The steps that move an object by (3,) `shift`, or the step that fails where it gets farthest.

    least: clearance that every step keeps; what the object stands on before and after may be touched.
    """
    failed: Step | None = None
    for rise in _rises(shift, body, around):
        found = _steps(shift, rise, body, grasp, gripper, around)
        wrong = next(
            (step for step in found if step.clearance and step.clearance.distance < _least(step, least) - around.reach),
            None,
        )
        if wrong is None:
            return found
        failed = wrong
    assert failed is not None
    return failed


def _least(step: Step, least: float) -> float:
    """The object touches its support when it is lifted, and its place when it is lowered."""
    return least if step.name in ("approach", "transfer") else 0.0


def _rises(shift: Array, body: Body, around: Surroundings) -> Iterator[float]:
    """Heights by which the object is lifted: a little over both ends, then over everything."""
    up = around.plane.up
    over = RISE * body.size
    yield over + max(0.0, float(shift @ up))
    tops = [highest(other, around.plane) for other in around.others]
    low = -float(body.outer.heights(-up[None])[0])
    if tops:
        yield max(tops) - low + over + max(0.0, float(shift @ up))


def _steps(shift: Array, rise: float, body: Body, grasp: Grasp, gripper: Gripper, around: Surroundings) -> list[Step]:
    up = around.plane.up
    held = (
        *(body.parts or body.cover or (body.outer,)),
        *gripper.solids(grasp.pair.middle, grasp.pair.closing, grasp.approach, grasp.pair.opening),
    )
    flat = shift - (shift @ up) * up
    lift, transfer = rise * up, flat
    lower = shift - lift - transfer
    here, there, place = _moved(held, lift), _moved(held, lift + transfer), grasp.pair.middle + shift
    opened = gripper.solids(place, grasp.pair.closing, grasp.approach, grasp.opening)
    return [
        Step("approach", grasp.way * grasp.approach, grasp.clearance),
        Step("grasp", np.zeros(3), None),
        Step("lift", lift, around.clearance(held, lift)),
        Step("transfer", transfer, around.clearance(here, transfer)),
        Step("lower", lower, around.clearance(there, lower)),
        Step("release", np.zeros(3), around.clearance(opened, np.zeros(3))),
        Step("retreat", -grasp.way * grasp.approach, around.clearance(opened, -grasp.way * grasp.approach)),
    ]  # fmt: skip


def _moved(solids: tuple[Convex, ...], shift: Array) -> tuple[Convex, ...]:
    return tuple(solid.moved(np.eye(3), shift) for solid in solids)
