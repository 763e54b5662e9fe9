"""act: grasps in force closure, what is in the way, and the steps to a place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.errors import InputRejected
from tests.spatial.reasoning.asked import ask, transformed
from tests.spatial.reasoning.shapes import Array, corners, on_box, on_cylinder, on_sphere, turned

UNITS = {"units": "millimeter"}
BLOCK = corners((0, 0, 0), (40, 60, 30))
FLOOR = corners((-500, -500, -10), (500, 500, 0))


def grasped(scene: dict[str, Array], goal: dict[str, Any] | None = None, **rest: Any) -> dict[str, Any]:
    return ask("act", scene, {**UNITS, **(goal or {})}, object_id="a", **rest)


@pytest.mark.requirement("act.grasp")
def test_a_block_is_held_at_opposite_sides_through_its_centre() -> None:
    found = grasped({"a": BLOCK, "floor": FLOOR})
    assert found["verdict"] == "graspable"
    best, proof = found["data"]["grasps"][0], found["proof"]["grasps"][0]
    assert best["centre"] == pytest.approx([20, 30, 15])
    assert best["object_width"] == pytest.approx(40)
    assert best["approach"] == pytest.approx([0, 0, -1])
    assert np.sort(np.array(proof["contacts"])[:, 0]) == pytest.approx([0, 40])
    assert proof["angle_degrees"] == pytest.approx(0, abs=1e-6)
    assert proof["margin_degrees"] == pytest.approx(np.degrees(np.arctan(0.4)))
    assert best["clearance"] == pytest.approx(15 - 85 * 0.25 / 2)
    widths = {round(each["object_width"], 6) for each in found["data"]["grasps"]}
    assert widths <= {30.0, 40.0, 60.0}


@pytest.mark.requirement("act.grasp")
def test_a_slab_given_by_its_corners_is_in_the_way_whatever_its_kind() -> None:
    gripper = {"max_opening": 50, "finger_width": 10, "finger_thickness": 5, "finger_length": 40}
    for kind in ("surface", "box", "unknown"):
        scene = {"a": BLOCK, "floor": FLOOR, "block": corners((100, 80, 0), (140, 120, 40))}
        kinds = {"floor": kind, "block": kind}
        found = grasped(scene, {"gripper": gripper}, kinds=kinds)
        assert found["data"]["grasps"][0]["approach"] == pytest.approx([0, 0, -1]), kind
        for place in ([120, 100, 5], [120, 100, -10]):
            assert grasped(scene, {"gripper": gripper, "move_to": place}, kinds=kinds)["verdict"] == "blocked", kind


@pytest.mark.requirement("act.grasp")
@pytest.mark.parametrize(("points", "diameter"), [(on_cylinder(20, 100), 40.0), (on_sphere(25), 50.0)])
def test_round_parts_are_held_across_their_diameter(points: Array, diameter: float) -> None:
    found = grasped({"a": points})
    assert found["verdict"] == "graspable"
    assert found["data"]["grasps"][0]["object_width"] == pytest.approx(diameter, rel=1e-6)


@pytest.mark.requirement("act.grasp")
@pytest.mark.parametrize(("degrees", "verdict"), [(20.0, "graspable"), (24.0, "no_grasp")])
def test_a_wedge_is_held_up_to_twice_the_friction_angle(degrees: float, verdict: str) -> None:
    half, friction = np.radians(degrees), np.tan(np.radians(22))
    top, bottom = 10.0, 10.0 + 40 * np.tan(half)
    rows = [[s * w, y, z] for z, w in ((0, bottom), (40, top)) for s in (-1, 1) for y in (-60, 60)]
    goal = {"gripper": {"max_opening": 100, "friction": friction, "finger_length": 60}}
    found = grasped({"a": np.array(rows)}, goal)
    sides = [
        each for each in found["proof"]["grasps"] if abs(each["angle_degrees"] - degrees) < 1e-6
    ]  # fmt: skip
    assert bool(sides) == (verdict == "graspable")


@pytest.mark.requirement("act.grasp")
def test_a_part_with_a_pocket_is_held_where_its_points_are() -> None:
    outer, hole = on_box((0, 0, 0), (40, 40, 40), 3000), on_box((12, 12, 10), (28, 28, 40), 1500, seed=3, open_at=5)
    lid = (outer[:, 2] > 39.999) & (np.abs(outer[:, :2] - 20) < 8).all(axis=1)
    found = grasped({"a": np.concatenate([outer[~lid], hole])}, kinds={"a": "container"})
    assert found["verdict"] == "graspable"
    assert all(each["object_width"] >= 12 - 1e-6 for each in found["data"]["grasps"])


@pytest.mark.requirement("act.refusal")
def test_what_is_too_wide_is_not_grasped() -> None:
    found = grasped({"a": corners((0, 0, 0), (86, 90, 100))})
    assert (found["verdict"], found["data"]["least_opening"]) == ("no_grasp", 86.0)
    assert "wider than the gripper opens" in found["reason"]
    assert grasped({"a": corners((0, 0, 0), (84, 90, 100))})["verdict"] == "graspable"


@pytest.mark.requirement("act.refusal")
def test_what_is_boxed_in_is_not_grasped_and_the_cause_is_named() -> None:
    walls = {
        "w": corners((-30, -1, 0), (-1, 61, 200)), "e": corners((41, -1, 0), (70, 61, 200)), "s": corners((-30, -30, 0), (70, -1, 200)),
        "n": corners((-30, 61, 0), (70, 90, 200)), "lid": corners((-30, -30, 40), (70, 90, 45)),
    }  # fmt: skip
    found = grasped({"a": BLOCK, "floor": FLOOR, **walls})
    assert found["verdict"] in ("no_grasp", "unknown")
    assert found["proof"]["pairs_within_opening"] > 0 and found["proof"]["blocked_by"]
    assert "would touch" in found["reason"]


@pytest.mark.requirement("act.refusal")
def test_unknown_units_need_the_opening_of_the_gripper() -> None:
    found = ask("act", {"a": BLOCK})
    assert found["verdict"] == "unknown" and "goal.gripper.max_opening" in found["reason"]
    assert ask("act", {"a": BLOCK}, {"gripper": {"max_opening": 50}})["verdict"] == "graspable"


@pytest.mark.requirement("act.refusal")
@pytest.mark.parametrize(
    ("goal", "field"),
    [({"gripper": {"friction": 0}}, "gripper.friction"), ({"gripper": 3}, "gripper"), ({"count": 0}, "count"),
     ({"move_to": [1, 2]}, "move_to"), ({"place_on": "x"}, "place_on"), ({"place_on": "a"}, "place_on"),
     ({"move_to": [1, 2, 3], "place_on": "floor"}, "place_on")],
)  # fmt: skip
def test_a_goal_that_is_wrong_is_rejected(goal: dict[str, Any], field: str) -> None:
    with pytest.raises(InputRejected, match=field.replace(".", r"\.")):
        grasped({"a": BLOCK, "floor": FLOOR}, goal)
    with pytest.raises(InputRejected, match="one plane"):
        grasped({"a": BLOCK * [1, 1, 0]})


@pytest.mark.requirement("act.steps")
def test_the_steps_over_a_wall_add_up_to_the_way_and_keep_clear_of_it() -> None:
    wall = corners((60, -100, 0), (70, 100, 80))
    found = grasped({"a": BLOCK, "floor": FLOOR, "wall": wall}, {"move_to": [150, 30, 15], "clearance": 2})
    assert found["verdict"] == "feasible"
    steps = {each["name"]: each for each in found["data"]["steps"]}
    assert list(steps) == ["approach", "grasp", "lift", "transfer", "lower", "release", "retreat"]
    way = sum(np.array(steps[name]["motion"]) for name in ("lift", "transfer", "lower"))
    assert way == pytest.approx([130, 0, 0])
    assert steps["lift"]["motion"][2] > 80
    assert steps["transfer"]["clearance"] >= 2
    assert steps["transfer"]["clearance"] == pytest.approx(
        steps["lift"]["motion"][2] - 80 - max(0.0, 85 / 8 - 15), abs=1e-6
    )


@pytest.mark.requirement("act.steps")
def test_an_object_is_put_on_and_in_another_one() -> None:
    table = corners((150, -100, 0), (300, 100, 50))
    on = grasped({"a": BLOCK, "floor": FLOOR, "table": table}, {"place_on": "table"})
    assert on["verdict"] == "feasible"
    assert np.array(on["data"]["shift"])[2] == pytest.approx(50, abs=1e-3)
    crate = np.concatenate([
        on_box((150, -100, 0), (350, 100, 60), 3000, open_at=5), on_box((160, -90, 10), (340, 90, 60), 3000, seed=2, open_at=5),
    ])  # fmt: skip
    inside = grasped({"a": BLOCK, "floor": FLOOR, "crate": crate}, {"place_in": "crate"}, kinds={"crate": "container"})
    assert inside["verdict"] == "feasible", inside
    assert np.array(inside["data"]["shift"])[2] == pytest.approx(10, abs=1e-2)


@pytest.mark.requirement("act.steps")
def test_a_place_that_is_taken_is_blocked() -> None:
    found = grasped({"a": BLOCK, "floor": FLOOR, "b": corners((100, 0, 0), (140, 60, 30))}, {"move_to": [120, 30, 15]})
    assert found["verdict"] == "blocked" and "b is in the way" in found["reason"]


@pytest.mark.requirement("act.invariant")
@given(
    seed=st.integers(0, 99),
    scale=st.sampled_from([0.01, 25.4]),
    shift=st.tuples(*[st.floats(-300, 300)] * 3),
    case=st.integers(0, 3),
)
@settings(max_examples=12, deadline=None)
def test_moving_the_whole_scene_with_the_gripper_never_changes_the_verdict(
    seed: int, scale: float, shift: tuple[float, float, float], case: int
) -> None:
    scenes: list[tuple[dict[str, Array], list[float] | None]] = [
        ({"a": BLOCK, "floor": FLOOR}, None),
        ({"a": corners((0, 0, 0), (86, 90, 100)), "floor": FLOOR}, None),
        ({"a": BLOCK, "floor": FLOOR, "wall": corners((60, -100, 0), (70, 100, 80))}, [150, 30, 15]),
        ({"a": BLOCK, "floor": FLOOR, "b": corners((100, 0, 0), (140, 60, 30))}, [120, 30, 15]),
    ]
    (scene, target), turn = scenes[case], turned(seed)

    def verdict(objects: dict[str, Array], size: float, rotation: Array, move: Array) -> str:
        goal: dict[str, Any] = {"gripper": {"max_opening": 85 * size}, "gravity": (-rotation[:, 2]).tolist()}
        if target is not None:
            centre = objects["a"].min(axis=0) + np.ptp(objects["a"], axis=0) / 2
            there = size * rotation @ (np.array(target) - scene["a"].mean(axis=0))
            goal["move_to"] = (centre + there + move * 0).tolist()
        return str(ask("act", objects, goal, object_id="a")["verdict"])

    moved = transformed(scene, scale, turn, shift)
    assert verdict(moved, scale, turn, np.array(shift)) == verdict(scene, 1.0, np.eye(3), np.zeros(3))


@pytest.mark.requirement("act.invariant")
def test_the_same_question_has_the_same_answer() -> None:
    scene = {"a": on_box((0, 0, 0), (40, 60, 30)), "floor": FLOOR}
    assert grasped(scene, {"move_to": [150, 30, 15]}) == grasped(scene, {"move_to": [150, 30, 15]})


@pytest.mark.requirement("act.refusal")
def test_what_moves_is_not_grasped_where_it_was() -> None:
    readings = [{"object_id": "a", "velocity": [10, 0, 0], "mass": 2}]
    found = grasped({"a": BLOCK, "floor": FLOOR}, sensor_readings=readings)
    assert found["verdict"] == "unknown"
    assert "a moved when last sensed; ask predict" in found["reason"]
    assert "a: its force and mass are not used by the task act" in found["warnings"]
    still = [{"object_id": "a", "velocity": [0, 0, 0]}]
    assert grasped({"a": BLOCK, "floor": FLOOR}, sensor_readings=still)["verdict"] == "graspable"


CRATE = corners((-100, -100, 0), (200, 200, 100))
HOLLOW = {"c": "container"}


@pytest.mark.requirement("act.unknown-walls")
@pytest.mark.parametrize(
    ("crate", "goal"),
    [
        (corners((200, 0, 0), (400, 200, 300)), {"place_in": "c"}),
        (CRATE, {}),
        (CRATE, {"move_to": [400, 30, 15]}),
    ],
)
def test_what_needs_an_open_top_of_a_container_that_is_given_by_its_corners_is_unknown(
    crate: Array, goal: dict[str, Any]
) -> None:
    found = grasped({"a": BLOCK, "c": crate}, goal, kinds=HOLLOW)
    assert found["verdict"] == "unknown" and "c: whether it is open at the top" in found["reason"]
    assert found["data"]["grasps"][0]["approach"] == pytest.approx([0, 0, -1])


@pytest.mark.requirement("act.unknown-walls")
def test_the_walls_of_a_container_that_is_given_by_its_corners_are_avoided() -> None:
    tight = corners((-2, -2, 0), (42, 62, 100))
    found = grasped({"a": BLOCK, "c": tight}, kinds=HOLLOW)
    assert found["verdict"] == "unknown" and found["reason"].startswith("c: its walls are in the way")
    wall = {"a": BLOCK, "c": corners((80, -300, 0), (90, 300, 200))}
    over = grasped(wall, {"move_to": [200, 30, 15]}, kinds=HOLLOW)
    assert over["verdict"] == "feasible"
    lift = next(step for step in over["data"]["steps"] if step["name"] == "lift")
    assert lift["motion"][2] >= 200
    far = grasped({"a": BLOCK, "c": corners((200, 0, 0), (400, 200, 300))}, kinds=HOLLOW)
    assert far["verdict"] == "graspable"


@pytest.mark.requirement("act.grasp")
def test_a_sheet_between_the_object_and_an_open_finger_is_in_the_way() -> None:
    sheets = {"left": corners((-1.5, 0, 0), (-1, 60, 30)), "right": corners((41, 0, 0), (41.5, 60, 30))}
    gripper = {"max_opening": 50, "finger_width": 10, "finger_thickness": 5, "finger_length": 40}
    found = grasped({"a": BLOCK, **sheets}, {"gripper": gripper, "ground": -500})
    assert all(abs(each["closing"][0]) < 1e-9 for each in found["data"]["grasps"])
    assert {"left", "right"} & set(found["proof"]["blocked_by"])
