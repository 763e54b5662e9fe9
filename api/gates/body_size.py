"""413 over the body limit, counted on the stream, on every route; and a deadline for bodies that never end.

The order of checks puts the body's size first (INTERPRETATION 8), yet nothing is buffered here. A declared length is
checked at once: the server's framing enforces it. A body of undeclared length is counted as the route reads it; if
the route answers without having read it all, the rest is counted and discarded before that response is sent.

Some routes have limits of their own: the route that streams a file to its upload a larger one and a longer deadline, that of Stripe's
events a smaller one.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import faults
from spatial.errors import InvalidRequest, RequestTooLarge, SpatialError
from storage.postgres import upload_files

BODY_SECONDS: Final = 120.0
"""How long a whole body may take to arrive: 6 MiB at 52 kB/s."""


UPLOAD_SECONDS: Final = 600.0
"""How long a file may take to arrive at its upload: 25 MiB at 44 kB/s."""


@dataclass(frozen=True)
class Allowance:
    """Size limit and deadline for the bodies of one kind of request."""

    limit: int
    """Bytes."""
    seconds: float
    method: str = ""
    path: re.Pattern[str] = re.compile("")
    is_file: bool = False
    """Whether the body is a file."""

    def refusal(self, path: str) -> RequestTooLarge:
        """The error for a body over the limit, sent to a path."""
        return upload_files.file_too_large(self.limit) if self.is_file else too_large(self.limit, path)

    def is_for(self, scope: Scope) -> bool:
        """Whether this is such a request."""
        return scope["method"] == self.method and self.path.fullmatch(scope["path"]) is not None


class BodySize:
    """ASGI middleware: no body over `limit` bytes, none slower than `seconds`; `others` are the requests with limits of their own."""

    def __init__(self, app: ASGIApp, limit: int, seconds: float, others: tuple[Allowance, ...] = ()) -> None:
        self.app, self.usual, self.others = app, Allowance(limit, seconds), others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        allowed = next((other for other in self.others if other.is_for(scope)), self.usual)
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared) > allowed.limit:
            refusal = allowed.refusal(scope["path"])
            await faults.last_response(refusal, faults.id_of(scope))(scope, receive, send)
            return
        body = _CountedBody(allowed, scope, receive, send)
        body.complete = declared.isdecimal()
        await self.app(scope, body.receive, body.send)


class _CountedBody:
    """One request's body and response."""

    def __init__(self, allowed: Allowance, scope: Scope, receive: Receive, send: Send) -> None:
        self.allowed, self.scope = allowed, scope
        self._receive, self._send = receive, send
        self.complete = False
        """Whether the size is known to be within the limit."""
        self.replaced = False
        """Whether a refusal of the body replaced the route's response."""
        self.count = 0
        self.ends = asyncio.get_running_loop().time() + allowed.seconds

    async def receive(self) -> Message:
        """The next piece. Raises: RequestTooLarge; InvalidRequest where the body does not end in time."""
        try:
            async with asyncio.timeout_at(self.ends):
                message = await self._receive()
        except TimeoutError:
            self.complete = True
            raise InvalidRequest(
                f"the request body did not arrive within {self.allowed.seconds:g} s; "
                "send it faster, or send the file by POST /api/v1/uploads",
                details={"field": "body"},
            ) from None
        if message["type"] == "http.request":
            self._count(message)
        return message

    async def send(self, message: Message) -> None:
        """Forward the response, once it is certain that the body is not too large."""
        if message["type"] == "http.response.start" and not self.complete:
            refusal = await self._drain()
            if refusal is not None:
                self.replaced = True
                await faults.last_response(refusal, faults.id_of(self.scope))(self.scope, self._receive, self._send)
        if not self.replaced:
            await self._send(message)

    def _count(self, message: Message) -> None:
        self.count += len(message.get("body", b""))
        if self.count > self.allowed.limit:
            self.complete = True
            raise self.allowed.refusal(self.scope["path"])
        self.complete = self.complete or not message.get("more_body", False)

    async def _drain(self) -> SpatialError | None:
        try:
            while not self.complete and (await self.receive())["type"] == "http.request":
                pass
        except SpatialError as refusal:
            return refusal
        return None


REMEDIES: Final = (
    ("/api/v1/cad/extract", "send a larger file as a content_url, or by POST /api/v1/uploads"),
    ("/api/v1/responses", "send its scenes by POST /api/v1/uploads, and name each by its upload_id"),
    ("/api/mcp", "send files and scenes by POST /api/v1/uploads, and name each by its upload_id"),
)
"""What to do about a body that is too large, by the beginning of the path."""


def too_large(limit: int, path: str) -> RequestTooLarge:
    """The refusal of a body over `limit` bytes."""
    remedy = next((text for start, text in REMEDIES if path.startswith(start)), "send less in one request")
    return RequestTooLarge(f"the request body is larger than {limit} bytes; {remedy}", details={"limit_bytes": limit})
