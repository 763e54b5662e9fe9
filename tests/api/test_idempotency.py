"""Idempotency-Key over two API processes' worth of apps, failures and crashes (spec: Idempotency-Key)."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest

from api.intake import Submission
from spatial.errors import ConverterUnavailable, ParseError
from storage.objects.lake import LakeUnavailable
from storage.postgres import idempotency, operations
from tests.api.house import EXTRACT, NAME, STEP, House, assert_fault, headers, open_house

OTHER = base64.b64encode(STEP + b"\n").decode()


def is_replay(answer: Any, first: Any) -> bool:
    """Byte for byte the first answer, under the first answer's request id, and marked."""
    return (
        answer.headers.get("idempotency-replayed") == "true"
        and (answer.status_code, answer.content) == (first.status_code, first.content)
        and answer.headers["x-request-id"] == first.headers["x-request-id"]
        and answer.headers["content-type"] == first.headers["content-type"]
    )


@pytest.mark.requirement(
    "idempotency.extract",
    "idempotency.replay",
    "idempotency.replay-header",
    "idempotency.replay-unbilled",
    "api.replay-request-id",
)
async def test_the_same_key_and_payload_get_the_stored_answer_and_are_not_billed_again(house: House, key: str) -> None:
    first = await house.extract(key, retry="one", target_contract="both")
    again = await house.extract(key, retry="one", target_contract="both")
    assert first.status_code == 200 and is_replay(again, first)
    assert len(house.dispatch.jobs) == 1 and len(await house.usage(key)) == 1
    assert again.json()["request_id"] == again.headers["x-request-id"]


@pytest.mark.requirement("idempotency.optional")
async def test_without_a_key_every_request_executes(house: House, key: str) -> None:
    first, second = await house.extract(key), await house.extract(key)
    assert len(house.dispatch.jobs) == 2
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


@pytest.mark.requirement("idempotency.255", "error.400.idempotency-key", "limit.idempotency-key")
async def test_a_key_is_1_to_255_visible_ascii_characters(house: House, key: str) -> None:
    assert (await house.extract(key, retry="!" + "~" * 254)).status_code == 200
    for bad in ("", " ", "a b", "x" * 256, "a\tb"):
        assert_fault(await house.extract(key, retry=bad), 400, "invalid_request_error")
    raw = [(b"Authorization", f"Bearer {key}".encode()), (b"Idempotency-Key", "clé".encode())]
    assert_fault(await house.client.post(EXTRACT, content=b"{}", headers=raw), 400, "invalid_request_error")
    twice = [("Authorization", f"Bearer {key}"), ("Idempotency-Key", "a"), ("Idempotency-Key", "a")]
    assert_fault(await house.client.post(EXTRACT, content=b"{}", headers=twice), 400, "invalid_request_error")


@pytest.mark.requirement("idempotency.conflict", "error.409.conflict")
async def test_another_payload_is_409_conflict(house: House, key: str) -> None:
    first = await house.extract(key, retry="one")
    changes: tuple[dict[str, Any], ...] = (
        {"content_base64": OTHER},
        {"file_name": "other.step"},
        {"target_contract": "both"},
        {"content_base64": None, "content_url": "https://files.example.com/a.step"},
    )
    for change in changes:
        assert_fault(await house.extract(key, retry="one", **change), 409, "idempotency_conflict")
    assert is_replay(await house.extract(key, retry="one"), first)


@pytest.mark.requirement("idempotency.multipart-content", "api.same-payload-any-encoding")
async def test_the_payload_is_compared_by_content_whatever_its_encoding(house: House, key: str) -> None:
    first = await house.client.post(EXTRACT, files={"file": (NAME, STEP)}, headers=headers(key, "one"))
    for boundary in ("aaaa", "bbbb"):
        form = {"Content-Type": f"multipart/form-data; boundary={boundary}", **headers(key, "one")}
        same = await house.client.post(EXTRACT, files={"file": (NAME, STEP)}, headers=form)
        assert is_replay(same, first)
    by_json = await house.extract(key, retry="one", target_contract="structured")
    assert is_replay(by_json, first)


@pytest.mark.requirement("idempotency.scope-account")
async def test_another_account_has_its_own_keys(house: House, key: str) -> None:
    first = await house.extract(key, retry="one")
    other = await house.extract(await house.key(), retry="one", content_base64=OTHER)
    assert first.status_code == other.status_code == 200
    assert "idempotency-replayed" not in other.headers


@pytest.mark.requirement("idempotency.in-progress", "error.409.in-progress")
async def test_a_key_whose_request_is_running_is_409_in_another_process_too(
    house: House, key: str, postgres_url: str, tmp_path: Path
) -> None:
    async with open_house(postgres_url, tmp_path) as second:
        house.dispatch.latch.clear()
        asking = asyncio.create_task(house.extract(key, retry="one"))
        await house.dispatch.began.wait()
        assert_fault(await second.extract(key, retry="one"), 409, "idempotency_in_progress")
        assert_fault(await second.extract(key, retry="one", content_base64=OTHER), 409, "idempotency_conflict")
        house.dispatch.latch.set()
        first = await asking
        assert is_replay(await second.extract(key, retry="one"), first)


