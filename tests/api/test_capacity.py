"""A process that has as many extractions as it can carry: the next ones wait, then are refused, and nothing of a refused one is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

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


async def hold(
    capacity: Capacity, has_left: Callable[[], Awaitable[bool]], until: asyncio.Event, account_id: str = "acct"
) -> None:
    """Hold a place until an event."""
    async with capacity.place(account_id, has_left):
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


async def serve(capacity: Capacity, account_id: str, served: list[str], seconds: float = 0.0) -> None:
    """Hold a place for a while, and note whose it was."""
    async with capacity.place(account_id, here):
        served.append(account_id)
        await asyncio.sleep(seconds)


async def begun(*requests: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
    """These requests, each of which runs or waits."""
    tasks = [asyncio.create_task(request) for request in requests]
    await asyncio.sleep(0)
    return tasks


@pytest.mark.requirement("capacity.turns")
async def test_accounts_take_turns() -> None:
    capacity, served = Capacity(1, 50, CollectorRegistry()), list[str]()
    burst = await begun(*(serve(capacity, "burst", served, 0.02) for _ in range(6)))
    others = await begun(serve(capacity, "one", served), serve(capacity, "two", served), serve(capacity, "one", served))
    await asyncio.gather(*burst, *others)
    assert served == ["burst", "burst", "one", "two", "burst", "one", "burst", "burst", "burst"]
    assert capacity.waiting == 0


@pytest.mark.requirement("capacity.turns")
async def test_in_a_full_queue_the_last_request_of_the_longest_burst_is_refused() -> None:
    capacity, served = Capacity(1, 3, CollectorRegistry()), list[str]()
    burst = await begun(*(serve(capacity, "burst", served, 0.02) for _ in range(4)))
    (other,) = await begun(serve(capacity, "other", served))
    with pytest.raises(ConverterUnavailable, match="the service is busy"):
        capacity.require_place("burst")
    found = await asyncio.gather(*burst, other, return_exceptions=True)
    assert [isinstance(one, ConverterUnavailable) for one in found] == [False, False, False, True, False]
    assert served == ["burst", "burst", "other", "burst"]


@pytest.mark.requirement("capacity.retry-after")
async def test_each_refused_request_is_told_when_its_turn_would_come() -> None:
    capacity, served = Capacity(1, 100, CollectorRegistry(), seconds=2.0), list[str]()
    warm = await begun(*(serve(capacity, "a", served, 0.05) for _ in range(12)))
    await asyncio.gather(*warm)  # 20 in a second at most
    assert capacity._pace.rate is not None and 1 < capacity._pace.rate <= 20
    capacity._pace.rate = 10.0
    waiting = await begun(*(serve(capacity, "a", served, 0.02) for _ in range(40)))
    refused = [task for task in waiting if task.done()]
    told = [error.retry_after for task in refused if isinstance(error := task.exception(), ConverterUnavailable)]
    assert capacity.waiting == 20  # those that are served within the two seconds
    assert told in ([2] * 9 + [3] * 10, [2] * 10 + [3] * 9), "each a second before its turn, behind the one before"
    await asyncio.gather(*(task for task in waiting if task not in refused))


@pytest.mark.requirement("capacity.retry-after")
async def test_while_the_converter_starts_its_time_is_counted() -> None:
    away = 0.0
    capacity, end = Capacity(1, 100, CollectorRegistry(), seconds=5.0, still=lambda: away), asyncio.Event()
    (first,) = await begun(hold(capacity, here, end))
    away = 4.0
    (waits,) = await begun(hold(capacity, here, end))
    capacity._pace.rate = 0.9  # so that one call more is served in time, were the converter there
    away = 4.5
    with pytest.raises(ConverterUnavailable) as refused:
        capacity.require_place("acct")
    assert refused.value.retry_after == 5, "when the converter is there: it waits for its turn then"
    away = 12.0
    capacity._pace.rate = None
    with pytest.raises(ConverterUnavailable) as refused:
        capacity.require_place("acct")
    assert refused.value.retry_after is not None and 12 <= refused.value.retry_after <= 25
    assert not waits.done(), "it was told to wait while that held"
    end.set()
    await asyncio.gather(first, waits)


@pytest.mark.requirement("capacity.waits")
async def test_a_place_that_comes_as_its_caller_leaves_goes_to_the_next() -> None:
    capacity, served, end = Capacity(1, 5, CollectorRegistry()), list[str](), asyncio.Event()
    first, left, last = await begun(
        hold(capacity, here, end), serve(capacity, "a", served), serve(capacity, "b", served)
    )
    end.set()
    await asyncio.sleep(0)  # `first` goes on; the place is given to `left` in this turn of the loop
    left.cancel()
    await asyncio.gather(first, left, last, return_exceptions=True)
    await asyncio.wait_for(serve(capacity, "c", served), 1)
    assert served[-2:] == ["b", "c"] and capacity.waiting == 0
