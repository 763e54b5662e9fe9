"""Forward TCP connections through a Unix socket, which processes of another network namespace can reach.

python -m tests.support.forward PORT SOCKET COMMAND…    in the namespace: loopback up, 127.0.0.1:PORT leads to SOCKET, run COMMAND
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def _forwarder(dial: Callable[[], Awaitable[Streams]]) -> Callable[..., Awaitable[None]]:
    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await dial()
        await asyncio.gather(_copy(reader, back), _copy(there, writer))

    return forward


def from_socket_to_port(path: Path, port: int) -> Callable[[], None]:
    """Listen on a Unix socket for a port of this namespace, in a thread; returns the function that ends it."""
    loop, listening = asyncio.new_event_loop(), threading.Event()

    async def serve() -> None:
        await asyncio.start_unix_server(_forwarder(lambda: asyncio.open_connection("127.0.0.1", port)), path)
        listening.set()

    def run() -> None:
        loop.run_until_complete(serve())
        loop.run_forever()

    threading.Thread(target=run, daemon=True).start()
    assert listening.wait(10)

    def end() -> None:
        loop.call_soon_threadsafe(loop.stop)

    return end


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh", b"lo", 0)
        flags = struct.unpack("16sh", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh", b"lo", flags | _IFF_UP))


async def _serve_and_run(port: int, path: str, command: list[str]) -> int:
    server = await asyncio.start_server(_forwarder(lambda: asyncio.open_unix_connection(path)), "127.0.0.1", port)
    async with server:
        return await asyncio.to_thread(subprocess.call, command)


if __name__ == "__main__":
    _raise_loopback()
    sys.exit(asyncio.run(_serve_and_run(int(sys.argv[1]), sys.argv[2], sys.argv[3:])))
