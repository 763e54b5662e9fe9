"""act: grasps of an object with a collision-free approach, and steps that bring it to a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from spatial.counting import count_of, listed
from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.bodies import body_or_reject, body_with_volume, others, require_geometry
from spatial.reasoning.contact.patches import Plane, lowest
from spatial.reasoning.contact.places import Wish, places
from spatial.reasoning.contact.regions import regions_of, unknown_regions
from spatial.reasoning.grasping.clearance import Clearance, Surroundings
from spatial.reasoning.grasping.grasps import Grasp, Grasps, grasps_of
from spatial.reasoning.grasping.gripper import Gripper, read_gripper
from spatial.reasoning.grasping.plan import Step, steps_to
from spatial.reasoning.grasping.walls import has_unknown_walls, walled
from spatial.reasoning.members import Members
from spatial.reasoning.motion.readings import Sensed, read_readings
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.tolerances import CONTACT
from spatial.reasoning.units import metres_of, units_of

NAMED: Final = 5
"""Objects that a warning names."""

COUNT: Final = 5
"""Grasps where the goal gives no `count`."""

MOST: Final = 20

PLACES: Final = 4
"""Places on or in a target that are tried, best first."""

DONE: Final = ("graspable", "feasible")
"""Verdicts of what was found."""

TARGETS: Final = ("move_to", "place_on", "place_in")


@dataclass(frozen=True, eq=False)
class Asked:
    """A goal, read.

    shifts: motions of the object that reach the target, best first; None without a target.
    no_region: why it is not known where on or in the target anything could be put; None where it is.
    """

    gripper: Gripper
    around: Surroundings
    clearance: float
    count: int
    target: str | None
    shifts: tuple[Array, ...] | None = None
    no_region: str | None = None


def solve(question: Question) -> Answer:
    """Grasps of `object_id`, and the steps to the goal's target. Raises: InputRejected."""
    require_geometry(question)
    item = question.primary()
    body, goal = body_with_volume(item, "act"), question.goal
    metres = metres_of(units_of(question.scene.units, goal))
    gripper = read_gripper(goal, None if metres is None else 1 / metres)
    if gripper is None:
        return Answer.unknown(
            "the units are unknown, and so is how wide the gripper opens; give goal.units or goal.gripper.max_opening",
            data={"object_id": item.id},
        )
    sensed, unused = read_readings(question.sensor_readings, list(question.scene.objects))
    unused += [
        f"{name}: its force and mass are not used by the task act" for name, each in sensed.items() if _is_weighed(each)
    ]
    moving = _moving(sensed)
    if moving:
        reason = f"{', '.join(moving)} moved when last sensed; ask predict for the scene at the time of the grasp and send that"
        return Answer.unknown(reason, data={"object_id": item.id}, warnings=tuple(unused))
    doubtful = _doubtful(question, body.id)
    answer = _answered(body, _asked(question, body, gripper, doubtful, is_open_above=False))
    if doubtful and answer.verdict not in DONE:
        answer = _undecided(
            answer, _answered(body, _asked(question, body, gripper, doubtful, is_open_above=True)), doubtful
        )
    return replace(answer, warnings=(*unused, *answer.warnings))


def _doubtful(question: Question, object_id: str) -> list[str]:
    """Ids of the other objects that are hollow, and of whose walls no more than corners is known."""
    hollow = [name for name in [question.goal.text("place_in")] if name is not None]
    return [item.id for item in question.scene if item.id != object_id and has_unknown_walls(item, hollow)]


def _undecided(closed: Answer, opened: Answer, doubtful: Sequence[str]) -> Answer:
    """The answer where walls on all sides leave no way, and the answer with open tops."""
    names = listed(doubtful, NAMED)
    advice = "send points on all of its walls"
    if opened.verdict in DONE:
        reason = f"{names}: whether it is open at the top is not known, only its corners are; the data are those for an open top; {advice}"
        return replace(opened, verdict=UNKNOWN, reason=reason)
    if opened.verdict == UNKNOWN or not set(doubtful) & _in_the_way(opened):
        return opened
    reason = f"{names}: its walls are in the way where they are taken as closed; only its corners are known; {advice}"
    return replace(closed, verdict=UNKNOWN, reason=reason)


