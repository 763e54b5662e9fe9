"""What the routes of extract batches say of themselves, beyond what the framework sees; for `openapi_extra`."""

from __future__ import annotations

from typing import Any, Final

from api.openapi import COMPONENT, SCHEMA, SECURITY_SCHEME
from spatial.contract import limits
from spatial.contract.batch import CadExtractBatchRequest
from spatial.contract.extraction import TargetContract

KEYED: Final[dict[str, Any]] = {"security": [{SECURITY_SCHEME: []}]}

FORM: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["files"],
    "additionalProperties": False,
    "properties": {
        "files": {
            "type": "array",
            "minItems": 1,
            "maxItems": limits.BATCH_ITEMS,
            "items": {"type": "string", "contentMediaType": "application/octet-stream"},
            "description": "The files, each a part of this name; the extensions of their names select the parsers.",
        },
        "target_contract": {"$ref": SCHEMA.format(model=TargetContract.__name__)},
    },
}

JSON_EXAMPLE: Final[dict[str, Any]] = {
    "summary": "A file by value, and one by address",
    "value": {
        "items": [
            {"file_name": "bracket.step", "content_base64": "SVNPLTEwMzAzLTIxOwpIRUFERVI7Cg=="},
            {"file_name": "cover.pdf", "content_url": "https://files.example.com/cover.pdf", "target_contract": "both"},
        ]
    },
}
FORM_EXAMPLE: Final = {"value": {"files": ["ISO-10303-21;…", "%PDF-1.7…"], "target_contract": "both"}}

ID: Final[dict[str, Any]] = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^cb_", "examples": ["cb_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"]},
}

WAIT: Final[dict[str, Any]] = {
    "name": "wait",
    "in": "query",
    "required": False,
    "description": "Seconds to wait for the batch to change before it is answered; one that has ended is answered at once.",
    "schema": {"type": "number", "minimum": 0, "maximum": limits.BATCH_WAIT_SECONDS, "default": 0},
}

RESULTS: Final[dict[str, Any]] = {
    "name": "results",
    "in": "query",
    "required": False,
    "description": "false leaves the documents out.",
    "schema": {"type": "boolean", "default": True},
}


def submission() -> dict[str, Any]:
    """POST /api/v1/cad/extract/batch."""
    schema = {"$ref": SCHEMA.format(model=CadExtractBatchRequest.__name__)}
    described = (
        f"1 to {limits.BATCH_ITEMS} files, the whole body of at most {limits.REQUEST_BODY_BYTES} bytes; larger ones go by "
        "content_url or upload_id."
    )
    content = {
        "application/json": {"schema": schema, "examples": {"mixed": JSON_EXAMPLE}},
        "multipart/form-data": {"schema": FORM, "examples": {"form": FORM_EXAMPLE}},
    }
    return {
        **KEYED,
        "parameters": [{"$ref": COMPONENT.format(kind="parameters", name="Idempotency-Key")}],
        "requestBody": {"required": True, "description": described, "content": content},
    }


def question() -> dict[str, Any]:
    """GET /api/v1/cad/extract/batch/{id}."""
    return {**KEYED, "parameters": [ID, WAIT, RESULTS]}


def cancellation() -> dict[str, Any]:
    """DELETE /api/v1/cad/extract/batch/{id}."""
    return {**KEYED, "parameters": [ID, RESULTS]}
