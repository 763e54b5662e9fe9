"""stability: margins and angles from statics, rest poses from trimesh."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from spatial.errors import InputRejected
from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.contact.resting import rest_poses
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import body_of
from tests.spatial.reasoning.asked import ask as posed
from tests.spatial.reasoning.shapes import Array, ask, cloud, corners, on_box, on_cylinder, on_sphere, solid_of

DOWN = np.array([0.0, 0.0, -1.0])


def block(name: str, low: Sequence[float], high: Sequence[float]) -> SceneObject:
    return cloud(name, corners(low, high), "box")


@pytest.mark.requirement("stability.angle")
@pytest.mark.parametrize(("width", "depth", "height"), [(10, 20, 30), (4, 3, 50), (20, 20, 1)])
def test_a_block_topples_at_the_analytic_angle(width: float, depth: float, height: float) -> None:
    found = ask("stability", block("a", [0, 0, 0], [width, depth, height]))
    assert found["verdict"] == "stable"
    assert found["data"]["margin"] == pytest.approx(min(width, depth) / 2)
    angle = math.degrees(math.atan(min(width, depth) / 2 / (height / 2)))
    assert found["data"]["tilt_to_topple_degrees"] == pytest.approx(angle, abs=1e-6)


@pytest.mark.requirement("stability.angle")
@pytest.mark.parametrize("points", [on_cylinder(5, 20), on_cylinder(5, 20, 500)])
def test_a_standing_cylinder_topples_at_the_analytic_angle(points: Array) -> None:
    found = ask("stability", cloud("a", points))
    assert found["verdict"] == "stable"
    assert found["data"]["tilt_to_topple_degrees"] == pytest.approx(math.degrees(math.atan(5 / 10)), abs=1e-6)


@pytest.mark.requirement("stability.tower")
@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize(("shift", "verdict"), [(4.99, "stable"), (5.01, "unstable")])
def test_a_tower_of_two_stands_until_the_upper_one_is_half_over_the_edge(
    shift: float, verdict: str, seed: int | None
) -> None:
    lower, upper = ([0, 0, 0], [10, 10, 30]), ([shift, 0, 30], [10 + shift, 10, 60])
    make = corners if seed is None else on_box
    found = ask("stability", cloud("a", make(*lower)), cloud("b", make(*upper)))
    assert found["verdict"] == verdict
    entries = {each["object_id"]: each for each in found["data"]["stack"]}
    assert entries["b"]["margin"] == pytest.approx(5 - shift, abs=1e-6)
    # Both together: their centre is at x = 5 + shift / 2, 30 high.
    assert entries["a"]["margin"] == pytest.approx(5 - shift / 2, abs=1e-6)
    assert entries["a"]["tilt_to_topple_degrees"] == pytest.approx(
        math.degrees(math.atan((5 - shift / 2) / 30)), abs=1e-5
    )


@pytest.mark.requirement("stability.tower")
def test_a_tower_falls_at_its_foot_although_every_brick_stands_on_the_next() -> None:
    """Five bricks, each 3 beyond the one below: every one stands on the next alone, the five do not."""
    bricks = [block(f"b{k}", [3 * k, 0, k], [3 * k + 10, 10, k + 1]) for k in range(5)]
    found = ask("stability", *bricks)
    assert found["verdict"] == "unstable"
    entries = {each["object_id"]: each for each in found["data"]["stack"]}
    for place in range(5):
        above = [3 * k + 5 for k in range(place, 5)]
        edge = 3 * (place - 1) + 10 if place else 10
        assert entries[f"b{place}"]["margin"] == pytest.approx(
            min(edge - np.mean(above), np.mean(above) - 3 * place), abs=1e-6
        )


@pytest.mark.requirement("stability.marginal")
@pytest.mark.parametrize(("overhang", "verdict"), [(4.999, "stable"), (5.0, "marginal"), (5.001, "unstable")])
def test_a_centre_of_mass_above_the_edge_is_marginal(overhang: float, verdict: str) -> None:
    table, brick = block("table", [0, 0, 0], [10, 10, 10]), block("brick", [overhang, 0, 10], [10 + overhang, 10, 12])
    assert ask("stability", table, brick, object_id="brick")["verdict"] == verdict


@pytest.mark.requirement("stability.marginal")
def test_a_ball_is_marginal_everywhere() -> None:
    assert ask("stability", cloud("ball", on_sphere(5)))["verdict"] == "marginal"


@pytest.mark.requirement("stability.polygon")
@pytest.mark.requirement("shape.orthogonal")
def test_a_table_stands_on_the_hull_of_its_feet() -> None:
    legs = [([x, y, 0], [x + 1, y + 1, 8]) for x in (0, 19) for y in (0, 9)]
    found = ask("stability", solid_of("table", [*legs, ([0, 0, 8], [20, 10, 9])]))
    polygon = np.array(found["proof"]["support_polygon"])
    assert np.ptp(polygon, axis=0) == pytest.approx([20, 10, 0])
    assert found["data"]["margin"] == pytest.approx(5)
    assert found["proof"]["shape_from"] == "faces"
    assert found["proof"]["centre_of_mass_from"] == "document"


@pytest.mark.requirement("stability.polygon")
@pytest.mark.parametrize(("arm", "verdict"), [(20, "stable"), (40, "unstable")])
def test_an_upside_down_l_stands_on_its_leg(arm: float, verdict: str) -> None:
    """A leg of 10 x 10 x 10 under an arm of 10 x 10 x `arm`, both flush at x = 0."""
    part = solid_of("l", [([0, 0, 0], [10, 10, 10]), ([0, 0, 10], [arm, 10, 20])])
    found = ask("stability", part)
    centre = (1000 * 5 + 100 * arm * arm / 2) / (1000 + 100 * arm)
    assert found["verdict"] == verdict
    assert found["data"]["centre_of_mass"][0] == pytest.approx(centre)
    assert found["data"]["margin"] == pytest.approx(10 - centre)
    assert np.ptp(np.array(found["proof"]["support_polygon"]), axis=0) == pytest.approx([10, 10, 0])


@pytest.mark.requirement("stability.shared")
def test_a_beam_on_two_thin_posts_stands_although_no_post_could_carry_it_alone() -> None:
    posts = [block("p", [0, 0, 0], [1, 1, 10]), block("q", [9, 0, 0], [10, 1, 10])]
    beam = block("beam", [0, 0, 10], [10, 1, 11])
    assert ask("stability", *posts, beam)["verdict"] == "stable"
    assert ask("stability", posts[0], beam)["verdict"] == "unstable"


@pytest.mark.requirement("stability.unsupported")
def test_what_floats_is_unstable_and_what_lies_on_the_ground_is_not() -> None:
    floor, floating = block("floor", [0, 0, 0], [10, 10, 1]), block("a", [0, 0, 5], [1, 1, 6])
    found = ask("stability", floor, floating, object_id="a")
    assert found["verdict"] == "unstable"
    assert found["data"]["support"] == []
    assert ask("stability", floor, floating, object_id="a", goal={"support": "ground"})["verdict"] == "stable"


@pytest.mark.requirement("stability.unknown")
def test_an_egg_on_its_point_is_unknown_and_its_rest_poses_are_not() -> None:
    found = ask("stability", cloud("egg", on_sphere(1) * [1, 2, 3]))
    assert found["verdict"] == "unknown"
    assert "would decide it" in found["reason"]


@pytest.mark.requirement("stability.poses")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(5, 30))
def test_rest_poses_of_random_polytopes_agree_with_trimesh(seed: int, count: int) -> None:
    points = np.random.default_rng(seed).normal(size=(count, 3))
    body = body_of(cloud("a", points))
    assert body is not None
    ours = sorted((pose.probability for pose in rest_poses(body, Plane.across(DOWN), 100)), reverse=True)
    _, theirs = trimesh.poses.compute_stable_poses(
        trimesh.convex.convex_hull(points), sigma=0, n_samples=1, threshold=0
    )
    assert sum(ours) == pytest.approx(1, abs=1e-9)
    assert ours == pytest.approx(sorted(theirs, reverse=True), abs=1e-6)


@pytest.mark.requirement("stability.poses")
def test_rest_poses_put_the_object_on_the_support_with_the_same_lowest_level() -> None:
    rows = corners([3, 4, 5], [13, 24, 35])
    found = ask("stability", cloud("a", rows))["data"]["stable_poses"]
    assert len(found) == 6
    assert sum(each["probability"] for each in found) == pytest.approx(1)
    assert sum(each["is_present"] for each in found) == 1
    for each in found:
        pose = np.array(each["transform"]).reshape(3, 4)
        there = rows @ pose[:, :3].T + pose[:, 3]
        assert there[:, 2].min() == pytest.approx(5)
        assert there[:, 2].max() - 5 == pytest.approx(2 * each["height_of_centre"])


@pytest.mark.requirement("stability.poses")
def test_a_rod_lies_on_its_side_with_the_probability_of_that_solid_angle() -> None:
    found = ask("stability", cloud("rod", on_cylinder(1, 20)))["data"]["stable_poses"]
    assert found[0]["rolls"] is True
    ends = 1 - 10 / math.hypot(10, 1)  # both caps' solid angles over 4 pi
    assert found[0]["probability"] == pytest.approx(1 - ends, abs=1e-4)


@pytest.mark.requirement("stability.tower")
def test_masses_of_the_goal_move_the_common_centre() -> None:
    lower, upper = block("a", [0, 0, 0], [10, 10, 10]), block("b", [4, 0, 10], [14, 10, 20])
    entries: Any = ask("stability", lower, upper, goal={"masses": {"a": 1, "b": 3}})["data"]["stack"]
    assert entries[0]["centre_of_load"][0] == pytest.approx((5 + 3 * 9) / 4)


@pytest.mark.requirement("stability.inclined")
@pytest.mark.parametrize("degrees", [1.0, 5.0, 20.0, 26.5, 26.7, 30.0])
@pytest.mark.parametrize("members", [{}, {"secondary_id": "floor"}, {"kinds": {"floor": "surface"}}])
def test_a_block_on_an_inclined_floor_topples_at_the_analytic_angle(degrees: float, members: dict[str, Any]) -> None:
    angle = np.radians(degrees)
    scene = {"a": corners((0, 0, 0), (20, 20, 40)), "floor": corners((-200, -200, -10), (200, 200, 0))}
    found = posed("stability", scene, {"gravity": [np.sin(angle), 0, -np.cos(angle)]}, object_id="a", **members)
    assert found["verdict"] == ("stable" if degrees < np.degrees(np.arctan(0.5)) else "unstable")
    assert found["data"]["tilt_to_topple_degrees"] == pytest.approx(np.degrees(np.arctan(0.5)) - degrees)
    assert found["proof"]["inclination_degrees"] == pytest.approx(degrees)
    assert np.array(found["proof"]["support_polygon"])[:, 2] == pytest.approx(0, abs=1e-9)


@pytest.mark.requirement("stability.inclined")
def test_a_block_on_a_ramp_stands_up_to_the_analytic_angle() -> None:
    for degrees, verdict in ((10, "stable"), (30, "unstable")):
        rise = 400 * np.tan(np.radians(degrees))
        ramp = np.array([[x, y, z] for y in (-100, 100) for x, z in ((-200, 0), (200, 0), (200, rise))], dtype=float)
        lean = Rotation.from_euler("y", -degrees, degrees=True).as_matrix()
        block = corners((-10, -10, 0), (10, 10, 40)) @ lean.T + np.array([0, 0, rise / 2])
        assert posed("stability", {"a": block, "ramp": ramp}, object_id="a")["verdict"] == verdict


@pytest.mark.requirement("stability.inclined")
def test_sampled_parts_on_a_sampled_inclined_floor_stand_and_a_ball_does_not() -> None:
    angle = np.radians(1)
    scene = {
        "block": on_box((-20, -20, 0), (20, 20, 30), 2048),
        "can": on_cylinder(20, 40, 2048) + np.array([60, 0, 0]),
        "ball": on_sphere(20, 2048) + np.array([0, 60, 20]),
        "floor": on_box((-100, -100, -20), (200, 200, 0), 2048),
    }
    kinds = {"floor": "surface"}
    goal = {"gravity": [np.sin(angle), 0, -np.cos(angle)], "units": "millimeter", "friction": 0.3}
    verdicts = {
        name: posed("stability", scene, {"gravity": goal["gravity"]}, object_id=name, kinds=kinds)["verdict"]
        for name in scene
    }
    assert verdicts | {"floor": ""} == {"block": "stable", "can": "stable", "ball": "unstable", "floor": ""}
    states = {
        each["object_id"]: each["state"] for each in posed("predict", scene, goal, kinds=kinds)["data"]["objects"]
    }
    assert states == {"block": "at_rest", "can": "at_rest", "ball": "topples", "floor": "fixed"}


@pytest.mark.requirement("stability.inclined")
def test_only_what_carries_everything_is_taken_as_a_floor() -> None:
    angle = np.radians(1)
    goal = {"gravity": [np.sin(angle), 0, -np.cos(angle)]}
    tower = {"a": corners((0, 0, 20), (20, 20, 40)), "b": corners((5, 0, 0), (25, 20, 20))}
    assert posed("stability", tower, goal, object_id="a")["verdict"] == "unstable"
    named = posed("stability", tower, {**goal, "fixed": ["b"]}, object_id="a")
    assert named["verdict"] == "stable"
    floor = {"a": corners((0, 0, 0), (20, 20, 40)), "floor": corners((-200, -200, -10), (200, 200, 0))}
    assert posed("stability", floor, {**goal, "fixed": []}, object_id="a")["verdict"] == "unstable"
    with pytest.raises(InputRejected, match=r"fixed\.0 is object_id"):
        posed("stability", floor, {"fixed": ["a"]}, object_id="a")
