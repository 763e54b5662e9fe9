"""Uploads (an addition of ours): a file sent ahead, streamed into the lake, then named by `upload_id` in place of a content_url.

    POST   /api/v1/uploads         a handle, and where to PUT the file
    PUT    /api/v1/uploads/{id}    the file, where callers have no way to the bucket of their own
    GET    /api/v1/uploads/{id}    how it stands
    DELETE /api/v1/uploads/{id}    away with it

Checks on POST, in this order: body size, key, body and file_name (400), extension (415), size (413), subscription (402), ceilings (429).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import dispatching, faults, intake, openapi
from api.dispatching import Dispatching
from api.gates import billing, keys
from api.gates.body_size import UPLOAD_SECONDS, Allowance
from spatial import errors
from spatial.contract import formats, validation
from spatial.contract import upload as contract
from spatial.contract.upload import UploadRequest
from spatial.errors import InvalidRequest
from storage.objects import bucket
from storage.postgres import uploads
from storage.postgres.uploads import Ceilings, Upload
from storage.settings import Settings

UPLOADS: Final = "/api/v1/uploads"
UPLOAD: Final = f"{UPLOADS}/{{upload_id}}"
KEY_HEADER: Final = {"Authorization": "Bearer <API_KEY>"}
"""What the streaming route wants, as every route does; a presigned URL wants nothing."""

MOMENT: Final = timedelta(seconds=1)
"""The least that a presigned URL may last."""

COMMON: Final = (errors.InvalidRequest, errors.AuthenticationFailed, errors.RequestTooLarge, errors.InternalError)
STORED: Final = (*COMMON, errors.NotFound, errors.BillingUnavailable, errors.ConverterUnavailable)

router = APIRouter()


def allowance(settings: Settings) -> Allowance:
    """The bodies of the streaming route: a whole file, and time for it."""
    return Allowance(settings.file_limit_bytes, UPLOAD_SECONDS, "PUT", re.compile(f"{UPLOADS}/[^/]+"))


@router.post(
    UPLOADS,
    status_code=201,
    summary="Announce a file, and learn where to PUT it",
    response_description="The upload, waiting for its file",
    operation_id="create_upload",
    tags=["uploads"],
    response_model=contract.Upload,
    responses=faults.responses(
        *COMMON,
        errors.PaymentRequired,
        errors.UnsupportedFileType,
        errors.RateLimitExceeded,
        errors.BillingUnavailable,
        errors.ConverterUnavailable,
    ),
    openapi_extra=openapi.upload_operation(),
)
async def create(request: Request) -> Response:
    """For files too large for an inline upload, from callers without a public URL.

    PUT the file to `upload_url` with `headers`, then name the upload as `upload_id` in an extraction or a batch item, as
    often as wanted within 24 hours. Not metered; the extractions that name it are. An addition of ours.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    if intake.kind_of(request) != intake.JSON:
        raise InvalidRequest(f"send the announcement as {intake.JSON}; the file follows with a PUT")
    said = validation.read(UploadRequest, await intake.json_body(request))
    limit = dispatch.settings.file_limit_bytes
    formats.format_of(said.file_name)
    if said.size is not None and said.size > limit:
        raise uploads.file_too_large(limit)
    await billing.paying(dispatch, caller.account_id)
    async with dispatch.database.transaction() as connection:
        upload = await uploads.create(
            connection,
            account_id=caller.account_id,
            key_id=caller.key_id,
            request_id=faults.id_of(request.scope),
            file_name=said.file_name,
            most_bytes=said.size or limit,
            ceilings=Ceilings(dispatch.settings.uploads_open, dispatch.settings.upload_bytes_open),
        )
    return await _answer(request, dispatch, upload, status=201)


