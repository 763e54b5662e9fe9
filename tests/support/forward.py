"""Forward TCP connections through a Unix socket, which processes of another network namespace can reach.

python -m tests.support.forward PORT SOCKET COMMAND…    in the namespace: loopback up, 127.0.0.1:PORT leads to SOCKET, run COMMAND
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable

from siege.namespace import raise_loopback

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


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


async def _serve_outside(path: str, port: int) -> None:
    server = await asyncio.start_unix_server(_forwarder(lambda: asyncio.open_connection("127.0.0.1", port)), path)
    async with server:
        await server.serve_forever()


async def _run_inside(port: int, path: str, command: list[str]) -> int:
    server = await asyncio.start_server(_forwarder(lambda: asyncio.open_unix_connection(path)), "127.0.0.1", port)
    async with server:
        return await asyncio.to_thread(subprocess.call, command)


if __name__ == "__main__":
    if sys.argv[1] == "outside":
        asyncio.run(_serve_outside(sys.argv[2], int(sys.argv[3])))
    raise_loopback()
    sys.exit(asyncio.run(_run_inside(int(sys.argv[2]), sys.argv[3], sys.argv[4:])))
