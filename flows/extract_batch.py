"""The flow `extract-batch`: up to 32 files in one operation, with a task run per item and, below it, task runs of its stages."""

from __future__ import annotations

from functools import partial
from typing import Any

from prefect import Flow, flow, get_run_logger, runtime, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Completed, Failed

from flows.stages import extract_item_in_stages
from pipelines import batches, stages
from pipelines.conversion import failed_stage
from pipelines.jobs import ExtractJob
from pipelines.resources import current_resources
from spatial import logs
from spatial.errors import SpatialError
from storage.retry import retry
from tasks.artifacts import publish_artifact
from tasks.batches import failed, meter_item, show_stage


async def cancel_batch(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Hook for a run that was cancelled in Prefect: its unfinished items fail as cancelled."""
    del flow, state
    await batches.cancel(flow_run.parameters["batch_id"], "the batch was cancelled by an operator")


@flow(name="extract-batch", persist_result=False, on_cancellation=[cancel_batch])
async def extract_batch(batch_id: str) -> str | State[Any]:
    """Extract the unfinished items of a batch; returns the state in which the batch ends.

    It can be run again at any time: finished items are neither extracted nor billed again, and a batch that has ended does not change.
    """
    batch = await batches.begin(batch_id, str(runtime.flow_run.id))
    if batch is None:
        return await _nothing_to_do(batch_id)
    logs.adopt({"request_id": batch.request_id})
    if not await batches.run_with_lease(batch, batches.run_items(batch, partial(_run_item, batch_id))):
        get_run_logger().info("%s was cancelled, has expired, or was taken over", batch_id)
        return "released"
    ended = await batches.finish(batch_id)
    if ended is None:
        return "deleted"
    await publish_artifact("extract-batch", batches.items_page(ended), f"Outcome of the items of {batch_id}")
    if ended.state == "failed":
        return Failed(message=batches.failure_message(ended))
    get_run_logger().info("%s is %s: %s", batch_id, ended.state, batches.count_items(ended))
    return ended.state


@task(name="item", task_run_name="item {job.item}: {job.shown_name}", persist_result=False, cache_policy=NO_CACHE)
async def item(batch_id: str, job: ExtractJob) -> State[Any] | str:
    """Extract one item and charge it, or record the error that its caller receives."""
    if not await batches.start_item(batch_id, batches.index_of(job)):
        return "another run processes this item"
    started_stages: list[str] = []
    show_all = current_resources().settings.batch_stages == "all"
    try:
        draft = await (extract_item_in_stages(job) if show_all else batches.extract_item(job, started_stages.append))
    except Exception as problem:  # noqa: BLE001  # any error ends this item only
        error = await batches.fail_item(batch_id, job, problem)
        if not isinstance(problem, SpatialError):
            get_run_logger().error("item %s failed", job.item, exc_info=problem)
        if not show_all:
            await _show_stages(job, started_stages[-1], error)
        return failed(error)
    if show_all:
        written = await meter_item(batch_id, job, draft)
    else:
        written = await retry(lambda: batches.meter_item(batch_id, job, draft))
    return draft.result_key if written else "the item had already ended"


async def _run_item(batch_id: str, job: ExtractJob) -> None:
    """Run an item. Its errors are not raised, because its row records them."""
    await item(batch_id, job, return_state=True)  # type: ignore[misc]  # Prefect types it as a synchronous call


async def _show_stages(job: ExtractJob, last: str, error: SpatialError) -> None:
    """Show the stages of a failed item as task runs: those that succeeded, and the one that failed."""
    last_stage = failed_stage(error) if last == "convert" else last
    for stage in stages.NAMES[: stages.NAMES.index(last_stage)]:
        if stage != "sample" or job.target_contract.has_points:
            await show_stage.with_options(name=stage)(stage, job.shown_name, None)
    await show_stage.with_options(name=last_stage)(last_stage, job.shown_name, error, return_state=True)  # type: ignore[misc]  # as above


async def _nothing_to_do(batch_id: str) -> State[Any]:
    """The state of a run that could not begin the batch, with the reason; a batch that failed stays a failure in Prefect too."""
    known = await batches.find(batch_id)
    if known is None:
        return Failed(message=f"there is no batch {batch_id}")
    if known.state == "failed":
        return Failed(message=f"nothing was run: {batches.failure_message(known)}")
    state = "expired" if known.is_expired else known.state
    return Completed(
        message=f"nothing left to do: {batch_id} is {state}" + ", and another run processes it" * (state == "running")
    )
