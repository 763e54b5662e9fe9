"""POST /api/v1/responses: answers, ids, billing, replays, refusals."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from spatial.contract.responses import ResponsesResponse
from spatial.errors import DesktopInferenceUnavailable, InternalError
from storage.postgres import operations
from storage.postgres.database import DatastoreUnavailable
from tests.api.house import House, assert_fault, headers
from tests.api.reasoning_house import (
    DOCUMENT,
    RESPONSES,
    SCENE,
    counts,
    question,
    respond,
    small_solvers,
    tokens_of_answer,
)


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


@pytest.mark.requirement("responses.200", "reasoning.router", "responses-response.shape")
async def test_a_task_is_answered_with_its_provenance(house: House, key: str) -> None:
    answer = await respond(house, key, question())
    assert answer.status_code == 200, answer.text
    read = ResponsesResponse.model_validate_json(answer.content)
    assert read.id.startswith("resp_") and read.model == "reasoner-1.0" and read.object == "response"
    assert read.output[0]["type"] == "classify" and read.output[0]["data"] == {"objects": 1, "primary": "box"}
    assert read.request_id == answer.headers["x-request-id"]
    assert {"runtime", "solver", "version", "worker", "queue_ms", "solve_ms"} <= set(read.router)
    assert read.router["solver"] == "classify-1"


@pytest.mark.requirement("responses.200")
async def test_every_member_of_input_reaches_the_solver_as_it_was_sent(house: House, key: str) -> None:
    free = {
        "goal": {"seed": 7, "nothing": None, "deep": [1, 2.5, "ø", [True]]},
        "image": {"data": "AAAA"},
        "images": [{"n": 1}],
        "sensor_readings": [{"t": 0.5}],
        "budget": {"ms": None},
    }
    sent = question("act", cad_scene=DOCUMENT, object_id="box", detail="compact", **free)
    assert (await respond(house, key, sent)).status_code == 200
    [(job, asked, _)] = house.dispatch.asked
    dumped = asked.model_dump(by_alias=True, exclude_unset=True)
    assert {name: dumped[name] for name in free} == free
    assert dumped["point_cloud_scene"]["point_clouds"][0]["points"] == SCENE["point_clouds"][0]["points"]
    assert json.loads(asked.model_dump_json(exclude_none=True))["cad_scene"] == DOCUMENT
    assert (job.task, job.item, job.shown_name) == ("act", None, f"act {job.request_id}")


@pytest.mark.requirement("responses.tokens", "service.unbilled-non-2xx")
async def test_tokens_are_those_of_the_body_and_of_the_answer_without_usage(house: House, key: str) -> None:
    body = json.dumps(question(note="ø" * 10), indent=3, ensure_ascii=False).encode()
    answer = await respond(house, key, body)
    usage = answer.json()["usage"]
    assert usage["input_tokens"] == -(-len(body) // 4)
    assert usage["output_tokens"] == tokens_of_answer(answer.content)
    [row] = await house.usage(key)
    assert (row.input_tokens, row.output_tokens, row.item, row.route) == (
        *(usage["input_tokens"], usage["output_tokens"]),
        *(0, RESPONSES),
    )
    assert float(row.estimated_cost_usd) == usage["estimated_cost_usd"]


@pytest.mark.requirement("request-id.caller-echo", "request-id.caller-never-a-key")
async def test_a_callers_request_id_is_echoed_and_is_a_key_of_nothing(house: House, key: str) -> None:
    for _ in range(2):
        answer = await respond(house, key, {**question(), "request_id": "my-id:1"})
        assert answer.json()["request_id"] == answer.headers["x-request-id"] == "my-id:1"
    assert len(house.dispatch.asked) == 2 and len(await house.usage(key)) == 2
    refused = await respond(house, key, {**question("paint"), "request_id": "my-id:1"})
    assert_fault(refused, 400, "invalid_request_error")
    assert refused.headers["x-request-id"] == "my-id:1"
    bad = await respond(house, key, {**question(), "request_id": "has space"})
    assert assert_fault(bad, 400, "invalid_request_error")["field"] == "request_id"
    assert bad.headers["x-request-id"].startswith("req_")


@pytest.mark.requirement("error.400.body", "validation.400-with-path")
@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"{", "body"),
        (b"[]", "body"),
        ({}, "input"),
        ({"input": []}, "input"),
        ({**question(), "model": "reasoner-2.0"}, "model"),
        (question("paint"), "input.task_type"),
        ({**question(), "stream": True}, "stream"),
        (question(point_cloud_scene={"point_clouds": [{}]}), "input.point_cloud_scene.point_clouds.0.object_id"),
        (question(cad_scene={"schema": "v0"}), "input.cad_scene.schema"),
        (question(detail="verbose"), "input.detail"),
    ],
)
async def test_a_malformed_request_is_400_with_its_path(house: House, key: str, body: Any, path: str) -> None:
    assert assert_fault(await respond(house, key, body), 400, "invalid_request_error")["field"] == path
    assert not house.dispatch.asked and await counts(house, key) is None


@pytest.mark.requirement("error.400.body")
async def test_only_json_is_read(house: House, key: str) -> None:
    form = await house.client.post(RESPONSES, files={"file": ("a.json", b"{}")}, headers=headers(key))
    assert_fault(form, 400, "invalid_request_error")


@pytest.mark.requirement("reasoning.non-finite-422", "error.422.reasoning-rejected")
@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"NaN", b"Infinity", b"-Infinity"])
@pytest.mark.parametrize(
    ("place", "path"),
    [
        (
            b'"point_cloud_scene":{"point_clouds":[{"object_id":"a","points":[{"x":0,"y":0,"z":%s}]}]}',
            "input.point_cloud_scene.point_clouds.0.points.0.z",
        ),
        (b'"goal":{"direction":[0,%s]}', "input.goal.direction.1"),
        (b'"further":%s', "input.further"),
        (b'"cad_scene":' + json.dumps({**DOCUMENT, "own": 0}).encode()[:-2] + b"%s}", "input.cad_scene.own"),
    ],
    ids=["point", "goal", "further", "scene"],
)
async def test_a_number_that_is_not_finite_is_422_with_its_path(
    house: House, key: str, number: bytes, place: bytes, path: str
) -> None:
    body = b'{"input":{"task_type":"fit",' + place.replace(b"%s", number) + b"}}"
    assert assert_fault(await respond(house, key, body), 422, "invalid_request_error")["field"] == path


@pytest.mark.requirement("error.422.reasoning-rejected", "points.kind-rejected-422")
async def test_an_unknown_kind_of_point_cloud_is_422(house: House, key: str) -> None:
    scene = {"point_clouds": [{**SCENE["point_clouds"][0], "kind": "sphere"}]}
    details = assert_fault(await respond(house, key, question(point_cloud_scene=scene)), 422, "invalid_request_error")
    assert details["field"] == "input.point_cloud_scene.point_clouds.0.kind"


@pytest.mark.requirement("error.422.reasoning-rejected", "idempotency.executed-is-stored", "usage.on-every-response")
async def test_what_the_solver_rejects_is_422_unbilled_and_stored(house: House, key: str) -> None:
    body = question(object_id="lid")
    first = await respond(house, key, body, retry="one")
    details = assert_fault(first, 422, "invalid_request_error")
    assert details["field"] == "input.object_id" and details["known_ids"] == ["box"]
    assert details["usage"]["input_tokens"] == -(-len(json.dumps(body)) // 4)
    assert details["usage"]["estimated_cost_usd"] == 0
    again = await respond(house, key, body, retry="one")
    assert again.headers["idempotency-replayed"] == "true" and again.content == first.content
    assert len(house.dispatch.asked) == 1 and not await house.usage(key)


@pytest.mark.requirement("responses.idempotency", "request-id.caller-never-a-key")
async def test_a_replay_is_the_stored_answer_under_its_id_and_costs_nothing(house: House, key: str) -> None:
    first = await respond(house, key, {**question(), "request_id": "first"}, retry="one")
    reordered = {"request_id": "second", "input": dict(reversed(question()["input"].items())), "model": "reasoner-1.0"}
    again = await respond(house, key, reordered, retry="one")
    assert again.headers["idempotency-replayed"] == "true" and again.content == first.content
    assert again.headers["x-request-id"] == "first"
    assert len(house.dispatch.asked) == 1 and len(await house.usage(key)) == 1
    assert await counts(house, key) == (1, 1)
    assert_fault(await respond(house, key, question("fit"), retry="one"), 409, "idempotency_conflict")


@pytest.mark.requirement("responses.order", "order.replay-before-subscription", "error.402.payment-required")
async def test_the_order_of_checks(house: House, key: str) -> None:
    assert_fault(await respond(house, None, b"{"), 401, "authentication_error")
    assert_fault(await respond(house, "nonsense", b"{", retry="has space"), 401, "authentication_error")
    assert assert_fault(await respond(house, key, b"{", retry="has space"), 400, "invalid_request_error") == {
        "header": "Idempotency-Key"
    }
    first = await respond(house, key, question(), retry="one")
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'past_due'")
    assert_fault(await respond(house, key, b"{", retry="one"), 400, "invalid_request_error")
    assert (await respond(house, key, question(), retry="one")).content == first.content
    assert_fault(await respond(house, key, question("fit"), retry="one"), 409, "idempotency_conflict")
    assert_fault(await respond(house, key, question(), retry="two"), 402, "payment_required")
    ahead = question(cad_scene={"upload_id": "up_1"})
    assert_fault(await respond(house, key, ahead, retry="two"), 402, "payment_required")
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'trialing'")
    fresh = await respond(house, key, question("embed"), retry="two")
    assert fresh.status_code == 200 and "idempotency-replayed" not in fresh.headers


@pytest.mark.requirement("error.503.desktop", "idempotency.5xx-not-stored", "responses.period-given-back")
async def test_without_a_worker_it_is_503_that_is_not_stored_and_not_counted(house: House, key: str) -> None:
    house.dispatch.failure = DesktopInferenceUnavailable("no desktop worker is available; try again later")
    refused = await respond(house, key, question(), retry="one")
    assert_fault(refused, 503, "desktop_inference_unavailable")
    assert await counts(house, key) == (1, 0) and not await house.usage(key)
    house.dispatch.failure = None
    again = await respond(house, key, question(), retry="one")
    assert again.status_code == 200 and "idempotency-replayed" not in again.headers
    assert await counts(house, key) == (2, 1)


@pytest.mark.requirement("error.500.no-internals", "idempotency.5xx-not-stored")
@pytest.mark.parametrize(
    "failure", [InternalError("the solver failed; try again"), RuntimeError("a secret of ours")], ids=repr
)
async def test_a_fault_of_the_service_is_500_without_internals(house: House, key: str, failure: Exception) -> None:
    house.dispatch.failure = failure
    refused = await respond(house, key, question(), retry="one")
    assert_fault(refused, 500, "internal_error")
    assert "secret" not in refused.text and not await house.usage(key)


@pytest.mark.requirement("responses.wait-18s")
async def test_the_wait_ends_18_s_after_the_submission(house: House, key: str) -> None:
    before = asyncio.get_running_loop().time()
    await respond(house, key, question())
    [(_, _, deadline)] = house.dispatch.asked
    assert before + 18 <= deadline <= asyncio.get_running_loop().time() + 18


@pytest.mark.requirement("responses.disconnect", "idempotency.in-progress")
async def test_a_caller_that_disconnects_finds_the_answer_under_its_key(house: House, key: str) -> None:
    house.dispatch.latch.clear()
    asking = asyncio.create_task(respond(house, key, question(), retry="one"))
    await house.dispatch.began.wait()
    asking.cancel()
    await asyncio.wait({asking})
    assert_fault(await respond(house, key, question(), retry="one"), 409, "idempotency_in_progress")
    house.dispatch.latch.set()
    async with asyncio.timeout(30):
        while (answer := await respond(house, key, question(), retry="one")).status_code == 409:
            await asyncio.sleep(0)
    assert answer.headers["idempotency-replayed"] == "true" and len(await house.usage(key)) == 1


@pytest.mark.requirement("responses.finalization", "error.503.usage-finalization")
async def test_an_answer_that_cannot_be_charged_is_withheld(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: Any, **__: Any) -> bool:
        raise DatastoreUnavailable("Postgres is away")

    monkeypatch.setattr(operations, "complete", away)
    assert_fault(await respond(house, key, question(), retry="one"), 503, "usage_finalization_unavailable")
    monkeypatch.undo()
    assert not await house.usage(key) and await counts(house, key) == (1, 0)
    assert (await respond(house, key, question(), retry="one")).status_code == 200


@pytest.mark.requirement("responses.period-given-back")
async def test_a_count_that_cannot_be_given_back_changes_no_answer(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def away(*_: Any, **__: Any) -> None:
        raise DatastoreUnavailable("Postgres is away")

    house.dispatch.failure = DesktopInferenceUnavailable("no desktop worker is available; try again later")
    monkeypatch.setattr("storage.postgres.response_ceilings.give_back", away)
    with caplog.at_level(logging.WARNING):
        assert_fault(await respond(house, key, question()), 503, "desktop_inference_unavailable")
    assert "stay counted" in caplog.text and await counts(house, key) == (1, 1)
