"""Places of a pool: how many solves run at full priority, and how a long one makes room for those that wait."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

QUANTUM_SECONDS: Final = 1.0
"""Time after which a solve gives its place to one that waits: ten objects take less, whatever the task."""

LOWEST_PRIORITY: Final = 19
"""Nice value of a solve without a place: the kernel gives it 1.5 % of the time of one with a place, and all that nobody else needs."""

LOOK_SECONDS: Final = 0.05

CGROUP: Final = Path("/sys/fs/cgroup")


class Place:
    """A place that one solve holds until it ends or gives it up."""

    def __init__(self, places: Places) -> None:
        self._places: Places | None = places

    def release(self) -> None:
        """Let the next solve begin."""
        if self._places is not None:
            self._places.free.release()
            self._places = None


class Places:
    """A fixed number of places, given in the order of asking.

    memory: bytes that every solve may use. A solve keeps its place while the machine has no memory for one more.
    """

    def __init__(self, count: int, memory: int) -> None:
        self.free = asyncio.Semaphore(count)
        self._memory = memory
        self._waiting = 0

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[Place]:
        """A place, as soon as one is free."""
        self._waiting += 1
        try:
            await self.free.acquire()
        finally:
            self._waiting -= 1
        place = Place(self)
        try:
            yield place
        finally:
            place.release()

    async def share(self, place: Place, pid: int) -> None:
        """Give up a place when its solve has run for QUANTUM_SECONDS and another one waits: the process goes on at the lowest priority."""
        await asyncio.sleep(QUANTUM_SECONDS)
        while not self._waiting or available_memory() < 2 * self._memory:
            await asyncio.sleep(LOOK_SECONDS)
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            os.setpriority(os.PRIO_PROCESS, pid, LOWEST_PRIORITY)
        place.release()


def available_memory() -> int:
    """Bytes that new processes may take without swapping, of this machine or of its control group, whichever has less."""
    meminfo = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    free = int(meminfo["MemAvailable"].split()[0]) * 1024
    with contextlib.suppress(OSError, ValueError):  # no control group, or "max"
        free = min(free, int((CGROUP / "memory.max").read_text()) - int((CGROUP / "memory.current").read_text()))
    return free
