"""The deadline of a file: how long its children may take, the time aside in which other processes had the processors.

On a busy machine a sound file takes many times as long by the clock as it takes of a processor. The kernel counts how long a process was
ready to run and did not (`Child.waited`), so a child that computes has its deadline in processor time, and one that sleeps has it by the
clock, as has any child where the kernel does not count. By the clock no file takes longer than CLOCK_FACTOR of its deadline: a file that
did not get that far is not at fault, but its caller waits no longer, and others need its worker.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

CLOCK_FACTOR: Final = 2.0
"""Most that a file may take by the clock, of its deadline. The caller of a single file waits longer (`flows.answering.answer_seconds`)."""

PATIENT_FACTOR: Final = 15.0
"""The same where nobody else waits for the worker, and who does would rather wait than begin again: at the command line."""

LEAST_WAIT: Final = 5.0
"""Seconds that a file may wait for a processor at least, however short its deadline is."""

T = TypeVar("T")


class DeadlinePassed(Exception):
    """A call was not answered in time."""

    def __init__(self, taken: float, waited: float, *, is_busy: bool) -> None:
        """taken: seconds by the clock; waited: of which for a processor; is_busy: whether the file had less than its deadline for that."""
        super().__init__()
        self.taken = taken
        self.waited = waited
        self.is_busy = is_busy


def most_seconds(deadline: float, clock_factor: float = CLOCK_FACTOR) -> float:
    """How long a file with this deadline may take by the clock; clock_factor: as CLOCK_FACTOR."""
    return max(clock_factor * deadline, deadline + LEAST_WAIT)


async def answer_within(
    deadline: float,
    call: Coroutine[Any, Any, T],
    waited: Callable[[], float],
    taken: float = 0.0,
    clock_factor: float = CLOCK_FACTOR,
) -> T:
    """The answer of a call of a child.

    deadline: seconds; waited: how long its processes have waited for a processor until now; taken: how long earlier calls of the file
    took by the clock; clock_factor: as CLOCK_FACTOR. Raises: DeadlinePassed; what the call raises.
    """
    began, most = time.monotonic() - taken, most_seconds(deadline, clock_factor)
    calling = asyncio.ensure_future(call)
    try:
        while not calling.done():
            allowed = min(deadline + waited(), most)
            left = allowed - (passed := time.monotonic() - began)
            if left <= 0:
                raise DeadlinePassed(passed, waited(), is_busy=allowed >= most)
            await asyncio.wait({calling}, timeout=left)
        return calling.result()
    finally:
        if not calling.done():
            calling.cancel()
            await asyncio.wait({calling})