@router.put(
    UPLOAD,
    summary="Send an upload's file, as it is",
    response_description="The upload, received",
    operation_id="receive_upload",
    tags=["uploads"],
    response_model=contract.Upload,
    responses=faults.responses(*STORED),
    openapi_extra=openapi.upload_body(),
)
async def receive(request: Request) -> Response:
    """The body is the file's bytes, with Content-Length or chunked, up to `max_bytes`. It is received whole or not at all.

    A second PUT replaces the first until a request has named the upload; after that it is refused.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise InvalidRequest("a file with Content-Encoding is not accepted; send it as it is")
    upload = await uploads.require(dispatch.database, caller.account_id, _id(request))
    if upload.used_at is not None:
        raise uploads.upload_in_use(upload.id)
    file = _File(request, upload.most_bytes)
    key = uploads.new_content_key(upload)
    await dispatch.lake.put_stream(key, file.pieces())
    received = await uploads.record_arrival(
        dispatch.database, dispatch.lake, upload, content_key=key, size=file.size, sha256=file.digest.hexdigest()
    )
    return await _answer(request, dispatch, received)


@router.get(
    UPLOAD,
    summary="How an upload stands",
    response_description="The upload",
    operation_id="read_upload",
    tags=["uploads"],
    response_model=contract.Upload,
    responses=faults.responses(*STORED),
    openapi_extra=openapi.UPLOAD_ROUTE,
)
async def read(request: Request) -> Response:
    """Its status, and size and SHA-256 of what was received. An expired upload is 404."""
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    upload = await uploads.accept_landing(
        dispatch.database, dispatch.lake, account_id=caller.account_id, upload_id=_id(request)
    ) or await uploads.require(dispatch.database, caller.account_id, _id(request))
    return await _answer(request, dispatch, upload)


@router.delete(
    UPLOAD,
    status_code=204,
    summary="Delete an upload and its file",
    response_description="It is gone",
    operation_id="delete_upload",
    tags=["uploads"],
    responses=faults.responses(*STORED),
    openapi_extra=openapi.UPLOAD_ROUTE,
)
async def delete(request: Request) -> Response:
    """At once. A request that named it and has not read the file yet fails; a batch that was accepted has its own copy."""
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    await uploads.delete(dispatch.database, dispatch.lake, account_id=caller.account_id, upload_id=_id(request))
    return Response(status_code=204)


def _id(request: Request) -> str:
    return str(request.path_params["upload_id"])


class _File:
    """A file on its way in: counted, hashed, and judged before its last piece is given out."""

    def __init__(self, request: Request, limit: int) -> None:
        self.digest = hashlib.sha256()
        self.size = 0
        self._request, self._limit = request, limit
        declared = request.headers.get("content-length", "")
        self._declared = int(declared) if declared.isdecimal() else None

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes. Raises: RequestTooLarge; InvalidRequest for a body that is empty, or shorter than it was said to be."""
        self._hold(self._declared or 0)
        async for piece in self._request.stream():
            self.size += len(piece)
            self._hold(self.size)
            self.digest.update(piece)
            yield piece
        if self._declared is not None and self.size != self._declared:
            raise InvalidRequest(f"the body ended after {self.size} of {self._declared} bytes; send it again")
        if not self.size:
            raise InvalidRequest("the file is empty", details={"field": "body"})

    def _hold(self, size: int) -> None:
        if size > self._limit:
            raise uploads.file_too_large(self._limit)


async def _answer(request: Request, dispatch: Dispatching, upload: Upload, status: int = 200) -> Response:
    """The upload as JSON; where it may still be PUT to, with the way there."""
    way = {} if upload.used_at is not None else await _way(dispatch, upload)
    said = contract.Upload(
        id=upload.id,
        status=upload.status,
        file_name=upload.file_name,
        max_bytes=upload.most_bytes,
        size=upload.size,
        sha256=upload.sha256,
        expires_at=upload.expires_at,
        request_id=faults.id_of(request.scope),
        **way,
    )
    return Response(said.model_dump_json(exclude_none=True), status_code=status, media_type="application/json")


async def _way(dispatch: Dispatching, upload: Upload) -> dict[str, Any]:
    settings = dispatch.settings
    if settings.s3_public_endpoint is None or not settings.storage_url.startswith("s3://"):
        return {"upload_url": UPLOAD.format(upload_id=upload.id), "method": "PUT", "headers": KEY_HEADER}
    left = upload.expires_at - datetime.now(UTC)
    url = await bucket.presign_put(settings, uploads.landing_key(upload.id), max(left, MOMENT))
    return {"upload_url": url, "method": "PUT", "headers": {}}
