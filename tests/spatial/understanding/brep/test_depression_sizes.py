"""Sizes of pockets, slots and grooves where corners are filled, walls lean on nothing straight, or the mouth is on a shaft."""

from __future__ import annotations

import random
from math import cos, radians, sin, sqrt

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import HEIGHT, POSES, Pose, block, features_of, near, of_type, top

Corner = tuple[float, float, float]


def within(low: Corner, high: Corner) -> cq.Selector:
    """What lies in a box."""
    return cq.selectors.BoxSelector(low, high, boundingbox=True)  # type: ignore[no-untyped-call]  # cadquery declares no types


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("floor", [2.0, 6.0], ids=["smaller fillets", "a ball in each corner"])
def test_a_pocket_keeps_its_depth_and_all_its_faces_whatever_fills_its_corners(seed: int, floor: float) -> None:
    cutter = (
        cq.Workplane("XY", origin=(0, 0, -2))
        .rect(60, 40)
        .extrude(20)
        .edges("|Z")
        .fillet(6)
        .faces("<Z")
        .edges()
        .fillet(floor)
    )
    (pocket,) = of_type(features_of(Pose(seed).shape(block().cut(cutter))), "pocket")
    assert (pocket.depth, pocket.width, pocket.length, pocket.radius) == near(17, 40, 60, 6)
    assert len(pocket.faces) == 1 + 4 + 4 + 4 + 4


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_pocket_without_parallel_walls_has_one_size_in_every_pose(seed: int) -> None:
    corners = [(0.0, 0.0), (40.0, 0.0), (40.0 * cos(radians(50)), 40.0 * sin(radians(50)))]
    cutter = cq.Workplane("XY", origin=(-20, -10, 5)).polyline(corners).close().extrude(20).edges("|Z").fillet(3)
    (pocket,) = of_type(features_of(Pose(seed).shape(block().cut(cutter))), "pocket")
    # Rounded corners of an isosceles triangle: along a leg, each tip is cut off by r (1 / sin(half) - 1) along its bisector.
    assert (pocket.width, pocket.length) == near(*rectangle(corners, 3.0))
    assert pocket.radius == pytest.approx(3)


def rectangle(corners: list[tuple[float, float]], radius: float) -> tuple[float, float]:
    """The smallest rectangle along a side of a triangle whose corners are rounded: that around the three circles."""
    a, b, c = (complex(*corner) for corner in corners)
    lengths = [abs(b - c), abs(c - a), abs(a - b)]
    centre = (lengths[0] * a + lengths[1] * b + lengths[2] * c) / sum(lengths)
    inner = abs(((b - a).conjugate() * (c - a)).imag) / sum(lengths)
    circles = [centre + (corner - centre) * (inner - radius) / inner for corner in (a, b, c)]
    found = []
    for along in (b - a, c - b, a - c):
        turned = [circle * along.conjugate() / abs(along) for circle in circles]
        sides = sorted(
            max(values) - min(values) + 2 * radius
            for values in ([each.real for each in turned], [each.imag for each in turned])
        )
        found.append((sides[0], sides[1]))
    return min(found, key=lambda sides: sides[0] * sides[1])


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_slots_in_line_with_material_between_them_are_two(seed: int) -> None:
    chance = random.Random(seed)
    length, width = round(chance.uniform(20, 30), 2), round(chance.uniform(6, 12), 2)
    work = block()
    for side in (-1, 1):
        middle = side * (60.0 - length / 2 + width / 2)
        work = work.cut(
            cq.Workplane("XY", origin=(middle, 0, HEIGHT / 2 - 4)).slot2D(length + width, width).extrude(10)
        )
    found = of_type(features_of(Pose(seed).shape(work)), "slot")
    assert [(each.width, each.length, each.depth, each.radius) for each in found] == [
        near(width, length, 4, width / 2)
    ] * 2


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_slot_that_a_bore_cuts_in_two_is_one(seed: int) -> None:
    work = top().hole(50).faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).rect(LONG, 12).cutBlind(-5)
    (slot,) = of_type(features_of(Pose(seed).shape(work)), "slot")
    assert (slot.width, slot.length, slot.depth) == near(12, 120, 5)


LONG = 200.0


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_keyway_is_as_deep_as_from_the_crown_of_its_shaft(seed: int) -> None:
    shaft = cq.Workplane("YZ").circle(15).extrude(100)
    key = cq.Workplane("XY", origin=(50, 0, 15 - 4)).slot2D(28, 8).extrude(10)
    (slot,) = of_type(features_of(Pose(seed).shape(shaft.cut(key))), "slot")
    assert (slot.width, slot.length, slot.depth) == near(8, 28, 4)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_keyway_in_a_hub_is_as_deep_as_from_the_crown_of_its_bore(seed: int) -> None:
    hub = cq.Workplane("YZ").circle(30).circle(12).extrude(40)
    key = cq.Workplane("XY", origin=(20, 0, 0)).rect(60, 8).extrude(12 + 3.3)
    (slot,) = of_type(features_of(Pose(seed).shape(hub.cut(key))), "slot")
    assert (slot.width, slot.length, slot.depth) == near(8, 40, 3.3)


