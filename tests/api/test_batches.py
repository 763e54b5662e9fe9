"""Extract batches from the gate to the answer: what is accepted, what a caller sees while it runs, and how it ends."""

from __future__ import annotations

import asyncio
import base64
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from spatial.contract.batch import CadExtractBatch
from spatial.contract.extraction import CadExtraction
from spatial.contract.usage import Usage
from spatial.errors import ConverterUnavailable
from storage.objects.lake import LakeUnavailable
from storage.postgres import batch_runs, batches
from storage.postgres.database import DatastoreUnavailable
from tests.api.batch_house import (
    BATCH,
    RUN,
    ask,
    begin,
    complete,
    fail,
    finish,
    item,
    known,
    run_out,
    staged,
    stands,
    start,
    submit,
    submitted,
)
from tests.api.house import NAME, STEP, House, assert_fault, headers, open_house
from tests.api.test_idempotency import is_replay

URL = "https://files.example.com/a.step"


@pytest.mark.requirement("batch.202", "batch.expires-at", "batch.counts", "batch.item-shape")
async def test_a_json_batch_is_accepted_and_everything_is_staged(house: House, key: str) -> None:
    by_url = item(content_base64=None, content_url=URL, target_contract="both", file_name="sub/part.STP")
    answer = await submit(house, key, item(), item(file_name="cover.pdf"), by_url)
    assert answer.status_code == 202 and "idempotency-replayed" not in answer.headers
    body = answer.json()
    assert CadExtractBatch.model_validate(body).status == "queued"
    assert body["id"].startswith("cb_") and body["status_url"] == f"{BATCH}/{body['id']}"
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["counts"] == {"queued": 3, "running": 0, "done": 0, "failed": 0}
    assert [one["file_name"] for one in body["items"]] == [NAME, "cover.pdf", "part.STP"]
    assert body["items"][1] == {"index": 1, "file_name": "cover.pdf", "status": "queued"}
    lived = datetime.fromisoformat(body["expires_at"]) - datetime.fromisoformat(body["created_at"])
    assert lived == timedelta(hours=24)
    assert set(Usage.model_validate(body["usage"]).model_dump().values()) == {0}
    await house.app.state.operations.drain()
    assert house.dispatch.submitted == [body["id"]]
    batch = await known(house, body["id"])
    assert [row.format for row in batch.items] == ["step", "pdf", "step"]
    assert [row.content_url for row in batch.items] == [None, None, URL]
    assert batch.items[2].target_contract == "both" and batch.request_id == body["request_id"]
    for row in batch.items[:2]:
        assert row.content_key is not None and row.content_key.startswith(f"staged/{batch.operation_id}/{row.item}/")
        assert await house.dispatch.lake.get(row.content_key) == STEP
    assert not await house.usage(key)


@pytest.mark.requirement("batch.multipart")
async def test_a_form_batch_takes_files_and_one_target(house: House, key: str) -> None:
    files = [("files", (name, STEP + name.encode())) for name in ("a.step", "b.dxf", "a.step")]
    answer = await house.client.post(BATCH, files=files, data={"target_contract": "both"}, headers=headers(key))
    assert answer.status_code == 202
    batch = await known(house, answer.json()["id"])
    assert [(row.file_name, row.format, row.target_contract) for row in batch.items] == [
        ("a.step", "step", "both"),
        ("b.dxf", "dxf", "both"),
        ("a.step", "step", "both"),
    ]
    assert len({row.content_key for row in batch.items}) == 3


@pytest.mark.requirement("limit.batch-items", "extract-batch-request.1-32")
async def test_a_batch_has_1_to_32_files(house: House, key: str) -> None:
    for count, status in ((1, 202), (32, 202), (0, 400), (33, 400)):
        by_json = await house.client.post(BATCH, json={"items": [item()] * count}, headers=headers(key))
        part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.step"\r\n\r\n' + STEP + b"\r\n"
        form = {**headers(key), "Content-Type": "multipart/form-data; boundary=x"}
        by_form = await house.client.post(BATCH, content=part * count + b"--x--\r\n", headers=form)
        assert (by_json.status_code, by_form.status_code) == (status, status), by_form.text
    assert len(house.dispatch.submitted) <= 4


