"""Uploads: files sent ahead of the request that names them (an addition of ours; the spec knows base64 and content_url only)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from spatial.contract import _examples
from spatial.contract._content import FileName, UploadId
from spatial.contract._model import Model
from spatial.contract.health import Timestamp

UploadStatus = Literal["waiting", "received", "used"]
"""waiting: nothing has arrived. received: whole, and may still be replaced. used: a request named it, so its bytes stay as they are."""


class UploadRequest(Model):
    """Body of POST /api/v1/uploads."""

    file_name: FileName
    """Name with extension; an extension that nobody reads is refused."""
    size: Annotated[int, Field(ge=1)] | None = None
    """Bytes of the file, where they are known: more are not taken, and less is set aside for it."""


class Upload(Model):
    """One upload as it stands."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.UPLOAD]})

    id: UploadId
    object: Literal["upload"] = "upload"
    status: UploadStatus
    file_name: str
    upload_url: str | None = None
    """Where to PUT the file; absent once the upload is used."""
    method: Literal["PUT"] | None = None
    headers: dict[str, str] | None = None
    """To be sent with the PUT, with your own key in the place of <API_KEY>; none where the URL carries its own proof."""
    max_bytes: Annotated[int, Field(ge=1)]
    """How large the file may be."""
    size: int | None = None
    """Bytes that were received."""
    sha256: str | None = None
    """Of the bytes that were received, hexadecimal."""
    expires_at: Timestamp
    """Creation + 24 h: the file is deleted then."""
    request_id: str
