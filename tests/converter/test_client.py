"""The client against everything that is not a converter in good health."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from converter.client import ConverterClient
from converter.wire import START_SECONDS, ConverterHealth, ReadFacts, ReadingHandle
from spatial.errors import ConverterUnavailable, ParseError, PaymentRequired
from spatial.restarts import SLACK
from tests.converter.conftest import TRIAL

pytestmark = pytest.mark.asyncio(loop_scope="package")

Connect = Callable[[str], ConverterClient]
READING = ReadFacts(source_format="trial", entity_counts={}, warnings=[], partial=False)
TURNS = 20
"""Turns of the event loop after which a client that has sent its request waits for the answer."""
HANDLE = ReadingHandle(handle="a-handle-of-a-file", source=TRIAL, reading=READING)


def reply(status: int, body: str) -> bytes:
    return f"HTTP/1.1 {status} Said\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


@asynccontextmanager
async def answering(path: Path, *answers: bytes) -> AsyncIterator[str]:
    """A server that gives these answers to the requests of one connection, and then hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            head = await reader.readuntil(b"\r\n\r\n")
            length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(length[0].partition(b":")[2]) if length else 0)
            writer.write(answer)
            await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_unix_server(serve, path)
    async with server:
        yield f"unix://{path}"


async def nothing() -> bytes:
    return b""


@pytest.mark.requirement("converter.client")
async def test_nobody_there(tmp_path: Path, connect: Connect) -> None:
    client = connect(f"unix://{tmp_path}/nobody.sock")
    for call in (client.health(), client.read(TRIAL, b""), client.interpret(HANDLE, nothing)):
        with pytest.raises(ConverterUnavailable, match="unreachable") as failure:
            await call
        assert failure.value.retry_after
        assert "no such file or directory" in failure.value.message and "Errno" not in failure.value.message
    await client.release(HANDLE)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        reply(502, "<html>Bad Gateway</html>"),
        reply(500, '"text"'),
        reply(499, ""),
    ],
)
@pytest.mark.requirement("converter.client")
async def test_what_is_no_answer_of_a_converter_is_unavailable(tmp_path: Path, connect: Connect, answer: bytes) -> None:
    async with answering(tmp_path / "s", answer) as url:
        with pytest.raises(ConverterUnavailable):
            await connect(url).read(TRIAL, b"content")


@pytest.mark.requirement("converter.client")
async def test_a_service_that_does_not_answer_in_time_is_unavailable(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(tmp_path / "s"))
        silent.listen()
        client = ConverterClient(f"unix://{tmp_path}/s", timeout=0.05)
        with pytest.raises(ConverterUnavailable, match="does not answer"):
            await client.read(TRIAL, b"content")
        await client.close()


@pytest.mark.parametrize("status", ["restarting", "draining"])
@pytest.mark.requirement("converter.client", "converter.health")
async def test_a_service_that_is_not_ready_is_unavailable(tmp_path: Path, connect: Connect, status: str) -> None:
    counts = dict.fromkeys(("running", "waiting", "kept", "restarts", "memory_bytes", "workers", "queue"), 1)
    health = ConverterHealth.model_validate({**counts, "status": status, "isolation": [], "deadline_seconds": 60})
    async with answering(tmp_path / "s", reply(200, health.model_dump_json())) as url:
        with pytest.raises(ConverterUnavailable, match=status):
            await connect(url).health()


@pytest.mark.requirement("converter.client")
async def test_any_error_of_ours_comes_back_as_its_class(tmp_path: Path, connect: Connect) -> None:
    wire = '{"class": "PaymentRequired", "message": "pay first", "details": {"plan": "none"}}'
    async with answering(tmp_path / "s", reply(402, wire)) as url:
        with pytest.raises(PaymentRequired, match="pay first") as failure:
            await connect(url).read(TRIAL, b"content")
    assert failure.value.details == {"plan": "none"}


