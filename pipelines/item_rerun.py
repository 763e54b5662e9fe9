"""Extract failed items of an ended batch again, each into a result of its own.

The batch stays as it is. The new result belongs to an operation whose id follows from the batch and the item: however often the item is
extracted again, it has one result key and is billed once.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pipelines import batches, extraction
from pipelines.jobs import Draft, ExtractJob, Receipt
from pipelines.resources import current_resources
from spatial.contract.routes import BATCH_ROUTE
from spatial.errors import InvalidRequest, NotFound
from storage.postgres import operations
from storage.postgres.batch_states import UNFINISHED
from storage.postgres.batches import Batch, Item


@dataclass(frozen=True)
class Repeated:
    """The result of an item that was extracted again."""

    result_key: str
    charged: bool
    """False where an earlier run was billed."""


async def failed_items(batch_id: str) -> list[Item]:
    """The failed items of an ended batch; none of a batch that its caller cancelled.

    Raises: NotFound for an unknown or expired batch; InvalidRequest for one that has not ended; DatastoreUnavailable.
    """
    return (await _ended_batch(batch_id)).repeatable_items


async def earlier_result(job: ExtractJob) -> Repeated | None:
    """The result of an earlier repetition of the item that succeeded and has not expired. Raises: DatastoreUnavailable, LakeUnavailable."""
    resources = current_resources()
    async with resources.database.transaction() as connection:
        known = await operations.find(connection, job.operation_id)
    if known is None or known.state != "completed" or not await resources.lake.exists(job.result_key):
        return None
    return Repeated(job.result_key, charged=False)


async def job_of_failed_item(batch_id: str, index: int) -> ExtractJob:
    """The extraction that repeats a failed item.

    Raises: NotFound for an unknown or expired batch, an index beyond its items, and a staged file that is deleted; InvalidRequest for a
    batch that has not ended and an item that has not failed; DatastoreUnavailable, LakeUnavailable.
    """
    batch = await _ended_batch(batch_id)
    row = _failed_item(batch, index)
    job = batches.job_of(batch, row).model_copy(update={"operation_id": _operation_id(batch, index)})
    if job.content_key is not None and not await current_resources().lake.exists(job.content_key):
        raise NotFound(f"the staged file of item {index} of {batch.id} is deleted; submit the file in a new batch")
    return job


async def meter(job: ExtractJob, draft: Draft) -> Receipt:
    """Write the usage of the repeated item, unless an earlier run has. Raises: DatastoreUnavailable."""
    estimate, row = extraction.charge(job, draft)

    async def complete() -> bool:
        async with current_resources().database.transaction() as connection:
            return await operations.complete_once(
                connection,
                operation_id=job.operation_id,
                account_id=job.account_id,
                key_id=job.key_id,
                request_id=job.request_id,
                route=BATCH_ROUTE,
                status=200,
                result_key=draft.result_key,
                content_type="application/json",
                usage=row,
            )

    charged = await current_resources().stages.measure("meter", complete())
    return Receipt(result_key=draft.result_key, usage=estimate, charged=charged)


def billing(charged: bool) -> str:
    """Whether a repetition was billed, in words."""
    return "billed" if charged else "not billed, because an earlier run was"


async def _ended_batch(batch_id: str) -> Batch:
    """Raises: NotFound, InvalidRequest."""
    batch = await batches.find(batch_id)
    if batch is None:
        raise NotFound(f"there is no batch {batch_id}; check the id, or submit the file in a new batch")
    if batch.is_expired:
        raise NotFound(f"batch {batch.id} has expired and its files are deleted; submit the file in a new batch")
    if batch.state in UNFINISHED:
        raise InvalidRequest(f"batch {batch.id} is {batch.state}; extract its failed items again after it has ended")
    return batch


def _failed_item(batch: Batch, index: int) -> Item:
    """Raises: NotFound, InvalidRequest."""
    if not 0 <= index < len(batch.items):
        raise NotFound(f"batch {batch.id} has no item {index}; choose one from 0 to {len(batch.items) - 1}")
    row = batch.items[index]
    if row.state != "failed":
        raise InvalidRequest(
            f"item {index} of {batch.id} is {row.state}, and only failed items are extracted again; choose one of those"
        )
    return row


def _operation_id(batch: Batch, index: int) -> str:
    """Always the same for an item, so that a second run finds what the first one billed."""
    return f"op_{hashlib.sha256(f'{batch.operation_id}/{index}'.encode()).hexdigest()[:32]}"
