"""predict: the next state of a scene: motion goes on, what is not supported falls, contacts stop it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from scipy.spatial.transform import Rotation

from spatial.counting import count_of, listed
from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.bodies import require_geometry
from spatial.reasoning.contact.floor import floor_of
from spatial.reasoning.contact.matrices import transform
from spatial.reasoning.contact.patches import Plane, corners_of, lowest
from spatial.reasoning.log import log_step
from spatial.reasoning.motion.readings import Sensed, read_readings
from spatial.reasoning.motion.simulate import Course, Event, simulate
from spatial.reasoning.motion.start import STANDING, Motion, begin, ground_of, motion_of
from spatial.reasoning.motion.state import OPEN, State
from spatial.reasoning.motion.world import Footing, World
from spatial.reasoning.question import Question
from spatial.reasoning.shape.body import Body, body_of
from spatial.reasoning.units import metres_of, units_of

HORIZON: Final = 1.0
"""Seconds, where the goal gives no `horizon`."""

GRAVITY: Final = 9.81
"""m/s², where the goal gives no `acceleration`: the standard value 9.80665 of ISO 80000-3, rounded as engineers do."""

AT_ONCE: Final = 1e6
"""Heights of the scene that a body falls within the horizon where the units are unknown: only its rest counts then."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A goal, read. metre: units per metre, None where unknown. step: seconds between the scenes, None where not given."""

    horizon: float
    step: float | None
    acceleration: float
    friction: float | None
    metre: float | None
    plane: Plane
    fixed: frozenset[str] | None
    ground: float | None
    units: str


def solve(question: Question) -> Answer:
    """Predict the state at the horizon. Raises: InputRejected for a scene without geometry, or a wrong goal or reading."""
    require_geometry(question)
    asked = _asked(question)
    bodies = {
        item.id: body for item in question.scene if item.origin != "sheet" and (body := body_of(item)) is not None
    }
    sensed, warnings = read_readings(question.sensor_readings, list(question.scene.objects))
    motions, more = _motions(question, bodies, sensed, asked)
    world = _world(asked, bodies)
    states, feet = begin(bodies, motions, _fixed(question, bodies, motions, asked), world, asked.metre)
    states, doubts = _doubted(states, motions, asked)
    course = _without_lost_supports(simulate(states, world, asked.horizon), states, feet)
    log_step(
        f"{count_of(len(course.events), 'event')} until {asked.horizon:.6g} s{', cut off' if course.is_cut else ''}"
    )
    for event in course.events:
        met = f" with {event.with_id}" if event.with_id is not None else ""
        log_step(f"at {event.seconds:.6g} s {event.object_id}: {event.type}{met}, at {event.speed:.6g} per second")
    return _answer(asked, world, motions, states, feet, course, (*warnings, *more, *doubts))


def _fixed(
    question: Question, bodies: Mapping[str, Body], motions: Mapping[str, Motion], asked: Asked
) -> frozenset[str]:  # fmt: skip
    """Ids of what stays: surroundings that do not move, and what the goal names, or an inclined floor where it names nothing."""
    found = {name for name in bodies if question.scene.find(name).kind in STANDING and not motions[name].is_moving}
    if asked.fixed is not None:
        return asked.fixed | found
    floor = floor_of(bodies, asked.plane)
    return frozenset(found | ({floor} if floor is not None and not motions[floor].is_moving else set()))


def _without_lost_supports(course: Course, begun: Mapping[str, State], feet: Mapping[str, Footing]) -> Course:
    """The course in which what rests on something that moves has an unknown motion: it may be carried or left behind."""
    states = dict(course.states)
    lost = {name for name, state in states.items() if state.condition in OPEN or not _is_same(state)}
    waiting = list(lost)
    while waiting:
        below = waiting.pop()
        for name, foot in feet.items():
            rests = begun[name].condition == "at_rest" and states[name].condition == "at_rest"
            if below in foot.supports and "" not in foot.supports and rests and name not in lost:
                states[name] = states[name].halted("undetermined")
                lost.add(name)
                waiting.append(name)
    return replace(course, states=states)


def _asked(question: Question) -> Asked:
    goal = question.goal
    units = units_of(question.scene.units, goal)
    metres = metres_of(units)
    fixed = goal.texts("fixed")
    for place, name in enumerate(fixed or []):
        question.scene.find(name, f"goal.fixed.{place}")
    return Asked(
        goal.number("horizon", HORIZON, above=0.0), goal.number_or_none("time_step", above=0.0),
        goal.number("acceleration", GRAVITY, at_least=0.0), goal.number_or_none("friction", at_least=0.0),
        None if metres is None else 1 / metres, Plane.across(goals.gravity(goal)),
        None if fixed is None else frozenset(fixed),
        goal.number_or_none("ground"), units,
    )  # fmt: skip


