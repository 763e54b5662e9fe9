"""The semaphore and frames, each by itself."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from converter.semaphore import BoundedQueueSemaphore
from sandbox import frames
from spatial.errors import ConverterUnavailable
from tests.converter.conftest import until

pytestmark = pytest.mark.asyncio(loop_scope="package")


@asynccontextmanager
async def occupied(semaphore: BoundedQueueSemaphore, count: int) -> AsyncIterator[None]:
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
    semaphore, order = BoundedQueueSemaphore(workers=1, queue=3), []

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
    semaphore = BoundedQueueSemaphore(workers=1, queue=2)

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
    semaphore = BoundedQueueSemaphore(workers=1, queue=1)

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


@pytest.mark.requirement("converter.stop")
async def test_draining_sends_away_those_that_wait_and_those_that_come() -> None:
    semaphore = BoundedQueueSemaphore(workers=1, queue=2)
    async with occupied(semaphore, 2):
        semaphore.drain()
        await until(lambda: semaphore.waiting == 0)
        assert semaphore.running == 1
        with pytest.raises(ConverterUnavailable, match="stopping"):
            async with semaphore.acquire():
                pass
    assert semaphore.running == 0


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
        frames.send(far, {"got": len(frame.payload), **frame.header}, frame.payload[::-1])

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
