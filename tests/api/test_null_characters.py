"""U+0000, which JSON can hold and Postgres cannot, in every text that is looked up or stored: never a 500."""

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
    "an extraction": _path("/api/v1/cad/extractions/req_%00"),
    "an upload": _path("/api/v1/uploads/up_%00"),
    "a batch": _path(f"{BATCH}/cb_%00"),
}


@pytest.mark.requirement("api.fuzz")
@pytest.mark.parametrize("place", PLACES)
async def test_a_null_character_is_the_callers_error(house: House, key: str, place: str) -> None:
    with small_solvers():
        answer = await PLACES[place](house, key)
    error = answer.json()["data"][0]["error"] if answer.status_code == 207 else answer.json().get("error")
    if answer.status_code != 200:  # a partner's document_id may be anything: it is not stored as it is
        assert answer.status_code in (207, 400, 404), answer.text
        assert error["type"] in ("invalid_request_error", "not_found")


@pytest.mark.requirement("api.fuzz")
def test_an_error_that_names_a_null_character_can_be_stored() -> None:
    error = InvalidRequest("the object t\0 is too far away", details={"objects": ["t\0"], "t\0": 1})
    assert error.to_wire() == {
        "class": "InvalidRequest",
        "message": "the object t\ufffd is too far away",
        "details": {"objects": ["t\ufffd"], "t\ufffd": 1},
    }
