"""Batches: up to 32 extractions that were submitted together. The rows are the truth of what became of them, and the row is the outbox.

Glossary
  staging    the POST is laying the files down; counts as in flight, and nobody sees it yet.
  queued     committed. Without a flow_run_id nobody has created its flow run yet: the relay will.
  running    a flow run has begun it, and renews its lease while it lives.
  done       every item ended, at least one of them well. failed: none did, or the run was given up.
  expired    by the database's clock, 24 h after submission, whatever the state says; the state becomes `expired` when the files are gone.
  item       one file; it ends by one conditional update, and the loser of a race changes nothing and bills nothing.
  version    counts what a caller could see change; the long poll watches it.

Locks are taken in one order: key, batch, items. Clocks are read after the lock was obtained, so that two processes that race agree.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from spatial.errors import Cancelled, SpatialError
from storage.postgres import ceilings, notifications, operations
from storage.postgres.schema import batch_items, batches
from storage.postgres.schema import operations as operation_table
from storage.postgres.usage import UsageRow, record_usage, to_storable

State = Literal["staging", "queued", "running", "done", "failed", "expired"]
ItemState = Literal["queued", "running", "done", "failed"]

RETENTION: Final = timedelta(hours=limits.RETENTION_HOURS)
"""How long after its submission a batch has results and staged files."""

REMEMBERED: Final = timedelta(days=limits.EXPIRED_BATCH_DAYS)
"""How long an expired batch is still known."""


@dataclass(frozen=True)
class NewItem:
    """One file that is submitted; exactly one of content_key and content_url is given."""

    file_name: str
    format: str
    target_contract: str
    content_key: str | None = None
    content_url: str | None = None


@dataclass(frozen=True)
class Item(NewItem):
    """One file of a batch, and what became of it."""

    item: int = 0
    """Index in the submission."""
    state: ItemState = "queued"
    status: int | None = None
    result_key: str | None = None
    error: dict[str, Any] | None = None
    """message, type and, where there are any, details."""
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True)
class Batch:
    """A batch as it stands."""

    id: str
    operation_id: str
    account_id: str
    key_id: str
    request_id: str
    state: State
    version: int
    flow_run_id: str | None
    attempts: int
    submitted_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    cancelled_at: datetime | None
    expires_at: datetime
    is_expired: bool
    """By the database's clock."""
    items: tuple[Item, ...]
    """In the order of submission."""


@dataclass(frozen=True)
class BatchRun:
    """A batch and the flow run that is to carry it."""

    id: str
    flow_run_id: str | None
    attempts: int


async def admit(
    connection: AsyncConnection,
    *,
    batch_id: str,
    operation_id: str,
    account_id: str,
    key_id: str,
    request_id: str,
    items: Sequence[NewItem],
) -> Batch:
    """Let a batch in, as staging, in the transaction that opened its operation. The ceilings are exact: the key's row is locked.

    Raises: RateLimitExceeded where the key has too many in flight, or has submitted too many within a minute.
    """
    now = await ceilings.pass_batch(connection, key_id)
    who = {"operation_id": operation_id, "account_id": account_id, "key_id": key_id, "request_id": request_id}
    values = {"id": batch_id, **who, "submitted_at": now, "expires_at": now + RETENTION}
    row = (await connection.execute(sa.insert(batches).values(**values).returning(*_columns()))).mappings().one()
    kept = [{"item": index, **_row(item)} for index, item in enumerate(items)]
    await connection.execute(sa.insert(batch_items), [{"batch_id": batch_id, **item} for item in kept])
    return Batch(**row, items=tuple(Item(**item) for item in kept))


async def queue(connection: AsyncConnection, batch_id: str) -> bool:
    """The files are laid down: staging becomes queued. False where the batch was swept away meanwhile."""
    staging = sa.update(batches).where(batches.c.id == batch_id, batches.c.state == "staging")
    return (await connection.execute(staging.values(state="queued", version=batches.c.version + 1))).rowcount == 1