@pytest.mark.requirement("features.grooves")
@pytest.mark.parametrize("seed", POSES)
def test_a_groove_with_filled_corners_is_as_wide_as_its_walls_are_apart(seed: int) -> None:
    origin = cq.Workplane("XY", origin=(0, 0, HEIGHT / 2 - 3))
    cutter = origin.slot2D(66, 36).extrude(10).faces("<Z").edges().fillet(0.8)
    island = cq.Workplane("XY", origin=(0, 0, HEIGHT / 2 - 3)).slot2D(58, 28).extrude(3)
    (groove,) = of_type(features_of(Pose(seed).shape(block().cut(cutter).union(island))), "groove")
    assert (groove.width, groove.depth) == near(4, 3)


@pytest.mark.requirement("features.grooves")
def test_a_recess_between_round_rings_is_a_groove_as_wide_as_its_floor() -> None:
    profile = (
        cq.Workplane("XZ").moveTo(16, 0).lineTo(32, 0).lineTo(32, 3).threePointArc((30.5, 4.5), (29, 3)).lineTo(19, 3)
    )
    ring = profile.threePointArc((17.5, 4.5), (16, 3)).close().revolve(360, (0, 0, 0), (0, 1, 0))
    found = features_of(parts.solid(ring))
    (groove,) = of_type(found, "groove")
    assert (groove.depth, groove.width) == near(1.5, 10)
    assert not of_type(found, "pocket")


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
def test_the_dome_of_a_pin_is_no_fillet(seed: int) -> None:
    pin = top().circle(8).extrude(12)
    dome = cq.Workplane(obj=cq.Solid.makeSphere(8, cq.Vector(0, 0, HEIGHT / 2 + 12), angleDegrees1=0))
    assert of_type(features_of(Pose(seed).shape(pin.union(dome))), "fillet") == []


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
def test_the_arc_of_a_lug_is_no_fillet_but_what_fills_its_foot_is(seed: int) -> None:
    plate = cq.Workplane().rect(80, 30).extrude(10)
    plate = plate.union(cq.Workplane("XY", origin=(0, 15, 0)).circle(12).extrude(10))
    feet = within((-13, 14, -1), (13, 16, 11))
    plate = plate.edges("|Z").edges(feet).fillet(3)
    found = of_type(features_of(Pose(seed).shape(plate)), "fillet")
    assert {each.radius for each in found} == {3.0}
    assert {each.side for each in found} == {"concave"}


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
def test_a_chamfer_that_a_slot_crosses_keeps_its_legs(seed: int) -> None:
    work = block().edges(">Z and >Y").chamfer(5).cut(cq.Workplane("XY", origin=(0, 0, HEIGHT / 2)).box(20, 200, 4))
    found = of_type(features_of(Pose(seed).shape(work)), "chamfer")
    assert [(*(each.legs or ()), each.angle) for each in found] == [near(5, 5, 45)]


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("broken", ["chamfer", "fillet"])
def test_a_pocket_is_as_deep_as_from_the_face_whatever_breaks_its_rim(seed: int, broken: str) -> None:
    cutter = cq.Workplane("XY", origin=(0, 0, 3)).rect(60, 40).extrude(20).edges("|Z").fillet(6)
    rim = within((-31, -21, HEIGHT / 2 - 0.1), (31, 21, HEIGHT / 2 + 0.1))
    work = getattr(block().cut(cutter).edges(rim), broken)(1.5)
    (pocket,) = of_type(features_of(Pose(seed).shape(work)), "pocket")
    assert (pocket.depth, pocket.width, pocket.length, pocket.radius) == near(12, 40, 60, 6)
    assert pocket.position == pytest.approx(Pose(seed).point(0, 0, HEIGHT / 2), abs=1e-6)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("broken", ["chamfer", "fillet"])
def test_an_obround_opening_with_a_broken_rim_is_a_slot(seed: int, broken: str) -> None:
    rim = within((-20, -6, HEIGHT / 2 - 0.1), (20, 6, HEIGHT / 2 + 0.1))
    work = getattr(top().slot2D(36, 10).cutThruAll().edges(rim), broken)(1.0)
    (slot,) = of_type(features_of(Pose(seed).shape(work)), "slot")
    assert (slot.width, slot.length, slot.depth, slot.radius) == near(10, 36, HEIGHT, 5)
    assert slot.through is True
    if broken == "chamfer":
        legs = [each.legs for each in of_type(features_of(Pose(seed).shape(work)), "chamfer")]
        assert [tuple(each or ()) for each in legs] == [near(1, 1)] * 4


