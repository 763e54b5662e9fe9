"""The cheapest flow that still shows its stages, around the bare reading: for `benchmarks.bare`.

FastAPI before two warm OCCT processes, as the bare service, and for each request a flow run with one task per stage, by the flow host and
the recorder of the service, which take a sixth of the processor time of Prefect's own client. Nothing is stored, billed, retried or
isolated, no result is kept, and only the stage `convert` has work to do.

    python -m benchmarks.bare_flow PORT PREFECT_API_URL USER:PASSWORD HOME
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from fastapi import FastAPI
from prefect import Task, flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun
from prometheus_client import CollectorRegistry
from pydantic import SecretStr

from benchmarks.bare import Answer, listen, reading_pool
from prefect_runtime import environment
from prefect_runtime.host import FlowHost
from storage.settings import Settings

NAME: Final = "bare"
"""Of the flow and of its deployment."""


SILENT: Final = {
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    **{f"PREFECT_LOGGING_LOGGERS_PREFECT_{runs}_RUNS_LEVEL": "WARNING" for runs in ("FLOW", "TASK")},
}
"""No line of a log."""


@dataclass
class Connections:
    """What the host needs of a process, and the reading of each request under way."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    readings: dict[str, asyncio.Future[Any]] = field(default_factory=dict)


CONNECTIONS: Final = Connections()


async def _nothing(id: str) -> str:
    return id


async def _read(id: str) -> str:
    await CONNECTIONS.readings[id]
    return id


def _stage(name: str) -> Task[..., Any]:
    return task(name=name, persist_result=False, cache_policy=NO_CACHE)(_read if name == "convert" else _nothing)


STAGES: Final = [_stage(name) for name in ("fetch", "convert", "interpret", "assemble", "meter")]


@flow(name=NAME, persist_result=False)
async def bare(id: str) -> None:
    """One task after the other."""
    for stage in STAGES:
        await stage(id)


@asynccontextmanager
async def connect() -> AsyncIterator[Connections]:
    """The host's connections: none."""
    yield CONNECTIONS


def serve(port: int, url: str, auth: str, home: str) -> None:
    """Serve until SIGTERM."""
    environment.adopt(
        {**environment.client(Settings(prefect_api_url=url, prefect_auth=SecretStr(auth), home=Path(home))), **SILENT}
    )
    pool = reading_pool()
    host = FlowHost(connect, None, lambda parameters: NAME)

    async def answer(read: Answer, data: bytes) -> None:
        await host.call(lambda: _run(host, read, data))

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await _register(url, auth)
        await host.open()
        yield
        await host.close()

    listen(port, pool, answer, life)


async def _register(url: str, auth: str) -> None:
    async with PrefectClient(url, auth_string=auth) as client:
        await client.create_deployment(await client.create_flow_from_name(NAME), NAME)


async def _run(host: FlowHost[Connections], read: Answer, data: bytes) -> None:
    id = str(uuid4())
    CONNECTIONS.readings[id] = asyncio.ensure_future(read(data))

    async def create(_: PrefectClient) -> FlowRun:
        return await host.recorder.create_run(
            f"{NAME}/{NAME}", name=id, parameters={"id": id}, tags=[], idempotency_key=id, why="of a benchmark"
        )

    try:
        await host.start(bare, {"id": id}, run=create)
    finally:
        del CONNECTIONS.readings[id]


if __name__ == "__main__":
    serve(int(sys.argv[1]), *sys.argv[2:5])
