"""The flow `rerun-batch`: extract every failed item of an ended batch again, each into a separate result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from prefect import flow, get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.stages import extract_item_in_stages
from pipelines import batches, item_rerun, markdown
from pipelines.item_rerun import Repeated
from spatial.counting import count_of
from spatial.errors import SpatialError
from storage.postgres.batches import Item
from tasks.artifacts import publish_artifact
from tasks.batches import meter_item_rerun

Outcome = Repeated | SpatialError


@flow(name="rerun-batch", flow_run_name="{batch_id} failed items", persist_result=False)
async def rerun_batch(batch_id: str) -> State[Any]:
    """Extract every failed item of an ended batch again; the batch stays as it is.

    The artifact names the lake keys of the new documents. A success is billed once, however often this runs; items that an earlier
    run has extracted are not extracted again.

    Args:
        batch_id: A batch that has ended and has not expired.
    """
    try:
        rows = await item_rerun.failed_items(batch_id)
    except SpatialError as refused:
        if not refused.is_refusal:
            raise
        return Failed(message=refused.message)
    outcomes = await batches.run_parallel(rows, partial(_repeat, batch_id))
    ended = [
        (row, _as_error(batch_id, row, one) if isinstance(one, BaseException) else one)
        for row, one in zip(rows, outcomes, strict=True)
    ]
    await publish_artifact(
        "rerun-batch", outcomes_page(batch_id, ended), f"Failed items of {batch_id}, extracted again"
    )
    return _end(batch_id, ended)


@task(name="item", task_run_name="item {index}: {shown_name}", persist_result=False, cache_policy=NO_CACHE)
async def repeat_item(batch_id: str, index: int, shown_name: str) -> Repeated:
    """One failed item from its source to a charged result of its own. Raises: SpatialError."""
    job = await item_rerun.job_of_failed_item(batch_id, index)
    earlier = await item_rerun.earlier_result(job)
    if earlier is not None:
        get_run_logger().info("%s was extracted by an earlier run: %s", shown_name, earlier.result_key)
        return earlier
    receipt = await meter_item_rerun(job, await extract_item_in_stages(job))
    return Repeated(receipt.result_key, receipt.charged)


def outcomes_page(batch_id: str, ended: Sequence[tuple[Item, Outcome]]) -> str:
    """Markdown for the Prefect UI, and readable in a terminal: one line per item."""
    lines = [f"- item {row.item} {markdown.code(row.file_name)}: {_line(outcome)}" for row, outcome in ended]
    return "\n\n".join([f"## {batch_id}: failed items, extracted again", "\n".join(lines) or "It has no failed items."])


async def _repeat(batch_id: str, row: Item) -> Repeated:
    return await repeat_item(batch_id, row.item, markdown.one_line(row.file_name))


def _as_error(batch_id: str, row: Item, problem: BaseException) -> SpatialError:
    """The error of an item. Raises: the problem, where it is not of one item, for example a cancellation."""
    if not isinstance(problem, Exception):
        raise problem
    return batches.visible_error(problem, f"item {row.item} of {batch_id}, extracted again,")


def _line(outcome: Outcome) -> str:
    if isinstance(outcome, SpatialError):
        return f"{outcome.status} {outcome.type}: {markdown.code(outcome.message)}"
    return f"{markdown.code(outcome.result_key)}, {item_rerun.billing(outcome.charged)}"


def _end(batch_id: str, ended: Sequence[tuple[Item, Outcome]]) -> State[Any]:
    failures = [
        batches.failure_of(row, outcome.status, outcome.type, outcome.message)
        for row, outcome in ended
        if isinstance(outcome, SpatialError)
    ]
    if failures:
        reasons = batches.list_reasons(failures)
        return Failed(
            message=f"{len(failures)} of {count_of(len(ended), 'item')} of {batch_id} failed again: {reasons}"
        )
    message = f"{count_of(len(ended), 'failed item was', 'failed items were')} extracted again; the artifact names the documents"
    if not ended:
        message = f"{batch_id} has no failed items that may be extracted again"
    get_run_logger().info(message)
    return Completed(message=message)
