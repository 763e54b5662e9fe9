"""Whether an object goes into or onto another one, how, and with how much room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial.counting import count_of
from spatial.reasoning.answer import Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.bodies import body_or_reject, body_with_volume, others, require_geometry
from spatial.reasoning.contact.insertion import Insertion, insertion
from spatial.reasoning.contact.inside import ORDER, Assessment, assess
from spatial.reasoning.contact.matrices import transform
from spatial.reasoning.contact.onto import fit_onto
from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.contact.places import Wish, places
from spatial.reasoning.contact.regions import floors
from spatial.reasoning.contact.targets import primary_of, target_of
from spatial.reasoning.contact.touching import contact_points, tightest_pair
from spatial.reasoning.log import log_step
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.cavity import Cavity, cavities_of, inside_of
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.separation import separation


def solve(question: Question) -> Answer:
    """Whether `object_id` goes into or onto `secondary_id`. Raises: InputRejected."""
    require_geometry(question)
    target_item = target_of(question)
    item = primary_of(question, target_item)
    body, target = body_with_volume(item, "fit"), body_or_reject(target_item, "fit")
    relation = question.goal.choice("relation", ("any", "in", "on"), "any")
    cavities = () if relation == "on" else _cavities(target_item, relation)
    log_step(f"{target_item.id} has {count_of(len(cavities), 'space')} inside; its shape is from {target.basis}")
    if cavities:
        return _into(question, item, body, target_item, cavities)
    if relation == "on" or (relation == "any" and _is_support(target_item, target)):
        return fit_onto(question, body, target)
    return _without_cavity(body, target_item, target)


def _cavities(item: SceneObject, relation: str) -> tuple[Cavity, ...]:
    found = cavities_of(item)
    inside = inside_of(item) if relation == "in" and not found and not item.faces else None
    return found if inside is None else (inside,)


def _is_support(item: SceneObject, target: Body) -> bool:
    """Whether an object without a cavity is known to be a thing to stand on: a surface, a block, or a solid of known shape."""
    return item.kind in ("surface", "box") or target.basis in ("faces", "flat")


def _into(
    question: Question, item: SceneObject, body: Body, target_item: SceneObject, cavities: Sequence[Cavity]
) -> Answer:
    goal = question.goal
    may_protrude = goal.flag("protrude", target_item.kind != "container")
    turning, needed = goals.turning(goal), goal.number("clearance", 0.0, at_least=0.0)
    direction, down = goal.direction("direction"), goals.gravity(goal)
    obstacles = others(question.scene, item.id, target_item.id)
    found = [assess(body, cavity, turning, may_protrude, needed) for cavity in cavities]
    for each in found:
        log_step(f"a space from {each.cavity.basis}: {each.verdict}, clearance {each.room.clearance:.6g}")
    best = min(found, key=lambda each: (ORDER.index(each.verdict), -round(each.room.clearance / body.size, 9)))
    if best.verdict != "fits":
        return _refused(best, body, target_item)
    centred = best.shape.moved(best.room.rotation, best.room.translation)
    way = insertion(centred, best.cavity, direction, down, obstacles)
    rotation, translation = best.room.rotation, best.room.translation + way.shift
    taken = [each.id for each in obstacles if not separation(body.moved(rotation, translation), each).is_free]
    if taken:
        return _beside(question, best, body, target_item, obstacles, taken)
    return _fitting(best, way, body, target_item, rotation, translation, direction is not None)


def _fitting(
    test: Assessment,
    way: Insertion,
    body: Body,
    target: SceneObject,
    rotation: Array,
    translation: Array,
    is_asked: bool,
) -> Answer:
    moved = test.shape.moved(rotation, translation)
    pair = tightest_pair(moved, test.cavity, test.room.tightest)
    data = {
        "relation": "in",
        "target": target.id,
        "transform": transform(rotation, translation),
        **_clearances(test),
        "protrusion": _protrusion(test, way),
        "insertion": _way(way, rotation, translation),
        "space": _space(test.cavity),
    }
    proof = {
        **_basis(test, body),
        "orientation_from": test.room.found_by,
        "closest_pair": pair,
        "contact_points": contact_points(moved, test.cavity, way.direction),
    }
    verdict, reason = _verdict_of(way, is_asked, target.id)
    return Answer(data, proof, verdict, reason, tuple(_warnings(test, way, target, is_asked)))


def _verdict_of(way: Insertion, is_asked: bool, target: str) -> tuple[str, str | None]:
    """The verdict on the way in, where the goal asks for one; else that there is room decides."""
    if way.blocked_by:
        return "does_not_fit", f"the way into {target!r} is blocked by {', '.join(way.blocked_by)}"
    if is_asked and way.passage == "wall":
        return "does_not_fit", f"{target!r} has a wall where goal.direction enters"
    if is_asked and way.passage == "oblique":
        return (
            "unknown",
            "goal.direction is oblique to the sides of the space; a direction along one of them would decide it",
        )
    return "fits", None


def _refused(test: Assessment, body: Body, target: SceneObject) -> Answer:
    """The answer where the object does not go in, or may not."""
    tightest = test.room.tightest
    moved = test.shape.moved(test.room.rotation, test.room.translation)
    data = {
        "relation": "in",
        "target": target.id,
        "nearest_transform": transform(test.room.rotation, test.room.translation),
        **_clearances(test),
        "penetration_depth": max(-test.room.clearance, 0.0),
        "blocking_direction": test.cavity.frame[tightest],
        "space": _space(test.cavity),
    }
    proof = {
        **_basis(test, body),
        "orientation_from": test.room.found_by,
        "excluded_by": test.excluded_by or "no orientation that was tried has the room",
        "closest_pair": tightest_pair(moved, test.cavity, tightest),
    }
    if test.verdict == "unknown":
        reason = (
            f"the clearance is within the error of the object's shape, {body.error:.3g}; more points, or a cad_scene "
            "with faces, would decide it"
        )
        return Answer.unknown(reason, data=data, proof=proof)
    return Answer(data, proof, "does_not_fit")


def _beside(
    question: Question,
    test: Assessment,
    body: Body,
    target: SceneObject,
    obstacles: Sequence[Body],
    taken: Sequence[str],
) -> Answer:
    """The answer where other objects are in the cavity: a free place on its floor beside them, if one is found."""
    plane = Plane.across(goals.gravity(question.goal))
    wish = Wish("low", 1, test.needed, goals.turning(question.goal))
    regions = list(floors((test.cavity,), plane, not all(test.room.constrained)))
    found = places(body, regions, None, obstacles, plane, wish)
    shared = {"relation": "in", "target": target.id, "occupied_by": list(taken), "space": _space(test.cavity)}
    if not found:
        names = ", ".join(taken)
        reason = f"{names} take the space and no free place beside them was found; a scene without them would decide it"
        return Answer.unknown(reason, data=shared | _clearances(test), proof=_basis(test, body))
    place = found[0]
    clear = min([place.wall, *([] if place.clearance is None else [place.clearance])])
    data = shared | {"transform": transform(place.rotation, place.translation), "clearance": max(clear, 0.0)}
    proof = _basis(test, body) | {"clearance_to_edge": place.wall, "clearance_to_others": place.clearance}
    return Answer(data, proof, "fits", warnings=("the clearance is the distance to the nearest wall or other object",))


def _without_cavity(body: Body, item: SceneObject, target: Body) -> Answer:
    """The answer for a target of which no cavity is known."""
    outside, longest = target.outer.diameter, 0.0 if body.inner is None else body.inner.diameter
    data = {"target": item.id}
    if longest > outside:
        return Answer(
            data | {"penetration_depth": longest - outside},
            {},
            "does_not_fit",
            f"it is larger than the whole of {item.id!r}",
        )
    if target.basis == "faces" and target.is_exact:
        return Answer(data, {"target_from": target.basis}, "does_not_fit", f"{item.id!r} has no space inside")
    advice = "the kind container, goal.relation, or a cad_scene with its faces would decide it"
    return Answer.unknown(
        f"no space inside {item.id!r} is known; {advice}", data=data, proof={"target_from": target.basis}
    )


def _clearances(test: Assessment) -> dict[str, Any]:
    """Sizes of the space minus sizes of the object, along the space's directions."""
    clearance, room = test.room.clearance, _without_rim(test)
    listed = [
        {
            "direction": test.cavity.frame[axis],
            "clearance": room[axis],
            "counts": test.room.constrained[axis],
        }
        for axis in range(3)
    ]
    return {"clearance": clearance if clearance > 0 else 0.0, "gap": max(clearance / 2, 0.0), "clearances": listed}


