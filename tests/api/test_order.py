"""The order of checks (INTERPRETATION 8): each test breaks two rules at once and sees which one is named."""

from __future__ import annotations

import base64

import pytest

from tests.api.house import EXTRACT, House, assert_fault, headers

BIG = b" " * 6_291_457
BAD_KEY = "has space"


@pytest.mark.requirement("order.size-before-auth", "error.413.body", "limit.body")
async def test_body_size_before_key(house: House) -> None:
    assert_fault(await house.client.post(EXTRACT, content=BIG), 413, "request_too_large")


@pytest.mark.requirement("order.auth-before-idempotency-form")
async def test_key_before_the_form_of_idempotency_key(house: House) -> None:
    assert_fault(await house.extract("nonsense", retry=BAD_KEY), 401, "authentication_error")


@pytest.mark.requirement("order.idempotency-form-before-body", "error.400.idempotency-key")
async def test_form_of_idempotency_key_before_body(house: House, key: str) -> None:
    answer = await house.client.post(EXTRACT, content=b"{", headers=headers(key, BAD_KEY))
    assert assert_fault(answer, 400, "invalid_request_error") == {"header": "Idempotency-Key"}


@pytest.mark.requirement("order.body-before-extension")
async def test_body_before_extension(house: House, key: str) -> None:
    answer = await house.extract(key, file_name="part.sldprt", content_base64="?")
    assert_fault(answer, 400, "invalid_request_error")


@pytest.mark.requirement("order.extension-before-replay")
async def test_extension_before_idempotency(house: House, key: str) -> None:
    assert (await house.extract(key, retry="one")).status_code == 200
    assert_fault(await house.extract(key, retry="one", file_name="part.sldprt"), 415, "unsupported_file_type")


@pytest.mark.requirement("order.replay-before-subscription", "idempotency.replay-before-money")
async def test_idempotency_before_subscription(house: House, key: str) -> None:
    assert (await house.extract(key, retry="one")).status_code == 200
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'canceled'")
    assert (await house.extract(key, retry="one")).headers["idempotency-replayed"] == "true"
    other = base64.b64encode(b"another file").decode()
    assert_fault(await house.extract(key, retry="one", content_base64=other), 409, "idempotency_conflict")
    assert_fault(await house.extract(key, retry="two"), 402, "payment_required")


@pytest.mark.requirement("order.subscription-before-claim", "idempotency.refused-keeps-key")
async def test_a_refused_request_does_not_take_its_key(house: House) -> None:
    key = await house.key("canceled")
    assert_fault(await house.extract(key, retry="one"), 402, "payment_required")
    assert_fault(await house.extract(key, retry="one", content_base64="?"), 400, "invalid_request_error")
    assert_fault(await house.extract(key, retry="one", file_name="part.dwg"), 415, "unsupported_file_type")
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE subscriptions SET status = 'active'")
    other = base64.b64encode(b"another payload").decode()
    answer = await house.extract(key, retry="one", content_base64=other)
    assert answer.status_code == 200 and "idempotency-replayed" not in answer.headers
