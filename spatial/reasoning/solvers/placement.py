"""Poses of an object in or on another one that rest stably and overlap with nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from spatial.counting import count_of
from spatial.reasoning.answer import Answer
from spatial.reasoning.contact import goals
from spatial.reasoning.contact.bodies import body_or_reject, body_with_volume, others, require_geometry
from spatial.reasoning.contact.matrices import transform
from spatial.reasoning.contact.patches import Plane, corners_of
from spatial.reasoning.contact.places import Place, Wish, places
from spatial.reasoning.contact.regions import Region, regions_of, unknown_regions
from spatial.reasoning.contact.targets import primary_of, target_of
from spatial.reasoning.log import log_step
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body

COUNT: Final = 3
"""Places where the goal gives no `count`."""

MOST: Final = 20


def solve(question: Question) -> Answer:
    """Places of `object_id` in or on `secondary_id`. Raises: InputRejected."""
    require_geometry(question)
    target_item = target_of(question)
    item = primary_of(question, target_item)
    body, target = body_with_volume(item, "placement"), body_or_reject(target_item, "placement")
    goal, plane = question.goal, Plane.across(goals.gravity(question.goal))
    relation = goal.choice("relation", ("any", "in", "on"), "any")
    regions = list(
        regions_of(target_item, target, plane, relation, goal.flag("protrude", target_item.kind != "container"))
    )
    log_step(f"{target_item.id} offers {count_of(len(regions), 'region')}")
    wish = Wish(
        goal.choice("prefer", ("low", "corner", "centre", "margin"), "low"),
        goal.whole("count", COUNT, at_least=1, at_most=MOST),
        goal.number("clearance", 0.0, at_least=0.0),
        goals.turning(goal),
    )
    obstacles = others(question.scene, item.id, target_item.id)
    found = places(body, regions, target, obstacles, plane, wish)
    if not found:
        return _nothing(item, target_item, body, regions, obstacles)
    data = {"target": target_item.id, "poses": [_entry(place) for place in found]}
    proof = {"poses": [_proof(place, plane) for place in found], "shape_from": body.basis, "target_from": target.basis}
    debug = {"regions": [_region(region, plane) for region in regions]}
    return Answer(data, proof, "possible", warnings=tuple(_warnings(wish, found, body)), debug=debug)


def _entry(place: Place) -> dict[str, Any]:
    return {
        "transform": transform(place.rotation, place.translation),
        "relation": place.region.relation,
        "bounds": place.body.outer.bounds,
        "margin": place.balance.margin,
        "tilt_to_topple_degrees": place.balance.tilt,
        "height_of_centre": place.balance.height,
        "clearance_to_edge": place.wall,
        "clearance_to_others": place.clearance,
        "nearest_object": place.nearest,
    }


def _proof(place: Place, plane: Plane) -> dict[str, Any]:
    level = place.region.level
    centre = place.body.centre if place.body.centre is not None else place.body.outer.middle
    return {
        "support_polygon": plane.lifted(corners_of(place.patch.inner), level),
        "projected_centre_of_mass": plane.lifted(plane.flat(centre[None]), level)[0],
        "stability": place.balance.verdict,
        "overlaps": False,
    }


def _region(region: Region, plane: Plane) -> dict[str, Any]:
    return {
        "relation": region.relation,
        "corners": plane.lifted(region.corners, region.level),
        "ceiling": region.ceiling,
    }


def _nothing(
    item: SceneObject, target_item: SceneObject, body: Body, regions: Sequence[Region], obstacles: Sequence[Body]
) -> Answer:
    data = {"target": target_item.id, "poses": []}
    if not regions:
        return Answer.unknown(unknown_regions(target_item.id), data=data)
    if not body.is_exact and (body.inner is None or body.error):
        return Answer.unknown(
            f"the shape of {item.id!r} is known to {body.error:.3g} only, and no place is certain; more points on it or a cad_scene "
            "with its faces would decide it",
            data=data,
        )
    why = "beside the other objects" if obstacles else "there"
    reason = f"{item.id!r} has no stable pose in or on {target_item.id!r} with room {why}, in the orientations and positions tried"
    return Answer(data, {"regions": len(regions)}, "impossible", reason)


def _warnings(wish: Wish, found: Sequence[Place], body: Body) -> list[str]:
    warnings = []
    if len(found) < wish.count:
        warnings.append(f"fewer places were found than goal.count asks for: {len(found)} of {wish.count}")
    if body.centre_from == "hull":
        warnings.append(f"the centre of mass of {body.id!r} is that of its hull at uniform density")
    if any(place.region.cavity is not None and place.region.cavity.basis == "corners" for place in found):
        warnings.append(
            "the container's points show only its box: its walls are taken as thin and as closed all around"
        )
    return warnings
