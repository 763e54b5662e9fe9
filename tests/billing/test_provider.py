"""Subscriptions of accounts that pay by Stripe: what is asked, what is remembered, and what counts while Stripe is away."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from billing import provider
from billing.provider import BEST_FIRST, StripeBilling, best_status, open_billing
from spatial.errors import BillingUnavailable, InvalidRequest
from storage.postgres import stripe_customers, subscriptions
from storage.postgres.database import Database
from storage.postgres.subscriptions import LocalBilling
from storage.settings import Settings
from tests.storage.actors import customer, execute
from tests.storage.linked import link, linked
from tests.support.stack import ROOT
from tests.support.stripe_server import SECRET, StripeServer, sign, subscription_event


@pytest.fixture
async def billing(settings: Settings, database: Database) -> AsyncIterator[StripeBilling]:
    """The provider of one API process."""
    opened = open_billing(settings, database)
    assert isinstance(opened, StripeBilling)
    yield opened
    await opened.close()


async def account(database: Database, stripe: StripeServer, *statuses: str) -> tuple[str, str]:
    """A linked account whose Stripe customer has such subscriptions: ids of both."""
    who, customer_id = await linked(database)
    stripe.customers[customer_id] = list(statuses)
    return who.account_id, customer_id


async def age(database: Database, account_id: str, seconds: int) -> None:
    """Let what was read be so old."""
    moved = f"UPDATE stripe_customers SET read_at = clock_timestamp() - interval '{seconds} s' WHERE account_id = :id"
    await execute(database, moved, id=account_id)


@pytest.mark.requirement("stripe.statuses")
@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (["active"], "active"),
        (["trialing"], "trialing"),
        (["past_due"], "past_due"),
        (["unpaid"], "past_due"),
        (["paused"], "past_due"),
        (["incomplete"], "none"),
        (["incomplete_expired"], "canceled"),
        (["canceled"], "canceled"),
        ([], "none"),
        (["canceled", "past_due", "trialing"], "trialing"),
        (["past_due", "canceled", "active", "trialing"], "active"),
        (["unpaid"] * 120 + ["active"], "active"),
    ],
    ids=lambda value: "+".join(value)[:40] if isinstance(value, list) else value,
)
async def test_the_best_subscription_of_a_customer_counts(
    billing: StripeBilling, database: Database, stripe: StripeServer, statuses: list[str], expected: str
) -> None:
    account_id, _ = await account(database, stripe, *statuses)
    assert await billing.subscription(account_id) == expected


@pytest.mark.requirement("stripe.statuses")
def test_a_status_that_stripe_adds_does_not_pay() -> None:
    assert best_status(["brand_new"]) == "none" and best_status(["brand_new", "active"]) == "active"
    assert set(BEST_FIRST) == set(subscriptions.STATUSES)


@pytest.mark.requirement("stripe.unlinked")
async def test_an_account_without_a_customer_keeps_its_local_state(
    billing: StripeBilling, database: Database, stripe: StripeServer
) -> None:
    who = await customer(database)
    assert await billing.subscription(who.account_id) == "none"
    async with database.transaction() as connection:
        await subscriptions.set_status(connection, who.account_id, "active")
    assert await billing.subscription(who.account_id) == "active"
    assert stripe.received == []
    stripe.customers[await link(database, who)] = []
    assert await billing.subscription(who.account_id) == "none"


@pytest.mark.requirement("stripe.default")
async def test_without_a_key_the_local_table_decides(database: Database, settings: Settings) -> None:
    local = settings.model_copy(update={"stripe_key": None})
    opened = open_billing(local, database)
    assert isinstance(opened, LocalBilling)
    await opened.close()


@pytest.mark.requirement("stripe.linking")
async def test_an_account_has_one_customer_and_a_customer_one_account(database: Database) -> None:
    (one, customer_id), other = await linked(database), await customer(database)
    for who, wrong in ((other, customer_id), (one, "cus_another"), (other, "sub_1"), (other, "cus_1 ")):
        with pytest.raises(InvalidRequest):
            async with database.transaction() as connection:
                await stripe_customers.link(connection, who.account_id, wrong)
    async with database.transaction() as connection:
        await stripe_customers.link(connection, one.account_id, customer_id)
        assert await stripe_customers.unlink(connection, one.account_id)
        assert not await stripe_customers.unlink(connection, one.account_id)
        await stripe_customers.link(connection, other.account_id, customer_id)


@pytest.mark.requirement("stripe.cache")
async def test_stripe_is_asked_once_a_minute_for_all_processes(
    billing: StripeBilling, settings: Settings, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    other = open_billing(settings, database)
    for asked in (billing, other, billing):
        assert await asked.subscription(account_id) == "active"
    await other.close()
    assert stripe.lookups(customer_id) == 1
    await age(database, account_id, 61)
    stripe.customers[customer_id] = ["past_due"]
    assert await billing.subscription(account_id) == "past_due"
    assert await billing.subscription(account_id) == "past_due" and stripe.lookups(customer_id) == 2
    await age(database, account_id, 11)
    stripe.customers[customer_id] = ["active"]
    assert await billing.subscription(account_id) == "active"


@pytest.mark.requirement("stripe.single-flight")
async def test_requests_at_the_same_time_share_one_lookup(
    billing: StripeBilling, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    stripe.faults.append("hang")
    asked = [asyncio.create_task(billing.subscription(account_id)) for _ in range(12)]
    await asyncio.to_thread(stripe.arrived.wait, 30)
    asked[0].cancel()  # whoever began it leaves, and the others still get their answer
    stripe.released.set()
    assert await asyncio.gather(*asked[1:]) == ["active"] * 11
    assert stripe.lookups(customer_id) == 1


@pytest.mark.requirement("stripe.unavailable")
@pytest.mark.parametrize(
    "fault", ["hang", "cut", (500, {}), (429, {"Retry-After": "7"}), (401, {}), (409, {})], ids=str
)
async def test_what_is_not_known_is_unavailable_and_not_asked_again_at_once(
    billing: StripeBilling, database: Database, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch, fault: object
) -> None:
    monkeypatch.setattr(provider, "LOOKUP_SECONDS", 0.2)
    account_id, customer_id = await account(database, stripe, "active")
    stripe.fault = fault  # type: ignore[assignment]
    with pytest.raises(BillingUnavailable, match="try again") as first:
        await billing.subscription(account_id)
    asked = stripe.lookups(customer_id)
    with pytest.raises(BillingUnavailable) as second:
        await billing.subscription(account_id)
    assert stripe.lookups(customer_id) == asked == 1
    for raised in (first, second):
        assert raised.value.retry_after is not None and raised.value.retry_after >= 1


@pytest.mark.requirement("stripe.stale")
async def test_a_paying_state_counts_for_an_hour_while_stripe_is_away(
    billing: StripeBilling, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    unpaid, _ = await account(database, stripe, "past_due")
    assert [await billing.subscription(one) for one in (account_id, unpaid)] == ["active", "past_due"]
    stripe.fault = "cut"
    await age(database, account_id, 3500)
    await age(database, unpaid, 3500)
    assert await billing.subscription(account_id) == "active"
    with pytest.raises(BillingUnavailable):
        await billing.subscription(unpaid)
    await age(database, account_id, 3601)
    with pytest.raises(BillingUnavailable):
        await billing.subscription(account_id)
    assert stripe.lookups(customer_id) == 2


@pytest.mark.requirement("stripe.unknown-customer")
async def test_a_customer_that_stripe_does_not_know_does_not_pay(
    billing: StripeBilling, database: Database, stripe: StripeServer
) -> None:
    who, _ = await linked(database)
    assert await billing.subscription(who.account_id) == "none"


@pytest.mark.requirement("stripe.events")
async def test_an_event_counts_in_every_process_with_the_state_that_stripe_has(
    billing: StripeBilling, settings: Settings, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    other = open_billing(settings, database)
    assert await other.subscription(account_id) == "active"
    stripe.customers[customer_id] = ["canceled"]
    late = subscription_event(customer_id, "created", status="active")
    for _ in range(2):  # delivered twice, and long after the cancellation
        await billing.receive_event(late, sign(late))
    assert await other.subscription(account_id) == "canceled"
    await other.close()


@pytest.mark.requirement("stripe.events")
async def test_a_lookup_from_before_an_event_does_not_write_over_it(
    billing: StripeBilling, settings: Settings, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    async with database.transaction() as connection:
        early = await stripe_customers.begin_lookup(connection, account_id)
    assert early is not None
    stripe.customers[customer_id] = ["canceled"]
    body = subscription_event(customer_id, "deleted")
    await billing.receive_event(body, sign(body))
    async with database.transaction() as connection:
        await stripe_customers.end_lookup(connection, account_id, early, "active")
    assert await billing.subscription(account_id) == "canceled"


@pytest.mark.requirement("stripe.events", "stripe.stale")
async def test_an_event_that_cannot_be_followed_is_sent_again_and_no_older_state_counts(
    billing: StripeBilling, database: Database, stripe: StripeServer
) -> None:
    account_id, customer_id = await account(database, stripe, "active")
    assert await billing.subscription(account_id) == "active"
    stripe.fault = (503, {})
    body = subscription_event(customer_id, "deleted")
    with pytest.raises(BillingUnavailable):
        await billing.receive_event(body, sign(body))
    with pytest.raises(BillingUnavailable):
        await billing.subscription(account_id)


@pytest.mark.requirement("stripe.events")
async def test_events_of_others_ask_nothing(billing: StripeBilling, database: Database, stripe: StripeServer) -> None:
    _, customer_id = await account(database, stripe, "active")
    invoice = subscription_event(customer_id).replace(b"customer.subscription.updated", b"invoice.paid")
    for body in (subscription_event("cus_ofanother"), invoice):
        await billing.receive_event(body, sign(body))
    assert stripe.received == []


PROBE = """
import asyncio, sys
from billing.stripe_api import open_api
from storage import settings
async def main():
    async with open_api(settings.load(), 10) as api:
        await api.read_statuses("cus_1")
        await api.read_statuses("cus_1")
