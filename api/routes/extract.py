"""POST /api/v1/cad/extract (spec: POST /api/v1/cad/extract).

The order of checks is INTERPRETATION 8, and the order of lines below: body size (a middleware), key, form of
Idempotency-Key, body and file_name, extension, replay, upload (ours), subscription, claim.
"""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import answers, dispatching, faults, intake, openapi
from api.billed import Claim, Operations, not_charged
from api.dispatching import Dispatching
from api.gates import billing, idempotency, keys
from api.gates.idempotency import Named
from api.intake import Submission
from flows.dispatch import EXTRACT_ROUTE, ExtractJob
from spatial import errors
from spatial.contract import formats
from spatial.contract.extraction import CadExtraction
from storage.objects import lake
from storage.postgres import operations, uploads
from storage.postgres.uploads import Resolved

router = APIRouter()


@router.post(
    EXTRACT_ROUTE,
    summary="One CAD file in, one cad.extraction.v1 document out",
    response_description="The document",
    operation_id="extract",
    tags=["extraction"],
    response_model=CadExtraction,
    responses={
        200: {"headers": {"Idempotency-Replayed": {"$ref": "#/components/headers/Idempotency-Replayed"}}},
        **faults.responses(
            errors.InvalidRequest,
            errors.AuthenticationFailed,
            errors.PaymentRequired,
            errors.IdempotencyConflict,
            errors.IdempotencyInProgress,
            errors.RequestTooLarge,
            errors.UnsupportedFileType,
            errors.ParseError,
            errors.ConversionTimeout,
            errors.InternalError,
            errors.BillingUnavailable,
            errors.UsageFinalizationUnavailable,
            errors.ConverterUnavailable,
        ),
    },
    openapi_extra=openapi.extract_operation(),
)
async def extract(request: Request) -> Response:
    """Send the file by value (`content_base64`, or the form's `file`), by address (`content_url`) or ahead (`upload_id`).

    `target_contract` says what comes back: `structured` (the default), `point_cloud_scene`, or `both`, which is what the
    reasoning operation likes best.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    key = idempotency.key_of(request)
    submission = await intake.submission(request, dispatch.settings)
    row = formats.format_of(submission.file_name)
    named = Named(EXTRACT_ROUTE, key, submission.fingerprint()) if key is not None else None
    if named is not None and (replay := await idempotency.stored(dispatch, caller, named)) is not None:
        return await answers.replayed(request, dispatch, replay)
    sent = await _sent_ahead(dispatch, caller, submission)
    await billing.paying(dispatch, caller.account_id)
    claim = _claim(request, caller, submission, sent, named)
    running: Operations = request.app.state.operations
    job = _job(claim, submission, sent, row.name)
    body = await running.run(claim, lambda: _extracted(dispatch, job, submission.data))
    return Response(body, media_type="application/json")


async def _sent_ahead(dispatch: Dispatching, caller: keys.Caller, submission: Submission) -> Resolved | None:
    """The file behind an upload_id; None where the submission names none."""
    if submission.upload_id is None:
        return None
    return await uploads.resolve(
        dispatch.database, dispatch.lake, account_id=caller.account_id, upload_id=submission.upload_id
    )


def _claim(
    request: Request, caller: keys.Caller, submission: Submission, sent: Resolved | None, named: Named | None
) -> Claim:
    return Claim(
        operation_id=operations.new_id(),
        request_id=faults.id_of(request.scope),
        caller=caller,
        route=EXTRACT_ROUTE,
        named=named,
        input_bytes=sent.size if sent is not None else len(submission.data or b""),
    )


def _job(claim: Claim, submission: Submission, sent: Resolved | None, format_name: str) -> ExtractJob:
    inline = lake.staged_key(claim.operation_id, submission.file_name) if submission.data is not None else None
    return ExtractJob(
        operation_id=claim.operation_id,
        request_id=claim.request_id,
        account_id=claim.caller.account_id,
        key_id=claim.caller.key_id,
        file_name=submission.file_name,
        format=format_name,
        target_contract=submission.target_contract,
        content_key=sent.content_key if sent is not None else inline,
        content_url=submission.content_url,
    )


async def _extracted(dispatch: Dispatching, job: ExtractJob, data: bytes | None) -> bytes:
    answer = await dispatch.extract(job, data)
    if not answer.receipt.charged:
        raise not_charged()
    return answer.receipt.usage.attached_to(answer.document)
