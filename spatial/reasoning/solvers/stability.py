"""Whether objects stand on their support under gravity, how far they can be tilted, and in which other poses they rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.balance import ORDER, Balance, Verdict, balance
from spatial.reasoning.contact.bodies import body_with_volume, others, require_geometry
from spatial.reasoning.contact.floor import floor_of
from spatial.reasoning.contact.matrices import transform
from spatial.reasoning.contact.patches import Patch, Plane, corners_of, lowest, merged
from spatial.reasoning.contact.resting import rest_poses
from spatial.reasoning.contact.stack import GROUND, Stack, stack_of
from spatial.reasoning.log import log_step
from spatial.reasoning.question import Question
from spatial.reasoning.shape.body import Body

POSES: Final = 6
"""Rest poses that are listed where the goal gives no `poses`."""

MOST_POSES: Final = 100


def solve(question: Question) -> Answer:
    """Stability of `object_id`, or of every object where the request names none. Raises: InputRejected."""
    require_geometry(question)
    plane = Plane.across(goals.gravity(question.goal))
    named = question.object_id is not None or len(question.scene) == 1
    asked = [body_with_volume(question.primary(), "stability")] if named else _all(question)
    unknown = next((body for body in asked if body.centre is None), None)
    if unknown is not None:
        return Answer.unknown(
            f"of {unknown.id!r} only the extent is known; points on it or a cad_scene with its faces would decide it"
        )
    stack = _stack(question, asked, plane)
    log_step(f"{count_of(len(stack.bodies), 'body', 'bodies')} in {count_of(len(stack.contacts), 'contact')}")
    names = [body.id for body in asked]
    chain = sorted(
        {each for name in names for each in (*stack.rests_on(name), *stack.carries(name))}, key=list(stack.bodies).index
    )
    findings = {name: _Finding(stack, name) for name in chain}
    decisive = {each for name in names for each in stack.rests_on(name)}
    verdict = max((findings[name].verdict for name in decisive), key=ORDER.index)
    return _answer(question, stack, findings, names, verdict, [name for name in chain if name in decisive])


class _Finding:
    """How one object with all that it carries stands."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.name, self.supports = name, stack.supports(name)
        self.centre = stack.load_centre(name)
        self.patch: Patch | None = (
            merged([stack.contacts[name, each] for each in self.supports]) if self.supports else None
        )
        self.is_shared = name in stack.shared
        self.balance: Balance | None = None
        self.is_fixed = name in stack.fixed
        if self.patch is not None and not self.is_shared and not self.is_fixed:
            self.balance = balance(self.patch, self.centre, stack.plane, stack.bodies[name].size)
        self.verdict: Verdict = self._verdict(stack)

    def _verdict(self, stack: Stack) -> Verdict:
        if self.is_fixed:
            return "stable"
        if self.patch is None:
            return "unknown" if not stack.bodies[self.name].is_exact and stack.bodies[self.name].error else "unstable"
        if self.balance is not None:
            return self.balance.verdict
        return "stable" if stack.is_balanced else "unstable"


def _all(question: Question) -> list[Body]:
    """The bodies of all objects with a volume; the others only support them."""
    found = [body for body in others(question.scene) if body.centre is not None]
    if not found:
        raise InputRejected(
            "no object of the scene has a volume; send at least 4 points of a surface that span one, or a cad_scene with its faces",
            details={"field": "input"},
        )
    return found


def _stack(question: Question, asked: list[Body], plane: Plane) -> Stack:
    """The stack of the scene; of the object and its named support alone where the request names one."""
    secondary = question.secondary()
    bodies = {body.id: body for body in others(question.scene)} | {body.id: body for body in asked}
    support = question.goal.choice("support", ("scene", "ground"), "scene")
    if secondary is not None:
        bodies = {name: body for name, body in bodies.items() if name in (secondary.id, *(each.id for each in asked))}
    if support == "ground":
        bodies = {body.id: body for body in asked}
    given = question.goal.numbers("masses", at_least=0.0)
    for name in given:
        question.scene.find(name, f"goal.masses.{name}")
    masses = {name: given.get(name, _mass(body)) for name, body in bodies.items()}
    bodies = {name: body if body.centre is not None else _weightless(body) for name, body in bodies.items()}
    ground = min(lowest(body, plane) for body in bodies.values())
    return stack_of(bodies, masses, plane, ground=ground, fixed=_fixed(question, bodies, plane))


def _fixed(question: Question, bodies: Mapping[str, Body], plane: Plane) -> set[str]:
    """Ids of what does not tip: surfaces, the named support, and what the goal names, or an inclined floor where it names nothing."""
    named = question.goal.texts("fixed")
    for place, name in enumerate(named or []):
        if name == question.object_id:
            raise question.goal.rejected(f"fixed.{place}", "is object_id; remove it")
        question.scene.find(name, f"goal.fixed.{place}")
    secondary, floor = question.secondary(), floor_of(bodies, plane) if named is None else None
    found = {name for name in bodies if question.scene.find(name).kind == "surface"} | set(named or [])
    found |= {each for each in (floor, secondary.id if secondary else None) if each is not None}
    return found - {question.object_id}


def _weightless(body: Body) -> Body:
    """A body that supports others and has no mass of its own: a surface."""
    return replace(body, centre=body.outer.middle)


def _mass(body: Body) -> float:
    """In units of volume: the density of all bodies is 1."""
    return body.volume if body.centre is not None and body.volume else 0.0