@pytest.mark.requirement("batch.400-names-item", "batch.details-index", "batch.url-refused-400")
async def test_a_bad_item_is_400_and_named(house: House, key: str) -> None:
    wrong: list[tuple[Any, str, str]] = [
        (item(content_base64="_-_-"), "items.2.content_base64", NAME),
        (item(content_base64=""), "items.2.content_base64", NAME),
        (item(content_base64=None), "items.2.content_url", NAME),
        (item(target_contract="everything"), "items.2.target_contract", NAME),
        (item(file_name=None), "items.2.file_name", ""),
        (item(file_name=7), "items.2.file_name", ""),
        (item(file_name="x" * 300 + ".step"), "items.2.file_name", "x" * 255),
        (item(file_name="parts/"), "items.2.file_name", "parts/"),
        (item(content_base64=None, content_url="http://127.0.0.1/a.step"), "items.2.content_url", NAME),
        (item(content_base64=None, content_url="ftp://files.example.com/a.step"), "items.2.content_url", NAME),
        (item(content_base64=None, upload_id="up_none"), "items.2.upload_id", NAME),
        ("not an object", "items.2", ""),
    ]
    for bad, field, name in wrong:
        details = assert_fault(await submit(house, key, item(), item(), bad), 400, "invalid_request_error")
        assert (details["index"], details["file_name"], details["field"]) == (2, name, field), bad
        assert {error["path"] for error in details.get("errors", [])} <= {field}
    envelopes: list[Any] = [{}, {"items": {}}, {"items": [item()], "target_contract": "both"}, []]
    for envelope in envelopes:
        answer = await house.client.post(BATCH, json=envelope, headers=headers(key))
        assert "index" not in assert_fault(answer, 400, "invalid_request_error")
    assert await staged(house) == []


@pytest.mark.requirement("batch.400-names-item", "batch.multipart")
async def test_a_bad_part_is_400_and_named(house: House, key: str) -> None:
    sound = ("files", (NAME, STEP))
    for bad, name in (
        (("files", ("empty.step", b"")), "empty.step"),
        (("files", ("x" * 256 + ".step", STEP)), "x" * 255),
    ):
        answer = await house.client.post(BATCH, files=[sound, bad], headers=headers(key))
        details = assert_fault(answer, 400, "invalid_request_error")
        assert (details["index"], details["file_name"]) == (1, name)
    for strange in ("file", "file_names"):
        answer = await house.client.post(BATCH, files=[sound, (strange, (NAME, STEP))], headers=headers(key))
        assert assert_fault(answer, 400, "invalid_request_error")["field"] == strange
    nameless = b'--x\r\nContent-Disposition: form-data; name="files"\r\n\r\nabc\r\n--x--\r\n'
    form = {**headers(key), "Content-Type": "multipart/form-data; boundary=x"}
    details = assert_fault(await house.client.post(BATCH, content=nameless, headers=form), 400, "invalid_request_error")
    assert (details["index"], details["file_name"]) == (0, "")
    twice = await house.client.post(
        BATCH,
        files=[sound, ("target_contract", (None, b"both")), ("target_contract", (None, b"both"))],
        headers=headers(key),
    )
    assert assert_fault(twice, 400, "invalid_request_error")["field"] == "target_contract"


@pytest.mark.requirement("batch.415-whole", "batch.details-index")
async def test_one_unsupported_file_refuses_the_whole_batch_before_anything_is_staged(house: House, key: str) -> None:
    for name in ("part.sldprt", "part", "part.docx"):
        answer = await submit(house, key, item(), item(file_name=name), item(file_name="also.dwg"))
        details = assert_fault(answer, 415, "unsupported_file_type")
        assert (details["index"], details["file_name"]) == (1, name)
    by_form = await house.client.post(BATCH, files=[("files", ("a.dwg", STEP))], headers=headers(key))
    assert assert_fault(by_form, 415, "unsupported_file_type")["index"] == 0
    owned = f"SELECT id FROM batches WHERE account_id = '{house.accounts[key]}'"
    assert await staged(house) == [] and not await house.query(owned)


