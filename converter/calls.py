"""Calls that a service works on, by the name that their client gave them, so that it can ask over another connection (`under_way`)."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

CALL_ID: Final = "X-Call-ID"
"""Header with a random name of a call, under which its client asks whether the service still works on it."""

SERVER: Final = "X-Server"
"""Header of an answer with the name of the process that gave it, where several may stand behind one address."""


class CallStatus(BaseModel):
    """Whether the service works on a call, or has it in its queue."""

    under_way: bool


class CallsMiddleware:
    """ASGI middleware: keeps the names of the calls that are under way.

    server: name of this process, which its answers carry; empty where it is the only one.
    """

    def __init__(self, app: ASGIApp, under_way: set[str], server: str = "") -> None:
        self._app = app
        self._under_way = under_way
        self._server = server.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call_id = _header(scope, CALL_ID)
        if call_id:
            self._under_way.add(call_id)
        try:
            await self._app(scope, receive, self._signed(send) if self._server else send)
        finally:
            self._under_way.discard(call_id)

    def _signed(self, send: Send) -> Send:
        async def signed(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (SERVER.lower().encode(), self._server)]
                message = {**message, "headers": headers}
            await send(message)

        return signed


def _header(scope: Scope, name: str) -> str:
    """A header of a request, in ASGI's lower case; empty where it has none."""
    found: list[bytes] = [value for key, value in scope.get("headers", ()) if key == name.lower().encode()]
    return found[0].decode("latin-1") if found else ""
