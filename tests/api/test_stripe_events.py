"""The API of a deployment whose accounts pay by Stripe: the gate of billed requests, and the route of Stripe's events."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from billing import provider
from spatial.contract.routes import STRIPE_ROUTE
from storage.postgres import stripe_customers
from tests.api.house import House, assert_fault, open_house
from tests.support.stripe_server import StripeServer, sign, stripe_server, subscription_event


@pytest.fixture
async def paid(postgres_url: str, tmp_path: Path) -> AsyncIterator[tuple[House, StripeServer]]:
    """An API and its Stripe."""
    with stripe_server() as stripe:
        settings = {name: value for name, value in stripe.settings().items() if value is not None}
        async with open_house(postgres_url, tmp_path, **settings) as house:
            yield house, stripe


async def linked_key(house: House, stripe: StripeServer, customer_id: str, *statuses: str) -> str:
    """A key of an account whose local state is active, and which is linked."""
    key = await house.key()
    async with house.dispatch.database.transaction() as connection:
        await stripe_customers.link(connection, house.accounts[key], customer_id)
    stripe.customers[customer_id] = list(statuses)
    return key


async def post(house: House, body: bytes, signature: str | None) -> httpx.Response:
    """Deliver an event."""
    headers = {"Stripe-Signature": signature} if signature is not None else {}
    return await house.client.post(STRIPE_ROUTE, content=body, headers={"Content-Type": "application/json", **headers})


@pytest.mark.requirement("stripe.gate", "stripe.unavailable", "auth.active-or-trialing")
async def test_a_billed_request_is_decided_on_what_stripe_has(
    paid: tuple[House, StripeServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "LOOKUP_SECONDS", 0.5)
    house, stripe = paid
    for place, status in enumerate(("active", "trialing")):
        assert (await house.extract(await linked_key(house, stripe, f"cus_paying{place}", status))).status_code == 200
    unpaid = await linked_key(house, stripe, "cus_unpaid", "unpaid")
    assert assert_fault(await house.extract(unpaid), 402, "payment_required") == {"subscription": "past_due"}
    unknown = await linked_key(house, stripe, "cus_hanging", "active")
    stripe.fault = "hang"
    assert_fault(await house.extract(unknown), 503, "billing_unavailable")
    assert await house.usage(unknown) == []


@pytest.mark.requirement("stripe.events", "stripe.gate")
async def test_a_cancellation_counts_with_the_next_request(paid: tuple[House, StripeServer]) -> None:
    house, stripe = paid
    key = await linked_key(house, stripe, "cus_cancels", "active")
    assert (await house.extract(key)).status_code == 200
    stripe.customers["cus_cancels"] = ["canceled"]
    body = subscription_event("cus_cancels", "deleted")
    for _ in range(3):  # replays change nothing
        answer = await post(house, body, sign(body))
        assert answer.status_code == 204 and answer.content == b"" and answer.headers["x-request-id"]
        assert_fault(await house.extract(key), 402, "payment_required")


@pytest.mark.requirement("stripe.signature")
async def test_an_event_without_a_right_and_recent_signature_is_400(paid: tuple[House, StripeServer]) -> None:
    house, stripe = paid
    await linked_key(house, stripe, "cus_signed", "active")
    body = subscription_event("cus_signed")
    wrong = {
        "none": (body, None),
        "of another secret": (body, sign(body, secret="whsec_another")),
        "of another body": (body + b" ", sign(body)),
        "too old": (body, sign(body, at=time.time() - 330)),
        "no event": (b"[]", sign(b"[]")),
    }
    for name, (sent, signature) in wrong.items():
        assert_fault(await post(house, sent, signature), 400, "invalid_request_error")
        assert stripe.received == [], name
    assert (await post(house, body, sign(body, at=time.time() - 270))).status_code == 204
    now = time.time()
    rolled = (
        f"{sign(body, secret='whsec_old', at=now)},{sign(body, at=now).partition(',')[2]}"  # while a secret is rolled
    )
    assert (await post(house, body, rolled)).status_code == 204


@pytest.mark.requirement("stripe.events")
async def test_an_event_that_cannot_be_followed_is_503_so_that_stripe_sends_it_again(
    paid: tuple[House, StripeServer],
) -> None:
    house, stripe = paid
    await linked_key(house, stripe, "cus_later", "active")
    stripe.fault = (500, {})
    body = subscription_event("cus_later")
    assert_fault(await post(house, body, sign(body)), 503, "billing_unavailable")


@pytest.mark.requirement("stripe.body-size")
async def test_a_body_over_the_limit_is_413_declared_or_not(paid: tuple[House, StripeServer]) -> None:
    house, _ = paid
    large = b" " * 262_145

    async def pieces() -> AsyncIterator[bytes]:
        yield large

    for content in (large, pieces()):
        any_content: Any = content
        answer = await house.client.post(STRIPE_ROUTE, content=any_content, headers={"Stripe-Signature": "t=1,v1=ab"})
        assert_fault(answer, 413, "request_too_large")
        assert "body" in answer.json()["error"]["message"]


@pytest.mark.requirement("stripe.default")
async def test_without_the_secret_there_is_no_such_route(house: House, postgres_url: str, tmp_path: Path) -> None:
    body = subscription_event("cus_1")
    assert_fault(await post(house, body, sign(body)), 404, "not_found")
    with stripe_server() as stripe:
        settings = stripe.settings() | {"stripe_webhook_secret": None}
        async with open_house(postgres_url, tmp_path, **settings) as other:
            assert_fault(await post(other, body, sign(body)), 404, "not_found")


@pytest.mark.requirement("stripe.events")
@pytest.mark.parametrize("customer", ["cus_\u0000", "cus_\ud800", "", "cus_" + "a" * 500])
async def test_a_signed_event_of_a_customer_that_cannot_exist_is_nobodys(
    paid: tuple[House, StripeServer], customer: str
) -> None:
    house, _ = paid
    event = {**json.loads(subscription_event("cus_odd")), "data": {"object": {"id": "sub_1", "customer": customer}}}
    body = json.dumps(event).encode()
    assert (await post(house, body, sign(body))).status_code == 204
