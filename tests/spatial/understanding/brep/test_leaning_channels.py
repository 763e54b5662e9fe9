"""Dovetails, V-grooves and channels with sloping sides, of parts made with known ones."""

from __future__ import annotations

import random
from math import radians, tan

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_depression_sizes import within
from tests.spatial.understanding.brep.test_features import (
    HEIGHT,
    LENGTH,
    POSES,
    Pose,
    block,
    features_of,
    near,
    of_type,
)

MOUTH = HEIGHT / 2


def cut(outline: list[tuple[float, float]], begin: float = -LENGTH, length: float = 2 * LENGTH) -> cq.Workplane:
    """The block without an outline of y and z, swept along x."""
    return block().cut(cq.Workplane("YZ", origin=(begin, 0, 0)).polyline(outline).close().extrude(length))


def mirrored(half: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [*half, *((-y, z) for y, z in reversed(half))]


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("length", [2 * LENGTH, LENGTH + 20], ids=["through", "with an end"])
def test_a_dovetail_has_its_mouth_its_floor_and_the_angle_of_its_flanks(seed: int, length: float) -> None:
    chance = random.Random(seed)
    mouth, deep, angle = (
        round(chance.uniform(8, 16), 2),
        round(chance.uniform(5, 10), 2),
        chance.choice([45.0, 55.0, 60.0]),
    )
    floor = mouth + 2 * deep / tan(radians(angle))
    half = [(mouth / 2, MOUTH + 1), (mouth / 2, MOUTH), (floor / 2, MOUTH - deep)]
    found = features_of(Pose(seed).shape(cut(mirrored(half), length=length)))
    (slot,) = of_type(found, "slot")
    reach = min(LENGTH, length - LENGTH / 2)
    assert (slot.width, slot.length, slot.depth) == near(mouth, reach, deep)
    assert slot.undercut is not None
    assert (slot.undercut.width, slot.undercut.depth, slot.undercut.angle) == near(floor, deep, angle)
    assert len(found) == 1


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("angle", [17.0, 60.0, 90.0, 120.0])
def test_a_v_groove_has_its_width_depth_and_angle(seed: int, angle: float) -> None:
    deep = round(random.Random(seed).uniform(4, 12), 2)
    half = deep * tan(radians(angle) / 2)
    found = features_of(
        Pose(seed).shape(cut([(half, MOUTH + 1), (half, MOUTH), (0, MOUTH - deep), (-half, MOUTH), (-half, MOUTH + 1)]))
    )
    (slot,) = of_type(found, "slot")
    assert (slot.width, slot.length, slot.depth, slot.angle) == near(2 * half, LENGTH, deep, angle)
    assert (slot.undercut, slot.floor_radius) == (None, None)


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_a_v_groove_with_a_rounded_root_keeps_its_angle(seed: int) -> None:
    groove = cut([(10, MOUTH), (0, MOUTH - 10), (-10, MOUTH), (0, MOUTH + 5)])
    root = within((-LENGTH, -0.1, MOUTH - 10.1), (LENGTH, 0.1, MOUTH - 9.9))
    found = features_of(Pose(seed).shape(groove.edges(root).fillet(2)))
    (slot,) = of_type(found, "slot")
    depth = 10 - 2 * (2**0.5 - 1)
    assert (slot.width, slot.depth, slot.angle, slot.floor_radius) == near(20, depth, 90, 2)


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_a_channel_with_sloping_sides_has_two_widths(seed: int) -> None:
    work = cut(mirrored([(12, MOUTH + 1), (12, MOUTH), (6, MOUTH - 8)]))
    found = features_of(Pose(seed).shape(work.faces(">Z").workplane(origin=(20, 0, 0)).hole(7)))
    (slot,) = of_type(found, "slot")
    assert (slot.width, slot.floor_width, slot.depth, slot.length) == near(24, 12, 8, LENGTH)
    assert len(of_type(found, "hole")) == 1


@pytest.mark.requirement("features.channels")
def test_the_corner_of_an_angle_section_is_no_groove() -> None:
    outline = [(0, 0), (40, 0), (40, 5), (5, 5), (5, 60), (0, 60)]
    assert not of_type(features_of(parts.solid(cq.Workplane("YZ").polyline(outline).close().extrude(100))), "slot")
