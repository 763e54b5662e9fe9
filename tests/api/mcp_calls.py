"""How the tests speak JSON-RPC with the house."""

from __future__ import annotations

import base64
from typing import Any

import httpx

from tests.api.house import NAME, STEP, House, headers

MCP = "/api/mcp"
FILE = {"file_name": NAME, "content_base64": base64.b64encode(STEP).decode()}

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
}


def message(method: str, params: Any = None, call_id: Any = 1) -> dict[str, Any]:
    """A request."""
    made = {"jsonrpc": "2.0", "id": call_id, "method": method}
    return made if params is None else {**made, "params": params}


def tool(name: str, call_id: Any = 1, **arguments: Any) -> dict[str, Any]:
    """A tools/call."""
    return message("tools/call", {"name": name, "arguments": arguments}, call_id)


async def post(house: House, body: Any, key: str | None = None, **more: str) -> httpx.Response:
    """POST a body; bytes go as they are."""
    said = headers(key) | more
    if isinstance(body, bytes):
        return await house.client.post(MCP, content=body, headers={"Content-Type": "application/json"} | said)
    return await house.client.post(MCP, json=body, headers=said)


async def result(house: House, body: Any, key: str | None = None, **more: str) -> dict[str, Any]:
    """The result of a request that succeeds."""
    answer = await post(house, body, key, **more)
    assert answer.status_code == 200, answer.text
    read = answer.json()
    assert set(read) == {"jsonrpc", "id", "result"} and read["id"] == body["id"], read
    return dict(read["result"])


async def error(house: House, body: Any, status: int, code: int, key: str | None = None, **more: str) -> dict[str, Any]:
    """The error of a request that fails with this status and code."""
    answer = await post(house, body, key, **more)
    read = answer.json()
    assert (answer.status_code, read["error"]["code"]) == (status, code), answer.text
    assert set(read) == {"jsonrpc", "id", "error"} and read["error"]["message"]
    assert answer.headers["x-request-id"].startswith("req_")
    return dict(read)


def modern(method: str, params: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """A request of revision 2026-07-28, and its headers."""
    sent = {**(params or {}), "_meta": META}
    named = sent.get("name") or sent.get("uri")
    mirrored = {"MCP-Protocol-Version": VERSION, "Mcp-Method": method}
    return message(method, sent), mirrored | ({"Mcp-Name": named} if named is not None else {})
