"""Long polls: who waits for a batch to change is woken by one watcher a process, which asks the database about all of them at once.

It asks from time to time, and at once where somebody signals that a batch has ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

from api.dispatching import Dispatching
from spatial.errors import SpatialError
from storage.postgres import batches, notifications

TICK_SECONDS: Final = 0.2
"""How often the watcher asks, while anybody waits."""

log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Waiting:
    """One long poll."""

    batch_id: str
    version: int
    closing: Callable[[], bool]
    woken: asyncio.Event


class Watcher:
    """The watcher of this process. It sleeps while nobody waits."""

    def __init__(self, dispatch: Dispatching) -> None:
        self._dispatch = dispatch
        self._waiting: set[_Waiting] = set()
        self._watching: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    async def changed(self, batch_id: str, version: int, *, seconds: float, closing: Callable[[], bool]) -> None:
        """Return when the batch is of another version, when so many seconds are over, or when the connection closes.

        closing: whether this server is about to hang up.
        """
        one = _Waiting(batch_id, version, closing, asyncio.Event())
        self._waiting.add(one)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())
        try:
            async with asyncio.timeout(seconds):
                await one.woken.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting.discard(one)

    @asynccontextmanager
    async def heeding(self) -> AsyncIterator[None]:
        """For the length of a block, what ends is seen at once and not at the next tick."""
        hearing = asyncio.create_task(
            notifications.listen(self._dispatch.database, notifications.BATCHES, self._news.set)
        )
        try:
            yield
        finally:
            hearing.cancel()
            await asyncio.wait({hearing})

    async def _watch(self) -> None:
        while self._waiting:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), TICK_SECONDS)
            self._news.clear()
            try:
                await self._look()
            except SpatialError as trouble:
                log.warning("long polls go on without news: %s", trouble.message)
            except Exception:
                log.exception("long polls go on without news")

    async def _look(self) -> None:
        """Wake whose batch is of another version, or is gone. Who waits since we asked is for the next look."""
        asked = {one for one in self._waiting if not one.woken.is_set()}
        for one in asked:
            if one.closing():
                one.woken.set()
        if not asked:
            return
        async with self._dispatch.database.transaction() as connection:
            found = await batches.read_versions(connection, {one.batch_id for one in asked})
        for one in asked:
            if found.get(one.batch_id) != one.version:
                one.woken.set()
