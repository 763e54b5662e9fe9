"""Creates the X-Request-ID of every request, and turns unhandled exceptions into a 500.

The outermost gate: every response passes it, the framework's own included. It never trusts an inbound X-Request-ID
(INTERPRETATION 1), writes one log line per request, counts it, and turns an unhandled exception into a 500 of the Error shape whose
traceback is logged under the id.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import faults
from api.metrics import Metrics, Requests
from flows.dispatch import DESKTOP_ROUTE
from spatial import logs
from spatial.errors import InternalError
from storage import ids

HEADER: Final = "X-Request-ID"
FAILED: Final = "the server failed, and the failure is logged under the request id; try again, and report the request id if it stays so"

log = logging.getLogger("api.access")


def new() -> str:
    """A new id."""
    return ids.new("req")


class RequestId:
    """ASGI middleware: id, log line, metrics, unhandled exceptions.

    The id lives in `scope["state"]["request_id"]`; a response that carries another id (a replayed response carries
    the id in its body) changes it there before it is sent.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})["request_id"] = new()
        with logs.about(request_id=faults.id_of(scope)):
            await _Exchange(self.app, scope, send).serve(receive)


class _Exchange:
    """One request and its response: status, id, and the time since it began."""

    def __init__(self, app: ASGIApp, scope: Scope, send: Send) -> None:
        self.app, self.scope, self._send = app, scope, send
        self.id = faults.id_of(scope)
        self.status: int | None = None
        self.began = time.perf_counter()

    async def serve(self, receive: Receive) -> None:
        metrics: Metrics | None = getattr(self.scope["app"].state, "metrics", None)
        with self._count(metrics.requests) if metrics is not None else nullcontext():
            await self._serve(receive)

    @contextmanager
    def _count(self, requests: Requests) -> Iterator[None]:
        with requests.under_way.track_inprogress():
            try:
                yield
            finally:
                seconds = time.perf_counter() - self.began
                requests.count(self.route, self.scope["method"], self.status, seconds)

    async def _serve(self, receive: Receive) -> None:
        try:
            await self.app(self.scope, receive, self.send)
        except ClientDisconnect:
            pass
        except Exception:
            log.exception("unhandled exception")
            if self.status is not None:
                raise
            failure = faults.response(InternalError(FAILED), faults.id_of(self.scope))
            await failure(self.scope, receive, self.send)
        finally:
            self._log()

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message.setdefault("headers", [])
            MutableHeaders(scope=message)[HEADER] = faults.id_of(self.scope)
        await self._send(message)

    @property
    def route(self) -> str | None:
        """The template of the route that served the request; None where none matched."""
        return getattr(self.scope.get("route"), "path", None)

    def _log(self) -> None:
        line = {
            "method": self.scope["method"],
            "route": self.route,
            "status": self.status,
            "ms": round((time.perf_counter() - self.began) * 1000, 1),
        }
        if (answered := faults.id_of(self.scope)) != self.id:
            line["answered_request_id"] = answered
        level = logging.DEBUG if self._is_poll else logging.INFO
        log.log(level, "answered" if self.status is not None else "client left", extra={logs.FIELDS: line})

    @property
    def _is_poll(self) -> bool:
        """Whether it is a request of a desktop worker that went well: there are several per second."""
        return (self.route or "").startswith(DESKTOP_ROUTE) and self.status is not None and self.status < 400
