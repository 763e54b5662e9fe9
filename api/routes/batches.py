"""POST, GET and DELETE of extract batches (spec: POST and GET /api/v1/cad/extract/batch; DELETE and rerun are not in the spec).

Checks on POST follow INTERPRETATION 8: body size (a middleware), key and form of Idempotency-Key (dependencies, in the order of the
signature), then the order of the lines below: items (400, 413), extensions (415), replay or 409, uploads (not in the spec), subscription
(402), claim, ceilings (429). Nothing is staged before all of them have passed.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from api import batch_control, batch_response, batch_submission, faults, intake_batch, replay
from api.batch_poller import PollerDep
from api.batch_response import ItemOutcomes
from api.billed_operations import BilledRequest, OperationsDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import Endpoint, raises, reads
from api.gates import billing, idempotency
from api.gates.idempotency import REPLAYABLE, IdempotencyKeyDep, IdempotentRequest
from api.gates.keys import Caller, CallerDep
from api.parser_thread import run_in_parser
from api.repeated import none_sent
from api.request_bodies import RequestBody, file_schema, form_media, json_media
from api.server import ending_of
from spatial import errors
from spatial.contract import limits
from spatial.contract.batch import CadExtractBatch, CadExtractBatchRequest
from spatial.contract.routes import BATCH_ROUTE
from spatial.contract.validation import invalid_field
from spatial.errors import NotFound
from storage.objects.lake import ObjectMissing
from storage.postgres import batch_states, batches, usage
from storage.postgres import operations as operation_rows
from storage.postgres.batches import Batch

ONE: Final = f"{BATCH_ROUTE}/{{id}}"
ID: Final = re.compile(r"cb_[A-Za-z0-9]{1,64}")
SECONDS: Final = re.compile(r"\d{1,2}(\.\d{1,3})?", re.ASCII)

router = APIRouter(route_class=Endpoint, tags=["extraction"])

BODY: Final = RequestBody(
    (
        json_media(
            CadExtractBatchRequest,
            mixed={
                "summary": "A file by value, and one by address",
                "value": {
                    "items": [
                        {"file_name": "bracket.step", "content_base64": "SVNPLTEwMzAzLTIxOwpIRUFERVI7Cg=="},
                        {
                            "file_name": "cover.pdf",
                            "content_url": "https://files.example.com/cover.pdf",
                            "target_contract": "both",
                        },
                    ]
                },
            },
        ),
        form_media(
            intake_batch.FILES_PART,
            {
                "type": "array",
                "minItems": 1,
                "maxItems": limits.BATCH_ITEMS,
                "items": file_schema(),
                "description": "The files, each a part of this name; the extensions of their names select the parsers.",
            },
            form={"value": {"files": ["ISO-10303-21;…", "%PDF-1.7…"], "target_contract": "both"}},
        ),
    ),
    f"1 to {limits.BATCH_ITEMS} files, the whole body of at most {limits.REQUEST_BODY_BYTES} bytes; larger ones go by "
    "content_url or upload_id.",
)

BatchId = Annotated[
    str,
    Path(alias="id"),
    WithJsonSchema({"type": "string", "pattern": "^cb_", "examples": ["cb_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"]}),
]
"""Any text, because an id that cannot exist is a 404; described by the form of those that exist."""

WaitQuery = Annotated[
    list[str],
    Query(
        description="Seconds to wait for the batch to change before the response; a batch that has ended is returned at once.",
        default_factory=none_sent,
    ),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": limits.BATCH_WAIT_SECONDS, "default": 0}),
]
ResultsQuery = Annotated[
    list[str],
    Query(description="false leaves the documents out.", default_factory=none_sent),
    WithJsonSchema({"type": "boolean", "default": True}),
]


@raises(errors.InvalidRequest)
async def wait_seconds(wait: WaitQuery) -> float:
    """How long the caller wants to wait. Raises: InvalidRequest."""
    if not wait:
        return 0.0
    if len(wait) > 1 or not SECONDS.fullmatch(wait[0]) or float(wait[0]) > limits.BATCH_WAIT_SECONDS:
        raise invalid_field("wait", f"is not a number of seconds; use 0 to {limits.BATCH_WAIT_SECONDS:g}")
    return float(wait[0])


@raises(errors.InvalidRequest)
async def with_results(results: ResultsQuery) -> bool:
    """Whether the caller wants the documents. Raises: InvalidRequest."""
    values = results or ["true"]
    if len(values) > 1 or values[0] not in ("true", "false"):
        raise invalid_field("results", "is neither true nor false; use one of them")
    return values[0] == "true"


@router.post(
    BATCH_ROUTE,
    status_code=202,
    summary="Up to 32 CAD files in, extracted in the background",
    response_description="The batch, queued; ask again at its status_url",
    operation_id="submit_batch",
    response_model=CadExtractBatch,
    responses={202: REPLAYABLE},
)
@reads(BODY)
@raises(
    errors.PaymentRequired,
    errors.UnsupportedFileType,
    errors.RateLimitExceeded,
    errors.ConverterUnavailable,
)
async def submit(
    request: Request,
    caller: CallerDep,
    key: IdempotencyKeyDep,
    dispatcher: DispatcherDep,
    operations: OperationsDep,
) -> Response:
    """Send 1 to 32 items as JSON, each like the body of an extract, or files as repeated form parts `files`.

    An invalid item refuses the whole batch, and `error.details` name the item by `index` and `file_name`. What fails
    later fails that item alone. Only items that succeed are billed. A key has at most 5 batches in flight, and submits 10 a minute.
    """
    files = await intake_batch.read_submissions(request, dispatcher.settings)
    rows = intake_batch.formats_of(files)
    idempotent = None
    if key is not None:
        idempotent = IdempotentRequest(BATCH_ROUTE, key, await run_in_parser(intake_batch.fingerprint, files))
    if idempotent is not None and (stored := await idempotency.find_stored(dispatcher, caller, idempotent)) is not None:
        return await replay.replay_batch(request, dispatcher, stored)
    uploaded = await intake_batch.resolve_uploads(dispatcher, caller.account_id, files)
    await billing.require_subscription(dispatcher, caller.account_id)
    billed = BilledRequest(operation_rows.new_id(), faults.id_of(request.scope), caller, BATCH_ROUTE, idempotent)
    contents = [upload.content_key if upload else file.data for file, upload in zip(files, uploaded, strict=True)]
    new = batch_submission.new_items(billed.operation_id, files, rows)
    return _response(await batch_control.accept(dispatcher, operations, billed, new, contents), status=202)


@router.post(
    f"{ONE}/rerun",
    status_code=202,
    summary="Extract the failed items of a batch again, in a new batch",
    response_description="The new batch, queued; ask again at its status_url",
    operation_id="rerun_batch",
    response_model=CadExtractBatch,
    responses={202: REPLAYABLE},
)
@raises(
    errors.InvalidRequest,
    errors.NotFound,
    errors.PaymentRequired,
    errors.RateLimitExceeded,
    errors.ConverterUnavailable,
)
async def rerun(
    batch_id: BatchId,
    request: Request,
    caller: CallerDep,
    key: IdempotencyKeyDep,
    dispatcher: DispatcherDep,
    operations: OperationsDep,
) -> Response:
    """The files need not be sent again, as long as the batch has not expired. The batch stays as it is; not part of the spec.

    Only items that succeed are billed, and the new batch counts against the limits of the key like any other.
    """
    batch = await _find(dispatcher, caller, batch_id)
    idempotent = None
    if key is not None:
        idempotent = IdempotentRequest(BATCH_ROUTE, key, hashlib.sha256(f"rerun {batch.id}".encode()).hexdigest())
    if idempotent is not None and (stored := await idempotency.find_stored(dispatcher, caller, idempotent)) is not None:
        return await replay.replay_batch(request, dispatcher, stored)
    failed = await batch_control.find_repeatable(dispatcher, batch)
    await billing.require_subscription(dispatcher, caller.account_id)
    billed = BilledRequest(operation_rows.new_id(), faults.id_of(request.scope), caller, BATCH_ROUTE, idempotent)
    return _response(await batch_control.rerun(dispatcher, operations, billed, failed), status=202)


@router.get(
    ONE,
    summary="The state of a batch, with the results of its items",
    response_description="The batch",
    operation_id="read_batch",
    response_model=CadExtractBatch,
)
@raises(errors.NotFound, errors.ConverterUnavailable)
async def read(
    request: Request,
    batch_id: BatchId,
    caller: CallerDep,
    wait: Annotated[float, Depends(wait_seconds)],
    results: Annotated[bool, Depends(with_results)],
    dispatcher: DispatcherDep,
    poller: PollerDep,
) -> Response:
    """Items in the order of submission; an item that is done carries its document, an item that failed its error.

    A batch expires 24 hours after its submission: for a week after that its status is `expired`, and it carries no documents.
    """
    batch = await _find(dispatcher, caller, batch_id)
    if wait > 0 and not batch.is_expired and batch.state in batch_states.UNFINISHED:
        await poller.wait_for_change(batch.id, batch.version, seconds=wait, woken=ending_of(request.scope))
        batch = await _find(dispatcher, caller, batch_id)
    return await _show(request, dispatcher, caller, batch, results=results)


@router.delete(
    ONE,
    summary="Cancel a batch",
    response_description="The batch, ended",
    operation_id="cancel_batch",
    response_model=CadExtractBatch,
)
@raises(errors.NotFound, errors.ConverterUnavailable)
async def cancel(
    request: Request,
    batch_id: BatchId,
    caller: CallerDep,
    results: Annotated[bool, Depends(with_results)],
    dispatcher: DispatcherDep,
    operations: OperationsDep,
) -> Response:
    """Items that have not ended fail with the type `cancelled` and are not billed; those that have ended stay as they are.

    The batch is `done` where any item succeeded, else `failed`. A batch that has ended stays as it is. Not part of the spec.
    """
    batch = await batch_control.cancel(dispatcher, operations, _require_id(batch_id), caller.account_id)
    if batch is None:
        raise _unknown()
    return await _show(request, dispatcher, caller, batch, results=results)


async def _show(request: Request, dispatcher: Dispatcher, caller: Caller, batch: Batch, *, results: bool) -> Response:
    """The batch with the outcomes of its items. A batch that expires while its documents are read is shown as expired."""
    try:
        documents = await batch_response.read_documents(dispatcher, batch) if results and not batch.is_expired else {}
    except ObjectMissing:
        batch, documents = await _find(dispatcher, caller, batch.id), {}
        if not batch.is_expired:
            raise
    async with dispatcher.database.transaction() as connection:
        charges = await usage.find_item_usage(connection, batch.operation_id)
    return _response(batch_response.render(batch, faults.id_of(request.scope), ItemOutcomes(charges, documents)))


async def _find(dispatcher: Dispatcher, caller: Caller, batch_id: str) -> Batch:
    async with dispatcher.database.transaction() as connection:
        batch = await batches.find(connection, _require_id(batch_id), caller.account_id)
    if batch is None:
        raise _unknown()
    return batch


def _require_id(batch_id: str) -> str:
    """The id. Raises: NotFound where no batch can have it."""
    if not ID.fullmatch(batch_id):
        raise _unknown()
    return batch_id


def _unknown() -> NotFound:
    return NotFound("your account has no such batch, or it expired more than a week ago; check the id")


def _response(body: bytes, status: int = 200) -> Response:
    return Response(body, status_code=status, media_type="application/json", headers={"Cache-Control": "no-store"})
