"""When Prefect runs a task again."""

from __future__ import annotations

from typing import Any, Final

from prefect import Task
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import FlowRunContext

from pipelines.jobs import ExtractJob
from pipelines.resources import handoff
from storage.retry import PAUSES, is_retryable

RETRIES: Final[dict[str, Any]] = {"retries": len(PAUSES), "retry_delay_seconds": list(PAUSES)}


async def when_unavailable(task: Task[..., Any], task_run: TaskRun, state: State[Any]) -> bool:
    """Retry where the converter, the lake or the database is unavailable; never for a refused file.

    A caller that waits for its answer gets the error at once, and decides itself when to try again.
    """
    del task, task_run
    return is_retryable(await state.aresult(raise_on_failure=False)) and not _has_caller()


def _has_caller() -> bool:
    """Whether the flow run answers a request that this process took."""
    run = FlowRunContext.get()
    job = (run.parameters or {}).get("job") if run is not None else None
    return isinstance(job, ExtractJob) and handoff(job.operation_id) is not None
