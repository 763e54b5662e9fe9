"""Revision 2026-07-28: metadata in every request, mirrored in headers, and its members in every result."""

from __future__ import annotations

import base64

import pytest

from tests.api.house import House
from tests.api.mcp_calls import FILE, META, VERSION, error, message, modern, post, result

HEADER = "MCP-Protocol-Version"


@pytest.mark.requirement("mcp.modern")
async def test_results_carry_the_members_of_the_revision(house: House, key: str) -> None:
    for method, params, cached in (
        ("server/discover", None, "public"),
        ("tools/list", None, "public"),
        ("prompts/list", None, "public"),
        ("resources/list", None, "private"),
        ("resources/templates/list", None, "public"),
        ("resources/read", {"uri": "spatial://errors"}, "public"),
        ("resources/read", {"uri": "spatial://extractions"}, "private"),
        ("tools/call", {"name": "extract_cad", "arguments": FILE}, None),
        ("ping", None, None),
    ):
        body, said = modern(method, params)
        found = await result(house, body, key, **said)
        assert found["resultType"] == "complete", method
        assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "spatial-geometry-service"
        assert found.get("cacheScope") == cached and (found.get("ttlMs", -1) >= 0) == (cached is not None)
    body, said = modern("server/discover")
    found = await result(house, body, **said)
    assert found["supportedVersions"][0] == VERSION and "2025-11-25" in found["supportedVersions"]
    legacy = await result(house, message("tools/list"), **{HEADER: "2025-06-18"})
    assert set(legacy) == {"tools"}


@pytest.mark.requirement("mcp.modern")
async def test_headers_must_say_what_the_body_says(house: House) -> None:
    body, said = modern("prompts/get", {"name": "cut_list", "arguments": {"file": "a"}})
    for name, wrong in (
        (HEADER, "2025-11-25"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "other"),
        ("Mcp-Name", "=?base64?%?="),
    ):
        await error(house, body, 400, -32020, **{**said, name: wrong})
        await error(house, body, 400, -32020, **{other: value for other, value in said.items() if other != name})
    encoded = f"=?base64?{base64.b64encode(b'cut_list').decode()}?="
    assert await result(house, body, **{**said, "Mcp-Name": encoded})


@pytest.mark.requirement("mcp.modern")
async def test_a_request_without_its_metadata_or_of_another_revision_is_refused(house: House) -> None:
    await error(house, message("tools/list"), 400, -32602, **{HEADER: VERSION})
    bare = {"io.modelcontextprotocol/protocolVersion": VERSION}
    await error(
        house, message("tools/list", {"_meta": bare}), 400, -32602, **{HEADER: VERSION, "Mcp-Method": "tools/list"}
    )
    for version in ("1900-01-01", "2027-01-01"):
        meta = META | {"io.modelcontextprotocol/protocolVersion": version}
        read = await error(
            house, message("tools/list", {"_meta": meta}), 400, -32022, **{HEADER: version, "Mcp-Method": "tools/list"}
        )
        assert VERSION in read["error"]["data"]["supported"] and read["error"]["data"]["requested"] == version
    read = await error(house, message("tools/list"), 400, -32022, **{HEADER: "1900-01-01"})
    assert "2025-11-25" in read["error"]["data"]["supported"]


@pytest.mark.requirement("mcp.modern", "mcp.codes")
async def test_an_unknown_method_is_404_in_the_modern_era(house: House) -> None:
    body, said = modern("nothing")
    await error(house, body, 404, -32601, **said)


@pytest.mark.requirement("mcp.modern", "mcp.batch")
async def test_a_batch_is_not_mirrored_in_headers(house: House) -> None:
    body, said = modern("tools/list")
    answer = await post(house, [body, message("ping", call_id=2)], **{HEADER: said[HEADER]})
    first, second = answer.json()
    assert first["result"]["resultType"] == "complete" and second["error"]["code"] == -32602
