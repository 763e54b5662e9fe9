"""The end of connections that a pool does not need, with the memory that the burst left: the process at the other end holds 2 to 10 MB."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from sqlalchemy import QueuePool, event
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.util import greenlet_spawn

from storage.free_memory import give_back

SECONDS: Final = 60.0
"""Interval of looks. To open a connection takes a few hundredths of a second of processor time."""


class IdleConnections:
    """How many connections of an engine's pool were in use together since the last look."""

    def __init__(self, engine: AsyncEngine, seconds: float = SECONDS) -> None:
        """seconds: interval of looks."""
        self._engine = engine
        self._seconds = seconds
        self._looked = time.monotonic()
        self._needed = 0
        event.listen(engine.sync_engine, "checkout", self._count)

    async def close(self) -> None:
        """Close all connections where the pool holds more than it needed for an interval, and none is in use; it opens new ones as needed.

        Call it often, and in the event loop of the engine: it looks once an interval.
        """
        pool, now = self._pool(), time.monotonic()
        if now < self._looked + self._seconds or pool.checkedout():
            return
        needed, self._needed, self._looked = self._needed, 0, now
        if pool.checkedin() > needed:
            # The engine has another pool before the old one's connections are closed, which takes a while.
            await self._engine.dispose(close=False)
            await asyncio.shield(asyncio.ensure_future(greenlet_spawn(pool.dispose)))
            give_back()

    def _count(self, *_: Any) -> None:
        self._needed = max(self._needed, self._pool().checkedout())

    def _pool(self) -> QueuePool:
        pool = self._engine.pool
        assert isinstance(pool, QueuePool)  # what an engine of asyncpg has, unless it is made without a pool
        return pool
