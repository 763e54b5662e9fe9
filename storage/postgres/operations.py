"""Operations: one row per billed request that began to execute. It decides the handling of re-runs and crashes.

An operation is open until it is completed or failed, once. While it is open its owner renews a lease; a lapsed lease says that the owner
died, and then the Idempotency-Key that the operation stands for may be taken over, which fails the operation. From then on the old
owner's `complete` finds nothing open: the operation's id is the fencing token. The clock is the database's, and it is read when a lock
was obtained, not when the transaction began.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import BillingUnavailable, UsageFinalizationUnavailable
from storage import ids
from storage.postgres.compiled import CompiledStatement
from storage.postgres.database import Database, DatastoreUnavailable
from storage.postgres.schema import operations
from storage.postgres.usage import UsageRow, charge_where, charging, record_usage

State = Literal["open", "completed", "failed"]

TRANSACTION_SECONDS = 60.0
"""Lease of an operation that is opened and completed in one transaction."""


@dataclass(frozen=True)
class Operation:
    """One billed request that began to execute."""

    id: str
    account_id: str
    key_id: str
    request_id: str
    route: str
    state: State
    lease_until: datetime
    status: int | None
    result_key: str | None
    content_type: str | None
    is_alive: bool
    """Open, with a lease that has not lapsed."""


def new_id() -> str:
    """The id of a new operation: made here, never by a caller."""
    return ids.new("op")


def is_alive() -> sa.ColumnElement[bool]:
    """Open, with a lease that has not lapsed by the database's clock."""
    return sa.and_(operations.c.state == "open", operations.c.lease_until > sa.func.clock_timestamp())


async def open(
    connection: AsyncConnection,
    *,
    operation_id: str,
    account_id: str,
    key_id: str,
    request_id: str,
    route: str,
    lease_seconds: float,
) -> None:
    """Begin an operation. To be committed together with the claim of its Idempotency-Key, before anything is executed."""
    row = {"id": operation_id, "account_id": account_id, "key_id": key_id, "request_id": request_id, "route": route}
    await connection.execute(_opening(), {**row, "lease": timedelta(seconds=lease_seconds)})


async def renew(connection: AsyncConnection, operation_id: str, lease_seconds: float) -> bool:
    """Renew the owner's lease; False if the operation is no longer open: completed, failed, or taken over.

    A lapsed lease that was not taken over is renewed: its owner was only slow.
    """
    still_open = (operations.c.id == operation_id, operations.c.state == "open")
    renewed = sa.update(operations).where(*still_open).values(lease_until=_lease(lease_seconds))
    return (await connection.execute(renewed)).rowcount == 1


async def complete(
    connection: AsyncConnection,
    operation_id: str,
    *,
    status: int,
    result_key: str | None,
    content_type: str,
    usage: UsageRow | list[UsageRow],
) -> bool:
    """Complete an operation that is alive and write what it is charged: one row in one statement, several in the caller's transaction.

    result_key: where its response is stored for replays; None for a response that is not kept, which leaves the key free.

    False, and nothing written, where it is not alive: a re-run, a request whose owner died, a key that was taken over.
    """
    outcome = {"operation": operation_id, "status": status, "result_key": result_key, "content_type": content_type}
    if isinstance(usage, UsageRow):
        charged = await _completing_charged().execute(connection, {**outcome, **usage.model_dump()})
        return bool(charged.scalar_one())
    closed = await connection.execute(_completing(), outcome)
    if closed.rowcount == 0:
        return False
    for row in usage:
        await record_usage(connection, row)
    return True


async def complete_once(
    connection: AsyncConnection,
    *,
    operation_id: str,
    account_id: str,
    key_id: str,
    request_id: str,
    route: str,
    status: int,
    result_key: str,
    content_type: str,
    usage: UsageRow,
) -> bool:
    """Open an operation and complete it in the caller's transaction; False, and nothing written, where this id exists already.

    For work whose operation id is derived, not new: only the first execution is charged.
    """
    row = {"id": operation_id, "account_id": account_id, "key_id": key_id, "request_id": request_id, "route": route}
    opening = insert(operations).values(**row, lease_until=_lease(TRANSACTION_SECONDS))
    opened = await connection.execute(opening.on_conflict_do_nothing(index_elements=[operations.c.id]))
    if opened.rowcount == 0:
        return False
    return await complete(
        connection, operation_id, status=status, result_key=result_key, content_type=content_type, usage=usage
    )


