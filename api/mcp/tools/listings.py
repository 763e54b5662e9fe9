"""list_models and list_supported_formats, which need no key."""

from __future__ import annotations

import json
from typing import Any, Final

from api.mcp.tools.schemas import schema_of
from api.mcp.tools.tool import RestCall, Tool, result
from spatial.contract.formats import FAMILIES, FORMATS
from spatial.contract.models import ModelList
from spatial.errors import InvalidRequest

MODELS_ROUTE: Final = "/api/v1/models"

NO_ARGUMENTS: Final[dict[str, Any]] = {"type": "object", "additionalProperties": False}


def _require_none(arguments: dict[str, Any]) -> None:
    if arguments:
        path = min(arguments)[:80]
        raise InvalidRequest(f"{path}: the tool takes no arguments; remove it", details={"field": path})


def prepare_models(arguments: dict[str, Any]) -> RestCall:
    """GET /api/v1/models. Raises: InvalidRequest."""
    _require_none(arguments)
    return RestCall("GET", MODELS_ROUTE)


def present_models(answer: bytes, call: RestCall | None) -> bytes:
    """Each model with its tasks and prices, and whether it can answer now."""
    listed = json.loads(answer)
    lines = []
    for card in listed["data"]:
        tasks = ", ".join(card.get("io", {}).get("tasks", []))
        lines.append(f"{card['id']}: {tasks}" if tasks else str(card["id"]))
    state = "available" if listed["runtime_available"] else f"not available ({listed['runtime_status']})"
    return result("\n".join([*lines, f"the reasoning worker is {state}"]), listed)


def prepare_formats(arguments: dict[str, Any]) -> None:
    """No request. Raises: InvalidRequest."""
    _require_none(arguments)


def formats_table() -> dict[str, Any]:
    """The formats that are read, and what to send instead of others."""
    return {
        "formats": [
            {
                "name": row.name,
                "title": row.title,
                "extensions": list(row.extensions),
                "media_type": row.media_type,
                "kind": row.kind,
            }
            for row in FORMATS
        ],
        "not_read": [
            {"extensions": list(family.extensions), "reason": family.reason, "advice": family.advice}
            for family in FAMILIES
        ],
    }


def present_formats(answer: bytes, call: RestCall | None) -> bytes:
    """The table."""
    table = formats_table()
    lines = [f"{row['title']}: .{', .'.join(row['extensions'])}" for row in table["formats"]]
    return result("\n".join(lines), table)


_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}

MODELS: Final = Tool(
    name="list_models",
    title="List the models",
    description="The reasoning models with their tasks, inputs and prices, and whether one can take a request now. Free, without a key.",
    input_schema=NO_ARGUMENTS,
    output_schema=schema_of(ModelList, "serialization", terse=True),
    prepare=prepare_models,
    present=present_models,
    annotations={"readOnlyHint": True, "openWorldHint": False},
)

FORMATS_TOOL_OUTPUT: Final = {
    "type": "object",
    "properties": {
        "formats": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": _TEXT, "title": _TEXT, "extensions": _TEXTS, "media_type": _TEXT,
                    "kind": {**_TEXT, "description": "Value of structure.kind in its documents"},
                },
            },
        },
        "not_read": {
            "type": "array",
            "items": {"type": "object", "properties": {"extensions": _TEXTS, "reason": _TEXT, "advice": _TEXT}},
        },
    },
    "required": ["formats", "not_read"],
}  # fmt: skip

FORMATS_TOOL: Final = Tool(
    name="list_supported_formats",
    title="List the file formats",
    description="The file formats that are read, and what to send instead of others. Free, without a key.",
    input_schema=NO_ARGUMENTS,
    output_schema=FORMATS_TOOL_OUTPUT,
    prepare=prepare_formats,
    present=present_formats,
    annotations={"readOnlyHint": True, "openWorldHint": False},
)
