"""PointCloud and PointCloudScene."""

from __future__ import annotations

import json
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.contract import limits
from spatial.contract.points import KINDS, PointCloud, PointCloudScene
from spatial.contract.validation import check
from spatial.errors import InputRejected, InvalidRequest

CLOUD: dict[str, Any] = {"object_id": "solid-1", "points": [{"x": 0.0, "y": 1.0, "z": 2.0}]}

numbers = st.floats(allow_nan=False, allow_infinity=False)


def wrong_path(value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(PointCloudScene, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


@pytest.mark.requirement("points.kind")
def test_kind_is_unknown_unless_said() -> None:
    assert check(PointCloud, CLOUD).kind == "unknown"
    assert [check(PointCloud, {**CLOUD, "kind": kind}).kind for kind in KINDS] == [
        *("unknown", "box", "surface", "container")
    ]


@pytest.mark.requirement("points.kind-rejected-422")
def test_another_kind_is_rejected_input_and_not_a_malformed_request() -> None:
    with pytest.raises(InputRejected) as caught:
        check(PointCloudScene, {"point_clouds": [CLOUD, {**CLOUD, "kind": "sphere"}]})
    assert caught.value.status == 422
    assert caught.value.type == "invalid_request_error"
    assert caught.value.details is not None
    assert caught.value.details["field"] == "point_clouds.1.kind"
    assert "unknown, box, surface, container" in caught.value.message


@pytest.mark.requirement("points.kind-rejected-422")
def test_a_malformed_request_stays_malformed_whatever_its_kind() -> None:
    assert wrong_path({"point_clouds": [{"object_id": 1, "points": [], "kind": "sphere"}]}) == (
        "point_clouds.0.object_id"
    )
    assert wrong_path({"point_clouds": [{**CLOUD, "kind": 5}]}) == "point_clouds.0.kind"


@pytest.mark.requirement("points.xyz", "contract.strict")
@pytest.mark.parametrize(
    ("point", "path"),
    [
        ({"x": 0, "y": 0}, "z"),
        ({"x": 0, "y": 0, "z": "0"}, "z"),
        ({"x": 0, "y": 0, "z": None}, "z"),
        ({"x": 0, "y": 0, "z": True}, "z"),
        ({"x": 0, "y": 0, "z": 0, "w": 1}, "w"),
    ],
)
def test_what_a_point_refuses(point: dict[str, Any], path: str) -> None:
    assert wrong_path({"point_clouds": [{**CLOUD, "points": [point]}]}) == f"point_clouds.0.points.0.{path}"


@pytest.mark.requirement("reasoning.non-finite-422", "contract.strict")
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_coordinate_that_is_not_finite_is_rejected_input(number: float) -> None:
    with pytest.raises(InputRejected) as caught:
        check(PointCloudScene, {"point_clouds": [{**CLOUD, "points": [{"x": 0, "y": number, "z": 0}]}]})
    assert caught.value.details is not None
    assert caught.value.details["field"] == "point_clouds.0.points.0.y"


@pytest.mark.requirement("points.object-id", "points.scene")
def test_object_id_points_and_point_clouds_are_required_and_scene_id_is_not() -> None:
    assert wrong_path({}) == "point_clouds"
    assert wrong_path({"point_clouds": [{"points": []}]}) == "point_clouds.0.object_id"
    assert wrong_path({"point_clouds": [{"object_id": "a"}]}) == "point_clouds.0.points"
    assert check(PointCloudScene, {"point_clouds": []}).model_dump(exclude_none=True) == {"point_clouds": []}
    assert check(PointCloudScene, {"point_clouds": [], "scene_id": "s"}).scene_id == "s"


@pytest.mark.requirement("contract.points-are-cheap", "points.xyz")
@given(st.lists(st.tuples(numbers, numbers, numbers), max_size=20))
def test_coordinates_go_in_and_come_out_as_numbers(rows: list[tuple[float, float, float]]) -> None:
    cloud = PointCloud.of("solid-1", rows)
    assert cloud.flat() == array("d", [value for row in rows for value in row])
    assert PointCloud.model_validate_json(cloud.model_dump_json()) == cloud


@pytest.mark.requirement("points.xyz", "contract.strict")
@pytest.mark.parametrize(
    "row", [(0.0, 0.0, float("nan")), (float("inf"), 0.0, 0.0), (0.0, 0.0), (0.0,) * 4, ("a", 0, 0)]
)
def test_rows_that_are_not_three_finite_numbers_are_refused(row: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        PointCloud.of("solid-1", [(0.0, 0.0, 0.0), row])


@pytest.mark.requirement("contract.points-are-cheap")
def test_a_full_scene_is_dicts_and_comes_back_whole() -> None:
    rows = [(place * 0.001, place * -0.5, 1e-9 * place) for place in range(limits.POINTS_TOTAL)]
    scene = PointCloudScene(point_clouds=[PointCloud.of("solid-1", rows)])
    again = PointCloudScene.model_validate_json(scene.model_dump_json(exclude_none=True))
    assert again == scene
    assert type(again.point_clouds[0].points[-1]) is dict


@pytest.mark.requirement("points.xyz")
def test_whole_numbers_are_numbers() -> None:
    cloud = check(PointCloud, {"object_id": "a", "points": [{"x": 1, "y": 2, "z": 3}]})
    assert json.loads(cloud.model_dump_json())["points"] == [{"x": 1.0, "y": 2.0, "z": 3.0}]
