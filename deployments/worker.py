"""A Prefect worker that runs our own flows inside its own process, so that a run starts within about a second.

A stock process worker spawns an interpreter and imports everything for each run (3.5-4.2 s). Parsing, interpreting and
sampling are converter calls, so flows are light enough to share a process. The worker runs flows of the catalog by name
and nothing else: a deployment with pull steps, or with another flow, is refused.

Told to leave (SIGTERM, SIGINT) it takes nothing new, lets what runs end for a while, and hands the rest back, so that another
worker takes it up at once; told twice it hands back at once. Housekeeping has places beside the limit: a worker full of long
runs still keeps the house.

Run as `python -m deployments.worker [--pool NAME] [--limit N] [--register] [--metrics-port N]`.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from typing import Any, NoReturn, Self
from uuid import UUID

import httpx
from anyio.abc import TaskStatus
from prefect import Flow
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.client.schemas.responses import WorkerFlowRunResponse
from prefect.workers.base import BaseJobConfiguration, BaseVariables, BaseWorker, BaseWorkerResult

from deployments import bootstrap, heartbeat, prefect_environment, worker_metrics
from flows.catalog import CATALOG, POOL, WORKER_TYPE
from flows.engine import EngineRoom, Told
from spatial import logs
from storage import settings as settings_module
from storage.postgres import notifications
from storage.postgres.database import Database
from storage.settings import Settings

HOUSEKEEPING_PLACES = 3
"""Runs of the queue `housekeeping` that a worker carries beside its limit."""

CANCEL_POLL_SECONDS = 2.0
"""How often a worker with runs under way asks whether one of them was cancelled."""

DRAIN_POLL_SECONDS = 0.1

log = logging.getLogger(__name__)


class WarmWorkerResult(BaseWorkerResult):
    """What Prefect is told when a run has ended; the run's own state says how."""


class InProcess(BaseJobConfiguration):
    """A run in this process has no infrastructure to configure, and none of the requests that Prefect makes to find one."""

    @classmethod
    async def resolve_for_flow_run(cls, flow_run: FlowRun, **_: Any) -> Self:
        """Names the run alone, for the events of the worker."""
        made = cls()
        made._related_objects = {"flow-run": flow_run}
        return made


