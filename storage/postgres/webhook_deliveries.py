"""Deliveries of notifications: one message to one endpoint each. The table is the outbox.

A row is written in the transaction whose event it announces, so that no event is lost, and none is announced that did not commit. A
process that sends to an endpoint holds the endpoint's lease: one message at a time, and other endpoints do not wait for it. Where that
process is killed, the lease lapses, and the same message with the same id is sent again: receivers get each message at least once.

    pending     waits for its next attempt.
    delivered   the endpoint answered with a 2xx status.
    failed      the attempts are exhausted, or the endpoint was disabled.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract.notifications import BatchEnded, EndpointTest, IngestEnded, Notification
from storage import ids
from storage.postgres import notifications
from storage.postgres.schema import accounts, webhook_deliveries, webhook_endpoints

LEASE: Final = timedelta(seconds=60)
"""How long an endpoint is reserved for one attempt; longer than an attempt may take."""

RETENTION: Final = timedelta(days=30)
"""How long deliveries are kept; far longer than the schedule of attempts."""

State = Literal["pending", "delivered", "failed"]


@dataclass(frozen=True)
class Claim:
    """A delivery whose endpoint this process holds."""

    id: str
    """The message's webhook-id."""
    endpoint_id: str
    lease_token: str
    url: str
    secrets: tuple[str, ...]
    """The valid secrets, newest first."""
    body: str
    attempts: int
    """Number of attempts that ended before."""


@dataclass(frozen=True)
class Attempt:
    """What an attempt came to."""

    state: State
    status: int | None = None
    """The endpoint's answer; None where there was none."""
    problem: str | None = None
    delay: float = 0.0
    """Seconds until the next attempt of a delivery that stays pending."""
    is_gone: bool = False
    """Whether the endpoint asked for no more messages."""


@dataclass(frozen=True)
class Delivery:
    """A delivery as it is shown to operators."""

    id: str
    endpoint_id: str
    account: str | None
    """Name of the account; None for an endpoint of the operator."""
    event: str
    state: State
    attempts: int
    status: int | None
    problem: str | None
    created_at: datetime
    next_attempt_at: datetime


async def announce(
    connection: AsyncConnection, account_id: str | None, data: BatchEnded | IngestEnded, at: datetime
) -> int:
    """Write the message about an event to every endpoint of the account (None: of the operator); returns how many there are.

    Call it in the transaction of the event. It locks the endpoints' keys, so that none is removed meanwhile.
    """
    mine = webhook_endpoints.c.account_id.is_not_distinct_from(account_id)
    query = sa.select(webhook_endpoints.c.id).where(mine, webhook_endpoints.c.disabled_at.is_(None))
    found = (await connection.execute(query.with_for_update(read=True, key_share=True))).scalars().all()
    if found:
        await _write(connection, [(endpoint_id, account_id) for endpoint_id in found], data, at)
    return len(found)


async def announce_test(connection: AsyncConnection, endpoint_id: str) -> str | None:
    """Write a test message to one endpoint; returns its id. None for an endpoint that is unknown or disabled."""
    one = (webhook_endpoints.c.id == endpoint_id, webhook_endpoints.c.disabled_at.is_(None))
    query = sa.select(webhook_endpoints.c.account_id, sa.func.clock_timestamp()).where(*one)
    found = (await connection.execute(query.with_for_update(read=True, key_share=True))).tuples().first()
    if found is None:
        return None
    [message_id] = await _write(connection, [(endpoint_id, found[0])], EndpointTest(endpoint_id=endpoint_id), found[1])
    return message_id


async def _write(
    connection: AsyncConnection,
    endpoints: list[tuple[str, str | None]],
    data: BatchEnded | IngestEnded | EndpointTest,
    at: datetime,
) -> list[str]:
    body = Notification(type=data.type, timestamp=at, data=data).model_dump_json(exclude_none=True)
    rows = [
        {"id": ids.new("msg"), "endpoint_id": endpoint, "account_id": account, "event": data.type, "body": body}
        for endpoint, account in endpoints
    ]
    await connection.execute(sa.insert(webhook_deliveries), rows)
    await notifications.send(connection, notifications.DELIVERIES)
    return [str(row["id"]) for row in rows]


# Sending ------------------------------------------------------------------------------------------------------------------


