"""Clean-up of batches: interrupted staging, and expired batches."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres import operations
from storage.postgres.batch_states import EXPIRABLE
from storage.postgres.batches import announce_end, is_remembered, is_unexpired
from storage.postgres.schema import batches
from storage.postgres.schema import operations as operation_table


async def find_stranded(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Batch and operation of batches whose POST died while it staged their files: to be abandoned together with their files."""
    dead = sa.and_(batches.c.operation_id == operation_table.c.id, sa.not_(operations.is_alive()))
    query = sa.select(batches.c.id, batches.c.operation_id).where(batches.c.state == "staging", dead)
    return [(row.id, row.operation_id) for row in await connection.execute(query)]


async def find_expired(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Batch and operation of batches past their expiry whose files are still to be deleted; after that they are `expired`."""
    ran_out = (batches.c.state.in_(EXPIRABLE), sa.not_(is_unexpired()))
    query = sa.select(batches.c.id, batches.c.operation_id).where(*ran_out).order_by(batches.c.expires_at)
    return [(row.id, row.operation_id) for row in await connection.execute(query)]


async def mark_expired(connection: AsyncConnection, batch_id: str) -> None:
    """Record that the files of an expired batch are deleted. This ends a batch that had not ended, so its account is notified."""
    is_due = (batches.c.id == batch_id, batches.c.state.in_(EXPIRABLE), sa.not_(is_unexpired()))
    expired = sa.update(batches).where(*is_due).values(state="expired", version=batches.c.version + 1)
    row = (await connection.execute(expired.returning(batches.c.ended_at))).first()
    if row is not None and row.ended_at is None:
        await announce_end(connection, batch_id, "expired")


async def delete_expired(connection: AsyncConnection) -> int:
    """Delete the rows of batches that callers can no longer query; returns how many."""
    gone = sa.delete(batches).where(batches.c.state == "expired", sa.not_(is_remembered()))
    return (await connection.execute(gone)).rowcount
