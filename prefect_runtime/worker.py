"""A Prefect worker that runs flows inside its own process, so that a run starts within about a second.

Prefect's process worker starts an interpreter and imports all packages for each run (3.5-4.2 s). Parsing, interpreting and sampling run
in the converter, so several flows can share one process. The worker runs only the flows that it is given by name: it refuses a
deployment with pull steps or with another flow.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Self
from uuid import UUID

import httpx
from anyio.abc import TaskStatus
from prefect import Flow
from prefect.client.schemas.objects import FlowRun
from prefect.client.schemas.responses import DeploymentResponse, WorkerFlowRunResponse
from prefect.workers._worker_channel import WorkPoolWorkerChannel
from prefect.workers.base import BaseJobConfiguration, BaseVariables, BaseWorker, BaseWorkerResult

from prefect_runtime import lost_connections
from prefect_runtime.client import PrefectApi, is_out_of_reach
from prefect_runtime.host import FlowHost
from prefect_runtime.names import WORKER_TYPE
from prefect_runtime.polls import Answer, Poll

PREFETCH_SECONDS: Final = 1.0
"""How far ahead of its start a worker takes a run."""

READY_SECONDS: Final = 30.0
"""Least interval of Prefect's own poll where no run is due, but a queue or a deployment is not ready."""

SYNC_SECONDS: Final = 300.0
"""Interval of Prefect's own heartbeat, which reads the work pool and its queues again."""

DEPLOYMENT_SECONDS: Final = 60.0
"""How long a deployment that was read counts as unchanged; each run would have it read twice."""

log = logging.getLogger(__name__)


class WarmWorkerResult(BaseWorkerResult):
    """The result object that Prefect requires; the state of the run contains the actual outcome."""


class InProcess(BaseJobConfiguration):
    """Job configuration of a run in this process: there is no infrastructure, so Prefect's requests to configure it are skipped."""

    @classmethod
    async def resolve_for_flow_run(cls, flow_run: FlowRun, **_: Any) -> Self:
        """A configuration that names only the run, for the events of the worker."""
        configuration = cls()
        configuration._related_objects = {"flow-run": flow_run}
        return configuration


