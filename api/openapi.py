"""The interface description: what FastAPI derives from the endpoints, plus what holds for all of them."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts

from api import request_bodies
from api.endpoint import Endpoint
from spatial.contract import limits

TITLE: Final = "Spatial Geometry Service"
DESCRIPTION: Final = """\
Turns a CAD model, drawing or diagram into one structured document, `cad.extraction.v1`, and meters it in spatial tokens.

- **Keys.** Send `Authorization: Bearer <API_KEY>`; the model list and health need none.
- **Errors.** Every error body is `{"error": {"message", "type", "details"?}, "request_id"}`; `type` is stable.
- **Request ids.** Every response carries `X-Request-ID`, and its body the same value as `request_id`. Quote it when you ask for help.
- **Retries.** Send an `Idempotency-Key` with a POST: a second request with the same key and payload within 24 hours gets the stored
  response, whatever the encoding of its payload, and nothing is billed twice. A 5xx is not stored: retry it with the same key.
- **Batches.** One request takes up to 32 files, which are extracted in the background; the status route shows what has ended, for 24 hours.
- **Reasoning.** A request asks one of twelve tasks about an extracted document or a point cloud, and is answered within 18 s; a batch of
  up to 32 of them is answered as a whole. Both are charged by the bytes of request and answer.
- **Billing.** Only 2xx responses are charged. Input tokens are ceil(bytes of the file / 4), output tokens ceil(bytes of the
  response body without its `usage` member / 4). An extraction that was tried and failed reports what it counted, at no
  cost, in `error.details.usage`.
"""

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "X-Request-ID": {
        "description": "Id of this response; a JSON body carries the same value as `request_id`.",
        "required": True,
        "schema": {"type": "string", "examples": ["req_0198f2b4c6d07a3e8f1d2c3b4a596877"]},
    },
    "Idempotency-Replayed": {
        "description": "`true` where this is the stored response of an earlier request with the same Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {
        "description": "Seconds after which a retry makes sense.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    },
}

REQUEST_ID: Final = {"$ref": "#/components/headers/X-Request-ID"}

FRAMEWORK_SCHEMAS: Final = ("HTTPValidationError", "ValidationError")
"""What FastAPI describes for a 422 that this service never sends: a wrong parameter is a 400 here."""


def document(app: FastAPI) -> dict[str, Any]:
    """The whole description, OpenAPI 3.1."""
    description = get_openapi(
        title=TITLE,
        version=limits.INTERFACE_VERSION,
        description=DESCRIPTION,
        routes=app.routes,
        servers=[{"url": "/"}],
        license_info={"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
    )
    components = description["components"]
    components["schemas"].update(request_bodies.schemas(_request_bodies(app)))
    components["headers"] = HEADERS
    for name in FRAMEWORK_SCHEMAS:
        components["schemas"].pop(name, None)
    for operation in _operations(description):
        _drop_framework_422(operation["responses"])
        for response in operation["responses"].values():
            response.setdefault("headers", {})["X-Request-ID"] = REQUEST_ID
    return description


def endpoints(app: FastAPI) -> list[Endpoint]:
    """Every endpoint of the app."""
    routes = (context.original_route for context in iter_route_contexts(app.routes))
    return [route for route in routes if isinstance(route, Endpoint)]


def _request_bodies(app: FastAPI) -> list[request_bodies.RequestBody]:
    return [endpoint.request_body for endpoint in endpoints(app) if endpoint.request_body is not None]


def _drop_framework_422(responses: dict[str, Any]) -> None:
    schema = responses.get("422", {}).get("content", {}).get("application/json", {}).get("schema", {})
    if schema.get("$ref", "").endswith(FRAMEWORK_SCHEMAS[0]):
        del responses["422"]


def _operations(description: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in description["paths"].values() for operation in path.values()]
