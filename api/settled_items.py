"""Items of a responses batch that are settled although the batch is not: a retry gets their answers again, and pays for the others alone.

A batch with an item that another attempt may not refuse (429, 503) is not stored, so its Idempotency-Key runs it again (INTERPRETATION 8).
What became of its other items is kept here for that: each with the operation that charged it, whose completion is what counts. An item
whose operation was not completed is run again, whatever is written here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import asdict, dataclass

from api.dispatcher import Dispatcher
from api.gates.idempotency import IdempotentRequest
from storage.objects import lake
from storage.objects.lake import ObjectMissing
from storage.postgres import idempotency, operations


@dataclass(frozen=True)
class SettledItem:
    """An item that has its answer."""

    index: int
    operation_id: str
    """The operation in which it ran, and was charged if it succeeded."""
    status: int
    entry: str
    """Its entry in the batch's answer, as JSON."""


async def read(dispatcher: Dispatcher, account_id: str, wanted: IdempotentRequest) -> list[SettledItem]:
    """Items of an earlier attempt at this request. Raises: BillingUnavailable; LakeUnavailable."""
    async with dispatcher.database.transaction() as connection:
        claimed = (account_id, wanted.route, wanted.key, wanted.fingerprint)
        if not await idempotency.was_claimed(connection, *claimed):
            return []
    try:
        found = json.loads(await dispatcher.lake.get(_key(account_id, wanted)))
    except ObjectMissing:
        return []
    items = [SettledItem(**one) for one in found]
    async with dispatcher.database.transaction() as connection:
        known = {id: await operations.find(connection, id) for id in {item.operation_id for item in items}}
    completed = {id for id, operation in known.items() if operation is not None and operation.state == "completed"}
    return [item for item in items if item.operation_id in completed]


async def write(
    dispatcher: Dispatcher, account_id: str, wanted: IdempotentRequest, items: Collection[SettledItem]
) -> None:
    """Keep items for the next attempt, before their operation is completed. Raises: LakeUnavailable."""
    content = json.dumps([asdict(item) for item in items]).encode()
    await dispatcher.lake.put(_key(account_id, wanted), content)


def _key(account_id: str, wanted: IdempotentRequest) -> str:
    """The payload is part of the name: another one under the same key never finds these items."""
    named = hashlib.sha256(f"{wanted.route}\n{wanted.key}\n{wanted.fingerprint}".encode()).hexdigest()
    return lake.settled_key(account_id, named)
