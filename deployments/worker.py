"""A Prefect worker that runs our own flows inside its own process, so that a run starts within about a second.

A stock process worker spawns an interpreter and imports everything for each run (3.5-4.2 s). Parsing, interpreting and
sampling are converter calls, so flows are light enough to share a process. The worker runs flows of the catalog by name
and nothing else: a deployment with pull steps, or with another flow, is refused.

Run as `python -m deployments.worker [--pool NAME] [--limit N] [--register]`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from anyio.abc import TaskStatus
from prefect import Flow
from prefect.client.schemas.objects import FlowRun
from prefect.workers.base import BaseJobConfiguration, BaseVariables, BaseWorker, BaseWorkerResult

from deployments import bootstrap, prefect_environment
from flows.catalog import CATALOG, POOL, WORKER_TYPE
from flows.engine import EngineRoom
from storage import settings as settings_module
from storage.settings import Settings

DRAIN_SECONDS = 60.0
"""How long runs under way may take to end after SIGTERM."""

log = logging.getLogger(__name__)


class WarmWorkerResult(BaseWorkerResult):
    """What Prefect is told when a run has ended; the run's own state says how."""


class WarmWorker(BaseWorker[BaseJobConfiguration, BaseVariables, WarmWorkerResult]):
    """Runs flows of the catalog in this process, many at a time."""

    type = WORKER_TYPE
    job_configuration = BaseJobConfiguration
    job_configuration_variables = BaseVariables
    _description = "Runs the flows of the Spatial Geometry Service inside its own process."
    _display_name = "Spatial warm worker"

    draining = False
    """Set to take no further runs."""

    def __init__(self, *args: Any, room: EngineRoom, **options: Any) -> None:
        super().__init__(*args, **options)
        self._room = room
        self.idle = asyncio.Event()
        """Set while no run is under way."""
        self.idle.set()
        self._under_way = 0

    async def get_and_submit_flow_runs(self) -> list[FlowRun]:
        """Take what is due, unless this worker is on its way out."""
        return [] if self.draining else await super().get_and_submit_flow_runs()

    async def run(
        self,
        flow_run: FlowRun,
        configuration: BaseJobConfiguration,
        task_status: TaskStatus[int] | None = None,
    ) -> WarmWorkerResult:
        """Run one flow run to its end; a failing flow leaves the others and this process alone."""
        del configuration  # an in-process run has no infrastructure to configure
        flow = await self._flow_of(flow_run)
        if task_status is not None:
            task_status.started(os.getpid())
        with self._counted():
            await self._run_in_room(flow, flow_run)
        return WarmWorkerResult(identifier=str(flow_run.id), status_code=0)

    async def _run_in_room(self, flow: Flow[..., Any], flow_run: FlowRun) -> None:
        """Run to the end; how it ended is in the run's own state, and a failing flow must not end the worker."""

        async def through() -> None:
            run = self._room.start(flow, flow_run.parameters, run=flow_run)
            await asyncio.wait({run})
            problem = None if run.cancelled() else run.exception()
            log.info("flow run %s of %s ended%s", flow_run.id, flow.name, f" with {problem!r}" if problem else "")

        await self._room.call(through)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._under_way += 1
        self.idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self.idle.set()

    async def _flow_of(self, flow_run: FlowRun) -> Flow[..., Any]:
        """The catalog's flow behind a run. Raises: ValueError where the run would need foreign code."""
        deployment = await self.client.read_deployment(flow_run.deployment_id) if flow_run.deployment_id else None
        if deployment is not None and deployment.pull_steps:
            raise ValueError("this worker runs its own flows only and refuses deployments with pull_steps")
        name = (await self.client.read_flow(flow_run.flow_id)).name
        row = CATALOG.get(name)
        if row is None:
            raise ValueError(f"this worker has no flow named {name!r}; it has {', '.join(CATALOG)}")
        return row.flow


async def serve(settings: Settings, pool: str, limit: int, *, register: bool) -> None:
    """Poll the pool until SIGTERM or SIGINT; runs under way are finished first."""
    room = EngineRoom(settings)
    await room.open()
    if register:
        await bootstrap.until_registered(settings)
    worker = WarmWorker(work_pool_name=pool, limit=limit, create_pool_if_not_found=True, prefetch_seconds=1, room=room)
    polling = asyncio.create_task(worker.start(printer=log.info))
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    leaving = asyncio.create_task(told.wait())
    await asyncio.wait({polling, leaving}, return_when=asyncio.FIRST_COMPLETED)
    worker.draining = True
    with suppress(TimeoutError):
        await asyncio.wait_for(worker.idle.wait(), DRAIN_SECONDS)
    leaving.cancel()
    polling.cancel()
    with suppress(asyncio.CancelledError):
        await polling
    await room.close()


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m deployments.worker", description=__doc__)
    parser.add_argument("--pool", default=POOL, help="work pool to serve (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=8, help="runs at a time (default: %(default)s)")
    parser.add_argument("--register", action="store_true", help="first register pool, deployments and schedules")
    arguments = parser.parse_args(argv)
    try:
        settings = settings_module.load()
        prefect_environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    asyncio.run(serve(settings, arguments.pool, arguments.limit, register=arguments.register))
    return 0


if __name__ == "__main__":
    sys.exit(main())
