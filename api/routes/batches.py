"""POST, GET and DELETE of extract batches (spec: POST and GET /api/v1/cad/extract/batch; DELETE is ours).

Checks on POST, in the order of INTERPRETATION 8 and of the lines below: body size, key, form of Idempotency-Key, items (400, 413),
extensions (415), replay or 409, uploads (ours), subscription (402), claim, ceilings (429). Nothing is staged before all of them are passed.
"""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api import answers, batch_body, batch_submission, dispatching, faults, intake_batch, openapi_batches
from api.batch_body import Outcome
from api.batch_watch import Watcher
from api.billed import Claim, Operations
from api.dispatching import Dispatching
from api.gates import billing, idempotency, keys
from api.gates.idempotency import Named
from api.server import CLOSING
from flows.dispatch import BATCH_ROUTE
from spatial import errors
from spatial.contract import limits
from spatial.contract.batch import CadExtractBatch
from spatial.errors import InvalidRequest, NotFound
from storage import ids
from storage.objects.lake import ObjectMissing
from storage.postgres import batches, operations, usage
from storage.postgres.batches import Batch, NewItem

ONE: Final = f"{BATCH_ROUTE}/{{id}}"
ID: Final = re.compile(r"cb_[A-Za-z0-9]{1,64}")
WAIT: Final = re.compile(r"\d{1,2}(\.\d{1,3})?", re.ASCII)

COMMON: Final = (errors.AuthenticationFailed, errors.RequestTooLarge, errors.InternalError, errors.BillingUnavailable)
ASKED: Final = (*COMMON, errors.InvalidRequest, errors.NotFound, errors.ConverterUnavailable)

router = APIRouter()


@router.post(
    BATCH_ROUTE,
    status_code=202,
    summary="Up to 32 CAD files in, extracted in the background",
    response_description="The batch, queued; ask again at its status_url",
    operation_id="submit_batch",
    tags=["extraction"],
    response_model=CadExtractBatch,
    responses={
        202: {"headers": {"Idempotency-Replayed": {"$ref": "#/components/headers/Idempotency-Replayed"}}},
        **faults.responses(
            *COMMON,
            errors.InvalidRequest,
            errors.PaymentRequired,
            errors.IdempotencyConflict,
            errors.IdempotencyInProgress,
            errors.UnsupportedFileType,
            errors.RateLimitExceeded,
            errors.ConverterUnavailable,
        ),
    },
    openapi_extra=openapi_batches.submission(),
)
async def submit(request: Request) -> Response:
    """Send 1 to 32 items as JSON, each like the body of an extract, or files as repeated form parts `files`.

    What is wrong with an item refuses the batch, and `error.details` name the item by `index` and `file_name`. What goes wrong
    later is that item's alone. Only items that succeed are billed. A key has at most 5 batches in flight, and submits 10 a minute.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    key = idempotency.key_of(request)
    files = await intake_batch.submissions(request, dispatch.settings)
    rows = intake_batch.formats_of(files)
    named = Named(BATCH_ROUTE, key, intake_batch.fingerprint(files)) if key is not None else None
    if named is not None and (replay := await idempotency.stored(dispatch, caller, named)) is not None:
        return await answers.repeated(request, dispatch, replay)
    sent = await intake_batch.sent_ahead(dispatch, caller.account_id, files)
    await billing.paying(dispatch, caller.account_id)
    claim = Claim(operations.new_id(), faults.id_of(request.scope), caller, BATCH_ROUTE, named)
    admission = _Admission(claim, batch_submission.items(claim.operation_id, files, rows))
    running: Operations = request.app.state.operations

    async def queued() -> bytes:
        body = await batch_submission.queued(dispatch, claim, admission.batch, files, sent)
        running.follow(dispatch.submit_batch(admission.batch.id))
        return body

    return _answer(await running.run(claim, queued, admission), status=202)


@router.get(
    ONE,
    summary="How a batch stands, with what has ended",
    response_description="The batch",
    operation_id="read_batch",
    tags=["extraction"],
    response_model=CadExtractBatch,
    responses=faults.responses(*ASKED),
    openapi_extra=openapi_batches.question(),
)
async def read(request: Request) -> Response:
    """Items in the order of submission; one that is done carries its document, one that failed its error.

    A batch expires 24 hours after its submission: then it says so, without documents, for a week.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    seconds, results = _wait(request), _results(request)
    batch_id = request.path_params["id"]
    batch = await _found(dispatch, caller, batch_id)
    if seconds > 0 and not batch.is_expired and batch.state in batches.UNFINISHED:
        watcher: Watcher = request.app.state.watcher
        state = request.scope["state"]
        await watcher.changed(batch.id, batch.version, seconds=seconds, closing=lambda: CLOSING in state)
        batch = await _found(dispatch, caller, batch_id)
    return await _shown(request, dispatch, caller, batch, results=results)


