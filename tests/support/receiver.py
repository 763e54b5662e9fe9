"""A receiver of notifications on loopback, and a network that reaches nothing else."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpcore
from standardwebhooks.webhooks import Webhook

from storage.net.guard import Network

PUBLIC = "93.184.215.14"
"""Stands for a public host; the connector takes it to the receiver."""


@dataclass(frozen=True)
class Post:
    """One request that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message_id(self) -> str:
        """The webhook-id."""
        return self.headers["webhook-id"]

    def verified(self, secret: str) -> dict[str, Any]:
        """The message, if the library that receivers use accepts it. Raises: WebhookVerificationError."""
        message: dict[str, Any] = Webhook(secret).verify(self.body, self.headers)
        return message


@dataclass
class Receiver:
    """Answers 204, or what is set for a path; a path that hangs is never answered."""

    port: int = 0
    answers: dict[str, bytes] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)
    posts: list[Post] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def at(self, path: str) -> list[Post]:
        """The requests of a path."""
        return [one for one in self.posts if one.path == path]

    async def until_arrived(self, count: int) -> None:
        """Wait until that many requests have arrived."""
        while len(self.posts) < count:
            self.arrived.clear()
            await asyncio.wait_for(self.arrived.wait(), 60)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:-2])}
            method, path, _ = head[0].split()
            assert method == "POST"
            self.posts.append(Post(path, headers, await reader.readexactly(int(headers["content-length"]))))
            self.arrived.set()
            if path in self.hanging:
                await self.released.wait()
            writer.write(self.answers.get(path, answer(204)))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


def answer(status: int, *headers: str, body: bytes = b"") -> bytes:
    """The bytes of an answer."""
    lines = [f"HTTP/1.1 {status} Some", f"Content-Length: {len(body)}", *headers, "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode() + body


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver for the length of a block."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.handle, "127.0.0.1", 0)
    try:
        receiver.port = server.sockets[0].getsockname()[1]
        yield receiver
    finally:
        receiver.released.set()
        server.close()


@dataclass
class Wire(httpcore.AsyncNetworkBackend):
    """Connects to the receiver in the name of PUBLIC, and to nothing else, whatever the guard lets through."""

    port: int
    asked: list[str] = field(default_factory=list)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        self.asked.append(f"{host}:{port}")
        assert host == PUBLIC, f"the guard let a connection to {host}:{port} through"
        return await httpcore.AnyIOBackend().connect_tcp("127.0.0.1", self.port, timeout=timeout)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass
class Names:
    """A resolver: every name has the address that is set for it, or PUBLIC; a name without addresses does not resolve."""

    addresses: dict[str, list[str]] = field(default_factory=dict)

    async def __call__(self, host: str, port: int) -> list[str]:
        found = self.addresses.get(host, [PUBLIC])
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return found


def network_to(receiver: Receiver, addresses: dict[str, list[str]] | None = None) -> Network:
    """A network in which every name leads to the receiver."""
    return Network(resolver=Names(addresses or {}), connector=Wire(receiver.port))
