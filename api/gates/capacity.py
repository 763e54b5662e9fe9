"""503 where this process has as many extractions as it can carry (spec: Errors, converter_unavailable).

Beyond that many, all of them would meet a time limit together. So a request waits here for a place, before anything is claimed, staged
or billed. Accounts take turns: the burst of one delays another by one request of each account at most. A request that would wait longer
than WAIT_SECONDS is refused at once. Its Retry-After says when its turn would come at the rate at which extractions end now, behind those
that were refused before it. A place is kept for it (api/gates/promises.py): when it is sent again, it waits, however long the queue is by
then, and new requests are refused instead. Retry-After ends somewhat before its turn, so that there is work while the next ones arrive.
While the converter starts again no extraction ends: those that have a place wait for it, and its time is added to Retry-After.

While a request would be refused, it is refused before its body is read, so that refusing costs little; one with an Idempotency-Key is
read, because its response may be stored.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

from api.gates.promises import Promises
from spatial.counting import count_of
from spatial.errors import ConverterUnavailable, Unavailable
from spatial.turns import MOST_RETRY_SECONDS, Pace, Turn, Turns

WAIT_SECONDS: Final = 20.0
"""How long a request waits for a place."""

PROMISED: Final = 2
"""Times as long as others a request with a kept place may wait, and times as many may wait: extractions may end more slowly by then."""

EARLY: Final = 0.5
"""Part of the longest wait, and of the longest queue, by which Retry-After ends before the turn of a refused request."""

LEAST_SECONDS: Final = 2
"""The shortest Retry-After."""

ASSUMED_SECONDS: Final = 5.0
"""What an extraction is taken to last while it is not known how fast they end."""

KEPT: Final = 8
"""Times as many places are kept for one account as requests may wait: about as many as end within the longest Retry-After."""

SHORT: Final = 0.25
"""Of the time that a request may wait: while the queue is shorter, new ones wait too, whatever was promised. Not all come again."""


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
        self._free = self._parallel = parallel
        self._turns, self._pace = Turns(), Pace()
        self._promises = Promises(most=KEPT * waiting)
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
    async def place(
        self,
        account_id: str,
        has_left: Callable[[], Awaitable[bool]],
        key: str | None = None,
        alike: str | None = None,
    ) -> AsyncIterator[None]:
        """Hold a place for the length of the block.

        has_left: whether the caller has disconnected, so that no work begins for it. key: by which a refused request is known again;
        alike: what it has in common with others that may be the same one, where it has no key.
        Raises: ConverterUnavailable, with Retry-After.
        """
        if self._free > 0:
            self._free -= 1
            self._promises.keep(account_id, key)
        else:
            await self._wait(account_id, key, alike)
            if await has_left():
                self._release()
                raise ConverterUnavailable(
                    "the caller disconnected before its extraction began; send the request again"
                )
        try:
            yield
        except Unavailable as error:
            self._promises.make(account_id, key, error.retry_after or LEAST_SECONDS, alike)
            raise
        finally:
            self._release()

    def require_place(self, account_id: str, alike: str | None = None) -> None:
        """Refuse a request without a key before any other work where it would not be served in time. alike: as in `place`.

        Raises: ConverterUnavailable, with Retry-After.
        """
        if self._free == 0:
            self._admitted(account_id, None, alike)

    def _admitted(self, account_id: str, key: str | None, alike: str | None) -> Turn | None:
        """The waiting request that must leave its queue to the next one of this account, if one must. Raises: ConverterUnavailable."""
        if self._promises.is_due(account_id, key) and self.waiting < PROMISED * self._most_waiting:
            return None
        is_full = self.waiting >= self._most_waiting
        displaced = self._turns.displaced_by(account_id) if is_full else None
        if self._is_late(account_id) or (is_full and displaced is None):
            self._promises.keep(account_id, key)  # a repeated request gets one new answer
            raise self._busy(account_id, key, alike)
        return displaced

    def _is_late(self, account_id: str) -> bool:
        """Whether a new request would wait too long, behind those that wait and those for which a place is kept."""
        still = self._still()
        now = still + self._served_after(account_id, {})
        then = still + self._served_after(account_id, self._promises.outstanding())
        return now > SHORT * self._seconds and then > self._seconds

    def _served_after(self, account_id: str, promised: Mapping[str, int]) -> float:
        """Seconds until the next request of this account would be served; 0 while no rate is known."""
        rate = self._pace.rate
        return (self._turns.ahead_of(account_id, promised) + 1) / rate if rate is not None else 0.0

    async def _wait(self, account_id: str, key: str | None, alike: str | None) -> None:
        if (displaced := self._admitted(account_id, key, alike)) is not None:
            displaced.set_exception(_DisplacedError())
        is_promised = self._promises.keep(account_id, key)
        try:
            async with asyncio.timeout(self._seconds * (PROMISED if is_promised else 1)):
                await self._turns.wait(account_id, self._release, is_promised=is_promised)
        except (TimeoutError, _DisplacedError) as error:
            raise self._busy(account_id, key, None) from error  # it has waited, so it did not come too early

    def _release(self) -> None:
        """Give a place to the account whose turn it is."""
        if self._turns.give():
            self._pace.note()
        else:
            self._pace.pause()
            self._free += 1

    def _busy(self, account_id: str, key: str | None, alike: str | None) -> ConverterUnavailable:
        waiting, seconds = self.waiting, self._promise(account_id, key, alike)
        return ConverterUnavailable(
            f"the service is busy: {count_of(waiting, 'extraction is', 'extractions are')} waiting; "
            f"nothing was begun or billed, send the request again in {seconds} s",
            retry_after=seconds,
        )

    def _promise(self, account_id: str, key: str | None, alike: str | None) -> int:
        """Seconds after which a refused request has its place, which is kept from here on."""
        rate = self._pace.rate or self._parallel / ASSUMED_SECONDS
        ahead = self._turns.ahead_of(account_id, self._promises.outstanding())
        early = EARLY * min(self._seconds, self._most_waiting / rate)
        seconds = math.ceil(self._still() + max(0.0, (ahead + 1) / rate - early))
        seconds = min(max(LEAST_SECONDS, seconds), MOST_RETRY_SECONDS)
        self._promises.make(account_id, key, seconds, alike)
        return seconds


class _DisplacedError(Exception):
    """A waiting request leaves its queue to one of another account."""
