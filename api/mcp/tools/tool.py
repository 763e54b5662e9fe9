"""A tool: what an agent is told of it, the REST request behind its arguments, and how the answer is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from pydantic_core import to_json

from spatial.contract import idempotency, limits
from spatial.contract.validation import invalid_field

Detail = Literal["compact", "standard", "full"]
DETAILS: Final[tuple[Detail, ...]] = get_args(Detail)

RESULT_BYTES: Final[dict[Detail, int]] = {"compact": 4_000, "standard": 16_000, "full": 1_000_000}
"""JSON that a result holds at most; of longer lists the first items are shown. 16,000 bytes are about 5,000 tokens of a model."""

DETAIL_SCHEMA: Final = {
    "type": "string",
    "enum": list(DETAILS),
    "default": "standard",
    "description": (
        "How much comes back at once. Long lists are cut, each cut is listed in `omitted`, and the rest is read from the linked resource. "
        "`full` returns up to a million bytes."
    ),
}
KEY_SCHEMA: Final = {
    **idempotency.KEY_SCHEMA,
    "description": "Name of this call: the same call with the same name within 24 hours gets the same answer and is charged once.",
}
OMITTED_SCHEMA: Final = {
    "type": "array",
    "description": "Lists that are cut here.",
    "items": {
        "type": "object",
        "properties": {
            "member": {"type": "string", "description": "Path of the list."},
            "total": {"type": "integer"},
            "shown": {"type": "integer"},
            "uri": {"type": "string", "description": "Resource with the items that are not shown."},
        },
        "required": ["member", "total", "shown"],
    },
}


@dataclass(frozen=True)
class RestCall:
    """A request to a route of this service."""

    method: str
    path: str
    body: bytes | None = None
    idempotency_key: str | None = None
    detail: Detail = "standard"
    is_replay: bool = False
    """Whether its answer is that of an earlier request under the same key."""


@dataclass(frozen=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    prepare: Callable[[dict[str, Any]], RestCall | None]
    """The request behind the arguments; None for a tool that needs none. Pure. Raises: SpatialError for arguments that cannot be sent."""
    present: Callable[[bytes, RestCall | None], bytes]
    """The result (CallToolResult) as JSON, from the body of a 2xx answer. Pure; called apart from the event loop."""
    is_billed: bool = False
    annotations: dict[str, Any] = field(default_factory=dict)

    def described(self) -> dict[str, Any]:
        """The row of tools/list."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "outputSchema": self.output_schema,
            "annotations": {"title": self.title, **self.annotations},
        }


def take_options(arguments: dict[str, Any]) -> tuple[Detail, str | None]:
    """Remove `detail` and `idempotency_key` from the arguments. Raises: InvalidRequest."""
    detail = arguments.pop("detail", "standard")
    if detail not in DETAILS:
        raise invalid_field("detail", f"is unknown; use one of {', '.join(DETAILS)}")
    key = arguments.pop("idempotency_key", None)
    if key is not None and not (isinstance(key, str) and idempotency.KEY.fullmatch(key)):
        most = limits.IDEMPOTENCY_KEY_CHARACTERS
        raise invalid_field("idempotency_key", f"has another form; use 1 to {most} visible ASCII characters")
    return detail, key


def body_of(arguments: dict[str, Any]) -> bytes:
    """The arguments as the body of a REST request."""
    return json.dumps(arguments, separators=(",", ":")).encode()


def charge_line(usage: dict[str, Any], call: RestCall) -> str:
    """What a summary says of the charge."""
    amount = f"{usage['input_tokens']:,} input and {usage['output_tokens']:,} output tokens"
    if call.is_replay:
        return f"replayed: the answer of an earlier call with this idempotency_key; nothing is charged again (it was {amount})"
    return f"charged: {amount}"


def result(summary: str, structured: Any, *links: dict[str, Any], with_json: bool = True) -> bytes:
    """A tool's result: a summary to read, links, and the structured content, also as text for clients that show text alone."""
    text = to_json(structured).decode()
    content = [
        {"type": "text", "text": summary},
        *links,
        *([{"type": "text", "text": text}] if with_json else []),
    ]
    return b'{"content":%s,"structuredContent":%s,"isError":false}' % (to_json(content), text.encode())