async def conclude(
    database: Database,
    operation_id: str,
    *,
    status: int,
    result_key: str | None,
    content_type: str,
    usage: UsageRow | list[UsageRow],
) -> bool:
    """`complete` in a transaction of its own, of one statement for one row of usage; asked again once when the connection breaks.

    A connection that breaks during the commit leaves open what became of it; the second asking finds out: it completes the operation,
    or finds it completed with this very result, which is True as well.

    Raises: UsageFinalizationUnavailable when the second asking fails too.
    """
    try:
        return await _conclude(
            database,
            partial(
                complete,
                operation_id=operation_id,
                status=status,
                result_key=result_key,
                content_type=content_type,
                usage=usage,
            ),
            operation_id,
            result_key,
            database.statements if isinstance(usage, UsageRow) else database.transaction,
        )
    except BillingUnavailable as error:
        raise UsageFinalizationUnavailable(
            "the usage record cannot be written now, so the result is withheld and nothing is billed; try again"
        ) from error


async def _conclude(
    database: Database,
    completed: Callable[[AsyncConnection], Awaitable[bool]],
    operation_id: str,
    result_key: str | None,
    opened: Callable[[], AbstractAsyncContextManager[AsyncConnection]],
) -> bool:
    try:
        async with opened() as connection:
            return await completed(connection)
    except DatastoreUnavailable:
        async with database.transaction() as connection:
            if await completed(connection):
                return True
            known = await find(connection, operation_id)
            return known is not None and known.state == "completed" and known.result_key == result_key


async def fail(connection: AsyncConnection, operation_id: str, *, status: int, result_key: str | None) -> bool:
    """Close an operation that failed; False if it was not open.

    A 4xx with a result is replayed to the same Idempotency-Key; anything else (5xx) leaves the key free.
    """
    outcome = {"state": "failed", "status": status, "result_key": result_key if 400 <= status < 500 else None}
    closing = sa.update(operations).where(operations.c.id == operation_id, operations.c.state == "open")
    stamp = {"content_type": "application/json", "closed_at": sa.func.clock_timestamp()}
    return (await connection.execute(closing.values(**outcome, **stamp))).rowcount == 1


async def find(connection: AsyncConnection, operation_id: str) -> Operation | None:
    """The operation of this id."""
    shown = [column for column in operations.c if column.name not in ("created_at", "closed_at")]
    query = sa.select(*shown, is_alive().label("is_alive")).where(operations.c.id == operation_id)
    found = (await connection.execute(query)).mappings().first()
    return Operation(**found) if found else None


@cache
def _completing() -> sa.Update:
    """Completes the operation `operation` where it is alive."""
    outcome: dict[str, Any] = {name: sa.bindparam(name) for name in ("status", "result_key", "content_type")}
    done = sa.update(operations).where(operations.c.id == sa.bindparam("operation"), is_alive())
    return done.values(state="completed", **outcome, closed_at=sa.func.clock_timestamp())


@cache
def _completing_charged() -> CompiledStatement:
    """The same, and writes one row of usage where it did; says how many operations it completed."""
    closed = _completing().returning(operations.c.id).cte("closed")
    charged, queued = charging(charge_where(closed))
    return CompiledStatement(sa.select(sa.func.count()).select_from(closed).add_cte(charged).add_cte(queued))


@cache
def _opening() -> sa.Insert:
    """Inserts an operation with the lease `lease`; one statement for all, as making it takes as long as executing it."""
    until = sa.func.clock_timestamp() + sa.bindparam("lease", type_=sa.Interval())
    columns: dict[str, Any] = {
        name: sa.bindparam(name) for name in ("id", "account_id", "key_id", "request_id", "route")
    }
    return sa.insert(operations).values(**columns, lease_until=until)


def _lease(seconds: float) -> sa.ColumnElement[datetime]:
    return sa.func.clock_timestamp() + timedelta(seconds=seconds)
