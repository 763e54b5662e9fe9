"""Tasks of batches that single extractions do not have."""

from __future__ import annotations

from typing import Any, Final

from prefect import task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from pipelines import batches, item_rerun
from pipelines.jobs import Draft, ExtractJob, Receipt
from pipelines.markdown import one_line
from spatial.errors import SpatialError
from tasks.extraction import STORAGE_SECONDS
from tasks.retrying import RETRIES, when_unavailable

METER: Final[dict[str, Any]] = {
    "name": "meter",
    "task_run_name": "meter {job.shown_name}",
    "timeout_seconds": STORAGE_SECONDS,
    "retry_condition_fn": when_unavailable,
    **RETRIES,
}


@task(persist_result=False, cache_policy=NO_CACHE, **METER)
async def meter_item(batch_id: str, job: ExtractJob, draft: Draft) -> bool:
    """Write the usage of an item once, in the transaction that completes it; False where it has ended before."""
    return await batches.meter_item(batch_id, job, draft)


@task(persist_result=False, cache_policy=NO_CACHE, **METER)
async def meter_item_rerun(job: ExtractJob, draft: Draft) -> Receipt:
    """Write the usage of a repeated item once, however often it is repeated."""
    return await item_rerun.meter(job, draft)


@task(task_run_name="{stage} {file_name}", persist_result=False, cache_policy=NO_CACHE)
async def show_stage(stage: str, file_name: str, error: SpatialError | None) -> State[Any]:
    """Show how a stage ended that ran without a task run of its own."""
    if error is None:
        return Completed(message=f"{stage} ended well, as part of its item")
    return failed(error)


def failed(error: SpatialError) -> State[Any]:
    """The state of a run that ended with this error."""
    return Failed(message=one_line(f"{error.status} {error.type}: {error.message}"))