asyncio.run(main())
"""


@pytest.mark.requirement("stripe.environment")
def test_nothing_of_the_machine_is_sent_and_the_environment_changes_nothing(stripe: StripeServer) -> None:
    stripe.customers["cus_1"] = ["active"]
    ours = {f"SPATIAL_{name.upper()}": value for name, value in stripe.settings().items()}
    foreign = {
        "STRIPE_LOG": "debug",
        "CURSOR_AGENT": "1",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "XDG_CONFIG_HOME": "/nonexistent",
    }
    plain = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROBE], env=plain | ours | foreign, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert len(stripe.received) == 2
    for request in stripe.received:
        assert not {"x-stripe-client-user-agent", "x-stripe-client-telemetry"} & request.headers.keys()
        assert request.headers["user-agent"] == "spatial-geometry-service"


@pytest.mark.requirement("stripe.signature")
@pytest.mark.parametrize(
    "signature",
    [None, "", "t=1", "v1=ab", "t=1,v1=ø", "t=x,v1=ab", f"t={'9' * 5000},v1=ab", "t=1,v1=ab,v1=cd"],
    ids=lambda value: str(value)[:20],
)
async def test_a_signature_in_any_form_but_the_right_one_is_refused(
    billing: StripeBilling, signature: str | None
) -> None:
    with pytest.raises(InvalidRequest, match="Stripe-Signature"):
        await billing.receive_event(subscription_event("cus_1"), signature)


@pytest.mark.requirement("stripe.signature")
@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"[]", b"{}", b'{"id": 1}', b"[" * 100_000], ids=lambda body: repr(body[:9])
)
async def test_what_is_signed_and_no_event_is_refused(billing: StripeBilling, body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        await billing.receive_event(body, sign(body, secret=SECRET))
