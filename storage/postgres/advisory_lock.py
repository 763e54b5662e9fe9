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

    A session-level advisory lock: Postgres releases it when the connection ends, so a killed process leaves no lock.

    Raises: DatastoreUnavailable.
    """
    number = zlib.crc32(name.encode())
    problem: BaseException | None = None
    async with database.transaction() as connection:
        held = bool((await connection.execute(sa.select(sa.func.pg_try_advisory_lock(number)))).scalar())
        await connection.commit()  # a transaction that stays open for long would be ended by the server
        try:
            yield held
        except BaseException as raised:  # noqa: BLE001  # kept from `transaction`, which takes an OSError for Postgres's own
            problem = raised
        finally:
            if held:
                await connection.execute(sa.select(sa.func.pg_advisory_unlock(number)))
    if problem is not None:
        raise problem
