"""The only interface from the API to the flows.

A request's flow run belongs to the deployment `extract/extract` but runs in the process that received the request. It is
created in state Running, which no worker picks up. It is visible in the Prefect UI; a re-run from there is executed by a warm
worker. Conversion starts while the run is still being created. The caller gets the receipt as soon as the extraction is
metered; the run reports its final state after that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal, NoReturn, TypeVar
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import WorkerFilter, WorkerFilterLastHeartbeatTime
from prefect.client.schemas.objects import FlowRun, State, Worker
from prefect.exceptions import ObjectNotFound
from prefect.states import Cancelling
from prometheus_client import CollectorRegistry

from billing.provider import open_billing
from converter.client import InputFile
from flows.answering import abandon, answer_seconds, wait_for_receipt
from flows.desktop import Desktop, RuntimeStatus, Solution
from flows.extract import extract
from flows.hosting import flow_host
from flows.submission import OUT_OF_REACH, Relay
from flows.watch import watch
from pipelines.conversion import begin_conversion
from pipelines.desktop import DEADLINE_HEADER, DESKTOP_ROUTE, TaskResult
from pipelines.extraction import INTERNAL_FAULT
from pipelines.handoff import Handoff
from pipelines.jobs import (
    ExtractJob,
    Receipt,
    RespondJob,
)
from pipelines.resources import Resources
from pipelines.scenes import import_tree
from pipelines.stages import NAMES as STAGES
from pipelines.stages import OnStage
from prefect_runtime.client import NotRegistered, PrefectApi
from prefect_runtime.host import FlowHost
from spatial.contract.feature_tree import FeatureTreeImport
from spatial.errors import ConverterUnavailable, InternalError, NotFound, SpatialError
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.subscriptions import BillingProvider
from storage.settings import Settings

__all__ = [
    "DEADLINE_HEADER",
    "DESKTOP_ROUTE",
    "STAGES",
    "Answer",
    "Dispatch",
    "ExtractJob",
    "OnStage",
    "Receipt",
    "RespondJob",
    "RuntimeStatus",
    "Solution",
    "TaskResult",
    "open_dispatch",
]

DEPLOYMENT = "extract/extract"
"""Deployment of the runs of single extractions."""

HEARTBEAT_HORIZON = timedelta(hours=1)
"""How long a worker without heartbeats is still reported; Prefect never deletes the names of dead workers."""

MOST_WORKERS = 100
"""Maximum number of workers that are reported per pool."""

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answer:
    """A finished extraction."""

    receipt: Receipt
    document: bytes
    """cad.extraction.v1 as JSON, without its usage."""


@asynccontextmanager
async def open_dispatch(settings: Settings) -> AsyncIterator[Dispatch]:
    """A dispatch whose connections are open for the length of a block; the end of the block waits for running flow runs."""
    host = flow_host(settings)
    await host.open()
    dispatch = Dispatch(settings, host)
    await host.call(dispatch.desktop.open)
    watching = asyncio.create_task(watch(host))
    try:
        yield dispatch
    finally:
        watching.cancel()
        await asyncio.wait({watching})
        await dispatch.stop()
        await host.close()
        await dispatch.billing.close()
        await dispatch.lake.close()
        await dispatch.database.close()


class Dispatch:
    """The operations of the flows that the API uses. Raises only SpatialError.

    `database` and `lake` belong to the caller's event loop; the flows have their own, in the flow host.
    """

    def __init__(self, settings: Settings, host: FlowHost[Resources]) -> None:
        self._host = host
        self._api = PrefectApi.sharing(host.client)
        self._runs = asyncio.Semaphore(settings.extract_parallel)
        """Held from before a run is created to its end, which follows the answer: ends that pile up would delay the creation of others."""
        self._relay = Relay(self._api, host.connections.database, deployment=settings.batch_deployment)
        self.desktop = Desktop(settings, host.client, host.connections.database)
        self.settings = settings
        self.database = Database(settings.need_database_url())
        self.lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
        self.billing: BillingProvider = open_billing(settings, self.database)
        self.registry: CollectorRegistry = host.connections.registry
        """Metrics of this process; those of the stages are already registered."""

    async def extract(self, job: ExtractJob, data: bytes | None, on_stage: OnStage | None = None) -> Answer:
        """Run one extraction; returns its answer.

        data: the inline upload, which is staged under job.content_key; None for a content_url. on_stage: told of the stages, from the
        thread of the flow host.
        Raises: SpatialError of any stage; ConverterUnavailable if the lake, the converter or the flow engine is unreachable, or
        the answer would come after its deadline.
        """
        with self._host.connections.stages.watch(job.operation_id, on_stage):
            return await self._host.call(lambda: self._extract(job, data))

    async def submit_batch(self, batch_id: str) -> None:
        """Submit a queued batch for a worker. If Prefect is unreachable, this process and the reconciler try again."""
        await self._host.call(lambda: self._relay.submit(batch_id))

    async def cancel_batch(self, flow_run_id: str) -> None:
        """Cancel the flow run of a cancelled batch; if that fails, its worker notices when it renews its lease."""
        await self._host.call(lambda: self._cancel_run(UUID(flow_run_id)))

    async def mesh(self, file_name: str, format: str, data: bytes) -> bytes:
        """The mesh of a STEP or IGES file, as binary glTF. Raises: InvalidRequest for another file; ParseError, ConversionTimeout,
        ConverterUnavailable.
        """
        source = InputFile(file_name=file_name, format=format)
        return await self._host.call(lambda: self._host.connections.converter.mesh(source, data))

    async def cancel_ingest(self, flow_run_id: str) -> None:
        """Cancel the flow run of an ingest run; what it has committed stays. Raises: ConverterUnavailable; NotFound."""
        cancelling: State[Any] = Cancelling(message="it was cancelled in the console")
        await self._host.call(lambda: self._ask_prefect(lambda: self._set_state(UUID(flow_run_id), cancelling)))

    async def start_ingest(self, flow: Literal["ingest", "reprocess"], name: str, parameters: dict[str, Any]) -> str:
        """Create a run of the flow for a worker; its id. Raises: ConverterUnavailable."""
        deployment = f"{flow}/{flow}"
        create = partial(self._api.create_run, deployment, name=name, parameters=parameters)
        return str((await self._host.call(lambda: self._ask_prefect(create)))["id"])

    async def find_flow_run(self, tag: str) -> str | None:
        """The id of the latest flow run with this tag, for example a request id. Raises: ConverterUnavailable."""
        return await self._host.call(lambda: self._ask_prefect(lambda: self._api.find_run(tag)))

    async def stop(self) -> None:
        """Stop submitting, and end the solvers of this process; call this before the host is closed."""
        await self._host.call(self._relay.close)
        await self._host.call(self.desktop.close)

    async def respond(self, job: RespondJob, content: bytes, deadline: float) -> Solution:
        """Have a desktop worker solve a task.

        content: the request's `input` as JSON; deadline: when the wait ends, by the clock of the caller's event loop.
        Raises: InputRejected; DesktopInferenceUnavailable; InternalError.
        """
        seconds = deadline - asyncio.get_running_loop().time()
        return await self._host.call(lambda: self.desktop.respond(job, content, seconds))

    async def respond_to_batch(
        self, request_id: str, asked: Sequence[tuple[RespondJob, bytes]], deadline: float
    ) -> list[Solution | BaseException]:
        """Have desktop workers solve the tasks of a batch; each solution, or the error that `respond` would have raised."""
        seconds = deadline - asyncio.get_running_loop().time()
        return await self._host.call(lambda: self.desktop.respond_to_batch(request_id, asked, seconds))

    async def import_tree(self, tree: FeatureTreeImport, data: bytes, request_id: str, account_id: str) -> bytes:
        """The scene of a partner's feature tree, as the JSON of a document. Raises: ConversionTimeout, ConverterUnavailable."""
        resources = self._host.connections
        return await self._host.call(
            lambda: import_tree(resources, tree, data, request_id=request_id, account_id=account_id)
        )

    async def runtime_status(self) -> RuntimeStatus:
        """Whether a desktop worker could take a task now."""
        return await self._host.call(self.desktop.status)

    async def wait_for_desktop_task(self, seconds: float) -> None:
        """Return when a task may wait for a desktop worker, or after `seconds`."""
        await self._host.call(lambda: self.desktop.wait_for_task(seconds))

    async def forward_to_prefect(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        """Send a desktop worker's request to the flow engine; returns status and body. Raises: DesktopInferenceUnavailable."""
        return await self._host.call(lambda: self.desktop.forward(method, path, query, body))

    def converter_away(self) -> float:
        """How long the converter is expected to be out of reach still, in seconds."""
        return self._host.connections.converter.seconds_away

    async def converter_health(self) -> dict[str, Any]:
        """The health report of the converter. Raises: ConverterUnavailable."""
        health = await self._host.call(self._host.connections.converter.health)
        return health.model_dump(mode="json")

    async def prefect_health(self) -> dict[str, Any]:
        """Check that the flow engine answers and has the deployments. Raises: ConverterUnavailable."""
        return await self._host.call(self._prefect_health)

    async def worker_heartbeats(self, *pools: str) -> dict[str, dict[str, float]]:
        """Seconds since the last heartbeat, by work pool and worker, of workers with a heartbeat within HEARTBEAT_HORIZON.

        Raises: ConverterUnavailable if the flow engine is unreachable.
        """
        return await self._host.call(lambda: self._worker_heartbeats(pools))

    async def _worker_heartbeats(self, pools: tuple[str, ...]) -> dict[str, dict[str, float]]:
        client, now = self._host.client, datetime.now(UTC)
        recent = WorkerFilter(last_heartbeat_time=WorkerFilterLastHeartbeatTime(after_=now - HEARTBEAT_HORIZON))
        ages: dict[str, dict[str, float]] = {}
        try:
            for pool in pools:
                ages[pool] = {
                    worker.name: max(0.0, (now - worker.last_heartbeat_time).total_seconds())
                    for worker in await _workers(client, pool, recent)
                    if worker.last_heartbeat_time is not None
                }
        except OUT_OF_REACH as error:
            _raise_unreachable(error)
        return ages

    async def _cancel_run(self, flow_run_id: UUID) -> None:
        try:
            await self._host.client.set_flow_run_state(flow_run_id, Cancelling(message="its batch was cancelled"))
        except OUT_OF_REACH as error:
            log.warning("flow run %s cannot be cancelled now: %r", flow_run_id, error)

    async def _set_state(self, flow_run_id: UUID, state: State[Any]) -> None:
        try:
            await self._host.client.set_flow_run_state(flow_run_id, state)
        except ObjectNotFound as error:
            raise NotFound(
                "the flow run is no longer in Prefect; wait until the ingest run is marked as lost"
            ) from error

    async def _ask_prefect(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            return await ask()
        except OUT_OF_REACH as error:
            _raise_unreachable(error)

    async def _prefect_health(self) -> dict[str, Any]:
        try:
            problem = await self._host.client.api_healthcheck()
            if problem is not None:
                raise problem
            for name in (DEPLOYMENT, self.settings.batch_deployment):
                await self._api.find_deployment(name)
        except OUT_OF_REACH as error:
            _raise_unreachable(error)
        return {"deployment": DEPLOYMENT}

    async def _extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        await self._runs.acquire()
        handoff = self._begin_handoff(job, data)
        run = self._host.start(extract, {"job": job}, run=lambda _: self._create_run(job))
        run.add_done_callback(lambda ended: self._end_handoff(job, ended))
        run.add_done_callback(lambda _: self._runs.release())
        seconds = answer_seconds(self.settings.convert_seconds)
        database = self._host.connections.database
        await wait_for_receipt(run, handoff.receipt, seconds, lambda: abandon(database, job.operation_id))
        receipt = handoff.receipt.result() if handoff.receipt.done() else _outcome(job, run)
        document = handoff.document
        if document is None:
            document = await self._host.connections.lake.get(receipt.result_key)
        return Answer(receipt, document)

    def _begin_handoff(self, job: ExtractJob, data: bytes | None) -> Handoff:
        """Start to stage and convert an inline upload, and store the handoff for the flow run."""
        resources = self._host.connections
        if data is None:
            handoff = Handoff()
        else:
            assert job.content_key is not None  # an inline upload has a lake key
            staging = asyncio.create_task(resources.lake.put(job.content_key, data))
            handoff = Handoff(early=begin_conversion(resources, job, data, staging))
        resources.handoffs[job.operation_id] = handoff
        return handoff

    async def _create_run(self, job: ExtractJob) -> FlowRun:
        """Create a run of the deployment, in state Running so that no worker takes it, tagged with the request id."""
        return await self._host.recorder.create_run(
            DEPLOYMENT,
            name=job.shown_name,
            parameters={"job": job.model_dump(mode="json", exclude_none=True)},
            tags=[job.request_id],
            idempotency_key=job.operation_id,
            why="in the process that received the request",
        )

    def _end_handoff(self, job: ExtractJob, run: asyncio.Task[Any]) -> None:
        """Callback of a run that has ended: remove its handoff, and retrieve its exception, which asyncio would otherwise log."""
        self._host.connections.handoffs.pop(job.operation_id).close()
        if not run.cancelled():
            run.exception()


async def _workers(client: PrefectClient, pool: str, which: WorkerFilter) -> list[Worker]:
    """The workers of a pool; empty if the pool does not exist."""
    try:
        return await client.read_workers_for_work_pool(pool, which, limit=MOST_WORKERS)
    except ObjectNotFound:
        return []


def _outcome(job: ExtractJob, run: asyncio.Task[Any]) -> Receipt:
    """The receipt of a run that has ended. Raises: SpatialError for the caller of the API."""
    try:
        return Receipt.model_validate(run.result())
    except SpatialError:
        raise
    except OUT_OF_REACH as error:
        _raise_unreachable(error)
    except Exception as error:
        log.exception("extraction %s failed", job.operation_id)
        raise InternalError(INTERNAL_FAULT) from error


def _raise_unreachable(error: BaseException) -> NoReturn:
    """Raise ConverterUnavailable, because the flow engine is unreachable."""
    log.warning("the flow engine is unreachable: %r", error)
    if isinstance(error, NotRegistered):
        raise ConverterUnavailable(f"{error}") from error
    raise ConverterUnavailable("the flow engine cannot be reached now; try again in a few seconds") from error
