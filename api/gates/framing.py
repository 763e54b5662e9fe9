"""400 for a request with both Content-Length and Transfer-Encoding, after which the connection ends (RFC 9112 section 6.1).

A proxy that reads the one and a server that reads the other disagree about where the next request begins (request smuggling).
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api import faults
from spatial.errors import InvalidRequest

REFUSAL: Final = "the request has both Content-Length and Transfer-Encoding; send one of them"


class Framing:
    """ASGI middleware: every body has one length."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        app = self.app
        if scope["type"] == "http" and {"content-length", "transfer-encoding"} <= set(Headers(scope=scope).keys()):
            app = faults.last_response(InvalidRequest(REFUSAL), faults.id_of(scope))
        await app(scope, receive, send)