@pytest.mark.requirement("features.protrusions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("broken", ["chamfer", "fillet"])
def test_a_boss_is_as_high_as_its_top_whatever_breaks_its_edge(seed: int, broken: str) -> None:
    work = top().polygon(6, 40).extrude(20)
    work = getattr(work.faces(">Z").edges(), broken)(2.0)
    (boss,) = of_type(features_of(Pose(seed).shape(work)), "boss")
    assert boss.height == pytest.approx(20)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_pocket_in_the_flank_of_a_cradle_is_as_deep_as_from_its_lower_rim(seed: int) -> None:
    cradle = block().cut(cq.Workplane("YZ", origin=(-100, 0, HEIGHT / 2)).circle(12).extrude(200))
    cutter = cq.Workplane("XY", origin=(0, 7, 0)).rect(20, 4).extrude(20)
    (found,) = of_type(features_of(Pose(seed).shape(cradle.cut(cutter))), "pocket")
    # The lower rim is where the wall that is nearer to the axis meets the cradle.
    assert (found.width, found.length, found.depth) == near(4, 20, HEIGHT / 2 - sqrt(12**2 - 5**2))


@pytest.mark.requirement("features.treatments")
def test_a_step_lower_than_roughness_is_no_spotface() -> None:
    marked = top().hole(6).faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).circle(6).cutBlind(-0.00254)
    (hole,) = of_type(features_of(parts.solid(marked)), "hole")
    assert hole.diameter == pytest.approx(6)
    assert (hole.spotface, hole.counterbore) == (None, None)
    assert len(hole.steps or []) == 2


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_pocket_with_broken_corners_is_as_wide_as_its_walls_are_apart(seed: int) -> None:
    outline = [(-40, -20), (-30, -30), (30, -30), (40, -20), (40, 20), (30, 30), (-30, 30), (-40, 20)]
    (pocket,) = of_type(features_of(Pose(seed).shape(top().polyline(outline).close().cutBlind(-12))), "pocket")
    assert (pocket.width, pocket.length, pocket.depth) == near(60, 80, 12)


@pytest.mark.requirement("features.protrusions")
@pytest.mark.parametrize("seed", POSES)
def test_round_bosses_that_have_grown_together_keep_their_diameters(seed: int) -> None:
    work = (
        top()
        .pushPoints([(-5, 0)])
        .circle(11)
        .extrude(8)
        .union(cq.Workplane("XY", origin=(0, 0, HEIGHT / 2)).center(9, 3).circle(8).extrude(8))
    )
    found = of_type(features_of(Pose(seed).shape(work)), "boss")
    assert sorted((each.diameter, each.height) for each in found) == [near(16, 8), near(22, 8)]


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_a_fork_keeps_its_depth_where_a_hole_crosses_its_lugs(seed: int) -> None:
    fork = cq.Workplane().box(60, 40, 40).cut(cq.Workplane().box(100, 16, 30).translate((0, 0, 10)))
    drilled = fork.cut(cq.Workplane("XZ").center(15, 5).circle(5).extrude(100, both=True))
    (slot,) = of_type(features_of(Pose(seed).shape(drilled)), "slot")
    assert (slot.width, slot.length, slot.depth) == near(16, 60, 25)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_two_slots_of_one_depth_that_cross_are_a_pocket(seed: int) -> None:
    work = (
        top()
        .slot2D(60, 10)
        .cutBlind(-6)
        .faces(">Z")
        .workplane(origin=(0, 0, HEIGHT / 2))
        .slot2D(50, 10, 90)
        .cutBlind(-6)
    )
    (cross,) = [each for each in features_of(Pose(seed).shape(work)) if each.type in ("pocket", "slot")]
    assert cross.type == "pocket"
    assert (cross.length, cross.width, cross.depth) == near(60, 50, 6)


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_channels_of_one_depth_that_cross_are_two(seed: int) -> None:
    work = block().cut(cq.Workplane().box(200, 12, 12).translate((0, 0, HEIGHT / 2)))
    work = work.cut(cq.Workplane().box(14, 200, 12).translate((10, 0, HEIGHT / 2)))
    slots = of_type(features_of(Pose(seed).shape(work)), "slot")
    sizes = sorted((each.width or 0.0, each.length or 0.0, each.depth or 0.0) for each in slots)
    assert sizes == [near(12, 120, 6), near(14, 80, 6)]
