"""From a batch that was let in to one that is queued: its files laid down, its answer kept, its row committed. All of it, or nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from typing import Any

from api import batch_body
from api.billed import Claim
from api.dispatching import Dispatching
from api.intake import Submission
from spatial.contract.formats import Format
from spatial.errors import ConverterUnavailable, SpatialError
from storage.objects import lake
from storage.postgres import batches, operations
from storage.postgres.batches import Batch, NewItem
from storage.postgres.database import DatastoreUnavailable
from storage.postgres.uploads import Resolved

log = logging.getLogger(__name__)


def items(operation_id: str, files: Iterable[Submission], rows: Iterable[Format]) -> list[NewItem]:
    """The items that the files become; what is not behind a content_url will be staged."""
    return [
        NewItem(
            file_name=file.file_name,
            format=row.name,
            target_contract=file.target_contract.value,
            content_key=lake.staged_key(operation_id, file.file_name, index) if file.content_url is None else None,
            content_url=file.content_url,
        )
        for index, (file, row) in enumerate(zip(files, rows, strict=True))
    ]


async def queued(
    dispatch: Dispatching, claim: Claim, batch: Batch, files: list[Submission], sent: list[Resolved | None]
) -> bytes:
    """Lay the files down and commit the batch; the body of its 202, which lies in the lake for a replay.

    sent: of each file that was sent ahead, where it lies; it may expire before its item runs, so it is staged as well.

    Raises: SpatialError, and then nothing of the batch is left: what cannot be deleted now goes when the operation's lease has lapsed.
    """
    body = batch_body.body(batch, claim.request_id)
    try:
        await _all(_staged(dispatch, *one) for one in zip(batch.items, files, sent, strict=True))
        await dispatch.lake.put(lake.result_key(claim.operation_id), body)
        await _committed(dispatch, batch)
    except Exception:
        await _undone(dispatch, batch)
        raise
    return body


async def _staged(dispatch: Dispatching, item: NewItem, file: Submission, sent: Resolved | None) -> None:
    if item.content_key is None:
        return
    if sent is not None:
        await dispatch.lake.copy(sent.content_key, item.content_key)
    elif file.data is not None:
        await dispatch.lake.put(item.content_key, file.data)


async def _committed(dispatch: Dispatching, batch: Batch) -> None:
    """Complete the operation and queue the batch. A commit whose connection broke is settled by asking again, once."""
    try:
        await _commit(dispatch, batch)
    except DatastoreUnavailable:
        async with dispatch.database.transaction() as connection:
            if await batches.find(connection, batch.id) is not None:
                return
        await _commit(dispatch, batch)


async def _commit(dispatch: Dispatching, batch: Batch) -> None:
    async with dispatch.database.transaction() as connection:
        ours = await operations.complete(
            connection,
            batch.operation_id,
            status=202,
            result_key=lake.result_key(batch.operation_id),
            content_type="application/json",
            usage=[],
        )
        if not (ours and await batches.queue(connection, batch.id)):
            raise ConverterUnavailable("the batch could not be laid down in time and was dropped; send it again")


async def _undone(dispatch: Dispatching, batch: Batch) -> None:
    try:
        async with dispatch.database.transaction() as connection:
            if not await batches.abandon(connection, batch.id) and await batches.find(connection, batch.id) is not None:
                return  # the commit that seemed to fail took place: the files are the batch's
        keys = [item.content_key for item in batch.items if item.content_key is not None]
        await _all(dispatch.lake.delete(key) for key in (*keys, lake.result_key(batch.operation_id)))
    except SpatialError as trouble:
        log.warning("batch %s is swept away when its lease has lapsed: %s", batch.id, trouble.message)


async def _all(work: Iterable[Awaitable[Any]]) -> None:
    """Everything to its end, at once; then the first failure. What still runs when another fails could lay down a file after all."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
