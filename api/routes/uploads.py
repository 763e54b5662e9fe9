"""Uploads (not in the spec): a file sent ahead, streamed into the lake, then named by `upload_id` in place of a content_url.

    POST   /api/v1/uploads         announce a file; the response says where to PUT it
    PUT    /api/v1/uploads/{id}    the file, from callers that cannot reach the bucket
    GET    /api/v1/uploads/{id}    its state
    DELETE /api/v1/uploads/{id}    delete it

Checks on POST, in this order: body size, key, body and file_name (400), extension (415), size (413), subscription (402), ceilings (429).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from api import faults, intake
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import Endpoint, raises, reads
from api.gates import billing
from api.gates.body_size import UPLOAD_SECONDS, Allowance
from api.gates.keys import CallerDep
from api.parser_thread import run_in_parser
from api.request_bodies import RequestBody, file_media, json_media
from spatial import errors
from spatial.contract import formats, limits, validation
from spatial.contract import upload as contract
from spatial.contract.upload import UploadRequest
from spatial.counting import count_of
from spatial.errors import InvalidRequest
from storage.postgres import upload_files, uploads
from storage.postgres.uploads import Ceilings, Upload
from storage.settings import Settings

UPLOADS: Final = "/api/v1/uploads"
UPLOAD: Final = f"{UPLOADS}/{{upload_id}}"
ID: Final = re.compile(r"up_[A-Za-z0-9]{1,64}")
KEY_HEADER: Final = {"Authorization": "Bearer <API_KEY>"}
"""The header that this service needs with the PUT; a presigned URL needs none."""

SCENE_EXTENSION: Final = "json"
"""Extension of a cad.extraction.v1 document, which reasoning requests name as a scene; every other one must have a reader."""

LEAST_LIFETIME: Final = timedelta(seconds=1)
"""The shortest lifetime that a presigned URL can have."""


STORED: Final = (errors.InvalidRequest, errors.NotFound, errors.ConverterUnavailable)
"""Errors of every route of one upload."""

UploadId = Annotated[
    str,
    Path(),
    WithJsonSchema({"type": "string", "pattern": "^up_", "examples": ["up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"]}),
]
"""Any text, because an id that cannot exist is a 404; described by the form of those that exist."""

ANNOUNCEMENT: Final = RequestBody(
    (json_media(UploadRequest, announcement={"value": {"file_name": "housing.step", "size": 18_874_368}}),)
)

FILE: Final = RequestBody(
    (file_media(file={"value": "ISO-10303-21;…"}),),
    f"The file's bytes as they are, at most max_bytes of the upload ({limits.FILE_BYTES} without a size).",
)

router = APIRouter(route_class=Endpoint, tags=["uploads"])


def allowance(settings: Settings) -> Allowance:
    """The bodies of the streaming route: a whole file, and time for it."""
    return Allowance(settings.file_limit_bytes, UPLOAD_SECONDS, "PUT", re.compile(f"{UPLOADS}/[^/]+"), is_file=True)


@router.post(
    UPLOADS,
    status_code=201,
    summary="Announce a file, and learn where to PUT it",
    response_description="The upload, waiting for its file",
    operation_id="create_upload",
    response_model=contract.Upload,
)
@reads(ANNOUNCEMENT)
@raises(
    errors.InvalidRequest,
    errors.PaymentRequired,
    errors.UnsupportedFileType,
    errors.RateLimitExceeded,
    errors.ConverterUnavailable,
)
async def create(request: Request, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """For files too large for an inline upload, from callers without a public URL.

    PUT the file to `upload_url` with `headers`, then name the upload as `upload_id` in an extraction or a batch item, as
    often as wanted within 24 hours. Not metered; the extractions that name it are. Not part of the spec.
    """
    intake.require_json(request)
    announced = await run_in_parser(validation.read, UploadRequest, await intake.read_json(request))
    limit = dispatcher.settings.file_limit_bytes
    if formats.extension_of(announced.file_name) != SCENE_EXTENSION:
        formats.format_of(announced.file_name)
    if announced.size is not None and announced.size > limit:
        raise upload_files.file_too_large(limit)
    await billing.require_subscription(dispatcher, caller.account_id)
    async with dispatcher.database.transaction() as connection:
        upload = await uploads.create(
            connection,
            account_id=caller.account_id,
            key_id=caller.key_id,
            request_id=faults.id_of(request.scope),
            file_name=announced.file_name,
            most_bytes=announced.size or limit,
            ceilings=Ceilings(dispatcher.settings.uploads_open, dispatcher.settings.upload_bytes_open),
        )
    return await _response(request, dispatcher, upload, status=201)


@router.put(
    UPLOAD,
    summary="Send an upload's file, as it is",
    response_description="The upload, received",
    operation_id="receive_upload",
    response_model=contract.Upload,
)
@reads(FILE)
@raises(*STORED)
async def receive(request: Request, upload_id: UploadId, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """The body is the file's bytes, with Content-Length or chunked, up to `max_bytes`. It is received whole or not at all.

    A second PUT replaces the first until a request has named the upload; after that it is refused.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise InvalidRequest("a file with Content-Encoding is not accepted; send it as it is")
    upload = await uploads.require(dispatcher.database, caller.account_id, _require_id(upload_id))
    if upload.used_at is not None:
        raise upload_files.upload_in_use(upload.id)
    file = _IncomingFile(request, upload.most_bytes)
    key = upload_files.new_content_key(upload)
    await dispatcher.lake.put_stream(key, file.pieces())
    received = await upload_files.record_arrival(
        dispatcher.database, dispatcher.lake, upload, content_key=key, size=file.size, sha256=file.digest.hexdigest()
    )
    return await _response(request, dispatcher, received)


