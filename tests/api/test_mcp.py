"""The MCP endpoint in raw JSON-RPC: methods, tools, errors and statuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from api.mcp.tools import TOOLS
from spatial.contract import limits
from spatial.errors import ConverterUnavailable, InvalidRequest
from tests.api.house import NAME, House, headers
from tests.api.mcp_calls import FILE, MCP, error, message, post, result, tool
from tests.api.reasoning_house import SCENE, small_solvers

TOOL_NAMES = ["extract_cad", "extract_cad_from_url", "rowe_respond", "list_models", "list_supported_formats"]
BILLED: list[dict[str, Any]] = [
    {"name": "extract_cad", "arguments": FILE},
    {"name": "extract_cad_from_url", "arguments": {"content_url": "https://files.example.com/a.step"}},
    {"name": "rowe_respond", "arguments": {"input": {"task_type": "classify", "point_cloud_scene": SCENE}}},
]


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


@pytest.mark.requirement("mcp.methods", "mcp.legacy", "auth.mcp-optional", "version.paths")
async def test_the_methods_need_no_key(house: House) -> None:
    begun = await result(house, message("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}}))
    assert begun["protocolVersion"] == "2025-06-18" and begun["serverInfo"]["name"] == "spatial-geometry-service"
    assert set(begun["capabilities"]) == {"tools", "prompts", "resources"} and "request_id" in begun["instructions"]
    assert (await result(house, message("initialize", {"protocolVersion": "1900-01-01"})))[
        "protocolVersion"
    ] == "2025-11-25"
    assert await result(house, message("ping")) == {}
    for method, member in (("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")):
        assert (await result(house, message(method)))[member]
    assert (await result(house, message("resources/templates/list")))["resourceTemplates"]


@pytest.mark.requirement("mcp.tools", "mcp.extract-cad-arguments", "service.mcp-same-operations", "mcp.terse")
async def test_the_tools_are_described_with_valid_schemas(house: House) -> None:
    tools = (await result(house, message("tools/list")))["tools"]
    assert [one["name"] for one in tools] == TOOL_NAMES
    for one in tools:
        jsonschema.Draft202012Validator.check_schema(one["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(one["outputSchema"])
        assert one["inputSchema"]["type"] == "object" and one["description"] and one["title"]
        assert len(json.dumps(one["inputSchema"])) < 6_000, (
            "a model reads the input schema of every tool, in every conversation"
        )
    assert {"file_name", "content_base64", "target_contract"} <= set(tools[0]["inputSchema"]["properties"])
    jsonschema.validate(FILE | {"target_contract": "both"}, tools[0]["inputSchema"])


@pytest.mark.requirement("mcp.forwards", "mcp.schemas", "service.mcp-same-operations")
async def test_an_extraction_is_the_routes_own_answer_and_charged_like_it(house: House, key: str) -> None:
    found = await result(house, tool("extract_cad", **FILE, target_contract="both"), key)
    document = found["structuredContent"]
    jsonschema.validate(document, TOOLS["extract_cad"].output_schema)
    assert (document["schema"], document["file_name"], document["target_contract"]) == (
        "cad.extraction.v1",
        NAME,
        "both",
    )
    summary, link, written = found["content"]
    assert summary["text"].startswith("bracket.step: STEP, units millimeter") and found["isError"] is False
    assert link["type"] == "resource_link" and link["uri"] == f"spatial://extractions/{document['request_id']}"
    assert json.loads(written["text"]) == document
    [row] = await house.usage(key)
    assert (row.request_id, row.route) == (document["request_id"], "/api/v1/cad/extract")
    assert row.output_tokens == document["usage"]["output_tokens"]


@pytest.mark.requirement("mcp.forwards")
async def test_the_address_gives_the_files_name(house: House, key: str) -> None:
    found = await result(
        house, tool("extract_cad_from_url", content_url="https://files.example.com/a/My%20part.step?x=1"), key
    )
    assert found["structuredContent"]["file_name"] == "My part.step"
    assert house.dispatch.jobs[-1].content_url == "https://files.example.com/a/My%20part.step?x=1"
    refused = await result(house, tool("extract_cad_from_url", content_url="https://[::1/part.step"), key)
    assert refused["isError"] is True and refused["structuredContent"]["error"]["type"] == "invalid_request_error"


@pytest.mark.requirement("mcp.forwards", "mcp.schemas", "extractions.scene")
async def test_reasoning_takes_an_extraction_by_its_id(house: House, key: str) -> None:
    extracted = (await result(house, tool("extract_cad", **FILE), key))["structuredContent"]
    reference = {"cad_scene": {"extraction_id": extracted["request_id"]}}
    asked = {"task_type": "understand", **reference, "point_cloud_scene": SCENE, "object_id": "box"}
    found = await result(house, tool("rowe_respond", input=asked), key)
    jsonschema.validate(found["structuredContent"], TOOLS["rowe_respond"].output_schema)
    usage = found["structuredContent"]["usage"]
    assert found["content"][0]["text"].splitlines() == [
        "understand of box",
        f"charged: {usage['input_tokens']} input and {usage['output_tokens']} output tokens",
    ]
    [(_, content, _)] = house.dispatch.asked
    assert content.cad_scene is not None and content.cad_scene.request_id == extracted["request_id"]
    other = await result(house, tool("rowe_respond", input=asked), await house.key())
    assert other["isError"] is True and "extraction_id" in other["content"][0]["text"]


@pytest.mark.requirement("mcp.tools", "mcp.schemas")
@pytest.mark.parametrize("name", ["list_models", "list_supported_formats"])
async def test_the_lists_are_free(house: House, name: str) -> None:
    found = await result(house, tool(name))
    jsonschema.validate(found["structuredContent"], TOOLS[name].output_schema)
    assert found["content"][0]["text"] and found["isError"] is False
    refused = await result(house, tool(name, unknown=1))
    assert refused["isError"] is True and "unknown" in refused["content"][0]["text"]


@pytest.mark.requirement("mcp.401", "auth.mcp-optional", "mcp.forwards")
@pytest.mark.parametrize("params", BILLED, ids=lambda params: str(params["name"]))
async def test_a_billed_tool_needs_a_key(house: House, params: dict[str, Any]) -> None:
    for key in (None, "sk_unknown"):
        answer = await post(house, message("tools/call", params, "mine"), key)
        read = answer.json()
        assert answer.status_code == 401 and answer.headers["www-authenticate"].startswith("Bearer")
        assert set(read) == {"jsonrpc", "id", "error"} and (read["jsonrpc"], read["id"]) == ("2.0", "mine")
        assert read["error"]["data"]["error"]["type"] == "authentication_error"


@pytest.mark.requirement("mcp.rest-refusal", "mcp.forwards")
async def test_what_the_route_refuses_is_a_result_with_the_error(house: House, key: str) -> None:
    unpaid = await house.key(subscription=None)
    for arguments, secret, kind in (
        (FILE | {"file_name": "a.dwg"}, key, "unsupported_file_type"),
        (FILE | {"content_base64": "%"}, key, "invalid_request_error"),
        (FILE | {"unknown": 1}, key, "invalid_request_error"),
        (FILE | {"detail": "all"}, key, "invalid_request_error"),
        (FILE, unpaid, "payment_required"),
    ):
        found = await result(house, tool("extract_cad", **arguments), secret)
        assert found["isError"] is True and found["structuredContent"]["error"]["type"] == kind
        assert found["content"][0]["text"].startswith(kind)
        assert json.loads(found["content"][1]["text"]) == found["structuredContent"]
    house.dispatch.failure = ConverterUnavailable("the converter is away; try again", retry_after=7)
    found = await result(house, tool("extract_cad", **FILE), key)
    assert found["isError"] is True and found["content"][0]["text"].endswith("try again in 7 s")


@pytest.mark.requirement("mcp.idempotency", "mcp.forwards")
async def test_a_named_call_is_charged_once(house: House, key: str) -> None:
    first = await result(house, tool("extract_cad", **FILE, idempotency_key="order-1"), key)
    again = await result(house, tool("extract_cad", **FILE, idempotency_key="order-1", detail="full"), key)
    assert again["structuredContent"] == first["structuredContent"] and len(await house.usage(key)) == 1
    assert "\ncharged: " in first["content"][0]["text"] and "replayed: " not in first["content"][0]["text"]
    assert "\nreplayed: " in again["content"][0]["text"] and "nothing is charged again" in again["content"][0]["text"]
    other = await result(house, tool("extract_cad", **{**FILE, "file_name": "b.step"}, idempotency_key="order-1"), key)
    assert other["structuredContent"]["error"]["type"] == "idempotency_conflict"
    wrong = await result(house, tool("extract_cad", **FILE, idempotency_key="a b"), key)
    assert wrong["structuredContent"]["error"]["type"] == "invalid_request_error"


@pytest.mark.requirement("mcp.202", "mcp.request-id", "jsonrpc.notification")
async def test_a_notification_is_accepted_without_a_body(house: House, key: str) -> None:
    call = tool("extract_cad", **FILE)
    del call["id"]
    response = {"jsonrpc": "2.0", "id": 1, "result": {}}
    for body in ({"jsonrpc": "2.0", "method": "notifications/initialized"}, [call, response], call, response):
        answer = await post(house, body, key)
        assert (answer.status_code, answer.content) == (202, b"")
        assert answer.headers["x-request-id"].startswith("req_")
    assert house.dispatch.jobs == [], "a tool was run although nobody waits for its result"


@pytest.mark.requirement("mcp.codes", "mcp.protocol-errors")
async def test_protocol_errors_have_the_codes_of_json_rpc(house: House, key: str) -> None:
    for broken in (b"{", b"", b"\xff", b"NaN"):
        assert (await error(house, broken, 400, -32700))["id"] is None
    for body in (
        5,
        "x",
        None,
        {},
        {"jsonrpc": "1.0", "method": "ping", "id": 1},
        {"jsonrpc": "2.0", "method": 3, "id": 1},
    ):
        await error(house, json.dumps(body).encode(), 400, -32600)
    assert (await error(house, {"jsonrpc": "2.0", "id": 7}, 400, -32600))["id"] == 7
    unusable: tuple[Any, ...] = (True, 1.5, [], {})
    for wrong in unusable:
        assert (await error(house, message("ping", call_id=wrong), 400, -32600))["id"] is None
    await error(house, message("ping", 5), 400, -32600)
    assert (await error(house, message("nothing"), 200, -32601))["id"] == 1
    for method, params in (
        ("ping", []), ("tools/call", {}), ("tools/call", {"name": "nothing"}), ("tools/call", {"name": "extract_cad", "arguments": []}),
        ("tools/call", {"name": 5}), ("prompts/get", {"name": "nothing"}), ("resources/read", {}), ("resources/read", {"uri": "file:///etc"}),
        ("tools/list", {"cursor": "x"}), ("resources/list", {"cursor": "x"}), ("ping", {"_meta": 5}),
    ):  # fmt: skip
        await error(house, message(method, params), 200, -32602, key)


@pytest.mark.requirement("mcp.codes")
async def test_a_failure_of_ours_is_an_internal_error_without_internals(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("the inside of the service")

    monkeypatch.setattr("api.stored_extractions.list_stored", fail)
    read = await error(house, message("resources/list"), 200, -32603, key)
    assert "inside" not in json.dumps(read)


@pytest.mark.requirement("mcp.detail")
async def test_an_answer_that_cannot_be_shortened_is_not_lost(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: Any) -> None:
        raise InvalidRequest("the body takes too long; send a smaller one")

    monkeypatch.setattr("api.mcp.presenting.present", give_up)
    found = await result(house, tool("extract_cad", **FILE), key)
    [row] = await house.usage(key)
    assert found["isError"] is True and row.request_id in found["content"][0]["text"]


@pytest.mark.requirement("jsonrpc.response", "jsonrpc.notification")
async def test_every_kind_of_id_comes_back(house: House) -> None:
    for call_id in (0, -5, 2**60, "", "ö", None):
        answer = await post(house, message("ping", call_id=call_id))
        assert answer.json() == {"jsonrpc": "2.0", "id": call_id, "result": {}}


@pytest.mark.requirement("mcp.batch", "mcp.401-in-batch")
async def test_a_batch_is_answered_in_its_order(house: House, key: str) -> None:
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    body = [message("ping", call_id="a"), notice, tool("extract_cad", "b", **FILE), 5, message("nothing", call_id="c")]
    answer = await post(house, body)
    replies = answer.json()
    assert answer.status_code == 200 and [reply["id"] for reply in replies] == ["a", "b", None, "c"]
    assert replies[0]["result"] == {}
    assert [reply["error"]["code"] for reply in replies[1:]] == [401, -32600, -32601]
    paid = (await post(house, body, key)).json()
    assert paid[1]["result"]["structuredContent"]["file_name"] == NAME
    only = await post(house, [tool("extract_cad", number, **FILE) for number in (1, 2)])
    assert only.status_code == 401 and [reply["id"] for reply in only.json()] == [1, 2]
    assert only.headers["www-authenticate"]


@pytest.mark.requirement("mcp.batch", "mcp.codes")
async def test_an_empty_or_endless_batch_is_refused(house: House) -> None:
    for count in (0, limits.MCP_BATCH + 1):
        await error(house, [message("ping", call_id=number) for number in range(count)], 400, -32600)
    answer = await post(house, [message("ping", call_id=number) for number in range(limits.MCP_BATCH)])
    assert len(answer.json()) == limits.MCP_BATCH


@pytest.mark.requirement("mcp.codes", "mcp.body-limit")
async def test_hostile_bodies_are_refused(house: House, key: str) -> None:
    await error(house, b"[" * 1_000_000, 400, -32700)
    await error(house, b'{"a":' * 100_000 + b"1" + b"}" * 100_000, 400, -32700)
    await error(house, b"[" + b"1," * 3_145_000 + b"1]", 400, -32600)


@pytest.mark.requirement("mcp.body-limit")
async def test_bodies_up_to_the_limit_are_read(house: House, key: str) -> None:
    inside = (limits.REQUEST_BODY_BYTES - 400) // 4 * 4
    found = await result(house, tool("extract_cad", file_name=NAME, content_base64="QUJD" * (inside // 4)), key)
    assert found["structuredContent"]["file_name"] == NAME
    over = await post(house, tool("extract_cad", file_name=NAME, content_base64="A" * limits.REQUEST_BODY_BYTES), key)
    assert over.status_code == 413


@pytest.mark.requirement("mcp.codes")
@pytest.mark.parametrize(
    "said", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"]
)
async def test_another_media_type_is_refused(house: House, said: str) -> None:
    await error(house, b"{}", 400, -32600, **{"Content-Type": said})


@pytest.mark.requirement("mcp.origin")
async def test_pages_of_foreign_origins_are_refused_and_any_host_is_served(house: House) -> None:
    for origin in ("https://evil.example", "null", "http://localhost.evil.example", "http://["):
        await error(house, message("ping"), 403, -32600, Origin=origin)
    for more in ({"Origin": "http://localhost:6274"}, {"Origin": "http://[::1]:5"}, {"Host": "cad.example.com"}):
        assert await result(house, message("ping"), **more) == {}


@pytest.mark.requirement("mcp.origin")
async def test_a_browser_lets_pages_of_allowed_origins_read_the_answer_and_no_others(house: House, key: str) -> None:
    origin = "http://localhost:6274"
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    allowed = await house.client.options(MCP, headers={"Origin": origin, **asked})
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == origin
    assert {"authorization", "content-type"} <= set(allowed.headers["access-control-allow-headers"].lower().split(", "))
    answer = await house.client.post(MCP, json=message("ping"), headers={**headers(key), "Origin": origin})
    assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == origin
    for refused in ({"Origin": "https://evil.example", **asked}, asked):
        answer = await house.client.options(MCP, headers=refused)
        assert answer.status_code == 403 and "access-control-allow-origin" not in answer.headers


@pytest.mark.requirement("mcp.forwards")
async def test_a_file_that_is_not_there_is_named_by_the_tools_own_arguments(house: House, key: str) -> None:
    without = await result(house, tool("extract_cad", file_name="a.step"), key)
    assert "content_base64: and upload_id are absent; send one of them" in without["content"][0]["text"]
    nameless = await result(house, tool("extract_cad_from_url", content_url="https://files.example.com/"), key)
    assert "file_name: is not given, and the address ends in no file name" in nameless["content"][0]["text"]


@pytest.mark.requirement("mcp.methods")
async def test_other_http_methods_are_405(house: House) -> None:
    for method in ("GET", "DELETE"):
        answer = await house.client.request(method, MCP, headers=headers(None))
        assert answer.status_code == 405 and answer.headers["allow"] == "POST"


@pytest.mark.requirement("mcp.prompts")
async def test_prompts_are_filled_in(house: House) -> None:
    listed = (await result(house, message("prompts/list")))["prompts"]
    assert [one["name"] for one in listed] == [
        "review_drawing",
        "compare_revisions",
        "cut_list",
        "check_drawing_against_model",
    ]
    for one in listed:
        arguments = {argument["name"]: f"<{argument['name']}>" for argument in one["arguments"]}
        found = await result(house, message("prompts/get", {"name": one["name"], "arguments": arguments}))
        [said] = found["messages"]
        assert said["role"] == "user" and all(value in said["content"]["text"] for value in arguments.values())
    refused: tuple[dict[str, Any], ...] = ({}, {"file": ""}, {"file": "a", "other": "b"}, {"file": 5})
    for wrong in refused:
        await error(house, message("prompts/get", {"name": "cut_list", "arguments": wrong}), 200, -32602)
