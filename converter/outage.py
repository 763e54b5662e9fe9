"""A converter that cannot be reached, as its clients see it: its answers say what its start took, so they know how long the next takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import httpx

from converter.wire import RELOAD_SECONDS, START_SECONDS
from spatial.restarts import Restarts

AWAITED_SECONDS: Final = 20.0
"""How long a call waits for a service that starts again: as long as it may wait for a place before (api/gates/capacity.py)."""

LOOK_SECONDS: Final = 0.25
"""Interval of looks whether the service is there, while a call waits for it."""

FORGOTTEN_SECONDS: Final = 60.0
"""After what was told: a failure that comes later than that is a new one, and nothing is known of the time between."""


class Outage:
    """The time for which one client has not reached the service, and what its callers are told meanwhile."""

    def __init__(self) -> None:
        self._restarts = Restarts()
        self._told_until = 0.0
        self._reloaded_at = 0.0
        """When the service, which answers, will read files again."""

    async def note_answer(self, answer: httpx.Response) -> None:
        """The service is there; a hook of httpx."""
        self._restarts.end()
        self._reloaded_at = time.monotonic() + _seconds(answer, RELOAD_SECONDS)
        if (took := _seconds(answer, START_SECONDS)) > 0:
            self._restarts.note_start(took)

    @property
    def seconds_left(self) -> float:
        """Until the service is taken to read files again; 0 where it does, or where nobody has looked for long."""
        away = 0.0 if self._is_forgotten else self._restarts.seconds_left
        return max(away, self._reloaded_at - time.monotonic(), 0.0)

    async def is_over(self, look: Callable[[], Awaitable[bool | None]], ends: float) -> bool:
        """Wait for the service until then, by the monotonic clock; whether it is there.

        A service that is not expected within that time is not waited for, nor one of which no start is known. look: None while it is away.
        """
        is_expected = self._restarts.took and time.monotonic() + self._restarts.seconds_left < ends
        while is_expected and time.monotonic() < ends:
            if await look() is not None:
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    @property
    def _is_forgotten(self) -> bool:
        return time.monotonic() > self._told_until + FORGOTTEN_SECONDS

    def begin(self) -> None:
        """Note that a call did not reach the service."""
        if self._is_forgotten:
            self._restarts.end()
        self._restarts.begin()
        self._told_until = max(self._told_until, time.monotonic() + AWAITED_SECONDS)

    def retry_seconds(self) -> int:
        """Retry-After of a call that did not reach the service."""
        self.begin()
        seconds = self._restarts.retry_seconds()
        self._told_until = time.monotonic() + seconds
        return seconds


def _seconds(answer: httpx.Response, header: str) -> float:
    """What a header says; 0 where it is not there, or no number."""
    try:
        return float(answer.headers.get(header, ""))
    except ValueError:
        return 0.0
