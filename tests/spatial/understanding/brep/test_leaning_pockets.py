"""Pockets whose walls lean by more than a draft, and floors with broken corners."""

from __future__ import annotations

from math import radians, tan
from typing import Any

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import HEIGHT, POSES, Pose, block, features_of, near, of_type

TOP = HEIGHT / 2


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("lean", [20.0, 45.0, 55.0, 70.0])
@pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])
def test_a_pocket_has_the_width_of_its_mouth_however_far_its_walls_lean(
    seed: int, lean: float, as_written: Any
) -> None:
    depth = 5.0
    off = 2 * depth * tan(radians(lean))
    tool = cq.Workplane(origin=(0, 0, TOP)).rect(50, 36).workplane(offset=-depth).rect(50 - off, 36 - off).loft()
    (pocket,) = of_type(features_of(as_written(Pose(seed).shape(block().cut(tool)))), "pocket")
    assert (pocket.width, pocket.length, pocket.depth) == near(36.0, 50.0, depth)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
def test_the_broken_corners_of_a_floor_belong_to_its_pocket(seed: int) -> None:
    tool = cq.Workplane(origin=(0, 0, TOP - 10)).rect(50, 36).extrude(11).faces("<Z").edges().chamfer(2)
    (pocket,) = of_type(features_of(Pose(seed).shape(block().cut(tool))), "pocket")
    assert (pocket.width, pocket.length, pocket.depth) == near(36.0, 50.0, 10.0)
    assert len(pocket.faces) == 1 + 4 + 4


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
def test_channels_of_one_depth_cross_as_often_as_they_are_cut(seed: int) -> None:
    """Two along the block, one across it and one across it that ends beyond the first: the island between them is no boss."""
    work = block()
    for y in (-12.0, 10.0):
        work = work.cut(cq.Workplane().box(400, 6, 10).translate((0, y, TOP)))
    work = work.cut(cq.Workplane().box(8, 400, 10).translate((-20, 0, TOP)))
    work = work.cut(cq.Workplane().box(9, 60, 10).translate((15, 12, TOP)))
    found = features_of(Pose(seed).shape(work))
    slots = sorted((slot.width or 0.0, slot.length or 0.0, slot.depth or 0.0) for slot in of_type(found, "slot"))
    expected = [(6.0, 120.0, 5.0), (6.0, 120.0, 5.0), (8.0, 80.0, 5.0), (9.0, 58.0, 5.0)]
    assert slots == [near(*each) for each in expected]
    assert not of_type(found, "boss")
