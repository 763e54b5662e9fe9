"""Usage reaches Stripe's meters exactly once, whatever is killed, refused, limited or away."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from billing.push import TAKEN, Pushed, push_usage
from storage.postgres import meter_events, stripe_customers, usage
from storage.postgres.database import Database
from storage.settings import Settings, to_environment
from tests.storage.actors import Customer, begun, charge, customer, fetch_column
from tests.storage.linked import charged, grow_old, linked
from tests.support.stack import ROOT
from tests.support.stripe_server import INPUT, OUTPUT, StripeServer


@pytest.fixture
def postgres_url(fresh_postgres_url: str) -> str:
    """A database of the test's own: a run sends the events of all accounts."""
    return fresh_postgres_url


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """A pool on it."""
    opened = Database(postgres_url)
    yield opened
    await opened.close()


async def push(settings: Settings, database: Database) -> Pushed:
    """A run that does not wait for Stripe to recover."""
    return await push_usage(settings, database, pauses=())


async def states(database: Database, who: Customer) -> list[str]:
    """States of the meter events of an account."""
    query = "SELECT state FROM meter_events WHERE account_id = :id ORDER BY occurred_at, meter"
    return [str(state) for state in await fetch_column(database, query, id=who.account_id)]


@pytest.mark.requirement("stripe.meters")
async def test_tokens_of_linked_accounts_reach_both_meters_once(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    (who, customer_id), local = await linked(database), await customer(database)
    operations = [await charged(database, who, tokens) for tokens in (100, 7)]
    await charged(database, local, 1000)
    pushed = await push(settings, database)
    assert (pushed.accepted, pushed.left, pushed.unlinked_accounts) == (4, 0, 1)
    assert stripe.total(INPUT, customer_id) == 107 and stripe.total(OUTPUT, customer_id) == 214
    assert set(stripe.counted) == {f"{op}:0:{meter}" for op in operations for meter in ("input", "output")}
    [written] = await fetch_column(
        database, "SELECT extract(epoch FROM created_at) FROM usage WHERE operation_id = :id", id=operations[0]
    )
    assert int(stripe.counted[f"{operations[0]}:0:input"]["timestamp"]) == int(written)
    assert stripe.limited == []
    again = await push(settings, database)
    assert again.accepted == 0 and set(stripe.sent().values()) == {1}
    assert await states(database, who) == ["accepted"] * 4 and await states(database, local) == []


@pytest.mark.requirement("stripe.outbox")
async def test_a_charge_and_its_events_are_written_together_or_not_at_all(database: Database) -> None:
    who, _ = await linked(database)
    row = charge(who, await begun(database, who), tokens=5)

    async def break_off() -> None:
        async with database.transaction() as connection:
            assert await usage.record_usage(connection, row)
            raise LookupError

    with pytest.raises(LookupError):
        await break_off()
    assert await states(database, who) == []
    for is_new in (True, False):
        async with database.transaction() as connection:
            assert await usage.record_usage(connection, row) is is_new
    assert await states(database, who) == ["pending"] * 2
    free = charge(who, await begun(database, who), tokens=0)
    async with database.transaction() as connection:
        assert await usage.record_usage(connection, free)
    assert len(await states(database, who)) == 2


@pytest.mark.requirement("stripe.since-link")
async def test_usage_from_before_the_link_is_not_sent_and_from_before_its_end_is(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who = await customer(database)
    await charged(database, who, 1)
    async with database.transaction() as connection:
        await stripe_customers.link(connection, who.account_id, "cus_later")
    await charged(database, who, 20)
    async with database.transaction() as connection:
        await stripe_customers.unlink(connection, who.account_id)
    await charged(database, who, 300)
    await push(settings, database)
    assert stripe.total(INPUT, "cus_later") == 20


@pytest.mark.requirement("stripe.exactly-once")
async def test_a_run_that_is_killed_after_stripe_accepted_counts_nothing_twice(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, customer_id = await linked(database)
    for tokens in (100, 20, 3):
        await charged(database, who, tokens)
    stripe.faults.extend(["none", "none", "hang after"])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)} | to_environment(settings)
    pusher = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.billing.pusher", cwd=ROOT, env=environment
    )
    assert await asyncio.to_thread(stripe.arrived.wait, 60)
    pusher.kill()  # SIGKILL
    assert await pusher.wait() == -signal.SIGKILL
    stripe.released.set()
    assert await states(database, who) == ["pending"] * 6 and stripe.counted
    pushed = await push(settings, database)
    assert pushed.accepted == 6 and pushed.left == 0
    assert max(stripe.sent().values()) == 2
    assert stripe.total(INPUT, customer_id) == 123 and stripe.total(OUTPUT, customer_id) == 246


@pytest.mark.requirement("stripe.exactly-once")
@pytest.mark.parametrize("fault", ["cut", "cut after", (500, {})], ids=str)
async def test_an_unknown_outcome_is_sent_again_under_the_same_identifier(
    settings: Settings, database: Database, stripe: StripeServer, fault: Any
) -> None:
    who, customer_id = await linked(database)
    await charged(database, who, 100)
    stripe.faults.extend([fault, fault])
    pushed = await push(settings, database)
    assert (pushed.accepted, pushed.left) == (0, 2)
    pushed = await push(settings, database)
    assert (pushed.accepted, pushed.left) == (2, 0)
    assert stripe.total(INPUT, customer_id) == 100 and set(stripe.sent().values()) == {2}


