"""The HTTP requests of the operations."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, TypeAlias
from urllib.parse import quote
from uuid import uuid4

from pydantic import BaseModel

from spatial_geometry._effects import Request
from spatial_geometry._files import Content

EXTRACT: Final = "/api/v1/cad/extract"
BATCH: Final = "/api/v1/cad/extract/batch"
EXTRACTIONS: Final = "/api/v1/cad/extractions"
IMPORT: Final = "/api/v1/cad/import-feature-tree"
RESPONSES: Final = "/api/v1/responses"
RESPONSES_BATCH: Final = "/api/v1/responses/batch"
UPLOADS: Final = "/api/v1/uploads"
MODELS: Final = "/api/v1/models"
USAGE: Final = "/api/v1/usage"
HEALTH: Final = "/api/health"


Options: TypeAlias = dict[str, Any]
"""Members of a body: what of a file is wanted."""


def get(path: str, **query: object) -> Request:
    """A GET with the parameters that are not None."""
    return Request("GET", path, {name: _parameter(value) for name, value in query.items() if value is not None})


def post(path: str, body: Mapping[str, Any], key: str | None = None) -> Request:
    """A POST of JSON; with an Idempotency-Key, a new one where the caller gives none."""
    return Request("POST", path, headers=json_headers(key or new_key()), content=encode(body))


def json_headers(key: str) -> dict[str, str]:
    """The headers of a POST of JSON."""
    return {"Content-Type": "application/json", "Idempotency-Key": key}


def new_key() -> str:
    """An Idempotency-Key that no other request has."""
    return f"py-{uuid4().hex}"


def encode(body: Any) -> bytes:
    """JSON, with models as the service sent them. Raises: ValueError for a number that is not finite."""
    return json.dumps(plain(body), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def plain(value: Any) -> Any:
    """The value with its models as plain data; members that are None are left out of models only."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def options_of(target: str, *, edges: bool) -> Options:
    """The members of an extraction's body that say what is wanted; a service of before `edges` refuses that name."""
    return {"target_contract": target} | ({"edges": True} if edges else {})


def inline_item(content: Content, options: Options) -> dict[str, Any]:
    """A file by value, as the body of an extraction or as an item of a batch. Raises: OSError."""
    encoded = base64.b64encode(content.read()).decode()
    return {"file_name": content.name, "content_base64": encoded, **options}


def one_of(path: str, id: str) -> str:
    """The path of one resource; the id, which a caller gave, stays one segment of it."""
    return f"{path}/{quote(id, safe='')}"


def _parameter(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
