"""The flow host: what its callers leave behind."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from prefect_runtime.host import FlowHost
from prefect_runtime.result_storage import ResultStorage


@dataclass
class Connections:
    """The least that a host asks for."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)


async def no_storage() -> ResultStorage:
    """For a host that runs no flow."""
    raise AssertionError


@asynccontextmanager
async def connect() -> AsyncIterator[Connections]:
    """Nothing to open."""
    yield Connections()


@pytest.mark.requirement("host.left-calls")
async def test_a_call_whose_caller_left_ends_silently_whatever_it_raises() -> None:
    host = FlowHost(connect, no_storage, lambda _: "service")
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context))
    host._thread.start()  # `open` would look for a Prefect server too
    began, end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()
    here = asyncio.get_running_loop()

    async def work() -> None:
        here.call_soon_threadsafe(began.set)
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(end.wait(), here))
        here.call_soon_threadsafe(ended.set)
        raise RuntimeError("nobody waits for this")

    calling = asyncio.create_task(host._from_outside(work()))
    await began.wait()
    calling.cancel()
    with suppress(asyncio.CancelledError):
        await calling
    end.set()
    await ended.wait()
    await host._from_outside(asyncio.sleep(0))
    host._closing = True
    host._loop.call_soon_threadsafe(host._loop.stop)
    host._thread.join()
    host._loop.close()
    del calling
    await asyncio.sleep(0)
    gc.collect()
    assert reported == []


@pytest.mark.requirement("host.left-calls")
@pytest.mark.parametrize("patience", [0.0, 60.0])
async def test_closing_ends_calls_whose_callers_left(monkeypatch: pytest.MonkeyPatch, patience: float) -> None:
    monkeypatch.setattr("prefect_runtime.host.CALLS_SECONDS", patience)
    host = FlowHost(connect, no_storage, lambda _: "service")
    host._thread.start()  # `open` would look for a Prefect server too
    host._context = copy_context()
    began, ends = threading.Event(), []

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(0.2)
            ends.append("finished")
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    calling = asyncio.create_task(host.call(work))
    await asyncio.to_thread(began.wait)
    calling.cancel()
    with suppress(asyncio.CancelledError):
        await calling
    await host.close()
    assert ends == ["finished" if patience else "cancelled"]