@pytest.mark.requirement("converter.client", "converter.handle-gone")
async def test_a_service_that_cannot_keep_a_file_is_unavailable(tmp_path: Path, connect: Connect) -> None:
    gone, read = reply(410, ""), reply(200, READING.model_dump_json())
    asked: list[int] = []

    async def data() -> bytes:
        asked.append(1)
        return b"content"

    async with answering(tmp_path / "s", *[gone, read] * 5) as url:
        with pytest.raises(ConverterUnavailable, match="lost the file"):
            await connect(url).interpret(HANDLE, data)
    assert len(asked) == 3


@pytest.mark.requirement("converter.retry-holds")
async def test_a_service_that_is_gone_is_awaited_for_what_its_start_took(
    tmp_path: Path, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = READING.model_dump_json()
    answer = reply(200, body).replace(b"\r\n", f"\r\n{START_SECONDS}: 40.5\r\n".encode(), 1)
    client = connect(f"unix://{tmp_path}/s")
    for _ in range(2):  # an answer ends what is counted
        async with answering(tmp_path / "s", answer):
            await client.read(TRIAL, b"content")
        (tmp_path / "s").unlink(missing_ok=True)
        with pytest.raises(ConverterUnavailable) as failure:
            await client.read(TRIAL, b"content")
        told = failure.value.retry_after
        assert told is not None and 40.5 <= told <= SLACK * 40.5 + 1 and f"{told} s" in failure.value.message
    monkeypatch.setattr("converter.outage.FORGOTTEN_SECONDS", -100.0)  # nobody has looked for longer than that
    with pytest.raises(ConverterUnavailable) as failure:
        await client.read(TRIAL, b"content")
    assert (failure.value.retry_after or 0) >= 40.5, "it is a new failure"


@pytest.mark.parametrize("url", ["converter.sock", "unix://relative/path", "unix:", "ftp://host/", "http://"])
@pytest.mark.requirement("converter.client")
async def test_an_address_that_cannot_be_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="neither unix"):
        ConverterClient(url)


@pytest.mark.requirement("converter.client")
async def test_a_socket_path_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than 107 bytes"):
        ConverterClient("unix:///" + "x" * 107)


@pytest.mark.requirement("converter.client")
async def test_proxies_of_the_environment_are_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, connect: Connect
) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    answer: Awaitable[ReadingHandle]
    async with answering(tmp_path / "s", reply(200, READING.model_dump_json())) as url:
        answer = connect(url).read(TRIAL, b"content")
        assert (await answer).reading == READING


@pytest.mark.requirement("converter.client-cancelled")
async def test_a_call_that_is_cancelled_as_its_answer_arrives_leaves_no_error_in_the_event_loop(
    tmp_path: Path, connect: Connect
) -> None:
    loop = asyncio.get_running_loop()
    reported: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda _, context: reported.append(context))
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(tmp_path / "socket"))
            listener.listen()
            listener.setblocking(False)
            call = asyncio.create_task(connect(f"unix://{tmp_path / 'socket'}").health())
            accepted, _ = await loop.sock_accept(listener)
            with accepted:
                assert await loop.sock_recv(accepted, 65_536)
                for _ in range(TURNS):
                    await asyncio.sleep(0)
                accepted.send(reply(200, "{}"))
                loop.call_soon(call.cancel)  # runs in the same turn of the loop that finds the answer
                await asyncio.wait({call})
    finally:
        loop.set_exception_handler(None)
    assert call.cancelled() and reported == []


@pytest.mark.requirement("converter.mesh")
@pytest.mark.parametrize(
    "body", ["", "glTF", "no mesh at all, but long enough", "glTF\x02\x00\x00\x00\xff\x00\x00\x00"]
)
async def test_an_answer_that_is_no_mesh_is_a_parse_error(tmp_path: Path, connect: Connect, body: str) -> None:
    async with answering(tmp_path / "s", reply(200, body)) as url:
        with pytest.raises(ParseError, match="a mesh that cannot be used"):
            await connect(url).mesh(TRIAL, b"")