@pytest.mark.requirement("batch.400-names-item", "limit.settings")
async def test_a_file_over_the_file_limit_is_413_and_named(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, file_limit_bytes=len(STEP)) as small:
        large = item(file_name="large.step", content_base64=base64.b64encode(STEP + b" ").decode())
        details = assert_fault(await submit(small, await small.key(), item(), large), 413, "request_too_large")
        assert details == {"limit_bytes": len(STEP), "index": 1, "file_name": "large.step"}


@pytest.mark.requirement("batch.unpaid-402", "order.subscription-before-ceilings", "idempotency.refused-keeps-key")
async def test_the_checks_come_in_their_order(house: House, key: str) -> None:
    big = b" " * 6_291_457
    assert_fault(await house.client.post(BATCH, content=big), 413, "request_too_large")
    assert_fault(await submit(house, "nonsense", retry="has space"), 401, "authentication_error")
    bad = await house.client.post(BATCH, content=b"{", headers=headers(key, "has space"))
    assert assert_fault(bad, 400, "invalid_request_error") == {"header": "Idempotency-Key"}
    mixed = await submit(house, key, item(file_name="a.dwg"), item(content_base64="?"))
    assert assert_fault(mixed, 400, "invalid_request_error")["index"] == 1
    first = await submit(house, key, retry="one")
    assert_fault(await submit(house, key, item(file_name="a.dwg"), retry="one"), 415, "unsupported_file_type")
    for _ in range(4):
        await submitted(house, key)
    assert_fault(await submit(house, key, retry="two"), 429, "rate_limit_exceeded")
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'canceled'")
    assert is_replay(await submit(house, key, retry="one"), first)
    assert_fault(await submit(house, key, item(), retry="one"), 409, "idempotency_conflict")
    assert_fault(await submit(house, key, retry="two"), 402, "payment_required")


@pytest.mark.requirement("batch.in-flight", "limit.batches-in-flight", "api.retry-after")
async def test_more_than_five_in_flight_is_429_and_takes_no_key(
    house: House, key: str, postgres_url: str, tmp_path: Path
) -> None:
    async with open_house(postgres_url, tmp_path) as second:
        answers = await asyncio.gather(*(submit((house, second)[n % 2], key) for n in range(8)))
        accepted = [answer.json()["id"] for answer in answers if answer.status_code == 202]
        assert len(accepted) == 5
        for answer in answers:
            if answer.status_code != 202:
                assert assert_fault(answer, 429, "rate_limit_exceeded")["ceiling"] == "batches_in_flight"
                assert int(answer.headers["retry-after"]) > 0
        assert_fault(await submit(second, key, retry="one"), 429, "rate_limit_exceeded")
        assert len(await house.query("SELECT id FROM batches WHERE state = 'staging'")) == 0
        await house.client.delete(f"{BATCH}/{accepted[0]}", headers=headers(key))
        assert (await submit(second, key, item(), retry="one")).status_code == 202
        await second.app.state.operations.drain()


@pytest.mark.requirement("batch.per-minute", "limit.batches-per-minute", "api.retry-after")
async def test_more_than_ten_in_a_minute_is_429(house: House, key: str) -> None:
    for _ in range(10):
        batch_id = await submitted(house, key, item(content_base64=None, content_url=URL))
        assert (await house.client.delete(f"{BATCH}/{batch_id}", headers=headers(key))).status_code == 200
    answer = await submit(house, key)
    assert assert_fault(answer, 429, "rate_limit_exceeded")["ceiling"] == "batches_per_minute"
    assert 30 < int(answer.headers["retry-after"]) <= 60
    assert (await submit(house, await house.key())).status_code == 202


