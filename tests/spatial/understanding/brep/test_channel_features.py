"""Slots that are wider below, that have a round floor, pockets that lean, and cones at mouths: of parts made with known ones."""

from __future__ import annotations

import random
from math import radians, sqrt, tan
from typing import Any

import cadquery as cq
import pytest

from spatial.contract.features import Feature
from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import (
    HEIGHT,
    LENGTH,
    POSES,
    Pose,
    block,
    features_of,
    near,
    of_type,
    top,
)

MOUTH = HEIGHT / 2


def swept(profile: cq.Workplane, begin: float = -LENGTH) -> cq.Workplane:
    """The block without a profile of y and z that is swept along x."""
    return block().cut(profile.close().extrude(2 * LENGTH).translate((begin, 0, 0)))


def plane() -> cq.Workplane:
    return cq.Workplane("YZ")


def sizes(slot: Feature) -> tuple[Any, ...]:
    return slot.width, slot.length, slot.depth


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_a_t_slot_has_its_neck_and_its_undercut(seed: int) -> None:
    chance = random.Random(seed)
    neck, wide, deep, high = (round(chance.uniform(*span), 2) for span in ((8, 12), (16, 24), (12, 16), (4, 7)))
    y, floor = round(chance.uniform(-10, 10), 2), MOUTH - deep
    half = [(neck / 2, MOUTH + 1), (neck / 2, floor + high), (wide / 2, floor + high), (wide / 2, floor)]
    points = [(y + a, z) for a, z in half] + [(y - a, z) for a, z in reversed(half)]
    work = swept(plane().polyline(points)).faces(">Z").workplane(origin=(0, 0, MOUTH)).center(30, y).hole(5)
    found = features_of(Pose(seed).shape(work))
    (slot,) = of_type(found, "slot")
    assert sizes(slot) == near(neck, LENGTH, deep)
    assert slot.undercut is not None
    assert (slot.undercut.width, slot.undercut.depth) == near(wide, high)
    assert len(of_type(found, "hole")) == 1


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("begin", [-LENGTH, -20.0], ids=["through", "blind"])
def test_a_channel_of_a_ball_mill_has_a_round_floor(seed: int, begin: float) -> None:
    chance = random.Random(seed)
    radius, deep = round(chance.uniform(4, 7), 2), round(chance.uniform(10, 14), 2)
    centre = MOUTH - deep + radius
    profile = (
        plane().moveTo(-radius, MOUTH + 1).lineTo(-radius, centre).threePointArc((0, MOUTH - deep), (radius, centre))
    )
    work = swept(profile.lineTo(radius, MOUTH + 1), begin)
    (slot,) = of_type(features_of(Pose(seed).shape(work)), "slot")
    assert (*sizes(slot), slot.floor_radius) == near(2 * radius, LENGTH / 2 - max(begin, -LENGTH / 2), deep, radius)


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("above", [0.0, 3.0])
def test_a_flute_has_the_width_of_its_mouth(seed: int, above: float) -> None:
    radius = round(random.Random(seed).uniform(5, 8), 2)
    work = block().cut(cq.Workplane("YZ", origin=(-LENGTH, 0, MOUTH + above)).circle(radius).extrude(2 * LENGTH))
    found = features_of(Pose(seed).shape(work))
    (slot,) = found
    assert slot.type == "slot"
    assert (*sizes(slot), slot.floor_radius) == near(2 * sqrt(radius**2 - above**2), LENGTH, radius - above, radius)


@pytest.mark.requirement("features.channels")
def test_a_scallop_a_curved_surface_and_a_filled_corner_are_no_slots() -> None:
    plate = cq.Workplane().box(60, 40, 4).cut(cq.Workplane("XY", origin=(30, 0, -5)).circle(6).extrude(10))
    assert features_of(parts.solid(plate)) == []
    hollow = block().cut(cq.Workplane("YZ", origin=(-LENGTH, 0, MOUTH + 36)).circle(40).extrude(2 * LENGTH))
    assert features_of(parts.solid(hollow)) == []
    step = block().cut(cq.Workplane("YZ", origin=(-LENGTH, -40, MOUTH)).rect(30, 20).extrude(2 * LENGTH))
    (edge,) = [each for each in parts.solid(step).Edges() if (each.Center() - cq.Vector(0, -25, 5)).Length < 1e-6]
    (filled,) = parts.solid(step).fillet(4, [edge]).Solids()
    assert [each.type for each in features_of(filled)] == ["fillet"]


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_a_slot_from_the_edge_of_a_plate_goes_through_it(seed: int) -> None:
    width, length = (round(random.Random(seed).uniform(*span), 2) for span in ((6, 10), (18, 25)))
    inner = 30 - length + width / 2
    cutter = cq.Workplane("XY", origin=(0, 0, -10)).moveTo(40, -width / 2).lineTo(inner, -width / 2)
    cutter = cutter.threePointArc((30 - length, 0), (inner, width / 2)).lineTo(40, width / 2).close().extrude(20)
    (slot,) = of_type(features_of(Pose(seed).shape(cq.Workplane().box(60, 40, 5).cut(cutter))), "slot")
    assert (*sizes(slot), slot.radius, slot.through) == (*near(width, length, 5, width / 2), True)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("lean", [5.0, 15.0, 30.0, 40.0])
