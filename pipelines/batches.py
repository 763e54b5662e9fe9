"""The work of a batch: its lease, its items, its end.

Glossary
  run     the flow run that carries a batch. It renews the batch's lease; a run that has lost the batch (cancelled, expired, taken
          over by another run) stops without changing anything.
  item    one file. It ends by one conditional update, together with its usage row: a second attempt to end it changes and bills nothing.

What is unavailable is tried again for a while, because nothing else tries a failed item again. The results of an item's task runs are
not kept: the item's row says whether it has ended, and a later run extracts the items that have not.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from textwrap import shorten
from typing import Any, Final, TypeVar

from pipelines import extraction, markdown
from pipelines.jobs import Draft, ExtractJob
from pipelines.resources import current_resources
from spatial.contract.target import TargetContract
from spatial.errors import Cancelled, InternalError, SpatialError, Unavailable
from storage.postgres import batch_items, batch_runs, batch_states, batches
from storage.postgres.batches import Batch, Item
from storage.retry import retry

T = TypeVar("T")
W = TypeVar("W")

RENEWALS: Final = 3
"""Renewals within one lease."""

REASONS: Final = 5
"""Most failed items that the message of a flow run's state lists; its artifact lists all."""

REASON_CHARACTERS: Final = 200
"""Most characters of the reason of one item in that message."""

CELL_CHARACTERS: Final = 300
"""Most characters of a file name or a message in the table of items: the messages of parsers can be long."""

log = logging.getLogger(__name__)


async def begin(batch_id: str, flow_run_id: str) -> Batch | None:
    """Take the batch for this run; None where it has ended, or another run carries it."""
    lease = current_resources().settings.lease_seconds
    return await _store(lambda to: batch_runs.begin(to, batch_id, flow_run_id=flow_run_id, lease_seconds=lease))


