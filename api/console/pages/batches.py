"""Batches of every account: progress, errors of items, results, cancel, and retry of failed items."""

from __future__ import annotations

import json
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api import batch_control, faults
from api.billed_operations import BilledRequest, OperationsDep
from api.console import parameters, prefect_ui, rendering
from api.console.endpoint import Page
from api.console.session import FormDep, SignedInDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import raises
from api.gates import billing
from api.gates.keys import Caller
from spatial import errors
from spatial.contract.routes import BATCH_ROUTE
from spatial.errors import NotFound
from storage.postgres import batch_list, batches, operations
from storage.postgres.batch_states import UNFINISHED
from storage.postgres.batches import Batch

SECTION: Final = "/console/batches"
ONE: Final = f"{SECTION}/{{batch_id}}"
SHOWN: Final = 100

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get(SECTION)
@raises(errors.BillingUnavailable)
async def list_batches(signed_in: SignedInDep, dispatcher: DispatcherDep, account: str = "") -> Response:
    """The latest batches."""
    async with dispatcher.database.transaction() as connection:
        found = await batch_list.list_batches(connection, count=SHOWN, account_id=account or None)
    return rendering.page(
        "batches.html",
        signed_in,
        section=SECTION,
        batches=found,
        unfinished=UNFINISHED,
        accounts=await parameters.list_accounts(dispatcher.database),
        account=account,
    )


@router.get(ONE)
@raises(NotFound, errors.BillingUnavailable)
async def read(batch_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """One batch with its items."""
    batch = await _find(dispatcher, batch_id)
    async with dispatcher.database.transaction() as connection:
        account = await parameters.require_account(connection, batch.account_id)
    counts = {
        state: sum(item.state == state for item in batch.items) for state in ("done", "failed", "running", "queued")
    }
    return rendering.page(
        "batch.html",
        signed_in,
        section=SECTION,
        batch=batch,
        account=account,
        counts=counts,
        is_unfinished=batch.state in UNFINISHED and not batch.is_expired,
        can_retry=bool(batch.repeatable_items) and batch.state not in UNFINISHED and not batch.is_expired,
        run_page=prefect_ui.flow_run(dispatcher.settings, batch.flow_run_id),
        asks_for_auth=prefect_ui.asks_for_auth(dispatcher.settings),
    )


@router.post(f"{ONE}/cancel")
@raises(NotFound, errors.BillingUnavailable)
async def cancel(
    batch_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep, operations: OperationsDep
) -> Response:
    """Cancel a batch, as its caller would."""
    batch = await _find(dispatcher, batch_id)
    await batch_control.cancel(dispatcher, operations, batch.id, batch.account_id)
    return RedirectResponse(f"{SECTION}/{batch.id}", status_code=303)


@router.post(f"{ONE}/retry")
@raises(
    NotFound,
    errors.InvalidRequest,
    errors.PaymentRequired,
    errors.RateLimitExceeded,
    errors.BillingUnavailable,
    errors.ConverterUnavailable,
)
async def retry(
    batch_id: str,
    request: Request,
    signed_in: SignedInDep,
    form: FormDep,
    dispatcher: DispatcherDep,
    billed_operations: OperationsDep,
) -> Response:
    """Extract the failed items again, in a new batch of the same account and key."""
    batch = await _find(dispatcher, batch_id)
    failed = await batch_control.find_repeatable(dispatcher, batch)
    await billing.require_subscription(dispatcher, batch.account_id)
    caller = Caller(batch.account_id, batch.key_id)
    billed = BilledRequest(operations.new_id(), faults.id_of(request.scope), caller, BATCH_ROUTE)
    body = await batch_control.rerun(dispatcher, billed_operations, billed, failed)
    return RedirectResponse(f"{SECTION}/{json.loads(body)['id']}", status_code=303)


async def _find(dispatcher: Dispatcher, batch_id: str) -> Batch:
    async with dispatcher.database.transaction() as connection:
        batch = await batches.find(connection, batch_id)
    if batch is None:
        raise NotFound("there is no such batch, or it expired more than a week ago; see the list of batches")
    return batch
