"""A TCP proxy on the loopback that delays, cuts, swallows or falsifies what passes through it, as bad networks and busy servers do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final, Literal

Fault = Literal["none", "slow", "cut", "half-open", "refused", "busy", "short"]
"""What happens to connections.

slow       each piece waits
cut        an answer is reset in its middle
half-open  a connection of that time is dead for ever, and neither end is told (RFC 9293, 3.5.1)
refused    a connection ends as soon as it is made
busy       a request over HTTP is answered 503
short      an answer ends in its middle as if it were whole
"""

SLOW_SECONDS: Final = 0.2
"""How long a piece waits on a slow connection."""

CUT_BYTES: Final = 700
"""After so many bytes of a piece an answer is cut: in the middle of a head or of a body."""

LINGER_SECONDS: Final = 0.05
"""Until transports that were closed have ended."""

PIECE: Final = 16_384

BUSY: Final = (
    b"HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: 46\r\nConnection: close\r\n\r\n"
    b"<Error><Code>SlowDown</Code><Message/></Error>"
)
"""As S3 answers when it is asked too often."""


class Proxy:
    """A running proxy; its fault may be changed at any time, and holds for open connections too."""

    def __init__(self, port: int, target: tuple[str, int]) -> None:
        """port: of the loopback, where it listens. target: host and port of the server behind it."""
        self.port = port
        self.struck = 0
        """Times that something met a fault."""
        self._target = target
        self._fault: Fault = "none"
        self._connections: set[_Connection] = set()

    @property
    def fault(self) -> Fault:
        """What happens now."""
        return self._fault

    @fault.setter
    def fault(self, fault: Fault) -> None:
        self._fault = fault
        if fault == "half-open":
            for connection in self._connections:
                connection.is_dead = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its beginning to its end."""
        if self._fault == "refused":
            self.struck += 1
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(self, is_dead=self._fault == "half-open")
        self._connections.add(connection)
        try:
            with suppress(OSError):
                await asyncio.gather(connection.ask(reader, back, writer), connection.answer(there, writer))
        finally:
            self._connections.discard(connection)
            for end in (writer, back):
                end.close()


@dataclass(eq=False)
class _Connection:
    proxy: Proxy
    is_dead: bool

    async def ask(
        self, reader: asyncio.StreamReader, server: asyncio.StreamWriter, client: asyncio.StreamWriter
    ) -> None:
        """Pass what the client says."""
        while data := await reader.read(PIECE):
            if await self._is_swallowed():
                continue
            if self.proxy.fault == "busy":
                client.write(BUSY)
                client.close()
                break
            server.write(data)
            await server.drain()
        server.close()

    async def answer(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """Pass what the server says."""
        while data := await reader.read(PIECE):
            if await self._is_swallowed():
                continue
            fault = self.proxy.fault
            client.write(data[:CUT_BYTES] if fault in ("cut", "short") else data)
            await client.drain()
            if fault == "cut":
                client.transport.abort()
            if fault in ("cut", "short"):
                break
        client.close()

    async def _is_swallowed(self) -> bool:
        """Whether a piece is lost; on a slow connection it only waits."""
        self.proxy.struck += self.proxy.fault != "none"
        if self.proxy.fault == "slow":
            await asyncio.sleep(SLOW_SECONDS)
        return self.is_dead


@contextmanager
def proxied(port: int, target: tuple[str, int]) -> Iterator[Proxy]:
    """A proxy at that port for the length of a block, in a thread with an event loop of its own."""
    proxy, loop = Proxy(port, target), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(asyncio.start_server(proxy.serve, "127.0.0.1", port), loop).result()
    try:
        yield proxy
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end(server: asyncio.Server) -> None:
    """Listen no longer, and drop what is open."""
    server.close()
    open_ones = asyncio.all_tasks() - {asyncio.current_task()}
    for task in open_ones:
        task.cancel()
    await asyncio.gather(*open_ones, return_exceptions=True)
    await asyncio.sleep(LINGER_SECONDS)
