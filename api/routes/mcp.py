"""POST /api/mcp (spec: POST /api/mcp): the operations as tools over JSON-RPC 2.0. Billed tools and private resources need a key."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import intake
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import PublicEndpoint, raises, reads
from api.gates import request_id
from api.mcp.exchange import Exchange, respond_with
from api.mcp.faults import INVALID_REQUEST, RpcFault
from api.request_bodies import RequestBody, json_media
from spatial.contract import examples, limits
from spatial.contract.jsonrpc import JsonRpcRequest, JsonRpcResponse
from spatial.errors import InvalidRequest
from storage.settings import Settings

ROUTE: Final = "/api/mcp"

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")

router = APIRouter(route_class=PublicEndpoint, tags=["agents"])

PAGE_HEADERS: Final = (
    "Authorization",
    "Content-Type",
    "Accept",
    "Mcp-Protocol-Version",
    "Mcp-Session-Id",
    "Mcp-Method",
    "Mcp-Name",
)
"""Headers that a page may send: those of MCP's transport, and the key."""

PREFLIGHT_SECONDS: Final = 600
"""How long a browser may keep the answer to its question."""

BODY: Final = RequestBody(
    (json_media(JsonRpcRequest, call={"summary": "A call", "value": examples.JSONRPC_REQUEST}),),
    f"A JSON-RPC 2.0 message, or a batch of 1 to {limits.MCP_BATCH} of them.",
)

ANSWERS: Final[dict[int | str, dict[str, Any]]] = {
    202: {"description": "Notifications alone: accepted, no body"},
    400: {"description": "The body is no JSON-RPC message, or its headers contradict it", "model": JsonRpcResponse},
    401: {"description": "A billed tool or a private resource without a valid key", "model": JsonRpcResponse},
    403: {
        "description": "A browser sent a page's request, and the page's origin is not allowed",
        "model": JsonRpcResponse,
    },
}


@router.post(
    ROUTE,
    summary="The operations as tools for agents (MCP)",
    response_description="The response to the call; of a batch the array of them",
    operation_id="mcp",
    response_model=JsonRpcResponse,
    responses=ANSWERS,
)
@reads(BODY)
@raises()
async def mcp(request: Request, dispatcher: DispatcherDep) -> Response:
    """JSON-RPC 2.0 over HTTP, without sessions: MCP revisions 2024-11-05 to 2025-11-25, and 2026-07-28.

    A billed tool is a request to the route that it mirrors, under the same Authorization; what that route refuses is a result with
    `isError`.
    """
    origin = request.headers.get("origin")
    if origin is not None and not _is_allowed(origin, dispatcher.settings):
        problem = (
            f"pages of {origin[:200]} may not use this service; its operator can list the origin in SPATIAL_MCP_ORIGINS"
        )
        return respond_with(RpcFault(INVALID_REQUEST, problem, status=403))
    response = await _answer(request, dispatcher)
    if origin is not None:
        response.headers.update(_for_pages_of(origin))
    return response


@router.options(ROUTE, include_in_schema=False)
@raises()
async def preflight(request: Request, dispatcher: DispatcherDep) -> Response:
    """What a browser asks before it lets a page of another origin call (Fetch, CORS protocol)."""
    origin = request.headers.get("origin")
    if origin is None or not _is_allowed(origin, dispatcher.settings):
        return Response(status_code=403)
    allowed = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": ", ".join(PAGE_HEADERS),
        "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
    }
    return Response(status_code=204, headers=_for_pages_of(origin) | allowed)


async def _answer(request: Request, dispatcher: Dispatcher) -> Response:
    try:
        intake.require_json(request)
        body = await intake.read_json(request)
    except InvalidRequest as error:
        return respond_with(RpcFault(INVALID_REQUEST, error.message, status=400))
    return await Exchange(request, dispatcher).answer(body)


def _for_pages_of(origin: str) -> dict[str, str]:
    """Headers with which a browser hands the response to a page of this origin; keys travel in a header, so no cookies do."""
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": f"{request_id.HEADER}, WWW-Authenticate",
        "Vary": "Origin",
    }


def _is_allowed(origin: str, settings: Settings) -> bool:
    """Whether a page of this origin may send requests (MCP 2026-07-28, Streamable HTTP, Security & Endpoint)."""
    if origin.rstrip("/").lower() in settings.mcp_origins:
        return True
    try:
        return urlsplit(origin).hostname in LOOPBACK
    except ValueError:
        return False
