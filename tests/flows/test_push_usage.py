"""The flow `push-usage` as Prefect runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from flows.housekeeping import push_usage
from pipelines.resources import Resources
from tests.flows.conftest import RunFlow
from tests.storage.actors import execute
from tests.storage.linked import charged, linked
from tests.support.stripe_server import INPUT, StripeServer, stripe_server


@pytest.fixture
def stripe(resources: Resources) -> Iterator[StripeServer]:
    """A Stripe that the resources' settings lead to."""
    with stripe_server() as server:
        chosen: dict[str, Any] = server.settings()
        chosen["stripe_key"] = SecretStr(chosen["stripe_key"])
        resources.settings = resources.settings.model_copy(update=chosen)
        yield server


async def returned(run_flow: RunFlow) -> dict[str, int]:
    """What a run returns."""
    counts: dict[str, int] = await (await run_flow(push_usage)).aresult()
    return counts


@pytest.mark.requirement("stripe.meters", "stripe.concurrent-runs", "stripe.exactly-once")
async def test_usage_is_pushed_once_by_runs_at_the_same_time(
    run_flow: RunFlow, resources: Resources, stripe: StripeServer
) -> None:
    who, customer_id = await linked(resources.database)
    await charged(resources.database, who, 100)
    stripe.faults.append("hang after")
    first = asyncio.create_task(returned(run_flow))
    assert await asyncio.to_thread(stripe.arrived.wait, 60)
    assert await returned(run_flow) == {}
    stripe.released.set()
    assert (await first)["accepted"] == 2
    assert stripe.total(INPUT, customer_id) == 100 and set(stripe.sent().values()) == {1}


@pytest.mark.requirement("stripe.bad-row", "stripe.too-old")
async def test_a_run_counts_what_it_does_not_send(
    run_flow: RunFlow, resources: Resources, stripe: StripeServer
) -> None:
    who, _ = await linked(resources.database)
    stripe.refused_values = {"666"}
    await charged(resources.database, who, 666)
    old = await charged(resources.database, who)
    moved = "UPDATE meter_events SET occurred_at = occurred_at - interval '36 days' WHERE operation_id = :id"
    await execute(resources.database, moved, id=old)
    counts = await returned(run_flow)
    assert (counts["accepted"], counts["rejected"], counts["expired"]) == (1, 1, 2)


@pytest.mark.requirement("stripe.default")
async def test_without_a_key_a_run_sends_nothing(run_flow: RunFlow, resources: Resources) -> None:
    assert await returned(run_flow) == {}
