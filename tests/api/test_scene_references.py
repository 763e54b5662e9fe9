"""Scenes that were sent ahead and are named in place of the scene."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from spatial.contract import examples
from storage.objects.lake import Lake, LakeUnavailable
from tests.api.house import House, assert_fault, headers
from tests.api.reasoning_house import DOCUMENT, counts, question, respond, respond_to_batch, small_solvers

UPLOADS = "/api/v1/uploads"
CLOUDS = examples.POINT_CLOUD_SCENE


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


def _naming(member: str, upload: str) -> dict[str, Any]:
    reference: dict[str, Any] = {member: {"upload_id": upload}}
    return question(**reference)


async def send_ahead(house: House, key: str, document: Any, name: str = "bushing.json") -> str:
    """The id of an upload that has received a document; bytes go as they are."""
    made = await house.client.post(UPLOADS, json={"file_name": name}, headers=headers(key))
    assert made.status_code == 201, made.text
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    sent = await house.client.put(made.json()["upload_url"], content=data, headers=headers(key))
    assert sent.status_code == 200, sent.text
    return str(made.json()["id"])


@pytest.mark.requirement("responses.sent-ahead", "upload.scene", "responses.tokens")
async def test_a_document_that_was_sent_ahead_is_the_scene(house: House, key: str) -> None:
    now = await send_ahead(house, key, DOCUMENT)
    points = [{"x": place, "y": 0, "z": 0} for place in range(5_000)]
    cloud = {"object_id": "solid-1", "points": points}
    before = await send_ahead(house, key, {**DOCUMENT, "point_cloud_scene": {"point_clouds": [cloud]}})
    body = {
        "input": {"task_type": "compare", "cad_scene": {"upload_id": now}, "previous_cad_scene": {"upload_id": before}}
    }
    answer = await respond(house, key, body)
    assert answer.status_code == 200, answer.text
    [(_, asked, _)] = house.dispatch.asked
    assert asked.cad_scene is not None and json.loads(asked.cad_scene.model_dump_json(exclude_none=True)) == DOCUMENT
    assert asked.previous_cad_scene is not None and asked.previous_cad_scene.point_cloud_scene is not None
    assert asked.previous_cad_scene.point_cloud_scene.point_clouds[0].points == points
    assert answer.json()["usage"]["input_tokens"] == -(-len(json.dumps(body)) // 4)
    upload = await house.client.get(f"{UPLOADS}/{now}", headers=headers(key))
    assert upload.json()["status"] == "used"


@pytest.mark.requirement("responses.sent-ahead", "upload.idempotency", "responses.idempotency")
async def test_the_replay_of_a_request_needs_no_upload(house: House, key: str) -> None:
    upload = await send_ahead(house, key, DOCUMENT)
    body = question(cad_scene={"upload_id": upload})
    first = await respond(house, key, {**body, "input": {**body["input"], "object_id": "solid-1"}}, retry="one")
    assert first.status_code == 200, first.text
    assert (await house.client.delete(f"{UPLOADS}/{upload}", headers=headers(key))).status_code == 204
    again = await respond(house, key, {**body, "input": {**body["input"], "object_id": "solid-1"}}, retry="one")
    assert again.headers["idempotency-replayed"] == "true" and again.content == first.content
    other = await respond(house, key, question(cad_scene={"upload_id": "up_2"}), retry="one")
    assert_fault(other, 409, "idempotency_conflict")


@pytest.mark.requirement("responses.sent-ahead-refused", "upload.account-scoped")
async def test_a_reference_that_names_nothing_is_400_with_its_path(house: House, key: str) -> None:
    others = await send_ahead(house, await house.key(), DOCUMENT)
    waiting = (await house.client.post(UPLOADS, json={"file_name": "a.json"}, headers=headers(key))).json()["id"]
    expired = await send_ahead(house, key, DOCUMENT)
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql(
            f"UPDATE uploads SET expires_at = clock_timestamp() - interval '1 s' WHERE id = '{expired}'"
        )
    for upload in ("up_nothing", others, waiting, expired):
        for member in ("cad_scene", "previous_cad_scene"):
            refused = await respond(house, key, _naming(member, upload))
            details = assert_fault(refused, 400, "invalid_request_error")
            assert details["field"] == f"input.{member}.upload_id"
    assert not house.dispatch.asked and await counts(house, key) is None


BALL: dict[str, Any] = {"point_clouds": [{"object_id": "a", "points": [], "kind": "ball"}]}


@pytest.mark.requirement("responses.sent-ahead-refused")
@pytest.mark.parametrize(
    ("document", "status", "path"),
    [
        (b"ISO-10303-21;", 400, ""),
        (b"[1]", 400, ""),
        ({**DOCUMENT, "schema": "cad.extraction.v0"}, 400, ".schema"),
        (CLOUDS, 400, ".schema"),
        ({**DOCUMENT, "units": 7}, 400, ".units"),
        (
            {**dict[str, Any](DOCUMENT), "point_cloud_scene": BALL},
            422,
            "",
        ),
        (json.dumps({**DOCUMENT, "own": 0}).encode().replace(b'"own": 0', b'"own": 1e999'), 422, ".own"),
    ],
    ids=["step", "array", "version", "clouds", "units", "kind", "infinite"],
)
async def test_a_file_that_is_no_extraction_is_refused_with_its_path(
    house: House, key: str, document: Any, status: int, path: str
) -> None:
    upload = await send_ahead(house, key, document)
    refused = await respond(house, key, question(cad_scene={"upload_id": upload}))
    details = assert_fault(refused, status, "invalid_request_error")
    assert details["field"].startswith(f"input.cad_scene.upload_id{path}")
    assert not house.dispatch.asked and await counts(house, key) is None


@pytest.mark.requirement("responses.sent-ahead-refused", "error.400.body")
@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"cad_scene": {"upload_id": "7"}}, "input.cad_scene.upload_id"),
        ({"cad_scene": {"upload_id": "up_1", "scene_id": "scene_1"}}, "input.cad_scene"),
        ({"cad_scene": {"upload_id": "up_1", "more": 1}}, "input.cad_scene.more"),
        ({"cad_scene": {"scene_id": ""}}, "input.cad_scene.scene_id"),
        ({"cad_scene": {"scene_id": "scene_1"}}, "input.cad_scene.scene_id"),
        ({"scene_id": "scene_1"}, "input.scene_id"),
        ({"previous_scene_id": "scene_1"}, "input.previous_scene_id"),
        ({"scene_id": 7}, "input.scene_id"),
        ({"scene_id": "scene_1", "cad_scene": DOCUMENT}, "input.scene_id"),
    ],
)
async def test_a_reference_has_one_form(house: House, key: str, members: dict[str, Any], path: str) -> None:
    refused = await respond(house, key, question(**members))
    assert assert_fault(refused, 400, "invalid_request_error")["field"] == path


@pytest.mark.requirement("responses.sent-ahead", "responses-batch.items-alone", "responses-batch.statuses")
async def test_in_a_batch_a_bad_reference_is_the_status_of_its_item(house: House, key: str) -> None:
    upload = await send_ahead(house, key, DOCUMENT)
    broken = await send_ahead(house, key, b"{")
    named = [{"upload_id": upload}, {"upload_id": "up_nothing"}, {"upload_id": broken}]
    items = [{"input": {"task_type": "classify", "cad_scene": one}} for one in named]
    answer = await respond_to_batch(house, key, *items)
    found = answer.json()["data"]
    assert answer.status_code == 207 and [entry["status"] for entry in found] == [200, 400, 400]
    assert found[1]["error"]["details"]["field"] == "requests.1.input.cad_scene.upload_id"
    assert found[2]["error"]["details"]["index"] == 2
    assert await counts(house, key) == (1, 1)


@pytest.mark.requirement("responses.sent-ahead-refused", "responses-batch.items-alone")
async def test_the_scenes_of_a_batch_are_together_no_larger_than_a_file(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = await send_ahead(house, key, DOCUMENT)
    size = len(json.dumps(DOCUMENT))
    object.__setattr__(house.dispatch.settings, "file_limit_bytes", 2 * size)
    items = [{"input": {"task_type": "classify", "cad_scene": {"upload_id": upload}}}] * 3
    found = (await respond_to_batch(house, key, *items)).json()["data"]
    assert sorted(entry["status"] for entry in found) == [200, 200, 400]
    [refused] = [entry for entry in found if entry["status"] == 400]
    assert refused["error"]["details"]["limit_bytes"] == 2 * size


@pytest.mark.requirement("responses.sent-ahead-refused", "responses-batch.statuses")
async def test_a_lake_that_is_away_is_503(house: House, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = await send_ahead(house, key, DOCUMENT)

    async def away(lake: Lake, object_key: str) -> bytes:
        raise LakeUnavailable("the lake is away; try again")

    monkeypatch.setattr(Lake, "get", away)
    item = {"input": {"task_type": "classify", "cad_scene": {"upload_id": upload}}}
    assert_fault(await respond(house, key, item), 503, "converter_unavailable")
    [entry] = (await respond_to_batch(house, key, item)).json()["data"]
    assert (entry["status"], entry["error"]["type"]) == (503, "converter_unavailable")
