"""Batches: up to 32 extractions that were submitted together. The rows are the authoritative state, and the batch row is the outbox.

Glossary
  staging    the POST is staging the files; counts as in flight, and is not visible yet.
  queued     committed. Without a flow_run_id its flow run is not created yet: the relay creates it.
  running    a flow run has started it, and renews its lease while it is alive.
  done       every item ended, and at least one succeeded. failed: none succeeded, or the attempts are exhausted.
  expired    by the database's clock, 24 h after submission, whatever the state says; the state becomes `expired` when the files are gone.
  item       one file; it ends by one conditional update, and the loser of a race changes nothing and bills nothing.
  version    counts the changes that a caller can see; the long poll watches it.

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
from spatial.contract.notifications import BatchEnded
from spatial.contract.routes import BATCH_ROUTE
from spatial.errors import Cancelled, SpatialError
from spatial.storable import storable
from storage.postgres import ceilings, notifications, webhook_deliveries
from storage.postgres.batch_states import UNFINISHED, ItemState, State
from storage.postgres.schema import batch_items, batches

RETENTION: Final = timedelta(hours=limits.RETENTION_HOURS)
"""How long after its submission a batch has results and staged files."""

REMEMBERED: Final = timedelta(days=limits.EXPIRED_BATCH_DAYS)
"""How long an expired batch can still be queried."""


@dataclass(frozen=True)
class NewItem:
    """One file that is submitted; exactly one of content_key and content_url is given."""

    file_name: str
    format: str
    target_contract: str
    content_key: str | None = None
    content_url: str | None = None
    edges: bool = False
    """Whether the document lists edges."""


@dataclass(frozen=True)
class Item(NewItem):
    """One file of a batch, and its outcome."""

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
    """The current state of a batch."""

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

    @property
    def repeatable_items(self) -> list[Item]:
        """The failed items, which may be extracted again; none of a batch that its caller cancelled."""
        return [row for row in self.items if row.state == "failed" and self.cancelled_at is None]


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
    """All files are staged: staging becomes queued. False if housekeeping has removed the batch meanwhile."""
    staging = sa.update(batches).where(batches.c.id == batch_id, batches.c.state == "staging")
    return (await connection.execute(staging.values(state="queued", version=batches.c.version + 1))).rowcount == 1


async def abandon(connection: AsyncConnection, batch_id: str) -> bool:
    """Forget a batch that is still staging; it was never submitted, so it does not count. False where it is not there, or queued:
    then its files are not ours to delete.
    """
    staging = sa.delete(batches).where(batches.c.id == batch_id, batches.c.state == "staging")
    return (await connection.execute(staging)).rowcount == 1


async def find(connection: AsyncConnection, batch_id: str, account_id: str | None = None) -> Batch | None:
    """The batch; None where it is unknown, staging, another account's, or expired more than seven days ago."""
    query = sa.select(*_columns()).where(batches.c.id == batch_id, _is_known())
    if account_id is not None:
        query = query.where(batches.c.account_id == account_id)
    found = (await connection.execute(query)).mappings().first()
    return Batch(**found, items=await _read_items(connection, batch_id)) if found else None


async def read_versions(connection: AsyncConnection, ids: Collection[str]) -> dict[str, int]:
    """How often each batch has changed; unknown batches are left out."""
    query = sa.select(batches.c.id, batches.c.version).where(batches.c.id.in_(ids))
    return {row.id: row.version for row in await connection.execute(query)}


async def finish(connection: AsyncConnection, batch_id: str) -> State | None:
    """End the batch, and notify its listeners.

    The state that it ended in, now or before; None while items are unfinished, and where it expired.
    """
    state = await lock_batch(connection, batch_id)
    if state not in UNFINISHED:
        return state
    counted = sa.select(batch_items.c.state, sa.func.count()).where(batch_items.c.batch_id == batch_id)
    counts = dict((await connection.execute(counted.group_by(batch_items.c.state))).tuples().all())
    if any(unfinished in counts for unfinished in UNFINISHED):
        return None
    outcome: Literal["done", "failed"] = "done" if "done" in counts else "failed"
    await change_batch(connection, batch_id, state=outcome, ended_at=sa.func.clock_timestamp(), lease_until=None)
    await notifications.send(connection, notifications.BATCHES)
    await announce_end(connection, batch_id, outcome)
    return outcome