@router.get(
    UPLOAD,
    summary="The state of an upload",
    response_description="The upload",
    operation_id="read_upload",
    response_model=contract.Upload,
)
@raises(*STORED)
async def read(request: Request, upload_id: UploadId, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """Its status, and the size and SHA-256 of the received file. An expired upload is 404."""
    upload = await upload_files.accept_landing(
        dispatcher.database, dispatcher.lake, account_id=caller.account_id, upload_id=_require_id(upload_id)
    ) or await uploads.require(dispatcher.database, caller.account_id, upload_id)
    return await _response(request, dispatcher, upload)


@router.delete(
    UPLOAD,
    status_code=204,
    summary="Delete an upload and its file",
    response_description="The upload is deleted",
    operation_id="delete_upload",
)
@raises(*STORED)
async def delete(upload_id: UploadId, caller: CallerDep, dispatcher: DispatcherDep) -> Response:
    """Takes effect at once. A request that named the upload and has not read it yet fails; an accepted batch has its own copy."""
    await upload_files.delete(
        dispatcher.database, dispatcher.lake, account_id=caller.account_id, upload_id=_require_id(upload_id)
    )
    return Response(status_code=204)


def _require_id(upload_id: str) -> str:
    """The id. Raises: NotFound where no upload can have it."""
    if not ID.fullmatch(upload_id):
        raise uploads.unknown()
    return upload_id


class _IncomingFile:
    """A file that arrives: counted, hashed, and checked before its last piece is yielded."""

    def __init__(self, request: Request, limit: int) -> None:
        self.digest = hashlib.sha256()
        self.size = 0
        self._request, self._limit = request, limit
        declared = request.headers.get("content-length", "")
        self._declared = int(declared) if declared.isdecimal() else None

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises: RequestTooLarge; InvalidRequest for a body that is empty or shorter than its Content-Length."""
        self._require_size(self._declared or 0)
        async for piece in self._request.stream():
            self.size += len(piece)
            self._require_size(self.size)
            self.digest.update(piece)
            yield piece
        if self._declared is not None and self.size != self._declared:
            raise InvalidRequest(
                f"the body ended after {self.size} of {count_of(self._declared, 'byte')}; send it again"
            )
        if not self.size:
            raise InvalidRequest("the file is empty; send one that has content", details={"field": "body"})

    def _require_size(self, size: int) -> None:
        if size > self._limit:
            raise upload_files.file_too_large(self._limit)


async def _response(request: Request, dispatcher: Dispatcher, upload: Upload, status: int = 200) -> Response:
    """The upload as JSON, with the URL for the PUT where its file may still be sent."""
    target = {} if upload.used_at is not None else await _put_target(dispatcher, upload)
    shown = contract.Upload(
        id=upload.id,
        status=upload.status,
        file_name=upload.file_name,
        max_bytes=upload.most_bytes,
        size=upload.size,
        sha256=upload.sha256,
        expires_at=upload.expires_at,
        request_id=faults.id_of(request.scope),
        **target,
    )
    return Response(shown.model_dump_json(exclude_none=True), status_code=status, media_type="application/json")


async def _put_target(dispatcher: Dispatcher, upload: Upload) -> dict[str, Any]:
    settings = dispatcher.settings
    if settings.s3_public_endpoint is None or not settings.storage_url.startswith("s3://"):
        return {"upload_url": UPLOAD.format(upload_id=upload.id), "method": "PUT", "headers": KEY_HEADER}
    from storage.objects import bucket  # the clients of S3 take a second to import, which a directory does not need

    lifetime = upload.expires_at - datetime.now(UTC)
    url = await bucket.presign_put(settings, upload_files.landing_key(upload.id), max(lifetime, LEAST_LIFETIME))
    return {"upload_url": url, "method": "PUT", "headers": {}}