def _motions(
    question: Question, bodies: Mapping[str, Body], sensed: Mapping[str, Sensed], asked: Asked
) -> tuple[dict[str, Motion], list[str]]:
    found, warnings = {}, []
    for name, body in bodies.items():
        item = question.scene.find(name)
        step = asked.step if asked.step is not None else asked.horizon
        found[name], warning = motion_of(item, body, question.previous, step, sensed.get(name, Sensed()))
        warnings += [warning] if warning else []
    is_known_before = question.previous is not None and any(name in question.previous.objects for name in bodies)
    if question.previous is not None and not is_known_before:
        warnings.append(
            "the previous scene is not used: it has no object of this scene; give the objects the same ids in both"
        )
    elif question.previous is not None and asked.step is None:
        warnings.append(
            "input.goal.time_step is missing: the motion since the previous scene is repeated once until the horizon"
        )
    missing = [item.id for item in question.scene if item.id not in bodies and item.origin != "sheet"]
    return found, warnings + [f"{name} is left out: it has no geometry" for name in missing]


def _world(asked: Asked, bodies: Mapping[str, Body]) -> World:
    """Gravity in the scene's units; where these are unknown, so much that everything comes to rest within the horizon."""
    world = World(asked.plane, None, 0.0, asked.friction)
    level = asked.ground if asked.ground is not None else ground_of(bodies, world)
    pull = 0.0
    if asked.acceleration and asked.metre is not None:
        pull = asked.acceleration * asked.metre
    elif asked.acceleration:
        top = max(float(body.outer.heights(asked.plane.up[None])[0]) for body in bodies.values())
        pull = AT_ONCE * max(top - level, *(body.size for body in bodies.values())) / asked.horizon**2
    return replace(world, ground=level if pull else None, pull=pull)


def _doubted(
    states: dict[str, State], motions: Mapping[str, Motion], asked: Asked
) -> tuple[dict[str, State], list[str]]:
    """The states without those that the unknown units leave open."""
    if asked.metre is not None:
        return states, []
    found, warnings = dict(states), []
    falling = [name for name, state in states.items() if state.condition == "falling"]
    if falling:
        warnings.append(
            f"the units are unknown: {listed(falling, 5)} fall, and only where they come to rest is predicted; give goal.units"
        )
    for name in falling:
        if motions[name].is_moving:
            found[name] = states[name].halted("undetermined")
    if any(motion.force is not None for motion in motions.values()):
        warnings.append("the units are unknown: forces are not used; give goal.units")
    return found, warnings


def _answer(
    asked: Asked, world: World, motions: Mapping[str, Motion], states: Mapping[str, State],
    feet: Mapping[str, Footing], course: Course, warnings: tuple[str, ...],
) -> Answer:  # fmt: skip
    open_ends = [name for name, state in course.states.items() if state.condition in OPEN]
    moved = any(not _is_same(state) for state in course.states.values())
    verdict, reason = ("moves" if moved else "at_rest"), ""
    if open_ends or course.is_cut:
        verdict = UNKNOWN
        reason = _reason(open_ends, course)
    more = [f"{one} and {other} overlap at the start, or their shapes are not known well enough; contacts between them are left out"
            for one, other in course.ignored]  # fmt: skip
    untimed = set() if asked.metre else {name for name, state in states.items() if state.condition == "falling"}
    data = {
        "horizon": asked.horizon,
        "units": asked.units,
        "objects": [_object(name, course, motions[name], timed=name not in untimed) for name in course.states],
        "events": [_event(event, timed=event.object_id not in untimed) for event in course.events],
    }
    proof = {
        "horizon": asked.horizon,
        "time_step": asked.step,
        "gravity": {
            "direction": -asked.plane.up,
            "acceleration": asked.acceleration,
            "in_units": world.pull if asked.metre else None,
        },
        "ground": world.ground,
        "motions": [_measured(name, motion) for name, motion in motions.items()],
        "supports": {name: [each or "ground" for each in foot.supports] for name, foot in feet.items()},
        "contacts": [_contact(name, foot, asked.plane) for name, foot in feet.items() if foot.patch is not None],
        "energies": _energies(states, course, motions, world, asked),
    }
    return Answer(data, proof, verdict, reason or None, (*warnings, *more))