async def announce_end(
    connection: AsyncConnection, batch_id: str, status: Literal["done", "failed", "expired"]
) -> None:
    """Notify the endpoints of the account, in the transaction that ends the batch. Items that have not ended count as failed."""
    columns = [batches.c[name] for name in ("account_id", "submitted_at", "ended_at", "expires_at")]
    batch = (await connection.execute(sa.select(*columns).where(batches.c.id == batch_id))).one()
    is_done = batch_items.c.state == "done"
    counted = sa.select(sa.func.count().filter(is_done), sa.func.count().filter(~is_done))
    done, failed = (await connection.execute(counted.where(batch_items.c.batch_id == batch_id))).tuples().one()
    at = batch.ended_at or batch.expires_at
    ended = BatchEnded(
        batch_id=batch_id,
        status=status,
        items={"done": done, "failed": failed},
        submitted_at=batch.submitted_at,
        ended_at=at,
        path=f"{BATCH_ROUTE}/{batch_id}",
    )
    await webhook_deliveries.announce(connection, batch.account_id, ended, at)


async def give_up(connection: AsyncConnection, batch_id: str, error: SpatialError) -> State | None:
    """Fail the unfinished items with that error, and finish; what it comes to is what `finish` says."""
    if await lock_batch(connection, batch_id) in UNFINISHED:
        left = (batch_items.c.batch_id == batch_id, batch_items.c.state.in_(UNFINISHED))
        await connection.execute(sa.update(batch_items).where(*left).values(**failure_values(error)))
    return await finish(connection, batch_id)


async def cancel(connection: AsyncConnection, batch_id: str, account_id: str) -> Batch | None:
    """End the batch now; one that has ended, or expired, stays as it is. None where `find` says None."""
    known = await find(connection, batch_id, account_id)
    if known is not None and await lock_batch(connection, batch_id) in UNFINISHED:
        await change_batch(connection, batch_id, cancelled_at=sa.func.clock_timestamp())
        await give_up(connection, batch_id, Cancelled("the batch was cancelled before this item ended"))
    return await find(connection, batch_id, account_id)


async def lock_batch(connection: AsyncConnection, batch_id: str) -> State | None:
    """Hold the batch for this transaction; its state, None where it is unknown, staging or expired."""
    query = sa.select(batches.c.state).where(batches.c.id == batch_id, batches.c.state != "staging", is_unexpired())
    state: State | None = (await connection.execute(query.with_for_update(key_share=True))).scalar()
    return state


async def change_batch(connection: AsyncConnection, batch_id: str, **values: Any) -> None:
    """Set columns of a batch and count the change in its version."""
    counted = {"version": batches.c.version + 1, **values}
    await connection.execute(sa.update(batches).where(batches.c.id == batch_id).values(**counted))


def _columns() -> list[sa.ColumnElement[Any]]:
    """The members of a Batch, without its items."""
    columns = [batches.c[name] for name in Batch.__dataclass_fields__ if name not in ("is_expired", "items")]
    return [*columns, sa.not_(is_unexpired()).label("is_expired")]


async def _read_items(connection: AsyncConnection, batch_id: str) -> tuple[Item, ...]:
    shown = [batch_items.c[name] for name in Item.__dataclass_fields__]
    query = sa.select(*shown).where(batch_items.c.batch_id == batch_id).order_by(batch_items.c.item)
    return tuple(Item(**row) for row in (await connection.execute(query)).mappings())


def is_unexpired() -> sa.ColumnElement[bool]:
    """Whether a batch has not expired, by the database's clock."""
    return batches.c.expires_at > sa.func.clock_timestamp()


def is_remembered() -> sa.ColumnElement[bool]:
    """Whether a caller may still ask for a batch: it expired less than seven days ago, or not at all."""
    return batches.c.expires_at > sa.func.clock_timestamp() - REMEMBERED


def _is_known() -> sa.ColumnElement[bool]:
    return sa.and_(batches.c.state != "staging", is_remembered())


def _row(item: NewItem) -> dict[str, Any]:
    row = {name: getattr(item, name) for name in NewItem.__dataclass_fields__}
    return {**row, "file_name": storable(item.file_name)}


def failure_values(error: SpatialError) -> dict[str, Any]:
    """Columns of an item that failed with this error."""
    said: dict[str, Any] = {"message": error.message, "type": error.type}
    if error.details:
        said["details"] = error.details
    return {
        "state": "failed",
        "status": error.status,
        "error": said,
        "ended_at": sa.func.clock_timestamp(),
    }