@router.delete(
    ONE,
    summary="Cancel a batch",
    response_description="The batch, ended",
    operation_id="cancel_batch",
    tags=["extraction"],
    response_model=CadExtractBatch,
    responses=faults.responses(*ASKED),
    openapi_extra=openapi_batches.cancellation(),
)
async def cancel(request: Request) -> Response:
    """Items that have not ended fail with the type `cancelled`, and are not billed; those that have stay as they are.

    The batch is `done` where any item succeeded, else `failed`. One that has ended already stays as it is. An addition of ours.
    """
    dispatch = dispatching.of(request)
    caller = await keys.caller(request, dispatch)
    results = _results(request)
    async with dispatch.database.transaction() as connection:
        batch = await batches.cancel(connection, _form(request.path_params["id"]), caller.account_id)
    if batch is None:
        raise _unknown()
    if batch.cancelled_at is not None and batch.flow_run_id is not None:
        running: Operations = request.app.state.operations
        running.follow(dispatch.cancel_batch(batch.flow_run_id))
    return await _shown(request, dispatch, caller, batch, results=results)


class _Admission:
    """Lets the batch in, in the transaction that opens its operation."""

    batch: Batch
    """As it was let in."""

    def __init__(self, claim: Claim, items: list[NewItem]) -> None:
        self._claim, self._items = claim, items

    async def __call__(self, connection: Any) -> None:
        """Raises: RateLimitExceeded."""
        self.batch = await batches.admit(
            connection,
            batch_id=ids.new("cb"),
            operation_id=self._claim.operation_id,
            account_id=self._claim.caller.account_id,
            key_id=self._claim.caller.key_id,
            request_id=self._claim.request_id,
            items=self._items,
        )


async def _shown(
    request: Request, dispatch: Dispatching, caller: keys.Caller, batch: Batch, *, results: bool
) -> Response:
    """The batch with what its items came to. One that expires while it is read has expired."""
    try:
        documents = await batch_body.documents(dispatch, batch) if results and not batch.is_expired else {}
    except ObjectMissing:
        batch, documents = await _found(dispatch, caller, batch.id), {}
        if not batch.is_expired:
            raise
    async with dispatch.database.transaction() as connection:
        charges = await usage.find_item_usage(connection, batch.operation_id)
    return _answer(batch_body.body(batch, faults.id_of(request.scope), Outcome(charges, documents)))


async def _found(dispatch: Dispatching, caller: keys.Caller, batch_id: str) -> Batch:
    async with dispatch.database.transaction() as connection:
        batch = await batches.find(connection, _form(batch_id), caller.account_id)
    if batch is None:
        raise _unknown()
    return batch


def _form(batch_id: str) -> str:
    """The id, which looks like one."""
    if not ID.fullmatch(batch_id):
        raise _unknown()
    return batch_id


def _unknown() -> NotFound:
    return NotFound("your account has no such batch, or it expired more than a week ago")


def _wait(request: Request) -> float:
    said = request.query_params.getlist("wait")
    if not said:
        return 0.0
    if len(said) > 1 or not WAIT.fullmatch(said[0]) or float(said[0]) > limits.BATCH_WAIT_SECONDS:
        raise _bad("wait", f"should be a number of seconds, 0 to {limits.BATCH_WAIT_SECONDS:g}")
    return float(said[0])


def _results(request: Request) -> bool:
    said = request.query_params.getlist("results") or ["true"]
    if len(said) > 1 or said[0] not in ("true", "false"):
        raise _bad("results", "should be true or false")
    return said[0] == "true"


def _bad(name: str, problem: str) -> InvalidRequest:
    return InvalidRequest(f"{name}: {problem}", details={"field": name, "errors": [{"path": name, "message": problem}]})


def _answer(body: bytes, status: int = 200) -> Response:
    return Response(body, status_code=status, media_type="application/json", headers={"Cache-Control": "no-store"})
