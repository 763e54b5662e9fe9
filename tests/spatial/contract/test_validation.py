"""How a body that does not validate is refused."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from spatial.contract.batch import CadExtractBatchRequest
from spatial.contract.extraction import CadExtractRequest
from spatial.contract.responses import ResponsesRequest
from spatial.contract.validation import MOST_COUNTED, MOST_LISTED, check, read
from spatial.errors import InputRejected, InvalidRequest

KIND = {"object_id": "a", "points": [], "kind": "sphere"}


@pytest.mark.requirement("validation.400-with-path", "error.400.body")
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"file_name": "a.step",}', b"\xff\xfe", b'{"a": NaN}', b'{"a": Infinity}', b"[" * 1_000, b"\x00"],
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest, match="not JSON") as caught:
        read(CadExtractRequest, body)
    assert caught.value.details == {"field": "body"}


@pytest.mark.requirement("validation.400-with-path", "error.400.body")
@pytest.mark.parametrize("body", [b"null", b"[]", b'"x"', b"5", b"true"])
def test_json_that_is_not_an_object_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read(CadExtractRequest, body)
    assert caught.value.details is not None
    assert caught.value.details["field"] == "body"


@pytest.mark.requirement("validation.400-with-path")
def test_the_message_names_the_first_wrong_field_and_details_name_all() -> None:
    value = {"items": [{"file_name": "", "content_base64": "SVNP"}, {"file_name": "b.step", "content_base64": "x"}]}
    with pytest.raises(InvalidRequest) as caught:
        check(CadExtractBatchRequest, value)
    assert caught.value.message.startswith("items.0.file_name: ")
    assert caught.value.details is not None
    assert caught.value.details["field"] == "items.0.file_name"
    assert [error["path"] for error in caught.value.details["errors"]] == [
        *("items.0.file_name", "items.1.content_base64")
    ]


@pytest.mark.requirement("validation.400-with-path")
def test_details_say_nothing_of_what_was_sent() -> None:
    with pytest.raises(InvalidRequest) as caught:
        check(CadExtractRequest, {"file_name": ["secret"], "content_base64": "secret!"})
    assert "secret" not in caught.value.message
    assert "secret" not in str(caught.value.details)


@pytest.mark.requirement("validation.400-with-path")
def test_a_body_with_very_many_wrong_fields_lists_the_first_ones() -> None:
    with pytest.raises(InvalidRequest) as caught:
        check(ResponsesRequest, {"input": {"task_type": "fit"}, **{f"m{place}": 0 for place in range(100)}})
    assert caught.value.details is not None
    assert len(caught.value.details["errors"]) == MOST_LISTED
    assert caught.value.details["further_errors"] == 100 - MOST_LISTED


@pytest.mark.requirement("validation.400-with-path", "responses.body-bounded")
def test_a_list_of_points_names_its_first_wrong_point() -> None:
    points = [{"x": 0, "y": 0, "z": 0}, *({} for _ in range(100))]
    scene = {"point_clouds": [{"object_id": "a", "points": points}, {}, {}]}
    with pytest.raises(InvalidRequest) as caught:
        check(ResponsesRequest, {"input": {"task_type": "fit", "point_cloud_scene": scene}})
    assert caught.value.details is not None
    path = "input.point_cloud_scene.point_clouds.0.points.1"
    assert [error["path"] for error in caught.value.details["errors"]] == [f"{path}.{name}" for name in "xyz"]


@pytest.mark.requirement("validation.400-with-path", "responses.body-bounded")
def test_a_body_with_more_wrong_fields_than_are_listed_names_the_first() -> None:
    members = {f"m{place}": 0 for place in range(MOST_COUNTED)}
    with pytest.raises(InvalidRequest) as caught:
        check(ResponsesRequest, {**members, "model": 1})
    assert caught.value.details is not None
    assert caught.value.details["invalid_fields"] == MOST_COUNTED + 2
    assert [error["path"] for error in caught.value.details["errors"]] == [f"m{place}" for place in range(MOST_LISTED)]
    assert str(caught.value).endswith("beginning with m0: is not known here; leave it out or correct its spelling")


@pytest.mark.requirement("validation.400-with-path", "responses.body-bounded")
def test_many_wrong_fields_far_from_the_beginning_are_counted() -> None:
    class Row(BaseModel):
        a: int

    class Body(BaseModel):
        rows: list[Row]

    with pytest.raises(InvalidRequest) as caught:
        check(Body, {"rows": [{"a": 0}] * MOST_LISTED + [{}] * (MOST_COUNTED + 1)})
    assert caught.value.details == {"field": "body", "invalid_fields": MOST_COUNTED + 1}


@pytest.mark.requirement("points.kind-rejected-422")
@pytest.mark.parametrize(
    "members",
    [
        {"point_cloud_scene": {"point_clouds": [KIND]}},
        {"previous_point_cloud_scene": {"point_clouds": [KIND, KIND]}},
    ],
)
def test_a_request_with_an_unknown_kind_is_rejected_input(members: dict[str, Any]) -> None:
    with pytest.raises(InputRejected):
        check(ResponsesRequest, {"input": {"task_type": "fit", **members}})
