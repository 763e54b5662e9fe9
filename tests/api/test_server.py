"""The API behind its real server: what a socket can do that a client library would not."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from api import server
from api.gates import body_size
from tests.api.house import EXTRACT, NAME, STEP, House, assert_fault, headers, open_house

LIMIT = 2_000
"""A small body limit, so that a body over it is quickly sent."""


@asynccontextmanager
async def served(house: House) -> AsyncIterator[int]:
    """The house behind a socket; yields its port."""
    config = server.config(house.app, host="127.0.0.1", port=0)
    config.lifespan = "off"  # the house has opened what the app needs
    running = uvicorn.Server(config)
    task = asyncio.create_task(running.serve())
    async with asyncio.timeout(30):
        while not running.started:
            await asyncio.sleep(0)
    yield running.servers[0].sockets[0].getsockname()[1]
    running.should_exit = True
    await task


@pytest.fixture
async def small(postgres_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """A house whose bodies have at most LIMIT bytes."""
    async with open_house(postgres_url, tmp_path, body_limit_bytes=LIMIT) as opened:
        yield opened


@pytest.fixture
async def port(small: House) -> AsyncIterator[int]:
    """The small house's port."""
    async with served(small) as found:
        yield found


class Wire:
    """One raw connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def send_without_end(self, data: bytes) -> None:
        async with asyncio.timeout(30):
            while True:
                await self.send(data)

    async def answer(self, *, bodiless: bool = False) -> httpx.Response:
        """The next response."""
        async with asyncio.timeout(30):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            said = dict(line.split(": ", 1) for line in head[1:] if line)
            said = {name.lower(): value for name, value in said.items()}
            size = 0 if bodiless else int(said.get("content-length", 0))
            return httpx.Response(int(head[0].split()[1]), headers=said, content=await self.reader.readexactly(size))

    async def closed(self) -> bool:
        """Whether the server hangs up, without another word."""
        async with asyncio.timeout(30):
            try:
                return await self.reader.read(1) == b""
            except ConnectionError:
                return True


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Wire]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


def head(method: str, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: api.test", *lines, "", ""]).encode()


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@pytest.mark.requirement("error.413.body")
@pytest.mark.parametrize("size", [LIMIT + 1, 8_000_000])
async def test_a_client_that_wants_the_connection_closed_and_still_sends_gets_its_413(port: int, size: int) -> None:
    """The reset of a connection with unread bytes would overtake the answer."""
    async with connected(port) as wire:
        wire.writer.write(head("POST", EXTRACT, f"Content-Length: {size}", "Connection: close") + b"a" * size)
        assert_fault(await wire.answer(), 413, "request_too_large")
        await wire.writer.drain()
        assert await wire.closed()


@pytest.mark.requirement("error.413.body")
@pytest.mark.parametrize("wish", ["close", "keep-alive"])
async def test_a_client_that_sends_without_end_after_its_413_is_cut_off(
    port: int, monkeypatch: pytest.MonkeyPatch, wish: str
) -> None:
    monkeypatch.setattr(server, "LINGER_SECONDS", 0.1)
    async with connected(port) as wire:
        await wire.send(head("POST", EXTRACT, f"Content-Length: {10**12}", f"Connection: {wish}"))
        assert_fault(await wire.answer(), 413, "request_too_large")
        with pytest.raises(ConnectionError):
            await wire.send_without_end(b"a" * LIMIT)


@pytest.mark.requirement("api.broken-http")
@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        head("GET", "/api/health", "X-Big: " + "x" * 1_000_000)[:-4],
        head("POST", EXTRACT, "Content-Length: many"),
        head("POST", EXTRACT, "Content-Length: 5", "Content-Length: 6"),
        head("POST", EXTRACT, "Transfer-Encoding: chunked") + b"zz\r\n",
        head("GET", "/api/v1/models", "Transfer-Encoding: chunked") + b"-1\r\n",
    ],
    ids=["text", "tls", "head", "length", "two-lengths", "chunk", "chunk-of-a-get"],
)
async def test_bytes_that_are_not_http_get_an_answer_of_our_shape(port: int, sent: bytes) -> None:
    async with connected(port) as wire:
        await wire.send(sent)
        assert_fault(await wire.answer(), 400, "invalid_request_error")
        assert await wire.closed()


@pytest.mark.requirement("limit.on-the-stream", "limit.every-route", "order.size-before-auth", "request-id.on-413")
@pytest.mark.parametrize(
    ("method", "path"), [("POST", EXTRACT), ("GET", "/api/v1/models"), ("POST", "/nothing"), ("PUT", EXTRACT)]
)
async def test_a_body_of_undeclared_length_is_413_as_soon_as_it_is_too_large(port: int, method: str, path: str) -> None:
    async with connected(port) as wire:
        await wire.send(head(method, path, "Transfer-Encoding: chunked"))
        for _ in range(LIMIT // 500):
            await wire.send(chunk(b"x" * 500))
        await wire.send(chunk(b"x"))  # and no end
        assert_fault(await wire.answer(), 413, "request_too_large")


@pytest.mark.requirement("order.size-before-auth")
async def test_a_body_of_undeclared_length_that_fits_leaves_the_answer_as_it_is(port: int) -> None:
    async with connected(port) as wire:
        for status, path in ((401, EXTRACT), (404, "/nothing")):
            await wire.send(head("POST", path, "Transfer-Encoding: chunked") + chunk(b"x" * LIMIT) + b"0\r\n\r\n")
            assert (await wire.answer()).status_code == status


@pytest.mark.requirement("limit.on-the-stream", "error.413.body")
async def test_a_declared_length_over_the_limit_is_413_before_anything_is_sent(port: int) -> None:
    async with connected(port) as wire:
        await wire.send(head("POST", EXTRACT, f"Content-Length: {LIMIT + 1}", "Expect: 100-continue"))
        assert_fault(await wire.answer(), 413, "request_too_large")
    async with connected(port) as wire:
        await wire.send(head("POST", EXTRACT, "Content-Length: " + "9" * 20))
        assert_fault(await wire.answer(), 413, "request_too_large")


@pytest.mark.requirement("error.413.body")
@pytest.mark.parametrize("framing", ["declared", "chunked"])
async def test_a_client_that_sends_100_mb_before_it_reads_gets_its_413(port: int, framing: str) -> None:
    """More than a kernel buffers, so that a connection closed early loses the answer."""
    piece = b"x" * 1_000_000
    line = "Transfer-Encoding: chunked" if framing == "chunked" else f"Content-Length: {100 * len(piece)}"
    async with connected(port) as wire:
        await wire.send(head("POST", EXTRACT, line))
        for _ in range(100):
            await wire.send(chunk(piece) if framing == "chunked" else piece)
        answer = await wire.answer()
        assert_fault(answer, 413, "request_too_large")
        assert answer.headers["connection"] == "close"


@pytest.mark.requirement("api.one-length")
@pytest.mark.parametrize("path", [EXTRACT, "/nothing", "/api/health"])
async def test_a_body_with_two_lengths_is_400_and_ends_the_connection(port: int, path: str) -> None:
    smuggled = head("GET", "/api/v1/models")
    async with connected(port) as wire:
        await wire.send(head("POST", path, "Content-Length: 5", "Transfer-Encoding: chunked") + b"0\r\n\r\n" + smuggled)
        assert_fault(await wire.answer(), 400, "invalid_request_error")
        assert await wire.closed()


@pytest.mark.requirement("limit.on-the-stream")
async def test_a_length_that_lies_low_cuts_the_body_there(port: int) -> None:
    async with connected(port) as wire:
        await wire.send(head("POST", "/nothing", "Content-Length: 5") + b"x" * 50 + b"\r\n\r\n")
        assert_fault(await wire.answer(), 404, "not_found")
        assert_fault(await wire.answer(), 400, "invalid_request_error")


@pytest.mark.requirement("api.slow-body")
@pytest.mark.parametrize("framing", ["Content-Length: 100", "Transfer-Encoding: chunked"])
async def test_a_body_that_never_ends_is_400(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, framing: str
) -> None:
    monkeypatch.setattr(body_size, "BODY_SECONDS", 0.1)
    async with open_house(postgres_url, tmp_path) as house, served(house) as port, connected(port) as wire:
        key = await house.key()
        await wire.send(
            head("POST", EXTRACT, framing, f"Authorization: Bearer {key}", "Content-Type: application/json")
        )
        assert_fault(await wire.answer(), 400, "invalid_request_error")


@pytest.mark.requirement("api.slow-head")
async def test_a_connection_that_says_nothing_or_half_a_head_is_closed(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(port) as used:
        await used.send(head("GET", "/api/v1/models"))
        assert (await used.answer()).status_code == 200
        monkeypatch.setattr(server, "HEAD_SECONDS", 0.05)
        await used.send(b"GET /half")
        assert await used.closed()
    for sent in (b"", b"GET /api/health HTTP/1.1\r\nHost: a"):
        async with connected(port) as fresh:
            await fresh.send(sent)
            assert await fresh.closed()


@pytest.mark.requirement("api.head-like-get", "service.request-id-header")
async def test_head_has_the_heads_of_get_on_the_wire_too(port: int) -> None:
    async with connected(port) as wire:
        await wire.send(head("HEAD", "/api/v1/models"))
        answer = await wire.answer(bodiless=True)
        assert (
            answer.status_code == 200 and int(answer.headers["content-length"]) > 0 and answer.headers["x-request-id"]
        )
        await wire.send(head("GET", "/nothing", "Connection: Upgrade", "Upgrade: websocket"))
        assert_fault(await wire.answer(), 404, "not_found")


@pytest.mark.requirement("api.disconnect-goes-on")
async def test_a_caller_who_hangs_up_in_mid_work_loses_nothing(house: House, key: str) -> None:
    house.dispatch.latch.clear()
    body = json.dumps({"file_name": NAME, "content_base64": base64.b64encode(STEP).decode()}).encode()
    said = headers(key, "one") | {"Content-Type": "application/json", "Content-Length": str(len(body))}
    async with served(house) as port:
        async with connected(port) as wire:
            await wire.send(head("POST", EXTRACT, *(f"{name}: {value}" for name, value in said.items())) + body)
            await house.dispatch.began.wait()
        house.dispatch.latch.set()
        await house.app.state.operations.drain()
    answer = await house.extract(key, retry="one")
    assert answer.headers["idempotency-replayed"] == "true" and len(house.dispatch.jobs) == 1


@pytest.mark.requirement("api.log-lines")
async def test_a_caller_who_hangs_up_in_mid_body_is_a_line_and_no_failure(
    house: House, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "api.access")
    async with served(house) as port:
        async with connected(port) as wire:
            await wire.send(
                head(
                    "POST",
                    EXTRACT,
                    "Content-Length: 100",
                    f"Authorization: Bearer {key}",
                    "Content-Type: application/json",
                )
            )
            await wire.send(b"{")
        async with asyncio.timeout(30):
            while not any(record.message == "client left" for record in caplog.records):
                await asyncio.sleep(0)
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.requirement("extract.json.200", "idempotency.in-progress")
async def test_many_clients_at_once_are_all_answered(house: House, key: str) -> None:
    async with served(house) as port, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        answers: list[Any] = await asyncio.gather(*(house.extract(key, client=client) for _ in range(24)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["x-request-id"] for answer in answers}) == 24
