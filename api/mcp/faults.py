"""Errors of JSON-RPC 2.0, and the HTTP status that goes with each (INTERPRETATION 14)."""

from __future__ import annotations

from typing import Any, Final

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

HEADER_MISMATCH: Final = -32020
"""MCP 2026-07-28, Error Codes."""

UNSUPPORTED_VERSION: Final = -32022
"""MCP 2026-07-28, Error Codes."""

UNAUTHENTICATED: Final = 401
"""An application's own code, which lies outside the range that JSON-RPC reserves."""


class RpcFault(Exception):
    """An error of one call."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        status: int = 200,
        data: Any = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """Of the HTTP response, where the call was alone in its body."""
        self.data = data
        self.headers = headers or {}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_revived, (self.code, self.message, self.status, self.data, self.headers))


def _revived(code: int, message: str, status: int, data: Any, headers: dict[str, str]) -> RpcFault:
    return RpcFault(code, message, status=status, data=data, headers=headers)
