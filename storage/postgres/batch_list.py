"""Batches that callers may still ask for, the latest first, for the console."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.batches import is_remembered, is_unexpired
from storage.postgres.schema import accounts, batch_items, batches


@dataclass(frozen=True)
class BatchRow:
    """One row of the list of batches."""

    id: str
    account_id: str
    account: str
    """Name of the account."""
    state: str
    """State of the row, or `expired` from the moment on in which it expires."""
    items: int
    done: int
    failed: int
    submitted_at: datetime
    ended_at: datetime | None
    cancelled_at: datetime | None


async def list_batches(connection: AsyncConnection, *, count: int, account_id: str | None = None) -> list[BatchRow]:
    """The latest `count` batches, of one account or of all."""
    shown = [batches.c[name] for name in ("id", "account_id", "submitted_at", "ended_at", "cancelled_at")]
    state = sa.case((is_unexpired(), batches.c.state), else_="expired").label("state")
    in_state = {name: sa.func.count().filter(batch_items.c.state == name).label(name) for name in ("done", "failed")}
    query = (
        sa.select(*shown, state, accounts.c.name.label("account"), sa.func.count().label("items"), *in_state.values())
        .join(accounts, accounts.c.id == batches.c.account_id)
        .join(batch_items, batch_items.c.batch_id == batches.c.id)
        .where(batches.c.state != "staging", is_remembered())
        .group_by(batches.c.id, accounts.c.name)
        .order_by(batches.c.submitted_at.desc(), batches.c.id.desc())
        .limit(count)
    )
    if account_id is not None:
        query = query.where(batches.c.account_id == account_id)
    return [BatchRow(**row) for row in (await connection.execute(query)).mappings()]
