"""How many reasoning requests an account may send within a minute and within a billing period (spec: Errors, 429).

Glossary
  window  a calendar minute, or a calendar month (the billing period), in UTC by the database's clock. Windows are fixed, so within any 60 s
          that span two minutes up to twice the ceiling may pass.
  plan    what an account's subscription is: `active` (paid) or `trialing`; each has its ceilings.
  count   of an account, over all its keys. Each item of a batch counts.

An account has one row, which is locked until the transaction that opens the operation ends: counting is exact over all processes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.counting import count_of
from spatial.errors import RateLimitExceeded
from storage.postgres.schema import response_counts
from storage.postgres.subscriptions import Status
from storage.settings import Settings

MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class PlanCeilings:
    """The ceilings of one plan, in requests."""

    per_minute: int
    per_period: int

    @classmethod
    def of(cls, settings: Settings, plan: Status) -> PlanCeilings:
        """The ceilings of an account whose subscription is `active` or `trialing`."""
        if plan == "trialing":
            return cls(settings.trial_responses_per_minute, settings.trial_responses_per_period)
        return cls(settings.responses_per_minute, settings.responses_per_period)


@dataclass(frozen=True)
class Admitted:
    """How many of some requests may run."""

    count: int
    refusal: RateLimitExceeded | None
    """The error of the others; None where there are none."""
    period_began_at: datetime


async def admit(connection: AsyncConnection, account_id: str, wanted: int, ceilings: PlanCeilings) -> Admitted:
    """Count so many of `wanted` requests as the ceilings allow, in the caller's transaction."""
    row = await _lock(connection, account_id)
    left = {
        "responses_per_minute": ceilings.per_minute - row.minute_count,
        "responses_per_billing_period": ceilings.per_period - row.period_count,
    }
    count = max(0, min(wanted, *left.values()))
    if count:
        more = {name: response_counts.c[name] + count for name in ("minute_count", "period_count")}
        await connection.execute(sa.update(response_counts).where(_of(account_id)).values(**more))
    refusal = None if count == wanted else _refusal(row, min(left, key=lambda name: left[name]), ceilings)
    return Admitted(count, refusal, row.period_began_at)


async def give_back(connection: AsyncConnection, account_id: str, count: int, period_began_at: datetime) -> None:
    """Take requests out of the count of their billing period, because the service could not answer them."""
    same_period = response_counts.c.period_began_at == period_began_at
    less = sa.func.greatest(response_counts.c.period_count - count, 0)
    await connection.execute(sa.update(response_counts).where(_of(account_id), same_period).values(period_count=less))


async def _lock(connection: AsyncConnection, account_id: str) -> sa.Row[Any]:
    """The account's row in the current windows. A transaction that waited for the row may have read an earlier window than it now has."""
    now = sa.func.clock_timestamp()
    began = {
        "minute_began_at": sa.func.date_trunc("minute", now, "UTC"),
        "period_began_at": sa.func.date_trunc("month", now, "UTC"),
    }
    fresh = insert(response_counts).values(account_id=account_id, minute_count=0, period_count=0, **began)
    windows: dict[str, Any] = {}
    for window in ("minute", "period"):
        stored, read = response_counts.c[f"{window}_began_at"], fresh.excluded[f"{window}_began_at"]
        windows[f"{window}_began_at"] = sa.func.greatest(stored, read)
        windows[f"{window}_count"] = sa.case((stored < read, 0), else_=response_counts.c[f"{window}_count"])
    upsert = fresh.on_conflict_do_update(index_elements=[response_counts.c.account_id], set_=windows)
    return (await connection.execute(upsert.returning(*response_counts.c, now.label("now")))).one()


def _of(account_id: str) -> sa.ColumnElement[bool]:
    return response_counts.c.account_id == account_id


def _refusal(row: sa.Row[Any], reached: str, ceilings: PlanCeilings) -> RateLimitExceeded:
    if reached == "responses_per_minute":
        limit, span, ends = ceilings.per_minute, "this minute", row.minute_began_at + MINUTE
    else:
        limit, span, ends = ceilings.per_period, "this billing period", _next_month(row.period_began_at)
    return RateLimitExceeded(
        f"the account has sent {count_of(limit, 'reasoning request')} in {span}, which is the maximum of its plan; "
        f"send this again after {ends:%Y-%m-%d %H:%M} UTC",
        details={"ceiling": reached, "limit": limit},
        retry_after=max(1, math.ceil((ends - row.now).total_seconds())),
    )


def _next_month(began: datetime) -> datetime:
    """The beginning of the month after the one that begins here, in UTC."""
    return (began + timedelta(days=32)).replace(day=1)
