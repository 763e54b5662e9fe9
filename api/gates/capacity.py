"""503 where this process has as many extractions as it can carry (spec: Errors, converter_unavailable).

Beyond that many, all of them would meet a time limit together. So a request waits here for a place, before anything is claimed, staged
or billed. Accounts take turns: the burst of one delays another by one request of each account at most. A request that would wait longer
than WAIT_SECONDS is refused at once, and told when its turn would come at the rate at which extractions end now; each refused one is told
a later time, so that they do not all come back together. While the converter starts again no extraction ends: those that have a place
wait for it, and its time is added to what the others are told.

While a request would be refused, it is refused before its body is read, so that refusing costs little; one with an Idempotency-Key is
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
from spatial.turns import Pace, Turn, Turns

WAIT_SECONDS: Final = 20.0
"""How long a request waits for a place."""


class Capacity:
    """The places for the extractions of one process. Accounts take turns, and the requests of one account are served in their order."""

    def __init__(
        self,
        parallel: int,
        waiting: int,
        registry: CollectorRegistry,
        *,
        seconds: float = WAIT_SECONDS,
        still: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """parallel: extractions at a time; waiting: requests that may wait, each for `seconds`; still: seconds for which none will end."""
        self._free = parallel
        self._turns, self._pace = Turns(), Pace()
        self._most_waiting = waiting
        self._seconds = seconds
        self._still = still
        gauge = Gauge(
            "spatial_extractions_waiting", "Extractions that wait for a place in this process", registry=registry
        )
        gauge.set_function(lambda: self.waiting)

    @property
    def waiting(self) -> int:
        """Requests that wait for a place."""
        return len(self._turns)

    @asynccontextmanager
    async def place(self, account_id: str, has_left: Callable[[], Awaitable[bool]]) -> AsyncIterator[None]:
        """Hold a place for the length of the block. has_left: whether the caller has disconnected, so that no work begins for it.

        Raises: ConverterUnavailable, with Retry-After.
        """
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(account_id)
            if await has_left():
                self._release()
                raise ConverterUnavailable(
                    "the caller disconnected before its extraction began; send the request again"
                )
        try:
            yield
        finally:
            self._release()

    def require_place(self, account_id: str) -> None:
        """Refuse a request before any other work where it would not be served in time. Raises: ConverterUnavailable, with Retry-After."""
        if self._free == 0:
            self._admitted(account_id)

    def _admitted(self, account_id: str) -> Turn | None:
        """The waiting request that must leave its queue to the next one of this account, if one must. Raises: ConverterUnavailable."""
        is_full = self.waiting >= self._most_waiting
        displaced = self._turns.displaced_by(account_id) if is_full else None
        rate = self._pace.rate
        served = (self._turns.ahead_of(account_id) + 1) / rate if rate is not None else 0.0
        is_late = self._still() + served > self._seconds
        if is_late or (is_full and displaced is None):
            raise self._busy()
        return displaced

    async def _wait(self, account_id: str) -> None:
        if (displaced := self._admitted(account_id)) is not None:
            displaced.set_exception(self._busy())
        try:
            async with asyncio.timeout(self._seconds):
                await self._turns.wait(account_id, self._release)
        except TimeoutError as error:
            raise self._busy() from error

    def _release(self) -> None:
        """Give a place to the account whose turn it is."""
        if self._turns.give():
            self._pace.note()
        else:
            self._pace.pause()
            self._free += 1

    def _busy(self) -> ConverterUnavailable:
        waiting, seconds = self.waiting, self._pace.next_promise(self.waiting, self._still())
        return ConverterUnavailable(
            f"the service is busy: {count_of(waiting, 'extraction is', 'extractions are')} waiting; "
            f"nothing was begun or billed, send the request again in {seconds} s",
            retry_after=seconds,
        )
