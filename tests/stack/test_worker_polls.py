"""What the Prefect server of the stack answers a worker that asks whether a run is due."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.states import Scheduled

from prefect_runtime.client import PrefectApi
from prefect_runtime.names import WORKER_TYPE
from prefect_runtime.polls import Answer, Poll
from tests.support.stack import RunningStack

pytestmark = [pytest.mark.usefixtures("patient"), pytest.mark.requirement("worker.small-poll")]

NEVER = timedelta(days=300)
QUEUE, OTHER = "default", "other"


@pytest.fixture
async def pool(stack: RunningStack) -> AsyncIterator[tuple[PrefectClient, str]]:
    """A client of the stack's Prefect server, and a work pool of this test alone with two queues."""
    known = stack.addresses
    async with PrefectClient(known["prefect_api_url"], auth_string=known["prefect_auth"]) as client:
        name = f"polled-{uuid4().hex[:8]}"
        await client.create_work_pool(WorkPoolCreate(name=name, type=WORKER_TYPE))
        await client.create_work_queue(OTHER, work_pool_name=name)
        yield client, name
        await client.delete_work_pool(name)


async def ask(pool: tuple[PrefectClient, str], worker: str = "nobody", **choice: Any) -> Answer:
    """The answer to one poll."""
    client, name = pool
    answer = await PrefectApi.sharing(client).ask_for_runs(name, Poll(worker=worker, within_seconds=1, **choice))
    assert answer is not None  # the server of the stack has the route
    return answer


async def schedule(pool: tuple[PrefectClient, str], queue: str, after: timedelta) -> None:
    """A run of a queue of the pool that is to start after a time."""
    client, name = pool
    flow = await client.create_flow_from_name("polled")
    deployment = await client.create_deployment(
        flow, f"polled-{queue}", work_pool_name=name, work_queue_name=queue, entrypoint="polled"
    )
    await client.create_flow_run_from_deployment(deployment, state=Scheduled(scheduled_time=datetime.now(UTC) + after))


async def test_a_run_is_due_from_its_start_on_and_in_the_queues_that_the_worker_takes(
    pool: tuple[PrefectClient, str],
) -> None:
    assert not (await ask(pool)).due
    await schedule(pool, QUEUE, NEVER)
    assert not (await ask(pool)).due
    await schedule(pool, OTHER, timedelta())
    assert (await ask(pool)).due
    assert (await ask(pool, queues=[OTHER])).due
    assert not (await ask(pool, queues=[QUEUE])).due
    assert not (await ask(pool, other_queues=[OTHER])).due


async def test_a_run_of_another_pool_is_not_due(pool: tuple[PrefectClient, str]) -> None:
    await schedule(pool, QUEUE, timedelta())
    assert not (await ask((pool[0], "no-such-pool"))).due


async def test_a_poll_is_the_heartbeat_of_a_worker_that_is_listed_and_says_so_of_one_that_is_not(
    pool: tuple[PrefectClient, str],
) -> None:
    client, name = pool
    assert not (await ask(pool, worker="a")).online
    await client.send_worker_heartbeat(name, "a", heartbeat_interval_seconds=10)
    [before] = await client.read_workers_for_work_pool(name)
    assert (await ask(pool, worker="a")).online
    [after] = await client.read_workers_for_work_pool(name)
    assert before.last_heartbeat_time is not None and after.last_heartbeat_time is not None
    assert after.last_heartbeat_time > before.last_heartbeat_time
    assert not (await ask(pool, worker="b")).online
