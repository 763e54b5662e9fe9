"""fit: boxes in boxes, pegs in bores, things on things; the truth is analytic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from spatial.contract.points import PointCloudKind
from spatial.errors import InputRejected
from spatial.reasoning.scene.model import SceneObject
from tests.spatial.reasoning.shapes import (
    ask,
    bored_block,
    cloud,
    corners,
    moved,
    on_box,
    on_cylinder,
    on_sphere,
    solid_of,
    turned,
)  # fmt: skip

NO_SHIFT = np.zeros(3)


def block(name: str, low: Sequence[float], high: Sequence[float], kind: PointCloudKind = "box") -> SceneObject:
    return cloud(name, corners(low, high), kind)


def container(size: Sequence[float], name: str = "c") -> SceneObject:
    return block(name, [20, 0, 0], [20 + size[0], size[1], size[2]], "container")


def tray(name: str = "tray") -> SceneObject:
    """Outside 40 x 30 x 20 with walls of 2: inside 36 x 26 x 18, open at the top."""
    return solid_of(name, [([0, 0, 0], [40, 30, 20])], [([2, 2, 2], [38, 28, 21])])


@pytest.mark.requirement("fit.exact")
@pytest.mark.parametrize("seed", [None, 3, 4])
@pytest.mark.parametrize(
    ("size", "verdict", "amount"), [(9.99, "fits", 0.01), (10.01, "does_not_fit", 0.01), (10.0, "fits", 0.0)]
)
def test_a_box_goes_into_a_box_by_a_hundredth(size: float, verdict: str, amount: float, seed: int | None) -> None:
    turn, other = (np.eye(3), np.eye(3)) if seed is None else (turned(seed), turned(seed + 10))
    first = moved(block("a", [0, 0, 0], [size] * 3), turn, np.array([5.0, 6.0, 7.0]))
    found = ask("fit", first, moved(container([10, 10, 10]), other, NO_SHIFT))
    assert found["verdict"] == verdict
    member = "clearance" if verdict == "fits" else "penetration_depth"
    assert found["data"][member] == pytest.approx(amount, abs=1e-6)


@pytest.mark.requirement("fit.exact")
@pytest.mark.parametrize(("size", "verdict"), [(9.99, "fits"), (10.01, "does_not_fit")])
@pytest.mark.parametrize("open_at", [None, 5, 0])
def test_sampled_boxes_are_as_exact_as_their_planes(size: float, verdict: str, open_at: int | None) -> None:
    first = moved(cloud("a", on_box([0, 0, 0], [size] * 3), "box"), turned(1), NO_SHIFT)
    second = moved(
        cloud("c", on_box([0, 0, 0], [10, 10, 10], open_at=open_at, seed=2), "container"), turned(2), NO_SHIFT
    )
    found = ask("fit", first, second, object_id="a", secondary_id="c")
    assert found["verdict"] == verdict
    amount = found["data"]["clearance" if verdict == "fits" else "penetration_depth"]
    assert amount == pytest.approx(0.01, abs=1e-6)


@pytest.mark.requirement("fit.rotation")
def test_a_box_that_must_be_turned_fits_and_does_not_if_the_goal_forbids_it() -> None:
    first, second = block("a", [0, 0, 0], [20, 10, 5]), container([5.01, 10.01, 20.01])
    found = ask("fit", first, second)
    assert found["verdict"] == "fits"
    assert found["data"]["clearance"] == pytest.approx(0.01, abs=1e-6)
    pose = np.array(found["data"]["transform"]).reshape(3, 4)
    inside = corners([0, 0, 0], [20, 10, 5]) @ pose[:, :3].T + pose[:, 3]
    assert (inside >= np.array([20, 0, 0]) - 1e-6).all()
    assert (inside <= np.array([25.01, 10.01, 20.01]) + 1e-6).all()
    still = ask("fit", first, second, goal={"rotate": False})
    assert still["verdict"] == "does_not_fit"
    assert still["data"]["penetration_depth"] == pytest.approx(14.99)
    assert np.abs(still["data"]["blocking_direction"]) == pytest.approx([1, 0, 0])


@pytest.mark.requirement("fit.rotation")
def test_a_rod_fits_along_the_diagonal_only() -> None:
    rod, space = block("a", [0, 0, 0], [13, 1, 1]), container([10, 10, 10])
    assert ask("fit", rod, space)["verdict"] == "fits"
    assert ask("fit", rod, space, goal={"rotate": "axes"})["verdict"] == "does_not_fit"
    assert ask("fit", block("a", [0, 0, 0], [17.5, 0.1, 0.1]), space)["verdict"] == "does_not_fit"


@pytest.mark.requirement("fit.rotation")
@pytest.mark.parametrize(("width", "verdict"), [(1.9, "fits"), (2.1, "does_not_fit")])
def test_a_rectangle_in_a_rectangle_follows_carver(width: float, verdict: str) -> None:
    """Carver 1957: p x q with p > a fits into a x b if b >= (2 p q a + (p² - q²) sqrt(p² + q² - a²)) / (p² + q²)."""
    p, q, a = 12.0, width, 10.0
    needed = (2 * p * q * a + (p**2 - q**2) * np.sqrt(p**2 + q**2 - a**2)) / (p**2 + q**2)
    middle = (2 * p * 2.0 * a + (p**2 - 4.0) * np.sqrt(p**2 + 4.0 - a**2)) / (p**2 + 4.0)
    assert (needed < middle) == (verdict == "fits")
    found = ask("fit", block("a", [0, 0, 0], [p, q, 3]), container([a, middle, 3]))
    assert found["verdict"] == verdict


@pytest.mark.requirement("fit.bore")
@pytest.mark.parametrize(("radius", "verdict", "amount"), [(4.99, "fits", 0.02), (5.01, "does_not_fit", 0.02)])
@pytest.mark.parametrize("seed", [None, 5])
@pytest.mark.parametrize("depth", [None, 12.0])
def test_a_peg_goes_into_a_bore_by_the_radii(
    radius: float, verdict: str, amount: float, seed: int | None, depth: float | None
) -> None:
    turn = np.eye(3) if seed is None else turned(seed)
    peg = moved(cloud("peg", on_cylinder(radius, 30)), turn, np.array([50.0, 0.0, 0.0]))
    found = ask("fit", peg, bored_block("block", 5.0, depth), object_id="peg", secondary_id="block")
    assert found["verdict"] == verdict
    assert found["data"]["clearance" if verdict == "fits" else "penetration_depth"] == pytest.approx(amount, abs=1e-6)
    assert found["data"]["space"]["radius"] == 5.0
    if verdict == "fits":
        assert found["data"]["protrusion"] == pytest.approx(30 - (depth or 20), abs=1e-6)


@pytest.mark.requirement("fit.bore")
def test_a_square_peg_goes_into_a_round_hole_by_its_diagonal() -> None:
    side = 5.0 * np.sqrt(2)
    for size, verdict in ((side - 0.01, "fits"), (side + 0.01, "does_not_fit")):
        found = ask(
            "fit", block("a", [0, 0, 0], [size, size, 30]), bored_block("b", 5.0), object_id="a", secondary_id="b"
        )
        assert found["verdict"] == verdict
        amount = found["data"]["clearance" if verdict == "fits" else "penetration_depth"]
        assert amount == pytest.approx(0.01 * np.sqrt(2), abs=1e-6)


@pytest.mark.requirement("fit.clearance")
def test_the_goal_sets_the_least_clearance() -> None:
    first, second = block("a", [0, 0, 0], [9.9, 9.9, 9.9]), container([10, 10, 10])
    assert ask("fit", first, second, goal={"clearance": 0.1})["verdict"] == "fits"
    assert ask("fit", first, second, goal={"clearance": 0.11})["verdict"] == "does_not_fit"


@pytest.mark.requirement("fit.insertion")
@pytest.mark.requirement("shape.cavity")
def test_the_way_into_a_tray_is_down_through_its_opening() -> None:
    found = ask("fit", block("a", [0, 0, 0], [10, 10, 10]), tray(), object_id="a", secondary_id="tray")
    way = found["data"]["insertion"]
    assert found["verdict"] == "fits"
    assert way["is_possible"] is True
    assert way["direction"] == pytest.approx([0, 0, -1])
    assert way["length"] == pytest.approx(18)
    start, end = (np.array(pose).reshape(3, 4)[:, 3] for pose in way["path"])
    assert end - start == pytest.approx(np.array([0, 0, -18]))
    assert found["data"]["space"]["size"] == pytest.approx([36, 26, 18])
    assert found["data"]["space"]["sides"] == ["wall", "wall", "wall", "wall", "wall", "open"]


@pytest.mark.requirement("fit.insertion")
def test_a_wall_or_another_object_in_the_way_is_named() -> None:
    first, lid = block("a", [50, 0, 0], [60, 10, 10]), block("lid", [0, 0, 21], [40, 30, 22])
    sideways = ask("fit", first, tray(), object_id="a", secondary_id="tray", goal={"direction": [1, 0, 0]})
    assert sideways["verdict"] == "does_not_fit"
    assert sideways["data"]["insertion"]["enters_through"] == "wall"
    covered = ask("fit", first, tray(), lid, object_id="a", secondary_id="tray")
    assert covered["verdict"] == "does_not_fit"
    assert covered["data"]["insertion"]["blocked_by"] == ["lid"]
    oblique = ask("fit", first, tray(), object_id="a", secondary_id="tray", goal={"direction": [1, 0, -1]})
    assert oblique["verdict"] == "unknown"


@pytest.mark.requirement("fit.insertion")
def test_a_closed_container_has_room_and_no_way_in() -> None:
    closed = cloud("c", on_box([0, 0, 0], [10, 10, 10]), "container")
    found = ask("fit", block("a", [0, 0, 0], [9, 9, 9]), closed)
    assert found["verdict"] == "fits"
    assert found["data"]["insertion"]["is_possible"] is False
    assert any("no way in" in warning for warning in found["warnings"])


@pytest.mark.requirement("fit.proof")
def test_the_proof_has_the_contact_on_the_floor_and_the_closest_pair() -> None:
    found = ask("fit", block("a", [0, 0, 0], [35, 10, 10]), tray(), object_id="a", secondary_id="tray")
    contact = np.array(found["proof"]["contact_points"])
    assert contact[:, 2] == pytest.approx(2)
    assert np.ptp(contact, axis=0) == pytest.approx([35, 10, 0])
    pair = found["proof"]["closest_pair"]
    assert pair["distance"] == pytest.approx(0.5)
    assert np.linalg.norm(np.subtract(pair["on_object"], pair["on_target"])) == pytest.approx(0.5)


@pytest.mark.requirement("fit.on")
@pytest.mark.parametrize(("size", "verdict"), [(9.99, "fits"), (10.01, "does_not_fit")])
def test_a_block_fits_onto_a_block_within_its_edges(size: float, verdict: str) -> None:
    found = ask(
        "fit",
        block("a", [0, 0, 0], [size, size, size]),
        block("b", [30, 0, 0], [40, 10, 5]),
        object_id="a",
        secondary_id="b",
    )
    assert found["verdict"] == verdict
    assert found["data"]["relation"] == "on"
    if verdict == "does_not_fit":
        assert found["data"]["penetration_depth"] == pytest.approx(0.005, abs=1e-6)


@pytest.mark.requirement("fit.occupied")
def test_other_objects_in_the_space_are_avoided_or_leave_the_answer_open() -> None:
    box, small = container([10, 10, 10]), block("a", [0, 0, 0], [4, 4, 4])
    beside = ask(
        "fit",
        small,
        box,
        block("other", [23, 3, 0], [27, 7, 6]),
        object_id="a",
        secondary_id="c",
        goal={"rotate": False},
    )
    assert beside["verdict"] == "unknown"
    assert "other" in beside["reason"]
    corner = ask(
        "fit",
        small,
        box,
        block("other", [20, 0, 0], [25, 5, 6]),
        object_id="a",
        secondary_id="c",
        goal={"rotate": False},
    )
    assert corner["verdict"] == "fits"
    pose = np.array(corner["data"]["transform"]).reshape(3, 4)
    low, high = pose[:, 3], pose[:, 3] + 4
    assert (low >= np.array([20, 0, 0]) - 1e-6).all()
    assert (high <= np.array([30, 10, 10]) + 1e-6).all()
    assert low[0] >= 25 - 1e-6 or low[1] >= 5 - 1e-6


@pytest.mark.requirement("fit.unknown")
@pytest.mark.requirement("shape.bound")
@pytest.mark.parametrize(("width", "verdict"), [(5.5, "does_not_fit"), (6.05, "unknown"), (7.0, "fits")])
def test_a_sampled_egg_is_unknown_only_within_its_error(width: float, verdict: str) -> None:
    egg = cloud("egg", on_sphere(1) * [3, 2, 1])
    found = ask("fit", egg, container([width, 8, 8]), goal={"rotate": False})
    assert found["verdict"] == verdict
    assert ("reason" in found) == (verdict == "unknown")


@pytest.mark.requirement("fit.unknown")
def test_a_cloud_of_unknown_kind_may_be_hollow_and_a_solid_block_is_not() -> None:
    small = block("a", [0, 0, 0], [4, 4, 4])
    maybe = ask("fit", small, block("b", [0, 0, 0], [10, 10, 10], "unknown"), object_id="a", secondary_id="b")
    assert maybe["verdict"] == "unknown"
    assert "container" in maybe["reason"]
    given = ask(
        "fit",
        small,
        block("b", [0, 0, 0], [10, 10, 10], "unknown"),
        object_id="a",
        secondary_id="b",
        goal={"relation": "in"},
    )
    assert given["verdict"] == "fits"
    full = solid_of("b", [([0, 0, 0], [10, 10, 10])])
    assert (
        ask("fit", small, full, object_id="a", secondary_id="b", goal={"relation": "in"})["verdict"] == "does_not_fit"
    )
    large = block("a", [0, 0, 0], [40, 4, 4])
    assert (
        ask("fit", large, block("b", [0, 0, 0], [10, 10, 10], "unknown"), object_id="a", secondary_id="b")["verdict"]
        == "does_not_fit"
    )


@pytest.mark.requirement("fit.target")
def test_the_only_container_is_the_target_and_else_the_ids_are_named() -> None:
    first, second = block("a", [0, 0, 0], [4, 4, 4]), container([10, 10, 10])
    assert ask("fit", first, second, block("b", [0, 50, 0], [1, 51, 1]), object_id="a")["data"]["target"] == "c"
    with pytest.raises(InputRejected) as raised:
        ask("fit", first, second, container([9, 9, 9], "d"), object_id="a")
    assert (raised.value.details or {})["known_ids"] == ["a", "c", "d"]
    assert (raised.value.details or {})["field"] == "input.secondary_id"


@pytest.mark.requirement("contact.rejected")
@pytest.mark.parametrize(
    ("points", "message"),
    [
        (corners([0, 0, 0], [1, 1, 1])[:3], "too few"),
        (on_box([0, 0, 0], [1, 1, 0], 100), "lie in one plane"),
        (np.empty((0, 3)), "geometry"),
    ],
)
@pytest.mark.parametrize("task", ["fit", "stability", "placement"])
def test_too_few_or_flat_points_are_rejected_with_what_to_send(task: Any, points: Any, message: str) -> None:
    with pytest.raises(InputRejected, match=message) as raised:
        ask(task, cloud("a", points), container([10, 10, 10]), object_id="a")
    assert "send" in str(raised.value)


@pytest.mark.requirement("contact.rejected")
@pytest.mark.parametrize("task", ["fit", "stability", "placement"])
def test_a_scene_without_geometry_is_rejected_with_what_to_send(task: Any) -> None:
    with pytest.raises(InputRejected, match="neither geometry nor an image; send"):
        ask(task, cloud("a", np.empty((0, 3))))


@pytest.mark.requirement("contact.rejected")
@pytest.mark.parametrize("task", ["fit", "stability", "placement"])
def test_a_node_of_a_diagram_is_rejected(task: Any) -> None:
    node = SceneObject("n", "node", bounds=np.array([[0.0, 0, 0], [1, 1, 0]]))
    with pytest.raises(InputRejected, match="part of a drawing"):
        ask(task, node, container([10, 10, 10]), object_id="n")


@pytest.mark.requirement("fit.unknown")
@pytest.mark.requirement("stability.unknown")
def test_an_extent_alone_decides_a_fit_and_nothing_else() -> None:
    known = SceneObject("a", "solid", bounds=np.array([[0.0, 0, 0], [4, 4, 4]]))
    assert ask("fit", known, container([10, 10, 10]), object_id="a")["verdict"] == "fits"
    assert ask("fit", known, container([3, 3, 3]), object_id="a")["verdict"] == "unknown"
    assert ask("stability", known)["verdict"] == "unknown"
    assert ask("placement", known, container([10, 10, 10]), object_id="a")["verdict"] == "unknown"


@pytest.mark.requirement("contact.goal")
@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ({"clearance": -1}, "clearance"), ({"clearance": "1"}, "clearance"), ({"direction": [0, 0, 0]}, "direction"),
        ({"direction": [0, 1]}, "direction"), ({"gravity": "down"}, "gravity"), ({"rotate": "no"}, "rotate"), ({"relation": 3}, "relation"),
        ({"protrude": 1}, "protrude"),
    ],
)  # fmt: skip
def test_a_member_of_the_goal_that_cannot_be_used_is_named(goal: dict[str, Any], name: str) -> None:
    with pytest.raises(InputRejected) as raised:
        ask("fit", block("a", [0, 0, 0], [4, 4, 4]), container([10, 10, 10]), goal=goal)
    assert (raised.value.details or {})["field"] == f"input.goal.{name}"
