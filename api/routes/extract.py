"""POST /api/v1/cad/extract (spec: POST /api/v1/cad/extract).

The order of checks is INTERPRETATION 8: body size (a middleware), key and form of Idempotency-Key (dependencies, in the order of the
signature), then the order of the lines below: body and file_name, extension, replay, upload, subscription, capacity, claim. Uploads and
capacity are not in the spec. While the queue for a place is full, a request that cannot be a replay is refused before its body is read.
"""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import faults, intake, replay
from api.billed_operations import BilledOperations, BilledRequest, OperationsDep, usage_not_finalized
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import Endpoint, raises, reads
from api.gates import billing, idempotency
from api.gates.idempotency import REPLAYABLE, IdempotencyKeyDep, IdempotentRequest
from api.gates.keys import Caller, CallerDep
from api.intake import FILE_PART, Submission
from api.long_response import LongResponse
from api.parser_thread import run_in_parser
from api.request_bodies import RequestBody, file_schema, form_media, json_media
from flows.dispatch import ExtractJob, OnStage
from spatial import errors
from spatial.contract import formats, limits
from spatial.contract.extraction import CadExtraction, CadExtractRequest
from spatial.contract.routes import EXTRACT_ROUTE
from storage.objects import lake
from storage.postgres import operations as operation_rows
from storage.postgres import upload_files
from storage.postgres.upload_files import Resolved

router = APIRouter(route_class=Endpoint, tags=["extraction"])

BODY: Final = RequestBody(
    (
        json_media(
            CadExtractRequest,
            inline={
                "summary": "A file by value",
                "value": {
                    "file_name": "bracket.step",
                    "content_base64": "SVNPLTEwMzAzLTIxOwpIRUFERVI7Cg==",
                    "target_contract": "both",
                },
            },
            upload={
                "summary": "A file sent ahead",
                "value": {"file_name": "housing.step", "upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"},
            },
            url={
                "summary": "A file by address",
                "value": {"file_name": "bracket.step", "content_url": "https://files.example.com/bracket.step"},
            },
        ),
        form_media(
            FILE_PART,
            file_schema("The file; the extension of its name selects the parser."),
            form={"value": {"file": "ISO-10303-21;…", "target_contract": "both"}},
        ),
    ),
    f"One file of at most {limits.FILE_BYTES} bytes, the whole body of at most {limits.REQUEST_BODY_BYTES}. "
    f"Extensions that are read: {', '.join(formats.EXTENSIONS)}.",
)


@router.post(
    EXTRACT_ROUTE,
    summary="One CAD file in, one cad.extraction.v1 document out",
    response_description="The document",
    operation_id="extract",
    response_model=CadExtraction,
    responses={200: REPLAYABLE},
)
@reads(BODY)
@raises(
    errors.PaymentRequired,
    errors.UnsupportedFileType,
    errors.ParseError,
    errors.ConversionTimeout,
    errors.UsageFinalizationUnavailable,
    errors.ConverterUnavailable,
)
async def extract(
    request: Request,
    caller: CallerDep,
    key: IdempotencyKeyDep,
    operations: OperationsDep,
    dispatcher: DispatcherDep,
) -> Response:
    """Send the file by value (`content_base64`, or the form's `file`), by address (`content_url`) or ahead (`upload_id`).

    `target_contract` selects the content of the document: `structured` (the default), `point_cloud_scene`, or `both`, which suits the
    reasoning operation best.
    """
    return await perform(request, caller, key, operations, dispatcher)


async def perform(
    request: Request,
    caller: Caller,
    key: str | None,
    operations: BilledOperations,
    dispatcher: Dispatcher,
    on_stage: OnStage | None = None,
) -> Response:
    """The response to an extraction. key: the Idempotency-Key; on_stage: as in `Dispatcher`. Raises: what the route does."""
    alike = _alike(request, caller)
    if key is None:
        operations.capacity.require_place(caller.account_id, alike)
    submission = await intake.read_submission(request, dispatcher.settings)
    row = formats.format_of(submission.file_name)
    idempotent = None
    if key is not None:
        idempotent = IdempotentRequest(EXTRACT_ROUTE, key, await run_in_parser(submission.fingerprint))
    if idempotent is not None and (stored := await idempotency.find_stored(dispatcher, caller, idempotent)) is not None:
        return await replay.replay_metered(request, dispatcher, stored)
    upload = await _resolve_upload(dispatcher, caller, submission)
    await billing.require_subscription(dispatcher, caller.account_id)
    async with operations.capacity.place(caller.account_id, request.is_disconnected, key, alike):
        billed = _billed(request, caller, submission, upload, idempotent)
        job = _job(billed, submission, upload, row.name)
        body = await operations.run(billed, lambda: _extract(dispatcher, job, submission.data, on_stage))
    return LongResponse(body, media_type="application/json")


def _alike(request: Request, caller: Caller) -> str:
    """What a request has in common with itself when it is sent again, as is known before its body is read."""
    host = request.client.host if request.client is not None else ""
    return f"{caller.key_id} {host} {request.headers.get('content-length', '')}"


async def _resolve_upload(dispatcher: Dispatcher, caller: Caller, submission: Submission) -> Resolved | None:
    """The upload behind an upload_id; None where the submission has none."""
    if submission.upload_id is None:
        return None
    return await upload_files.resolve(
        dispatcher.database, dispatcher.lake, account_id=caller.account_id, upload_id=submission.upload_id
    )


def _billed(
    request: Request,
    caller: Caller,
    submission: Submission,
    upload: Resolved | None,
    idempotent: IdempotentRequest | None,
) -> BilledRequest:
    return BilledRequest(
        operation_id=operation_rows.new_id(),
        request_id=faults.id_of(request.scope),
        caller=caller,
        route=EXTRACT_ROUTE,
        idempotent=idempotent,
        input_bytes=upload.size if upload is not None else len(submission.data or b""),
    )


def _job(billed: BilledRequest, submission: Submission, upload: Resolved | None, format_name: str) -> ExtractJob:
    inline = lake.staged_key(billed.operation_id, submission.file_name) if submission.data is not None else None
    return ExtractJob(
        operation_id=billed.operation_id,
        request_id=billed.request_id,
        account_id=billed.caller.account_id,
        key_id=billed.caller.key_id,
        file_name=submission.file_name,
        format=format_name,
        target_contract=submission.target_contract,
        edges=submission.edges,
        content_key=upload.content_key if upload is not None else inline,
        content_url=submission.content_url,
    )


async def _extract(dispatcher: Dispatcher, job: ExtractJob, data: bytes | None, on_stage: OnStage | None) -> bytes:
    answer = await dispatcher.extract(job, data, on_stage)
    if not answer.receipt.charged:
        raise usage_not_finalized()
    return answer.receipt.usage.attached_to(answer.document)
