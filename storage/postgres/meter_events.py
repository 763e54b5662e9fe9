"""Meter events: the tokens of usage rows on their way to Stripe, one event per usage row and meter.

An event is written by the statement that writes its usage row, for accounts that are linked to a customer (a transactional outbox), so
that none is lost and none is made twice. Stripe counts events with the same identifier once, as long as it remembers the identifier.

State     Meaning
pending   not accepted yet; `attempted_at` is when it was first sent with an unknown outcome
accepted  Stripe has it
rejected  Stripe refuses it; `problem` says why
expired   it was never sent, and is older than what Stripe takes
uncertain it was sent with an unknown outcome, longer ago than Stripe surely remembers identifiers: sent again it might count twice
dismissed an operator decided that it is not sent
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import accounts, meter_events, stripe_customers

Meter = Literal["input", "output"]

UNSENT: Final = ("rejected", "expired", "uncertain")
"""States that an operator has to look at."""

OLDEST: Final = timedelta(days=35) - timedelta(hours=1)
"""Age up to which an event is sent: Stripe takes timestamps of the past 35 days (Stripe API reference, Create a meter event)."""

REMEMBERED: Final = timedelta(hours=23)
"""How long after its first attempt an event may be sent again: Stripe remembers identifiers for 24 hours at least (same source)."""

KEPT: Final = timedelta(days=90)
"""How long accepted events are kept, to compare them with what Stripe shows; the usage rows stay."""

PROBLEM_CHARACTERS: Final = 500
"""Longest problem that is kept."""

DELETED_AT_A_TIME: Final = 10_000
"""Accepted events that one call deletes."""


@dataclass(frozen=True)
class MeterEvent:
    """One event to send."""

    operation_id: str
    item: int
    meter: Meter
    customer_id: str
    tokens: int
    occurred_at: datetime
    is_repeated: bool
    """Whether an earlier attempt had an unknown outcome."""

    @property
    def identifier(self) -> str:
        """What Stripe knows the event by: the same for every attempt."""
        return f"{self.operation_id}:{self.item}:{self.meter}"


@dataclass(frozen=True)
class Settled:
    """How an attempt to send an event ended."""

    event: MeterEvent
    state: Literal["accepted", "rejected", "untouched", "unknown"]
    """untouched: Stripe surely has not counted it; unknown: Stripe may have."""
    problem: str | None = None


@dataclass(frozen=True)
class UnsentRow:
    """Events of one account that are not sent for the same reason."""

    account: str
    state: str
    problem: str | None
    events: int
    input_tokens: int
    output_tokens: int
    oldest: datetime


def enqueue(charged: sa.CTE) -> sa.CTE:
    """Part of the statement that writes usage rows: their events, where their account is linked. charged: the rows that were written."""
    linked = charged.join(stripe_customers, stripe_customers.c.account_id == charged.c.account_id)
    rows = [
        sa.select(
            charged.c.operation_id,
            charged.c.item,
            sa.literal(meter).label("meter"),
            charged.c.account_id,
            stripe_customers.c.customer_id,
            tokens.label("tokens"),
            charged.c.created_at,
        )
        .select_from(linked)
        .where(tokens > 0)
        for meter, tokens in (("input", charged.c.input_tokens), ("output", charged.c.output_tokens))
    ]
    columns = ["operation_id", "item", "meter", "account_id", "customer_id", "tokens", "occurred_at"]
    return insert(meter_events).from_select(columns, sa.union_all(*rows)).cte("queued")


async def take(connection: AsyncConnection, number: int) -> list[MeterEvent]:
    """The next events to send, those with the fewest attempts first; from now on each counts as sent with an unknown outcome."""
    pending = sa.select(meter_events).where(meter_events.c.state == "pending")
    first = pending.order_by(meter_events.c.attempts, meter_events.c.occurred_at).limit(number)
    rows = (await connection.execute(first.with_for_update(skip_locked=True))).all()
    sent = {
        "attempts": meter_events.c.attempts + 1,
        "attempted_at": sa.func.coalesce(meter_events.c.attempted_at, sa.func.clock_timestamp()),
    }
    events = [_to_event(row) for row in rows]
    await connection.execute(sa.update(meter_events).where(_is_one_of(events)).values(**sent))
    return events


async def settle(connection: AsyncConnection, attempts: Sequence[Settled]) -> None:
    """Keep how attempts ended. An event that is no longer pending stays as it is."""
    now = sa.func.clock_timestamp()
    accepted = [attempt.event for attempt in attempts if attempt.state == "accepted"]
    await connection.execute(_update_pending(accepted).values(state="accepted", settled_at=now))
    for attempt in attempts:
        if attempt.state == "rejected":
            refused = {"state": "rejected", "settled_at": now, "problem": (attempt.problem or "")[:PROBLEM_CHARACTERS]}
            await connection.execute(_update_pending([attempt.event]).values(**refused))
    first = [attempt.event for attempt in attempts if attempt.state == "untouched" and not attempt.event.is_repeated]
    await connection.execute(_update_pending(first).values(attempted_at=None))


async def close_overdue(connection: AsyncConnection) -> dict[str, int]:
    """Close pending events that may no longer be sent; returns how many became `expired` and `uncertain`."""
    now = sa.func.clock_timestamp()
    attempted = meter_events.c.attempted_at
    overdue = {
        "uncertain": (
            attempted < now - REMEMBERED,
            "it is not known whether Stripe counted it, and sent again it might count twice",
        ),
        "expired": (
            sa.and_(attempted.is_(None), meter_events.c.occurred_at < now - OLDEST),
            "it was not sent within the 35 days that Stripe takes",
        ),
    }
    closed = {}
    for state, (condition, problem) in overdue.items():
        row = sa.update(meter_events).where(meter_events.c.state == "pending", condition)
        done = await connection.execute(row.values(state=state, settled_at=now, problem=problem))
        closed[state] = done.rowcount
    return closed


async def delete_accepted(connection: AsyncConnection) -> int:
    """Delete accepted events that are older than KEPT, DELETED_AT_A_TIME at most; returns how many."""
    old = sa.and_(meter_events.c.state == "accepted", meter_events.c.settled_at < sa.func.clock_timestamp() - KEPT)
    key = sa.tuple_(meter_events.c.operation_id, meter_events.c.item, meter_events.c.meter)
    chosen = sa.select(meter_events.c.operation_id, meter_events.c.item, meter_events.c.meter).where(old)
    row = sa.delete(meter_events).where(key.in_(chosen.limit(DELETED_AT_A_TIME)))
    return (await connection.execute(row)).rowcount


async def count_pending(connection: AsyncConnection, account_id: str | None = None) -> int:
    """How many events are not sent yet, of one account or of all."""
    query = sa.select(sa.func.count()).select_from(meter_events).where(meter_events.c.state == "pending")
    if account_id is not None:
        query = query.where(meter_events.c.account_id == account_id)
    return int((await connection.execute(query)).scalar_one())


async def list_unsent(connection: AsyncConnection) -> list[UnsentRow]:
    """Events that an operator has to look at, by account and reason."""
    tokens = {
        f"{meter}_tokens": sa.cast(
            sa.func.coalesce(sa.func.sum(meter_events.c.tokens).filter(meter_events.c.meter == meter), 0), sa.BigInteger
        )
        for meter in ("input", "output")
    }
    query = sa.select(
        accounts.c.name.label("account"),
        meter_events.c.state,
        meter_events.c.problem,
        sa.func.count().label("events"),
        *(count.label(name) for name, count in tokens.items()),
        sa.func.min(meter_events.c.occurred_at).label("oldest"),
    )
    by = (accounts.c.name, meter_events.c.state, meter_events.c.problem)
    grouped = query.select_from(meter_events.join(accounts)).where(meter_events.c.state.in_(UNSENT)).group_by(*by)
    return [UnsentRow(**row) for row in (await connection.execute(grouped.order_by(*by))).mappings()]


async def resend(connection: AsyncConnection, account_id: str, states: Collection[str]) -> int:
    """Make unsent events of an account pending again; returns how many. An `uncertain` one may count twice."""
    again = {"state": "pending", "attempted_at": None, "attempts": 0, "settled_at": None, "problem": None}
    return (await connection.execute(_update_unsent(account_id, states).values(**again))).rowcount


async def dismiss(connection: AsyncConnection, account_id: str, states: Collection[str]) -> int:
    """Decide that unsent events of an account are not sent; returns how many."""
    return (await connection.execute(_update_unsent(account_id, states).values(state="dismissed"))).rowcount


def _to_event(row: Any) -> MeterEvent:
    return MeterEvent(
        operation_id=row.operation_id,
        item=row.item,
        meter=row.meter,
        customer_id=row.customer_id,
        tokens=row.tokens,
        occurred_at=row.occurred_at,
        is_repeated=row.attempted_at is not None,
    )


def _is_one_of(events: Sequence[MeterEvent]) -> sa.ColumnElement[bool]:
    key = sa.tuple_(meter_events.c.operation_id, meter_events.c.item, meter_events.c.meter)
    return key.in_([(event.operation_id, event.item, event.meter) for event in events])


def _update_pending(events: Sequence[MeterEvent]) -> sa.Update:
    return sa.update(meter_events).where(meter_events.c.state == "pending", _is_one_of(events))


def _update_unsent(account_id: str, states: Collection[str]) -> sa.Update:
    chosen = meter_events.c.state.in_([state for state in states if state in UNSENT])
    return sa.update(meter_events).where(meter_events.c.account_id == account_id, chosen)
