"""How many reasoning requests an account may send: exact, by plan, in minutes and billing periods."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spatial.contract import limits
from storage.postgres import keys
from storage.settings import Settings
from tests.api.house import House, assert_fault, open_house
from tests.api.reasoning_house import counts, question, respond, respond_to_batch, small_solvers

NEVER_ENDS = "date_trunc('minute', clock_timestamp(), 'UTC') + interval '1 hour'"
"""A minute that the clock of the test does not leave; the row keeps the later of two windows."""


@pytest.fixture(autouse=True)
def _solvers() -> Iterator[None]:
    with small_solvers():
        yield


async def hold_minute(house: House, key: str, minute_count: int = 0) -> None:
    """Let the account's minute be one that does not end during the test."""
    account = house.accounts[key]
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql(
            "INSERT INTO response_counts VALUES "
            f"('{account}', {NEVER_ENDS}, {minute_count}, date_trunc('month', clock_timestamp(), 'UTC'), 0)"
        )


@pytest.mark.requirement("responses.ceilings-exact", "error.429.responses")
async def test_of_many_at_once_in_two_processes_exactly_as_many_pass_as_may(postgres_url: str, tmp_path: Path) -> None:
    """Two apps with pools of their own, as two processes have them; what is shared is Postgres alone."""
    settings: dict[str, Any] = {"responses_per_minute": 12}
    async with (
        open_house(postgres_url, tmp_path, **settings) as first,
        open_house(postgres_url, tmp_path, **settings) as second,
    ):
        key = await first.key()
        await hold_minute(first, key)
        answers = await asyncio.gather(*(respond((first, second)[n % 2], key, question()) for n in range(30)))
        assert Counter(answer.status_code for answer in answers) == {200: 12, 429: 18}
        assert len(first.dispatch.asked) + len(second.dispatch.asked) == 12 == len(await first.usage(key))
        assert await counts(first, key) == (12, 12)
        refused = next(answer for answer in answers if answer.status_code == 429)
        details = assert_fault(refused, 429, "rate_limit_exceeded")
        assert details == {"ceiling": "responses_per_minute", "limit": 12}
        assert 0 < int(refused.headers["retry-after"]) <= 2 * 3600


@pytest.mark.requirement("responses.ceilings-exact", "responses-batch.ceilings")
async def test_items_of_batches_and_requests_share_the_ceiling(postgres_url: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"responses_per_period": 20}
    async with (
        open_house(postgres_url, tmp_path, **settings) as first,
        open_house(postgres_url, tmp_path, **settings) as second,
    ):
        key = await first.key()
        await hold_minute(first, key)
        batches = [respond_to_batch((first, second)[n % 2], key, *[question()] * 4) for n in range(6)]
        singles = [respond((first, second)[n % 2], key, question()) for n in range(6)]
        answers = await asyncio.gather(*batches, *singles)
        items = [entry["status"] for answer in answers[:6] for entry in answer.json()["data"]]
        passed = Counter(items) + Counter(answer.status_code for answer in answers[6:])
        assert passed == {200: 20, 429: 10}
        assert len(await first.usage(key)) == 20 and await counts(first, key) == (20, 20)


@pytest.mark.requirement("responses-batch.ceilings", "idempotency.207-not-stored", "responses-batch.statuses")
async def test_the_items_beyond_the_ceiling_are_429_in_request_order(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, responses_per_minute=3) as house:
        key = await house.key()
        await hold_minute(house, key)
        items = [question(), 7, question(), question(), question("fit"), question("act")]
        answer = await respond_to_batch(house, key, *items, retry="one")
        found = answer.json()["data"]
        assert answer.status_code == 207
        assert [entry["status"] for entry in found] == [200, 400, 200, 200, 429, 429]
        assert found[4]["error"]["details"] == {"ceiling": "responses_per_minute", "limit": 3}
        assert found[4]["retry_after"] > 0
        again = await respond_to_batch(house, key, *items, retry="one")
        assert [entry["status"] for entry in again.json()["data"]] == [200, 400, 200, 200, 429, 429]
        assert "idempotency-replayed" not in again.headers and len(await house.usage(key)) == 3
        assert_fault(await respond(house, key, question()), 429, "rate_limit_exceeded")


@pytest.mark.requirement("responses.order", "order.replay-before-subscription", "error.429.responses")
async def test_a_refused_request_keeps_its_key_and_a_replay_is_not_counted(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, responses_per_minute=1) as house:
        key = await house.key()
        await hold_minute(house, key)
        assert (await respond(house, key, question(), retry="one")).status_code == 200
        assert_fault(await respond(house, key, question(), retry="two"), 429, "rate_limit_exceeded")
        assert (await respond(house, key, question(), retry="one")).headers["idempotency-replayed"] == "true"
        rows = await house.query(f"SELECT id FROM operations WHERE account_id = '{house.accounts[key]}'")
        assert len(rows) == 1


@pytest.mark.requirement("responses.ceilings-plan")
async def test_each_plan_has_its_ceilings_over_all_keys_of_the_account(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, trial_responses_per_period=1) as house:
        paid, trial = await house.key(), await house.key("trialing")
        async with house.dispatch.database.transaction() as connection:
            other = (await keys.issue(connection, house.accounts[trial])).secret
        for key in (paid, trial):
            await hold_minute(house, key)
        assert [(await respond(house, paid, question())).status_code for _ in range(3)] == [200] * 3
        assert (await respond(house, trial, question())).status_code == 200
        refused = await respond(house, other, question())
        details = assert_fault(refused, 429, "rate_limit_exceeded")
        assert details == {"ceiling": "responses_per_billing_period", "limit": 1}
        assert 0 < int(refused.headers["retry-after"]) <= 31 * 24 * 3600


@pytest.mark.requirement("responses.ceilings-plan")
def test_the_defaults_of_a_paid_plan_allow_600_a_minute_and_a_whole_batch_on_trial() -> None:
    settings = Settings()
    assert settings.responses_per_minute >= 600
    assert settings.responses_per_period >= settings.responses_per_minute
    assert settings.trial_responses_per_minute >= limits.BATCH_ITEMS


@pytest.mark.requirement("responses.ceilings-window")
async def test_a_new_window_counts_from_zero_and_the_other_goes_on(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, responses_per_minute=1, responses_per_period=2) as house:
        key = await house.key()
        account = house.accounts[key]

        async def move(window: str) -> None:
            async with house.dispatch.database.transaction() as connection:
                await connection.exec_driver_sql(
                    f"UPDATE response_counts SET {window}_began_at = {window}_began_at - interval '40 days'"
                    f" WHERE account_id = '{account}'"
                )

        assert (await respond(house, key, question())).status_code == 200
        await move("minute")
        assert (await respond(house, key, question())).status_code == 200
        assert await counts(house, key) == (1, 2)
        await move("minute")
        refused = await respond(house, key, question())
        assert assert_fault(refused, 429, "rate_limit_exceeded")["ceiling"] == "responses_per_billing_period"
        assert await counts(house, key) == (1, 2), "a refused request leaves the row as it was"
        await move("period")
        assert (await respond(house, key, question())).status_code == 200
        assert await counts(house, key) == (1, 1)