@pytest.mark.requirement("idempotency.in-progress", "idempotency.replay-unbilled")
async def test_of_many_at_once_in_two_processes_one_executes(
    house: House, key: str, postgres_url: str, tmp_path: Path
) -> None:
    async with open_house(postgres_url, tmp_path) as second:
        answers = await asyncio.gather(*((house, second)[n % 2].extract(key, retry="one") for n in range(8)))
        assert len(house.dispatch.jobs) + len(second.dispatch.jobs) == 1
    for answer in answers:
        if answer.status_code != 200:
            assert_fault(answer, 409, "idempotency_in_progress")
    assert sum(answer.status_code == 200 and "idempotency-replayed" not in answer.headers for answer in answers) == 1


@pytest.mark.requirement("idempotency.executed-is-stored")
async def test_a_4xx_of_a_request_that_began_to_execute_is_stored(house: House, key: str) -> None:
    house.dispatch.failure = ParseError("bracket.step: not a STEP file", details={"phase": "read"})
    first = await house.extract(key, retry="one")
    assert_fault(first, 422, "parse_error")
    house.dispatch.failure = None
    assert is_replay(await house.extract(key, retry="one"), first)


@pytest.mark.requirement("idempotency.executed-is-stored")
async def test_a_4xx_that_the_lake_does_not_take_leaves_the_key_free(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(object_key: str, data: bytes) -> None:
        raise LakeUnavailable(f"no room for {object_key}")

    house.dispatch.failure = ParseError("bracket.step: not a STEP file")
    house.dispatch.before_failing = lambda: monkeypatch.setattr(house.dispatch.lake, "put", full)
    assert_fault(await house.extract(key, retry="one"), 422, "parse_error")
    monkeypatch.undo()
    house.dispatch.failure = None
    again = await house.extract(key, retry="one")
    assert again.status_code == 200 and "idempotency-replayed" not in again.headers


@pytest.mark.requirement("idempotency.5xx-not-stored")
@pytest.mark.parametrize(
    "failure", [ConverterUnavailable("the converter is down"), RuntimeError("a bug of ours")], ids=repr
)
async def test_a_5xx_is_not_stored(house: House, key: str, failure: Exception) -> None:
    house.dispatch.failure = failure
    assert (await house.extract(key, retry="one")).status_code >= 500
    house.dispatch.failure = None
    again = await house.extract(key, retry="one")
    assert again.status_code == 200 and "idempotency-replayed" not in again.headers


@pytest.mark.requirement("api.lease-renewed")
async def test_a_running_request_renews_its_lease(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, lease_seconds=2) as short:
        short.dispatch.latch.clear()
        key = await short.key()
        asking = asyncio.create_task(short.extract(key, retry="one"))
        await short.dispatch.began.wait()
        [job] = short.dispatch.jobs
        renewed = f"SELECT lease_until - created_at > interval '2.4 s' FROM operations WHERE id = '{job.operation_id}'"
        async with asyncio.timeout(30):
            while not (await short.query(renewed))[0][0]:
                await asyncio.sleep(0)
        assert_fault(await short.extract(key, retry="one"), 409, "idempotency_in_progress")
        short.dispatch.latch.set()
        assert (await asking).status_code == 200


@pytest.mark.requirement("idempotency.survives-crash")
async def test_a_key_whose_owner_died_is_free_when_its_lease_has_lapsed(house: House, key: str) -> None:
    await house.extract(key)
    [dead] = house.dispatch.jobs
    said = {"operation_id": "op_dead", "account_id": dead.account_id, "key_id": dead.key_id, "request_id": "req_dead"}
    payload = Submission(NAME, dead.target_contract, data=STEP).fingerprint()
    async with house.dispatch.database.transaction() as connection:
        await operations.open(connection, **said, route=EXTRACT, lease_seconds=0.5)
        await idempotency.claim(connection, dead.account_id, EXTRACT, "one", payload, "op_dead")
    async with asyncio.timeout(30):
        while (answer := await house.extract(key, retry="one")).status_code == 409:
            assert_fault(answer, 409, "idempotency_in_progress")
    assert answer.status_code == 200 and "idempotency-replayed" not in answer.headers
    assert is_replay(await house.extract(key, retry="one"), answer)


@pytest.mark.requirement("api.disconnect-goes-on")
async def test_a_caller_who_hangs_up_finds_the_answer_under_the_same_key(house: House, key: str) -> None:
    house.dispatch.latch.clear()
    asking = asyncio.create_task(house.extract(key, retry="one"))
    await house.dispatch.began.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    house.dispatch.latch.set()
    await house.app.state.operations.drain()
    answer = await house.extract(key, retry="one")
    assert answer.status_code == 200 and answer.headers["idempotency-replayed"] == "true"
    assert len(house.dispatch.jobs) == 1
