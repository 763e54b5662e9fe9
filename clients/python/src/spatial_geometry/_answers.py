"""Answers of the service as models, and refusals as exceptions."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from spatial_geometry import errors
from spatial_geometry._effects import Answer, NoAnswer
from spatial_geometry.error_types import ERROR_TYPES, Unavailable
from spatial_geometry.errors import SpatialError
from spatial_geometry.models import Fault, Model

M = TypeVar("M", bound=Model)

STATUS_CLASSES: Final[dict[int, type[SpatialError]]] = {
    **{kind.status: kind for kind in ERROR_TYPES if kind.status is not None},
    409: errors.Conflict,
    422: errors.Unprocessable,
    502: errors.GatewayError,
    503: Unavailable,
    504: errors.GatewayError,
}
"""Class of an error by its status, where its type is unknown."""


def parse(model: type[M], answer: Answer) -> M:
    """The body of an answer as a model. Raises: UnexpectedAnswer."""
    try:
        return model.model_validate_json(answer.content)
    except ValidationError as problem:
        found = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in found["loc"])
        raise errors.UnexpectedAnswer(
            f"the answer is no {model.__name__} ({place + ': ' if place else ''}{found['msg']}); check that base_url is the address of "
            "the service, or update this package",
            status=answer.status,
            request_id=answer.headers.get("x-request-id"),
        ) from None


def error_of(outcome: Answer | NoAnswer) -> SpatialError:
    """The exception for a request that did not succeed."""
    if isinstance(outcome, NoAnswer):
        reason = str(outcome.cause) or type(outcome.cause).__name__
        return errors.ConnectionFailed(
            f"no answer from the service: {reason}; check base_url and that the service is running"
        )
    body = _body(outcome.content)
    request_id = body.get("request_id") or outcome.headers.get("x-request-id")
    retry_after = _seconds(outcome.headers.get("retry-after"))
    fault = body.get("error")
    if not isinstance(fault, dict) or not isinstance(fault.get("message"), str):
        return _foreign(outcome, retry_after)
    return make_error(
        outcome.status,
        Fault.model_construct(
            message=fault["message"], type=str(fault.get("type", "unknown")), details=_details(fault)
        ),
        request_id=request_id if isinstance(request_id, str) else None,
        retry_after=retry_after,
    )


def make_error(
    status: int, fault: Fault, *, request_id: str | None = None, retry_after: float | None = None
) -> SpatialError:
    """The exception for an error of the service, or of one item of a batch."""
    return class_of(status, fault.type)(
        fault.message,
        status=status,
        type=fault.type,
        details=fault.details,
        request_id=request_id,
        retry_after=retry_after,
    )


def class_of(status: int, type: str) -> type[SpatialError]:
    """The class of a type; of a type that this version does not know that of the status."""
    kinds = [kind for kind in ERROR_TYPES if kind.type == type]
    exact = [kind for kind in kinds if kind.status == status]
    if len(exact or kinds) == 1:
        return (exact or kinds)[0]
    if status in STATUS_CLASSES:
        return STATUS_CLASSES[status]
    return errors.ServerError if status >= 500 else errors.RequestRefused if status >= 400 else errors.UnexpectedAnswer


def _foreign(answer: Answer, retry_after: float | None) -> SpatialError:
    """The error for an answer that is not the service's own: its body is not quoted, since it may repeat the request."""
    kind = class_of(answer.status, "")
    media = answer.headers.get("content-type", "").partition(";")[0] or "no content type"
    return kind(
        f"the answer is {answer.status} with {media} in place of a JSON error, so a proxy or another program gave it; check base_url and "
        "what stands before the service",
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
        retry_after=retry_after,
    )


def _body(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content)
    except ValueError:
        return {}  # `_foreign` reports it
    return body if isinstance(body, dict) else {}


def _details(fault: dict[str, Any]) -> dict[str, Any] | None:
    details = fault.get("details")
    return details if isinstance(details, dict) else None


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After in seconds: a number, or a date (RFC 9110 §10.2.3); None for anything else."""
    if retry_after is None:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds()) if date.tzinfo else None
