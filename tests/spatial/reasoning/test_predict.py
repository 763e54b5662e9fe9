"""predict: free fall, uniform motion, contacts and supports, against the formulas of mechanics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from spatial.errors import InputRejected
from spatial.reasoning.motion.rigid import rigid_motion
from tests.spatial.reasoning.asked import about_z, ask, point_scene, transformed
from tests.spatial.reasoning.shapes import Array, corners, on_box, turned

FLOOR = corners((-500, -500, -10), (500, 500, 0))
CUBE = corners((0, 0, 0), (10, 10, 10))
UNITS = {"units": "millimeter"}

FALL = 100.0
"""Height of a drop in millimetres."""


def at(x: float, y: float, z: float, points: Array = CUBE) -> Array:
    return np.asarray(points + np.array([x, y, z]))


def of(found: dict[str, Any], name: str) -> dict[str, Any]:
    """What an answer says of one object."""
    entry: dict[str, Any] = next(each for each in found["data"]["objects"] if each["object_id"] == name)
    return entry


def predicted(
    scene: dict[str, Array], goal: dict[str, Any], previous: dict[str, Array] | None = None, **rest: Any
) -> dict[str, Any]:
    before = {"previous_point_cloud_scene": point_scene(previous)} if previous is not None else {}
    return ask("predict", scene, {**UNITS, **goal}, kinds={"floor": "surface"}, **before, **rest)


@pytest.mark.requirement("predict.fall")
@pytest.mark.parametrize("seconds", [0.05, 0.1])
def test_a_body_in_free_fall_follows_half_g_t_squared(seconds: float) -> None:
    found = predicted({"floor": FLOOR, "a": at(0, 0, FALL)}, {"horizon": seconds})
    body = of(found, "a")
    assert (found["verdict"], body["state"]) == ("moves", "falling")
    assert body["bounds"]["min"][2] == pytest.approx(FALL - 9810 * seconds**2 / 2, abs=1e-9)
    assert body["velocity"] == pytest.approx([0, 0, -9810 * seconds], abs=1e-9)
    energy = next(each for each in found["proof"]["energies"]["objects"] if each["object_id"] == "a")
    assert energy["lost"] == pytest.approx(0, abs=1e-9)
    assert energy["after"]["kinetic"] == pytest.approx((9.81 * seconds) ** 2 / 2)


@pytest.mark.requirement("predict.fall")
def test_it_lands_at_the_time_and_with_the_speed_of_the_formula() -> None:
    found = predicted({"floor": FLOOR, "a": at(0, 0, FALL)}, {})
    (event,) = found["data"]["events"]
    assert event["time"] == pytest.approx(np.sqrt(2 * FALL / 9810), rel=1e-6)
    assert event["speed"] == pytest.approx(np.sqrt(2 * FALL * 9810), rel=1e-6)
    assert event["with"] == "floor" and event["normal"] == pytest.approx([0, 0, 1])
    assert of(found, "a")["state"] == "landed"
    assert of(found, "a")["bounds"]["min"][2] == pytest.approx(0, abs=1e-3)
    energy = next(each for each in found["proof"]["energies"]["objects"] if each["object_id"] == "a")
    assert energy["lost"] == pytest.approx(9.81 * FALL / 1000, rel=1e-4)


@pytest.mark.requirement("predict.fall")
@pytest.mark.parametrize(("reach", "horizon"), [(1e3, 1.0), (5e4, 1.0), (1e3, 1e9)])
def test_neither_a_large_floor_nor_a_long_horizon_lets_a_part_sink(reach: float, horizon: float) -> None:
    floor = corners((-reach, -reach, -1), (reach, reach, 0))
    found = predicted({"floor": floor, "a": at(0, 0, FALL)}, {"horizon": horizon})
    (event,) = found["data"]["events"]
    assert event["with"] == "floor" and event["time"] == pytest.approx(np.sqrt(2 * FALL / 9810), rel=1e-6)
    assert of(found, "a")["bounds"]["min"][2] == pytest.approx(0, abs=2e-4)


@pytest.mark.requirement("predict.fall", "predict.readings")
def test_what_a_force_does_is_work_and_not_lost() -> None:
    lift = {"object_id": "a", "force": [0, 0, 4.905], "mass": 1.0}
    found = predicted({"floor": FLOOR, "a": at(0, 0, 50)}, {}, sensor_readings=[lift])
    (event,) = found["data"]["events"]
    assert event["time"] == pytest.approx(np.sqrt(2 * 50 / 4905), rel=1e-6)
    energy = next(each for each in found["proof"]["energies"]["objects"] if each["object_id"] == "a")
    assert energy["work"] == pytest.approx(-4.905 * 0.05, rel=1e-5)
    assert energy["lost"] == pytest.approx(4.905 * 0.05, rel=1e-5)


@pytest.mark.requirement("predict.registration")
def test_a_previous_scene_of_other_objects_is_named_as_unused() -> None:
    found = predicted({"floor": FLOOR, "a": at(0, 0, 0)}, {}, previous={"q": CUBE})
    assert any(warning.startswith("the previous scene is not used") for warning in found["warnings"])


@pytest.mark.requirement("predict.fall")
def test_the_point_of_a_contact_is_the_middle_of_what_touches() -> None:
    shelf = corners((6, -50, 0), (100, 50, 5))
    scene = {"floor": FLOOR, "shelf": shelf, "a": corners((0, 0, 105), (20, 10, 115)), "b": at(-300, 0, FALL)}
    found = predicted(scene, {"fixed": ["shelf"]})
    points = {event["object_id"]: event["point"] for event in found["data"]["events"]}
    assert points["a"] == pytest.approx([13, 5, 5], abs=1e-6)
    assert points["b"] == pytest.approx([-295, 5, 0], abs=1e-6)


@pytest.mark.requirement("predict.fall")
def test_what_stands_on_a_falling_body_falls_with_it() -> None:
    found = predicted({"floor": FLOOR, "low": at(0, 0, FALL), "high": at(0, 0, FALL + 10)}, {"horizon": 0.05})
    assert of(found, "high")["bounds"]["min"][2] - of(found, "low")["bounds"]["max"][2] == pytest.approx(0, abs=1e-6)
    rest = predicted({"floor": FLOOR, "low": at(0, 0, FALL), "high": at(0, 0, FALL + 10)}, {})
    assert [of(rest, name)["bounds"]["min"][2] for name in ("low", "high")] == pytest.approx([0, 10], abs=1e-2)


@pytest.mark.requirement("predict.fall")
def test_a_body_that_lands_over_an_edge_topples_and_is_unknown() -> None:
    scene = {"floor": FLOOR, "ledge": corners((-50, 0, 0), (4, 10, 30)), "a": at(0, 0, 50)}
    found = predicted(scene, {})
    assert (found["verdict"], of(found, "a")["state"]) == ("unknown", "topples")
    assert "transform" not in of(found, "a") and "topples" in found["reason"]


@pytest.mark.requirement("predict.motion")
def test_a_supported_body_stays() -> None:
    found = predicted({"floor": FLOOR, "a": at(0, 0, 0), "b": at(2, 2, 10)}, {"horizon": 5})
    assert found["verdict"] == "at_rest"
    assert found["proof"]["supports"]["b"] == ["a"]
    assert {each["state"] for each in found["data"]["objects"]} == {"fixed", "at_rest"}


@pytest.mark.requirement("predict.motion")
def test_uniform_motion_goes_on_and_a_wall_stops_it() -> None:
    scene = {"floor": FLOOR, "wall": corners((60, -50, 0), (65, 50, 40)), "a": at(0, 0, 0)}
    previous = {**scene, "a": at(-5, 0, 0)}
    going = predicted(scene, {"time_step": 0.1, "horizon": 0.5}, previous)
    assert of(going, "a")["bounds"]["min"] == pytest.approx([25, 0, 0])
    assert of(going, "a")["velocity"] == pytest.approx([50, 0, 0])
    stopped = predicted(scene, {"time_step": 0.1, "horizon": 5}, previous)
    assert of(stopped, "a")["bounds"]["max"][0] == pytest.approx(60, abs=1e-3)
    assert stopped["data"]["events"][0]["time"] == pytest.approx(1.0, rel=1e-5)
    assert of(stopped, "a")["state"] == "stopped"


@pytest.mark.requirement("predict.motion")
def test_friction_stops_a_sliding_body_after_v_squared_over_2_mu_g() -> None:
    reading = [{"object_id": "a", "velocity": [500, 0, 0], "mass": 2}]
    found = predicted({"floor": FLOOR, "a": at(0, 0, 0)}, {"friction": 0.25, "horizon": 3}, sensor_readings=reading)
    assert of(found, "a")["bounds"]["min"][0] == pytest.approx(500**2 / (2 * 0.25 * 9810))
    assert found["data"]["events"][0]["time"] == pytest.approx(500 / (0.25 * 9810))
    energy = next(each for each in found["proof"]["energies"]["objects"] if each["object_id"] == "a")
    assert energy["total"]["before"] - energy["total"]["after"] == pytest.approx(2 * 0.5**2 / 2)
    assert energy["after"]["kinetic"] == pytest.approx(0)


@pytest.mark.requirement("predict.landing")
@pytest.mark.parametrize(("speed", "friction"), [(1000.0, 0.25), (1000.0, 0.0), (200.0, 0.25)])
def test_a_thrown_body_slides_on_where_it_lands(speed: float, friction: float) -> None:
    scene = {"floor": FLOOR, "a": at(-400, 0, FALL)}
    reading = [{"object_id": "a", "velocity": [speed, 0, 0]}]
    found = predicted(scene, {"friction": friction, "horizon": 0.5}, sensor_readings=reading)
    fall = np.sqrt(2 * FALL / 9810)
    # The floor's impulse is that of the fall, and friction takes its share of it at once.
    left = max(0.0, speed - friction * np.sqrt(2 * FALL * 9810))
    slides = 0.5 - fall if not friction else min(0.5 - fall, left / (friction * 9810))
    way = speed * fall + left * slides - friction * 9810 * slides**2 / 2
    assert of(found, "a")["bounds"]["min"][0] == pytest.approx(-400 + way, abs=1e-6)
    assert of(found, "a")["bounds"]["min"][2] == pytest.approx(0, abs=1e-6)
    ends = "sliding" if not friction else "stopped" if left else "landed"
    assert of(found, "a")["state"] == ends


@pytest.mark.requirement("predict.landing")
def test_how_far_a_thrown_body_slides_is_unknown_without_a_coefficient() -> None:
    scene = {"floor": FLOOR, "a": at(-400, 0, FALL)}
    found = predicted(scene, {}, sensor_readings=[{"object_id": "a", "velocity": [1000, 0, 0]}])
    assert (found["verdict"], of(found, "a")["state"]) == ("unknown", "undetermined")
    assert "goal.friction" in found["reason"]


@pytest.mark.requirement("predict.landing")
@pytest.mark.parametrize(("friction", "state"), [(0.24, "stopped"), (0.26, "topples")])
def test_friction_tips_a_tall_body_that_slides(friction: float, state: str) -> None:
    tall = corners((-400, 0, 0), (-390, 10, 40))
    reading = [{"object_id": "a", "velocity": [300, 0, 0]}]
    found = predicted({"floor": FLOOR, "a": tall}, {"friction": friction}, sensor_readings=reading)
    assert of(found, "a")["state"] == state


@pytest.mark.requirement("predict.inclined")
@pytest.mark.parametrize("kinds", [{}, {"floor": "surface"}])
@pytest.mark.parametrize(
    ("degrees", "friction", "state"),
    [(1, 0.0176, "at_rest"), (1, 0.0174, "undetermined"), (20, 0.5, "at_rest"), (27, 0.9, "topples")],
)
def test_an_inclined_floor_stays_and_what_is_on_it_rests_slides_or_topples(
    degrees: float, friction: float, state: str, kinds: dict[str, str]
) -> None:
    angle = np.radians(degrees)
    scene = {"floor": FLOOR, "a": corners((0, 0, 0), (20, 20, 40))}
    goal = {**UNITS, "gravity": [np.sin(angle), 0, -np.cos(angle)], "friction": friction}
    found = ask("predict", scene, goal, kinds=kinds)
    assert (of(found, "floor")["state"], of(found, "a")["state"]) == ("fixed", state)
    if state == "undetermined":
        assert "slides down its inclined support" in found["reason"] and "0.0175" in found["reason"]


@pytest.mark.requirement("predict.motion")
def test_a_body_that_slides_over_an_edge_is_unknown_from_there() -> None:
    scene = {"table": corners((-50, -50, 0), (30, 50, 20)), "a": at(0, 0, 20), "floor": at(0, 0, -100, FLOOR)}
    reading = [{"object_id": "a", "velocity": [50, 0, 0]}]
    found = predicted(scene, {"fixed": ["table"]}, sensor_readings=reading)
    assert (found["verdict"], of(found, "a")["state"]) == ("unknown", "leaves_support")
    assert found["data"]["events"][0]["time"] == pytest.approx(0.5, rel=1e-3)


@pytest.mark.requirement("predict.motion")
def test_turning_goes_on() -> None:
    scene = {"a": at(0, 0, 0, on_box((-5, -5, 0), (5, 5, 10)))}
    previous = transformed(scene, turn=about_z(-10))
    found = predicted(scene, {"time_step": 0.5, "horizon": 1.0, "acceleration": 0}, previous)
    turn = np.array(of(found, "a")["transform"]).reshape(3, 4)[:, :3]
    assert turn == pytest.approx(about_z(20), abs=1e-6)
    assert of(found, "a")["angular_velocity"] == pytest.approx([0, 0, np.radians(20)], abs=1e-6)


@pytest.mark.requirement("predict.readings")
def test_readings_give_velocity_and_acceleration() -> None:
    readings = [
        {"object_id": "a", "time": 1.0, "position": [0, 0, 0], "orientation": [1, 0, 0, 0]},
        {"object_id": "a", "time": 2.0, "position": [3, 4, 0], "orientation": [np.cos(0.1), 0, 0, np.sin(0.1)]},
        {"object_id": "b", "force": [0, 6, 0], "mass": 3},
    ]
    scene = {"a": at(0, 0, 0), "b": at(100, 0, 0)}
    found = predicted(scene, {"acceleration": 0, "horizon": 2}, sensor_readings=readings)
    assert of(found, "a")["velocity"] == pytest.approx([3, 4, 0])
    assert of(found, "a")["angular_velocity"] == pytest.approx([0, 0, 0.2])
    assert of(found, "b")["bounds"]["min"] == pytest.approx([100, 2000 * 2**2 / 2, 0])


@pytest.mark.requirement("predict.readings")
def test_what_is_not_used_of_readings_is_named() -> None:
    readings = [
        {"object_id": "a", "force": [1, 0, 0]},
        {"object_id": "a", "position": [1, 0, 0], "temperature": 20},
        {"object_id": "x", "velocity": [1, 0, 0]},
    ]
    warnings = " | ".join(predicted({"a": at(0, 0, 0)}, {"glue": 1}, sensor_readings=readings)["warnings"])
    for part in (
        "not use: glue",
        "a: the force is not used without a mass",
        "a: the position is not used",
        "sensor_readings.1 has 1 member",
        "sensor_readings.2 is not used",
    ):
        assert part in warnings
    with pytest.raises(InputRejected, match=r"input\.sensor_readings\.0\.velocity"):
        predicted({"a": at(0, 0, 0)}, {}, sensor_readings=[{"object_id": "a", "velocity": [1, 0]}])


@pytest.mark.requirement("predict.unknown")
def test_in_unknown_units_only_the_rest_of_a_fall_is_predicted() -> None:
    found = ask("predict", {"floor": FLOOR, "a": at(0, 0, FALL)}, kinds={"floor": "surface"})
    assert of(found, "a")["bounds"]["min"][2] == pytest.approx(0, abs=1e-2)
    assert "time" not in found["data"]["events"][0] and "energies" not in found["proof"]
    assert "goal.units" in " ".join(found["warnings"])


@pytest.mark.requirement("predict.unknown")
@pytest.mark.parametrize(
    ("goal", "field"),
    [({"horizon": 0}, "horizon"), ({"time_step": -1}, "time_step"), ({"gravity": [0, 0, 0]}, "gravity"), ({"units": "cubit"}, "units"),
     ({"fixed": ["x"]}, "fixed")],
)  # fmt: skip
def test_a_goal_that_is_wrong_is_rejected(goal: dict[str, Any], field: str) -> None:
    with pytest.raises(InputRejected, match=field):
        predicted({"a": at(0, 0, 0)}, goal)
    with pytest.raises(InputRejected, match="geometry"):
        ask("predict", {"a": np.empty((0, 3))})


@pytest.mark.requirement("predict.registration")
@given(seed=st.integers(0, 200), degrees=st.floats(0, 25))
@settings(max_examples=10, deadline=None)
def test_the_motion_between_two_samples_of_a_part_is_found(seed: int, degrees: float) -> None:
    sizes = (1.0, 2.0, 3.0)
    first, second = on_box((0, 0, 0), sizes, 1500, seed), on_box((0, 0, 0), sizes, 1600, seed + 1)
    axis = np.random.default_rng(seed).normal(size=3)
    turn = Rotation.from_rotvec(np.radians(degrees) * axis / np.linalg.norm(axis)).as_matrix()
    found = rigid_motion(first, second @ turn.T + [5, -2, 1])
    assert found is not None and found.method == "registration"
    assert np.degrees(np.linalg.norm(Rotation.from_matrix(found.rotation @ turn.T).as_rotvec())) < 2.0
    assert found.rotation @ (np.array(sizes) / 2) + found.translation == pytest.approx(
        turn @ (np.array(sizes) / 2) + [5, -2, 1], abs=0.05
    )
    exact = rigid_motion(first, first @ turn.T + 7)
    assert exact is not None and exact.method == "corresponding points"
    assert exact.rotation == pytest.approx(turn, abs=1e-9)


@pytest.mark.requirement("predict.registration")
def test_a_change_of_shape_is_no_motion() -> None:
    first = on_box((0, 0, 0), (1, 2, 3), 1500)
    assert rigid_motion(first, first * 1.3) is None
    found = predicted({"a": 10 * first * 1.3}, {"time_step": 1}, {"a": 10 * first})
    assert "no rigid motion" in found["warnings"][0]


@pytest.mark.requirement("predict.invariant")
@given(
    seed=st.integers(0, 99),
    scale=st.sampled_from([0.01, 25.4]),
    shift=st.tuples(*[st.floats(-300, 300)] * 3),
    case=st.integers(0, 3),
)
@settings(max_examples=16, deadline=None)
def test_moving_the_whole_scene_with_gravity_never_changes_the_verdict(
    seed: int, scale: float, shift: tuple[float, float, float], case: int
) -> None:
    scenes: list[dict[str, Array]] = [
        {"floor": FLOOR, "a": at(0, 0, FALL)},
        {"floor": FLOOR, "a": at(0, 0, 0), "b": at(2, 2, 10)},
        {"floor": FLOOR, "ledge": corners((-50, 0, 0), (4, 10, 30)), "a": at(0, 0, 50)},
        {"floor": FLOOR, "wall": corners((30, -50, 0), (35, 50, 40)), "a": at(0, 0, 0)},
    ]
    reading = {"object_id": "a", "velocity": [100.0, 0.0, 0.0]} if case == 3 else {"object_id": "a"}
    scene, turn = scenes[case], turned(seed)
    expected = predicted(scene, {}, sensor_readings=[reading])
    moved = transformed(scene, scale, turn, shift)
    if case == 3:
        reading = {"object_id": "a", "velocity": (scale * turn @ [100.0, 0, 0]).tolist()}
    found = predicted(
        moved, {"gravity": (-turn[:, 2]).tolist(), "acceleration": 9.81 * scale}, sensor_readings=[reading]
    )
    assert found["verdict"] == expected["verdict"]
    assert [each["state"] for each in found["data"]["objects"]] == [
        each["state"] for each in expected["data"]["objects"]
    ]
    assert [each["type"] for each in found["data"]["events"]] == [each["type"] for each in expected["data"]["events"]]


def _slid(turn: Array, digits: int = 9, friction: float = 0.01) -> dict[str, Any]:
    """The cube on a floor, given a push along it, with the whole scene turned."""
    cube = corners((0, 0, 0), (10, 10, 10))
    floor = corners((-500, -500, -10), (500, 500, 0))
    objects = {"b": np.round(cube @ turn.T, digits), "floor": np.round(floor @ turn.T, digits)}
    goal = {"units": "millimeter", "friction": friction, "horizon": 0.5, "gravity": (turn @ [0, 0, -1.0]).tolist()}
    readings = [{"object_id": "b", "velocity": (turn @ [500.0, 0, 0]).tolist()}]
    return ask("predict", objects, goal, kinds={"floor": "surface"}, sensor_readings=readings)


@pytest.mark.requirement("predict.turned")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("digits", [6, 12])
def test_a_body_slides_as_far_whatever_the_scene_s_orientation(seed: int, digits: int) -> None:
    turn = Rotation.random(random_state=seed).as_matrix()
    found = _slid(turn, digits)
    [state] = [each for each in found["data"]["objects"] if each["object_id"] == "b"]
    shift = np.array(state["transform"]).reshape(-1, 4)[:3, 3]
    # 500 t - mu g t² / 2 at t = 0.5 s
    assert np.linalg.norm(shift) == pytest.approx(500 * 0.5 - 0.01 * 9810 * 0.125, abs=0.05)
    assert found["verdict"] == "moves"


@pytest.mark.requirement("predict.pushed")
@pytest.mark.parametrize(
    ("force", "friction", "moved"),
    [
        ([0.0, 0, 20], 0.0, (20 - 9.81) * 500),  # it rises: (F - mg) / m * t² / 2 in mm, t = 1
        ([3.0, 0, -10], 0.2, 0.0),  # the floor presses with 19.8 N, so that friction holds up to 3.96 N
        ([1.0, 0, 5], 0.2, (1 - 0.2 * 4.81) * 500),
    ],
)
def test_a_force_across_the_floor_loads_or_lifts_the_body(force: list[float], friction: float, moved: float) -> None:
    objects = {"b": corners((0, 0, 0), (10, 10, 10)), "floor": corners((-9000, -9000, -10), (9000, 9000, 0))}
    goal = {"units": "millimeter", "friction": friction, "horizon": 1.0}
    readings = [{"object_id": "b", "force": force, "mass": 1.0}]
    found = ask("predict", objects, goal, kinds={"floor": "surface"}, sensor_readings=readings)
    [state] = [each for each in found["data"]["objects"] if each["object_id"] == "b"]
    shift = np.array(state["transform"]).reshape(-1, 4)[:3, 3]
    assert np.linalg.norm(shift) == pytest.approx(moved, abs=0.01)


@pytest.mark.requirement("predict.support-lost")
def test_what_rests_on_something_that_moves_away_is_not_said_to_rest() -> None:
    objects = {
        "floor": FLOOR,
        "cart": corners((0, 0, 0), (50, 50, 10)),
        "b": at(20, 20, 10),
        "still": corners((200, 200, 0), (220, 220, 20)),
    }
    readings = [{"object_id": "cart", "velocity": [100.0, 0, 0]}]
    found = ask("predict", objects, {"units": "millimeter"}, kinds={"floor": "surface"}, sensor_readings=readings)
    states = {each["object_id"]: each["state"] for each in found["data"]["objects"]}
    assert states["b"] == "undetermined" and states["still"] == "at_rest"
    assert found["verdict"] == "unknown" and "what it stands on moves" in found["reason"]
