"""The one entrance from the API to the flows.

A request's flow run belongs to the deployment `extract/extract` but runs in the process that took the request: it is
created in state Running, which no worker picks up, so a data engineer sees it, and can re-run it from the Prefect UI, where
a warm worker takes over. Conversion starts while the run is still being created, and the caller gets the receipt as soon
as it is metered; the run's own bookkeeping ends after that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import WorkerFilter, WorkerFilterLastHeartbeatTime
from prefect.client.schemas.objects import FlowRun, Worker
from prefect.exceptions import ObjectNotFound
from prefect.states import Cancelling
from prometheus_client import CollectorRegistry
from pydantic import BaseModel

from flows.extract import extract
from flows.hosting import flow_host
from flows.submission import OUT_OF_REACH, Relay
from pipelines.handoff import Handoff, begin_early
from pipelines.jobs import BATCH_ROUTE, EXTRACT_ROUTE, ExtractJob, Receipt
from pipelines.resources import Resources
from prefect_runtime.client import NotRegistered, PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import ConverterUnavailable, InternalError, SpatialError
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.subscriptions import BillingProvider, LocalBilling
from storage.settings import Settings

__all__ = ["BATCH_ROUTE", "EXTRACT_ROUTE", "Answer", "Dispatch", "ExtractJob", "Receipt", "RuntimeStatus", "opened"]

DEPLOYMENT = "extract/extract"
"""Whose runs single extractions are."""

HEARTBEAT_HORIZON = timedelta(hours=1)
"""How long a worker that went silent is still told of; Prefect keeps the names of dead workers for ever."""

MOST_WORKERS = 100
"""Workers of one pool that are told of at most."""

log = logging.getLogger(__name__)


class RuntimeStatus(BaseModel):
    """Whether a reasoning runtime could take a request now (spec: ModelList)."""

    configured: bool
    available: bool
    status: str
    upstream_status: str


@dataclass(frozen=True)
class Answer:
    """A finished extraction."""

    receipt: Receipt
    document: bytes
    """cad.extraction.v1 as JSON, without its usage."""


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Dispatch]:
    """A dispatch with its connections, for the length of a block; runs under way are waited for at its end."""
    host = flow_host(settings)
    await host.open()
    dispatch = Dispatch(settings, host)
    try:
        yield dispatch
    finally:
        await dispatch.leave()
        await host.close()
        await dispatch.lake.close()
        await dispatch.database.close()


class Dispatch:
    """What the API may ask of the flows. Raises SpatialError only.

    `database` and `lake` belong to the caller's event loop; the flows have their own, in the flow host.
    """

    def __init__(self, settings: Settings, host: FlowHost[Resources]) -> None:
        self._host = host
        self._api = PrefectApi.sharing(host.client)
        self._relay = Relay(self._api, host.connections.database, deployment=settings.batch_deployment)
        self.settings = settings
        self.database = Database(settings.need_database_url())
        self.lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
        self.billing: BillingProvider = LocalBilling(self.database)
        self.registry: CollectorRegistry = host.connections.registry
        """What this process counts; stages are in it already."""

    async def extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        """Run one extraction to its answer.

        data: the inline upload, staged under job.content_key on the way; None for a content_url.
        Raises: SpatialError of any stage; ConverterUnavailable where lake, converter or flow engine are out of reach.
        """
        return await self._host.call(lambda: self._extract(job, data))

    async def submit_batch(self, batch_id: str) -> None:
        """Have a queued batch run by a worker. What is out of reach now is tried again from here, and by the reconciler."""
        await self._host.call(lambda: self._relay.submit(batch_id))

    async def cancel_batch(self, flow_run_id: str) -> None:
        """Tell the worker that carries a cancelled batch; where that fails, it finds out when it renews its lease."""
        await self._host.call(lambda: self._cancel_run(UUID(flow_run_id)))

    async def leave(self) -> None:
        """Stop trying to submit; to be called before the host is closed."""
        await self._host.call(self._relay.close)

    async def runtime_status(self) -> RuntimeStatus:
        """No reasoning runtime exists in this version; the model list and health say so."""
        return RuntimeStatus(
            configured=False,
            available=False,
            status="not_configured",
            upstream_status="no desktop worker is registered",
        )

    async def converter_health(self) -> dict[str, Any]:
        """What the converter says of itself. Raises: ConverterUnavailable."""
        health = await self._host.call(self._host.connections.converter.health)
        return health.model_dump(mode="json")

    async def prefect_health(self) -> dict[str, Any]:
        """Whether the flow engine answers and knows the deployment. Raises: ConverterUnavailable."""
        return await self._host.call(self._prefect_health)

    async def worker_heartbeats(self, *pools: str) -> dict[str, dict[str, float]]:
        """Of each of these work pools, every worker heard of within HEARTBEAT_HORIZON and the seconds since its last heartbeat.

        Raises: ConverterUnavailable where the flow engine is out of reach.
        """
        return await self._host.call(lambda: self._worker_heartbeats(pools))

    async def _worker_heartbeats(self, pools: tuple[str, ...]) -> dict[str, dict[str, float]]:
        client, now = self._host.client, datetime.now(UTC)
        recent = WorkerFilter(last_heartbeat_time=WorkerFilterLastHeartbeatTime(after_=now - HEARTBEAT_HORIZON))
        heard: dict[str, dict[str, float]] = {}
        try:
            for pool in pools:
                heard[pool] = {
                    worker.name: max(0.0, (now - worker.last_heartbeat_time).total_seconds())
                    for worker in await _workers(client, pool, recent)
                    if worker.last_heartbeat_time is not None
                }
        except OUT_OF_REACH as error:
            _out_of_reach(error)
        return heard

    async def _cancel_run(self, flow_run_id: UUID) -> None:
        try:
            await self._host.client.set_flow_run_state(flow_run_id, Cancelling(message="its batch was cancelled"))
        except OUT_OF_REACH as error:
            log.warning("flow run %s cannot be cancelled now: %r", flow_run_id, error)

    async def _prefect_health(self) -> dict[str, Any]:
        try:
            problem = await self._host.client.api_healthcheck()
            if problem is not None:
                raise problem
            for name in (DEPLOYMENT, self.settings.batch_deployment):
                await self._api.find_deployment(name)
        except OUT_OF_REACH as error:
            _out_of_reach(error)
        return {"deployment": DEPLOYMENT}

    async def _extract(self, job: ExtractJob, data: bytes | None) -> Answer:
        handoff = self._hand_over(job, data)
        run = self._host.start(extract, {"job": job}, run=lambda _: self._create_run(job))
        run.add_done_callback(lambda ended: self._end_handoff(job, ended))
        await asyncio.wait({run, handoff.receipt}, return_when=asyncio.FIRST_COMPLETED)
        receipt = handoff.receipt.result() if handoff.receipt.done() else _outcome(job, run)
        document = handoff.document
        if document is None:
            document = await self._host.connections.lake.get(receipt.result_key)
        return Answer(receipt, document)

    def _hand_over(self, job: ExtractJob, data: bytes | None) -> Handoff:
        """Begin the work on an inline upload now, and keep it for the flow run."""
        resources = self._host.connections
        if data is None:
            handoff = Handoff()
        else:
            handoff = begin_early(job, data, resources.lake, resources.converter, resources.stages)
        resources.handoffs[job.operation_id] = handoff
        return handoff

    async def _create_run(self, job: ExtractJob) -> FlowRun:
        """A run of the deployment, Running so that no worker takes it, tagged with the request id."""
        created = await self._api.create_run(
            DEPLOYMENT,
            parameters={"job": job.model_dump(mode="json", exclude_none=True)},
            state={"type": "RUNNING", "name": "Running", "message": "in the process that took the request"},
            name=job.file_name,
            tags=[job.request_id],
            idempotency_key=job.operation_id,
        )
        return FlowRun.model_validate(created)

    def _end_handoff(self, job: ExtractJob, run: asyncio.Task[Any]) -> None:
        """When a run has ended, in whatever way: forget its handoff, and retrieve every exception."""
        self._host.connections.handoffs.pop(job.operation_id).close()
        if not run.cancelled():
            run.exception()


async def _workers(client: PrefectClient, pool: str, which: WorkerFilter) -> list[Worker]:
    """A pool's workers; none where nobody has made the pool."""
    try:
        return await client.read_workers_for_work_pool(pool, which, limit=MOST_WORKERS)
    except ObjectNotFound:
        return []


def _outcome(job: ExtractJob, run: asyncio.Task[Any]) -> Receipt:
    """What a run that ended came to, in the caller's terms."""
    try:
        return Receipt.model_validate(run.result())
    except SpatialError:
        raise
    except OUT_OF_REACH as error:
        _out_of_reach(error)
    except Exception as error:
        log.exception("extraction %s failed", job.operation_id)
        raise InternalError("the extraction failed for a reason of ours; it is logged under the request id") from error


def _out_of_reach(error: BaseException) -> NoReturn:
    log.warning("flow engine out of reach: %r", error)
    if isinstance(error, NotRegistered):
        raise ConverterUnavailable(f"{error}") from error
    raise ConverterUnavailable("the flow engine cannot be reached now; try again in a few seconds") from error
