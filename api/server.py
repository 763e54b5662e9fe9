"""Configuration of uvicorn with h11: requests that are not valid HTTP also get an error in the API's format.

    uvicorn.Server(server.config(create_app(settings), host="127.0.0.1", port=8000)).run()

A request that is not valid HTTP does not reach the app; uvicorn would answer it in plain text without X-Request-ID.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, cast

import h11
import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from api import faults
from api.gates import request_id
from api.gates.body_size import BODY_SECONDS
from api.lingering import Lingering
from spatial import logs
from spatial.errors import InvalidRequest

HEAD_SECONDS: Final = 20.0
"""How long a client may take to send a request's head."""

LINGER_SECONDS: Final = BODY_SECONDS
"""How long a client may continue to send a body after the response was sent early: as long as a body may take to arrive."""

ENDING: Final = "ending"
"""Member of a request's state: an event that is set when its connection is lost, or the server shuts down; long polls then end."""

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


def ending_of(scope: Scope) -> asyncio.Event:
    """The event ENDING of a request; a long poll waits for it beside what it was asked for."""
    return cast(asyncio.Event, scope.setdefault("state", {}).setdefault(ENDING, asyncio.Event()))


class Protocol(H11Protocol):
    """One connection."""

    _lingering: Lingering
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn narrows the type too
        """Start the timeout of the first request's head."""
        self._lingering = Lingering(transport, self._unread, seconds=LINGER_SECONDS)
        super().connection_made(cast(asyncio.Transport, self._lingering))
        self._start_clock()

    def _unread(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def shutdown(self) -> None:
        """Shut the connection down; a long poll on it ends."""
        self._end_long_poll()
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout; a long poll, whose caller is gone, ends."""
        self._end_long_poll()
        self._stop_clock()
        self._lingering.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process the next bytes; discard those that arrive while the connection lingers."""
        if self._lingering.lingers:
            return
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
        body = faults.body(InvalidRequest(f"the request is not HTTP: {msg.rstrip('.')}; send HTTP/1.1"), own_id)
        headers = [
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
            (request_id.HEADER, own_id),
        ]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        log.info("broken HTTP", extra={logs.FIELDS: {"request_id": own_id, "status": 400}})

    def _end_long_poll(self) -> None:
        if self._unanswered() is not None:
            ending_of(cast(Scope, self.scope)).set()

    def _unanswered(self) -> RequestResponseCycle | None:
        """The request that has no complete response; uvicorn's `cycle` is None before the first request."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _start_clock(self) -> None:
        if self._head_timer is None:
            seconds = LINGER_SECONDS if self._unread() else HEAD_SECONDS
            self._head_timer = self.loop.call_later(seconds, self._lingering.end)

    def _stop_clock(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
