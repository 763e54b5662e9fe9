"""How the app is served: uvicorn on h11, with answers of our shape even where HTTP itself is broken.

    uvicorn.Server(server.config(create_app(settings), host="127.0.0.1", port=8000)).run()

A request that is not HTTP never reaches the app; uvicorn would answer it in plain text without X-Request-ID.
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
"""How long a connection may take to send a request's head, or the rest of a body that was answered early."""

LINGER_SECONDS: Final = 20.0
"""How long a client may go on sending after its connection was closed on our side."""

LEFTOVER_BYTES: Final = 67_108_864
"""How much of a body is read and thrown away after its request was answered, so that the client gets to see the answer."""

CLOSING: Final = "server_closing"
"""Member of a request's state, true once its connection is about to be closed: long polls end then."""

log = logging.getLogger("api.server")


def config(app: ASGIApp, *, host: str, port: int, drain_seconds: int = 20) -> uvicorn.Config:
    """uvicorn's settings for our app.

    drain_seconds: how long requests under way may take to end after SIGTERM.
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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn narrows it
        """Start the clock for the first request's head."""
        self._lingering = Lingering(transport, self._unread, seconds=LINGER_SECONDS, most=LEFTOVER_BYTES)
        super().connection_made(cast(asyncio.Transport, self._lingering))
        self._start_clock()

    def _unread(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def shutdown(self) -> None:
        """The server is stopping: who waits for news on this connection is told to stop waiting."""
        if self._unanswered() is not None:
            cast("dict[str, Any]", self.scope)["state"][CLOSING] = True
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        self._lingering.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take the next bytes; hang up on who keeps sending a body that was answered long ago."""
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
        """The answer to bytes that are not HTTP, in the Error shape; then hang up, as the framing is lost."""
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
        """The request under way; uvicorn leaves `cycle` None until there is one."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return None if cycle is None or cycle.response_complete else cycle

    def _start_clock(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self._lingering.end)

    def _stop_clock(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
