"""Patterns among other features of one kind and size."""

from __future__ import annotations

import random
from math import pi

import numpy as np
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import POSES, Pose, features_of, of_type, top


@pytest.mark.requirement("features.patterns")
@pytest.mark.parametrize("seed", POSES)
def test_bolt_circles_are_found_beside_other_holes_of_their_size(seed: int) -> None:
    chance = random.Random(seed)
    points = [(3.0, 33.0)]
    for (x, y), radius, count in (((-30, 0), 12, 6), ((28, 4), 15, 5)):
        turns = chance.uniform(0, 2 * pi) + 2 * pi * np.arange(count) / count
        points += [(x + radius * float(np.cos(turn)), y + radius * float(np.sin(turn))) for turn in turns]
    found = features_of(Pose(seed).shape(top().pushPoints(points).hole(4)))
    circles = [each for each in of_type(found, "pattern") if each.pattern == "circle"]
    sizes = sorted((each.count or 0, each.diameter or 0.0) for each in circles)
    assert [count for count, _ in sizes] == [5, 6]
    assert [diameter for _, diameter in sizes] == pytest.approx([30, 24])


@pytest.mark.requirement("features.patterns")
def test_the_squares_of_a_grid_with_a_hole_too_many_are_no_circles() -> None:
    points = [(x, y) for x in (-30.0, -10.0, 10.0) for y in (-20.0, 0.0, 20.0)]
    found = features_of(parts.solid(top().pushPoints([*points, (40.0, 7.0)]).hole(4)))
    assert not [each for each in of_type(found, "pattern") if each.pattern == "circle"]


@pytest.mark.requirement("features.patterns")
@pytest.mark.parametrize("seed", POSES)
def test_a_bolt_circle_stays_one_where_a_slot_has_lowered_the_mouth_of_a_hole(seed: int) -> None:
    work = top().polarArray(25, 10, 360, 8).hole(5).faces(">Z").workplane().center(3, 0).rect(8, 60).cutBlind(-4)
    for shape in (
        Pose(seed).shape(work),
        parts.as_splines(Pose(seed).shape(work)),
        Pose(seed).shape(work).mirror("XZ"),
    ):
        (pattern,) = of_type(features_of(shape), "pattern")
        assert (pattern.pattern, pattern.count) == ("circle", 8)
        assert pattern.diameter == pytest.approx(50)
