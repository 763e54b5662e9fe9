"""Long polls: who waits for a batch sees it change, and nobody is held up."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from api import batch_poller
from storage.postgres import batches
from storage.postgres.database import DatastoreUnavailable
from tests.api.batch_house import BATCH, begin, complete, finish, stands, submitted
from tests.api.house import House, headers
from tests.api.test_server import served


@pytest.mark.requirement("batch.wait")
async def test_waiting_ends_when_the_batch_changes(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    waiting = asyncio.create_task(stands(house, key, batch_id, wait=30))
    async with asyncio.timeout(20):
        while not house.app.state.batch_poller.waiting:
            await asyncio.sleep(0)
        await begin(house, batch_id)
        assert (await waiting)["status"] == "running"
        await complete(house, batch_id, 0)
        await complete(house, batch_id, 1)
        await finish(house, batch_id)
        assert (await stands(house, key, batch_id, wait=30))["status"] == "done"  # it has ended: at once
    assert house.app.state.batch_poller.waiting == 0


@pytest.mark.requirement("batch.wait")
async def test_waiting_ends_with_its_time_and_with_the_server(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    for nothing in (0, "0", "0.0", "0.3"):
        assert (await stands(house, key, batch_id, wait=nothing))["status"] == "queued"
    async with asyncio.timeout(20):
        ended = asyncio.Event()
        ended.set()
        await house.app.state.batch_poller.wait_for_change(batch_id, 2, seconds=30, woken=ended)


@pytest.mark.requirement("batch.wait")
async def test_a_long_poll_does_not_hold_up_a_server_that_stops(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    async with asyncio.timeout(15), httpx.AsyncClient(trust_env=False, timeout=60) as client:
        async with served(house) as port:
            url = f"http://127.0.0.1:{port}{BATCH}/{batch_id}?wait=30"
            asking = asyncio.create_task(client.get(url, headers=headers(key)))
            while not house.app.state.batch_poller.waiting:
                await asyncio.sleep(0)
        answer = await asking
    assert answer.status_code == 200 and answer.json()["status"] == "queued"


@pytest.mark.requirement("batch.wait")
async def test_a_long_poll_ends_with_its_caller(house: House, key: str) -> None:
    batch_id = await submitted(house, key)
    async with asyncio.timeout(15), httpx.AsyncClient(trust_env=False, timeout=60) as client, served(house) as port:
        url = f"http://127.0.0.1:{port}{BATCH}/{batch_id}?wait=30"
        asking = asyncio.create_task(client.get(url, headers=headers(key)))
        while not house.app.state.batch_poller.waiting:
            await asyncio.sleep(0)
        asking.cancel()
        while house.app.state.batch_poller.waiting:
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (await stands(house, key, batch_id))["status"] == "queued"  # nothing but its caller ended it
    assert house.app.state.batch_poller.waiting == 0


@pytest.mark.requirement("batch.wait-one-watcher")
async def test_many_who_wait_are_one_question(house: House, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    versions, asked = batches.read_versions, list[int]()

    async def counting(connection: Any, ids: Any) -> dict[str, int]:
        asked.append(len(ids))
        return await versions(connection, ids)

    monkeypatch.setattr(batches, "read_versions", counting)
    ids = [await submitted(house, key) for _ in range(3)]
    waiting = [asyncio.create_task(stands(house, key, batch_id, wait=30)) for batch_id in ids * 3]
    async with asyncio.timeout(20):
        while not (3 in asked and house.app.state.batch_poller.waiting == 9):
            await asyncio.sleep(0)
        for batch_id in ids:
            await begin(house, batch_id)
        seen = await asyncio.gather(*waiting)
    assert {body["status"] for body in seen} == {"running"}
    assert max(asked) == 3


@pytest.mark.requirement("batch.wait")
async def test_a_stumbling_datastore_does_not_end_a_wait(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    versions, stumbled = batches.read_versions, list[Exception]()

    async def stumbling(connection: Any, ids: Any) -> dict[str, int]:
        if len(stumbled) < 2:
            stumbled.append([DatastoreUnavailable("gone"), RuntimeError("odd")][len(stumbled)])
            raise stumbled[-1]
        return await versions(connection, ids)

    monkeypatch.setattr(batches, "read_versions", stumbling)
    batch_id = await submitted(house, key)
    waiting = asyncio.create_task(stands(house, key, batch_id, wait=30))
    async with asyncio.timeout(20):
        while len(stumbled) < 2:
            await asyncio.sleep(0)
        await begin(house, batch_id)
        assert (await waiting)["status"] == "running"


@pytest.mark.requirement("batch.wait")
async def test_the_end_of_a_batch_is_seen_without_waiting_for_the_next_look(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_poller, "TICK_SECONDS", 3600.0)
    batch_id = await submitted(house, key)
    await begin(house, batch_id)
    await complete(house, batch_id, 0)
    await complete(house, batch_id, 1)
    async with asyncio.timeout(20):
        waiting = asyncio.create_task(stands(house, key, batch_id, wait=30))
        while not house.app.state.batch_poller.waiting:
            await asyncio.sleep(0)
        await finish(house, batch_id)
        assert (await waiting)["status"] == "done"
