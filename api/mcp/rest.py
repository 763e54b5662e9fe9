"""Requests to the REST routes of this process, under the caller's own Authorization."""

from __future__ import annotations

from collections.abc import Sequence

import httpx
from starlette.types import ASGIApp

from api.gates import idempotency
from api.mcp.tools.tool import RestCall
from api.request_bodies import JSON


async def send(app: ASGIApp, call: RestCall, authorization: Sequence[str]) -> httpx.Response:
    """The answer of the route; never raises for a status. authorization: every value of the header that the caller sent."""
    headers = [("Authorization", value) for value in authorization]
    if call.body is not None:
        headers.append(("Content-Type", JSON))
    if call.idempotency_key is not None:
        headers.append((idempotency.HEADER, call.idempotency_key))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://service.internal", trust_env=False) as client:
        return await client.request(call.method, call.path, content=call.body, headers=headers)
