"""When two moving bodies first touch: conservative advancement.

The closest pair has a distance and a direction; along that direction the bodies cannot touch before they have closed it. Time advances to
there, and the distance is measured again, until it is zero. For flat sides that move without turning the first step is exact.
Source: Mirtich, "Impulse-based dynamic simulation of rigid body systems", PhD thesis, Berkeley 1996, section 2.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.reasoning.motion.state import State
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Convex
from spatial.reasoning.shape.distance import Proximity
from spatial.reasoning.shape.separation import nearest
from spatial.reasoning.shape.tolerances import touching_reach

ROUNDS: Final = 60
"""Most advances of one pair: turning bodies take twenty at most."""

APPROACH: Final = 1e-9
"""Speed of approach that is none, as a share of size per second of the horizon: the noise of float64."""

GRAZING: Final = 1e-6
"""Part of a relative velocity or acceleration along the closest pair that is none: two flat sides that slide on one another, in
coordinates rounded to six digits."""

SHORTEST: Final = 1e-9
"""Shortest advance, as a share of the time in which a body moves by its own size."""


@dataclass(frozen=True, eq=False)
class Impact:
    """Two bodies that touch. seconds: from now; names: of the states; near: closest pair, directed away from the second."""

    seconds: float
    first: str
    second: str
    near: Proximity


def shapes_of(body: Body) -> tuple[Convex, ...]:
    """The convex shapes that stand for a body: exact ones, or those around it, or the hull of its points."""
    return body.parts or body.cover or (body.inner or body.outer,)


def gap(first: Body, second: Body) -> Proximity:
    """The closest pair; negative distances are overlaps."""
    return nearest(shapes_of(first), shapes_of(second))


def impact(first: tuple[str, State], second: tuple[str, State], within: float) -> Impact | None:
    """The first contact of two bodies within some seconds; None if they do not approach each other so far."""
    one, other = first[1], second[1]
    reach, noise = touching_reach(one.body.size, other.body.size), APPROACH * one.body.size / max(within, 1e-300)
    turns, now, time = _turns(one, other), gap(one.present, other.present), 0.0
    for _ in range(ROUNDS):
        velocity, acceleration = _relative(one, other, time)
        speed, force = float(velocity @ now.direction), float(acceleration @ now.direction)
        if now.distance <= reach:
            still, weak = (GRAZING * float(np.linalg.norm(each)) for each in (velocity, acceleration))
            still = max(still, noise)
            if speed < -still or (speed <= still and force < -weak):
                return Impact(time, first[0], second[0], now)
            if not turns and force >= -weak:
                return None
        step = _closing(max(now.distance, reach / 2), speed - turns, force, within - time)
        time += max(step, SHORTEST * min(within, _passing(one.body.size, speed - turns, force)))
        if time >= within:
            return None
        now = gap(one.after(time).present, other.after(time).present)
    return Impact(time, first[0], second[0], now) if now.distance <= 10 * reach else None


def _passing(size: float, speed: float, force: float) -> float:
    """Seconds in which a body moves by its own size, from rest at most."""
    times = [size / abs(speed)] if speed else []
    times += [float(np.sqrt(2 * size / abs(force)))] if force else []
    return min(times, default=np.inf)


def sweep(state: State, within: float) -> Array:
    """(2, 3) a box around the way of a body."""
    bounds = np.array([shape.bounds for shape in shapes_of(state.present)])
    box = np.array([bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)])
    if state.is_resting:
        return box
    shifts = [state.after(each).shifted - state.shifted for each in (0.0, within, *_turning_points(state, within))]
    radius = _radius(state) * min(2.0, float(np.linalg.norm(state.turning)) * within)
    return np.array([box[0] + np.min(shifts, axis=0) - radius, box[1] + np.max(shifts, axis=0) + radius])


def _turning_points(state: State, within: float) -> list[float]:
    """The times when a coordinate changes its direction."""
    times = [-v / a for v, a in zip(state.velocity.tolist(), state.acceleration.tolist(), strict=True) if a]
    return [time for time in times if 0 < time < within]


def _relative(one: State, other: State, time: float) -> tuple[Array, Array]:
    """(3,) velocity and (3,) acceleration of the first centre relative to the second."""
    first, second = one.after(time), other.after(time)
    force: Array = first.acceleration * (not first.is_resting) - second.acceleration * (not second.is_resting)
    return first.velocity - second.velocity, force


def _turns(one: State, other: State) -> float:
    """The largest speed of a point by turning."""
    return sum(float(np.linalg.norm(state.turning)) * _radius(state) for state in (one, other))


def _radius(state: State) -> float:
    outer = state.body.outer
    return outer.radius() + float(np.linalg.norm(outer.middle - state.centre))


def _closing(distance: float, speed: float, force: float, most: float) -> float:
    """The first time when distance + speed t + force t²/2 is zero; `most` if there is none before."""
    if abs(force) < 1e-300:
        return min(most, distance / -speed) if speed < 0 else most
    under = speed * speed - 2 * force * distance
    if under < 0:
        return most
    root = float(np.sqrt(under))
    times = [time for time in ((-speed - root) / force, (-speed + root) / force) if time > 0]
    return min([most, *times])
