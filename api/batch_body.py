"""A batch as its caller sees it: the contract's CadExtractBatch, with the stored documents put in as the bytes they are.

A document is never parsed here: 32 of them may be large, and what was metered is what is answered.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from api import answers
from api.dispatching import Dispatching
from flows.dispatch import BATCH_ROUTE
from spatial.contract.batch import ITEM_STATUSES, BatchStatus, CadExtractBatch, CadExtractBatchItem
from spatial.contract.error import Fault
from spatial.contract.usage import Usage
from storage.postgres import usage
from storage.postgres.batches import Batch, Item

READ_AT_ONCE: Final = 8
"""Documents of one answer that are read from the lake at a time."""


@dataclass(frozen=True)
class Outcome:
    """What the items of a batch came to, beyond its rows. By item."""

    charges: Mapping[int, Usage] = field(default_factory=dict)
    documents: Mapping[int, bytes] = field(default_factory=dict)
    """Without their usage."""


async def documents(dispatch: Dispatching, batch: Batch) -> dict[int, bytes]:
    """The documents of the items that are done, by item. Raises: LakeUnavailable where one cannot be read: there are no holes."""
    reading = asyncio.Semaphore(READ_AT_ONCE)

    async def read(key: str) -> bytes:
        async with reading:
            return await answers.read(dispatch, key)

    keys = {item.item: item.result_key for item in batch.items if item.result_key is not None}
    return dict(zip(keys, await asyncio.gather(*map(read, keys.values())), strict=True))


def body(batch: Batch, request_id: str, outcome: Outcome | None = None) -> bytes:
    """The batch as JSON, with the usage and the documents of its items."""
    came_to = outcome or Outcome()
    items = [_item(batch, item) for item in batch.items]
    counts = Counter(item.status for item in items)
    done = [charge for item, charge in came_to.charges.items() if items[item].status == "done"]
    shown = CadExtractBatch(
        id=batch.id,
        status=_status(batch),
        status_url=f"{BATCH_ROUTE}/{batch.id}",
        counts={status: counts[status] for status in ITEM_STATUSES},
        usage=usage.sum_usage(done),
        created_at=batch.submitted_at,
        started_at=batch.started_at,
        ended_at=batch.ended_at,
        cancelled_at=batch.cancelled_at,
        expires_at=batch.expires_at,
        request_id=request_id,
        items=[],
    )
    whole = shown.model_dump_json(exclude_none=True, exclude={"items"}).encode()
    return _with(whole, "items", b"[%b]" % b",".join(_item_body(item, came_to) for item in items))


def _item_body(item: CadExtractBatchItem, outcome: Outcome) -> bytes:
    said = item.model_dump_json(exclude_none=True).encode()
    document, charge = outcome.documents.get(item.index), outcome.charges.get(item.index)
    if document is None:
        return said
    return _with(said, "result", document if charge is None else charge.attached_to(document))


def _with(document: bytes, name: str, value: bytes) -> bytes:
    """A JSON object that is not empty, with one more member at its end."""
    return b'%b,"%b":%b}' % (document[:-1], name.encode(), value)


def _status(batch: Batch) -> BatchStatus:
    """What is staging is queued by the time its caller reads so."""
    if batch.is_expired:
        return "expired"
    return "queued" if batch.state == "staging" else batch.state


def _item(batch: Batch, item: Item) -> CadExtractBatchItem:
    """Of an expired batch no item goes on, and none shows what it came to."""
    dropped = batch.is_expired and item.state in ("queued", "running")
    return CadExtractBatchItem(
        index=item.item,
        file_name=item.file_name,
        status="failed" if dropped else item.state,
        http_status=item.status,
        started_at=item.started_at,
        ended_at=item.ended_at,
        error=None if item.error is None or batch.is_expired else Fault.model_validate(item.error),
    )
