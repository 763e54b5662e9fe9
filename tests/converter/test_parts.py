"""The semaphore and frames, each by itself."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from converter.semaphore import HOLD_SECONDS, SINGLES_EACH, FairSemaphore
from sandbox import frames
from spatial.errors import ConverterUnavailable
from tests.converter.conftest import until

pytestmark = pytest.mark.asyncio(loop_scope="package")


@asynccontextmanager
async def occupied(semaphore: FairSemaphore, count: int) -> AsyncIterator[None]:
    """So many calls admitted or waiting."""
    leave = asyncio.Event()

    async def stay() -> None:
        async with semaphore.acquire():
            await leave.wait()

    stays = [asyncio.create_task(stay()) for _ in range(count)]
    await until(lambda: semaphore.running + semaphore.waiting == count)
    try:
        yield
    finally:
        leave.set()
        await asyncio.gather(*stays, return_exceptions=True)


@pytest.mark.requirement("converter.queue")
async def test_places_go_to_whoever_waits_longest() -> None:
    semaphore, order = FairSemaphore(workers=1, queue=3), []

    async def come(number: int) -> None:
        async with semaphore.acquire():
            order.append(number)

    async with occupied(semaphore, 1):
        comers = [asyncio.create_task(come(number)) for number in range(3)]
        await until(lambda: semaphore.waiting == 3)
    await asyncio.gather(*comers)
    assert order == [0, 1, 2]
    assert (semaphore.running, semaphore.waiting) == (0, 0)


@pytest.mark.requirement("converter.queue")
async def test_whoever_stops_waiting_leaves_no_hole() -> None:
    semaphore = FairSemaphore(workers=1, queue=2)

    async def come() -> str:
        async with semaphore.acquire():
            return "served"

    async with occupied(semaphore, 1):
        impatient, patient = asyncio.create_task(come()), asyncio.create_task(come())
        await until(lambda: semaphore.waiting == 2)
        impatient.cancel()
        await until(lambda: semaphore.waiting == 1)
    assert await patient == "served"
    assert (semaphore.running, semaphore.waiting) == (0, 0)


@pytest.mark.requirement("converter.queue")
async def test_a_place_given_to_one_that_leaves_at_that_moment_is_not_lost() -> None:
    semaphore = FairSemaphore(workers=1, queue=1)

    async def come() -> None:
        async with semaphore.acquire():
            pass

    async with occupied(semaphore, 1):
        leaver = asyncio.create_task(come())
        await until(lambda: semaphore.waiting == 1)
    leaver.cancel()
    await asyncio.wait({leaver})
    await asyncio.wait_for(come(), 5)
    assert semaphore.running == 0


@pytest.mark.requirement("converter.retry-holds")
async def test_calls_that_find_the_queue_full_while_the_readers_load_are_told_to_come_after_that() -> None:
    semaphore = FairSemaphore(workers=1, queue=0, still=lambda: 16.4)
    async with occupied(semaphore, 1):
        with pytest.raises(ConverterUnavailable) as refusal:
            async with semaphore.acquire():
                pass
    assert refusal.value.retry_after == 17


@pytest.mark.requirement("converter.stop")
async def test_draining_sends_away_those_that_wait_and_those_that_come() -> None:
    semaphore = FairSemaphore(workers=1, queue=2)
    async with occupied(semaphore, 2):
        semaphore.drain()
        await until(lambda: semaphore.waiting == 0)
        assert semaphore.running == 1
        with pytest.raises(ConverterUnavailable, match="stopping"):
            async with semaphore.acquire():
                pass
    assert semaphore.running == 0


async def serve(
    semaphore: FairSemaphore, account: str, served: list[str], *, bulk: bool = False, is_small: bool = False
) -> None:
    async with semaphore.acquire(account, bulk=bulk, is_small=is_small):
        served.append(account)


async def come(*calls: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
    """These calls, each of which runs, waits, or is refused."""
    tasks = [asyncio.create_task(call) for call in calls]
    await asyncio.sleep(0)
    return tasks


@pytest.mark.requirement("converter.turns")
async def test_accounts_take_turns_and_each_is_served_in_order() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=20), list[str]()
    async with occupied(semaphore, 1):
        burst = await come(*(serve(semaphore, "burst", served) for _ in range(4)))
        others = await come(*(serve(semaphore, name, served) for name in ("one", "two", "one")))
    await asyncio.gather(*burst, *others)
    assert served == ["burst", "one", "two", "burst", "one", "burst", "burst"]


@pytest.mark.requirement("converter.turns")
async def test_files_in_bulk_are_served_beside_single_ones_and_neither_class_starves_the_other() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=20), list[str]()
    async with occupied(semaphore, 1):
        bulk = await come(*(serve(semaphore, "bulk", served, bulk=True) for _ in range(4)))
        single = await come(*(serve(semaphore, "single", served) for _ in range(8)))
    await asyncio.gather(*bulk, *single)
    assert served == [*(["single"] * SINGLES_EACH + ["bulk"]) * 2, "single", "single", "bulk", "bulk"]


@pytest.mark.requirement("converter.queue", "converter.turns")
async def test_in_a_full_queue_the_last_call_of_the_longest_burst_is_refused() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=3), list[str]()
    async with occupied(semaphore, 1):
        burst = await come(*(serve(semaphore, "burst", served) for _ in range(3)))
        (other,) = await come(serve(semaphore, "other", served))
        in_bulk = await come(*(serve(semaphore, "ingest", served, bulk=True) for _ in range(4)))
        await asyncio.sleep(0)
        with pytest.raises(ConverterUnavailable, match="busy: 6 calls are waiting"):
            await serve(semaphore, "burst", served)
    found = await asyncio.gather(*burst, other, *in_bulk, return_exceptions=True)
    assert [isinstance(one, ConverterUnavailable) for one in found] == [False, False, True, *[False] * 4, True]
    assert (semaphore.running, semaphore.waiting) == (0, 0)


@pytest.mark.requirement("converter.queue")
async def test_each_refused_call_is_told_when_it_would_be_served_at_the_pace_of_now() -> None:
    semaphore = FairSemaphore(workers=1, queue=2)
    semaphore._pace.rate = 0.1
    async with occupied(semaphore, 3):
        told = []
        for _ in range(3):
            with pytest.raises(ConverterUnavailable) as refusal:
                await serve(semaphore, "", [])
            told.append(refusal.value.retry_after)
    assert told == [30, 40, 50]


@pytest.mark.requirement("converter.begun")
async def test_a_file_that_was_read_goes_before_new_ones_and_one_such_call_beside_the_workers() -> None:
    semaphore, served, leave = FairSemaphore(workers=1, queue=5), list[str](), asyncio.Event()

    async def go_on(name: str) -> None:
        async with semaphore.resume(asyncio.Lock(), None, name):
            served.append(name)
            await leave.wait()

    async with occupied(semaphore, 1):
        new = await come(serve(semaphore, "new", served))
        begun = await come(go_on("first"), go_on("second"))
        assert served == ["first"] and (semaphore.running, semaphore.waiting) == (2, 2)
        leave.set()
        await until(lambda: semaphore.waiting == 1)
    await asyncio.gather(*new, *begun)
    assert served == ["first", "second", "new"] and semaphore.running == 0


@asynccontextmanager
async def held(semaphore: FairSemaphore, *names: str, is_small: bool = False) -> AsyncIterator[list[asyncio.Event]]:
    """Calls that are admitted, and run until their events are set, at the latest at the end."""
    ends = [asyncio.Event() for _ in names]

    async def hold(name: str, end: asyncio.Event) -> None:
        async with semaphore.acquire(name, is_small=is_small):
            await end.wait()

    holding = await come(*(hold(name, end) for name, end in zip(names, ends, strict=True)))
    try:
        yield ends
    finally:
        for end in ends:
            end.set()
        await asyncio.gather(*holding)


@pytest.mark.requirement("converter.small")
async def test_a_small_file_is_read_beside_workers_that_are_busy_by_files_of_the_same_account() -> None:
    semaphore, served = FairSemaphore(workers=2, queue=5), list[str]()
    async with held(semaphore, "one", "one"):
        large, *small = await come(
            serve(semaphore, "large", served), *(serve(semaphore, name, served, is_small=True) for name in ("a", "b"))
        )
        await asyncio.gather(*small)
        assert served == ["a", "b"] and (semaphore.running, semaphore.waiting) == (2, 1)
    await large
    assert semaphore.running == 0


@pytest.mark.requirement("converter.small")
async def test_one_small_file_at_a_time_is_read_beside_the_workers_and_none_in_bulk() -> None:
    semaphore, served = FairSemaphore(workers=2, queue=5), list[str]()
    async with held(semaphore, "one", "one") as (_, second), held(semaphore, "small", is_small=True) as (beside,):
        waiting = await come(
            serve(semaphore, "large", served),
            serve(semaphore, "bulk", served, bulk=True, is_small=True),
            serve(semaphore, "small", served, is_small=True),
        )
        assert (semaphore.running, semaphore.waiting) == (3, 3)
        second.set()  # the small file that runs counts as that worker's from now on
        await asyncio.sleep(0)
        assert (semaphore.running, semaphore.waiting, served) == (2, 3, [])
        beside.set()
        await until(lambda: semaphore.waiting == 0)
    await asyncio.gather(*waiting)
    assert sorted(served) == ["bulk", "large", "small"] and served[-1] == "bulk" and semaphore.running == 0


@pytest.mark.requirement("converter.small", "converter.begun")
async def test_a_file_that_was_read_goes_before_a_small_one() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=5), list[str]()
    async with held(semaphore, "one"):
        async with held(semaphore, "small", is_small=True):

            async def go_on() -> None:
                async with semaphore.resume(asyncio.Lock(), None, "begun"):
                    served.append("begun")

            calls = await come(serve(semaphore, "next", served, is_small=True), go_on())
            assert served == []
        await asyncio.gather(*calls)
    assert served == ["begun", "next"] and semaphore.running == 0


@pytest.mark.requirement("converter.small")
async def test_the_place_of_a_small_file_whose_caller_left_is_given_on() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=5), list[str]()
    async with held(semaphore, "one"):
        async with held(semaphore, "small", is_small=True) as (beside,):
            gone, stays = await come(*(serve(semaphore, name, served, is_small=True) for name in ("gone", "stays")))
            beside.set()
            await asyncio.sleep(0)
            gone.cancel()
        await asyncio.gather(gone, stays, return_exceptions=True)
        assert "stays" in served
    assert semaphore.running == 0


@pytest.mark.requirement("converter.begun")
async def test_the_worker_of_a_read_waits_for_the_call_that_follows_and_not_for_long() -> None:
    semaphore, served = FairSemaphore(workers=1, queue=5), list[str]()
    for follows in (True, False):
        async with semaphore.acquire("one") as place:
            others = await come(serve(semaphore, "other", served))
            place.lend()
        if follows:
            async with semaphore.resume(asyncio.Lock(), place, "one"):
                await asyncio.sleep(2 * HOLD_SECONDS)
                assert served == [] and semaphore.waiting == 1
        await asyncio.gather(*others)
        served.clear()
    assert (semaphore.running, semaphore.waiting) == (0, 0) and not place.take()


@pytest_asyncio.fixture(loop_scope="package")
async def pair() -> AsyncIterator[tuple[socket.socket, socket.socket]]:
    near, far = socket.socketpair()
    near.setblocking(False)
    with near, far:
        yield near, far


@pytest.mark.requirement("converter.round-trip")
async def test_a_frame_goes_there_and_back(pair: tuple[socket.socket, socket.socket], tmp_path: Path) -> None:
    near, far = pair
    content = bytes(range(256)) * 20_000
    (tmp_path / "file").write_bytes(content)

    def answer() -> None:
        frame = frames.receive(far)
        assert frame is not None
        frames.send(far, {"got": len(frame.payload), **frame.header}, bytes(frame.payload[::-1]))

    answering = asyncio.create_task(asyncio.to_thread(answer))
    descriptor = os.open(tmp_path / "file", os.O_RDONLY)
    with os.fdopen(descriptor, "rb") as file:
        await frames.send_async(near, {"word": "ü"}, file)
    frame = await frames.receive_async(near, len(content))
    await answering
    assert frame == ({"got": len(content), "word": "ü"}, content[::-1])


@pytest.mark.parametrize("header", [b"[]", b"{", b"\xff\xfe", b"[" * 100_000])
@pytest.mark.requirement("converter.lying-child")
async def test_a_header_that_is_none_is_a_broken_frame(
    pair: tuple[socket.socket, socket.socket], header: bytes
) -> None:
    near, far = pair
    far.sendall(frames.LENGTHS.pack(len(header), 0) + header)
    with pytest.raises(frames.BrokenFrame):
        await frames.receive_async(near, 100)


@pytest.mark.requirement("converter.lying-child")
async def test_lengths_over_their_limits_are_refused_before_anything_is_taken(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    near, far = pair
    far.sendall(frames.LENGTHS.pack(frames.HEADER_BYTES + 1, 0))
    with pytest.raises(frames.BrokenFrame):
        await frames.receive_async(near, 100)
    words = json.dumps({}).encode()
    far.sendall(frames.LENGTHS.pack(len(words), 101) + words)
    with pytest.raises(frames.FrameTooLarge):
        await frames.receive_async(near, 100)


@pytest.mark.requirement("converter.lying-child")
async def test_a_frame_that_breaks_off_is_an_end(pair: tuple[socket.socket, socket.socket]) -> None:
    near, far = pair
    far.sendall(frames.LENGTHS.pack(2, 50) + b"{}only this")
    far.shutdown(socket.SHUT_WR)
    with pytest.raises(EOFError):
        await frames.receive_async(near, 100)
