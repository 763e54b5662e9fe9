"""POST /api/v1/responses/batch: items alone, in order, at the same time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from flows.dispatch import RespondJob, Solution
from spatial.contract.responses import ResponseBatch, ResponsesInput
from spatial.errors import ConverterUnavailable, DesktopInferenceUnavailable, InputRejected, InternalError
from storage.postgres import operations
from storage.postgres.database import DatastoreUnavailable
from tests.api.house import House, assert_fault, headers, solve_here
from tests.api.reasoning_house import BATCH, counts, question, respond_to_batch, small_solvers, tokens_of_answer

ITEM_STATUSES = {200, 400, 402, 422, 429, 503}


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


async def away(*_: Any, **__: Any) -> bool:
    """Stands for a statement that Postgres does not take."""
    raise DatastoreUnavailable("Postgres is away")


def entries(answer: httpx.Response, status: int) -> list[dict[str, Any]]:
    """The entries of a batch that was answered with this status, in order."""
    assert answer.status_code == status, answer.text
    batch = ResponseBatch.model_validate_json(answer.content)
    assert batch.request_id == answer.headers["x-request-id"]
    found: list[dict[str, Any]] = answer.json()["data"]
    assert [entry["index"] for entry in found] == list(range(len(found)))
    for entry in found:
        assert entry["status"] in ITEM_STATUSES
        assert ("response" in entry) is (entry["status"] == 200) is ("error" not in entry)
    return found


def statuses(answer: httpx.Response, status: int) -> list[int]:
    return [entry["status"] for entry in entries(answer, status)]


@pytest.mark.requirement("responses-batch.200", "response-batch.shape")
async def test_a_batch_of_good_items_is_200_in_request_order(house: House, key: str) -> None:
    tasks = ["fit", "classify", "embed"]
    items = [question(task) for task in tasks]
    items[1]["request_id"] = "my-item"
    answer = await respond_to_batch(house, key, *items)
    found = [entry["response"] for entry in entries(answer, 200)]
    assert [one["output"][0]["type"] for one in found] == tasks
    own = answer.headers["x-request-id"]
    assert [one["request_id"] for one in found] == [own, "my-item", own]
    assert len({one["id"] for one in found}) == 3
    assert sorted(job.item for job, _, _ in house.dispatch.asked if job.item is not None) == [0, 1, 2]


@pytest.mark.requirement("responses-batch.usage", "responses.tokens")
async def test_an_item_is_charged_as_compact_json(house: House, key: str) -> None:
    items = [question(note="ø"), question("fit", budget={"ms": 5}), question(object_id="lid")]
    body = json.dumps({"requests": items}, indent=4).encode()
    answer = await house.client.post(BATCH, content=body, headers=headers(key) | {"Content-Type": "application/json"})
    found = entries(answer, 207)
    rows = {row.item: row for row in await house.usage(key)}
    assert set(rows) == {0, 1}
    for index, item in enumerate(items):
        compact = json.dumps(item, separators=(",", ":"), ensure_ascii=False).encode()
        entry = found[index]
        usage = entry["response"]["usage"] if entry["status"] == 200 else entry["error"]["details"]["usage"]
        assert usage["input_tokens"] == -(-len(compact) // 4)
        if index in rows:
            start = answer.content.index(json.dumps(entry["response"]["id"]).encode()) - len(b'{"id":')
            end = answer.content.index(b"}}", answer.content.index(b'"usage":', start)) + 2
            assert usage["output_tokens"] == tokens_of_answer(answer.content[start:end]) == rows[index].output_tokens
            assert (rows[index].route, rows[index].input_tokens) == (BATCH, usage["input_tokens"])
        else:
            assert usage["output_tokens"] == usage["estimated_cost_usd"] == 0


@pytest.mark.requirement("responses-batch.207", "responses-batch.item-400", "responses-batch.items-alone")
async def test_one_bad_item_fails_alone_and_names_itself(house: House, key: str) -> None:
    bad: list[Any] = [
        {"input": {"task_type": "paint"}},
        7,
        {**question(), "model": "reasoner-2.0", "request_id": "mine"},
        question(point_cloud_scene={"point_clouds": [{"object_id": "a", "points": [], "kind": "sphere"}]}),
        question(object_id="lid"),
    ]
    found = entries(await respond_to_batch(house, key, question(), *bad, question("fit")), 207)
    assert [entry["status"] for entry in found] == [200, 400, 400, 400, 422, 422, 200]
    assert [(one["error"]["details"]["index"], one["error"]["details"]["field"]) for one in found[1:-1]] == [
        (1, "requests.1.input.task_type"),
        (2, "requests.2"),
        (3, "requests.3.model"),
        (4, "requests.4.input.point_cloud_scene.point_clouds.0.kind"),
        (5, "requests.5.input.object_id"),
    ]
    assert found[1]["error"]["details"]["errors"][0]["path"] == "requests.1.input.task_type"
    assert found[1]["error"]["message"].startswith("item 1: input.task_type: ")
    assert found[3]["request_id"] == "mine" and found[1]["request_id"].startswith("req_")
    assert len(await house.usage(key)) == 2 and await counts(house, key) == (3, 3)


@pytest.mark.requirement("responses-batch.envelope-400", "responses-batch-request.1-32", "error.400.body")
@pytest.mark.parametrize(
    "body", [[], {}, {"requests": []}, {"requests": {}}, {"requests": [question()] * 33}, {"requests": [1], "more": 1}]
)
async def test_a_malformed_envelope_is_400(house: House, key: str, body: Any) -> None:
    answer = await house.client.post(BATCH, json=body, headers=headers(key))
    assert_fault(answer, 400, "invalid_request_error")
    assert not house.dispatch.asked


@pytest.mark.requirement("responses-batch.413", "error.401.missing")
async def test_size_and_key_are_of_the_whole_batch(house: House, key: str) -> None:
    large = await house.client.post(BATCH, content=b" " * 6_291_457)
    assert_fault(large, 413, "request_too_large")
    assert "upload_id" in large.json()["error"]["message"] and "content_url" not in large.json()["error"]["message"]
    assert_fault(await respond_to_batch(house, None, question()), 401, "authentication_error")


@pytest.mark.requirement("responses-batch.concurrent", "limit.batch-items")
async def test_32_items_run_at_the_same_time_with_the_deadline_of_the_batch(house: House, key: str) -> None:
    all_run, running = asyncio.Event(), 0

    async def wait_for_all(job: RespondJob, asked: ResponsesInput) -> Solution:
        nonlocal running
        running += 1
        if running == 32:
            all_run.set()
        await all_run.wait()
        return await solve_here(job, asked)

    house.dispatch.respond_as = wait_for_all
    before = asyncio.get_running_loop().time()
    assert statuses(await respond_to_batch(house, key, *[question()] * 32), 200) == [200] * 32
    assert len({deadline for _, _, deadline in house.dispatch.asked}) == 1
    assert before + 18 <= house.dispatch.asked[0][2] <= asyncio.get_running_loop().time() + 18


@pytest.mark.requirement("responses-batch.items-alone", "responses-batch.statuses", "error.503.desktop")
async def test_whatever_happens_to_an_item_has_one_of_the_statuses_of_an_item(house: House, key: str) -> None:
    failures = {
        "fit": DesktopInferenceUnavailable("no desktop worker is available; try again later", retry_after=7),
        "embed": InternalError("a secret of ours"),
        "act": RuntimeError("a secret of ours"),
        "predict": InputRejected("input.goal: send one", details={"field": "input.goal"}),
        "optimize": ConverterUnavailable("the lake is away"),
    }

    async def fail(job: RespondJob, asked: ResponsesInput) -> Solution:
        if asked.task_type in failures:
            raise failures[asked.task_type]
        return await solve_here(job, asked)

    house.dispatch.respond_as = fail
    answer = await respond_to_batch(house, key, *[question(task) for task in (*failures, "describe")], retry="one")
    found = entries(answer, 207)
    assert [entry["status"] for entry in found] == [503, 503, 503, 422, 503, 200]
    assert "secret" not in answer.text and found[0]["retry_after"] == 7
    assert found[0]["error"]["type"] == "desktop_inference_unavailable"
    assert found[3]["error"]["details"]["field"] == "requests.3.input.goal"
    assert len(await house.usage(key)) == 1 and await counts(house, key) == (6, 2)


@pytest.mark.requirement("idempotency.207-not-stored", "responses-batch.idempotency")
async def test_a_batch_with_an_item_that_may_succeed_later_is_not_stored(house: House, key: str) -> None:
    house.dispatch.failure = DesktopInferenceUnavailable("no desktop worker is available; try again later")
    items = [question(), question("paint")]
    assert statuses(await respond_to_batch(house, key, *items, retry="one"), 207) == [503, 400]
    house.dispatch.failure = None
    second = await respond_to_batch(house, key, *items, retry="one")
    assert statuses(second, 207) == [200, 400] and "idempotency-replayed" not in second.headers
    third = await respond_to_batch(house, key, *items, retry="one")
    assert third.headers["idempotency-replayed"] == "true" and third.content == second.content
    assert third.status_code == 207 and third.headers["x-request-id"] == second.headers["x-request-id"]
    assert len(await house.usage(key)) == 1
    assert_fault(await respond_to_batch(house, key, *items[:1], retry="one"), 409, "idempotency_conflict")


@pytest.mark.requirement("responses-batch.settled", "idempotency.207-not-stored")
async def test_a_retry_pays_only_for_the_items_that_were_unavailable(house: House, key: str) -> None:
    items = [question(), question("embed"), question("paint")]
    house.dispatch.unavailable_items = {1}
    first = entries(await respond_to_batch(house, key, *items, retry="one"), 207)
    assert [one["status"] for one in first] == [200, 503, 400]
    house.dispatch.unavailable_items = set()
    second = await respond_to_batch(house, key, *items, retry="one")
    again = entries(second, 207)
    assert [one["status"] for one in again] == [200, 200, 400]
    assert again[0] == first[0], "a settled item keeps its answer, its ids among it"
    assert again[2]["error"] == first[2]["error"]
    assert len(await house.usage(key)) == 2, "each good item is charged once"
    third = await respond_to_batch(house, key, *items, retry="one")
    assert third.headers["idempotency-replayed"] == "true" and third.content == second.content


@pytest.mark.requirement("responses-batch.settled")
async def test_another_payload_or_key_gets_no_settled_item(house: House, key: str) -> None:
    house.dispatch.unavailable_items = {1}
    first = entries(await respond_to_batch(house, key, question(), question("embed"), retry="one"), 207)
    other = entries(await respond_to_batch(house, key, question(), question("embed"), retry="two"), 207)
    assert other[0]["response"]["id"] != first[0]["response"]["id"]
    house.dispatch.unavailable_items = set()
    changed = entries(await respond_to_batch(house, key, question("fit"), question("embed"), retry="one"), 200)
    assert changed[0]["response"]["output"][0]["type"] == "fit"


@pytest.mark.requirement("responses-batch.settled", "responses-batch.usage")
async def test_an_item_whose_charge_was_not_written_runs_again(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.dispatch.unavailable_items = {1}
    with monkeypatch.context() as patch:
        patch.setattr(operations, "complete", away)
        lost = await respond_to_batch(house, key, question(), question("embed"), retry="one")
    assert statuses(lost, 207) == [503, 503] and not await house.usage(key)
    house.dispatch.unavailable_items = set()
    assert statuses(await respond_to_batch(house, key, question(), question("embed"), retry="one"), 200) == [200, 200]
    assert len(await house.usage(key)) == 2


@pytest.mark.requirement("responses-batch.idempotency", "idempotency.replay")
async def test_a_good_batch_is_replayed_byte_for_byte(house: House, key: str) -> None:
    first = await respond_to_batch(house, key, question(), retry="one")
    again = await respond_to_batch(house, key, {**question(), "request_id": "other"}, retry="one")
    assert first.status_code == again.status_code == 200 and again.content == first.content
    assert again.headers["idempotency-replayed"] == "true" and len(await house.usage(key)) == 1


@pytest.mark.requirement("responses-batch.unpaid", "responses-batch.statuses", "idempotency.refused-keeps-key")
async def test_the_items_of_an_unpaid_account_are_402_and_keep_the_key(house: House) -> None:
    key = await house.key("past_due")
    answer = await respond_to_batch(house, key, question(), question("paint"), retry="one")
    found = entries(answer, 207)
    assert [entry["status"] for entry in found] == [402, 400]
    assert found[0]["error"]["type"] == "payment_required" and found[0]["error"]["details"] == {
        "subscription": "past_due"
    }
    assert not house.dispatch.asked and await counts(house, key) is None
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'active'")
    paid = await respond_to_batch(house, key, question(), question("paint"), retry="one")
    assert statuses(paid, 207) == [200, 400] and "idempotency-replayed" not in paid.headers


@pytest.mark.requirement("responses-batch.items-alone", "responses.finalization")
async def test_where_nothing_can_be_charged_every_item_that_ran_is_503(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "complete", away)
    found = entries(await respond_to_batch(house, key, question(), 7, question("fit")), 207)
    assert [entry["status"] for entry in found] == [503, 400, 503]
    assert found[0]["error"]["type"] == "usage_finalization_unavailable"
    assert not await house.usage(key) and await counts(house, key) == (2, 0)


@pytest.mark.requirement("idempotency.in-progress", "responses-batch.idempotency")
async def test_of_two_at_once_one_runs(house: House, key: str) -> None:
    house.dispatch.latch.clear()
    first = asyncio.create_task(respond_to_batch(house, key, question(), retry="one"))
    await house.dispatch.began.wait()
    assert_fault(await respond_to_batch(house, key, question(), retry="one"), 409, "idempotency_in_progress")
    house.dispatch.latch.set()
    assert statuses(await first, 200) == [200]
