"""HTTP over a Unix socket for the client of the converter, on asyncio's sockets.

anyio, which httpx uses otherwise, lets the event loop set the result of a future that a cancelled request has cancelled: asyncio then
logs an InvalidStateError for each request that is cancelled in the moment in which its answer arrives
(`UNIXSocketStream._wait_until_readable`).
"""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import httpcore
import httpx


class UnixTransport(httpx.AsyncBaseTransport):
    """A transport of httpx for one server on a Unix socket."""

    def __init__(self, path: str, *, keepalive_connections: int, keepalive_seconds: float) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            uds=path,
            network_backend=_UnixBackend(),
            max_connections=None,
            max_keepalive_connections=keepalive_connections,
            keepalive_expiry=keepalive_seconds,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request, whose body is read as it comes. Raises: httpx.TransportError."""
        url = request.url
        sent = httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=await request.aread(),
            extensions=request.extensions,
        )
        with _as_errors_of_httpx(request):
            answer = await self._pool.handle_async_request(sent)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer, request))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    """The body of an answer. Raises: httpx.TransportError."""

    def __init__(self, answer: httpcore.Response, request: httpx.Request) -> None:
        self._answer = answer
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_errors_of_httpx(self._request):
            async for part in self._answer.aiter_stream():
                yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _as_errors_of_httpx(request: httpx.Request) -> Iterator[None]:
    try:
        yield
    except httpcore.ConnectTimeout as error:
        raise httpx.ConnectTimeout(str(error), request=request) from error
    except httpcore.ConnectError as error:
        raise httpx.ConnectError(str(error), request=request) from error
    except httpcore.TimeoutException as error:
        raise httpx.TimeoutException(str(error), request=request) from error
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise httpx.TransportError(str(error), request=request) from error


class _UnixBackend(httpcore.AnyIOBackend):
    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's signature
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        del socket_options  # of TCP
        connection = socket.socket(socket.AF_UNIX)
        connection.setblocking(False)
        try:
            async with _within(timeout, httpcore.ConnectTimeout, httpcore.ConnectError):
                await asyncio.get_running_loop().sock_connect(connection, path)
        except BaseException:
            connection.close()
            raise
        return _UnixStream(connection)


RECEIVE_BYTES: Final = 262_144
"""Of a long answer that are received at a time: httpcore asks for 64 KiB."""


class _UnixStream(httpcore.AsyncNetworkStream):
    """A connection. asyncio's streams would discard an answer that the server sent before it stopped reading the request."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109  # httpcore's signature
        async with _within(timeout, httpcore.ReadTimeout, httpcore.ReadError):
            return await asyncio.get_running_loop().sock_recv(self._connection, max(max_bytes, RECEIVE_BYTES))

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109  # httpcore's signature
        async with _within(timeout, httpcore.WriteTimeout, httpcore.WriteError):
            await asyncio.get_running_loop().sock_sendall(self._connection, buffer)

    async def aclose(self) -> None:
        self._connection.close()

    def get_extra_info(self, info: str) -> Any:
        """Whether an idle connection has ended, which httpcore asks for as is_readable; other information is of TCP and TLS."""
        if info != "is_readable":
            return None
        readable = select.poll()
        readable.register(self._connection, select.POLLIN)
        return bool(readable.poll(0))


@asynccontextmanager
async def _within(
    seconds: float | None, late: type[httpcore.TimeoutException], broken: type[httpcore.NetworkError]
) -> AsyncIterator[None]:
    """Limit the time of a block. Raises: the errors of httpcore that the two classes name."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