class WarmWorker(BaseWorker[InProcess, BaseVariables, WarmWorkerResult]):
    """Runs flows of the catalog in this process, many at a time."""

    type = WORKER_TYPE
    job_configuration = InProcess
    job_configuration_variables = BaseVariables
    _description = "Runs the flows of the Spatial Geometry Service inside its own process."
    _display_name = "Spatial warm worker"

    draining = False
    """Set to take no further runs."""

    def __init__(self, work_pool_name: str, *, room: EngineRoom, limit: int, **options: Any) -> None:
        super().__init__(work_pool_name, limit=limit + HOUSEKEEPING_PLACES, **options)
        self._room = room
        self._pulse = heartbeat.Pulse(room.settings.home)
        self._places = {False: limit, True: HOUSEKEEPING_PLACES}
        self._flow_names: dict[UUID, str] = {}
        self._kinds: dict[UUID, bool] = {}
        """Runs that were taken, and whether each keeps the house."""
        self._under_way: set[UUID] = set()
        self._taking = asyncio.Lock()
        self._away = False

    @property
    def idle(self) -> bool:
        """Whether no run is under way or about to be."""
        return not self._submitting_flow_run_ids and not self._under_way

    async def get_and_submit_flow_runs(self) -> list[FlowRun]:
        """Take what is due, unless this worker is on its way out. A server that is out of reach is asked again, for ever."""
        if self.draining:
            return []
        try:
            async with self._taking:
                taken = await super().get_and_submit_flow_runs()
        except httpx.HTTPError as error:
            self._quietly(error)
            return []
        self._away = False
        return taken

    async def heed(self, database: Database) -> None:
        """Take runs the moment that somebody says there are some, and not at the next poll; for as long as the worker runs."""
        told = asyncio.Event()
        async with asyncio.TaskGroup() as both:
            both.create_task(notifications.listen(database, notifications.RUNS, told.set))
            both.create_task(self._take_when(told))

    async def _take_when(self, told: asyncio.Event) -> NoReturn:
        while True:
            await told.wait()
            told.clear()
            await self.get_and_submit_flow_runs()

    async def sync_with_backend(self) -> None:
        """The heartbeat of this worker."""
        try:
            await super().sync_with_backend()
        except httpx.HTTPError as error:
            self._quietly(error)

    async def watch_cancellations(self) -> None:
        """Stop runs that somebody cancelled in Prefect; for as long as the worker runs."""
        while True:
            await asyncio.sleep(CANCEL_POLL_SECONDS)
            if not self._under_way:
                continue
            wanted = {"id": {"any_": list(self._under_way)}, "state": {"type": {"any_": [StateType.CANCELLING]}}}
            try:
                cancelled = await self.client.read_flow_runs(flow_run_filter=FlowRunFilter.model_validate(wanted))
            except httpx.HTTPError as error:
                self._quietly(error)
                continue
            if ids := {run.id for run in cancelled}:
                log.info("cancelled in Prefect: %s", ", ".join(map(str, ids)))
                await self._room.call(lambda ids=ids: self._room.stop(Told.CANCEL, ids))  # type: ignore[misc]  # bound per turn

    async def hand_back(self) -> int:
        """Have whatever is still under way taken up by another worker; how many runs."""
        return await self._room.call(lambda: self._room.stop(Told.HAND_BACK))

    async def run(
        self,
        flow_run: FlowRun,
        configuration: InProcess,
        task_status: TaskStatus[int] | None = None,
    ) -> WarmWorkerResult:
        """Run one flow run to its end; a failing flow leaves the others and this process alone."""
        del configuration
        self._under_way.add(flow_run.id)
        try:
            flow = await self._flow_of(flow_run)
            if task_status is not None:
                task_status.started(os.getpid())
            await self._run_in_room(flow, flow_run)
        finally:
            self._under_way.discard(flow_run.id)
        return WarmWorkerResult(identifier=str(flow_run.id), status_code=0)

    async def _run_in_room(self, flow: Flow[..., Any], flow_run: FlowRun) -> None:
        """Run to the end; how it ended is in the run's own state, and a failing flow must not end the worker."""

        async def through() -> None:
            run = self._room.start(flow, flow_run.parameters, run=flow_run)
            await asyncio.wait({run})
            if not run.cancelled():
                run.exception()  # looked at once; the room has logged how it ended

        await self._room.call(through)

    async def _propose_submitting_state(self, flow_run: FlowRun) -> None:
        """Nothing is submitted anywhere: one transition less before the run begins."""

    async def _get_scheduled_flow_runs(self) -> list[WorkerFlowRunResponse]:
        """What is due and has a place here; the rest is left to others, or to a later turn."""
        here = self._submitting_flow_run_ids | self._under_way
        self._kinds = {key: kind for key, kind in self._kinds.items() if key in here}
        free = {kind: places - list(self._kinds.values()).count(kind) for kind, places in self._places.items()}
        chosen = []
        due = await super()._get_scheduled_flow_runs()
        self._pulse.beat()
        for entry in due:
            key, kind = entry.flow_run.id, await self._keeps_house(entry.flow_run)
            if key not in here and free[kind] > 0:
                free[kind] -= 1
                self._kinds[key] = kind
                chosen.append(entry)
        return chosen

    async def _keeps_house(self, flow_run: FlowRun) -> bool:
        row = CATALOG.get(await self._flow_name(flow_run))
        return row is not None and row.queue == "housekeeping"

    async def _flow_name(self, flow_run: FlowRun) -> str:
        if flow_run.flow_id not in self._flow_names:
            self._flow_names[flow_run.flow_id] = (await self.client.read_flow(flow_run.flow_id)).name
        return self._flow_names[flow_run.flow_id]

    async def _flow_of(self, flow_run: FlowRun) -> Flow[..., Any]:
        """The catalog's flow behind a run. Raises: ValueError where the run would need foreign code."""
        deployment = await self.client.read_deployment(flow_run.deployment_id) if flow_run.deployment_id else None
        if deployment is not None and deployment.pull_steps:
            raise ValueError("this worker runs its own flows only and refuses deployments with pull_steps")
        name = await self._flow_name(flow_run)
        row = CATALOG.get(name)
        if row is None:
            raise ValueError(f"this worker has no flow named {name!r}; it has {', '.join(CATALOG)}")
        return row.flow

    def _quietly(self, error: httpx.HTTPError) -> None:
        """Say once that the server is away. Raises: the error, where the server is there and refuses."""
        if isinstance(error, httpx.HTTPStatusError) and error.response.is_client_error:
            raise error
        if not self._away:
            log.warning("the Prefect server is out of reach, and asked again: %r", error)
        self._away = True


