"""The flow runs of batches.

A batch row is the outbox of its flow run: a queued row without a flow run is submitted again. A running batch carries a lease,
which its run renews; a lapsed lease means that the run died.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.batches import Batch, find, is_unexpired
from storage.postgres.schema import batch_items, batches


@dataclass(frozen=True)
class BatchRun:
    """A batch and the flow run that is to carry it."""

    id: str
    flow_run_id: str | None
    attempts: int


async def find_unsubmitted(connection: AsyncConnection, *, older_than: timedelta) -> list[str]:
    """Queued batches without a flow run, oldest first."""
    return [run.id for run in await _read_runs(connection, _is_queued(older_than), batches.c.flow_run_id.is_(None))]


async def count_queued(connection: AsyncConnection, *, has_run: bool, older_than: timedelta, within: timedelta) -> int:
    """Number of queued batches with or without a flow run that were submitted between these times ago.

    One without a flow run: its process died before it made one. One with a flow run waits for a worker, or had one that died.
    """
    recent = batches.c.submitted_at > sa.func.clock_timestamp() - within
    without = batches.c.flow_run_id.is_(None)
    late = sa.and_(_is_queued(older_than), sa.not_(without) if has_run else without, recent, is_unexpired())
    query = sa.select(sa.func.count()).select_from(batches).where(late)
    return int((await connection.execute(query)).scalar_one())


async def find_unstarted(connection: AsyncConnection, *, older_than: timedelta) -> list[BatchRun]:
    """Queued batches that have a flow run which has not begun them: it is late, or it is lost."""
    return await _read_runs(connection, _is_queued(older_than), batches.c.flow_run_id.is_not(None))


async def record_submission(connection: AsyncConnection, batch_id: str, flow_run_id: str) -> None:
    """A flow run was created for the batch; nothing changes where one has begun it already."""
    queued = sa.update(batches).where(batches.c.id == batch_id, batches.c.state == "queued")
    await connection.execute(queued.values(flow_run_id=flow_run_id))


async def begin(connection: AsyncConnection, batch_id: str, *, flow_run_id: str, lease_seconds: float) -> Batch | None:
    """A flow run takes the batch: queued, or running under a lapsed lease or this very run. Items it finds running are queued again.

    None if the batch has ended or expired, or if another live run has it.
    """
    lapsed = batches.c.lease_until <= sa.func.clock_timestamp()
    ours = sa.and_(batches.c.state == "running", sa.or_(lapsed, batches.c.flow_run_id == flow_run_id))
    free = sa.and_(is_unexpired(), sa.or_(batches.c.state == "queued", ours))
    taken = {
        "state": "running",
        "flow_run_id": flow_run_id,
        "attempts": batches.c.attempts + 1,
        "lease_until": lease_end(lease_seconds),
        "started_at": sa.func.coalesce(batches.c.started_at, sa.func.clock_timestamp()),
        "version": batches.c.version + 1,
    }
    update = sa.update(batches).where(batches.c.id == batch_id, free).values(**taken)
    if (await connection.execute(update)).rowcount == 0:
        return None
    dropped = sa.update(batch_items).where(batch_items.c.batch_id == batch_id, batch_items.c.state == "running")
    await connection.execute(dropped.values(state="queued", started_at=None))
    return await find(connection, batch_id)


async def renew(connection: AsyncConnection, batch_id: str, flow_run_id: str, lease_seconds: float) -> bool:
    """Renew the run's lease; False if the batch is no longer its own: cancelled, ended, expired or taken over."""
    ours = (batches.c.id == batch_id, batches.c.state == "running", batches.c.flow_run_id == flow_run_id)
    renewed = sa.update(batches).where(*ours, is_unexpired()).values(lease_until=lease_end(lease_seconds))
    return (await connection.execute(renewed)).rowcount == 1


async def find_lapsed(connection: AsyncConnection) -> list[BatchRun]:
    """Running batches whose lease has lapsed."""
    silent = batches.c.lease_until <= sa.func.clock_timestamp()
    return await _read_runs(connection, batches.c.state == "running", silent)


async def count_lost(connection: AsyncConnection, *, within: timedelta) -> int:
    """Number of running batches whose lease lapsed within that time: their run died a moment ago."""
    now = sa.func.clock_timestamp()
    lapsed = sa.and_(batches.c.lease_until <= now, batches.c.lease_until > now - within)
    query = sa.select(sa.func.count()).where(batches.c.state == "running", lapsed, is_unexpired())
    return int((await connection.execute(query)).scalar_one())


async def _read_runs(connection: AsyncConnection, *conditions: sa.ColumnElement[bool]) -> list[BatchRun]:
    query = sa.select(batches.c.id, batches.c.flow_run_id, batches.c.attempts).where(*conditions, is_unexpired())
    return [BatchRun(*row) for row in (await connection.execute(query.order_by(batches.c.submitted_at))).tuples()]


def _is_queued(older_than: timedelta) -> sa.ColumnElement[bool]:
    old = batches.c.submitted_at <= sa.func.clock_timestamp() - older_than
    return sa.and_(batches.c.state == "queued", old)


def lease_end(seconds: float) -> sa.ColumnElement[datetime]:
    """The time at which a lease of that many seconds lapses, by the database's clock."""
    return sa.func.clock_timestamp() + timedelta(seconds=seconds)
