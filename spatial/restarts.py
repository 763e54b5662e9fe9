"""How long a part that has ended stays away, as callers are told: it starts again by itself, and its last start was measured.

restarts = Restarts(crowding)
restarts.note_start(4.2)       # what a start took of a processor
restarts.begin()               # the part is away; nothing where it is already
restarts.retry_seconds()       # Retry-After
restarts.end()                 # it is there

By the clock the first start of a stack is slow, because all parts start at the same time, and any start is on a busy machine. The next one
has another load beside it. So what a start takes of a processor counts, times the processes that share one now.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Final

LEAST_SECONDS: Final = 5
"""What callers are told where no start was measured."""

SLACK: Final = 1.25
"""The next start is taken to last so many times the one before: what waits for it comes on top of what it takes."""

LONGER: Final = 0.5
"""Beyond what was expected: the share of the time so far that it is taken to last on."""

MOST_SECONDS: Final = 120
"""The longest Retry-After."""


class Restarts:
    """The starts of one part, and how long it has been away."""

    def __init__(self, crowding: Callable[[], float] = lambda: 1.0) -> None:
        """crowding: how many times as long a start takes now as what is noted of one."""
        self.took = 0.0
        """What the last start took, as it was noted."""
        self._crowding = crowding
        self._began: float | None = None

    def note_start(self, seconds: float) -> None:
        """Note what the last start of the part took."""
        self.took = seconds

    def begin(self) -> None:
        """Note that the part is away, from now on where it was not before."""
        if self._began is None:
            self._began = time.monotonic()

    def end(self) -> None:
        """Note that the part is there."""
        self._began = None

    @property
    def seconds_left(self) -> float:
        """Until the part is taken to be there again; 0 where it is not away."""
        if self._began is None:
            return 0.0
        passed = time.monotonic() - self._began
        return max(SLACK * self.took * self._crowding() - passed, LONGER * passed)

    def retry_seconds(self, least: int = LEAST_SECONDS) -> int:
        """Retry-After of a request that needs the part."""
        return min(max(math.ceil(self.seconds_left), least), MOST_SECONDS)


def crowding() -> float:
    """How many processes share a processor of this machine, in the mean of the last minute (proc_loadavg); 1 at least."""
    return max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))