async def abandon(connection: AsyncConnection, batch_id: str) -> bool:
    """Forget a batch that is still staging; it was never submitted, so it does not count. False where it is not there, or queued:
    then its files are not ours to delete.
    """
    staging = sa.delete(batches).where(batches.c.id == batch_id, batches.c.state == "staging")
    return (await connection.execute(staging)).rowcount == 1


async def find_stranded(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Batch and operation of those whose POST died while it laid down their files: to be abandoned, files and all."""
    dead = sa.and_(batches.c.operation_id == operation_table.c.id, sa.not_(operations.is_alive()))
    query = sa.select(batches.c.id, batches.c.operation_id).where(batches.c.state == "staging", dead)
    return [(row.id, row.operation_id) for row in await connection.execute(query)]


async def find(connection: AsyncConnection, batch_id: str, account_id: str | None = None) -> Batch | None:
    """The batch; None where it is unknown, staging, another account's, or expired more than seven days ago."""
    query = sa.select(*_columns()).where(batches.c.id == batch_id, _is_known())
    if account_id is not None:
        query = query.where(batches.c.account_id == account_id)
    found = (await connection.execute(query)).mappings().first()
    return Batch(**found, items=await _read_items(connection, batch_id)) if found else None


async def read_versions(connection: AsyncConnection, ids: Collection[str]) -> dict[str, int]:
    """How often each batch has changed; one that is not there is left out."""
    query = sa.select(batches.c.id, batches.c.version).where(batches.c.id.in_(ids))
    return {row.id: row.version for row in await connection.execute(query)}


async def find_unsubmitted(connection: AsyncConnection, *, older_than: timedelta) -> list[str]:
    """Queued batches that nobody has created a flow run for, oldest first."""
    return [run.id for run in await _read_runs(connection, _is_queued(older_than), batches.c.flow_run_id.is_(None))]


async def find_unstarted(connection: AsyncConnection, *, older_than: timedelta) -> list[BatchRun]:
    """Queued batches that have a flow run which has not begun them: it is late, or it is lost."""
    return await _read_runs(connection, _is_queued(older_than), batches.c.flow_run_id.is_not(None))


async def record_submission(connection: AsyncConnection, batch_id: str, flow_run_id: str) -> None:
    """A flow run was created for the batch; nothing changes where one has begun it already."""
    queued = sa.update(batches).where(batches.c.id == batch_id, batches.c.state == "queued")
    await connection.execute(queued.values(flow_run_id=flow_run_id))


async def begin(connection: AsyncConnection, batch_id: str, *, flow_run_id: str, lease_seconds: float) -> Batch | None:
    """A flow run takes the batch: queued, or running under a lapsed lease or this very run. Items it finds running are queued again.

    None where the batch ended or expired, and where somebody alive has it.
    """
    lapsed = batches.c.lease_until <= sa.func.clock_timestamp()
    ours = sa.and_(batches.c.state == "running", sa.or_(lapsed, batches.c.flow_run_id == flow_run_id))
    free = sa.and_(_is_unexpired(), sa.or_(batches.c.state == "queued", ours))
    taken = {
        "state": "running",
        "flow_run_id": flow_run_id,
        "attempts": batches.c.attempts + 1,
        "lease_until": _lease(lease_seconds),
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
    """A sign of life of the run; False where the batch is not its own any more: cancelled, ended, expired or taken over."""
    ours = (batches.c.id == batch_id, batches.c.state == "running", batches.c.flow_run_id == flow_run_id)
    renewed = sa.update(batches).where(*ours, _is_unexpired()).values(lease_until=_lease(lease_seconds))
    return (await connection.execute(renewed)).rowcount == 1


async def start_item(connection: AsyncConnection, batch_id: str, item: int) -> bool:
    """The item is being worked on; False where it is not queued, or its batch has ended."""
    begun = {"state": "running", "started_at": sa.func.clock_timestamp()}
    return await _change_item(connection, batch_id, item, ("queued",), begun)


async def complete_item(
    connection: AsyncConnection, batch_id: str, item: int, *, result_key: str, usage: UsageRow
) -> bool:
    """The item's result lies in the lake: it is done and charged. False, and nothing written, where it or its batch ended before."""
    ended = {"state": "done", "status": 200, "result_key": result_key, "ended_at": sa.func.clock_timestamp()}
    if not await _change_item(connection, batch_id, item, UNFINISHED, ended):
        return False
    await record_usage(connection, usage)
    return True


async def fail_item(connection: AsyncConnection, batch_id: str, item: int, error: SpatialError) -> bool:
    """The item came to nothing; False where it or its batch ended before."""
    return await _change_item(connection, batch_id, item, UNFINISHED, _failure(error))


async def finish(connection: AsyncConnection, batch_id: str) -> State | None:
    """End the batch, and tell who waits for it.

    The state that it ended in, now or before; None while items are unfinished, and where it expired.
    """
    state = await _lock_batch(connection, batch_id)
    if state not in UNFINISHED:
        return state
    counted = sa.select(batch_items.c.state, sa.func.count()).where(batch_items.c.batch_id == batch_id)
    counts = dict((await connection.execute(counted.group_by(batch_items.c.state))).tuples().all())
    if any(unfinished in counts for unfinished in UNFINISHED):
        return None
    outcome: State = "done" if "done" in counts else "failed"
    await _change(connection, batch_id, state=outcome, ended_at=sa.func.clock_timestamp(), lease_until=None)
    await notifications.send(connection, notifications.BATCHES)
    return outcome


async def give_up(connection: AsyncConnection, batch_id: str, error: SpatialError) -> State | None:
    """Fail the unfinished items with that error, and finish; what it comes to is what `finish` says."""
    if await _lock_batch(connection, batch_id) in UNFINISHED:
        left = (batch_items.c.batch_id == batch_id, batch_items.c.state.in_(UNFINISHED))
        await connection.execute(sa.update(batch_items).where(*left).values(**_failure(error)))
    return await finish(connection, batch_id)


async def cancel(connection: AsyncConnection, batch_id: str, account_id: str) -> Batch | None:
    """End the batch now; one that has ended, or expired, stays as it is. None where `find` says None."""
    known = await find(connection, batch_id, account_id)
    if known is not None and await _lock_batch(connection, batch_id) in UNFINISHED:
        await _change(connection, batch_id, cancelled_at=sa.func.clock_timestamp())
        await give_up(connection, batch_id, Cancelled("the batch was cancelled before this item ended"))
    return await find(connection, batch_id, account_id)


async def find_lapsed(connection: AsyncConnection) -> list[BatchRun]:
    """Running batches whose run has not shown a sign of life for a lease."""
    silent = batches.c.lease_until <= sa.func.clock_timestamp()
    return await _read_runs(connection, batches.c.state == "running", silent)


async def find_expired(connection: AsyncConnection) -> list[tuple[str, str]]:
    """Batch and operation of those whose clock ran out and whose files are still to be deleted; then they are `expired`."""
    ran_out = (batches.c.state.not_in(("staging", "expired")), sa.not_(_is_unexpired()))
    query = sa.select(batches.c.id, batches.c.operation_id).where(*ran_out).order_by(batches.c.expires_at)
    return [(row.id, row.operation_id) for row in await connection.execute(query)]


async def mark_expired(connection: AsyncConnection, batch_id: str) -> None:
    """The files of a batch whose clock ran out are deleted."""
    ran_out = sa.update(batches).where(batches.c.id == batch_id, sa.not_(_is_unexpired()))
    await connection.execute(ran_out.values(state="expired", version=batches.c.version + 1))


async def delete_expired(connection: AsyncConnection) -> int:
    """Delete the rows of batches that nobody can ask for any more; how many."""
    gone = sa.delete(batches).where(batches.c.state == "expired", sa.not_(_is_remembered()))
    return (await connection.execute(gone)).rowcount


UNFINISHED: Final = ("queued", "running")
"""States of a batch or an item that has not ended."""


async def _lock_batch(connection: AsyncConnection, batch_id: str) -> State | None:
    """Hold the batch for this transaction; its state, None where it is unknown, staging or expired."""
    query = sa.select(batches.c.state).where(batches.c.id == batch_id, batches.c.state != "staging", _is_unexpired())
    state: State | None = (await connection.execute(query.with_for_update(key_share=True))).scalar()
    return state


async def _change_item(
    connection: AsyncConnection, batch_id: str, item: int, states: tuple[str, ...], values: dict[str, Any]
) -> bool:
    """Change an item that is in one of the states, of a batch that has not ended, and count the change."""
    if await _lock_batch(connection, batch_id) not in UNFINISHED:
        return False
    one = (batch_items.c.batch_id == batch_id, batch_items.c.item == item, batch_items.c.state.in_(states))
    if (await connection.execute(sa.update(batch_items).where(*one).values(**values))).rowcount == 0:
        return False
    await _change(connection, batch_id)
    return True


async def _change(connection: AsyncConnection, batch_id: str, **values: Any) -> None:
    counted = {"version": batches.c.version + 1, **values}
    await connection.execute(sa.update(batches).where(batches.c.id == batch_id).values(**counted))


def _columns() -> list[sa.ColumnElement[Any]]:
    """What a Batch is made of, but for its items."""
    columns = [batches.c[name] for name in Batch.__dataclass_fields__ if name not in ("is_expired", "items")]
    return [*columns, sa.not_(_is_unexpired()).label("is_expired")]


async def _read_items(connection: AsyncConnection, batch_id: str) -> tuple[Item, ...]:
    shown = [batch_items.c[name] for name in Item.__dataclass_fields__]
    query = sa.select(*shown).where(batch_items.c.batch_id == batch_id).order_by(batch_items.c.item)
    return tuple(Item(**row) for row in (await connection.execute(query)).mappings())


async def _read_runs(connection: AsyncConnection, *conditions: sa.ColumnElement[bool]) -> list[BatchRun]:
    query = sa.select(batches.c.id, batches.c.flow_run_id, batches.c.attempts).where(*conditions, _is_unexpired())
    return [BatchRun(*row) for row in (await connection.execute(query.order_by(batches.c.submitted_at))).tuples()]


def _is_queued(older_than: timedelta) -> sa.ColumnElement[bool]:
    old = batches.c.submitted_at <= sa.func.clock_timestamp() - older_than
    return sa.and_(batches.c.state == "queued", old)


def _is_unexpired() -> sa.ColumnElement[bool]:
    return batches.c.expires_at > sa.func.clock_timestamp()


def _is_remembered() -> sa.ColumnElement[bool]:
    return batches.c.expires_at > sa.func.clock_timestamp() - REMEMBERED


def _is_known() -> sa.ColumnElement[bool]:
    return sa.and_(batches.c.state != "staging", _is_remembered())


def _lease(seconds: float) -> sa.ColumnElement[datetime]:
    return sa.func.clock_timestamp() + timedelta(seconds=seconds)


def _row(item: NewItem) -> dict[str, Any]:
    row = {name: getattr(item, name) for name in NewItem.__dataclass_fields__}
    return {**row, "file_name": to_storable(item.file_name)}


def _failure(error: SpatialError) -> dict[str, Any]:
    said: dict[str, Any] = {"message": error.message, "type": error.type}
    if error.details:
        said["details"] = error.details
    return {
        "state": "failed",
        "status": error.status,
        "error": _to_storable(said),
        "ended_at": sa.func.clock_timestamp(),
    }


def _to_storable(said: Any) -> Any:
    """The same with texts that Postgres can hold."""
    if isinstance(said, dict):
        return {to_storable(name): _to_storable(value) for name, value in said.items()}
    return [_to_storable(value) for value in said] if isinstance(said, list | tuple) else to_storable(said)
