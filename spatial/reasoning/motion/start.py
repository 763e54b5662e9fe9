"""How every body begins: its velocity from readings or the previous scene, and whether it stands, slides or falls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.contact.patches import lowest
from spatial.reasoning.motion.readings import Sensed
from spatial.reasoning.motion.rigid import Rigid, rigid_motion
from spatial.reasoning.motion.state import Condition, State
from spatial.reasoning.motion.world import Footing, World, footing
from spatial.reasoning.scene.model import Array, Scene, SceneObject
from spatial.reasoning.shape.body import Body

STILL: Final = 1e-6
"""Motion between two scenes that is none, as a share of the object's size: the rounding of documents."""

STANDING: Final = ("container", "surface")
"""Kinds of point clouds that are surroundings: they stay where they are unless their motion is measured."""


@dataclass(frozen=True, eq=False)
class Motion:
    """What is known of an object's motion. velocity of the centre, turning: per second. sources: where they come from."""

    velocity: Array
    turning: Array
    force: Array | None
    mass: float | None
    sources: tuple[str, ...]
    rigid: Rigid | None = None

    @property
    def is_measured(self) -> bool:
        """Whether something was measured, be it zero."""
        return bool(self.sources)

    @property
    def is_moving(self) -> bool:
        """Whether it moves now."""
        return bool(self.velocity.any() or self.turning.any())


def motion_of(
    item: SceneObject, body: Body, previous: Scene | None, step: float, sensed: Sensed
) -> tuple[Motion, str | None]:
    """The motion of an object, and a warning where the previous scene has it and no rigid motion explains it."""
    rigid, warning = None, None
    earlier = previous.objects.get(item.id) if previous is not None else None
    if earlier is not None:
        rigid = rigid_motion(*_clouds(earlier, item))
        if rigid is None:
            warning = f"{item.id}: its change since the previous scene is no rigid motion and is not used; send the same object in both"
    velocity, turning, sources = np.zeros(3), np.zeros(3), list(sensed.sources)
    if rigid is not None:
        velocity, turning = _rates(rigid, _centre(body), step, body.size)
        sources.append(f"previous scene: {rigid.method}")
    return Motion(
        velocity if sensed.velocity is None else sensed.velocity,
        turning if sensed.angular_velocity is None else sensed.angular_velocity,
        sensed.force, sensed.mass, tuple(sources), rigid,
    ), warning  # fmt: skip


def _clouds(earlier: SceneObject, item: SceneObject) -> tuple[Array, Array]:
    """The points of both; the corners of the extents where one has no points."""
    if len(earlier.points) and len(item.points):
        return earlier.points, item.points
    empty = np.empty((0, 3))
    if earlier.bounds is None or item.bounds is None:
        return empty, empty
    if not np.allclose(np.diff(earlier.bounds, axis=0), np.diff(item.bounds, axis=0), rtol=1e-6):
        return empty, empty
    return _corners(earlier.bounds), _corners(item.bounds)


def _corners(bounds: Array) -> Array:
    return np.array([[bounds[i, 0], bounds[j, 1], bounds[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


def _rates(rigid: Rigid, centre: Array, step: float, size: float) -> tuple[Array, Array]:
    """Velocity of the present centre and angular velocity; motion within the rounding is none."""
    before = rigid.rotation.T @ (centre - rigid.translation)
    moved, turn = centre - before, rigid.turn
    noise = max(STILL * size, 2 * rigid.residual)
    velocity = moved / step if np.linalg.norm(moved) > noise else np.zeros(3)
    turning = turn / step if np.linalg.norm(turn) * size > 2 * noise else np.zeros(3)
    return velocity, turning


def _centre(body: Body) -> Array:
    return body.centre if body.centre is not None else body.outer.middle


def begin(
    bodies: Mapping[str, Body],
    motions: Mapping[str, Motion],
    fixed: frozenset[str],
    world: World,
    force_unit: float | None,
) -> tuple[dict[str, State], dict[str, Footing]]:
    """The states at the start, and what every body stands on.

    force_unit: what an acceleration of 1 m/s² is in units/s²; None where the units are unknown.
    """
    feet = {name: footing(name, body, bodies, world) for name, body in bodies.items()}
    held = _held(feet, fixed)
    states = {}
    for name, body in bodies.items():
        motion = motions[name]
        pushed = np.zeros(3)
        if motion.force is not None and motion.mass is not None and force_unit is not None:
            pushed = motion.force / motion.mass * force_unit
        if name in fixed:
            states[name] = _state(body, motion, np.zeros(3), "fixed").halted("fixed")
        else:
            states[name] = _begun(body, motion, pushed, feet[name], name in held, world)
    return states, feet


def _held(feet: Mapping[str, Footing], fixed: frozenset[str]) -> set[str]:
    """What stands on the ground or on fixed objects, directly or through others."""
    held = set(fixed) | {name for name, foot in feet.items() if "" in foot.supports}
    while True:
        more = {name for name, foot in feet.items() if name not in held and any(each in held for each in foot.supports)}
        if not more:
            return held
        held |= more


def _begun(body: Body, motion: Motion, pushed: Array, foot: Footing, is_held: bool, world: World) -> State:
    up = world.plane.up
    rises = float(motion.velocity @ up) > STILL * body.size
    if not world.pull:
        return _state(body, motion, pushed, "moving" if motion.is_moving or pushed.any() else "at_rest")
    if not is_held or rises:
        return _state(body, motion, world.gravity + pushed, "falling")
    if foot.verdict == "unstable":
        return _state(body, motion, np.zeros(3), "topples").halted("topples")
    if foot.steepness > world.grip:
        return _state(body, motion, np.zeros(3), "undetermined").halted("undetermined", slides_down(foot))
    lift = float(pushed @ up)
    if lift > world.pull:
        return _state(body, motion, world.gravity + pushed, "falling")
    flat = motion.velocity - up * float(motion.velocity @ up)
    along = pushed - up * float(pushed @ up)
    grip = world.grip * (world.pull - lift)
    if not flat.any() and not motion.turning.any() and float(np.linalg.norm(along)) <= grip:
        return _state(body, motion, np.zeros(3), "at_rest").halted("at_rest")
    if foot.steepness:
        why = "moves on an inclined support, which is not followed further"
        return _state(body, motion, np.zeros(3), "undetermined").halted("undetermined", why)
    way = flat if flat.any() else along
    length = float(np.linalg.norm(way))
    drag = -grip * way / length if length else np.zeros(3)
    found = _state(body, motion, along + drag, "sliding")
    if foot.tips(found, world, way):
        return found.halted("topples")
    return State(
        found.body, found.centre, found.turned, found.shifted, flat, _spin(motion, up), found.acceleration, "sliding"
    )


def slides_down(foot: Footing) -> str:
    """Why the motion of what stands on an inclined support is not known."""
    least = float(np.ceil(foot.steepness * 1e4) / 1e4)
    return f"slides down its inclined support, which is not followed further; a goal.friction of {least:g} or more holds it"


def _spin(motion: Motion, up: Array) -> Array:
    """The turning about the vertical, which a support lets be."""
    return np.asarray(up * float(motion.turning @ up))


def _state(body: Body, motion: Motion, acceleration: Array, condition: Condition) -> State:
    return State(body, _centre(body), np.eye(3), np.zeros(3), motion.velocity, motion.turning, acceleration, condition)


def ground_of(bodies: Mapping[str, Body], world: World) -> float:
    """The lowest level of the scene."""
    return min(lowest(body, world.plane) for body in bodies.values())