@pytest.mark.requirement("batch.idempotency", "batch.replay", "idempotency.scope-route")
async def test_a_replay_is_the_stored_202_whatever_became_of_the_batch(house: House, key: str) -> None:
    first = await submit(house, key, retry="one")
    batch_id = first.json()["id"]
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    await fail(house, batch_id, 1)
    await finish(house, batch_id)
    again = await submit(house, key, retry="one")
    assert first.status_code == 202 and is_replay(again, first)
    parts = [("files", (name, STEP)) for name in (NAME, "cover.pdf")]
    assert is_replay(await house.client.post(BATCH, files=parts, headers=headers(key, "one")), first)
    assert_fault(
        await submit(house, key, item(file_name="cover.pdf"), item(), retry="one"), 409, "idempotency_conflict"
    )
    assert (await house.extract(key, retry="one")).status_code == 200
    assert (
        len(await house.query(f"SELECT id FROM batches WHERE key_id = '{(await known(house, batch_id)).key_id}'")) == 1
    )


@pytest.mark.requirement("batch.idempotency", "batch.replay")
async def test_of_many_at_once_in_two_processes_one_is_accepted(
    house: House, key: str, postgres_url: str, tmp_path: Path
) -> None:
    async with open_house(postgres_url, tmp_path) as second:
        answers = await asyncio.gather(*(submit((house, second)[n % 2], key, retry="one") for n in range(8)))
        assert len({answer.json()["id"] for answer in answers if answer.status_code == 202}) == 1
        for answer in answers:
            if answer.status_code != 202:
                assert_fault(answer, 409, "idempotency_in_progress")
        await asyncio.gather(house.app.state.operations.drain(), second.app.state.operations.drain())
        assert len(house.dispatch.submitted + second.dispatch.submitted) == 1