def _in_the_way(answer: Answer) -> set[str]:
    return {*answer.proof.get("blocked_by", ()), *([answer.data["in_the_way"]] if "in_the_way" in answer.data else [])}


def _answered(body: Body, asked: Asked) -> Answer:
    found = grasps_of(body, asked.gripper, asked.around, count=asked.count, clearance=asked.clearance)
    warnings = tuple(_warnings(body))
    if not found.found:
        return _none(body, asked, found, warnings)
    if asked.shifts is None:
        return Answer({"grasps": [_plain(each) for each in found.found], "gripper": _gripper(asked.gripper)},
                      _proof(body, asked, found), "graspable", warnings=warnings)  # fmt: skip
    return _planned(body, asked, found, asked.shifts, warnings)


def _moving(sensed: Mapping[str, Sensed]) -> list[str]:
    """Ids of objects with a velocity."""
    return [
        name
        for name, each in sensed.items()
        if any(velocity is not None and velocity.any() for velocity in (each.velocity, each.angular_velocity))
    ]


def _is_weighed(sensed: Sensed) -> bool:
    return sensed.force is not None or sensed.mass is not None


def _asked(question: Question, body: Body, gripper: Gripper, doubtful: Sequence[str], *, is_open_above: bool) -> Asked:
    goal = question.goal
    plane = Plane.across(goals.gravity(goal))
    walls = [walled(question.scene.objects[name], plane, is_open_above=is_open_above) for name in doubtful]
    around = (*others(question.scene, body.id, *doubtful), *(each for each in walls if each is not None))
    level = goal.number_or_none("ground")
    ground = min(lowest(each, plane) for each in (*around, body)) if level is None else level
    reach = 10 * CONTACT * max(each.size for each in (*around, body))
    surroundings = Surroundings(around, plane, ground, reach)
    named = [name for name in TARGETS if name in goal]
    if len(named) > 1:
        raise goal.rejected(named[1], f"is there beside {named[0]}; give one target")
    count = goal.whole("count", COUNT, at_least=1, at_most=MOST)
    clearance = goal.number("clearance", 0.0, at_least=0.0)
    asked = Asked(gripper, surroundings, clearance, count, named[0] if named else None)
    if not named:
        return asked
    if named[0] == "move_to":
        target = goal.vector("move_to")
        assert target is not None
        return replace(asked, shifts=(target - body.outer.bounds.mean(axis=0),))
    return _placed(asked, question, body, goal, named[0])


def _placed(asked: Asked, question: Question, body: Body, goal: Members, name: str) -> Asked:
    """With the motions, without turning, to the best places on or in the target."""
    around = asked.around
    item = question.scene.find(goal.text(name) or "", f"goal.{name}")
    if item.id == body.id:
        raise goal.rejected(name, "is the object itself; name another one")
    target_body = body_or_reject(item, "act")
    relation = "in" if name == "place_in" else "on"
    regions = list(regions_of(item, target_body, around.plane, relation, relation == "in"))
    obstacles = [other for other in around.others if other.id != item.id]
    found = places(body, regions, target_body, obstacles, around.plane, Wish("centre", PLACES, 0.0, "none"))
    shifts = tuple(place.translation for place in found if np.allclose(place.rotation, np.eye(3)))
    return replace(asked, shifts=shifts, no_region=None if regions else unknown_regions(item.id))


