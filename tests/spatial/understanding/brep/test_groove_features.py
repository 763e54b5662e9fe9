"""Grooves in faces: rings of seals, round and not, with flat and round floors, and what is none."""

from __future__ import annotations

from math import sqrt

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import HEIGHT, POSES, Pose, block, features_of, near, of_type

TOP = cq.Workplane("XY", origin=(10, 5, HEIGHT / 2))


def ring(inner: float, outer: float, depth: float) -> cq.Workplane:
    return TOP.circle(outer / 2).circle(inner / 2).extrude(-depth)


@pytest.mark.requirement("features.grooves")
@pytest.mark.parametrize("seed", POSES)
def test_a_ring_in_a_face_is_one_groove(seed: int) -> None:
    (groove,) = features_of(Pose(seed).shape(block().cut(ring(30, 36, 2.5))))
    assert groove.type == "groove"
    assert (groove.inner_diameter, groove.outer_diameter, groove.width, groove.depth) == near(30, 36, 3, 2.5)
    assert groove.axis == pytest.approx(Pose(seed).direction(0, 0, -1), abs=1e-9)
    assert groove.position == pytest.approx(Pose(seed).point(10, 5, HEIGHT / 2), abs=1e-6)


@pytest.mark.requirement("features.grooves")
@pytest.mark.parametrize("seed", POSES)
def test_a_hole_in_the_middle_of_a_groove_is_a_hole(seed: int) -> None:
    drill = cq.Workplane("XY", origin=(10, 5, -50)).circle(6).extrude(100)
    found = features_of(Pose(seed).shape(block().cut(ring(30, 36, 2.5)).cut(drill)))
    assert sorted(each.type for each in found) == ["groove", "hole"]
    (hole,) = of_type(found, "hole")
    assert hole.diameter == pytest.approx(12)
    assert hole.steps is None


@pytest.mark.requirement("features.grooves")
@pytest.mark.parametrize("seed", POSES)
def test_a_groove_along_a_racetrack_has_its_width(seed: int) -> None:
    cutter = TOP.slot2D(66, 36).extrude(-3).cut(TOP.slot2D(60, 30).extrude(-3))
    (groove,) = features_of(Pose(seed).shape(block().cut(cutter)))
    assert (groove.type, groove.inner_diameter) == ("groove", None)
    assert (groove.width, groove.depth) == near(3, 3)


@pytest.mark.requirement("features.grooves")
@pytest.mark.parametrize("seed", POSES)
def test_a_groove_with_a_round_floor(seed: int) -> None:
    torus = cq.Solid.makeTorus(15, 2, cq.Vector(10, 5, HEIGHT / 2 + 0.5))
    (groove,) = features_of(Pose(seed).shape(block().cut(cq.Workplane(obj=torus))))
    half = sqrt(2**2 - 0.5**2)
    assert groove.type == "groove"
    assert (groove.inner_diameter, groove.outer_diameter) == near(30 - 2 * half, 30 + 2 * half)
    assert (groove.depth, groove.radius) == near(1.5, 2)


@pytest.mark.requirement("features.grooves")
def test_a_pin_lower_than_its_hole_is_no_groove() -> None:
    found = features_of(parts.solid(block().cut(ring(30, 36, 8)).cut(TOP.circle(18).extrude(-3))))
    assert sorted(each.type for each in found) == ["boss", "hole"]


@pytest.mark.requirement("features.grooves")
def test_a_pocket_with_an_island_is_no_groove() -> None:
    cutter = TOP.rect(60, 40).extrude(-3).cut(TOP.rect(20, 30).extrude(-3))
    found = features_of(parts.solid(block().cut(cutter)))
    assert sorted(each.type for each in found) == ["boss", "pocket"]
