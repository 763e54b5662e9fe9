"""Features of parts that were made with known ones, in random poses and where they intersect; and what is none."""

from __future__ import annotations

import random
from collections import Counter
from math import pi, radians, tan
from typing import Any

import cadquery as cq
import numpy as np
import pytest
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.gp import gp_Trsf

from spatial.contract.features import Feature
from spatial.models.brep.instances import flatten
from spatial.models.brep.model import measure
from spatial.models.brep.product import Node, Product
from spatial.models.reading import Units
from spatial.understanding.brep.features.recognise import features
from tests.spatial import parts

LENGTH, WIDTH, HEIGHT = 120.0, 80.0, 30.0


def features_of(shape: cq.Shape, scale: float = 1.0) -> list[Feature]:
    flattened = flatten([Node(None, Product("part", shape.wrapped), gp_Trsf())], scale)
    model = measure(flattened, Units(name="millimeter", found="declared"), scale, "step", [])
    meaning = features(model)
    assert not meaning.warnings
    return [Feature.model_validate(row) for row in meaning.structure.get("features", [])]


def near(*values: float) -> Any:
    """Equal to numbers that are the same but for rounding."""
    return tuple(map(pytest.approx, values))


def of_type(found: list[Feature], kind: str) -> list[Feature]:
    return [each for each in found if each.type == kind]


def block() -> cq.Workplane:
    return cq.Workplane().box(LENGTH, WIDTH, HEIGHT)


def top() -> cq.Workplane:
    return block().faces(">Z").workplane()


