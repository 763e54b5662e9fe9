"""A worker that never polls again takes what it is woken for."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import WorkPoolCreate

from flows.catalog import WORKER_TYPE
from prefect_runtime.client import PrefectApi
from storage import ids
from storage.postgres import notifications
from storage.postgres.database import Database
from tests.deployments.test_worker import environment, tail
from tests.support.stack import ROOT, RunningStack

pytestmark = pytest.mark.usefixtures("patient")

FLOW, POOL = "drill-ends", ids.new("woken")
NAME = f"{FLOW}/{POOL}"


@pytest.fixture
async def client(stack: RunningStack) -> AsyncIterator[PrefectClient]:
    """A client of the stack's Prefect server, which has a work pool and a deployment of this module's own."""
    async with PrefectClient(stack.addresses["prefect_api_url"], auth_string=stack.addresses["prefect_auth"]) as opened:
        await opened.create_work_pool(WorkPoolCreate(name=POOL, type=WORKER_TYPE), overwrite=True)
        await register(opened)
        yield opened


async def register(client: PrefectClient) -> None:
    """The deployment."""
    flow_id = await client.create_flow_from_name(FLOW)
    await client.create_deployment(flow_id, POOL, work_pool_name=POOL, entrypoint="drill")


@pytest.fixture
async def worker(stack: RunningStack, client: PrefectClient, tmp_path: Path) -> AsyncIterator[Path]:
    """A worker of the pool that polls once an hour; its log."""
    del client  # the pool is there
    command = [sys.executable, "-m", "tests.deployments.drill", "--pool", POOL, "--limit", "1"]
    log = tmp_path / "worker.log"
    with log.open("wb") as out:
        seldom = environment(stack, DRILL_QUERY_SECONDS="3600")
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=seldom, stdout=out, stderr=out)
        yield log
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 60) == 0, tail(log)


async def told(database: Database) -> None:
    """What the API says when it has submitted a batch."""
    async with database.transaction() as connection:
        await notifications.send(connection, notifications.RUNS)


async def ended(client: PrefectClient, run: dict[str, Any]) -> bool:
    """Whether it has. Raises: AssertionError where it has not ended well."""
    state = (await client.read_flow_run(run["id"])).state
    assert state is None or not state.is_final() or state.is_completed(), state
    return state is not None and state.is_final()


@pytest.mark.requirement("worker.woken")
async def test_a_worker_takes_a_run_when_it_is_told_that_there_is_one(
    stack: RunningStack, client: PrefectClient, worker: Path
) -> None:
    database, api = Database(stack.addresses["database_url"]), PrefectApi.sharing(client)
    try:
        async with asyncio.timeout(120):
            first = await api.create_run(NAME)
            while not await ended(client, first):  # until the worker has come to listen
                await told(database)
            second = await api.create_run(NAME)
            await told(database)
            while not await ended(client, second):
                await asyncio.sleep(0.05)
    except TimeoutError:
        pytest.fail(tail(worker))
    finally:
        await database.close()


@pytest.mark.requirement("batch.relayed")
async def test_a_deployment_that_was_registered_anew_is_found_again(client: PrefectClient) -> None:
    api = PrefectApi.sharing(client)
    first = await api.create_run(NAME)
    await client.delete_deployment(UUID((await api.deployment(NAME)).id))
    await register(client)
    second = await api.create_run(NAME)
    now = str((await client.read_deployment_by_name(NAME)).id)
    assert first["deployment_id"] != second["deployment_id"] == now
