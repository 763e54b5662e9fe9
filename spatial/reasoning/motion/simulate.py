"""Carry motion on until the horizon: from contact to contact, which stop bodies.

Between contacts velocities of turning and accelerations are constant. Contacts are plastic: a body that meets another one takes over its
motion across the contact, which is none if the other one rests. A body that lands stands, or starts to topple, which is not followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from spatial.reasoning.contact.patches import UPRIGHT, Patch, Plane, bottom, contact, lowest
from spatial.reasoning.motion.impact import Impact, gap, impact, sweep
from spatial.reasoning.motion.start import slides_down
from spatial.reasoning.motion.state import OPEN, State
from spatial.reasoning.motion.world import Footing, World, footing, way_to_edge
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.tolerances import CONTACT, touching_reach

EVENTS: Final = 12
"""Most events per body: a body that falls lands once, after a few sideways contacts at most."""


@dataclass(frozen=True, eq=False)
class Event:
    """Something that happened to a body. with_id: None for the ground. speed: of the approach, units/s."""

    seconds: float
    object_id: str
    type: Literal["contact", "landing", "friction_stop", "leaves_support", "topples"]
    with_id: str | None
    point: Array | None
    normal: Array | None
    speed: float


@dataclass(frozen=True, eq=False)
class Course:
    """Where everything is at the horizon, and what happened until then. is_cut: whether there were too many events to go on."""

    states: dict[str, State]
    events: tuple[Event, ...]
    ignored: tuple[tuple[str, str], ...]
    is_cut: bool


def simulate(states: dict[str, State], world: World, horizon: float) -> Course:
    """The course of the bodies from now until a horizon in seconds."""
    run = _Run({name: _light(state) for name, state in states.items()}, world, horizon)
    for _ in range(EVENTS * len(states) + 1):
        if not run.step():
            return run.course(states, is_cut=False)
    return run.course(states, is_cut=True)


def _light(state: State) -> State:
    """The state without the points of a body whose shape is known without them: moving them takes most of the time."""
    if not (state.body.parts or state.body.cover):
        return state
    return replace(state, body=replace(state.body, points=np.empty((0, 3)), hull=None))


class _Run:
    """A simulation: the states now, and for every body and pair its next event, which stays valid until one of its bodies changes."""

    def __init__(self, states: dict[str, State], world: World, horizon: float) -> None:
        self.states, self.world, self.horizon, self.time = states, world, horizon, 0.0
        self.events: list[Event] = []
        self.ignored = _overlapping(states)
        self._sweeps: dict[str, Array] = {}
        self._next: dict[tuple[str, str], Event] = {}
        self._renew(set(states))

    def step(self) -> bool:
        """Go on to the next event; false if there is none before the horizon."""
        if not self._next:
            return False
        first = min(self._next.values(), key=lambda event: event.seconds)
        if first.seconds >= self.horizon:
            return False
        self._advance(first.seconds)
        first = replace(first, point=_middle(first, self.states, self.world))
        before = dict(self.states)
        self.states, more = _applied(first, self.states, self.world)
        self.events += [first, *(replace(each, seconds=self.time) for each in more)]
        self._renew({name for name, state in self.states.items() if state is not before[name]} | {first.object_id})
        return True

    def course(self, begun: dict[str, State], *, is_cut: bool) -> Course:
        """Where everything is at the horizon, or where the simulation was cut off."""
        if not is_cut:
            self._advance(self.horizon)
        states = {name: replace(state, body=begun[name].body) for name, state in self.states.items()}
        return Course(states, tuple(self.events), self.ignored, is_cut)

    def _advance(self, time: float) -> None:
        self.states = {name: state.after(time - self.time) for name, state in self.states.items()}
        self.time = time

    def _renew(self, changed: set[str]) -> None:
        """Find the next events of the changed bodies, and of their pairs."""
        within = self.horizon - self.time
        for name in changed:
            self._sweeps[name] = sweep(self.states[name], within)
        self._next = {pair: event for pair, event in self._next.items() if not changed & set(pair)}
        for name in sorted(changed):
            own = min(
                _own(name, self.states[name], self.states, self.world, within),
                key=lambda event: event.seconds,
                default=None,
            )
            self._keep((name, name), own)
        for one, other in _pairs(self.states, self._sweeps, changed):
            if (one, other) not in self.ignored and (other, one) not in self.ignored:
                found = impact((one, self.states[one]), (other, self.states[other]), within)
                self._keep((one, other), None if found is None else _contact(found, self.states))

    def _keep(self, pair: tuple[str, str], event: Event | None) -> None:
        if event is not None:
            self._next[pair] = replace(event, seconds=self.time + event.seconds)


def _overlapping(states: dict[str, State]) -> tuple[tuple[str, str], ...]:
    """Pairs that overlap at the beginning, of which at least one moves: their contacts are left out."""
    found = []
    boxes = {name: sweep(state, 0.0) for name, state in states.items()}
    for one, other in _pairs(states, boxes, set(states)):
        bodies = states[one].present, states[other].present
        if gap(*bodies).distance < -10 * touching_reach(*(body.size for body in bodies)):
            found.append((one, other))
    return tuple(found)


def _pairs(states: dict[str, State], boxes: dict[str, Array], changed: set[str]) -> Iterator[tuple[str, str]]:
    """Pairs whose boxes meet, of which at least one moves and one has changed."""
    names = list(states)
    rows = np.array([boxes[name] for name in names])
    reach = CONTACT * max(state.body.size for state in states.values())
    meets = (rows[:, None, 0] <= rows[None, :, 1] + reach).all(axis=2) & (
        rows[None, :, 0] <= rows[:, None, 1] + reach
    ).all(axis=2)
    moves = np.array([not state.is_resting and state.condition not in OPEN for state in states.values()])
    is_new = np.array([name in changed for name in names])
    meets &= (moves[:, None] | moves[None]) & (is_new[:, None] | is_new[None])
    for i, j in np.argwhere(np.triu(meets, 1)).tolist():
        yield (names[i], names[j]) if moves[i] else (names[j], names[i])


def _contact(found: Impact, states: dict[str, State]) -> Event:
    near = found.near
    one, other = (states[name].after(found.seconds) for name in (found.first, found.second))
    speed = max(0.0, -float((one.velocity - other.velocity) @ near.direction))
    return Event(found.seconds, found.first, "contact", found.second, near.on_second, near.direction, speed)


def _middle(event: Event, states: dict[str, State], world: World) -> Array | None:
    """The middle of what two bodies, or a body and the ground, have in common when they meet; the closest point where that is no area."""
    if event.point is None or event.normal is None:
        return event.point
    body, plane = states[event.object_id].present, Plane.across(-event.normal)
    if event.with_id is None:
        patch: Patch | None = bottom(body, plane)
    else:
        patch = contact(body, states[event.with_id].present, plane)
    if patch is None or patch.inner.is_empty:
        return event.point
    middle = patch.inner.centroid
    return np.asarray(plane.lifted(np.array([[middle.x, middle.y]]), patch.level)[0])


def _own(name: str, state: State, states: dict[str, State], world: World, within: float) -> Iterator[Event]:
    """Events of one body alone: the ground, the end of sliding by friction, the edge of its support."""
    if state.is_resting or state.condition in OPEN:
        return
    if state.condition == "sliding":
        yield from _sliding(name, state, states, world, within)
    elif world.ground is not None:
        seconds = _fall(state, world, within)
        if seconds is not None:
            later = state.after(seconds)
            speed = max(0.0, -float(later.velocity @ world.plane.up))
            point = later.present.outer.support(-world.plane.up)
            yield Event(seconds, name, "landing", None, point, world.plane.up, speed)


def _sliding(name: str, state: State, states: dict[str, State], world: World, within: float) -> Iterator[Event]:
    speed, slowing = float(np.linalg.norm(state.velocity)), -float(state.acceleration @ _unit(state.velocity))
    stop = speed / slowing if slowing > 0 else np.inf
    others = {each: other.present for each, other in states.items() if each != name}
    under = footing(name, state.present, others, world)
    edge = np.inf if "" in under.supports else way_to_edge(state, [others[each] for each in under.supports], world)
    way = speed * min(stop, within) - slowing * min(stop, within) ** 2 / 2
    if edge <= way:
        root = float(np.sqrt(max(speed * speed - 2 * slowing * edge, 0.0)))
        seconds = edge / speed if not slowing else (speed - root) / slowing
        if seconds < within:
            yield Event(
                seconds, name, "leaves_support", under.supports[0] if under.supports else None, None, None, root
            )
    elif stop < within:
        yield Event(stop, name, "friction_stop", None, None, None, 0.0)


def _fall(state: State, world: World, within: float) -> float | None:
    """When the lowest point reaches the ground; found by bisection where the body turns."""
    assert world.ground is not None
    up, reach = world.plane.up, CONTACT * state.body.size

    def height(seconds: float) -> float:
        return lowest(state.after(seconds).present, world.plane) - float(world.ground or 0.0)

    start, speed, force = height(0.0), float(state.velocity @ up), float(state.acceleration @ up)
    if start <= reach:
        return 0.0 if speed < 0 or (speed <= 0 and force < 0) else None
    if not state.turning.any():
        under = speed * speed - 2 * force * start
        times = [] if under < 0 or not force else [(-speed - np.sqrt(under)) / force, (-speed + np.sqrt(under)) / force]
        times += [-start / speed] if not force and speed < 0 else []
        hits = [float(each) for each in times if 0 < each < within]
        return min(hits) if hits else None
    grid = np.linspace(0.0, within, 65)
    low = next((k for k in range(1, 65) if height(float(grid[k])) <= 0), None)
    if low is None:
        return None
    first, last = float(grid[low - 1]), float(grid[low])
    for _ in range(40):
        middle = (first + last) / 2
        first, last = (first, middle) if height(middle) <= 0 else (middle, last)
    return last


def _applied(event: Event, states: dict[str, State], world: World) -> tuple[dict[str, State], list[Event]]:
    """The states after an event, and events that follow at once."""
    found = dict(states)
    state = states[event.object_id]
    if event.type == "friction_stop":
        found[event.object_id] = state.halted("stopped")
    elif event.type == "leaves_support":
        found[event.object_id] = state.halted("leaves_support")
    elif event.type == "landing" or event.normal is None or event.with_id is None:
        return _landed(event.object_id, found, world)
    elif states[event.with_id].condition in OPEN:
        found[event.object_id] = state.halted("undetermined")
    else:
        rise = float(event.normal @ world.plane.up)
        if abs(rise) > UPRIGHT:
            upper, lower = (event.object_id, event.with_id) if rise > 0 else (event.with_id, event.object_id)
            if states[lower].is_resting:
                return _landed(upper, found, world)
            found[upper] = _joined(states[upper], states[lower], world)
        else:
            for name in (event.object_id, event.with_id):
                found[name] = _blocked(found[name], world)
    return found, []


def _joined(upper: State, lower: State, world: World) -> State:
    """A body that lands on a moving one goes on with it, where neither of them moves along the other."""
    relative = upper.velocity - lower.velocity
    along = relative - world.plane.up * float(relative @ world.plane.up)
    if float(np.linalg.norm(along)) > SLOW * upper.body.size:
        return upper.halted(
            "undetermined", "lands on something that moves, and whether it is carried along is not followed"
        )
    return replace(
        upper, velocity=lower.velocity, acceleration=lower.acceleration, turning=np.zeros(3), condition=lower.condition
    )


def _blocked(state: State, world: World) -> State:
    """A body that meets something at its side keeps its fall, and stops otherwise."""
    if state.is_resting or state.condition in OPEN:
        return state
    if state.condition != "falling":
        return state.halted("stopped")
    up = world.plane.up
    return replace(
        state,
        velocity=up * float(state.velocity @ up),
        acceleration=up * float(state.acceleration @ up),
        turning=np.zeros(3),
    )


def _landed(name: str, states: dict[str, State], world: World) -> tuple[dict[str, State], list[Event]]:
    """A body on the ground or on resting bodies: it stands there, or starts to topple."""
    state = states[name]
    resting: dict[str, Body] = {
        each: other.present for each, other in states.items() if each != name and other.is_resting
    }
    under = footing(name, state.present, resting, world)
    if under.verdict in ("stable", "marginal"):
        return {**states, name: _settled(state, under, world)}, []
    point = None if under.patch is None else state.present.outer.support(-world.plane.up)
    event = Event(0.0, name, "topples", next((each for each in under.supports if each), None), point, None, 0.0)
    return {**states, name: state.halted("topples")}, [event]


def _settled(state: State, under: Footing, world: World) -> State:
    """A body that has come down on a support which carries it: it stays, or goes on along the support.

    The impact presses it on the support, so that friction takes the coefficient times the speed of the approach off its speed along the
    support at once (Coulomb's law for impulses; Brach, "Mechanical impact dynamics", 1991, chapter 2), and slows it from then on.
    """
    up = world.plane.up
    fall = float(state.velocity @ up)
    along = state.velocity - up * fall
    speed = float(np.linalg.norm(along))
    if float(np.linalg.norm(state.turning)) > SLOW:
        return state.halted("undetermined", "turns while it lands, and what the impact does to it is not followed")
    if under.steepness > world.grip:
        return state.halted("undetermined", slides_down(under))
    if speed <= SLOW * state.body.size:
        return state.halted("landed")
    if under.steepness:
        return state.halted(
            "undetermined", "lands on an inclined support with a speed along it, which is not followed further"
        )
    if world.friction is None:
        why = f"lands with a speed of {speed:.4g} per second along its support; give goal.friction, which decides how far it slides"
        return state.halted("undetermined", why)
    if under.tips(state, world, along):
        return state.halted("topples")
    left = speed - world.grip * max(0.0, -fall)
    if left <= SLOW * state.body.size:
        return state.halted("landed")
    drag = -world.grip * world.pull * along / speed
    return replace(state, velocity=along * left / speed, acceleration=drag, condition="sliding")


SLOW: Final = 1e-9
"""Speed of landing along a support that is none, in sizes per second, or rad/s: the noise of float64."""


def _unit(vector: Array) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector
