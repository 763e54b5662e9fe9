"""U+0000, which JSON can hold and Postgres cannot, and numbers that are not finite: one answer, whatever the route, and never a 500."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx
import pytest

from spatial.errors import InvalidRequest
from tests.api.batch_house import BATCH, item
from tests.api.house import House, headers
from tests.api.reasoning_house import question, respond, small_solvers

NULL: Final = "sc_\0x"
Ask = Callable[[House, str], Awaitable[httpx.Response]]


def _reasoning(**members: Any) -> Ask:
    return lambda house, key: respond(house, key, question(**members))


async def _in_a_batch(house: House, key: str) -> httpx.Response:
    body = {"requests": [{"input": question(previous_scene_id=NULL)["input"]}]}
    return await house.client.post("/api/v1/responses/batch", json=body, headers=headers(key))


def _tree(**members: Any) -> Ask:
    body = {"partner": "cad", "document_id": "d", "feature_tree": [{"id": "a", "feature_type": "box"}], **members}
    return lambda house, key: house.client.post("/api/v1/cad/import-feature-tree", json=body, headers=headers(key))


def _path(path: str) -> Ask:
    return lambda house, key: house.client.get(path, headers=headers(key))


PLACES: Final[dict[str, Ask]] = {
    "scene_id": _reasoning(scene_id=NULL),
    "previous_scene_id": _reasoning(previous_scene_id=NULL),
    "scene of a cad_scene": _reasoning(point_cloud_scene=None, cad_scene={"scene_id": NULL}),
    "extraction of a cad_scene": _reasoning(point_cloud_scene=None, cad_scene={"extraction_id": NULL}),
    "upload of a cad_scene": _reasoning(point_cloud_scene=None, cad_scene={"upload_id": NULL}),
    "an item of a responses batch": _in_a_batch,
    "upload_id": lambda house, key: house.extract(key, content_base64=None, upload_id=NULL),
    "upload_id of an item": lambda house, key: house.client.post(
        BATCH, json={"items": [item(content_base64=None, upload_id=NULL)]}, headers=headers(key)
    ),
    "partner": _tree(partner=NULL),
    "document_id": _tree(document_id=NULL),
}
PATHS: Final[dict[str, Ask]] = {
    "an extraction": _path("/api/v1/cad/extractions/req_%00"),
    "an upload": _path("/api/v1/uploads/up_%00"),
    "a batch": _path(f"{BATCH}/cb_%00"),
}


@pytest.mark.requirement("api.fuzz", "api.null-and-not-finite")
@pytest.mark.parametrize("place", [*PLACES, *PATHS])
async def test_a_null_character_is_the_callers_error(house: House, key: str, place: str) -> None:
    with small_solvers():
        answer = await (PLACES | PATHS)[place](house, key)
    error = answer.json()["data"][0]["error"] if answer.status_code == 207 else answer.json().get("error")
    if place in PATHS:  # an id of nobody
        assert (answer.status_code, error["type"]) == (404, "not_found")
        return
    assert answer.status_code in (400, 207) and error["type"] == "invalid_request_error", answer.text
    assert "U+0000" in error["message"] and error["details"]["errors"][0]["path"] == error["details"]["field"]
    assert "usage" not in error["details"], "it is refused before it is worked on"


@pytest.mark.requirement("api.null-and-not-finite")
async def test_escaped_backslashes_before_u0000_are_no_null_character(house: House, key: str) -> None:
    with small_solvers():
        answer = await respond(house, key, question(further="\\u0000 is how JSON writes it"))
    assert answer.status_code == 200, answer.text


@pytest.mark.requirement("api.null-and-not-finite")
@pytest.mark.parametrize("number", [b"NaN", b"1e999", b"-Infinity"])
async def test_a_number_of_a_feature_tree_that_is_not_finite_is_422_with_its_path(
    house: House, key: str, number: bytes
) -> None:
    body = (
        b'{"partner":"cad","document_id":"d","feature_tree":[{"id":"a","feature_type":"box","parameters":{"a":%s}}]}'
        % number
    )
    asked = {**headers(key), "Content-Type": "application/json"}
    answer = await house.client.post("/api/v1/cad/import-feature-tree", content=body, headers=asked)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"]["field"] == "feature_tree.0.parameters.a"


@pytest.mark.requirement("api.fuzz")
def test_an_error_that_names_a_null_character_can_be_stored() -> None:
    error = InvalidRequest("the object t\0 is too far away", details={"objects": ["t\0"], "t\0": 1})
    assert error.to_wire() == {
        "class": "InvalidRequest",
        "message": "the object t\ufffd is too far away",
        "details": {"objects": ["t\ufffd"], "t\ufffd": 1},
    }
