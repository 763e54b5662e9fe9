"""How many batches one key may have in flight, and submit within a minute (spec: Limits). Exact over all processes."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from spatial.counting import count_of
from spatial.errors import RateLimitExceeded
from storage.postgres.batch_states import IN_FLIGHT
from storage.postgres.schema import batches, keys

MINUTE: Final = timedelta(minutes=1)

IN_FLIGHT_RETRY_SECONDS: Final = 5
"""Retry-After if too many batches are in flight; the time at which one ends is not known in advance."""


async def pass_batch(connection: AsyncConnection, key_id: str) -> datetime:
    """Let one more batch of the key pass; the moment of its submission. The key is held until the caller's transaction ends, so the
    moments of a key only grow, and no minute holds more than it may.

    Raises: RateLimitExceeded with the time to retry after.
    """
    # NO KEY UPDATE: the operation that was opened before holds the key's row for its foreign key, and so may another that waits here.
    await connection.execute(sa.select(keys.c.id).where(keys.c.id == key_id).with_for_update(key_share=True))
    now: datetime = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one()
    _check_rate(await _tenth_last(connection, key_id, now), now)
    _check_in_flight(await _in_flight(connection, key_id, now))
    return now


async def _tenth_last(connection: AsyncConnection, key_id: str, now: datetime) -> datetime | None:
    """When the oldest of the batches was submitted that fill the last minute; None where they do not fill it."""
    recent = (batches.c.key_id == key_id, batches.c.submitted_at > now - MINUTE)
    query = sa.select(batches.c.submitted_at).where(*recent).order_by(batches.c.submitted_at.desc())
    found: datetime | None = (await connection.execute(query.offset(limits.BATCHES_PER_MINUTE - 1).limit(1))).scalar()
    return found


async def _in_flight(connection: AsyncConnection, key_id: str, now: datetime) -> int:
    flying = (batches.c.key_id == key_id, batches.c.state.in_(IN_FLIGHT), batches.c.expires_at > now)
    return (await connection.execute(sa.select(sa.func.count()).select_from(batches).where(*flying))).scalar_one()


def _check_rate(tenth_last: datetime | None, now: datetime) -> None:
    if tenth_last is not None:
        raise RateLimitExceeded(
            f"this key has submitted {limits.BATCHES_PER_MINUTE} batches within a minute, which is the maximum; wait before the next",
            details={"ceiling": "batches_per_minute", "limit": limits.BATCHES_PER_MINUTE},
            retry_after=max(1, math.ceil((tenth_last + MINUTE - now).total_seconds())),
        )


def _check_in_flight(in_flight: int) -> None:
    if in_flight >= limits.BATCHES_IN_FLIGHT:
        raise RateLimitExceeded(
            f"this key has {count_of(in_flight, 'batch', 'batches')} in flight, which is the maximum; wait for one to end, or cancel one",
            details={"ceiling": "batches_in_flight", "limit": limits.BATCHES_IN_FLIGHT},
            retry_after=IN_FLIGHT_RETRY_SECONDS,
        )
