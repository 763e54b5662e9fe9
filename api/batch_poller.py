"""Long polls on batches: one poller per process asks the database about all of the awaited batches at once.

It asks every TICK_SECONDS, and at once on a notification that a batch has ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Annotated, Final, cast

from fastapi import Depends
from starlette.requests import Request

from api.dispatcher import Dispatcher
from spatial.errors import SpatialError
from storage.postgres import batches, notifications

TICK_SECONDS: Final = 0.2
"""How often the poller asks while a long poll waits."""

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _LongPoll:
    batch_id: str
    version: int
    woken: asyncio.Event


class BatchPoller:
    """The poller of this process. It sleeps while no long poll waits."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._long_polls: set[_LongPoll] = set()
        self._polling: asyncio.Task[None] | None = None
        self._notified = asyncio.Event()

    @property
    def waiting(self) -> int:
        """The number of waiting long polls."""
        return len(self._long_polls)

    async def wait_for_change(self, batch_id: str, version: int, *, seconds: float, woken: asyncio.Event) -> None:
        """Return when the batch has another version, or when the seconds are over.

        woken: ends the wait; it is also set by others, when the caller is gone or the server shuts down.
        """
        long_poll = _LongPoll(batch_id, version, woken)
        self._long_polls.add(long_poll)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())
        try:
            async with asyncio.timeout(seconds):
                await woken.wait()
        except TimeoutError:
            pass
        finally:
            self._long_polls.discard(long_poll)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """For the length of a block, notifications of the database cut the time to the next tick short."""
        listener = asyncio.create_task(
            notifications.listen(self._dispatcher.database, {notifications.BATCHES: self._notified.set})
        )
        try:
            yield
        finally:
            listener.cancel()
            await asyncio.wait({listener})

    async def _poll(self) -> None:
        while self._long_polls:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._notified.wait(), TICK_SECONDS)
            self._notified.clear()
            try:
                await self._wake_changed()
            except SpatialError as problem:
                log.warning("long polls cannot be answered early: %s", problem.message)
            except Exception:
                log.exception("long polls cannot be answered early")

    async def _wake_changed(self) -> None:
        """Wake the long polls whose batch has another version, or is gone. Those that arrive meanwhile wait for the next tick."""
        asked = {poll for poll in self._long_polls if not poll.woken.is_set()}
        if not asked:
            return
        async with self._dispatcher.database.transaction() as connection:
            found = await batches.read_versions(connection, {poll.batch_id for poll in asked})
        for poll in asked:
            if found.get(poll.batch_id) != poll.version:
                poll.woken.set()


async def poller_of(request: Request) -> BatchPoller:
    """The poller of the process that serves this request."""
    return cast(BatchPoller, request.app.state.batch_poller)


PollerDep = Annotated[BatchPoller, Depends(poller_of)]
