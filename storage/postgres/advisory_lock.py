"""Mutual exclusion over all processes: a name that is locked in Postgres while a block runs, and released when its process dies."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import sqlalchemy as sa

from storage.postgres.database import Database


@asynccontextmanager
async def advisory_lock(database: Database, name: str) -> AsyncIterator[bool]:
    """Whether the block is the only one that runs under this name, in any process; False: another one does, so do nothing.

    The lock is that of a transaction, which is open during the block: Postgres releases it when the connection ends, so a killed process
    leaves no lock, and a pooler in transaction mode keeps the connection for it. A lock of a session would stay behind on a connection of
    the pooler. The transaction has no snapshot, so it delays no vacuum.

    Raises: DatastoreUnavailable.
    """
    number = zlib.crc32(name.encode())
    problem: BaseException | None = None
    async with database.transaction() as connection:
        held = bool((await connection.execute(sa.select(sa.func.pg_try_advisory_xact_lock(number)))).scalar())
        if held:
            # Second, because a query keeps its snapshot until the next statement replaces its portal; this statement has none.
            await connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        else:
            await connection.commit()
        try:
            yield held
        except BaseException as raised:  # noqa: BLE001  # kept from `transaction`, which takes an OSError for Postgres's own
            problem = raised
    if problem is not None:
        raise problem
