"""The workers of a pool, and the calls that wait for one.

Accounts take turns (spatial/turns.py): the burst of one delays another by one file on each worker at most. Files of batches and of bulk
ingest are a class of their own, of which one is served for SINGLES_EACH single calls where both wait. A file that was read goes before
every new one: its child holds its memory already, so one further call of such a file may run beside the workers; and the worker that read
it waits HOLD_SECONDS for the call that follows. A small single file may have that place too, where no other small one is being read: it
does not wait for the files of many seconds that have all workers (decision 79).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from spatial.counting import count_of
from spatial.errors import ConverterUnavailable
from spatial.turns import RETRY_SECONDS, Pace, Turn, Turns

SINGLES_EACH: Final = 3
"""Single calls that are served for one of a batch or an ingest, where both wait."""

HOLD_SECONDS: Final = 0.2
"""How long the worker of a read waits for the interpretation, which its client asks for at once."""


class Place:
    """A worker that a call has."""

    def __init__(self, semaphore: FairSemaphore, *, is_small: bool = False) -> None:
        self.is_lent = False
        self._is_small = is_small
        self._semaphore: FairSemaphore | None = semaphore
        self._timer: asyncio.TimerHandle | None = None

    def lend(self) -> None:
        """Keep it for the call that follows, where others wait; it is released by itself if none comes."""
        if self._semaphore is not None and self._semaphore.waiting:
            self.is_lent = True
            self._timer = asyncio.get_running_loop().call_later(HOLD_SECONDS, self.release)

    def take(self) -> bool:
        """Whether the call that follows has it now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            return self._semaphore is not None
        return False

    def release(self) -> None:
        """Give it to the next call; only the first time counts."""
        semaphore, self._semaphore = self._semaphore, None
        if semaphore is not None:
            semaphore.leave(is_small=self._is_small)


class FairSemaphore:
    """Admits `workers` concurrent calls, and one more; of single calls and of those in bulk, at most `queue` wait each."""

    def __init__(self, workers: int, queue: int, still: Callable[[], float] = lambda: 0.0) -> None:
        """still: seconds for which no call will end, because what reads files starts again."""
        self.running = 0
        self.draining = False
        """Whether no new call is admitted."""
        self._workers = workers
        self._queue = queue
        self._still = still
        self._begun, self._single, self._bulk = Turns(), Turns(), Turns()
        self._pace = Pace()
        self._smalls = 0
        """Small files that are being read."""
        self._singles = 0
        """Single calls that were served since one in bulk was, while both waited."""

    @property
    def waiting(self) -> int:
        """Number of waiting calls."""
        return len(self._begun) + len(self._single) + len(self._bulk)

    @asynccontextmanager
    async def acquire(self, account: str = "", *, bulk: bool = False, is_small: bool = False) -> AsyncIterator[Place]:
        """Run a block as an admitted call for a new file. is_small: it is read within moments.

        Raises: ConverterUnavailable at once if the queue is full or the service stops.
        """
        if self.draining:
            raise _stopping()
        is_small = is_small and not bulk
        if self.running < self._workers or (is_small and self._has_place_for_small):
            self._admit(is_small=is_small)
        else:
            await self._wait(self._bulk if bulk else self._single, account, is_small=is_small)
        place = Place(self, is_small=is_small)
        try:
            yield place
        finally:
            if not place.is_lent:
                place.release()

    @asynccontextmanager
    async def resume(self, turn: asyncio.Lock, lent: Place | None, account: str = "") -> AsyncIterator[None]:
        """Run a block as a further call for a file that was read, once its own lock is free. Raises: ConverterUnavailable."""
        async with turn:
            place = lent if lent is not None and lent.take() else await self._begin_again(account)
            try:
                yield
            finally:
                place.release()

    def drain(self) -> None:
        """Admit no further calls, and refuse the waiting calls."""
        self.draining = True
        for line in (self._begun, self._single, self._bulk):
            line.refuse_all(_stopping)

    def leave(self, *, is_small: bool = False) -> None:
        """A call has ended: admit those that wait for its place. is_small: as in `acquire`."""
        self.running -= 1
        self._smalls -= is_small
        allowed = self._workers + 1 if self._begun else self._workers
        if not self.waiting:
            self._pace.pause()
        elif self.running < allowed:
            self._admit_waiting(self._next_line().give())
        if self._has_place_for_small:
            self._admit_waiting(self._single.give(to_small=True))

    @property
    def _has_place_for_small(self) -> bool:
        """Whether one may be read beside the workers; calls of files that were read go first."""
        return self._smalls == 0 and self.running <= self._workers and not self._begun

    def _admit_waiting(self, turn: Turn | None) -> None:
        if turn is not None:
            self._pace.note()
            self._admit(is_small=turn.is_small)

    def _admit(self, *, is_small: bool) -> None:
        self.running += 1
        self._smalls += is_small

    async def _begin_again(self, account: str) -> Place:
        if self.draining:
            raise _stopping()
        if self.running <= self._workers:
            self.running += 1
        else:
            await self._begun.wait(account, self.leave)
        return Place(self)

    async def _wait(self, line: Turns, account: str, *, is_small: bool) -> None:
        if len(line) >= self._queue:
            displaced = line.displaced_by(account)
            if displaced is None:
                raise self._busy()
            displaced.set_exception(self._busy())
        await line.wait(account, partial(self.leave, is_small=is_small), is_small=is_small)

    def _next_line(self) -> Turns:
        """Whose turn it is: files that were read, else single calls, and of those in bulk one for SINGLES_EACH."""
        if self._begun:
            return self._begun
        if not self._single or (self._bulk and self._singles >= SINGLES_EACH):
            self._singles = 0
            return self._bulk
        self._singles += bool(self._bulk)
        return self._single

    def _busy(self) -> ConverterUnavailable:
        waiting, seconds = self.waiting, self._pace.next_promise(self.waiting, self._still())
        return ConverterUnavailable(
            f"the converter is busy: {count_of(waiting, 'call is', 'calls are')} waiting; try again in {seconds} s",
            retry_after=seconds,
        )


def _stopping() -> ConverterUnavailable:
    return ConverterUnavailable("the converter is stopping; try again", retry_after=RETRY_SECONDS)
