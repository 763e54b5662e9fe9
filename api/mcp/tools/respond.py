"""rowe_respond: POST /api/v1/responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

from pydantic_core import from_json

from api.mcp import shorten
from api.mcp.tools.schemas import schema_of
from api.mcp.tools.tool import (
    DETAIL_SCHEMA,
    KEY_SCHEMA,
    OMITTED_SCHEMA,
    RESULT_BYTES,
    RestCall,
    Tool,
    body_of,
    charge_line,
    result,
    take_options,
)
from spatial.contract.responses import ResponsesInput, ResponsesRequest, ResponsesResponse, SceneReference
from spatial.contract.routes import RESPONSES_ROUTE

WARNINGS: Final = 5
"""Warnings of an answer that its summary spells out."""

TASKS: Final = """\
understand: objects with bounds, parents and relations. describe: a paragraph, with the facts behind it. compare: what differs from \
the previous scene, or where a drawing and its model contradict each other. classify: part family. fit: does object_id go in or on \
secondary_id. stability: does it stand. placement: poses of object_id in or on secondary_id. embed: a vector of the shape. reconstruct: \
primitives and a mesh of points. predict: the next state. act: grasps. optimize: a better arrangement."""


def _scene(description: str) -> dict[str, Any]:
    """A scene: mostly named, because the document itself would pass through the conversation."""
    reference = {**schema_of(SceneReference, "validation"), "description": "A scene that the service has already."}
    document = {
        "type": "object",
        "required": ["schema", "source_format", "units", "statistics"],
        "description": "A cad.extraction.v1 document; its schema is the resource spatial://schemas/cad.extraction.v1",
    }
    return {"description": description, "anyOf": [reference, document]}


def _input() -> dict[str, Any]:
    request, content = schema_of(ResponsesRequest, "validation"), schema_of(ResponsesInput, "validation")
    members = content["properties"] | {
        "cad_scene": _scene('The scene; name an extraction by {"extraction_id": its request_id}.'),
        "previous_cad_scene": _scene("The earlier scene, for compare and predict."),
    }
    used = _definitions(members, content.get("$defs", {}))
    return {
        "type": "object",
        "properties": {
            "input": {"type": "object", "properties": members, "required": content["required"]},
            "model": request["properties"]["model"],
            "detail": DETAIL_SCHEMA,
            "idempotency_key": KEY_SCHEMA,
        },
        "required": ["input"],
        "additionalProperties": False,
        **({"$defs": used} if used else {}),
    }


def _definitions(schema: Any, known: dict[str, Any]) -> dict[str, Any]:
    """The definitions that a schema refers to, and those that they refer to."""
    used: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in used:
                used[name] = known[name]
                waiting.append(known[name])
    return dict(sorted(used.items()))


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _output() -> dict[str, Any]:
    schema = schema_of(ResponsesResponse, "serialization", terse=True)
    more = {"omitted": OMITTED_SCHEMA, "idempotency_key": {"type": "string"}}
    return {**schema, "properties": {**schema["properties"], **more}}


def prepare(arguments: dict[str, Any]) -> RestCall:
    """The reasoning request. A call without a name gets one, so that the rest of a long answer can be asked for without charge."""
    detail, key = take_options(arguments)
    return RestCall("POST", RESPONSES_ROUTE, body_of(arguments), key or f"mcp-{uuid4().hex}", detail)


def present(answer: bytes, call: RestCall | None) -> bytes:
    """The verdict in words, and the answer with long lists cut."""
    assert call is not None
    response = from_json(answer)
    shown, omitted = shorten.shorten(response, RESULT_BYTES[call.detail])
    lines = [line for item in response["output"] for line in _lines(item)]
    if response.get("usage"):
        lines.append(charge_line(response["usage"], call))
    if omitted:
        shown = {**shown, "omitted": omitted, "idempotency_key": call.idempotency_key}
        lines.append(
            "long lists are cut here; the same call with this idempotency_key and detail full returns them, and is not charged again"
        )
    return result("\n".join(lines), shown)


def _lines(item: dict[str, Any]) -> Iterator[str]:
    subject = f" of {item['object_id']}" if "object_id" in item else ""
    verdict = f": {item['verdict']}" if "verdict" in item else ""
    reason = f" ({item['reason']})" if "reason" in item else ""
    yield f"{item['type']}{subject}{verdict}{reason}"
    data = item.get("data", {})
    if isinstance(text := data.get("description"), str):
        yield text
    elif isinstance(scene := data.get("cad_scene"), dict):
        counts = (
            f"{len(scene[name])} {name}" for name in ("objects", "relations") if isinstance(scene.get(name), list)
        )
        yield f"{scene.get('kind', 'scene')}: {', '.join(counts)}"
    yield from (f"warning: {warning}" for warning in item.get("warnings", [])[:WARNINGS])


RESPOND: Final = Tool(
    name="rowe_respond",
    title="Reason about a scene",
    description=(
        "Answers one spatial task about a scene, with proof. The scene is an extraction (cad_scene, best with target_contract `both`), "
        f"a point cloud, or both. Tasks: {TASKS} A verdict may be `unknown`, with a reason. Charged by the size of request and answer."
    ),
    input_schema=_input(),
    output_schema=_output(),
    prepare=prepare,
    present=present,
    is_billed=True,
    annotations={"readOnlyHint": True, "openWorldHint": False},
)
