"""JSON-RPC 2.0 messages of POST /api/mcp (spec: JSON-RPC)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, WithJsonSchema

from spatial.contract import _examples
from spatial.contract._model import JsonObject, Model

Id = Annotated[str | int | None, WithJsonSchema({"type": ["string", "integer", "null"]})]
"""What ties a response to its request; a bool or a fraction is not one."""


class JsonRpcRequest(Model):
    """A call, or a notification when it has no id at all."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.JSONRPC_REQUEST]})

    jsonrpc: Literal["2.0"]
    method: str
    id: Id = None
    params: JsonObject | None = None

    @property
    def is_notification(self) -> bool:
        """Whether nobody waits for an answer; an explicit null id is a (bad, but answered) call."""
        return "id" not in self.model_fields_set


class JsonRpcError(Model):
    """Why a call failed."""

    code: int
    message: str
    data: Any = None
    """Anything that helps; absent when there is nothing to add."""


class JsonRpcResponse(Model):
    """An answer: `result` or `error`."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.JSONRPC_RESPONSE]})

    nullable: ClassVar[frozenset[str]] = frozenset({"id"})

    jsonrpc: Literal["2.0"] = "2.0"
    id: Id
    """The request's; null when that could not be read."""
    result: JsonObject | None = None
    error: JsonRpcError | None = None
