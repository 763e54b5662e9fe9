"""The revisions of MCP that are served, and what each era demands of a request.

Source: MCP 2026-07-28, Versioning, and Streamable HTTP, Request Metadata and Server Validation. Batches are of revision 2025-03-26, and
their messages are not mirrored in headers.
"""

from __future__ import annotations

import base64
import binascii
from typing import Final

from starlette.datastructures import Headers

from api.mcp.faults import HEADER_MISMATCH, INVALID_PARAMS, UNSUPPORTED_VERSION, RpcFault
from api.mcp.messages import CAPABILITIES, VERSION, Call

LEGACY: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN: Final = ("2026-07-28",)
SUPPORTED: Final = (*MODERN, *LEGACY)

VERSION_HEADER: Final = "MCP-Protocol-Version"
METHOD_HEADER: Final = "Mcp-Method"
NAME_HEADER: Final = "Mcp-Name"

NAMED: Final = ("tools/call", "prompts/get", "resources/read")
"""Methods whose name or URI is mirrored in a header."""

ENCODED: Final = ("=?base64?", "?=")
"""Around a header value that is base64 of UTF-8."""


def is_modern(call: Call, headers: Headers) -> bool:
    """Whether the call is of the modern era: it says its version, or its header names one that only that era has."""
    return call.params.meta.version is not None or headers.get(VERSION_HEADER) in MODERN


def check(call: Call, headers: Headers, *, is_batch: bool) -> bool:
    """Check what the era of the call demands; whether it is the modern one. Raises: RpcFault."""
    header = headers.get(VERSION_HEADER)
    if not is_modern(call, headers):
        if header is not None and header not in LEGACY:
            raise _unsupported(header)
        return False
    _check_meta(call, header, is_batch)
    if not is_batch:
        _check_mirrors(call, headers)
    return True


def legacy_version(asked: str | None) -> str:
    """The revision that `initialize` agrees on: the one asked for, or the latest of its era."""
    return asked if asked in LEGACY else LEGACY[0]


def _check_meta(call: Call, header: str | None, is_batch: bool) -> None:
    meta = call.params.meta
    if meta.version is None or not meta.has_capabilities:
        missing = VERSION if meta.version is None else CAPABILITIES
        raise RpcFault(
            INVALID_PARAMS, f"params._meta has no {missing}; every request of this revision has one", status=400
        )
    if not is_batch and header != meta.version:
        raise _mismatch(VERSION_HEADER, header, meta.version)
    if meta.version not in SUPPORTED:
        raise _unsupported(meta.version)


def _check_mirrors(call: Call, headers: Headers) -> None:
    if headers.get(METHOD_HEADER) != call.method:
        raise _mismatch(METHOD_HEADER, headers.get(METHOD_HEADER), call.method)
    expected = call.params.uri if call.method == "resources/read" else call.params.name
    if call.method in NAMED and _decoded(headers.get(NAME_HEADER)) != expected:
        raise _mismatch(NAME_HEADER, headers.get(NAME_HEADER), expected)


def _decoded(value: str | None) -> str | None:
    if value is None or not (value.startswith(ENCODED[0]) and value.endswith(ENCODED[1])):
        return value
    try:
        return base64.b64decode(value[len(ENCODED[0]) : -len(ENCODED[1])], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _mismatch(name: str, header: str | None, body: str | None) -> RpcFault:
    said = "is missing" if header is None else f"is {header[:80]!r}"
    return RpcFault(
        HEADER_MISMATCH, f"the header {name} {said}, and the body says {str(body)[:80]!r}; send the same", status=400
    )


def _unsupported(version: str) -> RpcFault:
    data = {"supported": list(SUPPORTED), "requested": version[:80]}
    return RpcFault(
        UNSUPPORTED_VERSION,
        f"protocol version {version[:80]!r} is not supported; use one of `data.supported`",
        status=400,
        data=data,
    )
