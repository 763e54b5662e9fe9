"""The body of every non-2xx reply (spec: Error)."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.model import JsonObject, Model


class Fault(Model):
    """One error, readable for a person and for a program."""

    message: str
    """What was wrong, with what, and what to do about it."""
    type: Annotated[str, Field(examples=["invalid_request_error", "parse_error", "payment_required"])]
    """Stable and machine-readable (spec: Errors)."""
    details: JsonObject | None = None
    """Free-form; for a 400 of a batch it names the invalid item, for a validation error the paths of the fields."""


class ErrorBody(Model):
    """The body of every error response."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.ERROR]})

    error: Fault
    request_id: str
    """Equals the reply's X-Request-ID header."""
