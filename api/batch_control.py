"""What callers and the console do with batches: accept a new one, cancel one, extract the failed items of one again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api import batch_submission
from api.batch_submission import Content
from api.billed_operations import BilledOperations, BilledRequest
from api.dispatcher import Dispatcher
from spatial.errors import InvalidRequest, NotFound
from storage import ids
from storage.postgres import batch_states, batches
from storage.postgres.batches import Batch, Item, NewItem


async def accept(
    dispatcher: Dispatcher,
    operations: BilledOperations,
    billed: BilledRequest,
    new: list[NewItem],
    contents: Sequence[Content],
) -> bytes:
    """Admit, stage and queue a batch; the body of its 202. Raises: RateLimitExceeded, ConverterUnavailable."""
    admission = _Admission(billed, new)

    async def stage_and_queue() -> bytes:
        body = await batch_submission.stage_and_queue(dispatcher, billed, admission.batch, contents)
        operations.run_in_background(dispatcher.submit_batch(admission.batch.id))
        return body

    return await operations.run(billed, stage_and_queue, admission)


async def rerun(
    dispatcher: Dispatcher, operations: BilledOperations, billed: BilledRequest, failed: Sequence[Item]
) -> bytes:
    """Queue a new batch with the failed items of another; the body of its 202. Raises: RateLimitExceeded, ConverterUnavailable."""
    new = batch_submission.repeated_items(billed.operation_id, failed)
    return await accept(dispatcher, operations, billed, new, [row.content_key for row in failed])


async def cancel(dispatcher: Dispatcher, operations: BilledOperations, batch_id: str, account_id: str) -> Batch | None:
    """End a batch now; one that has ended stays as it is. None where the account has no such batch."""
    async with dispatcher.database.transaction() as connection:
        batch = await batches.cancel(connection, batch_id, account_id)
    if batch is not None and batch.cancelled_at is not None and batch.flow_run_id is not None:
        operations.run_in_background(dispatcher.cancel_batch(batch.flow_run_id))
    return batch


async def find_repeatable(dispatcher: Dispatcher, batch: Batch) -> list[Item]:
    """The failed items of a batch whose files are still there. Raises: InvalidRequest, NotFound, ConverterUnavailable."""
    if batch.is_expired:
        raise NotFound("the batch has expired and its files are deleted; submit the files in a new batch")
    if batch.state in batch_states.UNFINISHED:
        raise InvalidRequest(f"the batch is {batch.state}; extract its failed items again after it has ended")
    if not batch.repeatable_items:
        why = "its caller cancelled it" if batch.cancelled_at is not None else "none of its items failed"
        raise InvalidRequest(f"nothing of the batch can be extracted again, because {why}; submit files in a new batch")
    for row in batch.repeatable_items:
        if row.content_key is not None and not await dispatcher.lake.exists(row.content_key):
            raise NotFound(f"the file of item {row.item} is deleted; submit the files in a new batch")
    return batch.repeatable_items


class _Admission:
    """Admits the batch, in the transaction that opens its operation."""

    batch: Batch
    """As it was admitted."""

    def __init__(self, billed: BilledRequest, items: list[NewItem]) -> None:
        self._billed, self._items = billed, items

    async def __call__(self, connection: Any) -> None:
        """Raises: RateLimitExceeded."""
        self.batch = await batches.admit(
            connection,
            batch_id=ids.new("cb"),
            operation_id=self._billed.operation_id,
            account_id=self._billed.caller.account_id,
            key_id=self._billed.caller.key_id,
            request_id=self._billed.request_id,
            items=self._items,
        )
