"""Queues an admitted batch: stage its files, store its response, commit its row. All of it, or nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from api import batch_response
from api.billed_operations import BilledRequest
from api.dispatcher import Dispatcher
from api.intake import Submission
from spatial.contract.formats import Format
from spatial.errors import ConverterUnavailable, SpatialError
from storage.objects import lake
from storage.postgres import batches, operations
from storage.postgres.batches import Batch, Item, NewItem
from storage.postgres.database import DatastoreUnavailable

log = logging.getLogger(__name__)


Content = bytes | str | None
"""What is staged of an item: bytes, or the lake key of a file that is copied; None where the item has a content_url."""


def new_items(operation_id: str, files: Iterable[Submission], rows: Iterable[Format]) -> list[NewItem]:
    """The items of a batch; every file without a content_url gets a key under which it will be staged."""
    return [
        _with_key(
            operation_id,
            index,
            NewItem(
                file.file_name, row.name, file.target_contract.value, content_url=file.content_url, edges=file.edges
            ),
        )
        for index, (file, row) in enumerate(zip(files, rows, strict=True))
    ]


def repeated_items(operation_id: str, items: Iterable[Item]) -> list[NewItem]:
    """The items of a batch that repeats those of another; what was staged for the other is copied."""
    return [
        _with_key(
            operation_id,
            index,
            NewItem(row.file_name, row.format, row.target_contract, content_url=row.content_url, edges=row.edges),
        )
        for index, row in enumerate(items)
    ]


def _with_key(operation_id: str, index: int, item: NewItem) -> NewItem:
    if item.content_url is not None:
        return item
    return replace(item, content_key=lake.staged_key(operation_id, item.file_name, index))


async def stage_and_queue(
    dispatcher: Dispatcher,
    billed: BilledRequest,
    batch: Batch,
    contents: Sequence[Content],
) -> bytes:
    """Stage the files and commit the batch; return the body of its 202, which is stored for a replay.

    contents: of each item. A file that is in the lake may expire before its item runs, so it is copied as well.

    Raises: SpatialError; then nothing of the batch is left. What cannot be deleted now is deleted after the operation's lease has lapsed.
    """
    body = batch_response.render(batch, billed.request_id)
    try:
        await _complete_all(_stage(dispatcher, *one) for one in zip(batch.items, contents, strict=True))
        await dispatcher.lake.put(lake.result_key(billed.operation_id), body)
        await _commit_once(dispatcher, batch)
    except Exception:
        await _undo(dispatcher, batch)
        raise
    return body


async def _stage(dispatcher: Dispatcher, item: NewItem, content: Content) -> None:
    if item.content_key is None:
        return
    if isinstance(content, str):
        await dispatcher.lake.copy(content, item.content_key)
    elif content is not None:
        await dispatcher.lake.put(item.content_key, content)


async def _commit_once(dispatcher: Dispatcher, batch: Batch) -> None:
    """Commit, and where the connection broke during the commit look whether it took place before committing again."""
    try:
        await _commit(dispatcher, batch)
    except DatastoreUnavailable:
        async with dispatcher.database.transaction() as connection:
            if await batches.find(connection, batch.id) is not None:
                return
        await _commit(dispatcher, batch)


async def _commit(dispatcher: Dispatcher, batch: Batch) -> None:
    async with dispatcher.database.transaction() as connection:
        is_completed = await operations.complete(
            connection,
            batch.operation_id,
            status=202,
            result_key=lake.result_key(batch.operation_id),
            content_type="application/json",
            usage=[],
        )
        if not (is_completed and await batches.queue(connection, batch.id)):
            raise ConverterUnavailable("the batch could not be staged in time and was dropped; send it again")


async def _undo(dispatcher: Dispatcher, batch: Batch) -> None:
    try:
        async with dispatcher.database.transaction() as connection:
            if not await batches.abandon(connection, batch.id) and await batches.find(connection, batch.id) is not None:
                return  # the commit that seemed to fail took place: the files belong to the batch
        keys = [item.content_key for item in batch.items if item.content_key is not None]
        await _complete_all(dispatcher.lake.delete(key) for key in (*keys, lake.result_key(batch.operation_id)))
    except SpatialError as problem:
        log.warning("batch %s is deleted after its lease has lapsed: %s", batch.id, problem.message)


async def _complete_all(work: Iterable[Awaitable[Any]]) -> None:
    """Run everything at the same time and to its end, then raise the first failure: what still ran could stage a file after the undo."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
