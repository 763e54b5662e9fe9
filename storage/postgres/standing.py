"""Where an account stands against the limits of its plan, for the console."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres import uploads as upload_records
from storage.postgres.batch_states import IN_FLIGHT
from storage.postgres.schema import batches, response_counts, uploads


@dataclass(frozen=True)
class Standing:
    """What an account has used of its limits."""

    responses_this_minute: int
    """Reasoning requests of the current calendar minute (UTC)."""
    responses_this_period: int
    """Reasoning requests of the current billing period, which is a calendar month in UTC."""
    batches_in_flight: int
    """Over all keys; the ceiling is per key."""
    uploads_open: int
    upload_bytes_open: int


async def read_standing(connection: AsyncConnection, account_id: str) -> Standing:
    """The counts of now, by the database's clock."""
    minute, period = await _read_responses(connection, account_id)
    in_flight = sa.select(sa.func.count()).select_from(batches)
    flying = (batches.c.account_id == account_id, batches.c.state.in_(IN_FLIGHT))
    unexpired = batches.c.expires_at > sa.func.clock_timestamp()
    held = sa.select(
        sa.func.count(), sa.cast(sa.func.coalesce(sa.func.sum(uploads.c.most_bytes), 0), sa.BigInteger)
    ).where(uploads.c.account_id == account_id, upload_records.is_unexpired())
    number, size = (await connection.execute(held)).tuples().one()
    return Standing(
        minute, period, (await connection.execute(in_flight.where(*flying, unexpired))).scalar_one(), number, size
    )


async def _read_responses(connection: AsyncConnection, account_id: str) -> tuple[int, int]:
    """Counts of the current minute and period; a window that has passed counts 0."""
    utc = sa.func.timezone("UTC", sa.func.clock_timestamp())
    windows = (("minute", response_counts.c.minute_began_at), ("month", response_counts.c.period_began_at))
    is_current = [sa.func.timezone("UTC", began) == sa.func.date_trunc(window, utc) for window, began in windows]
    query = sa.select(
        sa.case((is_current[0], response_counts.c.minute_count), else_=0),
        sa.case((is_current[1], response_counts.c.period_count), else_=0),
    ).where(response_counts.c.account_id == account_id)
    found = (await connection.execute(query)).tuples().first()
    return found if found is not None else (0, 0)
