"""What counts toward the deadline of a file on a machine whose processors others have."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from converter import deadline
from converter.deadline import DeadlinePassed, answer_within
from converter.pool import Pool, PoolSettings
from spatial.errors import ConversionTimeout, ConverterUnavailable
from tests.converter.conftest import LARGE, MEMORY, TABLE, TRIAL, Trials

pytestmark = [
    pytest.mark.asyncio(loop_scope="package"),
    pytest.mark.requirement("converter.deadline"),
    pytest.mark.skipif(
        not Path("/proc/self/schedstat").exists(), reason="the kernel does not count waits for a processor"
    ),
]

DEADLINE = 3.0
OTHERS = 4
"""Processes that take the one processor of a pool's children."""


@contextmanager
def one_processor() -> Iterator[None]:
    """For what is started in the block."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def other_process() -> Iterator[None]:
    """A process that computes; in a session of its own, as the kernel may share processors by sessions."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True) as process:
        try:
            yield
        finally:
            process.kill()


@asynccontextmanager
async def busy_machine(processors: int = 1) -> AsyncIterator[Trials]:
    """A pool whose children share one processor with OTHERS that compute all the time."""
    pool = Pool(PoolSettings(memory=MEMORY, workers=1, deadline=DEADLINE, processors=processors), table=TABLE)
    with one_processor():
        await pool.start()
    try:
        with ExitStack() as stack:
            with one_processor():
                for _ in range(OTHERS):
                    stack.enter_context(other_process())
            yield Trials(pool)
    finally:
        await pool.close()


async def test_waiting_for_a_processor_does_not_count() -> None:
    async with busy_machine() as trials:
        assert await trials.read(read=["compute", 1.2 * DEADLINE]) == []


async def test_a_further_childs_wait_for_a_processor_does_not_count() -> None:
    async with busy_machine(processors=2) as trials:
        assert await trials.read(read=["delegate", ["compute", 1.2 * DEADLINE]], large=LARGE) == []


async def test_sleeping_counts_on_a_busy_machine_too() -> None:
    async with busy_machine() as trials:
        with pytest.raises(ConversionTimeout):
            await trials.read(read=["hang"])


async def test_a_file_that_gets_no_processor_is_given_up_and_is_not_at_fault() -> None:
    async with busy_machine() as trials:
        began = time.monotonic()
        with pytest.raises(ConverterUnavailable, match="busy") as caught:
            await trials.read(read=["hang deaf"])
        passed = time.monotonic() - began
        error = caught.value
        assert error.retry_after and error.retry_after >= DEADLINE and TRIAL.file_name in error.message
        told = error.details or {}
        assert told["deadline_seconds"] == DEADLINE and 2 * DEADLINE <= told["clock_seconds"] <= passed + 0.1
        assert told["waited_seconds"] >= passed / 2, "others are four of the five that share the processor"
        assert 0 < told["processor_seconds"] <= passed / 2, "how far it came"


async def test_a_file_that_gets_little_of_a_processor_is_waited_for_as_long_as_its_pool_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def answer(clock_factor: float) -> str:
        return await answer_within(0.02, asyncio.sleep(0.1, "answer"), lambda: 1e6, clock_factor=clock_factor)

    monkeypatch.setattr(deadline, "LEAST_WAIT", 0.0)
    with pytest.raises(DeadlinePassed):
        await answer(2.0)
    assert await answer(1000.0) == "answer"


async def test_a_call_ends_with_who_awaits_it() -> None:
    ended = asyncio.Event()

    async def call() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(DeadlinePassed):
        await answer_within(0.01, call(), lambda: 0.0)
    assert ended.is_set()
    ended.clear()
    waiting = asyncio.create_task(answer_within(60.0, call(), lambda: 0.0))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended.is_set()
