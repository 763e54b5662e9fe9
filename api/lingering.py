"""Lingering close of a connection whose client still sends, so that the client receives the response.

TCP resets a connection that is closed with unread bytes, and the reset can discard a response that the client has not read (RFC 9112,
section 9.6). So only the sending side is closed first, and further bytes are read and discarded until the client closes its side.
Time alone bounds this: a client that sends its whole body before it reads the response gets it, whatever the size of the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class Lingering:
    """An asyncio transport whose `close` waits for the client while `unread()` is true; the rest is delegated to the transport."""

    def __init__(self, transport: asyncio.Transport, unread: Callable[[], bool], *, seconds: float) -> None:
        """seconds: how long the client may take to end."""
        self._transport = transport
        self._unread = unread
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    @property
    def lingers(self) -> bool:
        """Whether the sending side is closed and the client's is not."""
        return self._timer is not None

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self.lingers or self._transport.is_closing()

    def close(self) -> None:
        """Close the sending side; if the client has sent everything, or on a second call, close the connection."""
        if self.lingers or self._transport.is_closing() or not self._unread() or not self._transport.can_write_eof():
            self.end()
            return
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self.end)
        self._transport.write_eof()
        self._transport.resume_reading()

    def end(self) -> None:
        """Close the connection."""
        if self._timer is not None:
            self._timer.cancel()
        self._transport.close()
