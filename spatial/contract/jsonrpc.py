"""JSON-RPC 2.0 messages of POST /api/mcp (spec: JSON-RPC)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, WithJsonSchema

from spatial.contract import examples
from spatial.contract.model import JsonObject, Model

Id = Annotated[str | int | None, WithJsonSchema({"type": ["string", "integer", "null"]})]
"""Correlates a response with its request; a bool or a fraction is not valid."""


class JsonRpcRequest(Model):
    """A call, or a notification if it has no id member."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.JSONRPC_REQUEST]})

    jsonrpc: Literal["2.0"]
    method: str
    id: Id = None
    params: JsonObject | None = None

    @property
    def is_notification(self) -> bool:
        """Whether the caller expects no answer; an explicit null id is a (discouraged, but answered) call."""
        return "id" not in self.model_fields_set


class JsonRpcError(Model):
    """The error of a failed call."""

    code: int
    message: str
    data: Any = None
    """Additional information; absent if there is none."""


class JsonRpcResponse(Model):
    """A response: `result` or `error`."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.JSONRPC_RESPONSE]})

    nullable: ClassVar[frozenset[str]] = frozenset({"id"})

    jsonrpc: Literal["2.0"] = "2.0"
    id: Id
    """Id of the request; null if it could not be read."""
    result: JsonObject | None = None
    error: JsonRpcError | None = None
