"""The interface description: what the routes say of themselves, plus what holds for all of them.

Routes read their bodies themselves (the gates come first), so their request bodies are described here, from the same
contract models that judge them.
"""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from spatial.contract import formats, limits
from spatial.contract.batch import CadExtractBatchRequest
from spatial.contract.extraction import CadExtractRequest, TargetContract
from spatial.contract.upload import UploadRequest

TITLE: Final = "Spatial Geometry Service"
DESCRIPTION: Final = """\
Turns a CAD model, drawing or diagram into one structured document, `cad.extraction.v1`, and meters it in spatial tokens.

- **Keys.** Send `Authorization: Bearer <API_KEY>`; the model list and health need none.
- **Errors.** Every error body is `{"error": {"message", "type", "details"?}, "request_id"}`; `type` is stable.
- **Request ids.** Every answer carries `X-Request-ID`, and its body the same value as `request_id`. Quote it when you ask for help.
- **Retries.** Send an `Idempotency-Key` with a POST: the same key and payload within 24 hours get the stored answer again,
  whatever encoding the payload came in, and nothing is billed twice. A 5xx is not stored: retry it with the same key.
- **Batches.** Up to 32 files go in one request and are extracted in the background; the status route shows what has ended, for 24 hours.
- **Billing.** Only 2xx answers are charged. Input tokens are ceil(bytes of the file / 4), output tokens ceil(bytes of the
  response body without its `usage` member / 4). An extraction that was tried and failed reports what it counted, at no
  cost, in `error.details.usage`.
"""

SECURITY_SCHEME: Final = "apiKey"
PUBLIC: Final[dict[str, Any]] = {"security": []}
"""`openapi_extra` of a route that needs no key."""

REQUEST_MODELS: Final[tuple[type[BaseModel], ...]] = (CadExtractRequest, CadExtractBatchRequest, UploadRequest)
"""Models that request bodies refer to; add a row with the route that reads it."""

HEADERS: Final[dict[str, dict[str, Any]]] = {
    "X-Request-ID": {
        "description": "Id of this answer; a JSON body carries the same value as `request_id`.",
        "required": True,
        "schema": {"type": "string", "examples": ["req_0198f2b4c6d07a3e8f1d2c3b4a596877"]},
    },
    "Idempotency-Replayed": {
        "description": "`true` where this is the stored answer of an earlier request with the same Idempotency-Key.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {
        "description": "Seconds after which a retry makes sense.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    },
}

IDEMPOTENCY_KEY: Final[dict[str, Any]] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": (
        "Any name for this request, 1 to 255 visible ASCII characters, unique in your account and on this route. "
        f"Kept for {limits.IDEMPOTENCY_RETENTION_HOURS} hours."
    ),
    "schema": {
        "type": "string",
        "minLength": 1,
        "maxLength": limits.IDEMPOTENCY_KEY_CHARACTERS,
        "pattern": "^[\\x21-\\x7e]+$",
        "examples": ["order-4711-bracket"],
    },
}

COMPONENT: Final = "#/components/{kind}/{name}"
SCHEMA: Final = "#/components/schemas/{model}"

UPLOAD_EXAMPLE: Final = {"value": {"file_name": "housing.step", "size": 18_874_368}}

EXTRACT_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["file"],
    "additionalProperties": False,
    "properties": {
        "file": {
            "type": "string",
            "contentMediaType": "application/octet-stream",
            "description": "The file; the extension of its name selects the parser.",
        },
        "target_contract": {"$ref": SCHEMA.format(model=TargetContract.__name__)},
    },
}


def extract_operation() -> dict[str, Any]:
    """`openapi_extra` of POST /api/v1/cad/extract."""
    examples = {
        "inline": {
            "summary": "A file by value",
            "value": {
                "file_name": "bracket.step",
                "content_base64": "SVNPLTEwMzAzLTIxOwpIRUFERVI7Cg==",
                "target_contract": "both",
            },
        },
        "upload": {
            "summary": "A file sent ahead",
            "value": {"file_name": "housing.step", "upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"},
        },
        "url": {
            "summary": "A file by address",
            "value": {"file_name": "bracket.step", "content_url": "https://files.example.com/bracket.step"},
        },
    }
    form = {
        "schema": EXTRACT_FORM,
        "examples": {"form": {"value": {"file": "ISO-10303-21;…", "target_contract": "both"}}},
    }
    return {
        "security": [{SECURITY_SCHEME: []}],
        "parameters": [{"$ref": COMPONENT.format(kind="parameters", name="Idempotency-Key")}],
        "requestBody": {
            "required": True,
            "description": (
                f"One file of at most {limits.FILE_BYTES} bytes, the whole body of at most {limits.REQUEST_BODY_BYTES}. "
                f"Extensions that are read: {', '.join(formats.EXTENSIONS)}."
            ),
            "content": {
                "application/json": {
                    "schema": {"$ref": SCHEMA.format(model=CadExtractRequest.__name__)},
                    "examples": examples,
                },
                "multipart/form-data": form,
            },
        },
    }


UPLOAD_ROUTE: Final[dict[str, Any]] = {
    "security": [{SECURITY_SCHEME: []}],
    "parameters": [
        {
            "name": "upload_id",
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": "^up_", "examples": ["up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"]},
        }
    ],
}
"""`openapi_extra` of a route of one upload. The framework is not asked to read the id: it would describe a 422 of its own."""


def upload_operation() -> dict[str, Any]:
    """`openapi_extra` of POST /api/v1/uploads."""
    schema = {"$ref": SCHEMA.format(model=UploadRequest.__name__)}
    content = {"application/json": {"schema": schema, "examples": {"announcement": UPLOAD_EXAMPLE}}}
    return {"security": [{SECURITY_SCHEME: []}], "requestBody": {"required": True, "content": content}}


def upload_body() -> dict[str, Any]:
    """`openapi_extra` of PUT /api/v1/uploads/{upload_id}."""
    described = f"The file's bytes as they are, at most max_bytes of the upload ({limits.FILE_BYTES} without a size)."
    content = {"application/octet-stream": {"schema": {}, "examples": {"file": {"value": "ISO-10303-21;…"}}}}
    return {**UPLOAD_ROUTE, "requestBody": {"required": True, "description": described, "content": content}}


def document(app: FastAPI) -> dict[str, Any]:
    """The whole description, OpenAPI 3.1."""
    described = get_openapi(
        title=TITLE,
        version=limits.INTERFACE_VERSION,
        description=DESCRIPTION,
        routes=app.routes,
        servers=[{"url": "/"}],
        license_info={"name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later"},
    )
    components = described.setdefault("components", {})
    components.setdefault("schemas", {}).update(_request_schemas())
    components["headers"] = HEADERS
    components["parameters"] = {"Idempotency-Key": IDEMPOTENCY_KEY}
    components["securitySchemes"] = {
        SECURITY_SCHEME: {"type": "http", "scheme": "bearer", "description": "An API key of your account."}
    }
    for operation in _operations(described):
        for answer in operation["responses"].values():
            answer.setdefault("headers", {})["X-Request-ID"] = {
                "$ref": COMPONENT.format(kind="headers", name="X-Request-ID")
            }
    return described


def _request_schemas() -> dict[str, Any]:
    _, shared = models_json_schema([(model, "validation") for model in REQUEST_MODELS], ref_template=SCHEMA)
    return dict(shared["$defs"])


def _operations(described: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in described["paths"].values() for operation in path.values()]
