"""Accounts: the parties that are billed."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest
from storage import ids
from storage.postgres.schema import accounts

NAME_CHARACTERS = 200
"""Longest name of an account."""


@dataclass(frozen=True)
class Account:
    """One account."""

    id: str
    name: str


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
