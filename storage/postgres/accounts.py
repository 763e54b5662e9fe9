"""Accounts: the parties that are billed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest
from storage import ids
from storage.postgres.schema import accounts, stripe_customers, subscriptions
from storage.postgres.schema import keys as key_table

NAME_CHARACTERS = 200
"""Longest name of an account."""


@dataclass(frozen=True)
class Account:
    """One account."""

    id: str
    name: str


@dataclass(frozen=True)
class AccountRow(Account):
    """One row of the list of accounts."""

    created_at: datetime
    keys: int
    """Keys that are not revoked."""
    status: str
    """State of the subscription; of an account that pays by Stripe, as it was last read."""
    is_linked: bool
    """Whether the account pays by Stripe."""


async def list_accounts(connection: AsyncConnection) -> list[AccountRow]:
    """Every account by name."""
    valid = sa.func.count(key_table.c.id).filter(key_table.c.revoked_at.is_(None))
    status = sa.func.coalesce(stripe_customers.c.status, subscriptions.c.status, "none").label("status")
    is_linked = stripe_customers.c.account_id.is_not(None).label("is_linked")
    query = (
        sa.select(accounts, valid.label("keys"), status, is_linked)
        .outerjoin(key_table, key_table.c.account_id == accounts.c.id)
        .outerjoin(subscriptions, subscriptions.c.account_id == accounts.c.id)
        .outerjoin(stripe_customers, stripe_customers.c.account_id == accounts.c.id)
        .group_by(accounts.c.id, subscriptions.c.account_id, stripe_customers.c.account_id)
    )
    return [AccountRow(**row) for row in (await connection.execute(query.order_by(accounts.c.name))).mappings()]


async def find(connection: AsyncConnection, account_id: str) -> Account | None:
    """The account of this id."""
    query = sa.select(accounts.c.id, accounts.c.name).where(accounts.c.id == account_id)
    found = (await connection.execute(query)).first()
    return Account(found.id, found.name) if found else None


async def create(connection: AsyncConnection, name: str) -> Account:
    """A new account.

    Raises: InvalidRequest for a name that is empty, too long or taken.
    """
    account = await _insert(connection, _check_name(name))
    if account is None:
        raise InvalidRequest(f"an account named {name} already exists; choose another name")
    return account


async def get_or_create(connection: AsyncConnection, name: str) -> Account:
    """The account of this name, created if there is none; safe to call from two processes at once.

    Raises: InvalidRequest for a name that is empty or too long.
    """
    account = await _insert(connection, _check_name(name)) or await by_name(connection, name.strip())
    assert account is not None  # accounts are never deleted
    return account


async def by_name(connection: AsyncConnection, name: str) -> Account | None:
    """The account of this name."""
    found = (await connection.execute(sa.select(accounts.c.id, accounts.c.name).where(accounts.c.name == name))).first()
    return Account(found.id, found.name) if found else None


async def require(connection: AsyncConnection, name: str) -> Account:
    """The account of this name, as an operator writes it. Raises: InvalidRequest where there is none."""
    account = await by_name(connection, name.strip())
    if account is None:
        raise InvalidRequest(f"there is no account named {name}; run spatial accounts list for the accounts")
    return account


async def _insert(connection: AsyncConnection, name: str) -> Account | None:
    account = Account(ids.new("acct"), name)
    row = insert(accounts).values(id=account.id, name=name).on_conflict_do_nothing(index_elements=[accounts.c.name])
    return account if (await connection.execute(row)).rowcount else None


def _check_name(name: str) -> str:
    bare = name.strip()
    if not bare or len(bare) > NAME_CHARACTERS or not bare.isprintable():
        raise InvalidRequest(
            f"the account's name is empty, too long or not printable; use 1 to {NAME_CHARACTERS} printable characters"
        )
    return bare
