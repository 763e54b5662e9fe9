"""Requests to the Prefect server over connections that died without a sign (half-open, RFC 9293 §3.5.1).

Neither end is told, so such a request lasts until the time limit of Prefect's client, 60 s. Here a request that waits makes the client ask
over a new connection whether the server works on it (`calls_route`). One that the server does not know was lost, and is sent again over a
new connection, as Prefect's client does with one whose connection broke. A server that is busy knows the request, or does not answer, and
is waited for. So is one of several behind the same address, because another of them may work on the request.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import httpx
from prefect.client.orchestration import PrefectClient

from converter.calls import CALL_ID, SERVER, CallStatus
from converter.under_way import ConnectionLost, answer_of

ROUTE: Final = "calls_under_way"
"""Path of the route below the server's API; the name of the call follows."""

LOOK_SECONDS: Final = 4.0
"""Interval of such questions about a request; few requests take so long."""

ASK_SECONDS: Final = 5.0
"""How long the answer to such a question may take."""

ATTEMPTS: Final = 2
"""How often a request is sent whose connection is lost."""

SEEN_SECONDS: Final = 600.0
"""How long a server that has answered counts as one of those behind its address."""

AWAITED: Final = "http11.receive_response_headers.started"
"""What httpcore calls the moment from which a request only waits for its answer."""

LIMITS: Final = httpx.Limits(max_connections=16, max_keepalive_connections=8, keepalive_expiry=25)
"""Of connections, as Prefect's client has them."""

CONNECT_RETRIES: Final = 3
"""How often a connection is tried again, as by Prefect's client."""


async def watch(client: PrefectClient) -> None:
    """Have a client notice lost connections. One with TLS or through a proxy of the environment keeps the time limit of Prefect's."""
    http = client._client
    if http.base_url.scheme == "http":
        unwatched, http._transport = http._transport, WatchedTransport(_pool, http.base_url)
        await unwatched.aclose()


def _pool() -> httpx.AsyncBaseTransport:
    return httpx.AsyncHTTPTransport(limits=LIMITS, retries=CONNECT_RETRIES)


class WatchedTransport(httpx.AsyncBaseTransport):
    """Sends requests over a pool of connections, which is replaced once one of them was found dead: the others died with it."""

    def __init__(self, connect: Callable[[], httpx.AsyncBaseTransport], base_url: httpx.URL) -> None:
        """connect: opens a pool. base_url: of the server's API."""
        self._connect = connect
        self._base_url = base_url
        self._pool = _Pool(connect())
        self._servers: dict[str, float] = {}
        """When each server behind the address answered last, on the monotonic clock."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, again where its connection was lost, and read its whole answer. Raises: httpx.ReadError if it was lost twice."""
        for _ in range(ATTEMPTS):
            pool, call = self._pool, _Call(request)
            try:
                ask = partial(self._may_be_under_way, call)
                answer = await answer_of(pool.send(request), ask, seconds=LOOK_SECONDS)
            except ConnectionLost:
                await self._replace(pool)
            else:
                self._note_server(answer)
                return answer
        raise httpx.ReadError("the connection to the Prefect server was lost", request=request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._pool.close()

    async def _may_be_under_way(self, call: _Call) -> bool:
        """False only where the single server behind the address says that it does not know a call that was sent."""
        if not call.is_sent:
            return True
        try:
            async with httpx.AsyncClient(transport=self._connect(), base_url=self._base_url) as fresh:
                answer = await fresh.get(f"{ROUTE}/{call.id}", headers=call.authorization, timeout=ASK_SECONDS)
        except httpx.HTTPError:
            return True
        self._note_server(answer)
        if not answer.is_success or not self._is_single():
            return True
        return CallStatus.model_validate_json(answer.content).under_way

    def _note_server(self, answer: httpx.Response) -> None:
        if name := answer.headers.get(SERVER):
            self._servers[name] = time.monotonic()

    def _is_single(self) -> bool:
        since = time.monotonic() - SEEN_SECONDS
        self._servers = {name: seen for name, seen in self._servers.items() if seen > since}
        return len(self._servers) == 1

    async def _replace(self, pool: _Pool) -> None:
        if self._pool is pool:
            self._pool = _Pool(self._connect())
            await pool.close()


class _Call:
    """A request with a name, and whether all of it was written to a connection."""

    def __init__(self, request: httpx.Request) -> None:
        self.id = secrets.token_urlsafe(12)
        self.is_sent = False
        self.authorization = {name: value for name, value in request.headers.items() if name == "authorization"}
        request.headers[CALL_ID] = self.id
        request.extensions["trace"] = self._trace

    async def _trace(self, event: str, _: Any) -> None:
        """Called for what happens to the request (httpcore, Extensions)."""
        self.is_sent |= event == AWAITED


class _Pool:
    """A pool of connections, which is closed after the last of its requests."""

    def __init__(self, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport
        self._requests = 0
        self._is_closing = False

    async def send(self, request: httpx.Request) -> httpx.Response:
        """The answer to a request, read to its end."""
        self._requests += 1
        try:
            answer = await self._transport.handle_async_request(request)
            body = b"".join([part async for part in answer.stream])  # type: ignore[union-attr]  # an asynchronous transport's
            await answer.aclose()
        finally:
            self._requests -= 1
            await self._close_if_idle()
        stream = httpx.ByteStream(body)
        return httpx.Response(answer.status_code, headers=answer.headers, stream=stream, extensions=answer.extensions)

    async def close(self) -> None:
        """Send no further requests, and close the connections once those that are under way have ended."""
        self._is_closing = True
        await self._close_if_idle()

    async def _close_if_idle(self) -> None:
        if self._is_closing and not self._requests:
            await self._transport.aclose()
