"""Whether an object fits onto a flat side of another one: it rests there stably, and what it stands on lies within the side."""

from __future__ import annotations

import numpy as np

from spatial.reasoning.answer import Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.bodies import others
from spatial.reasoning.contact.matrices import transform
from spatial.reasoning.contact.orientations import orientations
from spatial.reasoning.contact.outlines import least_overhang
from spatial.reasoning.contact.patches import Plane, corners_of
from spatial.reasoning.contact.places import Wish, places
from spatial.reasoning.contact.regions import tops
from spatial.reasoning.question import Question
from spatial.reasoning.shape.body import Body


def fit_onto(question: Question, body: Body, target: Body) -> Answer:
    """The answer of fit for a target to stand on. Raises: InputRejected."""
    goal = question.goal
    plane = Plane.across(goals.gravity(goal))
    wish = Wish("centre", 1, goal.number("clearance", 0.0, at_least=0.0), goals.turning(goal))
    regions = list(tops(target, plane))
    shared = {"relation": "on", "target": target.id}
    basis = {"object_from": body.basis, "target_from": target.basis}
    if not regions:
        return Answer.unknown(
            f"no flat side of {target.id!r} that looks up is known; more points on it, or a cad_scene with its faces, would decide it",
            data=shared,
            proof=basis,
        )
    obstacles = others(question.scene, body.id, target.id)
    found = places(body, regions, target, obstacles, plane, wish)
    if found:
        place = found[0]
        data = {
            "transform": transform(place.rotation, place.translation),
            "clearance": max(place.wall, 0.0),
            "clearance_to_others": place.clearance,
            "margin": place.balance.margin,
        }
        contacts = plane.lifted(corners_of(place.patch.inner), place.region.level)
        return Answer(shared | data, basis | {"contact_points": contacts, "stability": place.balance.verdict}, "fits")
    if obstacles and places(body, regions, target, (), plane, wish):
        names = ", ".join(each.id for each in obstacles[:_NAMED])
        return Answer.unknown(
            f"no free place beside the other objects was found ({names}); a scene without them would decide it",
            data=shared,
            proof=basis,
        )
    turned = list(orientations(body, plane, wish.turning))
    if not turned:
        return Answer(shared, basis, "does_not_fit", f"{body.id!r} has no flat side on which it rests")
    overhang = min(
        least_overhang(corners_of(each.patch.inner), region.corners) for each in turned for region in regions
    )
    data = {"penetration_depth": overhang, "blocking_direction": -np.asarray(plane.up)}
    return Answer(
        shared | data, basis, "does_not_fit", f"{body.id!r} reaches beyond every side of {target.id!r} that looks up"
    )


_NAMED = 5
"""Objects in the way that a reason names."""
