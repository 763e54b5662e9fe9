"""503 where this process has as many extractions as it can carry (spec: Errors, converter_unavailable).

Every extraction is a flow run, and Prefect's server accepts five to ten of them a second: beyond that, all of them would meet its
time limit together. So a request waits here for a place, for a limited time and before anything is claimed, staged or billed.
While the queue is full, a request is refused before its body is read, so that refusing costs little; one with an Idempotency-Key is
read, because its response may be stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

from spatial.counting import count_of
from spatial.errors import ConverterUnavailable

WAIT_SECONDS: Final = 10.0
"""How long a request waits for a place."""

RETRY_SECONDS: Final = 5
"""Retry-After of a request that got none."""


class Capacity:
    """The places for the extractions of one process, in the order of the requests."""

    def __init__(
        self, parallel: int, waiting: int, registry: CollectorRegistry, *, seconds: float = WAIT_SECONDS
    ) -> None:
        """parallel: extractions at a time; waiting: requests that may wait, each for `seconds`."""
        self.waiting = 0
        self._places = asyncio.Semaphore(parallel)
        self._most_waiting = waiting
        self._seconds = seconds
        gauge = Gauge(
            "spatial_extractions_waiting", "Extractions that wait for a place in this process", registry=registry
        )
        gauge.set_function(lambda: self.waiting)

    @asynccontextmanager
    async def place(self, has_left: Callable[[], Awaitable[bool]]) -> AsyncIterator[None]:
        """Hold a place for the length of the block. has_left: whether the caller has disconnected, so that no work begins for it.

        Raises: ConverterUnavailable, with Retry-After.
        """
        if self._places.locked():
            await self._wait()
            if await has_left():
                self._places.release()
                raise ConverterUnavailable(
                    "the caller disconnected before its extraction began; send the request again"
                )
        else:
            await self._places.acquire()
        try:
            yield
        finally:
            self._places.release()

    def require_room(self) -> None:
        """Refuse a request before any other work while nobody else may wait. Raises: ConverterUnavailable, with Retry-After."""
        if self.waiting >= self._most_waiting:
            raise self._busy()

    async def _wait(self) -> None:
        self.require_room()
        self.waiting += 1
        try:
            async with asyncio.timeout(self._seconds):
                await self._places.acquire()
        except TimeoutError as error:
            raise self._busy() from error
        finally:
            self.waiting -= 1

    def _busy(self) -> ConverterUnavailable:
        return ConverterUnavailable(
            f"the service is busy: {count_of(self.waiting, 'extraction is', 'extractions are')} waiting; "
            f"nothing was begun or billed, send the request again in {RETRY_SECONDS} s",
            retry_after=RETRY_SECONDS,
        )