def _answer(
    question: Question,
    stack: Stack,
    findings: Mapping[str, _Finding],
    names: list[str],
    verdict: Verdict,
    decisive: list[str],
) -> Answer:
    worst = max(decisive, key=lambda name: (ORDER.index(findings[name].verdict), -_margin(findings[name])))
    finding = findings[names[0]] if len(names) == 1 else findings[worst]
    body = stack.bodies[finding.name]
    data: dict[str, Any] = {
        "support": _supports(finding),
        **_measures(finding),
        "centre_of_mass": body.centre,
        "decided_by": worst if len(findings) > 1 else None,
        "stack": [_entry(findings[name]) for name in findings] if len(findings) > 1 else None,
    }
    poses = _poses(question, body, stack.plane) if len(names) == 1 else None
    data["stable_poses"] = poses
    proof = {
        **_polygon(finding, stack.plane),
        "centre_of_mass_from": body.centre_from,
        "shape_from": body.basis,
        "projected_centre_of_mass": _projected(finding, stack.plane),
    }
    reason = _reason(findings[worst], stack) if verdict in (UNKNOWN, "unstable") else None
    for name, each in findings.items():
        log_step(f"{name}: {each.verdict}, margin {_margin(each):.6g}")
    return Answer(data, proof, verdict, reason, tuple(_warnings(stack, findings)), {"contacts": _contacts(stack)})


def _margin(finding: _Finding) -> float:
    if finding.is_fixed:
        return float("inf")
    return finding.balance.margin if finding.balance else float("inf") if finding.patch else -float("inf")


def _supports(finding: _Finding) -> list[str]:
    return ["ground" if each == GROUND else each for each in finding.supports]


def _measures(finding: _Finding) -> dict[str, Any]:
    found = finding.balance
    if found is None:
        return {}
    exact = found.margin_bounds[0] == found.margin_bounds[1]
    return {
        "margin": found.margin,
        "margin_bounds": None if exact else found.margin_bounds,
        "tilt_to_topple_degrees": found.tilt,
        "height_of_centre": found.height,
    }


def _entry(finding: _Finding) -> dict[str, Any]:
    return {
        "object_id": finding.name,
        "verdict": finding.verdict,
        "support": _supports(finding),
        **_measures(finding),
        "centre_of_load": finding.centre,
        "shares_load": (finding.is_shared and not finding.is_fixed) or None,
        "fixed": finding.is_fixed or None,
    }


def _polygon(finding: _Finding, plane: Plane) -> dict[str, Any]:
    """The support polygon and the edge over which the load topples first, as points of the scene."""
    if finding.patch is None:
        return {}
    edge = finding.balance.edge if finding.balance else None
    return {
        "support_polygon": finding.patch.points(corners_of(finding.patch.inner), plane),
        "support_polygon_outer": None
        if finding.patch.is_exact
        else finding.patch.points(corners_of(finding.patch.outer), plane),
        "toppling_edge": None if edge is None else finding.patch.points(edge, plane),
        "inclination_degrees": float(np.degrees(np.arctan(finding.patch.steepness))) or None,
    }


def _projected(finding: _Finding, plane: Plane) -> Any:
    if finding.patch is None:
        return None
    return finding.patch.points(plane.flat(finding.centre[None]), plane)[0]


def _poses(question: Question, body: Body, plane: Plane) -> list[dict[str, Any]]:
    """The rest poses, as motions about the present centre of mass that leave the lowest level where it is."""
    most = question.goal.whole("poses", POSES, at_least=1, at_most=MOST_POSES)
    centre = body.centre if body.centre is not None else body.outer.middle
    level = lowest(body, plane)
    found = []
    for pose in rest_poses(body, plane, most)[:most]:
        lifted = centre + plane.up * (level + pose.height - float(centre @ plane.up))
        found.append(
            {
                "probability": pose.probability,
                "transform": transform(pose.rotation, lifted - pose.rotation @ centre),
                "resting_normal": pose.normal,
                "margin": pose.margin,
                "tilt_to_topple_degrees": float(np.degrees(np.arctan2(pose.margin, pose.height))),
                "height_of_centre": pose.height,
                "rolls": pose.rolls or None,
                "is_present": bool(pose.normal @ -plane.up > 1 - 1e-9),
            }
        )
    return found


def _contacts(stack: Stack) -> list[dict[str, Any]]:
    return [
        {
            "upper": upper,
            "lower": lower or "ground",
            "polygon": patch.points(corners_of(patch.inner), stack.plane),
        }
        for (upper, lower), patch in stack.contacts.items()
    ]


def _reason(finding: _Finding, stack: Stack) -> str:
    body = stack.bodies[finding.name]
    if finding.patch is None:
        advice = "; more points on both would decide it" if finding.verdict == UNKNOWN else ""
        return f"nothing below {finding.name!r} is known to touch it{advice}"
    if finding.balance is None:
        return f"the contacts of {finding.name!r} cannot hold the load that it shares with others"
    if finding.verdict == UNKNOWN:
        return (
            f"the contact of {finding.name!r} is known to {body.error:.3g} only, and its margin is between "
            f"{finding.balance.margin_bounds[0]:.3g} and {finding.balance.margin_bounds[1]:.3g}; more points or a cad_scene with its "
            "faces would decide it"
        )
    return f"the centre of mass of {finding.name!r} and what it carries is not above its support"


def _warnings(stack: Stack, findings: Mapping[str, _Finding]) -> list[str]:
    found = [
        f"the mass of {name!r} is that of its hull at uniform density; a hollow object weighs less"
        for name in findings
        if stack.bodies[name].centre_from == "hull" and len(findings) > 1
    ]
    single = [name for name in findings if stack.bodies[name].centre_from == "hull" and len(findings) == 1]
    found += [f"the centre of mass of {name!r} is that of its hull at uniform density" for name in single]
    return found + [
        f"{name!r} carries a load that also rests on others; its margin is left out"
        for name in findings
        if findings[name].is_shared and not findings[name].is_fixed
    ]
