"""Error responses: the status, headers and body of a SpatialError, and their description in OpenAPI.

This module builds every error response of the API: for errors of gates, routes and the framework, and for unhandled exceptions.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from spatial import errors
from spatial.contract.error import ErrorBody, Fault
from spatial.contract.field_errors import sentence
from spatial.errors import SpatialError

NOT_BASE64: Final = "is not standard base64: its length is not a multiple of 4; add the padding with ="

SAMPLES: Final[dict[type[SpatialError], tuple[str, dict[str, Any] | None]]] = {
    errors.InvalidRequest: (
        f"content_base64: {NOT_BASE64}",
        {"field": "content_base64", "errors": [{"path": "content_base64", "message": NOT_BASE64}]},
    ),
    errors.AuthenticationFailed: ("the API key is unknown or revoked; send Authorization: Bearer <API_KEY>", None),
    errors.PaymentRequired: ("the account has no active or trialing subscription", {"subscription": "canceled"}),
    errors.NotFound: ("there is nothing at /api/v1/nothing", None),
    errors.MethodNotAllowed: ("GET is not a method of /api/v1/cad/extract", {"allow": ["POST"]}),
    errors.IdempotencyConflict: ("this Idempotency-Key was used with a different payload", None),
    errors.IdempotencyInProgress: ("the first request with this Idempotency-Key is still running", None),
    errors.Cancelled: ("the batch was cancelled before this item ended", None),
    errors.RequestTooLarge: ("the request body is larger than 6291456 bytes", {"limit_bytes": 6_291_456}),
    errors.UnsupportedFileType: (
        "part.sldprt: SolidWorks part files (.sldprt) are proprietary native CAD; export STEP and send that",
        {"file_name": "part.sldprt"},
    ),
    errors.InputRejected: ("stability needs an image or a point cloud, and the request has neither", None),
    errors.ParseError: ("part.step: not a STEP file: the content starts like a PDF", {"phase": "read"}),
    errors.ConversionTimeout: (
        "part.step took longer than 60 s and was ended while reading",
        {"phase": "read", "seconds": 60},
    ),
    errors.RateLimitExceeded: ("too many requests for this key; try again later", None),
    errors.InternalError: ("the server failed; the failure is logged under the request id", None),
    errors.BillingUnavailable: ("keys and subscriptions cannot be read now; try again in a few seconds", None),
    errors.UsageFinalizationUnavailable: ("the usage record cannot be written now; nothing is billed", None),
    errors.ConverterUnavailable: ("the extraction converter is down; try again in a few seconds", None),
    errors.DesktopInferenceUnavailable: ("no desktop worker is available; try again later", None),
}
"""One row per error: the message and details that OpenAPI shows as its example."""

BY_STATUS: Final[dict[int, type[SpatialError]]] = {
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    413: errors.RequestTooLarge,
    500: errors.InternalError,
}
"""Translation of the framework's own errors; any other 4xx is an InvalidRequest, any other 5xx an InternalError."""


METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""Methods that a route may have; a route with GET also has HEAD."""

PATH_CHARACTERS: Final = 200
"""Maximum number of characters of a path in an error message."""


def body(error: SpatialError, request_id: str) -> bytes:
    """The Error body as JSON (spec: Error)."""
    fault = Fault(message=error.message, type=error.type, details=error.details)
    document = ErrorBody(error=fault, request_id=request_id).model_dump(exclude_none=True)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=str).encode("utf-8", "replace")


def headers(error: SpatialError) -> dict[str, str]:
    """Headers that the status requires: Retry-After, WWW-Authenticate, Allow."""
    required: dict[str, str] = {}
    if error.retry_after is not None:
        required["Retry-After"] = str(error.retry_after)
    if isinstance(error, errors.AuthenticationFailed):
        required["WWW-Authenticate"] = 'Bearer realm="api"'
    if isinstance(error, errors.MethodNotAllowed) and error.details:
        required["Allow"] = ", ".join(error.details["allow"])
    return required


def response(error: SpatialError, request_id: str) -> Response:
    """The complete response; the request-id gate adds X-Request-ID, as to every response."""
    return Response(
        body(error, request_id), status_code=error.status, headers=headers(error), media_type="application/json"
    )


def last_response(error: SpatialError, request_id: str) -> Response:
    """The complete response, after which the server closes the connection: the rest of the request is not read."""
    last = response(error, request_id)
    last.headers["Connection"] = "close"
    return last


def id_of(scope: Scope) -> str:
    """The request id that the response also has."""
    return str(scope["state"]["request_id"])


async def on_spatial_error(request: Request, error: Exception) -> Response:
    """Handler of SpatialError."""
    assert isinstance(error, SpatialError)
    return response(error, id_of(request.scope))


async def on_http_exception(request: Request, error: Exception) -> Response:
    """Handler of the framework's own errors: unknown routes, wrong methods, broken forms."""
    assert isinstance(error, HTTPException)
    return response(_as_spatial_error(request, error), id_of(request.scope))


