"""A process that has as many extractions as it can carry: the next ones wait, then are refused, and nothing of a refused one is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from api.gates.capacity import Capacity
from spatial.errors import ConverterUnavailable
from tests.api.house import House, assert_fault, open_house


@pytest.fixture
async def narrow(postgres_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """A process with one place, for which one request may wait."""
    async with open_house(postgres_url, tmp_path, extract_parallel=1, extract_waiting=1) as opened:
        yield opened


async def true_within(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Poll a condition."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


@pytest.mark.requirement("capacity.refused", "capacity.waits")
async def test_one_runs_one_waits_and_the_next_is_refused_and_may_come_again(narrow: House) -> None:
    key = await narrow.key()
    assert (await narrow.extract(key, retry="before")).status_code == 200
    narrow.dispatch.latch.clear()
    narrow.dispatch.began.clear()
    first = asyncio.create_task(narrow.extract(key))
    await narrow.dispatch.began.wait()
    second = asyncio.create_task(narrow.extract(key))
    capacity = narrow.app.state.operations.capacity
    await true_within(lambda: capacity.waiting == 1)
    refused = await narrow.extract(key, retry="again")
    assert_fault(refused, 503, "converter_unavailable")
    assert "nothing was begun or billed" in refused.json()["error"]["message"]
    assert_fault(await narrow.extract(key, content_base64="not base64"), 503, "converter_unavailable")
    assert_fault(await narrow.extract("sk_no-key-at-all"), 401, "authentication_error")
    assert (await narrow.extract(key, retry="before")).headers["idempotency-replayed"] == "true"
    assert narrow.dispatch.registry.get_sample_value("spatial_extractions_waiting") == 1
    narrow.dispatch.latch.set()
    assert [(await each).status_code for each in (first, second)] == [200, 200]
    again = await narrow.extract(key, retry="again")
    assert again.status_code == 200 and "idempotency-replayed" not in again.headers
    assert len(await narrow.usage(key)) == len(narrow.dispatch.jobs) == 4


@pytest.mark.requirement("capacity.refused")
async def test_a_failed_extraction_gives_its_place_back(narrow: House) -> None:
    key = await narrow.key()
    narrow.dispatch.failure = ConverterUnavailable("gone; try again")
    for _ in range(3):
        assert (await narrow.extract(key)).status_code == 503
    narrow.dispatch.failure = None
    assert (await narrow.extract(key)).status_code == 200


async def here() -> bool:
    """A caller who waits."""
    return False


async def gone() -> bool:
    """A caller who has disconnected."""
    return True


async def hold(capacity: Capacity, has_left: Callable[[], Awaitable[bool]], until: asyncio.Event) -> None:
    """Hold a place until an event."""
    async with capacity.place(has_left):
        await until.wait()


@pytest.mark.requirement("capacity.waits")
async def test_nothing_begins_for_a_caller_who_disconnected_while_waiting() -> None:
    capacity, end = Capacity(1, 5, CollectorRegistry()), asyncio.Event()
    first = asyncio.create_task(hold(capacity, here, end))
    await asyncio.sleep(0)
    left = asyncio.create_task(hold(capacity, gone, end))
    next_one = asyncio.create_task(hold(capacity, here, end))
    await true_within(lambda: capacity.waiting == 2)
    end.set()
    await asyncio.gather(first, next_one)
    with pytest.raises(ConverterUnavailable, match="disconnected"):
        await left
    assert capacity.waiting == 0


@pytest.mark.requirement("capacity.waits", "capacity.refused")
async def test_a_place_is_waited_for_a_limited_time_and_a_cancelled_wait_takes_none() -> None:
    capacity, end = Capacity(1, 5, CollectorRegistry(), seconds=0.05), asyncio.Event()
    first = asyncio.create_task(hold(capacity, here, end))
    await asyncio.sleep(0)
    cancelled = asyncio.create_task(hold(capacity, here, end))
    await true_within(lambda: capacity.waiting == 1)
    cancelled.cancel()
    with pytest.raises(ConverterUnavailable, match="the service is busy"):
        await hold(capacity, here, end)
    end.set()
    await first
    await hold(capacity, here, end)
    assert capacity.waiting == 0 and cancelled.cancelled()
