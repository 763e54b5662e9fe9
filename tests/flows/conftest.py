"""A Prefect server for tests of flows, without the rest of the stack."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
from prefect import Flow, get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import State, TaskRun
from prefect.settings import (
    PREFECT_HOME,
    PREFECT_LOGGING_LEVEL,
    PREFECT_SERVER_ANALYTICS_ENABLED,
    temporary_settings,
)
from prefect.testing.utilities import prefect_test_harness

from pipelines.resources import Resources
from prefect_runtime import result_storage

RunFlow = Callable[..., Awaitable[State[Any]]]

START_SECONDS = 300
"""How long the server may take to start on a busy machine."""


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The session's Prefect server, on SQLite; flows that a test calls run against it."""
    own = {
        PREFECT_HOME: tmp_path_factory.mktemp("prefect"),
        PREFECT_SERVER_ANALYTICS_ENABLED: False,
        PREFECT_LOGGING_LEVEL: "WARNING",
    }
    with temporary_settings(updates=own), prefect_test_harness(server_startup_timeout=START_SECONDS):
        yield


async def recorded_task_runs(client: PrefectClient, state: State[Any], *names: str) -> dict[str, TaskRun]:
    """The task runs of a flow run by name, once the server has recorded the end of these; it records them in the background."""
    chosen = FlowRunFilter.model_validate({"id": {"any_": [state.state_details.flow_run_id]}})
    async with asyncio.timeout(START_SECONDS):
        while True:
            runs = {run.name: run for run in await client.read_task_runs(flow_run_filter=chosen)}
            if all(name in runs and runs[name].end_time for name in names):
                return runs
            await asyncio.sleep(0.1)


@pytest.fixture
async def prefect(prefect_server: None) -> AsyncIterator[PrefectClient]:
    """A client of the session's Prefect server."""
    async with get_client() as client:
        yield client


@pytest.fixture
def run_flow(prefect_server: None, resources: Resources) -> RunFlow:
    """Run a flow with its parameters and the service's result storage; returns the state in which the run ends."""

    async def run(flow: Flow[..., Any], *parameters: Any) -> State[Any]:
        storage = await result_storage.load(resources.settings)
        stored: Any = flow.with_options(result_storage=storage, result_serializer=result_storage.SERIALIZER)
        ended: State[Any] = await stored(*parameters, return_state=True)
        return ended

    return run
