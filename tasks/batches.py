"""The work of a batch: what its flow run holds, and one task run an item.

Glossary
  run      the flow run that has begun a batch. It renews the batch's lease; a run that finds the batch is not its own any more
           (cancelled, expired, taken over) stops without a word.
  item     one file. It ends by one conditional update, together with its usage row: whoever comes second changes and bills nothing.
  pauses   what is out of reach is tried again for a while, since an item that failed is not tried again by anybody.

Results of task runs are not kept: the item's row says what is done, and a run that comes later does the rest.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Failed

from spatial.contract.extraction import TargetContract
from spatial.errors import Cancelled, InternalError, SpatialError, Unavailable
from storage.objects.lake import ObjectMissing
from storage.postgres import batches
from storage.postgres.batches import Batch, Item
from tasks import extraction, pages, resources
from tasks.jobs import ExtractJob

T = TypeVar("T")

PAUSES: Final = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
"""Pauses (s) between attempts at what is out of reach."""

RENEWALS: Final = 3
"""Signs of life within one lease."""

log = logging.getLogger(__name__)


async def begin(batch_id: str, flow_run_id: str) -> Batch | None:
    """Take the batch for this run; None where it has ended, or somebody alive has it."""
    lease = resources.current().settings.lease_seconds
    return await _stored(lambda to: batches.begin(to, batch_id, flow_run_id=flow_run_id, lease_seconds=lease))


async def while_ours(batch: Batch, work: Coroutine[Any, Any, Any]) -> bool:
    """Do the work while the batch is this run's; False where it stopped being so, the work cancelled."""
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


async def work_off(batch: Batch) -> None:
    """Every item that is not finished, so many at a time as the settings say."""
    places = asyncio.Semaphore(resources.current().settings.batch_parallel)

    async def one(job: ExtractJob) -> None:
        async with places:
            await item(batch.id, job, return_state=True)  # type: ignore[misc]  # of an async task it is awaited like the rest

    ended = await asyncio.gather(
        *(one(_job(batch, row)) for row in batch.items if row.state in batches.UNFINISHED), return_exceptions=True
    )
    for problem in ended:
        if isinstance(problem, BaseException):
            raise problem


async def finish(batch_id: str) -> Batch | None:
    """End the batch; None where it is not there any more. Raises: RuntimeError where items are unfinished."""
    state = await _stored(lambda to: batches.finish(to, batch_id))
    batch = await _stored(lambda to: batches.find(to, batch_id))
    if state is None and batch is not None and not batch.is_expired:
        raise RuntimeError(f"batch {batch_id} has unfinished items; it will be taken up again")
    return batch


async def find(batch_id: str) -> Batch | None:
    """The batch; None where nobody knows it."""
    return await _stored(lambda to: batches.find(to, batch_id))


async def call_off(batch_id: str, why: str) -> None:
    """Fail what is unfinished as cancelled."""
    await _stored(lambda to: batches.give_up(to, batch_id, Cancelled(why)))


async def report(batch: Batch) -> None:
    """Leave a page in the Prefect UI that lists the items."""
    counts = Counter(row.state for row in batch.items)
    rows = [
        f"| {row.item} | {_cell(row.file_name)} | {row.state} | {row.status or ''} | {_said(row)} |"
        for row in batch.items
    ]
    lines = [
        f"## {batch.id}: {batch.state}",
        ", ".join(f"{number} {state}" for state, number in sorted(counts.items())) + f"; request `{batch.request_id}`",
        "\n".join(["| item | file | state | status | |", "|---|---|---|---|---|", *rows]),
    ]
    await pages.leave("extract-batch", "\n\n".join(lines), f"What became of the items of {batch.id}")


async def _item(batch_id: str, job: ExtractJob) -> State[Any] | str:
    """One file from its source to a charged result, or to the error that its caller will read."""
    index = job.item
    assert index is not None  # `_job` counts
    if not await _stored(lambda to: batches.start_item(to, batch_id, index)):
        return "somebody else has it"
    try:
        draft = await _patiently(lambda: extraction.document_of(job))
    except Exception as problem:  # noqa: BLE001  # whatever it is, it is this item's alone
        error = _shown(problem, job)
        await _stored(lambda to: batches.fail_item(to, batch_id, index, error))
        return Failed(message=f"{error.status} {error.type}: {error.message}")
    _, row = extraction.charge(job, draft)
    key = draft.result_key
    completing = _stored(lambda to: batches.complete_item(to, batch_id, index, result_key=key, usage=row))
    written = await resources.current().stages.measured("meter", completing)
    return key if written else "it had ended before"


def _shown(problem: Exception, job: ExtractJob) -> SpatialError:
    """What a caller may see of it."""
    if isinstance(problem, SpatialError):
        return problem
    for logger in (get_run_logger(), log):  # for who looks in Prefect, and for who follows the request id
        logger.error("item %s of %s failed", job.item, job.operation_id, exc_info=problem)
    return InternalError("the extraction failed for a reason of ours; it is logged under the request id")


def _job(batch: Batch, row: Item) -> ExtractJob:
    return ExtractJob(
        operation_id=batch.operation_id,
        request_id=batch.request_id,
        account_id=batch.account_id,
        key_id=batch.key_id,
        file_name=row.file_name,
        format=row.format,
        target_contract=TargetContract(row.target_contract),
        content_key=row.content_key,
        content_url=row.content_url,
        item=row.item,
    )


async def _renew(batch: Batch) -> None:
    """Show signs of life; returns when the batch is not ours any more."""
    here = resources.current()
    lease, run = here.settings.lease_seconds, batch.flow_run_id or ""
    while True:
        await asyncio.sleep(lease / RENEWALS)
        try:
            async with here.database.transaction() as connection:
                if not await batches.renew(connection, batch.id, run, lease):
                    return
        except Unavailable:
            log.warning("the lease of batch %s cannot be renewed now", batch.id)


async def _stored(change: Callable[[Any], Awaitable[T]]) -> T:
    """One transaction, tried again for a while where Postgres is out of reach; each of ours may be made twice.

    change: takes the connection.
    """

    async def once() -> T:
        async with resources.current().database.transaction() as connection:
            return await change(connection)

    return await _patiently(once)


async def _patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    for pause in PAUSES:
        try:
            return await attempt()
        except ObjectMissing:
            raise  # waiting brings no deleted file back
        except Unavailable as error:
            log.warning("tried again in %s s: %s", pause, error)
            await asyncio.sleep(pause)
    return await attempt()


def _said(row: Item) -> str:
    return _cell((row.error or {}).get("message", row.result_key or ""))


def _cell(text: str) -> str:
    """A text that stays within its cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").split())[:300]


item = task(name="item", task_run_name="item {job.item}: {job.file_name}", persist_result=False, cache_policy=NO_CACHE)(
    _item
)