async def claim(connection: AsyncConnection) -> Claim | None:
    """Take the delivery that is due for the longest time, of the endpoints that no process is sending to; None if there is none."""
    now = sa.func.clock_timestamp()
    is_rotating = webhook_endpoints.c.previous_until > now
    query = (
        sa.select(
            *(webhook_deliveries.c[name] for name in ("id", "endpoint_id", "body", "attempts")),
            webhook_endpoints.c.url,
            webhook_endpoints.c.secret,
            sa.case((is_rotating, webhook_endpoints.c.previous_secret)).label("previous"),
        )
        .join(webhook_endpoints)
        .where(*_is_free(), webhook_deliveries.c.next_attempt_at <= now)
        .order_by(webhook_deliveries.c.next_attempt_at, webhook_deliveries.c.id)
        .limit(1)
        .with_for_update(key_share=True, skip_locked=True)
    )
    row = (await connection.execute(query)).first()
    if row is None:
        return None
    token = ids.new("lease")
    held = sa.update(webhook_endpoints).where(webhook_endpoints.c.id == row.endpoint_id)
    await connection.execute(held.values(lease_token=token, lease_until=now + LEASE))
    secrets = (row.secret,) if row.previous is None else (row.secret, row.previous)
    return Claim(row.id, row.endpoint_id, token, row.url, secrets, row.body, row.attempts)


async def record(connection: AsyncConnection, claimed: Claim, attempt: Attempt) -> bool:
    """Record an attempt and release the endpoint; False, with nothing written, if another process took it over, or it was removed."""
    ours = (webhook_endpoints.c.id == claimed.endpoint_id, webhook_endpoints.c.lease_token == claimed.lease_token)
    released = sa.update(webhook_endpoints).where(*ours).values(lease_token=None, lease_until=None)
    if (await connection.execute(released)).rowcount == 0:
        return False
    now = sa.func.clock_timestamp()
    values: dict[str, Any] = {
        "state": attempt.state,
        "attempts": webhook_deliveries.c.attempts + 1,
        "attempted_at": now,
        "status": attempt.status,
        "problem": attempt.problem,
        "next_attempt_at": now + timedelta(seconds=attempt.delay),
        "ended_at": None if attempt.state == "pending" else now,
    }
    await connection.execute(
        sa.update(webhook_deliveries).where(webhook_deliveries.c.id == claimed.id).values(**values)
    )
    return True


async def seconds_until_due(connection: AsyncConnection) -> float | None:
    """Seconds until the next attempt is due, of the endpoints that no process is sending to; 0 if one is. None if there is none."""
    left = sa.extract("epoch", sa.func.min(webhook_deliveries.c.next_attempt_at) - sa.func.clock_timestamp())
    query = sa.select(left).select_from(webhook_deliveries.join(webhook_endpoints)).where(*_is_free())
    seconds = (await connection.execute(query)).scalar()
    return None if seconds is None else max(0.0, float(seconds))


async def find_newest_due(connection: AsyncConnection) -> str | None:
    """Id of the newest delivery that waits for its first attempt, of the endpoints that no process is sending to; None if there is none."""
    query = sa.select(sa.func.max(webhook_deliveries.c.id)).select_from(webhook_deliveries.join(webhook_endpoints))
    found: str | None = (
        await connection.execute(query.where(*_is_free(), webhook_deliveries.c.attempts == 0))
    ).scalar()
    return found


def _is_free() -> tuple[sa.ColumnElement[bool], ...]:
    """Conditions on a pending delivery joined with its endpoint, which is enabled and which no process is sending to."""
    lease = webhook_endpoints.c.lease_until
    is_unleased = sa.or_(lease.is_(None), lease <= sa.func.clock_timestamp())
    return webhook_deliveries.c.state == "pending", webhook_endpoints.c.disabled_at.is_(None), is_unleased


# For operators ------------------------------------------------------------------------------------------------------------


async def read_newest(
    connection: AsyncConnection, *, state: State | None = None, delivery_id: str | None = None, limit: int = 100
) -> list[Delivery]:
    """The newest deliveries, newest first: those in one state, or the one of an id."""
    table = webhook_deliveries
    own = ("id", "endpoint_id", "event", "state", "attempts", "status", "problem", "created_at", "next_attempt_at")
    query = sa.select(*(table.c[name] for name in own), accounts.c.name.label("account"))
    query = query.select_from(table.outerjoin(accounts))
    if state is not None:
        query = query.where(table.c.state == state)
    if delivery_id is not None:
        query = query.where(table.c.id == delivery_id)
    rows = (
        await connection.execute(query.order_by(table.c.created_at.desc(), table.c.id.desc()).limit(limit))
    ).mappings()
    return [Delivery(**row) for row in rows]


async def delete_old(connection: AsyncConnection) -> int:
    """Delete deliveries past their retention; returns how many."""
    old = webhook_deliveries.c.created_at < sa.func.clock_timestamp() - RETENTION
    return (await connection.execute(sa.delete(webhook_deliveries).where(old))).rowcount
