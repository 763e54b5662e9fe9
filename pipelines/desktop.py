"""The stages of a reasoning task on a desktop worker: fetch the scene, solve, deliver. `tasks.reasoning` makes a Prefect task of each.

A desktop worker holds no credentials of database or object storage: it reads scenes and writes results through the API, under URLs that
answer only until the task expires.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from prometheus_client import CollectorRegistry
from pydantic import BaseModel

from pipelines.jobs import RespondJob
from reasoner.pool import Reasoner, SolvedTask
from spatial.errors import DesktopInferenceUnavailable, InternalError, SpatialError

DESKTOP_ROUTE: Final = "/api/v1/desktop"
"""Routes of the API that desktop workers call."""

DEADLINE_HEADER: Final = "X-Task-Seconds"
"""Header of a task's input: seconds until the task expires."""

ANSWER_SECONDS: Final = 15.0
"""Timeout of a call to the service, apart from the long poll."""

ENDED: Final = (
    "the request that asked has ended, because it was answered or its time was over; send it again for another answer"
)


FAILED: Final = InternalError("the desktop worker failed to solve the task; send the request again")


class TaskResult(BaseModel):
    """What a worker delivers: a solved task, or the error that ended it (as `SpatialError.to_wire` describes one)."""

    worker: str
    solved: SolvedTask | None = None
    error: dict[str, Any] | None = None


class Exchange:
    """The API as a desktop worker sees it. Every method raises DesktopInferenceUnavailable where the API cannot be reached."""

    def __init__(self, url: str, token: str) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{url.rstrip('/')}{DESKTOP_ROUTE}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=ANSWER_SECONDS,
            trust_env=False,
        )

    async def fetch(self, task_id: str) -> tuple[bytes, float]:
        """The input of a task as JSON, and the seconds that are left for it. Raises: TaskEnded."""
        answer = await self._send("GET", f"/tasks/{task_id}/input")
        return answer.content, float(answer.headers[DEADLINE_HEADER])

    async def deliver(self, task_id: str, result: TaskResult) -> None:
        """Write the result of a task. Raises: TaskEnded if nobody waits for it any more."""
        body = result.model_dump_json(exclude_none=True).encode()
        await self._send("PUT", f"/tasks/{task_id}/result", content=body, headers={"Content-Type": "application/json"})

    async def wait_for_task(self, seconds: float) -> None:
        """Return when a task may wait for a worker, or after about `seconds`."""
        await self._send("GET", "/wait", params={"seconds": seconds}, timeout=seconds + ANSWER_SECONDS)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = await self._http.request(method, path, **options)
        except httpx.HTTPError as error:
            raise DesktopInferenceUnavailable(
                f"the service cannot be reached ({error!r}); check its address, if this goes on"
            ) from error
        if answer.status_code == httpx.codes.NOT_FOUND:
            raise TaskEnded(ENDED)
        if answer.is_error:
            raise DesktopInferenceUnavailable(
                f"the service answered {answer.status_code} to the desktop worker; check its address and its token"
            )
        return answer


class TaskEnded(SpatialError):
    """Nobody waits for the task any more."""


@dataclass
class DesktopResources:
    """What a desktop worker has."""

    worker: str
    """Name of the worker, which `router` repeats."""
    exchange: Exchange
    reasoner: Reasoner
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)


_current: ContextVar[DesktopResources] = ContextVar("desktop")


@asynccontextmanager
async def open_desktop(worker: str, url: str, token: str) -> AsyncIterator[DesktopResources]:
    """Resources for the length of a block, in which they are current."""
    resources = DesktopResources(worker, Exchange(url, token), Reasoner())
    try:
        with _use(resources):
            yield resources
    finally:
        await resources.reasoner.close()
        await resources.exchange.close()


@contextmanager
def _use(resources: DesktopResources) -> Iterator[None]:
    reset = _current.set(resources)
    try:
        yield
    finally:
        _current.reset(reset)


async def answer(job: RespondJob) -> SolvedTask:
    """All stages of a task. An error of the solver is delivered before it is raised.

    Raises: TaskEnded, DesktopInferenceUnavailable, InputRejected, InternalError.
    """
    content, seconds = await fetch_scene(job)
    try:
        solved = await solve(job, content, seconds)
    except Exception as error:
        await deliver(job, error if isinstance(error, SpatialError) else FAILED)
        raise
    await deliver(job, solved)
    return solved


async def fetch_scene(job: RespondJob) -> tuple[bytes, float]:
    """The input of the job's task, and the seconds that are left. Raises: TaskEnded, DesktopInferenceUnavailable."""
    return await _current.get().exchange.fetch(job.task_id)


async def solve(job: RespondJob, content: bytes, seconds: float) -> SolvedTask:
    """Solve in a child, which is killed if this call is cancelled. Raises: InputRejected, DesktopInferenceUnavailable, InternalError."""
    return await _current.get().reasoner.solve(job.task, content, seconds)


async def deliver(job: RespondJob, outcome: SolvedTask | SpatialError) -> None:
    """Give the caller its answer or its error. Raises: TaskEnded, DesktopInferenceUnavailable."""
    resources = _current.get()
    solved = None if isinstance(outcome, SpatialError) else outcome
    error = outcome.to_wire() if isinstance(outcome, SpatialError) else None
    await resources.exchange.deliver(job.task_id, TaskResult(worker=resources.worker, solved=solved, error=error))