def _planned(body: Body, asked: Asked, found: Grasps, shifts: tuple[Array, ...], warnings: tuple[str, ...]) -> Answer:
    """The first grasp and place between which all steps are free."""
    data: dict[str, Any] = {
        "grasps": [_plain(each) for each in found.found],
        "gripper": _gripper(asked.gripper),
        "target": asked.target,
    }
    proof = _proof(body, asked, found)
    if asked.no_region:
        return Answer.unknown(asked.no_region, data=data, proof=proof, warnings=warnings)
    if not shifts:
        return Answer(data, proof, "blocked", f"no place was found for {body.id} in its present orientation", warnings)
    failed: Step | None = None
    for grasp in found.found:
        for shift in shifts:
            steps = steps_to(shift, body, grasp, asked.gripper, asked.around, asked.clearance)
            if isinstance(steps, list):
                plan = {"steps": [_step(step) for step in steps], "grasp": _plain(grasp), "shift": shift}
                return Answer({**data, **plan}, proof, "feasible", warnings=warnings)
            failed = steps
    assert failed is not None and failed.clearance is not None
    reason = (
        f"{failed.clearance.nearest} is in the way of the step {failed.name}, in all grasps and places that were tried"
    )
    return Answer({**data, "in_the_way": failed.clearance.nearest}, proof, "blocked", reason, warnings)


def _none(body: Body, asked: Asked, found: Grasps, warnings: tuple[str, ...]) -> Answer:
    """No grasp: because nothing can be held, the gripper is too small, or something is in the way."""
    data: dict[str, Any] = {"grasps": [], "gripper": _gripper(asked.gripper), "least_opening": found.least}
    proof = _proof(body, asked, found)
    verdict, reason = "no_grasp", ""
    known = body.is_exact or body.fills_hull
    if not found.closed:
        verdict = "no_grasp" if body.is_exact else UNKNOWN
        reason = f"no two points of {body.id} that are known lie in each other's friction cones, of the pairs that were tried"
    elif not found.narrow:
        verdict = "no_grasp" if known else UNKNOWN
        reason = f"{body.id} is wider than the gripper opens: {found.least:g} at least, the gripper {asked.gripper.max_opening:g}"
    else:
        verdict = UNKNOWN if found.is_cut else "no_grasp"
        names = [name for name, _ in found.blocked.most_common(3)]
        reason = f"the gripper would touch {', '.join(names)} on each approach that was tried"
    return Answer(data, proof, verdict, reason, warnings)


def _plain(grasp: Grasp) -> dict[str, Any]:
    pair = grasp.pair
    return {
        "centre": pair.middle,
        "closing": pair.closing,
        "approach": grasp.approach,
        "start": pair.middle - grasp.way * grasp.approach,
        "object_width": pair.opening,
        "opening": grasp.opening,
        "quality": grasp.quality,
        "clearance": _distance(grasp.clearance),
        "nearest": grasp.clearance.nearest,
    }


def _distance(clearance: Clearance) -> float | None:
    return clearance.distance if np.isfinite(clearance.distance) else None


def _step(step: Step) -> dict[str, Any]:
    found: dict[str, Any] = {"name": step.name, "motion": step.way}
    if step.clearance is not None:
        found |= {"clearance": _distance(step.clearance), "nearest": step.clearance.nearest}
    return found


def _gripper(gripper: Gripper) -> dict[str, float]:
    return {
        "max_opening": gripper.max_opening,
        "finger_width": gripper.width,
        "finger_thickness": gripper.thickness,
        "finger_length": gripper.length,
        "friction": gripper.friction,
    }


def _proof(body: Body, asked: Asked, found: Grasps) -> dict[str, Any]:
    return {
        "shape_from": body.basis,
        "friction_cone_degrees": np.degrees(asked.gripper.cone),
        "grasps": [
            {
                "contacts": [each.pair.first, each.pair.second],
                "normals": [each.pair.first_normal, each.pair.second_normal],
                "force_closure": True,
                "angle_degrees": np.degrees(each.pair.angle),
                "margin_degrees": np.degrees(each.margin),
                "surface": "exact" if each.pair.exact else "estimated from points",
            }
            for each in found.found
        ],
        "pairs_in_force_closure": found.closed,
        "pairs_within_opening": found.narrow,
        "checked": found.checked,
        "blocked_by": dict(found.blocked),
        "ground": asked.around.ground,
    }


def _warnings(body: Body) -> list[str]:
    if body.is_exact:
        return []
    points = count_of(len(body.points), "point")
    return [f"{body.id}: its surface is known from {points} only, and so are contacts and clearances; send its faces"]