@pytest.mark.requirement("stripe.concurrent-runs")
async def test_two_runs_at_the_same_time_count_nothing_twice(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, customer_id = await linked(database)
    for tokens in range(1, 41):
        await charged(database, who, tokens)
    await asyncio.gather(*(push(settings, database) for _ in range(3)))  # they get in each other's way: 429
    await push(settings, database)
    assert stripe.total(INPUT, customer_id) == 820
    assert await states(database, who) == ["accepted"] * 80


@pytest.mark.requirement("stripe.rate-limit")
async def test_limits_and_outages_end_after_some_waits_and_the_next_run_goes_on(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, customer_id = await linked(database)
    for tokens in range(1, TAKEN):
        await charged(database, who, tokens)
    stripe.faults.extend([(429, {}), (429, {"Retry-After": "0"}), (500, {})])
    pushed = await push_usage(settings, database, pauses=(0.0,))
    assert pushed.left == 0 and stripe.total(INPUT, customer_id) == sum(range(1, TAKEN)) and stripe.limited == []
    await charged(database, who, 1000)
    stripe.fault = (429, {})
    before = len(stripe.received)
    pushed = await push_usage(settings, database, pauses=(0.0, 0.0))
    assert (pushed.accepted, pushed.left) == (0, 2) and len(stripe.received) == before + 6
    stripe.fault = None
    assert (await push(settings, database)).accepted == 2


@pytest.mark.requirement("stripe.rate-limit")
async def test_a_stripe_that_is_away_is_not_asked_for_every_event(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, _ = await linked(database)
    for _ in range(30):
        await charged(database, who)
    stripe.fault = "cut"
    pushed = await push(settings, database)
    assert pushed.left == 60 and len(stripe.received) <= 4


@pytest.mark.requirement("stripe.bad-row")
async def test_an_event_that_stripe_refuses_blocks_no_other_and_is_shown(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    (who, customer_id), (other, _) = await linked(database), await linked(database)
    stripe.refused_values, stripe.failing_values = {"666"}, {"1332"}
    for tokens in (666, 100, 20):
        await charged(database, who, tokens)
    await charged(database, other)
    pushed = await push_usage(settings, database, pauses=(0.0, 0.0))
    assert (pushed.accepted, pushed.rejected, pushed.left) == (6, 1, 1)
    assert "No active meter found" in next(iter(pushed.problems))
    async with database.transaction() as connection:
        [shown] = await meter_events.list_unsent(connection)
    assert (shown.state, shown.events, shown.input_tokens, shown.output_tokens) == ("rejected", 1, 666, 0)
    assert "No active meter found" in (shown.problem or "")
    stripe.refused_values, stripe.failing_values = set(), set()
    assert (await push(settings, database)).accepted == 1
    async with database.transaction() as connection:
        assert await meter_events.resend(connection, other.account_id, ["rejected"]) == 0
        assert await meter_events.resend(connection, who.account_id, ["rejected"]) == 1
    assert (await push(settings, database)).accepted == 1 and stripe.total(INPUT, customer_id) == 786


@pytest.mark.requirement("stripe.too-old")
async def test_what_stripe_no_longer_takes_is_reported_and_not_sent(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, _ = await linked(database)
    await charged(database, who)
    await grow_old(database, who, occurred_at="35 days")
    pushed = await push(settings, database)
    assert (pushed.expired, pushed.accepted, pushed.left) == (2, 0, 0) and stripe.received == []
    assert await states(database, who) == ["expired"] * 2
    async with database.transaction() as connection:
        [shown] = await meter_events.list_unsent(connection)
        assert shown.events == 2 and "35 days" in (shown.problem or "")
        assert await meter_events.dismiss(connection, who.account_id, ["expired"]) == 2
        assert await meter_events.list_unsent(connection) == []
    await charged(database, who, 5)
    await grow_old(database, who, occurred_at="34 days 20 hours")
    assert (await push(settings, database)).accepted == 2


@pytest.mark.requirement("stripe.uncertain")
async def test_an_unknown_outcome_that_stripe_may_have_forgotten_is_reported_and_not_sent(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, customer_id = await linked(database)
    await charged(database, who)
    stripe.fault = "cut after"
    await push(settings, database)
    stripe.fault = None
    await grow_old(database, who, attempted_at="23 hours 1 minute")
    pushed = await push(settings, database)
    assert (pushed.uncertain, pushed.accepted) == (2, 0)
    assert await states(database, who) == ["uncertain"] * 2 and set(stripe.sent().values()) == {1}
    stripe.counted.clear()  # forgotten
    async with database.transaction() as connection:
        assert await meter_events.resend(connection, who.account_id, ["rejected", "uncertain"]) == 2
    assert (await push(settings, database)).accepted == 2 and stripe.total(INPUT, customer_id) == 100


@pytest.mark.requirement("stripe.uncertain")
async def test_an_outcome_that_is_known_to_be_none_leaves_no_doubt(
    settings: Settings, database: Database, stripe: StripeServer
) -> None:
    who, _ = await linked(database)
    await charged(database, who)
    attempted = "SELECT count(attempted_at) FROM meter_events"
    stripe.fault = (429, {})
    await push(settings, database)
    assert await fetch_column(database, attempted) == [0]
    stripe.fault = "cut"
    await push(settings, database)
    stripe.fault = (401, {})
    await push(settings, database)
    assert await fetch_column(database, attempted) == [2]


@pytest.mark.requirement("stripe.meters")
async def test_accepted_events_are_deleted_after_a_while(settings: Settings, database: Database) -> None:
    who, _ = await linked(database)
    await charged(database, who)
    await push(settings, database)
    await grow_old(database, who, settled_at="89 days")
    await push(settings, database)
    assert len(await states(database, who)) == 2
    await grow_old(database, who, settled_at="91 days")
    await push(settings, database)
    assert await states(database, who) == []