def _without_rim(test: Assessment) -> Array:
    """(3,) the clearances without what is only possible at the rim of an opening."""
    openings = np.array([test.cavity.sides[2 * axis : 2 * axis + 2].count("open") for axis in range(3)])
    return test.room.clearances - openings * test.cavity.error


def _protrusion(test: Assessment, way: Insertion) -> float:
    """How far the object sticks out of the space along the way."""
    axis = int(np.argmax(np.abs(test.cavity.frame @ way.direction)))
    return float(max(-_without_rim(test)[axis], 0.0))


def _way(way: Insertion, rotation: Array, translation: Array) -> dict[str, Any]:
    possible = {"open": True, "wall": False}.get(way.passage)
    start = translation - way.length * way.direction
    return {
        "is_possible": False if way.blocked_by else possible,
        "direction": way.direction,
        "length": way.length,
        "path": [transform(rotation, start), transform(rotation, translation)]
        if way.passage in ("open", "unknown")
        else [],
        "enters_through": way.passage,
        "blocked_by": list(way.blocked_by),
    }


def _space(cavity: Cavity) -> dict[str, Any]:
    return {
        "shape": "box" if cavity.radius is None else "bore",
        "axes": cavity.frame,
        "size": cavity.size,
        "centre": cavity.frame.T @ ((cavity.lower + cavity.upper) / 2),
        "radius": cavity.radius,
        "sides": list(cavity.sides),
    }


def _basis(test: Assessment, body: Body) -> dict[str, Any]:
    return {
        "object_from": body.basis,
        "object_error": body.error,
        "space_from": test.cavity.basis,
        "space_error": test.cavity.error,
    }


def _warnings(test: Assessment, way: Insertion, target: SceneObject, is_asked: bool) -> list[str]:
    found = []
    if way.passage == "wall" and not is_asked:
        found.append(f"{target.id!r} is closed on all sides: there is room in it, and no way in")
    if way.passage == "unknown":
        found.append(f"the points of {target.id!r} do not show where it is open; the way in is assumed to be open")
    if test.cavity.basis == "corners":
        found.append(f"the points of {target.id!r} show only its box, which is taken as the space inside")
    if test.cavity.error and (_without_rim(test) < 0)[np.array(test.room.constrained)].any():
        found.append(
            f"the rim of {target.id!r} is known to {test.cavity.error:.3g} only; the object may stick out by as much"
        )
    if test.room.clearance <= 0:
        found.append("the object is as large as the space: it fits without any clearance")
    return found