@pytest.mark.requirement("batch.staged-whole", "error.503.lake")
async def test_staging_that_fails_leaves_nothing_behind(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = house.dispatch.lake.put

    async def full(object_key: str, data: bytes) -> None:
        if "/1/" in object_key:
            raise LakeUnavailable(f"no room for {object_key}")
        await asyncio.sleep(0.01)  # the others are still being laid down when this one fails
        await put(object_key, data)

    monkeypatch.setattr(house.dispatch.lake, "put", full)
    for _ in range(6):  # more than may be in flight
        assert_fault(await submit(house, key, *[item()] * 4, retry="one"), 503, "converter_unavailable")
    assert await staged(house) == [] and not await house.query("SELECT id FROM batches WHERE state = 'staging'")
    assert not await house.query("SELECT id FROM operations WHERE state = 'open'")
    monkeypatch.undo()
    assert (await submit(house, key, *[item()] * 4, retry="one")).status_code == 202
    assert len(house.dispatch.submitted) <= 1


@pytest.mark.requirement("batch.staged-whole")
async def test_an_answer_that_cannot_be_kept_is_not_given(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = house.dispatch.lake.put

    async def forgetful(object_key: str, data: bytes) -> None:
        if object_key.startswith("results/"):
            raise LakeUnavailable("no room for results")
        await put(object_key, data)

    monkeypatch.setattr(house.dispatch.lake, "put", forgetful)
    assert_fault(await submit(house, key), 503, "converter_unavailable")
    assert await staged(house) == []


@pytest.mark.requirement("batch.staged-whole")
async def test_a_submission_that_lost_its_lease_is_not_accepted(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = house.dispatch.lake.put

    async def slow(object_key: str, data: bytes) -> None:
        await put(object_key, data)
        async with house.dispatch.database.transaction() as connection:
            await connection.exec_driver_sql("UPDATE operations SET state = 'failed' WHERE state = 'open'")

    monkeypatch.setattr(house.dispatch.lake, "put", slow)
    assert_fault(await submit(house, key), 503, "converter_unavailable")
    assert await staged(house) == [] and not house.dispatch.submitted


@pytest.mark.requirement("batch.staged-whole")
async def test_a_submission_that_was_swept_away_leaves_nothing_behind(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = house.dispatch.lake.put

    async def late(object_key: str, data: bytes) -> None:
        async with house.dispatch.database.transaction() as connection:
            await connection.exec_driver_sql("DELETE FROM batches WHERE state = 'staging'")
        await put(object_key, data)

    monkeypatch.setattr(house.dispatch.lake, "put", late)
    assert_fault(await submit(house, key), 503, "converter_unavailable")
    assert await staged(house) == [] and not house.dispatch.submitted


@pytest.mark.requirement("batch.staged-whole")
@pytest.mark.parametrize("after_commit", [False, True])
async def test_a_commit_whose_connection_breaks_is_settled_by_asking_again(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch, after_commit: bool
) -> None:
    queue, broken = batches.queue, list[str]()

    async def breaking(connection: Any, batch_id: str) -> bool:
        queued = await queue(connection, batch_id)
        if not broken:
            broken.append(batch_id)
            if after_commit:
                await connection.commit()
            raise DatastoreUnavailable("the connection broke")
        return queued

    monkeypatch.setattr(batches, "queue", breaking)
    answer = await submit(house, key, retry="one")
    assert answer.status_code == 202 and answer.json()["id"] == broken[0]
    assert is_replay(await submit(house, key, retry="one"), answer)


@pytest.mark.requirement("api.disconnect-goes-on")
async def test_a_caller_who_hangs_up_finds_the_batch_under_the_same_key(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, began, latch = house.dispatch.lake.put, asyncio.Event(), asyncio.Event()

    async def held(object_key: str, data: bytes) -> None:
        began.set()
        await latch.wait()
        await put(object_key, data)

    monkeypatch.setattr(house.dispatch.lake, "put", held)
    asking = asyncio.create_task(submit(house, key, retry="one"))
    await began.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert_fault(await submit(house, key, retry="one"), 409, "idempotency_in_progress")
    latch.set()
    await house.app.state.operations.drain()
    answer = await submit(house, key, retry="one")
    assert answer.status_code == 202 and answer.headers["idempotency-replayed"] == "true"
    assert house.dispatch.submitted == [answer.json()["id"]]


@pytest.mark.requirement("batch.submission-survives-engine")
async def test_a_batch_is_accepted_while_the_engine_is_away(house: House, key: str) -> None:
    house.dispatch.unwell["submit_batch"] = ConverterUnavailable("no engine")
    batch_id = await submitted(house, key)
    await house.app.state.operations.drain()
    async with house.dispatch.database.transaction() as connection:
        assert batch_id in await batch_runs.find_unsubmitted(connection, older_than=timedelta())


@pytest.mark.requirement("batch.get-200", "batch.usage-sum", "batch.counts", "batch.item-shape", "batch.billed-items")
async def test_a_running_batch_shows_what_has_ended(house: House, key: str) -> None:
    batch_id = await submitted(house, key, *[item(file_name=f"part {n}.step") for n in range(4)])
    assert (await stands(house, key, batch_id))["status"] == "queued"
    await begin(house, batch_id)
    await start(house, batch_id, 2)
    document = await complete(house, batch_id, 0)
    await fail(house, batch_id, 3)
    answer = await ask(house, key, batch_id)
    body = answer.json()
    assert CadExtractBatch.model_validate(body).status == "running"
    assert body["request_id"] == answer.headers["x-request-id"] and answer.headers["cache-control"] == "no-store"
    assert body["counts"] == {"queued": 1, "running": 1, "done": 1, "failed": 1}
    done, queued, running, failed = body["items"]
    assert [one["index"] for one in body["items"]] == [0, 1, 2, 3]
    assert queued == {"index": 1, "file_name": "part 1.step", "status": "queued"}
    assert running["status"] == "running" and set(running) == {"index", "file_name", "status", "started_at"}
    assert failed["http_status"] == 422
    assert failed["error"] == {"message": "not STEP", "type": "parse_error", "details": {"phase": "read"}}
    result = done["result"]
    assert CadExtraction.model_validate(result).request_id == (await known(house, batch_id)).request_id
    usage = result.pop("usage")
    assert result == json.loads(document) and document[:-1] in answer.content  # the very bytes
    assert (done["http_status"], body["usage"]) == (200, usage)
    [row] = await house.usage(key)
    assert (row.input_tokens, row.output_tokens) == (usage["input_tokens"], usage["output_tokens"])


@pytest.mark.requirement("batch.usage-sum", "batch.done-if-any", "batch.results-false")
async def test_the_usage_of_a_batch_is_the_sum_over_what_succeeded(house: House, key: str) -> None:
    batch_id = await submitted(house, key, *[item(file_name=f"{'x' * n}.step") for n in range(1, 4)])
    await begin(house, batch_id)
    for index in (0, 2):
        await complete(house, batch_id, index)
    await fail(house, batch_id, 1)
    await finish(house, batch_id)
    body = await stands(house, key, batch_id)
    assert body["status"] == "done" and body["ended_at"] > body["started_at"] > body["created_at"]
    parts = [one["result"]["usage"] for one in body["items"] if one["status"] == "done"]
    for name, total in body["usage"].items():
        assert total == pytest.approx(sum(part[name] for part in parts), abs=1e-12)
    bare = await stands(house, key, batch_id, results="false")
    assert all("result" not in one for one in bare["items"])
    assert bare["usage"] == body["usage"] and bare["items"][1] == body["items"][1]


@pytest.mark.requirement("batch.done-if-any")
async def test_a_batch_of_which_nothing_succeeded_is_failed(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    await begin(house, batch_id)
    for index in (0, 1):
        await fail(house, batch_id, index, ConverterUnavailable("gone"))
    await finish(house, batch_id)
    body = await stands(house, key, batch_id)
    assert body["status"] == "failed" and [one["http_status"] for one in body["items"]] == [503, 503]


@pytest.mark.requirement("batch.get-401", "batch.get-404", "batch.id-pattern")
async def test_another_accounts_batch_and_an_unknown_one_are_404(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    other = await house.key()
    for method in ("GET", "DELETE"):
        for secret, wanted in ((other, batch_id), (key, "cb_none"), (key, "cb_" + "0" * 32)):
            answer = await house.client.request(method, f"{BATCH}/{wanted}", headers=headers(secret))
            assert_fault(answer, 404, "not_found")
        for strange in (
            "x",
            "CB_1",
            "op_1",
            "cb_",
            "cb_%00",
            "cb_%ff",
            "cb_a%20b",
            "cb_" + "a" * 300,
            f"{batch_id}%0a",
        ):
            answer = await house.client.request(method, f"{BATCH}/{strange}", headers=headers(key))
            assert_fault(answer, 404, "not_found")
        assert_fault(await house.client.request(method, f"{BATCH}/{batch_id}"), 401, "authentication_error")
    assert (await stands(house, key, batch_id))["status"] == "queued"
    allowed = await house.client.put(f"{BATCH}/{batch_id}", headers=headers(key))
    assert_fault(allowed, 405, "method_not_allowed")
    assert allowed.headers["allow"] == "GET, DELETE, HEAD"


@pytest.mark.requirement("batch.expired")
async def test_an_expired_batch_says_so_for_a_week_without_results(house: House, key: str) -> None:
    batch_id = await submitted(house, key, item(), item(), item())
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    await fail(house, batch_id, 1)
    await run_out(house, batch_id)
    body = await stands(house, key, batch_id, wait=30)
    assert CadExtractBatch.model_validate(body).status == "expired"
    assert [one["status"] for one in body["items"]] == ["done", "failed", "failed"]
    assert all("result" not in one and "error" not in one for one in body["items"])
    assert sum(body["counts"].values()) == 3
    cancelled = await house.client.delete(f"{BATCH}/{batch_id}", headers=headers(key))
    assert cancelled.status_code == 200 and cancelled.json()["status"] == "expired"
    await run_out(house, batch_id, "6 days 23 hours")
    assert (await stands(house, key, batch_id))["status"] == "expired"
    await run_out(house, batch_id, "7 days 1 second")
    assert_fault(await ask(house, key, batch_id), 404, "not_found")


@pytest.mark.requirement("batch.no-holes")
async def test_a_result_that_cannot_be_read_is_503(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    await begin(house, batch_id)
    for index in (0, 1):
        await complete(house, batch_id, index)
    batch = await known(house, batch_id)
    await house.dispatch.lake.delete(batch.items[1].result_key or "")
    assert_fault(await ask(house, key, batch_id), 503, "converter_unavailable")
    assert (await stands(house, key, batch_id, results="false"))["counts"]["done"] == 2


@pytest.mark.requirement("batch.no-holes", "batch.expired")
async def test_a_batch_that_expires_while_it_is_read_has_expired(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = await submitted(house, key)
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    get = house.dispatch.lake.get

    async def late(object_key: str) -> bytes:
        await run_out(house, batch_id)
        await house.dispatch.lake.delete(object_key)
        return await get(object_key)

    monkeypatch.setattr(house.dispatch.lake, "get", late)
    assert (await stands(house, key, batch_id))["status"] == "expired"


@pytest.mark.requirement("batch.wait", "batch.results-false")
async def test_a_bad_question_is_400(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    for wait in ("", "-1", "31", "30.001", "1e1", "nan", "soon", "١", "3 "):
        details = assert_fault(await ask(house, key, batch_id, wait=wait), 400, "invalid_request_error")
        assert details["field"] == "wait"
    for results in ("", "no", "TRUE", "1"):
        details = assert_fault(await ask(house, key, batch_id, results=results), 400, "invalid_request_error")
        assert details["field"] == "results"
    assert_fault(await ask(house, key, batch_id, wait=["1", "2"]), 400, "invalid_request_error")


@pytest.mark.requirement("batch.delete")
async def test_delete_cancels_what_is_unfinished(house: House, key: str) -> None:
    batch_id = await submitted(house, key, item(), item(), item())
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    await start(house, batch_id, 1)
    answer = await house.client.delete(f"{BATCH}/{batch_id}", headers=headers(key))
    body = answer.json()
    assert answer.status_code == 200 and CadExtractBatch.model_validate(body).status == "done"
    assert body["request_id"] == answer.headers["x-request-id"] and "cancelled_at" in body
    assert body["counts"] == {"queued": 0, "running": 0, "done": 1, "failed": 2}
    assert "result" in body["items"][0]
    assert [(one["http_status"], one["error"]["type"]) for one in body["items"][1:]] == [(409, "cancelled")] * 2
    await house.app.state.operations.drain()
    assert house.dispatch.cancelled == [RUN]
    again = (await house.client.delete(f"{BATCH}/{batch_id}", headers=headers(key))).json()
    assert again | {"request_id": ""} == body | {"request_id": ""}
    assert len(await house.usage(key)) == 1


@pytest.mark.requirement("batch.delete")
async def test_a_batch_that_ended_is_not_cancelled(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    await fail(house, batch_id, 1)
    await finish(house, batch_id)
    answer = await house.client.delete(f"{BATCH}/{batch_id}", headers=headers(key))
    assert answer.status_code == 200 and "cancelled_at" not in answer.json() and not house.dispatch.cancelled
    queued = await submitted(house, key)
    body = (await house.client.delete(f"{BATCH}/{queued}", headers=headers(key))).json()
    assert body["status"] == "failed" and body["counts"]["failed"] == 2


@pytest.mark.requirement("batch.get-200")
async def test_head_of_a_batch_is_its_get_without_a_body(house: House, key: str) -> None:
    answer = await house.client.head(f"{BATCH}/{await submitted(house, key)}", headers=headers(key))
    assert answer.status_code == 200


@pytest.mark.requirement("batch.202", "upload.batch-item")
async def test_a_file_sent_ahead_is_an_item_like_another(house: House, key: str) -> None:
    announced = await house.client.post("/api/v1/uploads", json={"file_name": "big.step"}, headers=headers(key))
    upload = announced.json()
    sent = await house.client.put(upload["upload_url"], content=STEP, headers=headers(key))
    assert sent.status_code == 200, sent.text
    by_id = item(content_base64=None, upload_id=upload["id"], file_name="big.step")
    batch = await known(house, await submitted(house, key, item(), by_id))
    content_key = batch.items[1].content_key
    assert content_key is not None and content_key.startswith(f"staged/{batch.operation_id}/1/")
    assert await house.dispatch.lake.get(content_key) == STEP
    refused = await submit(house, await house.key(), item(), by_id)
    assert assert_fault(refused, 400, "invalid_request_error")["index"] == 1


@pytest.mark.requirement("batch.rerun-route")
async def test_the_failed_items_of_a_batch_run_again_in_a_new_batch(house: House, key: str) -> None:
    by_url = item(content_base64=None, content_url=URL, target_contract="both", file_name="part.stp")
    batch_id = await submitted(house, key, item(), item(file_name="second.step"), by_url)
    assert "is queued" in await refusal(house, key, batch_id, 400)
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    for index in (1, 2):
        await fail(house, batch_id, index)
    await finish(house, batch_id)
    before = await stands(house, key, batch_id)
    answer = await rerun(house, key, batch_id, "again")
    assert answer.status_code == 202
    body = answer.json()
    assert [one["file_name"] for one in body["items"]] == ["second.step", "part.stp"]
    first, second = await known(house, batch_id), await known(house, body["id"])
    assert second.items[0].content_key != first.items[1].content_key
    assert await house.dispatch.lake.get(str(second.items[0].content_key)) == STEP
    assert (second.items[1].content_url, second.items[1].target_contract) == (URL, "both")
    assert await stands(house, key, batch_id) | {"request_id": ""} == before | {"request_id": ""}
    await house.app.state.operations.drain()
    assert house.dispatch.submitted == [batch_id, body["id"]]
    replay = await rerun(house, key, batch_id, "again")
    assert is_replay(replay, answer)
    other = await submitted(house, key)
    assert_fault(await rerun(house, key, other, "again"), 409, "idempotency_conflict")


@pytest.mark.requirement("batch.rerun-route")
async def test_what_cannot_run_again_is_said(house: House, key: str) -> None:
    good = await submitted(house, key, item())
    await begin(house, good)
    await complete(house, good, 0)
    await finish(house, good)
    assert "none of its items failed" in await refusal(house, key, good, 400)
    cancelled = await submitted(house, key)
    await house.client.delete(f"{BATCH}/{cancelled}", headers=headers(key))
    assert "its caller cancelled it" in await refusal(house, key, cancelled, 400)
    gone = await submitted(house, key)
    await begin(house, gone)
    for index in (0, 1):
        await fail(house, gone, index)
    await finish(house, gone)
    await house.dispatch.lake.delete(str((await known(house, gone)).items[0].content_key))
    assert "item 0 is deleted" in await refusal(house, key, gone, 404)
    await run_out(house, gone)
    assert "has expired" in await refusal(house, key, gone, 404)
    assert_fault(await rerun(house, await house.key(), good), 404, "not_found")
    assert_fault(await rerun(house, "", good), 401, "authentication_error")


async def rerun(house: House, key: str, batch_id: str, idempotency_key: str | None = None) -> httpx.Response:
    own = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
    sent = headers(key) if key else {}
    return await house.client.post(f"{BATCH}/{batch_id}/rerun", headers={**sent, **own})


async def refusal(house: House, key: str, batch_id: str, status: int) -> str:
    """The message with which a rerun is refused."""
    answer = await rerun(house, key, batch_id)
    assert_fault(answer, status, {400: "invalid_request_error", 404: "not_found"}[status])
    return str(answer.json()["error"]["message"])