async def on_validation_error(request: Request, error: Exception) -> Response:
    """Handler of the framework's validation: 400 with the fields' paths, never its 422."""
    assert isinstance(error, RequestValidationError)
    return response(invalid(error.errors()), id_of(request.scope))


def invalid(found: Sequence[Any]) -> errors.InvalidRequest:
    """The framework's validation errors in the form of `spatial.contract.validation`."""
    listed = [{"path": ".".join(str(step) for step in one["loc"]), "message": sentence(one)} for one in found]
    first = listed[0]
    details = {"field": first["path"], "errors": listed}
    return errors.InvalidRequest(f"{first['path']}: {first['message']}", details=details)


def nothing_at(path: str) -> errors.NotFound:
    """The error of a path without a route."""
    return errors.NotFound(f"there is nothing at {path[:PATH_CHARACTERS]}; see /docs for the routes")


def _as_spatial_error(request: Request, error: HTTPException) -> SpatialError:
    kind = BY_STATUS.get(error.status_code, errors.InvalidRequest if error.status_code < 500 else errors.InternalError)
    if kind is errors.NotFound:
        return nothing_at(request.url.path)
    if kind is errors.MethodNotAllowed:
        return errors.MethodNotAllowed(
            f"{request.method[:16]} is not a method of {request.url.path[:PATH_CHARACTERS]}; see /docs for its methods",
            details={"allow": _allowed_methods(request)},
        )
    return kind(str(error.detail))


def _allowed_methods(request: Request) -> list[str]:
    """The methods of this path, over all routes: the framework names only those of the first route."""

    def is_allowed(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    methods = [method for method in METHODS if is_allowed(method)]
    return [*methods, "HEAD"] if "GET" in methods else methods


def responses(*kinds: type[SpatialError]) -> dict[int | str, dict[str, Any]]:
    """OpenAPI `responses=` of a route: one entry per status, one example per error type."""
    by_status: dict[int, list[type[SpatialError]]] = defaultdict(list)
    for kind in kinds:
        by_status[kind.status].append(kind)
    return {status: _error_response(status, by_status[status]) for status in sorted(by_status)}


def _error_response(status: int, kinds: list[type[SpatialError]]) -> dict[str, Any]:
    lines = [f"`{kind.type}`: {(kind.__doc__ or '').strip().splitlines()[0]}" for kind in kinds]
    listed = {kind.type: {"summary": kind.type, "value": _sample(kind)} for kind in kinds}
    entry: dict[str, Any] = {
        "description": "\n\n".join([HTTPStatus(status).phrase, *lines]),
        "model": ErrorBody,
        "content": {"application/json": {"examples": listed}},
    }
    if status in (429, 503):
        entry["headers"] = {"Retry-After": {"$ref": "#/components/headers/Retry-After"}}
    if status == 401:
        entry["headers"] = {"WWW-Authenticate": {"schema": {"type": "string", "examples": ['Bearer realm="api"']}}}
    return entry


def _sample(kind: type[SpatialError]) -> dict[str, Any]:
    message, details = SAMPLES[kind]
    return json.loads(body(kind(message, details=details), "req_0198f2b4c6d07a3e8f1d2c3b4a596877"))  # type: ignore[no-any-return]
