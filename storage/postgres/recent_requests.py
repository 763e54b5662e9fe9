"""Requests that began to execute, the latest first, for the console."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import accounts, keys, operations


@dataclass(frozen=True)
class RecentRequest:
    """One request."""

    request_id: str
    account: str
    """Name of the account."""
    key_prefix: str
    route: str
    state: str
    """open, completed or failed."""
    status: int | None
    """HTTP status of the answer; None while the request runs, or if it was never closed."""
    created_at: datetime
    closed_at: datetime | None

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it runs."""
        return None if self.closed_at is None else (self.closed_at - self.created_at).total_seconds()


async def list_recent(
    connection: AsyncConnection,
    *,
    count: int,
    account_id: str | None = None,
    request_id: str | None = None,
    only_failed: bool = False,
) -> list[RecentRequest]:
    """The latest `count` requests that meet every condition that is given."""
    shown = [operations.c[name] for name in ("request_id", "route", "state", "status", "created_at", "closed_at")]
    named = [accounts.c.name.label("account"), keys.c.prefix.label("key_prefix")]
    query = (
        sa.select(*shown, *named)
        .join(accounts, accounts.c.id == operations.c.account_id)
        .join(keys, keys.c.id == operations.c.key_id)
        .order_by(operations.c.created_at.desc(), operations.c.id.desc())
        .limit(count)
    )
    if account_id is not None:
        query = query.where(operations.c.account_id == account_id)
    if request_id is not None:
        query = query.where(operations.c.request_id == request_id)
    if only_failed:
        query = query.where(operations.c.state == "failed")
    return [RecentRequest(**row) for row in (await connection.execute(query)).mappings()]
