"""A converter that cannot be reached, as its clients see it: its answers say what its start took, so they know how long the next takes."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Final

import httpx

from converter.wire import START_SECONDS
from spatial.restarts import Restarts

FORGOTTEN_SECONDS: Final = 60.0
"""After what was told: a failure that comes later than that is a new one, and nothing is known of the time between."""


class Outage:
    """The time for which one client has not reached the service, and what its callers are told meanwhile."""

    def __init__(self) -> None:
        self._restarts = Restarts()
        self._told_until = math.inf

    async def note_answer(self, answer: httpx.Response) -> None:
        """The service is there; a hook of httpx."""
        self._restarts.end()
        with suppress(ValueError):
            self._restarts.note_start(float(answer.headers.get(START_SECONDS, "")))

    def retry_seconds(self) -> int:
        """Retry-After of a call that did not reach the service."""
        now = time.monotonic()
        if now > self._told_until + FORGOTTEN_SECONDS:
            self._restarts.end()
        self._restarts.begin()
        seconds = self._restarts.retry_seconds()
        self._told_until = now + seconds
        return seconds
