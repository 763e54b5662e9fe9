"""placement: every pose stands, and overlaps with nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.points import PointCloudKind
from spatial.reasoning.scene.model import SceneObject
from tests.spatial.reasoning.shapes import Array, ask, cloud, corners, on_cylinder, on_sphere, solid_of

NOISE = 1e-4
"""Largest overlap of boxes that touch, from the contact tolerance of objects of this size."""


def block(name: str, low: Sequence[float], high: Sequence[float], kind: PointCloudKind = "box") -> SceneObject:
    return cloud(name, corners(low, high), kind)


def placed(entry: dict[str, Any], rows: Array) -> Array:
    pose = np.array(entry["transform"]).reshape(3, 4)
    return np.asarray(rows @ pose[:, :3].T + pose[:, 3])


def overlap(first: Array, second: Array) -> float:
    """The smallest extent of what two axis-aligned boxes of corners share; negative where they are apart."""
    low, high = np.maximum(first.min(axis=0), second.min(axis=0)), np.minimum(first.max(axis=0), second.max(axis=0))
    return float((high - low).min())


@pytest.mark.requirement("placement.free")
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_places_beside_other_boxes_are_free_inside_and_on_the_floor(seed: int) -> None:
    chance = np.random.default_rng(seed)
    lows = chance.uniform(0, 15, size=(4, 3)) * [1, 1, 0]
    obstacles = [corners(low, low + chance.uniform(2, 5, 3)) for low in lows]
    rows = corners([50, 0, 0], [50 + chance.uniform(2, 6), chance.uniform(2, 6), chance.uniform(2, 6)])
    tray = solid_of("tray", [([-1, -1, -1], [21, 21, 10])], [([0, 0, 0], [20, 20, 11])])
    found = ask(
        "placement",
        cloud("a", rows),
        tray,
        *(cloud(f"o{k}", each) for k, each in enumerate(obstacles)),
        object_id="a",
        secondary_id="tray",
    )
    for entry in found["data"]["poses"]:
        if entry["relation"] != "in":
            continue
        there = placed(entry, rows)
        assert there[:, 2].min() == pytest.approx(0, abs=NOISE)
        assert there[:, :2].min() >= -NOISE
        assert there[:, :2].max() <= 20 + NOISE
        assert max(overlap(there, other) for other in obstacles) <= NOISE
        assert entry["margin"] > 0


@pytest.mark.requirement("placement.prefer")
def test_the_preference_decides_which_pose_comes_first() -> None:
    item, shelf = block("a", [0, 0, 0], [3, 4, 5]), block("shelf", [20, 0, 0], [40, 20, 1])
    rows = corners([0, 0, 0], [3, 4, 5])
    first = {
        prefer: placed(
            ask("placement", item, shelf, object_id="a", secondary_id="shelf", goal={"prefer": prefer})["data"][
                "poses"
            ][0],
            rows,
        )
        for prefer in ("low", "corner", "centre", "margin")
    }
    assert first["low"][:, 2].max() == pytest.approx(1 + 3)
    assert first["centre"].mean(axis=0)[:2] == pytest.approx([30, 10], abs=1e-6)
    assert np.abs(first["corner"][:, :2] - np.array([[20, 0]])).sum(axis=1).min() == pytest.approx(0, abs=1e-6)
    assert first["margin"][:, 2].max() == pytest.approx(1 + 3)


@pytest.mark.requirement("placement.clearance")
def test_a_clearance_keeps_away_from_objects_and_walls() -> None:
    item, tray = (
        block("a", [50, 0, 0], [54, 54 - 50, 4]),
        solid_of("tray", [([-1, -1, -1], [13, 13, 10])], [([0, 0, 0], [12, 12, 11])]),
    )
    other = block("o", [0, 0, 0], [5, 12, 6])
    for clearance, verdict in ((1.4, "possible"), (1.6, "impossible")):  # 12 - 5 = 7 = 4 + 2 * 1.5
        found = ask(
            "placement",
            item,
            tray,
            other,
            object_id="a",
            secondary_id="tray",
            goal={"clearance": clearance, "relation": "in"},
        )
        assert found["verdict"] == verdict
        for entry in found["data"]["poses"]:
            assert entry["clearance_to_others"] >= clearance - NOISE
            assert entry["clearance_to_edge"] >= clearance - NOISE


@pytest.mark.requirement("placement.impossible")
def test_what_is_too_large_or_never_rests_is_not_placed() -> None:
    box = block("c", [0, 0, 0], [10, 10, 10], "container")
    assert ask("placement", block("a", [50, 0, 0], [61, 11, 11]), box)["verdict"] == "impossible"
    shelf = block("shelf", [0, 0, 0], [10, 10, 1])
    assert (
        ask("placement", cloud("ball", on_sphere(2)), shelf, object_id="ball", secondary_id="shelf")["verdict"]
        == "impossible"
    )


@pytest.mark.requirement("placement.free")
def test_a_rod_is_stood_on_its_end_and_a_bridge_on_both_feet() -> None:
    shelf = block("shelf", [0, 0, 0], [30, 30, 1])
    rod = ask("placement", cloud("rod", on_cylinder(2, 6) + 50), shelf, object_id="rod", secondary_id="shelf")
    assert rod["verdict"] == "possible"
    low, high = np.array(rod["data"]["poses"][0]["bounds"])
    assert high[2] - low[2] == pytest.approx(6)
    bridge = solid_of("bridge", [([0, 0, 0], [2, 4, 5]), ([8, 0, 0], [10, 4, 5]), ([0, 0, 5], [10, 4, 7])])
    found = ask("placement", bridge, shelf, object_id="bridge", secondary_id="shelf", goal={"rotate": False})
    polygon = np.array(found["proof"]["poses"][0]["support_polygon"])
    assert np.ptp(polygon, axis=0) == pytest.approx([10, 4, 0], abs=1e-6)


@pytest.mark.requirement("placement.free")
def test_steps_of_the_target_are_places_too() -> None:
    stair = solid_of("stair", [([0, 0, 0], [10, 10, 2]), ([10, 0, 0], [20, 10, 6])])
    found = ask(
        "placement",
        block("a", [50, 0, 0], [58, 8, 3]),
        stair,
        object_id="a",
        secondary_id="stair",
        goal={"rotate": False, "count": 2},
    )

    assert found["data"]["poses"][0]["bounds"][0][2] == pytest.approx(2)
