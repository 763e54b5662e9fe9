"""Calls that wait for a place: owners take turns, and the calls of one owner are served in their order.

    turns, pace = Turns(), Pace()
    await turns.wait(account_id, release)      # until `turns.give()` of whoever had a place
    pace.next_promise(len(turns))              # what a call is told that cannot wait

The API's places for extractions (api/gates/capacity.py) and the converter's workers (converter/semaphore.py) both stand on these.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

RETRY_SECONDS: Final = 5
"""Retry-After while it is not known how fast calls end."""

MOST_RETRY_SECONDS: Final = 120
"""The longest Retry-After."""

MEASURED: Final = 32
"""Ends of calls from which the rate is taken."""


class Turn(asyncio.Future[None]):
    """A waiting call; done when it has its place."""

    is_small: bool = False
    """Whether it takes little of whoever serves it."""

    is_promised: bool = False
    """Whether a place was kept for it, so that it leaves its queue to no other."""


class Turns:
    """Waiting calls, by owner."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[Turn]] = OrderedDict()
        """The owner whose turn is next first."""

    def __len__(self) -> int:
        return sum(len(queue) for queue in self._queues.values())

    async def wait(
        self, owner: str, release: Callable[[], None], *, is_small: bool = False, is_promised: bool = False
    ) -> None:
        """Wait for a place. release: gives back a place that came as the caller was cancelled. Raises: what `refuse` was told."""
        turn = Turn()
        turn.is_small, turn.is_promised = is_small, is_promised
        self._queues.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                release()
            raise
        finally:
            self._forget(owner, turn)

    def give(self, *, to_small: bool = False) -> Turn | None:
        """Give a place to the owner whose turn it is, and return the call that has it; None where nobody waits.

        to_small: to the first small call of the first owner who has one.
        """
        for owner, queue in list(self._queues.items()):
            turn = next((turn for turn in queue if not turn.done() and (turn.is_small or not to_small)), None)
            if turn is not None:
                self._queues.move_to_end(owner)
                self._forget(owner, turn)
                turn.set_result(None)
                return turn
        return None

    def refuse_all(self, error: Callable[[], Exception]) -> None:
        """End every wait with an error."""
        queues, self._queues = self._queues, OrderedDict()
        for turn in (turn for queue in queues.values() for turn in queue if not turn.done()):
            turn.set_exception(error())

    def displaced_by(self, owner: str) -> Turn | None:
        """The last call of the owner with most of them, where that has two more than this one; None otherwise.

        One for which a place was kept is not displaced.
        """
        longest = max(self._queues.values(), key=len, default=deque[Turn]())
        own = len(self._queues.get(owner, ()))
        if len(longest) <= own + 1:
            return None
        return next((turn for turn in reversed(longest) if not turn.is_promised), None)

    def ahead_of(self, owner: str, promised: Mapping[str, int] = MappingProxyType({})) -> int:
        """How many calls would be served before the next one of this owner. promised: how many more are expected, by owner."""
        calls = Counter({owner: len(queue) for owner, queue in self._queues.items()}) + Counter(promised)
        own = calls.pop(owner, 0)
        return own + sum(min(others, own + 1) for others in calls.values())

    def _forget(self, owner: str, turn: Turn) -> None:
        """Take a call that waits no longer out of its queue."""
        queue = self._queues.get(owner)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[owner]


class Pace:
    """How fast calls end while others wait, and what refused ones are told: each a later time, so that they do not come back together."""

    def __init__(self) -> None:
        self.rate: float | None = None
        """Calls per second, when calls waited last."""
        self._ends: deque[float] = deque(maxlen=MEASURED)
        """When calls ended while others waited, by the event loop's clock."""
        self._promised = 0.0
        """The time that the last refused call was told, by the event loop's clock."""

    def note(self) -> None:
        """Note that a call ended while another waited."""
        now = asyncio.get_running_loop().time()
        self._ends.append(now)
        if len(self._ends) > 1 and now > self._ends[0]:
            self.rate = (len(self._ends) - 1) / (now - self._ends[0])

    def pause(self) -> None:
        """Nobody waits: what follows is measured afresh."""
        self._ends.clear()

    def next_promise(self, waiting: int, still: float = 0.0) -> int:
        """Seconds until so many waiting calls, and those that were refused before, would be served.

        still: seconds for which none is served, because what serves them is not there.
        """
        if self.rate is None:
            return max(RETRY_SECONDS, math.ceil(still))
        now = asyncio.get_running_loop().time()
        self._promised = max(now + still + waiting / self.rate, self._promised) + 1 / self.rate
        self._promised = min(self._promised, now + MOST_RETRY_SECONDS)
        return math.ceil(self._promised - now)
