"""The response that shows a batch: the contract's CadExtractBatch, with the stored documents inserted as bytes.

Documents are never parsed here: 32 of them may be large, and what was metered is what is sent.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from api import replay
from api.dispatcher import Dispatcher
from spatial.contract.batch import ITEM_STATUSES, BatchStatus, CadExtractBatch, CadExtractBatchItem
from spatial.contract.error import Fault
from spatial.contract.routes import BATCH_ROUTE
from spatial.contract.usage import Usage
from storage.postgres import usage
from storage.postgres.batch_states import UNFINISHED
from storage.postgres.batches import Batch, Item

CONCURRENT_READS: Final = 8
"""Documents of one response that are read from the lake at the same time."""


@dataclass(frozen=True)
class ItemOutcomes:
    """Charges and documents by item index: what a response shows beyond the rows of the batch."""

    charges: Mapping[int, Usage] = field(default_factory=dict)
    documents: Mapping[int, bytes] = field(default_factory=dict)
    """Without their usage."""


async def read_documents(dispatcher: Dispatcher, batch: Batch) -> dict[int, bytes]:
    """The documents of the items that are done, by item. Raises: LakeUnavailable where any of them cannot be read."""
    semaphore = asyncio.Semaphore(CONCURRENT_READS)

    async def read(key: str) -> bytes:
        async with semaphore:
            return await replay.read_result(dispatcher, key)

    keys = {item.item: item.result_key for item in batch.items if item.result_key is not None}
    return dict(zip(keys, await asyncio.gather(*map(read, keys.values())), strict=True))


def render(batch: Batch, request_id: str, outcomes: ItemOutcomes | None = None) -> bytes:
    """The batch as JSON, with the usage and the documents of its items."""
    shown = outcomes or ItemOutcomes()
    items = [_item(batch, item) for item in batch.items]
    counts = Counter(item.status for item in items)
    done = [charge for item, charge in shown.charges.items() if items[item].status == "done"]
    header = CadExtractBatch(
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
    whole = header.model_dump_json(exclude_none=True, exclude={"items"}).encode()
    return _with_member(whole, "items", b"[%b]" % b",".join(_item_body(item, shown) for item in items))


def _item_body(item: CadExtractBatchItem, outcomes: ItemOutcomes) -> bytes:
    body = item.model_dump_json(exclude_none=True).encode()
    document, charge = outcomes.documents.get(item.index), outcomes.charges.get(item.index)
    if document is None:
        return body
    return _with_member(body, "result", document if charge is None else charge.attached_to(document))


def _with_member(document: bytes, name: str, value: bytes) -> bytes:
    """A JSON object that is not empty, with one more member appended."""
    return b'%b,"%b":%b}' % (document[:-1], name.encode(), value)


def _status(batch: Batch) -> BatchStatus:
    """A batch in staging is shown as queued: it is, by the time its caller reads the response."""
    if batch.is_expired:
        return "expired"
    return "queued" if batch.state == "staging" else batch.state


def _item(batch: Batch, item: Item) -> CadExtractBatchItem:
    """An expired batch shows neither errors nor results, and its unfinished items as failed."""
    is_dropped = batch.is_expired and item.state in UNFINISHED
    return CadExtractBatchItem(
        index=item.item,
        file_name=item.file_name,
        status="failed" if is_dropped else item.state,
        http_status=item.status,
        started_at=item.started_at,
        ended_at=item.ended_at,
        error=None if item.error is None or batch.is_expired else Fault.model_validate(item.error),
    )
