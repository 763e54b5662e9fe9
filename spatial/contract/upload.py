"""Uploads: files sent before the request that names them (an addition; the spec has only base64 and content_url)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.content import FileName, UploadId
from spatial.contract.health import Timestamp
from spatial.contract.model import Model

UploadStatus = Literal["waiting", "received", "used"]
"""waiting: no file yet. received: complete, may still be replaced. used: a request has named it, so its bytes no longer change."""


class UploadRequest(Model):
    """Body of POST /api/v1/uploads."""

    file_name: FileName
    """Name with extension; an unsupported extension is refused."""
    size: Annotated[int, Field(ge=1)] | None = None
    """Size of the file in bytes, if known: a larger file is refused, and only this size is reserved."""


class Upload(Model):
    """The current state of one upload."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.UPLOAD]})

    id: UploadId
    object: Literal["upload"] = "upload"
    status: UploadStatus
    file_name: str
    upload_url: str | None = None
    """Where to PUT the file; absent once the upload is used."""
    method: Literal["PUT"] | None = None
    headers: dict[str, str] | None = None
    """Headers to send with the PUT, with your key in place of <API_KEY>; none if the URL is presigned."""
    max_bytes: Annotated[int, Field(ge=1)]
    """Maximum size of the file in bytes."""
    size: int | None = None
    """Size of the received file in bytes."""
    sha256: str | None = None
    """SHA-256 of the received file, hexadecimal."""
    expires_at: Timestamp
    """Creation + 24 h; the file is then deleted."""
    request_id: str
