"""What an account was charged, by day, key and route; from the rows of the requests themselves, so that nothing is late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import keys, usage


@dataclass(frozen=True)
class UsageTotal:
    """The charges of one key on one route and day (UTC)."""

    day: date
    key_id: str
    key_prefix: str
    key_label: str | None
    route: str
    items: int
    """Requests, and items of batches."""
    input_tokens: int
    output_tokens: int
    estimated_input_cost_usd: Decimal
    estimated_output_cost_usd: Decimal
    estimated_cost_usd: Decimal


async def read_totals(
    connection: AsyncConnection, account_id: str, since: date, until: date, *, count: int
) -> list[UsageTotal]:
    """Totals of an account, sorted by day, key and route; at most `count`. since, until: days in UTC, both inclusive."""
    day = sa.cast(sa.func.timezone("UTC", usage.c.created_at), sa.Date).label("day")
    shown = [day, usage.c.key_id, keys.c.prefix.label("key_prefix"), keys.c.label.label("key_label"), usage.c.route]
    amounts = (
        "input_tokens",
        "output_tokens",
        "estimated_input_cost_usd",
        "estimated_output_cost_usd",
        "estimated_cost_usd",
    )
    sums = [sa.func.sum(usage.c[name]).label(name) for name in amounts]
    query = (
        sa.select(*shown, sa.func.count().label("items"), *sums)
        .join(keys, keys.c.id == usage.c.key_id)
        .where(
            usage.c.account_id == account_id,
            usage.c.created_at >= datetime.combine(since, time.min, UTC),
            usage.c.created_at <= datetime.combine(until, time.max, UTC),
        )
        .group_by(*shown)
        .order_by(day, usage.c.key_id, usage.c.route)
        .limit(count)
    )
    return [_total(row) for row in (await connection.execute(query)).mappings()]


def _total(row: sa.RowMapping) -> UsageTotal:
    tokens = {name: int(row[name]) for name in ("input_tokens", "output_tokens")}
    return UsageTotal(**{**row, **tokens})