def test_a_pocket_may_lean_up_to_the_angle_of_a_broken_corner(seed: int, lean: float) -> None:
    depth = round(random.Random(seed).uniform(4, 8), 2)
    (pocket,) = features_of(Pose(seed).shape(top().rect(50, 30).cutBlind(-depth, taper=lean)))
    assert (pocket.type, pocket.through) == ("pocket", False)
    assert sizes(pocket) == near(30, 50, depth)


@pytest.mark.requirement("features.depressions")
def test_the_broken_corner_of_a_floor_is_no_wall() -> None:
    cutter = cq.Workplane("XY", origin=(0, 0, 3)).rect(60, 40).extrude(20).faces("<Z").edges().chamfer(2, 3)
    (pocket,) = of_type(features_of(parts.solid(block().cut(cutter))), "pocket")
    assert (pocket.width, pocket.length, pocket.depth) == near(40, 60, MOUTH - 3)


@pytest.mark.requirement("features.treatments")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize(
    ("hole", "wide", "angle", "word"),
    [
        (6.6, 12.6, 90, "countersink"),
        (5.5, 10.0, 82, "countersink"),
        (4.5, 8.5, 100, "countersink"),
        (6.8, 8.4, 90, "chamfer"),
        (2.5, 3.4, 120, "chamfer"),
        (20.0, 26.0, 90, "chamfer"),
        (6.0, 12.0, 40, None),
    ],
)
def test_a_cone_is_a_countersink_where_a_head_fits_it(
    seed: int, hole: float, wide: float, angle: float, word: str | None
) -> None:
    (found,) = of_type(features_of(Pose(seed).shape(top().cskHole(hole, wide, angle))), "hole")
    for name in ("countersink", "chamfer"):
        treatment = getattr(found, name)
        assert (treatment is not None) is (name == word)
        if treatment is not None:
            depth = (wide - hole) / 2 / tan(radians(angle / 2))
            assert (treatment.diameter, treatment.angle, treatment.depth) == near(wide, angle, depth)
    assert found.diameter == pytest.approx(hole)


@pytest.mark.requirement("features.treatments")
def test_the_broken_edge_of_a_seat_is_a_chamfer_and_a_deep_seat_no_spotface() -> None:
    seat = top().cboreHole(26, 38, 6).faces(">Z").edges("%CIRCLE").chamfer(1)
    (hole,) = of_type(features_of(parts.solid(seat)), "hole")
    assert (hole.countersink, hole.spotface) == (None, None)
    assert hole.chamfer is not None
    assert hole.counterbore is not None
    assert (hole.chamfer.diameter, hole.counterbore.diameter, hole.counterbore.depth) == near(40, 38, 6)


@pytest.mark.requirement("features.holes")
@pytest.mark.parametrize("seed", POSES)
def test_a_blind_hole_with_a_rounded_entry_begins_at_the_surface(seed: int) -> None:
    pose, depth = Pose(seed), round(random.Random(seed).uniform(10, 20), 2)
    work = top().center(20, 10).hole(12, depth).faces(">Z").edges("%CIRCLE").fillet(2)
    found = features_of(pose.shape(work))
    (hole,) = of_type(found, "hole")
    assert hole.depth == pytest.approx(depth)
    assert hole.position == pytest.approx(pose.point(20, 10, MOUTH), abs=1e-6)
    assert [each.radius for each in of_type(found, "fillet")] == [pytest.approx(2)]


@pytest.mark.requirement("features.holes")
@pytest.mark.parametrize("seed", POSES)
def test_what_is_smaller_than_the_resolution_of_a_model_is_nothing(seed: int) -> None:
    tip = 4.0 / tan(radians(59))
    profile = [(0, 0), (4, 0), (4, -14), (0, -14 - tip)]
    drill = cq.Workplane("XZ").polyline(profile).close().revolve(360, (0, 0, 0), (0, 1, 0)).translate((9, 5, MOUTH))
    (hole,) = of_type(features_of(Pose(seed).shape(block().cut(drill))), "hole")
    cone = (hole.steps or [])[-1]
    assert getattr(cone, "end_diameter", None) == 0.0
