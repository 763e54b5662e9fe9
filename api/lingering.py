"""A connection that is closed while its client still sends: the answer is on its way, and bytes nobody reads would take it back.

TCP resets a connection that is closed with unread bytes, and the reset may overtake what was sent (RFC 9112, 9.6). So our half is
closed first, and what still comes is read and thrown away until the client has closed its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Lingering:
    """An asyncio transport whose `close` waits for the client while `unread` says that it still sends; all else is the transport's own."""

    def __init__(self, transport: asyncio.Transport, unread: Callable[[], bool], *, seconds: float, most: int) -> None:
        """seconds: how long the client may take to end; most: how many bytes it may still send."""
        self._transport = transport
        self._unread = unread
        self._seconds = seconds
        self._left = most
        self._timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    @property
    def lingers(self) -> bool:
        """Whether our half is closed and the client's is not."""
        return self._timer is not None

    def is_closing(self) -> bool:
        """Whether no more can be sent."""
        return self.lingers or self._transport.is_closing()

    def close(self) -> None:
        """Close our half, or everything where the client has sent all, or where this is said twice."""
        if self.lingers or self._transport.is_closing() or not self._unread() or not self._transport.can_write_eof():
            self.end()
            return
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self.end)
        self._transport.write_eof()
        self._transport.resume_reading()

    def throw_away(self, data: bytes) -> None:
        """What came while it lingers."""
        self._left -= len(data)
        if self._left < 0:
            self.end()

    def end(self) -> None:
        """Close everything."""
        if self._timer is not None:
            self._timer.cancel()
        self._transport.close()
