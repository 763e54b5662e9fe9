"""uvicorn's server, for the processes of the service that answer HTTP: an idle one wakes once a second and not ten times."""

from __future__ import annotations

import asyncio
import contextlib
from types import FrameType
from typing import Final

import uvicorn

TICK_SECONDS: Final = 1.0
"""Interval at which the header Date is renewed (RFC 9110 §6.6.1: it has whole seconds)."""


class Server(uvicorn.Server):
    """A server that wakes for the next second, and for a signal."""

    _loop: asyncio.AbstractEventLoop | None = None
    _signalled: asyncio.Event

    async def main_loop(self) -> None:
        """Serve until a signal, or until `should_exit` is seen to be set."""
        self._signalled, self._loop = asyncio.Event(), asyncio.get_running_loop()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._signalled.wait(), TICK_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Note the signal, and end the wait."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._signalled.set)