async def run_with_lease(batch: Batch, work: Coroutine[Any, Any, Any]) -> bool:
    """Do the work and renew the lease meanwhile; False where the run lost the batch, and the work was cancelled."""
    working = asyncio.create_task(work)
    renewing = asyncio.create_task(_renew(batch))
    try:
        await asyncio.wait({working, renewing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in (working, renewing):
            each.cancel()
        await asyncio.wait({working, renewing})
    if working.cancelled():
        return False
    working.result()
    return True


async def run_items(batch: Batch, run_item: Callable[[ExtractJob], Awaitable[Any]]) -> None:
    """Run every unfinished item, SPATIAL_BATCH_PARALLEL at a time. Raises: what the first failing `run_item` raised, after all ended."""
    unfinished = [job_of(batch, row) for row in batch.items if row.state in batch_states.UNFINISHED]
    for outcome in await run_parallel(unfinished, run_item):
        if isinstance(outcome, BaseException):
            raise outcome


async def run_parallel(works: Sequence[W], run: Callable[[W], Awaitable[T]]) -> list[T | BaseException]:
    """Run each, SPATIAL_BATCH_PARALLEL at a time; returns what each returned or raised, in order."""
    places = asyncio.Semaphore(current_resources().settings.batch_parallel)

    async def run_one(work: W) -> T:
        async with places:
            return await run(work)

    return await asyncio.gather(*map(run_one, works), return_exceptions=True)


async def finish(batch_id: str) -> Batch | None:
    """End the batch; None where it does not exist any more. Raises: RuntimeError where items are unfinished."""
    state = await _store(lambda to: batches.finish(to, batch_id))
    batch = await _store(lambda to: batches.find(to, batch_id))
    if state is None and batch is not None and not batch.is_expired:
        raise RuntimeError(f"batch {batch_id} has unfinished items; the reconciler starts it again")
    return batch


async def find(batch_id: str) -> Batch | None:
    """The batch; None where it is unknown."""
    return await _store(lambda to: batches.find(to, batch_id))


async def cancel(batch_id: str, reason: str) -> None:
    """Fail the unfinished items as cancelled."""
    await _store(lambda to: batches.give_up(to, batch_id, Cancelled(reason)))


async def start_item(batch_id: str, index: int) -> bool:
    """Mark an item as running; False where it is not queued any more."""
    return await _store(lambda to: batch_items.start_item(to, batch_id, index))


async def extract_item(job: ExtractJob, on_stage: Callable[[str], None]) -> Draft:
    """Extract an item with one converter call, and try again while something is unavailable. Raises: SpatialError.

    on_stage: called with the name of each stage as it begins.
    """
    return await retry(lambda: extraction.extract_unmetered(job, on_stage))


async def meter_item(batch_id: str, job: ExtractJob, draft: Draft) -> bool:
    """Complete an item and write its usage, in one transaction; False where it has ended before. Raises: DatastoreUnavailable."""
    index = index_of(job)
    _, row = extraction.charge(job, draft)

    async def complete() -> bool:
        async with current_resources().database.transaction() as connection:
            return await batch_items.complete_item(connection, batch_id, index, result_key=draft.result_key, usage=row)

    return await current_resources().stages.measure("meter", complete())


async def fail_item(batch_id: str, job: ExtractJob, problem: Exception) -> SpatialError:
    """End an item with an error; returns the error that the caller reads."""
    error = visible_error(problem, f"item {job.item} of {job.operation_id}")
    await _store(lambda to: batch_items.fail_item(to, batch_id, index_of(job), error))
    return error


def visible_error(problem: Exception, what: str) -> SpatialError:
    """The error as a caller may see it; the log has the rest. what: what failed."""
    if isinstance(problem, SpatialError):
        return problem
    log.error("%s failed", what, exc_info=problem)
    return InternalError(extraction.INTERNAL_FAULT)


def index_of(job: ExtractJob) -> int:
    """The index of a batch item."""
    assert job.item is not None  # `job_of` sets it
    return job.item


def job_of(batch: Batch, row: Item) -> ExtractJob:
    """The extraction of one item."""
    return ExtractJob(
        operation_id=batch.operation_id,
        request_id=batch.request_id,
        account_id=batch.account_id,
        key_id=batch.key_id,
        file_name=row.file_name,
        format=row.format,
        target_contract=TargetContract(row.target_contract),
        edges=row.edges,
        content_key=row.content_key,
        content_url=row.content_url,
        item=row.item,
    )


def count_items(batch: Batch) -> str:
    """The number of items in each state, in words."""
    counts = Counter(row.state for row in batch.items)
    return ", ".join(f"{number} {state}" for state, number in sorted(counts.items()))


def failure_message(batch: Batch) -> str:
    """Why a batch failed, and what an operator can do."""
    failed = [row for row in batch.items if row.state == "failed"]
    failures = [failure_of(row, row.status, str((row.error or {}).get("type")), _outcome(row)) for row in failed]
    advice = (
        "" if batch.is_expired else f"; to extract them again, run the deployment rerun-batch with batch_id={batch.id}"
    )
    return f"no item of {batch.id} succeeded: {list_reasons(failures)}{advice}"


def failure_of(row: Item, status: int | None, error_type: str, message: str) -> str:
    """Why an item failed, in words."""
    return f"item {row.item} {row.file_name}: {status} {error_type}: {message}"


def list_reasons(failures: Sequence[str]) -> str:
    """The first reasons in one line, and how many more there are."""
    listed = [shorten(markdown.one_line(one), REASON_CHARACTERS, placeholder=" …") for one in failures[:REASONS]]
    more = len(failures) - len(listed)
    return "; ".join([*listed, *([f"and {more} more"] if more else [])])


def items_page(batch: Batch) -> str:
    """Markdown for the Prefect UI that lists the items."""
    rows = [
        f"| {row.item} | {_cell(row.file_name)} | {row.state} | {row.status or ''} | {_cell(_outcome(row))} |"
        for row in batch.items
    ]
    lines = [
        f"## {batch.id}: {batch.state}",
        f"{count_items(batch)}; request {markdown.code(batch.request_id)}",
        "\n".join(["| item | file | state | status | |", "|---|---|---|---|---|", *rows]),
    ]
    return "\n\n".join(lines)


async def _renew(batch: Batch) -> None:
    """Renew the lease; returns when the run has lost the batch."""
    resources = current_resources()
    lease, run = resources.settings.lease_seconds, batch.flow_run_id or ""
    while True:
        await asyncio.sleep(lease / RENEWALS)
        try:
            async with resources.database.transaction() as connection:
                if not await batch_runs.renew(connection, batch.id, run, lease):
                    return
        except Unavailable:
            log.warning("the lease of batch %s cannot be renewed now", batch.id)


async def _store(change: Callable[[Any], Awaitable[T]]) -> T:
    """The result of one transaction, tried again while Postgres is unavailable; every change here may be made twice.

    change: takes the connection.
    """

    async def attempt() -> T:
        async with current_resources().database.transaction() as connection:
            return await change(connection)

    return await retry(attempt)


def _outcome(row: Item) -> str:
    return str((row.error or {}).get("message", row.result_key or ""))


def _cell(text: str) -> str:
    """Text in a cell of a Markdown table."""
    return markdown.escape(text[:CELL_CHARACTERS])
