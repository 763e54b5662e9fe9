"""Workers that were found silent, and since when, so that a second look by any process says that they are lost.

Right after an outage of the Prefect server all workers seem silent: one look is no evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import silent_workers


async def note(connection: AsyncConnection, silent: Mapping[str, datetime]) -> None:
    """Note the workers that are silent now, by name with their last heartbeat; one with a later heartbeat than before begins anew."""
    known = sa.tuple_(silent_workers.c.name, silent_workers.c.heartbeat_at)
    await connection.execute(sa.delete(silent_workers).where(known.not_in(list(silent.items()))))
    rows = [{"name": name, "heartbeat_at": heartbeat} for name, heartbeat in silent.items()]
    if rows:
        await connection.execute(insert(silent_workers).on_conflict_do_nothing(), rows)


async def find_lost(
    connection: AsyncConnection, silent_for: timedelta, *, younger_than: timedelta | None = None
) -> set[str]:
    """Names of the workers that were found silent so long ago, but not longer ago than `younger_than`, and have been since."""
    ago = sa.func.clock_timestamp() - silent_workers.c.since
    chosen = sa.select(silent_workers.c.name).where(ago >= silent_for)
    if younger_than is not None:
        chosen = chosen.where(ago < younger_than)
    return set((await connection.execute(chosen)).scalars())
