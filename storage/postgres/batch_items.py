"""Items of a batch: each one starts, and ends once, as done or failed."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import SpatialError
from storage.postgres.batch_states import UNFINISHED
from storage.postgres.batches import change_batch, failure_values, lock_batch
from storage.postgres.schema import batch_items
from storage.postgres.usage import UsageRow, record_usage


async def start_item(connection: AsyncConnection, batch_id: str, item: int) -> bool:
    """Set the item to running; False if it is not queued, or its batch has ended."""
    begun = {"state": "running", "started_at": sa.func.clock_timestamp()}
    return await _change_item(connection, batch_id, item, ("queued",), begun)


async def complete_item(
    connection: AsyncConnection, batch_id: str, item: int, *, result_key: str, usage: UsageRow
) -> bool:
    """Set the item to done and charge it; its result is in the lake. False, with nothing written, if it or its batch ended before."""
    ended = {"state": "done", "status": 200, "result_key": result_key, "ended_at": sa.func.clock_timestamp()}
    if not await _change_item(connection, batch_id, item, UNFINISHED, ended):
        return False
    await record_usage(connection, usage)
    return True


async def fail_item(connection: AsyncConnection, batch_id: str, item: int, error: SpatialError) -> bool:
    """Set the item to failed; False if it or its batch ended before."""
    return await _change_item(connection, batch_id, item, UNFINISHED, failure_values(error))


async def _change_item(
    connection: AsyncConnection, batch_id: str, item: int, states: tuple[str, ...], values: dict[str, Any]
) -> bool:
    """Change an item that is in one of the states, of a batch that has not ended, and count the change."""
    if await lock_batch(connection, batch_id) not in UNFINISHED:
        return False
    one = (batch_items.c.batch_id == batch_id, batch_items.c.item == item, batch_items.c.state.in_(states))
    if (await connection.execute(sa.update(batch_items).where(*one).values(**values))).rowcount == 0:
        return False
    await change_batch(connection, batch_id)
    return True
