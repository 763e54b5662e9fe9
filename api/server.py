"""Configuration of uvicorn with h11: requests that are not valid HTTP also get an error in the API's format.

    uvicorn.Server(server.config(create_app(settings), host="127.0.0.1", port=8000)).run()

A request that is not valid HTTP does not reach the app; uvicorn would answer it in plain text without X-Request-ID.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from api import faults
from api.gates import request_id
from api.lingering import Lingering
from spatial import logs
from spatial.errors import InvalidRequest

HEAD_SECONDS: Final = 20.0
"""How long a client may take to send a request's head, or the rest of a body after the response was sent early."""

LINGER_SECONDS: Final = 20.0
"""How long a client may continue to send after the server closed its side of the connection."""

LEFTOVER_BYTES: Final = 67_108_864
"""Maximum number of bytes of a body that are discarded after an early response, so that the client can read the response."""

CLOSING: Final = "server_closing"
"""Member of a request's state that becomes true when the server shuts down; long polls then end."""

log = logging.getLogger("api.server")


def config(app: ASGIApp, *, host: str, port: int, drain_seconds: int = 20) -> uvicorn.Config:
    """The configuration of uvicorn for the app.

    drain_seconds: how long running requests may take to finish after SIGTERM.
    """
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=Protocol,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=drain_seconds,
    )


class Protocol(H11Protocol):
    """One connection."""

    _lingering: Lingering
    _head_timer: asyncio.TimerHandle | None = None
    _leftover = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type too
        """Start the timeout of the first request's head."""
        self._lingering = Lingering(transport, self._unread, seconds=LINGER_SECONDS, most=LEFTOVER_BYTES)
        super().connection_made(cast(asyncio.Transport, self._lingering))
        self._start_clock()

    def _unread(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def shutdown(self) -> None:
        """Shut the connection down; a long poll on it ends."""
        if self._unanswered() is not None:
            cast("dict[str, Any]", self.scope)["state"][CLOSING] = True
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_clock()
        self._lingering.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process the next bytes; disconnect a client that sends more than LEFTOVER_BYTES after its response."""
        if self._lingering.lingers:
            self._lingering.throw_away(data)
            return
        if self.conn.our_state is h11.DONE and self.conn.their_state is h11.SEND_BODY:
            self._leftover += len(data)
            if self._leftover > LEFTOVER_BYTES:
                self._lingering.end()
                return
        else:
            self._leftover = 0
        super().data_received(data)
        if self._unanswered() is not None:
            self._stop_clock()
        else:
            self._start_clock()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are not HTTP with an Error body; then close the connection, because the framing is lost."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._answer_broken(msg)
        if (broken_off := self._unanswered()) is not None:
            broken_off.disconnected = True
            broken_off.message_event.set()
        self.transport.close()

    def _answer_broken(self, msg: str) -> None:
        own_id = request_id.new()
        body = faults.body(InvalidRequest(f"this is not HTTP: {msg}"), own_id)
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            (request_id.HEADER, own_id),
        ]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        log.info("broken HTTP", extra={logs.FIELDS: {"request_id": own_id, "status": 400}})

    def _unanswered(self) -> RequestResponseCycle | None:
        """The request that has no complete response; uvicorn's `cycle` is None before the first request."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _start_clock(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._lingering.end)

    def _stop_clock(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
