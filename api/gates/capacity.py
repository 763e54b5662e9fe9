"""503 where this process has as many extractions as it can carry (spec: Errors, converter_unavailable).

Beyond that many, all of them would meet a time limit together. So a request waits here for a place, before anything is claimed, staged
or billed. Accounts take turns: the burst of one delays another by one request of each account at most. A request that would wait longer
than WAIT_SECONDS is refused at once, and told when its turn would come at the rate at which extractions end now; each refused one is told
a later time, so that they do not all come back together.

While a request would be refused, it is refused before its body is read, so that refusing costs little; one with an Idempotency-Key is
read, because its response may be stored.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

from spatial.counting import count_of
from spatial.errors import ConverterUnavailable

WAIT_SECONDS: Final = 20.0
"""How long a request waits for a place."""

RETRY_SECONDS: Final = 5
"""Retry-After while it is not known how fast extractions end."""

MOST_RETRY_SECONDS: Final = 120
"""The longest Retry-After."""

MEASURED: Final = 32
"""Ends of extractions from which the rate is taken."""


class Capacity:
    """The places for the extractions of one process. Accounts take turns, and the requests of one account are served in their order."""

    def __init__(
        self, parallel: int, waiting: int, registry: CollectorRegistry, *, seconds: float = WAIT_SECONDS
    ) -> None:
        """parallel: extractions at a time; waiting: requests that may wait, each for `seconds`."""
        self._free = parallel
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """Waiting requests by account, the account whose turn is next first."""
        self._most_waiting = waiting
        self._seconds = seconds
        self._ends: deque[float] = deque(maxlen=MEASURED)
        """When extractions ended while others waited, by the event loop's clock."""
        self._rate: float | None = None
        """Extractions per second, when requests waited last."""
        self._promised = 0.0
        """The time that the last refused request was told, by the event loop's clock."""
        gauge = Gauge(
            "spatial_extractions_waiting", "Extractions that wait for a place in this process", registry=registry
        )
        gauge.set_function(lambda: self.waiting)

    @property
    def waiting(self) -> int:
        """Requests that wait for a place."""
        return sum(len(queue) for queue in self._queues.values())

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

    def _admitted(self, account_id: str) -> asyncio.Future[None] | None:
        """The waiting request that must leave its queue to the next one of this account, if one must. Raises: ConverterUnavailable."""
        is_full = self.waiting >= self._most_waiting
        displaced = self._displaced_by(account_id) if is_full else None
        is_late = self._rate is not None and (self._ahead_of(account_id) + 1) / self._rate > self._seconds
        if is_late or (is_full and displaced is None):
            raise self._busy()
        return displaced

    async def _wait(self, account_id: str) -> None:
        if (displaced := self._admitted(account_id)) is not None:
            displaced.set_exception(self._busy())
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(account_id, deque()).append(turn)
        try:
            async with asyncio.timeout(self._seconds):
                await turn
        except TimeoutError as error:
            raise self._busy() from error
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:  # the place came as the caller left
                self._release()
            raise
        finally:
            self._forget(account_id, turn)

    def _release(self) -> None:
        """Give a place to the account whose turn it is."""
        while self._queues:
            account_id, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[account_id] = queue
            if not turn.done():
                self._measure()
                turn.set_result(None)
                return
        self._ends.clear()
        self._free += 1

    def _forget(self, account_id: str, turn: asyncio.Future[None]) -> None:
        """Take a request that waits no longer out of its queue."""
        queue = self._queues.get(account_id)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[account_id]

    def _displaced_by(self, account_id: str) -> asyncio.Future[None] | None:
        """The last request of the account with most of them, where that has two more than this one; None otherwise."""
        longest = max(self._queues.values(), key=len, default=deque[asyncio.Future[None]]())
        own = len(self._queues.get(account_id, ()))
        return longest[-1] if len(longest) > own + 1 else None

    def _ahead_of(self, account_id: str) -> int:
        """How many waiting requests would be served before the next one of this account."""
        own = len(self._queues.get(account_id, ()))
        return own + sum(min(len(queue), own + 1) for owner, queue in self._queues.items() if owner != account_id)

    def _measure(self) -> None:
        """Note that an extraction ended while another waited."""
        now = asyncio.get_running_loop().time()
        self._ends.append(now)
        if len(self._ends) > 1 and now > self._ends[0]:
            self._rate = (len(self._ends) - 1) / (now - self._ends[0])

    def _busy(self) -> ConverterUnavailable:
        waiting, seconds = self.waiting, self._next_promise()
        return ConverterUnavailable(
            f"the service is busy: {count_of(waiting, 'extraction is', 'extractions are')} waiting; "
            f"nothing was begun or billed, send the request again in {seconds} s",
            retry_after=seconds,
        )

    def _next_promise(self) -> int:
        """Seconds until the queue has come to the next request that is refused."""
        if self._rate is None:
            return RETRY_SECONDS
        now = asyncio.get_running_loop().time()
        self._promised = max(now + self.waiting / self._rate, self._promised) + 1 / self._rate
        self._promised = min(self._promised, now + MOST_RETRY_SECONDS)
        return math.ceil(self._promised - now)
