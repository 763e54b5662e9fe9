"""The flow `extract-batch`: up to 32 files, one task run each, under one operation."""

from __future__ import annotations

from typing import Any

from prefect import Flow, flow, get_run_logger, runtime
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Completed, Failed

from spatial import logs
from tasks import batches


async def called_off(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Somebody cancelled the run in Prefect: what is unfinished fails as cancelled."""
    del flow, state
    await batches.call_off(flow_run.parameters["batch_id"], "the batch was cancelled by an operator")


@flow(name="extract-batch", persist_result=False, on_cancellation=[called_off])
async def extract_batch(batch_id: str) -> str | State[Any]:
    """Extract the unfinished items of a batch; returns the state that it is in then.

    Run it as often as you like: finished items are neither done nor billed again, and a batch that has ended stays as it is.
    """
    batch = await batches.begin(batch_id, str(runtime.flow_run.id))
    if batch is None:
        return await _not_taken(batch_id)
    logs.adopt({"request_id": batch.request_id})
    if not await batches.while_ours(batch, batches.work_off(batch)):
        get_run_logger().info("%s was cancelled, has expired, or was taken over", batch_id)
        return "let go"
    ended = await batches.finish(batch_id)
    if ended is None:
        return "forgotten"
    await batches.report(ended)
    if ended.state == "failed":
        return Failed(message=f"none of its {len(ended.items)} items succeeded")
    return ended.state


async def _not_taken(batch_id: str) -> State[Any]:
    """Why there is nothing to do, for who reads it in Prefect."""
    known = await batches.find(batch_id)
    if known is None:
        return Failed(message=f"there is no batch {batch_id}")
    state = "expired" if known.is_expired else known.state
    return Completed(
        message=f"nothing left to do: {batch_id} is {state}" + ", and another run carries it" * (state == "running")
    )
