"""Idempotency-Key: which operation a caller's key stands for (spec: Idempotency-Key; INTERPRETATION 8, 9).

A row names the operation that executes, or executed, the request; outcome and lease are stored in the operation only.

  operation alive                                   another request is running: 409
  completed, or failed with a stored 4xx            its response is replayed, for 24 h after the claim
  failed without one (5xx), or its lease lapsed     the key is free: the next request takes the row over
  older than 24 h                                   the key is free

Scoped by account and route. A claim that takes over a row whose operation is open with a lapsed lease fails that operation first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from spatial.errors import IdempotencyConflict, IdempotencyInProgress
from storage.postgres import operations
from storage.postgres.schema import idempotency
from storage.postgres.schema import operations as operation_table

RETENTION: Final = timedelta(hours=limits.IDEMPOTENCY_RETENTION_HOURS)
"""How long a key stands for its operation."""


@dataclass(frozen=True)
class Replay:
    """The stored response of a key."""

    status: int
    result_key: str
    content_type: str
    operation_id: str
    request_id: str
    """Of the request that was executed; the stored body carries it."""


async def look_up(
    connection: AsyncConnection, account_id: str, route: str, key: str, fingerprint: str
) -> Replay | None:
    """What the key stands for: a response to replay, or None where the request may run.

    Raises: IdempotencyConflict where it stands for another payload; IdempotencyInProgress while its request is running.
    """
    found = (await connection.execute(_select_claim(account_id, route, key))).first()
    return _judge(found, fingerprint) if found is not None else None


async def was_claimed(connection: AsyncConnection, account_id: str, route: str, key: str, fingerprint: str) -> bool:
    """Whether a request with this payload has taken the key before, within its retention."""
    found = (await connection.execute(_select_claim(account_id, route, key))).first()
    return found is not None and bool(found.fresh) and found.fingerprint == fingerprint


async def claim(
    connection: AsyncConnection, account_id: str, route: str, key: str, fingerprint: str, operation_id: str
) -> None:
    """Let the key stand for an operation that was opened in the same transaction; waits for a concurrent claim of the key.

    Raises: IdempotencyConflict, IdempotencyInProgress if another request claimed it first, and IdempotencyInProgress also if that
    request has finished meanwhile: a retry replays it.
    """
    scope = {"account_id": account_id, "route": route, "key": key}
    ours = {"fingerprint": fingerprint, "operation_id": operation_id}
    while True:
        made = await connection.execute(insert(idempotency).values(**scope, **ours).on_conflict_do_nothing())
        if made.rowcount == 1:
            return
        standing = (await connection.execute(_for_update(_select_claim(account_id, route, key)))).first()
        if standing is not None:
            break  # else the row went to another operation while we waited for it, or housekeeping removed it
    if _judge(standing, fingerprint) is not None:
        raise IdempotencyInProgress(
            "the first request with this Idempotency-Key has just ended; send it again for its response"
        )
    await operations.fail(connection, standing.operation_id, status=503, result_key=None)
    taken = sa.update(idempotency).where(*(idempotency.c[name] == value for name, value in scope.items()))
    await connection.execute(taken.values(**ours, claimed_at=sa.func.clock_timestamp()))


async def expire(connection: AsyncConnection) -> int:
    """Remove the keys older than 24 h whose operation is not running; returns how many."""
    running = sa.select(operation_table.c.id).where(operations.is_alive())
    old = idempotency.c.claimed_at < sa.func.clock_timestamp() - RETENTION
    gone = sa.delete(idempotency).where(old, idempotency.c.operation_id.not_in(running))
    return (await connection.execute(gone)).rowcount


def _select_claim(account_id: str, route: str, key: str) -> sa.Select[Any]:
    """The row of a key, with its operation's state."""
    shown = [
        operation_table.c.status,
        operation_table.c.result_key,
        operation_table.c.content_type,
        operation_table.c.request_id,
        operation_table.c.created_at,
        operation_table.c.lease_until,
        sa.func.clock_timestamp().label("now"),
    ]
    fresh = (idempotency.c.claimed_at > sa.func.clock_timestamp() - RETENTION).label("fresh")
    query = sa.select(
        idempotency.c.fingerprint, idempotency.c.operation_id, fresh, operations.is_alive().label("is_alive"), *shown
    )
    scope = (idempotency.c.account_id == account_id, idempotency.c.route == route, idempotency.c.key == key)
    return query.join(operation_table).where(*scope)


def _for_update(standing: sa.Select[Any]) -> sa.Select[Any]:
    """Both rows: neither the claim nor the operation's outcome changes while it is judged."""
    return standing.with_for_update(of=[idempotency, operation_table])


def _judge(standing: sa.Row[Any], fingerprint: str) -> Replay | None:
    stored = standing.fresh and standing.result_key is not None
    if not stored and not standing.is_alive:
        return None
    if standing.fingerprint != fingerprint:
        raise IdempotencyConflict("this Idempotency-Key was used with a different payload; use a new key")
    if standing.is_alive:
        raise IdempotencyInProgress(
            "the first request with this Idempotency-Key is still running; try again when it has ended",
            retry_after=_seconds_to_wait(standing),
        )
    shown = (standing.status, standing.result_key, standing.content_type, standing.operation_id, standing.request_id)
    return Replay(*shown)


def _seconds_to_wait(standing: sa.Row[Any]) -> int:
    """As long as the request has run so far, and at most until its lease lapses: then its owner has renewed it, or is dead."""
    wait: timedelta = min(standing.now - standing.created_at, standing.lease_until - standing.now)
    return max(1, math.ceil(wait.total_seconds()))