def _reason(open_ends: list[str], course: Course) -> str:
    if course.is_cut:
        return "there are too many contacts until the horizon; give a shorter goal.horizon"
    words = {
        "topples": "topples, which is not followed further",
        "leaves_support": "slides over the edge of its support, which is not followed further",
        "undetermined": "has an unknown motion: it falls in unknown units or onto something that topples, or what it stands on moves",
    }
    ends = {name: course.states[name] for name in open_ends}
    return listed([f"{name} {state.why or words[state.condition]}" for name, state in ends.items()], 5, "; ")


def _is_same(state: State) -> bool:
    reach = 1e-5 * state.body.size
    turned = float(np.abs(state.turned - np.eye(3)).max()) * state.body.size
    return turned <= reach and float(np.linalg.norm(state.shifted)) <= reach


def _object(name: str, course: Course, motion: Motion, *, timed: bool) -> dict[str, Any]:
    state = course.states[name]
    known = state.condition not in OPEN
    body = state.present
    return {
        "object_id": name,
        "state": state.condition,
        "transform": transform(state.turned, state.translation) if known else None,
        "bounds": {"min": body.outer.bounds[0], "max": body.outer.bounds[1]} if known else None,
        "centre": body.centre if known else None,
        "velocity": state.velocity if known and (timed or state.is_resting) else None,
        "angular_velocity": state.turning if known else None,
        "mass": motion.mass,
    }


def _event(event: Event, *, timed: bool) -> dict[str, Any]:
    return {
        "time": event.seconds if timed else None,
        "object_id": event.object_id,
        "type": event.type,
        "with": event.with_id or ("ground" if event.type == "landing" else None),
        "point": event.point,
        "normal": event.normal,
        "speed": event.speed if timed else None,
    }


def _measured(name: str, motion: Motion) -> dict[str, Any]:
    found: dict[str, Any] = {
        "object_id": name,
        "sources": motion.sources,
        "velocity": motion.velocity,
        "angular_velocity": motion.turning,
    }
    if motion.rigid is not None:
        quaternion = np.roll(Rotation.from_matrix(motion.rigid.rotation).as_quat(), 1)
        found["residual"] = motion.rigid.residual
        found["rotation"] = quaternion * (np.sign(quaternion[0]) or 1.0)
    return found


def _contact(name: str, foot: Footing, plane: Plane) -> dict[str, Any]:
    assert foot.patch is not None
    return {
        "object_id": name,
        "supports": [each or "ground" for each in foot.supports],
        "polygon": foot.patch.points(corners_of(foot.patch.inner), plane),
        "stands": foot.verdict,
    }


def _energies(
    states: Mapping[str, State], course: Course, motions: Mapping[str, Motion], world: World, asked: Asked
) -> dict[str, Any] | None:
    """Energies per mass, in J/kg, and in joules where the mass is known; those of turning are left out. None in unknown units."""
    if asked.metre is None:
        return None
    rows = []
    for name, before in states.items():
        after = course.states[name]
        if after.condition in OPEN or after.condition == "fixed":
            continue
        row = {"before": _energy(before, world, asked.metre), "after": _energy(after, world, asked.metre)}
        work = _work(motions[name], before, after, asked.metre)
        lost = sum(row["before"].values()) - sum(row["after"].values()) + (work or 0.0)
        mass = motions[name].mass
        total = (
            None
            if mass is None
            else {"before": mass * sum(row["before"].values()), "after": mass * sum(row["after"].values())}
        )
        rows.append({"object_id": name, **row, "work": work, "lost": lost, "total": total})
    return {"unit": "J/kg", "total_unit": "J", "of_turning": "left out", "objects": rows}


def _work(motion: Motion, before: State, after: State, metre: float) -> float | None:
    """Work of the sensed force on the way of the centre, per mass, in J/kg; None without a force."""
    if motion.force is None or motion.mass is None:
        return None
    return float(motion.force @ (after.shifted - before.shifted)) / motion.mass / metre


def _energy(state: State, world: World, metre: float) -> dict[str, float]:
    """Kinetic energy of the centre's motion, and potential energy above the ground, per mass."""
    level = lowest(state.present, world.plane) - (world.ground or 0.0)
    return {
        "kinetic": float(state.velocity @ state.velocity) / 2 / metre**2,
        "potential": world.pull * level / metre**2 if world.pull else 0.0,
    }
