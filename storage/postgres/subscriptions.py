"""Subscriptions: whether an account may use billed operations (spec: Authentication 4), according to a billing provider."""

from __future__ import annotations

from typing import Final, Literal, Protocol, get_args

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest
from storage.postgres.database import Database
from storage.postgres.schema import subscriptions

Status = Literal["active", "trialing", "past_due", "canceled", "none"]
"""State of an account's paid API subscription."""

STATUSES: Final[tuple[Status, ...]] = get_args(Status)

PAYING: Final[frozenset[Status]] = frozenset({"active", "trialing"})
"""The states that allow billed operations."""


STATUS: Final = sa.select(subscriptions.c.status).where(subscriptions.c.account_id == sa.bindparam("account"))


class BillingProvider(Protocol):
    """Source of subscription states: the local table, or a payment provider."""

    async def subscription(self, account_id: str) -> Status:
        """The account's status; "none" for an account the provider does not know.

        Raises: BillingUnavailable when it cannot be asked.
        """
        ...

    async def close(self) -> None:
        """Close connections of its own."""
        ...


class LocalBilling:
    """The billing provider that reads the local table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def subscription(self, account_id: str) -> Status:
        async with self._database.statements() as connection:
            return await status(connection, account_id)

    async def close(self) -> None:
        """Nothing: the database is the caller's."""


async def status(connection: AsyncConnection, account_id: str) -> Status:
    """The account's status; "none" where none was set."""
    found: Status | None = (await connection.execute(STATUS, {"account": account_id})).scalar()
    return found or "none"


async def set_status(connection: AsyncConnection, account_id: str, status: str) -> None:
    """Set the account's status.

    Raises: InvalidRequest for a status that does not exist.
    """
    if status not in STATUSES:
        raise InvalidRequest(f"there is no subscription status {status}; choose from {', '.join(STATUSES)}")
    row = insert(subscriptions).values(account_id=account_id, status=status)
    changed = {"status": row.excluded.status, "updated_at": sa.func.clock_timestamp()}
    await connection.execute(row.on_conflict_do_update(index_elements=[subscriptions.c.account_id], set_=changed))
