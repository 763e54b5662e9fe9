"""The stages of a reasoning task as Prefect tasks. They keep no results: a scene is as large as its file, and its caller waits."""

from __future__ import annotations

from typing import Any, Final

from prefect import task
from prefect.cache_policies import NO_CACHE

from pipelines import desktop
from pipelines.jobs import RespondJob
from reasoner.pool import SolvedTask
from spatial.contract import limits
from spatial.errors import SpatialError

STAGE: Final[dict[str, Any]] = {
    "persist_result": False,
    "cache_policy": NO_CACHE,
    "timeout_seconds": limits.DESKTOP_WAIT_SECONDS,
}


@task(name="answer", task_run_name="answer {job.shown_name}", **STAGE)
async def answer(job: RespondJob) -> None:
    """All stages of an item of a batch."""
    await desktop.answer(job)


@task(name="fetch-scene", task_run_name="fetch the scene of {job.shown_name}", **STAGE)
async def fetch_scene(job: RespondJob) -> tuple[bytes, float]:
    """Read the input of the task through the API."""
    return await desktop.fetch_scene(job)


@task(name="solve", task_run_name="solve {job.shown_name}", **STAGE)
async def solve(job: RespondJob, content: bytes, seconds: float) -> SolvedTask:
    """Solve in a forked child."""
    return await desktop.solve(job, content, seconds)


@task(name="deliver", task_run_name="deliver {job.shown_name}", **STAGE)
async def deliver(job: RespondJob, outcome: SolvedTask | SpatialError) -> None:
    """Give the caller its answer or its error."""
    await desktop.deliver(job, outcome)
