"""The official MCP client against the whole stack over HTTP, in both eras."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.client import ConnectMode
from mcp.client.streamable_http import streamable_http_client

from tests.support.stack import SAMPLE, RunningStack

ERAS: tuple[ConnectMode, ...] = ("legacy", "auto", "2026-07-28")


@asynccontextmanager
async def connected(stack: RunningStack, mode: ConnectMode, *, with_key: bool = True) -> AsyncIterator[Client]:
    """A client of an era."""
    headers = {"Authorization": f"Bearer {stack.key}"} if with_key else {}
    async with httpx2.AsyncClient(headers=headers, timeout=120, trust_env=False) as http:
        transport = streamable_http_client(f"{stack.url}/api/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


def text_of(result: Any) -> str:
    """The first text of a result."""
    [first, *_] = result.content
    assert isinstance(first, types.TextContent)
    return first.text


@pytest.mark.requirement("mcp.client", "mcp.legacy", "mcp.modern", "mcp.schemas")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_extracts_reads_and_reasons(stack: RunningStack, mode: ConnectMode) -> None:
    file = {"file_name": SAMPLE.name, "content_base64": base64.b64encode(SAMPLE.read_bytes()).decode()}
    async with connected(stack, mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools][:3] == ["extract_cad", "extract_cad_from_url", "rowe_respond"]
        extracted = await client.call_tool("extract_cad", {**file, "detail": "compact"})
        assert not extracted.is_error and text_of(extracted).startswith("bracket.step: STEP"), extracted
        document = extracted.structured_content
        uri = f"spatial://extractions/{document['request_id']}"
        [link] = [one for one in extracted.content if isinstance(one, types.ResourceLink)]
        assert str(link.uri) == uri and len(json.dumps(document)) < 6_000
        assert {row["member"] for row in document["omitted"]} >= {"structure.solids.0.faces"}
        faces: list[Any] = []
        following: str | None = f"{uri}/structure.solids.0.faces"
        while following is not None:
            [content] = (await client.read_resource(following)).contents
            assert isinstance(content, types.TextResourceContents)
            page = json.loads(content.text)
            faces += page["items"]
            following = page.get("next")
        assert len(faces) == page["total"] and len({face["id"] for face in faces}) == len(faces)
        asked = {"task_type": "describe", "cad_scene": {"extraction_id": document["request_id"]}}
        described = await client.call_tool("rowe_respond", {"input": asked})
        assert not described.is_error and "volume" in text_of(described), described
        assert uri in [str(one.uri) for one in (await client.list_resources()).resources]
        prompt = await client.get_prompt("review_drawing", {"file": document["request_id"]})
        said = prompt.messages[0].content
        assert isinstance(said, types.TextContent) and document["request_id"] in said.text


@pytest.mark.requirement("mcp.client", "mcp.401", "mcp.rest-refusal")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_official_client_sees_what_is_refused(stack: RunningStack, mode: ConnectMode) -> None:
    async with connected(stack, mode) as client:
        refused = await client.call_tool("extract_cad", {"file_name": "part.sldprt", "content_base64": "QUJD"})
        assert refused.is_error and text_of(refused).startswith("unsupported_file_type")
        with pytest.raises(MCPError, match="there is no tool"):
            await client.call_tool("nothing", {})
    async with connected(stack, mode, with_key=False) as client:
        assert not (await client.call_tool("list_supported_formats", {})).is_error
        with pytest.raises((MCPError, httpx2.HTTPStatusError)):
            await client.call_tool("extract_cad", {"file_name": "part.step", "content_base64": "QUJD"})
