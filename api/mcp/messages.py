"""The messages in a body: JSON-RPC 2.0 requests and notifications, alone or as a batch. Pure: large bodies are parsed in another process.

Only what the methods use is kept of a message, and the arguments of a tool become the REST request that they stand for, so that no large
object passes from one process to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from api.mcp.faults import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, RpcFault
from api.mcp.tools import TOOLS
from api.mcp.tools.tool import RestCall
from spatial.contract import limits, validation
from spatial.contract.validation import MOST_TOKENS_WITH_POINTS
from spatial.counting import count_of
from spatial.errors import InvalidRequest, SpatialError

Id = str | int | None

MOST_CHARACTERS: Final = 4_096
"""Characters of a name, an address or a prompt's argument."""

MOST_ARGUMENTS: Final = 16
"""Arguments of a prompt."""

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"


@dataclass(frozen=True)
class Meta:
    """What a request of the modern era says of itself."""

    version: str | None
    has_capabilities: bool


@dataclass(frozen=True)
class Params:
    """What the methods use of `params`."""

    meta: Meta
    name: str | None = None
    """Of a tool or a prompt."""
    uri: str | None = None
    """Of a resource."""
    cursor: str | None = None
    version: str | None = None
    """That the client asks for in `initialize`."""
    arguments: dict[str, str] | None = None
    """Of a prompt."""
    rest: RestCall | SpatialError | None = None
    """Of a tools/call: what its arguments stand for, or what is wrong with them; None for a tool that needs no request."""


@dataclass(frozen=True)
class Call:
    """A request that expects an answer."""

    id: Id
    method: str
    params: Params


@dataclass(frozen=True)
class Refused:
    """A message that cannot be called."""

    id: Id
    fault: RpcFault


@dataclass(frozen=True)
class Notice:
    """A notification, or the response of a client: accepted, and not answered."""


Message = Call | Refused | Notice


@dataclass(frozen=True)
class Messages:
    """The messages of a body, in their order."""

    messages: list[Message]
    is_batch: bool


def parse(body: bytes) -> Messages:
    """The messages of a body. A body that is no message or batch is one Refused."""
    try:
        value = validation.json_value(body, MOST_TOKENS_WITH_POINTS)
    except InvalidRequest as error:
        is_too_large = "tokens_limit" in (error.details or {})
        return _whole(RpcFault(INVALID_REQUEST if is_too_large else PARSE_ERROR, error.message, status=400))
    if not isinstance(value, list):
        return Messages([_message(value)], is_batch=False)
    if not 1 <= len(value) <= limits.MCP_BATCH:
        count = count_of(len(value), "message")
        problem = f"a batch of {count} is not accepted; send 1 to {limits.MCP_BATCH}"
        return _whole(RpcFault(INVALID_REQUEST, problem, status=400))
    return Messages([_message(one) for one in value], is_batch=True)


def _whole(fault: RpcFault) -> Messages:
    return Messages([Refused(None, fault)], is_batch=False)


def _message(value: Any) -> Message:
    if not isinstance(value, dict):
        return _invalid(None, "a message is a JSON object; send one")
    if value.get("jsonrpc") == "2.0" and "method" not in value and ("result" in value or "error" in value):
        return Notice()
    call_id = value.get("id")
    if isinstance(call_id, bool) or not isinstance(call_id, str | int | None):
        return _invalid(None, "id is neither a string nor an integer; correct it")
    if value.get("jsonrpc") != "2.0":
        return _invalid(call_id, 'jsonrpc is not "2.0"; correct it')
    method = value.get("method")
    if not isinstance(method, str):
        return _invalid(call_id, "method is not a string; name one")
    params = value.get("params")
    if not isinstance(params, dict | list | None):
        return _invalid(call_id, "params is neither an object nor an array; correct it")
    if "id" not in value:
        return Notice()
    try:
        return Call(call_id, method[:MOST_CHARACTERS], _params(method, params))
    except RpcFault as fault:
        return Refused(call_id, fault)


def _invalid(call_id: Id, problem: str) -> Refused:
    return Refused(call_id, RpcFault(INVALID_REQUEST, problem, status=400))


def _params(method: str, params: Any) -> Params:
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise RpcFault(INVALID_PARAMS, "params is an array; name the parameters in an object")
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        raise RpcFault(INVALID_PARAMS, "params._meta is not an object; correct it")
    version = meta.get(VERSION)
    seen = Meta(version if isinstance(version, str) else None, isinstance(meta.get(CAPABILITIES), dict))
    if method == "tools/call":
        return _tool_params(seen, _text(params, "name"), params.get("arguments"))
    return Params(
        seen, _text(params, "name"), _text(params, "uri"), _text(params, "cursor"), _text(params, "protocolVersion"),
        _prompt_arguments(params) if method == "prompts/get" else None,
    )  # fmt: skip


def _text(params: dict[str, Any], name: str) -> str | None:
    value = params.get(name)
    if value is not None and not (isinstance(value, str) and len(value) <= MOST_CHARACTERS):
        raise RpcFault(
            INVALID_PARAMS, f"params.{name} is not a string of at most {MOST_CHARACTERS} characters; correct it"
        )
    return value


def _tool_params(meta: Meta, name: str | None, arguments: Any) -> Params:
    if name is None:
        raise RpcFault(INVALID_PARAMS, "params.name is missing; name a tool of tools/list")
    tool = TOOLS.get(name)
    if tool is None:
        raise RpcFault(INVALID_PARAMS, f"there is no tool {name[:80]!r}; use one of {', '.join(TOOLS)}")
    if not isinstance(arguments, dict | None):
        raise RpcFault(INVALID_PARAMS, "params.arguments is not an object; correct it")
    try:
        rest: RestCall | SpatialError | None = tool.prepare(dict(arguments or {}))
    except SpatialError as error:
        rest = error
    return Params(meta, name=name, rest=rest)


def _prompt_arguments(params: dict[str, Any]) -> dict[str, str]:
    arguments = params.get("arguments")
    if arguments is None:
        return {}
    is_right = isinstance(arguments, dict) and len(arguments) <= MOST_ARGUMENTS
    if not is_right or not all(isinstance(one, str) and len(one) <= MOST_CHARACTERS for one in arguments.values()):
        raise RpcFault(INVALID_PARAMS, "params.arguments is not an object of a few short strings; correct it")
    return dict(arguments)
