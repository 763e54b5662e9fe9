"""One HTTP request with its messages, and the response to all of them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from api import faults
from api.dispatcher import Dispatcher
from api.gates import keys
from api.gates.keys import API_KEY, Caller
from api.gates.request_id import FAILED
from api.mcp import eras, presenting
from api.mcp.faults import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, UNAUTHENTICATED, RpcFault
from api.mcp.messages import Call, Id, Messages, Notice, Refused
from api.mcp.methods import METHODS, SERVER_INFO, Result
from api.request_bodies import JSON
from spatial import logs
from spatial.errors import AuthenticationFailed, SpatialError

AT_ONCE: Final = 8
"""Messages of one batch that are worked on at a time."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Reply:
    """The response to one call: the JSON-RPC message, and what it means for the HTTP response if it is the only one."""

    body: bytes
    status: int = 200
    headers: dict[str, str] | None = None


class Exchange:
    """One HTTP request: who calls, and what answers."""

    def __init__(self, request: Request, dispatcher: Dispatcher) -> None:
        self.app = request.app
        self.dispatcher = dispatcher
        self.authorization: Sequence[str] = request.headers.getlist("authorization")
        self._request = request
        self._slots = asyncio.Semaphore(AT_ONCE)

    @property
    def has_key(self) -> bool:
        """Whether the request carries an Authorization header."""
        return bool(self.authorization)

    async def caller(self) -> Caller:
        """The account whose key the request carries. Raises: AuthenticationFailed, BillingUnavailable."""
        return await keys.authenticate(self.dispatcher, await API_KEY(self._request))

    async def answer(self, body: bytes) -> Response:
        """The response to the messages of the body."""
        try:
            found = await presenting.parsed(body)
        except SpatialError as error:
            return respond_with(RpcFault(INVALID_REQUEST, error.message, status=400))
        with logs.about(mcp_request_id=faults.id_of(self._request.scope)):
            replies = await self._replies(found)
        return _response([reply for reply in replies if reply is not None], found.is_batch)

    async def _replies(self, found: Messages) -> list[Reply | None]:
        async def one(message: Call | Refused | Notice) -> Reply | None:
            async with self._slots:
                return await self._reply(message, found.is_batch)

        return list(await asyncio.gather(*map(one, found.messages)))

    async def _reply(self, message: Call | Refused | Notice, is_batch: bool) -> Reply | None:
        if isinstance(message, Notice):
            return None
        if isinstance(message, Refused):
            return refuse(message.id, message.fault)
        try:
            is_modern = eras.check(message, self._request.headers, is_batch=is_batch)
            return Reply(_message(message.id, "result", await self._result(message, is_modern)))
        except RpcFault as fault:
            return refuse(message.id, fault)
        except SpatialError as error:
            return refuse(message.id, _fault_of(error, faults.id_of(self._request.scope)))
        except Exception:  # one message that fails never costs the others of its batch
            log.exception("the MCP method %s failed", message.method[:80])
            return refuse(message.id, RpcFault(INTERNAL_ERROR, FAILED))

    async def _result(self, call: Call, is_modern: bool) -> bytes:
        method = METHODS.get(call.method)
        if method is None:
            listed = f"there is no method {call.method[:80]!r}; use one of {', '.join(METHODS)}"
            raise RpcFault(METHOD_NOT_FOUND, listed, status=404 if is_modern else 200)
        result = await method(self, call)
        return _written(result, is_modern)


def respond_with(fault: RpcFault) -> Response:
    """The response to a request whose messages cannot be read."""
    return _response([refuse(None, fault)], is_batch=False)


def refuse(call_id: Id, fault: RpcFault) -> Reply:
    """The reply for a call that failed."""
    error = {"code": fault.code, "message": fault.message, **({"data": fault.data} if fault.data is not None else {})}
    return Reply(_message(call_id, "error", _dump(error)), fault.status, fault.headers)


def _fault_of(error: SpatialError, request_id: str) -> RpcFault:
    """The fault of an error that is not the answer of a tool."""
    data = json.loads(faults.body(error, request_id))
    if isinstance(error, AuthenticationFailed):
        return RpcFault(UNAUTHENTICATED, error.message, status=error.status, data=data, headers=faults.headers(error))
    return RpcFault(INVALID_PARAMS if error.is_refusal else INTERNAL_ERROR, error.message, data=data)


def _written(result: Result, is_modern: bool) -> bytes:
    """The result as JSON, with what the modern era adds (MCP 2026-07-28: ResultType, CacheableResult, serverInfo)."""
    written = result.value if isinstance(result.value, bytes) else _dump(result.value)
    if not is_modern:
        return written
    more: dict[str, Any] = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": SERVER_INFO}}
    if result.cache is not None:
        more |= {"ttlMs": result.cache[0], "cacheScope": result.cache[1]}
    return written[:-1] + (b"," if written != b"{}" else b"") + _dump(more)[1:]


def _message(call_id: Id, member: str, written: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%s,"%s":%s}' % (_dump(call_id), member.encode(), written)


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def _response(replies: list[Reply], is_batch: bool) -> Response:
    """202 where nothing is to be answered; the status of the only reply; of a batch 200, or 401 where every call lacked a key."""
    if not replies:
        return Response(status_code=202)
    if not is_batch:
        [only] = replies
        return Response(only.body, only.status, headers=only.headers, media_type=JSON)
    body = b"[" + b",".join(reply.body for reply in replies) + b"]"
    unauthenticated = [reply for reply in replies if reply.status == AuthenticationFailed.status]
    if len(unauthenticated) == len(replies):
        return Response(body, AuthenticationFailed.status, headers=unauthenticated[0].headers, media_type=JSON)
    return Response(body, media_type=JSON)
