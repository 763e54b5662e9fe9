"""Ribs and bosses of parts that were made with known ones: with filled feet, gussets, draft, rounded ends, and where they cross."""

from __future__ import annotations

import random
from typing import Any

import cadquery as cq
import pytest

from examples import make_bracket
from spatial.contract.features import Feature
from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import HEIGHT, POSES, Pose, features_of, near, of_type, top

pytestmark = pytest.mark.requirement("features.protrusions")


def on_top(x: float = 0.0, y: float = 0.0) -> cq.Workplane:
    return cq.Workplane("XY", origin=(x, y, HEIGHT / 2))


def sizes(rib: Feature) -> tuple[Any, Any, Any]:
    return rib.thickness, rib.length, rib.height


def at_foot(work: cq.Workplane) -> Any:
    """The concave edges in the plane that all stands on."""
    return [edge for edge in parts.solid(work).Edges() if abs(edge.Center().z - HEIGHT / 2) < 1e-6 and not _outer(edge)]


def _outer(edge: cq.Edge) -> bool:
    box = edge.BoundingBox()
    return abs(box.xmin) >= 60 - 1e-6 or abs(box.xmax) >= 60 - 1e-6 or abs(box.ymin) >= 40 - 1e-6


def filled(work: cq.Workplane, radius: float, edges: Any = None) -> cq.Workplane:
    (solid,) = parts.solid(work).fillet(radius, at_foot(work) if edges is None else edges).Solids()
    return cq.Workplane(solid)


@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("ends", ["flat", "round"])
@pytest.mark.parametrize("fillet", [0.0, 2.5])
@pytest.mark.parametrize("draft", [0.0, 2.0])
def test_a_rib_has_the_thickness_and_length_of_its_foot(seed: int, ends: str, fillet: float, draft: float) -> None:
    chance = random.Random(f"{seed}{ends}{fillet}{draft}")
    thickness, length, height = (round(chance.uniform(*span), 2) for span in ((3, 6), (35, 60), (14, 25)))
    plan = on_top(chance.uniform(-10, 10), chance.uniform(-10, 10))
    plan = plan.rect(length, thickness) if ends == "flat" else plan.slot2D(length, thickness)
    work = top().union(plan.extrude(height, taper=draft))
    found = features_of(Pose(seed).shape(filled(work, fillet) if fillet else work))
    (rib,) = of_type(found, "rib")
    assert sizes(rib) == near(thickness, length, height)
    assert of_type(found, "boss") == []


@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("fillet", [0.0, 2.0])
def test_gussets_are_ribs_of_their_own(seed: int, fillet: float) -> None:
    upright = on_top().rect(60, 12).extrude(40)
    gusset = (
        cq.Workplane("XZ", origin=(0, 3, 0))
        .polyline([(29, HEIGHT / 2), (45, HEIGHT / 2), (30, HEIGHT / 2 + 24), (29, HEIGHT / 2 + 24)])
        .close()
        .extrude(6)
    )
    work = top().union(upright).union(gusset)
    if fillet:
        broad = [edge for edge in at_foot(work) if abs(abs(edge.Center().y) - 6) < 1e-6]
        work = filled(work, fillet, broad)
    found = of_type(features_of(Pose(seed).shape(work)), "rib")
    assert sorted(map(sizes, found)) == [near(6, 15, 24), near(12, 60, 40)]


@pytest.mark.parametrize("seed", POSES)
def test_ribs_that_cross_are_two_and_a_corner_is_no_rib(seed: int) -> None:
    cross = on_top().rect(60, 4).extrude(20).union(on_top().rect(5, 50).extrude(20))
    ribs = of_type(features_of(Pose(seed).shape(top().union(cross))), "rib")
    assert sorted(map(sizes, ribs)) == [near(4, 60, 20), near(5, 50, 20)]
    corner = on_top().polyline([(-30, -20), (30, -20), (30, -15), (-25, -15), (-25, 20), (-30, 20)]).close().extrude(20)
    found = features_of(Pose(seed).shape(top().union(corner)))
    assert of_type(found, "rib") == []
    (boss,) = of_type(found, "boss")
    assert (boss.width, boss.length, boss.height) == near(40, 60, 20)


@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("fillet", [0.0, 1.5])
def test_a_screw_boss_between_four_ribs_keeps_its_diameter(seed: int, fillet: float) -> None:
    web = on_top().rect(40, 3).extrude(12).union(on_top().rect(3, 40).extrude(12))
    work = top().union(on_top().circle(8).extrude(20)).union(web)
    found = features_of(Pose(seed).shape(filled(work, fillet) if fillet else work))
    (boss,) = of_type(found, "boss")
    assert (boss.diameter, boss.height) == near(16, 20)
    ribs = of_type(found, "rib")
    assert [(rib.thickness, rib.height) for rib in ribs] == 4 * [near(3, 12)]


@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("fillet", [0.0, 1.5])
def test_a_rib_from_wall_to_wall_has_the_length_between_them(seed: int, fillet: float) -> None:
    tray = top().rect(100, 60).cutBlind(-20).union(cq.Workplane("XY", origin=(0, 7, -5)).rect(100, 4).extrude(16))
    if fillet:
        edges = [
            edge
            for edge in parts.solid(tray).Edges()
            if abs(edge.Center().z + 5) < 1e-6 and abs(abs(edge.Center().y - 7) - 2) < 1e-6
        ]
        tray = filled(tray, fillet, edges)
    (rib,) = of_type(features_of(Pose(seed).shape(tray)), "rib")
    assert sizes(rib) == near(4, 100, 16)


def test_the_upright_of_the_sample_part_is_as_thick_as_it_was_made() -> None:
    found = of_type(features_of(parts.solid(make_bracket.bracket())), "rib")
    upright = (make_bracket.UPRIGHT_DEPTH, make_bracket.UPRIGHT_WIDTH, make_bracket.AXIS_HEIGHT + 32)
    gusset = (make_bracket.GUSSET_DEPTH, make_bracket.GUSSET_LENGTH, make_bracket.GUSSET_HEIGHT)
    assert [sizes(each) for each in found] == [near(*upright), near(*gusset), near(*gusset)]
