"""Accounts: the state of their subscriptions, their keys, and where they stand against the limits of their plan."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from api.console import parameters, rendering
from api.console.endpoint import Page
from api.console.session import FormDep, SignedIn, SignedInDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import raises
from spatial import errors
from spatial.contract import limits
from spatial.errors import InvalidRequest, SpatialError
from storage.postgres import accounts, keys, standing, stripe_customers, subscriptions
from storage.postgres.keys import IssuedKey
from storage.postgres.response_ceilings import PlanCeilings

SECTION = "/console/accounts"

router = APIRouter(route_class=Page, include_in_schema=False)


@router.get(SECTION)
@raises(errors.BillingUnavailable)
async def list_accounts(signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """Every account."""
    return await _list_page(signed_in, dispatcher)


@router.post(SECTION)
@raises(errors.InvalidRequest, errors.BillingUnavailable)
async def create(signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """A new account, with the subscription that the form names."""
    try:
        async with dispatcher.database.transaction() as connection:
            account = await accounts.create(connection, form.get("name", ""))
            await subscriptions.set_status(connection, account.id, form.get("status", "active"))
    except InvalidRequest as error:
        return await _list_page(signed_in, dispatcher, error)
    return RedirectResponse(f"{SECTION}/{account.id}", status_code=303)


@router.get(f"{SECTION}/{{account_id}}")
@raises(errors.NotFound, errors.BillingUnavailable)
async def read(account_id: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """One account."""
    return await _page(signed_in, dispatcher, account_id)


@router.post(f"{SECTION}/{{account_id}}/subscription")
@raises(errors.NotFound, errors.InvalidRequest, errors.BillingUnavailable)
async def set_subscription(
    account_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep
) -> Response:
    """Set the subscription of an account that does not pay by Stripe."""
    async with dispatcher.database.transaction() as connection:
        account = await parameters.require_account(connection, account_id)
        if await stripe_customers.find(connection, account.id) is not None:
            raise InvalidRequest("the account pays by Stripe, which decides on its subscription; set it there")
        await subscriptions.set_status(connection, account.id, form.get("status", ""))
    return RedirectResponse(f"{SECTION}/{account_id}", status_code=303)


@router.post(f"{SECTION}/{{account_id}}/keys")
@raises(errors.NotFound, errors.InvalidRequest, errors.BillingUnavailable)
async def issue_key(account_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """Issue a key; this response alone shows it."""
    try:
        async with dispatcher.database.transaction() as connection:
            account = await parameters.require_account(connection, account_id)
            issued = await keys.issue(connection, account.id, label=form.get("label", "").strip() or None)
    except InvalidRequest as error:
        return await _page(signed_in, dispatcher, account_id, problem=error)
    return await _page(signed_in, dispatcher, account_id, issued=issued)


@router.post(f"{SECTION}/{{account_id}}/keys/{{key_id}}/revoke")
@raises(errors.NotFound, errors.InvalidRequest, errors.BillingUnavailable)
async def revoke_key(
    account_id: str, key_id: str, signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep
) -> Response:
    """Revoke a key: the next request with it is refused."""
    async with dispatcher.database.transaction() as connection:
        account = await parameters.require_account(connection, account_id)
        if key_id not in {row.id for row in await keys.list_keys(connection, account.id)}:
            raise errors.NotFound("the account has no such key; reload its page")
        await keys.revoke(connection, key_id)
    return RedirectResponse(f"{SECTION}/{account_id}#keys", status_code=303)


async def _list_page(signed_in: SignedIn, dispatcher: Dispatcher, problem: SpatialError | None = None) -> Response:
    return rendering.page(
        "accounts.html",
        signed_in,
        section=SECTION,
        status=200 if problem is None else problem.status,
        accounts=await parameters.list_accounts(dispatcher.database),
        statuses=subscriptions.STATUSES,
        problem="" if problem is None else problem.message,
    )


async def _page(
    signed_in: SignedIn,
    dispatcher: Dispatcher,
    account_id: str,
    *,
    issued: IssuedKey | None = None,
    problem: SpatialError | None = None,
) -> Response:
    async with dispatcher.database.transaction() as connection:
        account = await parameters.require_account(connection, account_id)
        rows = await keys.list_keys(connection, account.id)
        used = await standing.read_standing(connection, account.id)
        link = await stripe_customers.find(connection, account.id)
    status, unreadable = await _subscription(dispatcher, account.id)
    return rendering.page(
        "account.html",
        signed_in,
        section=SECTION,
        status=200 if problem is None else problem.status,
        account=account,
        keys=rows,
        issued=issued,
        problem="" if problem is None else problem.message,
        subscription=status,
        unreadable=unreadable,
        is_linked=link is not None,
        statuses=subscriptions.STATUSES,
        standing=_standing(dispatcher, status, used),
        per_key=f"{limits.BATCHES_IN_FLIGHT} in flight, {limits.BATCHES_PER_MINUTE} per minute",
    )


async def _subscription(dispatcher: Dispatcher, account_id: str) -> tuple[subscriptions.Status, str]:
    """The state that requests of the account are decided on; and why it cannot be read, if so."""
    try:
        return await dispatcher.billing.subscription(account_id), ""
    except errors.BillingUnavailable as error:
        return "none", error.message


def _standing(dispatcher: Dispatcher, status: subscriptions.Status, used: standing.Standing) -> list[dict[str, Any]]:
    """What was used of each limit, in the order of the page."""
    settings = dispatcher.settings
    ceilings = PlanCeilings.of(settings, status)
    rows = (
        ("Reasoning requests, this minute", used.responses_this_minute, ceilings.per_minute, "number"),
        ("Reasoning requests, this month (UTC)", used.responses_this_period, ceilings.per_period, "number"),
        ("Open uploads", used.uploads_open, settings.uploads_open, "number"),
        ("Size of open uploads", used.upload_bytes_open, settings.upload_bytes_open, "bytes"),
    )
    show = {"number": rendering.number, "bytes": rendering.size}
    listed = [
        {"name": name, "value": value, "most": most, "text": f"{show[unit](value)} of {show[unit](most)}"}
        for name, value, most, unit in rows
    ]
    return [
        *listed,
        {"name": "Batches in flight, all keys", "value": 0, "most": 0, "text": str(used.batches_in_flight)},
    ]