class WarmWorker(BaseWorker[InProcess, BaseVariables, WarmWorkerResult]):
    """Runs flows of the catalog concurrently in this process.

    flows: the flows that it may run, by name.
    queues: the work queues that it polls; if empty, all queues of the pool except `other_queues`, updated at each heartbeat.
    polled: called after every poll that the Prefect server answered.
    """

    type = WORKER_TYPE
    job_configuration = InProcess
    job_configuration_variables = BaseVariables
    _description = "Runs the flows of the Spatial Geometry Service inside its own process."

    draining = False
    """Set to take no further runs."""

    def __init__(
        self,
        work_pool_name: str,
        *,
        host: FlowHost[Any],
        flows: Mapping[str, Flow[..., Any]],
        limit: int,
        queues: Collection[str] = (),
        other_queues: Collection[str] = (),
        polled: Callable[[], None] = lambda: None,
        name: str | None = None,
    ) -> None:
        super().__init__(
            work_pool_name, name=name, work_queues=list(queues), limit=limit, prefetch_seconds=PREFETCH_SECONDS
        )
        self._host = host
        self._flows = flows
        self._all_queues = not queues
        self._other_queues = set(other_queues)
        self._polled = polled
        self._flow_names: dict[UUID, str] = {}
        self._under_way: set[UUID] = set()
        self._asks = True
        self._synced = self._beat = self._fully_polled = -math.inf
        self._polling = asyncio.Lock()
        self._out_of_reach = False
        self._has_left = False

    @property
    def under_way(self) -> frozenset[UUID]:
        """Ids of the flow runs that this worker is running."""
        return frozenset(self._under_way)

    @property
    def is_idle(self) -> bool:
        """Whether no run is running or about to start."""
        return not self._submitting_flow_run_ids and not self._under_way

    async def setup(self) -> None:
        """Open the client, which notices lost connections and reads a deployment once in DEPLOYMENT_SECONDS."""
        await super().setup()
        await lost_connections.watch(self.client)
        read, known = self.client.read_deployment, dict[UUID, tuple[float, DeploymentResponse]]()

        async def read_deployment(deployment_id: UUID) -> DeploymentResponse:
            read_at, deployment = known.get(deployment_id, (-math.inf, None))
            if deployment is None or time.monotonic() - read_at > DEPLOYMENT_SECONDS:
                deployment = await read(deployment_id)
                known[deployment_id] = time.monotonic(), deployment
            return deployment

        self.client.read_deployment = read_deployment  # type: ignore[method-assign,assignment]  # the worker gets no client of ours

    async def get_and_submit_flow_runs(self, *, certainly: bool = False) -> list[FlowRun]:
        """Start the runs that are due, unless this worker is draining. If the server is unreachable, the next poll tries again.

        certainly: a run is known to be due, so the server is not asked for that first.
        """
        if self.draining:
            return []
        try:
            async with self._polling:
                if not certainly and not await self._may_be_due():
                    return []
                started = await super().get_and_submit_flow_runs()
                self._fully_polled = time.monotonic()
        except httpx.HTTPError as error:
            self.note_out_of_reach(error)
            return []
        self._out_of_reach = False
        return started

    async def leave(self) -> None:
        """Take no further runs, send no further heartbeats, and remove this worker from the list of its pool."""
        self.draining = True
        self._has_left = True
        try:
            await PrefectApi.sharing(self.client).remove_worker(self._work_pool_name, self.name)
        except httpx.HTTPError as error:
            log.info("the worker stays in the list of its pool until its heartbeat is old: %r", error)

    def _ensure_worker_channel(self) -> None:
        """Open no websocket: the server would write a heartbeat that comes by it besides those that polls are, at ten times their cost."""
        super()._ensure_worker_channel()
        if isinstance(self._worker_channel, WorkPoolWorkerChannel):
            self._worker_channel._transport.url = None

    async def sync_with_backend(self) -> None:
        """Send the heartbeat of this worker, unless a poll was one, and now and then find queues that were added to its pool."""
        if self._has_left:
            return
        try:
            if time.monotonic() - self._synced < SYNC_SECONDS and await self._is_online():
                return
            await super().sync_with_backend()
            self._synced = time.monotonic()
            if self._all_queues:
                queues = await self.client.read_work_queues(work_pool_name=self._work_pool_name)
                self._work_queues = {queue.name for queue in queues} - self._other_queues
        except httpx.HTTPError as error:
            self.note_out_of_reach(error)

    async def run(
        self,
        flow_run: FlowRun,
        configuration: InProcess,
        task_status: TaskStatus[int] | None = None,
    ) -> WarmWorkerResult:
        """Run one flow run to its end; a flow that fails affects neither the other runs nor this process."""
        del configuration
        self._under_way.add(flow_run.id)
        try:
            flow = await self._flow_of(flow_run)
            if task_status is not None:
                task_status.started(os.getpid())
            await self._host.call(lambda: self._run_in_host(flow, flow_run))
        finally:
            self._under_way.discard(flow_run.id)
        return WarmWorkerResult(identifier=str(flow_run.id), status_code=0)

    def note_out_of_reach(self, error: httpx.HTTPError) -> None:
        """Log once that the server is unreachable. Raises: the error, if the server refused the request."""
        if not is_out_of_reach(error):
            raise error
        if not self._out_of_reach:
            log.warning("the Prefect server is unreachable; retrying: %r", error)
        self._out_of_reach = True

    async def _run_in_host(self, flow: Flow[..., Any], flow_run: FlowRun) -> None:
        """Run to the end. The outcome is in the state of the run, and the host logs it."""
        run = self._host.start(flow, flow_run.parameters, run=flow_run)
        await asyncio.wait({run})
        if not run.cancelled():
            run.exception()  # asyncio would log an exception again if it were not retrieved

    async def _propose_submitting_state(self, flow_run: FlowRun) -> None:
        """Skip this state: a run in this process is not submitted to any infrastructure, which saves one request."""

    async def _get_scheduled_flow_runs(self) -> list[WorkerFlowRunResponse]:
        """Runs that are due and not running in this process: a run that the flow `reconcile` scheduled again may still be running."""
        due = await super()._get_scheduled_flow_runs()
        self._polled()
        return [entry for entry in due if entry.flow_run.id not in self._under_way]

    async def _may_be_due(self) -> bool:
        """Whether to send Prefect's own poll: it is the first, a run is due, something is not ready, or the server cannot be asked."""
        if self._fully_polled == -math.inf:
            return True
        answer = await self._ask()
        if answer is not None:
            self._polled()
        if answer is None or answer.due:
            self._synced = -math.inf  # the run may be in a queue that was added since then
            return True
        return answer.unready and time.monotonic() - self._fully_polled >= READY_SECONDS

    async def _is_online(self) -> bool:
        """Whether the server has a heartbeat of this worker of the current interval."""
        if time.monotonic() - self._beat < self.heartbeat_interval_seconds:
            return True
        answer = await self._ask()
        return answer is not None and answer.online

    async def _ask(self) -> Answer | None:
        if not self._asks:
            return None
        poll = Poll(
            worker=self.name,
            queues=[] if self._all_queues else sorted(self._work_queues),
            other_queues=sorted(self._other_queues),
            within_seconds=PREFETCH_SECONDS,
        )
        answer = await PrefectApi.sharing(self.client).ask_for_runs(self._work_pool_name, poll)
        self._asks = answer is not None
        self._beat = time.monotonic() if answer is not None and answer.online else -math.inf
        return answer

    async def _flow_of(self, flow_run: FlowRun) -> Flow[..., Any]:
        """The flow of a run. Raises: ValueError if the run needs code that this worker does not have."""
        deployment = await self.client.read_deployment(flow_run.deployment_id) if flow_run.deployment_id else None
        if deployment is not None and deployment.pull_steps:
            raise ValueError("this worker runs only its own flows and refuses deployments with pull_steps")
        name = await self._flow_name(flow_run)
        if name not in self._flows:
            raise ValueError(f"this worker has no flow named {name!r}; it has {', '.join(self._flows)}")
        return self._flows[name]

    async def _flow_name(self, flow_run: FlowRun) -> str:
        if flow_run.flow_id not in self._flow_names:
            self._flow_names[flow_run.flow_id] = (await self.client.read_flow(flow_run.flow_id)).name
        return self._flow_names[flow_run.flow_id]
