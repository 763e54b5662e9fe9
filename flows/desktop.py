"""Spatial reasoning on desktop workers, as the API sees it: who is available, and one task from its question to its answer."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NoReturn
from uuid import UUID

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import WorkerFilter, WorkerFilterLastHeartbeatTime
from prefect.exceptions import ObjectNotFound
from prefect.states import Cancelling
from pydantic import BaseModel

from flows.pools import DESKTOP_POOL
from flows.submission import OUT_OF_REACH
from pipelines.jobs import RespondBatchJob, RespondJob
from prefect_runtime.client import PrefectApi
from prefect_runtime.names import DESKTOP_POLL_SECONDS
from reasoner.pool import Reasoner
from spatial.contract import limits
from spatial.errors import DesktopInferenceUnavailable, SpatialError, Unavailable, from_wire
from storage.postgres import desktop_tasks, notifications
from storage.postgres.database import Database
from storage.settings import Settings

DEPLOYMENT: Final = "respond/respond"
BATCH_DEPLOYMENT: Final = "respond-batch/respond-batch"

CHUNK: Final = 8
"""Items of a batch that share a flow run, so that several workers share a batch."""

LIVE: Final = timedelta(seconds=4 * DESKTOP_POLL_SECONDS)
"""Age of the last heartbeat up to which a worker counts as live: two may be lost, and Prefect lengthens the interval by up to a third."""

REACH_SECONDS: Final = 10.0
"""How long the Prefect server may take to answer before it counts as out of reach: its client alone would wait for minutes."""

REMEMBERED_SECONDS: Final = 1.0
"""How long a report of the workers is used again."""

TICK_SECONDS: Final = 1.0
"""How often the ends of tasks are looked for where notifications are lost."""

RETRY_SECONDS: Final = 10

NOBODY: Final = (
    "no desktop worker is available; try again later, or start one with python -m deployments.desktop_worker"
)
ONLY_GEOMETRIC: Final = (
    "no desktop worker is available, and this machine answers in its place only what rests on the geometry of the scene; "
    "send the scene without images, or try again later"
)
LOCAL: Final = "local"
"""Name of this machine in `router`, where it answers in place of a desktop worker."""

TOO_SLOW: Final = (
    f"the desktop worker did not answer within {limits.DESKTOP_WAIT_SECONDS:.0f} s; try again, or send a smaller scene"
)

log = logging.getLogger(__name__)


class RuntimeStatus(BaseModel):
    """Whether a reasoning runtime could take a request now (spec: ModelList)."""

    configured: bool
    available: bool
    status: str
    upstream_status: str


@dataclass(frozen=True)
class Solution:
    """A solved task.

    router: runtime (geometric, depth or learned), solver with version, worker, queue_ms and solve_ms; `fallback` where the API's own
        machine answered in place of a desktop worker.
    """

    output: list[dict[str, Any]]
    router: dict[str, Any]


class Desktop:
    """The desktop workers of a service. Use it inside the flow host's event loop; its methods raise SpatialError only."""

    def __init__(self, settings: Settings, client: PrefectClient, database: Database) -> None:
        self._settings = settings
        self._client = client
        self._api = PrefectApi.sharing(client)
        self._database = database
        self._results, self._tasks = _Watch(), _Watch()
        self._report: tuple[float, RuntimeStatus] | None = None
        self._local = Reasoner()
        self._listening: asyncio.Task[NoReturn] | None = None

    async def open(self) -> None:
        """Receive the notifications of the database until `close`."""
        channels = {
            notifications.DESKTOP_RESULTS: self._results.notify,
            notifications.DESKTOP_TASKS: self._tasks.notify,
        }
        self._listening = asyncio.create_task(notifications.listen(self._database, channels))

    async def status(self) -> RuntimeStatus:
        """Whether a worker could take a task now: a live heartbeat in the pool. It raises nothing."""
        if self._report is None or time.monotonic() - self._report[0] > REMEMBERED_SECONDS:
            self._report = time.monotonic(), await self._ask()
        return self._report[1]

    async def respond(self, job: RespondJob, content: bytes, seconds: float) -> Solution:
        """Have a worker solve a task within `seconds`.

        Raises: InputRejected; DesktopInferenceUnavailable if no worker is live, at once, or if none has answered by then; InternalError.
        """
        status = await self.status()
        if not status.available and self._settings.local_fallback:
            return await self._respond_here(job, content, seconds)
        if not status.available:
            raise DesktopInferenceUnavailable(NOBODY, retry_after=RETRY_SECONDS)
        job = _with_task(job)
        run = _Run(DEPLOYMENT, {"job": _plain(job)}, job.shown_name, [job.request_id])
        [outcome] = await self._have_solved([(job, content)], run, seconds)
        return _solution(outcome)

    async def respond_to_batch(
        self, request_id: str, asked: Sequence[tuple[RespondJob, bytes]], seconds: float
    ) -> list[Solution | BaseException]:
        """The same for items of a batch: the solution of each, or what `respond` would have raised. request_id: of the batch."""
        if not (await self.status()).available:
            singles = (self.respond(job, content, seconds) for job, content in asked)
            return await asyncio.gather(*singles, return_exceptions=True)
        chunks = [asked[start : start + CHUNK] for start in range(0, len(asked), CHUNK)]
        runs = (self._respond_to_chunk(request_id, chunk, seconds) for chunk in chunks)
        solved = await asyncio.gather(*runs, return_exceptions=True)
        return [
            one
            for chunk, found in zip(chunks, solved, strict=True)
            for one in ([found] * len(chunk) if isinstance(found, BaseException) else found)
        ]

    async def wait_for_task(self, seconds: float) -> None:
        """Return when a task may wait for a worker, or after `seconds`."""
        await self._tasks.wait(seconds)

    async def forward(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        """Send a worker's request to the flow engine; returns status and body. Raises: DesktopInferenceUnavailable."""
        try:
            return await self._api.forward(method, path, query, body)
        except OUT_OF_REACH as error:
            raise DesktopInferenceUnavailable("the flow engine cannot be reached now; try again") from error

    async def close(self) -> None:
        """Stop receiving notifications, end the waits for a task, and end the solvers of this machine, if there are any."""
        self._tasks.notify()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait({self._listening})
        await self._local.close()

    async def _respond_here(self, job: RespondJob, content: bytes, seconds: float) -> Solution:
        """Solve on this machine what rests on the scene's own geometry (setting `local_fallback`)."""
        solved = await self._local.solve(job.task, content, seconds)
        if solved.runtime != "geometric":
            raise DesktopInferenceUnavailable(ONLY_GEOMETRIC, retry_after=RETRY_SECONDS)
        router = {"runtime": solved.runtime, "solver": solved.solver, "solve_ms": round(solved.solve_ms, 1)}
        return Solution(solved.output, {**router, "worker": LOCAL, "fallback": True, "queue_ms": 0.0})

    async def _ask(self) -> RuntimeStatus:
        if self._settings.desktop_token is None:
            return RuntimeStatus(
                configured=False,
                available=False,
                status="not_configured",
                upstream_status="desktop workers are refused, because SPATIAL_DESKTOP_TOKEN is not set",
            )
        live = WorkerFilter(last_heartbeat_time=WorkerFilterLastHeartbeatTime(after_=datetime.now(UTC) - LIVE))
        try:
            async with asyncio.timeout(REACH_SECONDS):
                workers = await self._client.read_workers_for_work_pool(DESKTOP_POOL, live, limit=100)
        except ObjectNotFound:
            workers = []
        except OUT_OF_REACH as error:
            log.warning("the heartbeats of desktop workers cannot be read: %r", error)
            return RuntimeStatus(
                configured=True, available=False, status="unknown", upstream_status="the flow engine cannot be reached"
            )
        if not workers:
            return RuntimeStatus(
                configured=True,
                available=False,
                status="unavailable",
                upstream_status="no desktop worker has a live heartbeat",
            )
        names = ", ".join(sorted(worker.name for worker in workers)[:3])
        return RuntimeStatus(configured=True, available=True, status="available", upstream_status=f"live: {names}")

    async def _respond_to_chunk(
        self, request_id: str, asked: Sequence[tuple[RespondJob, bytes]], seconds: float
    ) -> list[Solution | BaseException]:
        named = [(_with_task(job), content) for job, content in asked]
        batch = RespondBatchJob(request_id=request_id, jobs=[job for job, _ in named])
        tags = sorted({request_id, *(job.request_id for job in batch.jobs)})
        run = _Run(BATCH_DEPLOYMENT, {"batch": _plain(batch)}, batch.shown_name, tags)
        return [_solution_or_error(outcome) for outcome in await self._have_solved(named, run, seconds)]

    async def _have_solved(
        self, asked: Sequence[tuple[RespondJob, bytes]], run: _Run, seconds: float
    ) -> list[desktop_tasks.Outcome | None]:
        """The outcome of each task; None for one that no worker has ended within `seconds`."""
        task_ids = [job.task_id for job, _ in asked]
        run_id: str | None = None
        try:
            async with asyncio.timeout(seconds):
                run_id = await self._submit(asked, run, seconds)
                await self._wait(task_ids)
        except TimeoutError:
            log.warning("no answer within the time of %s", run.name)
        finally:
            outcomes = await self._close(task_ids, run_id)
        return outcomes

    async def _submit(self, asked: Sequence[tuple[RespondJob, bytes]], run: _Run, seconds: float) -> str:
        """Write the tasks, create their flow run and tell the workers; returns the id of the run."""
        async with self._database.transaction() as connection:
            for job, content in asked:
                await desktop_tasks.create(
                    connection,
                    task_id=job.task_id,
                    account_id=job.account_id,
                    operation_id=job.operation_id,
                    task=job.task,
                    content=content,
                    seconds=seconds,
                )
        task_ids = [job.task_id for job, _ in asked]
        try:
            created = await self._api.create_run(
                run.deployment, parameters=run.parameters, name=run.name, tags=run.tags, idempotency_key=task_ids[0]
            )
        except OUT_OF_REACH as error:
            log.warning("the flow run of a reasoning task cannot be created: %r", error)
            raise DesktopInferenceUnavailable(
                "the flow engine cannot be reached now; try again in a few seconds", retry_after=RETRY_SECONDS
            ) from error
        async with self._database.transaction() as connection:
            await desktop_tasks.announce(connection, task_ids, str(created["id"]))
        return str(created["id"])

    async def _wait(self, task_ids: Sequence[str]) -> None:
        """Wait until the tasks have ended."""
        while True:
            async with self._results.awaited() as notified:
                async with self._database.transaction() as connection:
                    if len(await desktop_tasks.find_ended(connection, task_ids)) == len(task_ids):
                        return
                await notified(TICK_SECONDS)

    async def _close(self, task_ids: Sequence[str], run_id: str | None) -> list[desktop_tasks.Outcome | None]:
        """Delete the tasks; returns their outcomes. A run with a task that has none is cancelled, which kills its solvers."""
        try:
            async with self._database.transaction() as connection:
                outcomes = [await desktop_tasks.remove(connection, task_id) for task_id in task_ids]
        except Unavailable as error:
            log.warning("reasoning tasks cannot be closed now; they expire: %r", error)
            return [None] * len(task_ids)
        if None in outcomes and run_id is not None:
            await self._cancel(run_id)
        return outcomes

    async def _cancel(self, run_id: str) -> None:
        """Cancel a flow run. Where the server does not answer, its worker finds the tasks gone."""
        try:
            async with asyncio.timeout(REACH_SECONDS):
                await self._client.set_flow_run_state(
                    UUID(run_id), Cancelling(message="nobody waits for its answer any more")
                )
        except OUT_OF_REACH as error:
            log.warning("the flow run of a reasoning task cannot be cancelled now: %r", error)


class _Watch:
    """Waits for notifications of one channel."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Event] = set()

    def notify(self) -> None:
        """Wake everyone who waits."""
        for event in self._waiting:
            event.set()

    async def wait(self, seconds: float) -> None:
        """Return at the next notification, or after `seconds`."""
        async with self.awaited() as notified:
            await notified(seconds)

    @asynccontextmanager
    async def awaited(self) -> AsyncIterator[Callable[[float], Any]]:
        """A function that waits for the next notification since the block began, for at most so many seconds."""
        event = asyncio.Event()
        self._waiting.add(event)

        async def notified(seconds: float) -> None:
            await asyncio.wait({asyncio.ensure_future(event.wait())}, timeout=seconds)

        try:
            yield notified
        finally:
            self._waiting.discard(event)
            event.set()


@dataclass(frozen=True)
class _Run:
    """A flow run to be created."""

    deployment: str
    parameters: dict[str, Any]
    name: str
    tags: list[str]


def _with_task(job: RespondJob) -> RespondJob:
    return job.model_copy(update={"task_id": desktop_tasks.new_id()})


def _plain(parameter: BaseModel) -> dict[str, Any]:
    return parameter.model_dump(mode="json", exclude_none=True)


def _solution_or_error(ended: desktop_tasks.Outcome | None) -> Solution | BaseException:
    try:
        return _solution(ended)
    except SpatialError as error:
        return error


def _solution(ended: desktop_tasks.Outcome | None) -> Solution:
    """The solution in an outcome. Raises: the error in it; DesktopInferenceUnavailable if there is none."""
    if ended is None:
        raise DesktopInferenceUnavailable(TOO_SLOW, retry_after=RETRY_SECONDS)
    if "error" in ended.outcome or ended.output is None:
        raise from_wire(ended.outcome.get("error", {}))
    router = {**ended.outcome["router"], "queue_ms": round(ended.queue_seconds * 1000, 1)}
    return Solution(json.loads(ended.output), router)
