"""A semaphore with a bounded FIFO queue."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Final

from spatial.counting import count_of
from spatial.errors import ConverterUnavailable

RETRY_SECONDS: Final = 5
"""Retry-After of the error for a full queue."""


class BoundedQueueSemaphore:
    """Admits at most `workers` concurrent calls; at most `queue` further calls wait."""

    def __init__(self, workers: int, queue: int) -> None:
        self.running = 0
        self._workers = workers
        self._queue = queue
        self._admitted = 0
        """Number of calls that run or wait."""
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._draining = False

    @property
    def waiting(self) -> int:
        """Number of waiting calls."""
        return self._admitted - self.running

    @property
    def draining(self) -> bool:
        """Whether no new call is admitted."""
        return self._draining

    @asynccontextmanager
    async def acquire(self, turn: AbstractAsyncContextManager[object] | None = None) -> AsyncIterator[None]:
        """Run a block as an admitted call, after `turn` (for example a lock) has been entered.

        Raises: ConverterUnavailable at once if the queue is full or the service stops.
        """
        if self._draining:
            raise _stopping()
        if self._admitted >= self._workers + self._queue:
            raise ConverterUnavailable(
                f"the converter is busy: {count_of(self.waiting, 'call is', 'calls are')} waiting; try again later",
                retry_after=RETRY_SECONDS,
            )
        self._admitted += 1
        try:
            async with turn or nullcontext():
                await self._enter()
                try:
                    yield
                finally:
                    self._leave()
        finally:
            self._admitted -= 1

    def drain(self) -> None:
        """Admit no further calls, and refuse the waiting calls."""
        self._draining = True
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_exception(_stopping())

    async def _enter(self) -> None:
        if self._draining:
            raise _stopping()
        if self.running < self._workers:
            self.running += 1
            return
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self._leave()  # the call was admitted and cancelled at the same time
            raise

    def _leave(self) -> None:
        """Admit the next waiting call, or decrement the number of running calls."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return
        self.running -= 1


def _stopping() -> ConverterUnavailable:
    return ConverterUnavailable("the converter is stopping; try again", retry_after=RETRY_SECONDS)