async def serve(settings: Settings, pool: str, *, register: bool) -> None:
    """Poll the pool until SIGTERM or SIGINT; runs under way are finished first, or handed back."""
    told, hurried = asyncio.Event(), asyncio.Event()

    def tell() -> None:
        (hurried if told.is_set() else told).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, tell)
    room = EngineRoom(settings)
    await room.open()
    starting = asyncio.create_task(_registered(settings, register))
    leaving = asyncio.create_task(told.wait())
    await asyncio.wait({starting, leaving}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if not told.is_set():
            await starting
            worker = WarmWorker(pool, limit=settings.worker_limit, prefetch_seconds=1, room=room)
            with worker_metrics.served(settings, settings.worker_metrics_port, room.here.registry):
                await _poll(worker, settings, told, hurried)
    finally:
        starting.cancel()
        leaving.cancel()
        await room.close()


async def _registered(settings: Settings, register: bool) -> None:
    if register:
        await bootstrap.until_registered(settings)


async def _poll(worker: WarmWorker, settings: Settings, told: asyncio.Event, hurried: asyncio.Event) -> None:
    """Serve until told, or until polling ends by itself, which it does only by a mistake of ours. Raises: that mistake."""
    database = Database(settings.need_database_url())
    polling = asyncio.create_task(worker.start(printer=log.info))
    watching = asyncio.create_task(worker.watch_cancellations())
    heeding = asyncio.create_task(worker.heed(database))
    leaving = asyncio.create_task(told.wait())
    await asyncio.wait({polling, watching, heeding, leaving}, return_when=asyncio.FIRST_COMPLETED)
    worker.draining = True
    await _drain(worker, settings.worker_drain_seconds, hurried)
    handed_back = await worker.hand_back()
    log.info("leaving; %d runs were handed back", handed_back)
    for task in (leaving, heeding, watching, polling):
        task.cancel()
    outcomes = await asyncio.gather(polling, watching, heeding, return_exceptions=True)
    await database.close()
    for ended in outcomes:
        if isinstance(ended, Exception):
            raise ended


async def _drain(worker: WarmWorker, seconds: float, hurried: asyncio.Event) -> None:
    """Wait for what is under way, for so long, or until somebody is in a hurry."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while not worker.idle and loop.time() < until and not hurried.is_set():
        await asyncio.sleep(DRAIN_POLL_SECONDS)


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and serve."""
    parser = argparse.ArgumentParser(prog="python -m deployments.worker", description=__doc__)
    parser.add_argument("--pool", default=POOL, help="work pool to serve (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="runs at a time (default: SPATIAL_WORKER_LIMIT)")
    parser.add_argument("--register", action="store_true", help="first register pools, deployments and schedules")
    parser.add_argument("--metrics-port", type=int, help="serve /metrics there (default: SPATIAL_WORKER_METRICS_PORT)")
    arguments = parser.parse_args(argv)
    flags = {"worker_limit": arguments.limit, "worker_metrics_port": arguments.metrics_port}
    try:
        settings = settings_module.load(**flags)
        prefect_environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    logs.configure(settings.log_format, settings.log_level)
    asyncio.run(serve(settings, arguments.pool, register=arguments.register))
    return 0


if __name__ == "__main__":
    sys.exit(main())
