"""Two states of point clouds: sampled anew, moved, grown."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.reasoning.scene.model import Array
from tests.spatial.reasoning.diff.revisions import clouds, clouds_compared

COUNT = 1500


def box(seed: int, size: tuple[float, float, float] = (40, 20, 10)) -> Array:
    """Uniform points on the surface of a box around the origin."""
    rng = np.random.default_rng(seed)
    sides = np.array(size, dtype=float)
    areas = np.array([sides[1] * sides[2], sides[0] * sides[2], sides[0] * sides[1]])
    face = rng.choice(3, COUNT, p=areas / areas.sum())
    rows = (rng.random((COUNT, 3)) - 0.5) * sides
    rows[np.arange(COUNT), face] = np.sign(rng.random(COUNT) - 0.5) * sides[face] / 2
    return np.asarray(rows)


def ball(seed: int, radius: float = 10.0) -> Array:
    """Uniform points on a sphere around the origin."""
    rows = np.random.default_rng(seed).normal(size=(COUNT, 3))
    return np.asarray(radius * rows / np.linalg.norm(rows, axis=1, keepdims=True))


def turn(degrees: float) -> Array:
    """(3, 3) about the axis (1, 2, 3)."""
    axis = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
    skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    angle = np.radians(degrees)
    return np.asarray(np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew)


AWAY = np.array([60.0, 0.0, 0.0])


@pytest.mark.requirement("compare.clouds")
def test_two_samples_of_one_surface_are_the_same() -> None:
    found = clouds_compared({"box": box(1), "ball": ball(2) + AWAY}, {"box": box(3), "ball": ball(4) + AWAY})
    assert found["verdict"] == "same"
    for deviation in found["proof"]["deviation"].values():
        assert deviation["method"] == "point_to_plane"
        assert abs(deviation["mean"]) < deviation["finest_change"]


@pytest.mark.requirement("compare.clouds")
@pytest.mark.parametrize("growth", [0.5, -0.5])
def test_a_ball_that_grew_is_changed_by_the_signed_distance(growth: float) -> None:
    found = clouds_compared(
        {"box": box(1), "ball": ball(2) + AWAY}, {"box": box(3), "ball": ball(4, 10 + growth) + AWAY}
    )
    diff = found["data"]["cad_scene_diff"]
    assert diff["summary"] == {"changed": 1}
    assert diff["objects"]["changed"][0]["id"] == "ball"
    deviation = found["proof"]["deviation"]["ball"]
    # The tangent planes of a sample lie below the sphere by about its noise.
    assert deviation["mean"] == pytest.approx(growth, abs=2 * deviation["noise"])


@pytest.mark.requirement("compare.cloud-motion")
@pytest.mark.parametrize("seeds", [(1, 1), (1, 5)], ids=["same points", "other points"])
def test_the_motion_of_one_cloud_is_found(seeds: tuple[int, int]) -> None:
    still = {"ball": ball(2) + AWAY, "wall": box(9, (200, 2, 100)) - [0, 80, 0]}
    rotation, shift = turn(25), np.array([5.0, -3.0, 8.0])
    found = clouds_compared({**still, "box": box(seeds[0])}, {**still, "box": box(seeds[1]) @ rotation.T + shift})
    diff = found["data"]["cad_scene_diff"]
    assert diff["summary"] == {"moved": 1}
    (row,) = diff["objects"]["moved"]
    assert row["id"] == "box"
    assert row["angle_degrees"] == pytest.approx(25, abs=1.0)
    assert row["axis"] == pytest.approx((np.array([1, 2, 3]) / np.sqrt(14)).tolist(), abs=0.03)
    assert row["by"] == pytest.approx(shift.tolist(), abs=1.5)


@pytest.mark.requirement("compare.alignment")
def test_point_clouds_that_are_moved_as_a_whole_are_aligned() -> None:
    before = {"box": box(1), "ball": ball(2) + AWAY}
    after = {name: rows @ turn(40).T + [5, 6, 7] for name, rows in before.items()}
    found = clouds_compared(before, after)
    diff = found["data"]["cad_scene_diff"]
    assert found["verdict"] == "same"
    assert diff["alignment"]["translation"] == pytest.approx([5, 6, 7], abs=1e-6)
    assert diff["alignment"]["angle_degrees"] == pytest.approx(40)


@pytest.mark.requirement("compare.cloud-motion")
def test_clouds_that_one_scene_has_are_added_or_removed_and_may_have_new_ids() -> None:
    before = {"a": box(1), "b": ball(2) + AWAY}
    after = {"c": box(1), "b": ball(2) + AWAY, "d": ball(3, 4.0) + np.array([0, 90, 0])}
    diff = clouds_compared(before, after)["data"]["cad_scene_diff"]
    assert diff["summary"] == {"added": 1, "redrawn": 1}
    assert diff["objects"]["added"][0]["id"] == "d"
    assert diff["objects"]["redrawn"][0]["previous_id"] == "a"


@pytest.mark.requirement("compare.nothing")
def test_the_order_of_clouds_never_matters() -> None:
    before = {"a": box(1), "b": ball(2) + AWAY}
    found = clouds_compared(before, dict(reversed(before.items())))
    assert found["verdict"] == "same"
    assert len(clouds(before)["point_clouds"]) == found["proof"]["matching"]["objects"]["pairs"]


@pytest.mark.requirement("compare.clouds")
@pytest.mark.parametrize("order", [1, -1])
def test_a_cloud_that_is_one_place_is_compared_as_any_other(order: int) -> None:
    point, cube = np.full((300, 3), 1.0), box(1)
    previous, current = (point, cube)[::order]
    assert clouds_compared({"a": previous}, {"a": current})["verdict"] == "changed"
