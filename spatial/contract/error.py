"""The body of every non-2xx reply (spec: Error)."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from spatial.contract import _examples
from spatial.contract._model import JsonObject, Model


class Fault(Model):
    """What went wrong, for a person and for a program."""

    message: str
    """What was wrong, with what, and what to do about it."""
    type: Annotated[str, Field(examples=["invalid_request_error", "parse_error", "payment_required"])]
    """Stable and machine-readable (spec: Errors)."""
    details: JsonObject | None = None
    """Free-form; of a batch 400 it names the offending item, of a validation error the fields' paths."""


class ErrorBody(Model):
    """Every error body has this shape."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.ERROR]})

    error: Fault
    request_id: str
    """Equals the reply's X-Request-ID header."""