class Pose:
    """A turn about a random axis and a shift."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.axis = cq.Vector(*(chance.uniform(-1, 1) for _ in range(3))).normalized()
        self.angle = chance.uniform(5, 175)
        self.shift = cq.Vector(*(chance.uniform(-500, 500) for _ in range(3)))

    def shape(self, work: cq.Workplane) -> cq.Shape:
        return parts.solid(work).rotate(cq.Vector(), self.axis, self.angle).translate(self.shift)

    def direction(self, x: float, y: float, z: float) -> tuple[float, ...]:
        turned = cq.Vertex.makeVertex(x, y, z).rotate(cq.Vector(), self.axis, self.angle)
        return turned.toTuple()

    def point(self, x: float, y: float, z: float) -> tuple[float, ...]:
        return tuple(np.add(self.direction(x, y, z), self.shift.toTuple()))


POSES = [1, 2, 3]


@pytest.mark.requirement("features.holes")
@pytest.mark.parametrize("seed", POSES)
def test_holes_of_every_kind_at_random_places(seed: int) -> None:
    chance, pose = random.Random(100 + seed), Pose(seed)
    xs = [-45.0, -15.0, 15.0, 45.0]
    places = [(x + chance.uniform(-3, 3), chance.uniform(-20, 20)) for x in xs]
    sizes = [round(chance.uniform(4, 8), 2) for _ in places]
    through, blind, bored, sunk = zip(places, sizes, strict=True)
    work = top().pushPoints([through[0]]).hole(through[1])
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).pushPoints([blind[0]]).hole(blind[1], 12.5)
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).pushPoints([bored[0]]).cboreHole(bored[1], 14, 6.5)
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).pushPoints([sunk[0]]).cskHole(sunk[1], 17, 90)
    found = {round(each.diameter or 0, 6): each for each in of_type(features_of(pose.shape(work)), "hole")}
    assert set(found) == set(sizes)
    for (x, y), size in zip(places, sizes, strict=True):
        hole = found[size]
        assert hole.through is (size != blind[1])
        if size != through[1]:
            assert hole.axis == pytest.approx(pose.direction(0, 0, -1), abs=1e-9)
            assert hole.position == pytest.approx(pose.point(x, y, HEIGHT / 2), abs=1e-6)
    assert found[blind[1]].depth == pytest.approx(12.5)
    bottom = found[blind[1]].bottom
    assert bottom is not None
    assert bottom.shape == "flat"
    bore, sink = found[bored[1]].counterbore, found[sunk[1]].countersink
    assert bore is not None
    assert (bore.diameter, bore.depth) == near(14, 6.5)
    assert sink is not None
    assert (sink.diameter, sink.angle) == near(17, 90)
    assert sum(len(hole.faces) for hole in found.values()) == 1 + 2 + 3 + 2


@pytest.mark.requirement("features.holes")
@pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])
def test_a_drilled_hole_ends_in_the_cone_of_its_drill(as_written: Any) -> None:
    tip = 4.0 / tan(radians(59))
    profile = [(0, 0), (4, 0), (4, -14), (0, -14 - tip)]
    drill = (
        cq.Workplane("XZ").polyline(profile).close().revolve(360, (0, 0, 0), (0, 1, 0)).translate((9, 5, HEIGHT / 2))
    )
    (hole,) = of_type(features_of(as_written(parts.solid(block().cut(drill)))), "hole")
    assert (hole.diameter, hole.depth) == near(8, 14)
    assert hole.through is False
    assert hole.bottom is not None
    assert hole.bottom.shape == "conical"
    assert hole.bottom.angle == pytest.approx(118)
    assert len(hole.faces) == 2


@pytest.mark.requirement("features.holes")
def test_a_ball_end_mill_leaves_a_spherical_bottom() -> None:
    cutter = (
        cq.Workplane("XY", origin=(0, 0, 5)).circle(6).extrude(40).union(cq.Workplane("XY", origin=(0, 0, 5)).sphere(6))
    )
    (hole,) = of_type(features_of(parts.solid(block().cut(cutter))), "hole")
    assert hole.bottom is not None
    assert hole.bottom.shape == "spherical"
    assert hole.depth == pytest.approx(10)


@pytest.mark.requirement("features.holes")
def test_a_shallow_widening_is_a_spotface_and_a_small_cone_a_chamfer() -> None:
    (faced,) = of_type(features_of(parts.solid(top().cboreHole(10, 22, 0.8))), "hole")
    assert faced.counterbore is None
    assert faced.spotface is not None
    assert (faced.spotface.diameter, faced.spotface.depth) == near(22, 0.8)
    (broken,) = of_type(features_of(parts.solid(top().cskHole(10, 11, 90))), "hole")
    assert broken.countersink is None
    assert broken.chamfer is not None
    assert broken.chamfer.diameter == pytest.approx(11)


@pytest.mark.requirement("features.holes-cut")
@pytest.mark.parametrize("seed", POSES)
def test_a_hole_that_a_slot_cuts_is_one_hole(seed: int) -> None:
    work = top().hole(16).faces(">Z").workplane().rect(LENGTH, 5).cutBlind(-HEIGHT / 2)
    found = features_of(Pose(seed).shape(work))
    (hole,) = of_type(found, "hole")
    assert hole.diameter == pytest.approx(16)
    assert (hole.through, hole.interrupted) == (True, None)
    (slot,) = of_type(found, "slot")
    assert (slot.width, slot.depth, slot.length) == near(5, HEIGHT / 2, LENGTH)


@pytest.mark.requirement("features.holes-cut")
@pytest.mark.parametrize("seed", POSES)
def test_a_hole_through_the_lugs_of_a_fork_says_how_many_walls_it_has(seed: int) -> None:
    fork = cq.Workplane("XY").box(60, 40, 50).cut(cq.Workplane("XY", origin=(0, 0, 5)).box(20, 50, 50))
    drilled = fork.faces(">X").workplane().center(0, 5).hole(12)
    (hole,) = of_type(features_of(Pose(seed).shape(drilled)), "hole")
    assert (hole.through, hole.interrupted, hole.walls) == (True, None, 2)


@pytest.mark.requirement("features.holes-cut")
def test_a_hole_that_is_slit_along_its_length_is_interrupted() -> None:
    work = top().hole(16).faces(">Z").workplane().center(30, 0).rect(60, 3).cutThruAll()
    (hole,) = of_type(features_of(parts.solid(work)), "hole")
    assert hole.diameter == pytest.approx(16)
    assert (hole.through, hole.interrupted) == (True, True)


@pytest.mark.requirement("features.holes-cut")
@pytest.mark.parametrize("drill", [8.0, 16.0])
def test_crossing_holes_are_two(drill: float) -> None:
    work = top().hole(16)
    work = work.cut(cq.Workplane("YZ").circle(drill / 2).extrude(LENGTH, both=True))
    found = of_type(features_of(parts.solid(work)), "hole")
    assert sorted(round(hole.diameter or 0, 6) for hole in found) == sorted([16.0, drill])
    assert all(hole.through for hole in found)


@pytest.mark.requirement("features.holes-cut")
def test_walls_in_two_halves_are_one_hole() -> None:
    half = cq.Workplane().rect(40, 20).extrude(10).translate((0, 10, 0)).cut(cq.Workplane().circle(5).extrude(10))
    (hole,) = of_type(features_of(parts.solid(half.union(half.mirror("XZ"), clean=False))), "hole")
    assert len(hole.faces) == 2
    assert hole.diameter == pytest.approx(10)


@pytest.mark.requirement("features.no-holes")
@pytest.mark.parametrize(
    "work",
    [
        block().edges("|Z").fillet(12),
        top().circle(10).extrude(15),
        top().rect(60, 40).cutBlind(-10),
        cq.Workplane().circle(20).extrude(50),
        top().slot2D(40, 12).cutThruAll(),
        block().cut(cq.Workplane("YZ", origin=(-60, 0, 15)).circle(8).extrude(LENGTH)),
    ],
    ids=["rounded corners", "pin", "pocket", "rod", "slot", "half round groove"],
)
def test_what_is_no_hole(work: cq.Workplane) -> None:
    assert of_type(features_of(parts.solid(work)), "hole") == []


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
def test_rounded_edges_and_filled_corners(seed: int) -> None:
    pocket = cq.Workplane("XY", origin=(0, 0, 5)).rect(60, 40).extrude(20).edges("|Z").fillet(7)
    work = block().edges("|Z").fillet(5).cut(pocket)
    found = Counter((each.radius, each.side) for each in of_type(features_of(Pose(seed).shape(work)), "fillet"))
    assert found == {(5.0, "convex"): 4, (7.0, "concave"): 4}


@pytest.mark.requirement("features.blends")
def test_a_fillet_all_round_is_one() -> None:
    (fillet,) = of_type(features_of(parts.solid(block().edges().fillet(4))), "fillet")
    assert fillet.radius == pytest.approx(4)
    assert len(fillet.faces) == 12 + 8


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
def test_chamfers_have_their_legs_and_angle(seed: int) -> None:
    work = block().edges(">Z and |X").chamfer(2, 5)
    found = of_type(features_of(Pose(seed).shape(work)), "chamfer")
    assert len(found) == 2
    for chamfer in found:
        assert sorted(chamfer.legs or []) == [pytest.approx(2), pytest.approx(5)]
        assert chamfer.length == pytest.approx(LENGTH)
    shaft = cq.Workplane().circle(10).extrude(40).edges(">Z").chamfer(1.5)
    (end,) = of_type(features_of(parts.solid(shaft)), "chamfer")
    assert (*(end.legs or []), end.angle) == near(1.5, 1.5, 45)


@pytest.mark.requirement("features.blends")
def test_a_cone_in_two_halves_is_one_chamfer() -> None:
    shaft = cq.Workplane().circle(10).extrude(40).edges(">Z").chamfer(1.5).edges("<Z").chamfer(1.5)
    half = shaft.intersect(cq.Workplane().rect(60, 60).extrude(60).translate((0, 30, 0)))
    found = of_type(features_of(parts.solid(half.union(half.mirror("XZ"), clean=False))), "chamfer")
    assert [len(chamfer.faces) for chamfer in found] == [2, 2]
    assert tuple(chamfer.diameter for chamfer in found) == near(20, 20)


@pytest.mark.requirement("features.blends")
def test_a_sloping_side_is_no_chamfer() -> None:
    wedge = cq.Workplane("XZ").polyline([(0, 0), (60, 0), (25, 30), (0, 30)]).close().extrude(40)
    assert of_type(features_of(parts.solid(wedge)), "chamfer") == []


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_pockets_and_slots(seed: int) -> None:
    chance = random.Random(seed)
    depth, width, length = (round(chance.uniform(low, high), 2) for low, high in ((5, 12), (14, 20), (26, 34)))
    work = top().center(-35, 0).rect(length, width).cutBlind(-depth)
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).center(15, 15).slot2D(36, 9).cutBlind(-6)
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).center(15, -15).slot2D(30, 8).cutThruAll()
    work = work.faces(">Z").workplane(origin=(0, 0, HEIGHT / 2)).center(50, 0).rect(10, 20).cutThruAll()
    found = features_of(Pose(seed).shape(work))
    assert not of_type(found, "hole")
    pockets = {each.through: each for each in of_type(found, "pocket")}
    closed, opening = pockets[False], pockets[True]
    assert (closed.depth, closed.width, closed.length) == near(depth, width, length)
    assert (opening.width, opening.length, opening.depth) == near(10, 20, HEIGHT)
    slots = {each.through: each for each in of_type(found, "slot")}
    assert (slots[False].width, slots[False].length, slots[False].depth) == near(9, 36, 6)
    assert (slots[True].width, slots[True].length, slots[True].radius) == near(8, 30, 4)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize(
    ("cutter", "depth", "diameter"),
    [
        (cq.Solid.makeSphere(8, cq.Vector(0, 0, HEIGHT / 2), angleDegrees1=-90), 8, 16),
        (cq.Solid.makeSphere(10, cq.Vector(0, 0, HEIGHT / 2 + 6), angleDegrees1=-90), 4, 16),
        (cq.Solid.makeCone(0, 6, 5, cq.Vector(0, 0, HEIGHT / 2 - 5)), 5, 12),
    ],
    ids=["half a ball", "less than half a ball", "point of a drill"],
)
def test_a_dimple_does_not_go_through(cutter: cq.Solid, depth: float, diameter: float) -> None:
    (dimple,) = features_of(parts.solid(block().cut(cq.Workplane(cutter))))
    assert (dimple.type, dimple.through) == ("pocket", False)
    assert (dimple.depth, dimple.diameter) == near(depth, diameter)
    assert (dimple.width, dimple.length) == (None, None)
    assert dimple.bottom is not None


@pytest.mark.requirement("features.depressions")
def test_a_pocket_with_rounded_corners_and_floor_keeps_its_size() -> None:
    cutter = (
        cq.Workplane("XY", origin=(0, 0, 3))
        .rect(60, 40)
        .extrude(20)
        .edges("|Z")
        .fillet(6)
        .faces("<Z")
        .edges()
        .fillet(2)
    )
    found = features_of(parts.solid(block().cut(cutter)))
    (pocket,) = of_type(found, "pocket")
    assert (pocket.depth, pocket.width, pocket.length) == near(12, 40, 60)
    assert pocket.radius == pytest.approx(6)
    assert Counter(each.radius for each in of_type(found, "fillet")) == {6.0: 4, 2.0: 1}


@pytest.mark.requirement("features.protrusions")
@pytest.mark.parametrize("seed", POSES)
def test_bosses_and_ribs(seed: int) -> None:
    work = top().center(-30, 0).circle(9).extrude(12)
    work = work.faces(">Z[1]").workplane(origin=(0, 0, HEIGHT / 2)).center(25, 15).rect(50, 4).extrude(14)
    found = features_of(Pose(seed).shape(work))
    (boss,) = of_type(found, "boss")
    assert (boss.diameter, boss.height) == near(18, 12)
    (rib,) = of_type(found, "rib")
    assert (rib.thickness, rib.length, rib.height) == near(4, 50, 14)


@pytest.mark.requirement("features.turned")
@pytest.mark.parametrize("seed", POSES)
def test_a_shaft_has_its_steps_and_grooves(seed: int) -> None:
    profile = [
        (0, 0),
        (10, 0),
        (10, 30),
        (15, 30),
        (15, 45),
        (12, 45),
        (12, 49),
        (15, 49),
        (15, 70),
        (8, 70),
        (8, 100),
        (0, 100),
    ]
    shaft = cq.Workplane("XZ").polyline(profile).close().revolve(360, (0, 0, 0), (0, 1, 0))
    (part,) = of_type(features_of(Pose(seed).shape(shaft)), "turned")
    assert (part.length, part.diameter) == near(100, 30)
    steps = [(round(step.diameter, 6), round(step.end - step.begin, 6)) for step in part.steps or []]
    assert steps in (
        [(20, 30), (30, 15), (24, 4), (30, 21), (16, 30)],
        [(16, 30), (30, 21), (24, 4), (30, 15), (20, 30)],
    )
    (groove,) = part.grooves or []
    assert groove.diameter == pytest.approx(24)
    assert of_type(features_of(parts.solid(block())), "turned") == []


def fillet_nearest(work: cq.Workplane, point: tuple[float, float, float], radius: float) -> cq.Workplane:
    """The edge whose middle is at a point, rounded."""
    solid = parts.solid(work)
    edge = min(solid.Edges(), key=lambda each: (each.Center() - cq.Vector(*point)).Length)
    (rounded,) = solid.fillet(radius, [edge]).Solids()
    return cq.Workplane(rounded)


@pytest.mark.requirement("features.sheet")
@pytest.mark.parametrize("seed", POSES)
def test_a_bent_sheet_has_its_thickness_and_bends(seed: int) -> None:
    outer = cq.Workplane("XZ").polyline([(0, 0), (60, 0), (60, 40), (58, 40), (58, 2), (0, 2)]).close().extrude(50)
    inner = fillet_nearest(outer, (58, -25, 2), 3)
    bracket = fillet_nearest(inner, (60, -25, 0), 5)
    (sheet,) = of_type(features_of(Pose(seed).shape(bracket)), "sheet_metal")
    assert sheet.thickness == pytest.approx(2)
    (bend,) = sheet.bends or []
    assert (bend.inner_radius, bend.angle, bend.length) == near(3, 90, 50)
    flat = (55 + 35 + pi / 2 * 4) * 50
    assert sheet.flat_area == pytest.approx(flat, rel=1e-9)


@pytest.mark.requirement("features.patterns")
@pytest.mark.parametrize("seed", POSES)
def test_bolt_circles_grids_and_rows(seed: int) -> None:
    pose = Pose(seed)
    circle = top().polarArray(25, 17, 360, 6).hole(5)
    (pattern,) = of_type(features_of(pose.shape(circle)), "pattern")
    assert (pattern.pattern, pattern.count) == ("circle", 6)
    assert (pattern.step_angle, pattern.diameter) == near(60, 50)
    grid = top().rarray(20, 15, 4, 3).hole(5)
    (pattern,) = of_type(features_of(pose.shape(grid)), "pattern")
    assert (pattern.pattern, pattern.count) == ("grid", 12)
    assert pattern.pitches == pytest.approx([15, 20])
    assert pattern.counts == [3, 4]
    for found_way, way in zip(
        pattern.directions or [], (pose.direction(0, 1, 0), pose.direction(1, 0, 0)), strict=True
    ):
        assert abs(sum(a * b for a, b in zip(found_way, way, strict=True))) == pytest.approx(1)
    row = top().rarray(18, 1, 5, 1).hole(5)
    found = features_of(pose.shape(row))
    (pattern,) = of_type(found, "pattern")
    assert (pattern.pattern, pattern.count) == ("line", 5)
    assert pattern.pitch == pytest.approx(18)
    assert pattern.members == [each.id for each in of_type(found, "hole")]


@pytest.mark.requirement("features.patterns")
@pytest.mark.parametrize("seed", POSES)
def test_patterns_of_slots_and_bosses(seed: int) -> None:
    pose = Pose(seed)
    around = top().polarArray(25, 0, 360, 5).slot2D(12, 5).cutBlind(-6)
    found = features_of(pose.shape(around))
    (pattern,) = of_type(found, "pattern")
    assert (pattern.pattern, pattern.count) == ("circle", 5)
    assert pattern.diameter == pytest.approx(50)
    assert pattern.members == [each.id for each in of_type(found, "slot")]
    pins = top().rarray(20, 15, 4, 3).circle(3).extrude(4)
    (pattern,) = of_type(features_of(pose.shape(pins)), "pattern")
    assert (pattern.pattern, pattern.count, sorted(pattern.pitches or [])) == ("grid", 12, list(near(15, 20)))


@pytest.mark.requirement("features.patterns")
@pytest.mark.parametrize("seed", POSES)
def test_equal_features_on_both_sides_of_the_middle_are_mirrored(seed: int) -> None:
    pose = Pose(seed)
    pair = top().pushPoints([(-30, 10), (30, 10)]).hole(5, 12)
    found = features_of(pose.shape(pair))
    (pattern,) = of_type(found, "pattern")
    assert (pattern.pattern, pattern.count) == ("mirror", 2)
    middle = [np.array(each.position) for each in of_type(found, "hole")]
    assert np.array(pattern.position) == pytest.approx((middle[0] + middle[1]) / 2, abs=1e-6)
    assert abs(float(np.array(pattern.axis) @ (middle[1] - middle[0]))) == pytest.approx(60)
    for places in ([(-30, 10), (25, 10)], [(-30, 10), (30, 15)]):
        assert of_type(features_of(pose.shape(top().pushPoints(places).hole(5, 12))), "pattern") == []
    sizes = top().pushPoints([(-30, 10)]).hole(5, 12).faces(">Z").workplane(origin=(0, 0, 0)).pushPoints([(30, 10)])
    assert of_type(features_of(pose.shape(sizes.hole(5, 14))), "pattern") == []


@pytest.mark.requirement("features.blends")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize(("ends", "expected"), [((3.0, 8.0), (3.0, 8.0)), ((4.0, 4.0), (4.0, None))])
def test_the_radius_of_a_fillet_may_vary(seed: int, ends: tuple[float, float], expected: tuple[Any, Any]) -> None:
    body = block()
    edge: Any = body.edges("|Y and >X and >Z").val()
    solid: Any = body.val()
    made = BRepFilletAPI_MakeFillet(solid.wrapped)
    made.Add(*ends, edge.wrapped)
    (fillet,) = of_type(features_of(Pose(seed).shape(cq.Workplane(cq.Shape(made.Shape())))), "fillet")
    assert fillet.side == "convex"
    assert fillet.radius == pytest.approx(expected[0], rel=1e-6)
    assert fillet.radius_max == (None if expected[1] is None else pytest.approx(expected[1], rel=1e-6))


@pytest.mark.requirement("features.blends")
def test_a_fillet_along_a_curve_that_is_no_circle_has_its_radius() -> None:
    outline = cq.Workplane().lineTo(60, 0).lineTo(60, 30).spline([(40, 45), (20, 25), (0, 30)], includeCurrent=True)
    solid = outline.close().extrude(15)
    (edge,) = solid.faces(">Z").edges("%BSPLINE").vals()
    rounded: Any = solid.newObject([edge]).fillet(3).val()
    found = features_of(rounded)
    (fillet,) = of_type(found, "fillet")
    assert fillet.radius == pytest.approx(3, rel=1e-4)
    assert (fillet.radius_max, fillet.side) == (None, "convex")


@pytest.mark.requirement("features.document")
def test_features_are_in_the_units_of_the_document_and_once_per_definition() -> None:
    plate = Product("plate", parts.solid(top().hole(12.7)).wrapped)
    pair = Product("pair", nodes=[Node("left", plate, gp_Trsf()), Node("right", plate, gp_Trsf())])
    flattened = flatten([Node(None, pair, gp_Trsf())], 1 / 25.4)
    model = measure(flattened, Units(name="inch", found="declared"), 1 / 25.4, "step", [])
    (row,) = features(model).structure["features"]
    hole = Feature.model_validate(row)
    assert hole.diameter == pytest.approx(0.5)
    assert hole.solids == ["solid-1", "solid-2"]
    faces = {face.id: face for face in (model.reading.structure.solids or [])[1].faces}
    assert [faces[name].type for name in hole.faces] == ["cylinder"]


@pytest.mark.requirement("features.document")
def test_an_inside_out_body_has_the_same_features() -> None:
    shape = parts.solid(top().cboreHole(8, 14, 5))
    turned = cq.Shape(shape.wrapped.Reversed())
    assert [each.model_dump() for each in features_of(turned)] == [each.model_dump() for each in features_of(shape)]
