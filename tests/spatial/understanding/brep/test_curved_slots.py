"""Slots along an arc, and islands within pockets: walls about one axis that no drill made."""

from __future__ import annotations

from math import cos, pi, radians, sin
from typing import Any

import cadquery as cq
import pytest

from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import HEIGHT, POSES, Pose, block, features_of, near, of_type

TOP = HEIGHT / 2


def curved(radius: float, width: float, angle: float, depth: float) -> cq.Workplane:
    """What cuts a slot about the origin from the top of the block, begun at 20 degrees."""

    def at(away: float, part: float) -> tuple[float, float]:
        turn = radians(20.0 + part * angle)
        return away * cos(turn), away * sin(turn)

    inner, outer = radius - width / 2, radius + width / 2
    work = cq.Workplane(origin=(0, 0, TOP - depth)).moveTo(*at(inner, 0)).threePointArc(at(inner, 0.5), at(inner, 1))
    middle = at(radius, 1)
    tip = radians(20.0 + angle) + pi / 2
    work = work.threePointArc((middle[0] + width / 2 * cos(tip), middle[1] + width / 2 * sin(tip)), at(outer, 1))
    work = work.threePointArc(at(outer, 0.5), at(outer, 0))
    middle, tip = at(radius, 0), radians(20.0) - pi / 2
    work = work.threePointArc((middle[0] + width / 2 * cos(tip), middle[1] + width / 2 * sin(tip)), at(inner, 0))
    return work.close().extrude(depth + 1)


@pytest.mark.requirement("features.depressions")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("angle", [60.0, 120.0, 210.0, 300.0])
@pytest.mark.parametrize("as_written", [lambda shape: shape, parts.as_splines], ids=["analytic", "splines"])
def test_a_slot_along_an_arc_about_a_hole_is_no_counterbore(seed: int, angle: float, as_written: Any) -> None:
    depth = HEIGHT if seed == 1 else 5.0
    work = block().faces(">Z").workplane().hole(8.0).cut(curved(18.0, 6.0, angle, depth))
    found = features_of(as_written(Pose(seed).shape(work)))
    (slot,) = of_type(found, "slot")
    assert (slot.width, slot.radius, slot.depth) == near(6.0, 3.0, depth)
    assert slot.length == pytest.approx(18.0 * radians(angle) + 6.0)
    assert slot.arc is not None and (slot.arc.radius, slot.arc.angle) == near(18.0, angle)
    assert slot.through is (seed == 1)
    (hole,) = of_type(found, "hole")
    assert hole.diameter == pytest.approx(8.0)
    assert hole.counterbore is None
    assert not of_type(found, "pocket")


@pytest.mark.requirement("features.no-holes")
@pytest.mark.parametrize("seed", POSES)
def test_a_hole_in_a_lower_island_has_no_counterbore_of_the_pocket_around_it(seed: int) -> None:
    """A round pocket of 30 mm, 8 deep, with an island of 16 mm that ends 3 below the mouth and has a hole through it."""
    pocket = cq.Workplane(origin=(0, 0, TOP - 8)).circle(15).circle(8).extrude(9)
    lowered = cq.Workplane(origin=(0, 0, TOP - 3)).circle(15).extrude(4)
    work = block().cut(pocket).cut(lowered).cut(cq.Workplane(origin=(0, 0, -HEIGHT)).circle(3).extrude(3 * HEIGHT))
    found = features_of(Pose(seed).shape(work))
    (hole,) = [each for each in of_type(found, "hole") if each.diameter == pytest.approx(6.0)]
    assert hole.counterbore is None and hole.steps is None
