"""Grooves of turned parts of every section, and V-grooves along shafts."""

from __future__ import annotations

from math import radians, sqrt, tan
from typing import Any

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import POSES, Pose, features_of, near, of_type

WRITTEN = pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])


@pytest.mark.requirement("features.turned")
@pytest.mark.parametrize("seed", POSES)
@WRITTEN
def test_grooves_are_pointed_round_or_have_a_floor_between_walls_that_lean(seed: int, as_written: Any) -> None:
    """A shaft of 40 mm with a V of 90 degrees, a trapezoid, a round and a rectangular groove."""
    points = [(0, 0), (20, 0), (20, 10), (17, 13), (20, 16), (20, 20), (18, 22), (18, 25), (20, 27), (20, 40)]
    work = cq.Workplane("XZ").polyline(points).threePointArc((17, 43), (20, 46)).lineTo(20, 60).lineTo(16, 60)
    work = work.lineTo(16, 64).lineTo(20, 64).lineTo(20, 80).lineTo(0, 80).close().revolve(360, (0, 0, 0), (0, 1, 0))
    (part,) = of_type(features_of(as_written(Pose(seed).shape(work))), "turned")
    found = sorted((groove.begin, groove.end, groove.diameter) for groove in part.grooves or [])
    made = [(10.0, 16.0, 34.0), (22.0, 25.0, 36.0), (40.0, 46.0, 34.0), (60.0, 64.0, 32.0)]
    turned_round = sorted((80.0 - end, 80.0 - begin, diameter) for begin, end, diameter in made)
    assert any(
        all(row == near(*each) for row, each in zip(found, expected, strict=True)) for expected in (made, turned_round)
    )


@pytest.mark.requirement("features.turned")
def test_steps_and_undercuts_that_rise_on_one_side_alone_are_no_grooves() -> None:
    points = [(0, 0), (10, 0), (10, 20), (15, 25), (15, 40), (12, 40), (12, 60), (0, 60)]
    work = cq.Workplane("XZ").polyline(points).close().revolve(360, (0, 0, 0), (0, 1, 0))
    (part,) = of_type(features_of(parts.solid(work)), "turned")
    assert not part.grooves


@pytest.mark.requirement("features.channels")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("angle", [60.0, 90.0, 120.0])
@WRITTEN
def test_a_v_groove_along_a_shaft_is_as_deep_as_its_crown_is_high(seed: int, angle: float, as_written: Any) -> None:
    radius, deep, slope = 15.0, 4.0, tan(radians(angle) / 2)
    profile = [(0, radius - deep), (10 * slope, radius - deep + 10), (-10 * slope, radius - deep + 10)]
    cutter = cq.Workplane("YZ").polyline(profile).close().extrude(50).translate((15, 0, 0))
    shaft = cq.Workplane("YZ").circle(radius).extrude(80).cut(cutter)
    (slot,) = of_type(features_of(as_written(Pose(seed).shape(shaft))), "slot")
    # Where a flank y = slope * (z - root) meets y^2 + z^2 = radius^2.
    root, a = radius - deep, 1 + slope**2
    up = (slope**2 * root + sqrt(slope**4 * root**2 - a * (slope**2 * root**2 - radius**2))) / a
    assert (slot.width, slot.length, slot.depth, slot.angle) == near(2 * slope * (up - root), 50.0, deep, angle)
