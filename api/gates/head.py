"""HEAD is GET without its body (RFC 9110 section 9.3.2), on every route; the server leaves the body out."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class Head:
    """ASGI middleware: routes declare GET only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; the server still sees HEAD in its own scope."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)
