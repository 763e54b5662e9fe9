"""API keys: shown once, stored as SHA-256, revoked at any time (spec: Authentication 1).

A key is 256 random bits, so a plain digest keeps it: there is nothing to guess that a slow hash would slow down, and looking it up by
its digest takes the same time whatever was sent.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.counting import count_of
from spatial.errors import InvalidRequest
from storage import ids
from storage.postgres.schema import accounts, keys

SHAPE: Final = re.compile(r"sk_[A-Za-z0-9_-]{43}")
"""Form of every key."""

PREFIX_CHARACTERS: Final = 11
"""How much of a key is kept readable, so that its owner knows which one a line of the list means."""


@dataclass(frozen=True)
class IssuedKey:
    """A new key; the secret is not stored anywhere else."""

    secret: str
    key_id: str


@dataclass(frozen=True)
class Key:
    """A key that is known and not revoked."""

    id: str
    account_id: str


@dataclass(frozen=True)
class KeyRow:
    """One row of the list of keys."""

    id: str
    account_id: str
    account: str
    prefix: str
    label: str | None
    created_at: datetime
    revoked_at: datetime | None


async def issue(connection: AsyncConnection, account_id: str, label: str | None = None) -> IssuedKey:
    """A new key of an account."""
    secret, key_id = f"sk_{secrets.token_urlsafe(32)}", ids.new("key")
    row = {"id": key_id, "account_id": account_id, "digest": _digest(secret), "prefix": secret[:PREFIX_CHARACTERS]}
    await connection.execute(sa.insert(keys).values(**row, label=label))
    return IssuedKey(secret, key_id)


async def find(connection: AsyncConnection, secret: str) -> Key | None:
    """The key that a caller sent; None if it is unknown or revoked."""
    if not SHAPE.fullmatch(secret):
        return None
    known = sa.select(keys.c.id, keys.c.account_id).where(keys.c.digest == _digest(secret), keys.c.revoked_at.is_(None))
    found = (await connection.execute(known)).first()
    return Key(found.id, found.account_id) if found else None


async def revoke(connection: AsyncConnection, key: str) -> bool:
    """Revoke a key named by itself, by its id or by the prefix that the list shows; False where there is no such valid key.

    Raises: InvalidRequest for a prefix that several valid keys have.
    """
    named = keys.c.digest == _digest(key) if SHAPE.fullmatch(key) else sa.or_(keys.c.id == key, keys.c.prefix == key)
    valid = sa.and_(named, keys.c.revoked_at.is_(None))
    found = (await connection.execute(sa.select(keys.c.id).where(valid).with_for_update())).scalars().all()
    if len(found) > 1:
        raise InvalidRequest(
            f"{count_of(len(found), 'key begins', 'keys begin')} with {key}; name one by its id: {', '.join(found)}"
        )
    await connection.execute(sa.update(keys).where(keys.c.id.in_(found)).values(revoked_at=sa.func.clock_timestamp()))
    return bool(found)


async def list_keys(connection: AsyncConnection) -> list[KeyRow]:
    """Every key, oldest first, the revoked ones too."""
    shown = [keys.c.id, keys.c.account_id, accounts.c.name.label("account"), keys.c.prefix, keys.c.label]
    query = (
        sa.select(*shown, keys.c.created_at, keys.c.revoked_at).join(accounts).order_by(keys.c.created_at, keys.c.id)
    )
    return [KeyRow(**row) for row in (await connection.execute(query)).mappings()]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
