"""Whether anything is past its retention of a day, so that it is to be deleted."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import sqlalchemy as sa

from spatial.contract import limits
from storage.postgres import batches, uploads
from storage.postgres.batch_states import EXPIRABLE
from storage.postgres.database import Database
from storage.postgres.schema import batches as batch_table
from storage.postgres.schema import idempotency, operations

AGE: Final = timedelta(hours=limits.RETENTION_HOURS)

WRITING: Final = timedelta(hours=1)
"""How long after its beginning an operation may write to the lake. What is written later is deleted by the flow's schedule."""


async def is_any_due(database: Database) -> bool:
    """Whether an operation's files, a key, an upload or a batch may be past its retention. Raises: DatastoreUnavailable."""
    before = sa.func.clock_timestamp() - AGE
    due = (
        sa.exists().where(operations.c.created_at.between(before - WRITING, before)),
        sa.exists().where(idempotency.c.claimed_at < before),
        sa.exists().where(sa.not_(uploads.is_unexpired())),
        sa.exists().where(batch_table.c.state.in_(EXPIRABLE), sa.not_(batches.is_unexpired())),
    )
    async with database.transaction() as connection:
        return bool(await connection.scalar(sa.select(sa.or_(*due))))
