"""API keys: shown once, stored as SHA-256, revoked at any time (spec: Authentication 1).

A key is 256 random bits, so a plain digest keeps it: there is nothing to guess that a slow hash would slow down, and looking it up by
its digest takes the same time whatever was sent.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
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


LABEL_CHARACTERS: Final = 100
"""Longest label of a key."""

USE_RECORDED: Final = timedelta(minutes=1)
"""How exactly the last use of a key is recorded: at most one write per key and minute."""


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
    last_used_at: datetime | None
    """To within USE_RECORDED; None for a key that was never used, or not since its use is recorded."""


async def issue(connection: AsyncConnection, account_id: str, label: str | None = None) -> IssuedKey:
    """A new key of an account. Raises: InvalidRequest for a label that is too long or not printable."""
    if label is not None and (len(label) > LABEL_CHARACTERS or not label.isprintable()):
        raise InvalidRequest(
            f"the key's name is too long or not printable; use at most {LABEL_CHARACTERS} printable characters"
        )
    secret, key_id = f"sk_{secrets.token_urlsafe(32)}", ids.new("key")
    row = {"id": key_id, "account_id": account_id, "digest": _digest(secret), "prefix": secret[:PREFIX_CHARACTERS]}
    await connection.execute(sa.insert(keys).values(**row, label=label))
    return IssuedKey(secret, key_id)


async def find_or_make(connection: AsyncConnection, account_id: str, label: str) -> str:
    """The id of a valid key of the account with this label. Where there is none, one is made whose secret nobody has.

    The use of the key is recorded. Concurrent calls find the same: the account's row is locked.
    """
    await connection.execute(
        sa.select(accounts.c.id).where(accounts.c.id == account_id).with_for_update(key_share=True)
    )
    valid = (keys.c.account_id == account_id, keys.c.label == label, keys.c.revoked_at.is_(None))
    query = sa.select(keys.c.id, _unrecorded()).where(*valid).order_by(keys.c.created_at, keys.c.id).limit(1)
    found = (await connection.execute(query)).first()
    key_id: str = found.id if found else (await issue(connection, account_id, label)).key_id
    if found is None or found.is_unrecorded:
        await _record_use(connection, key_id)
    return key_id


async def find(connection: AsyncConnection, secret: str) -> Key | None:
    """The key that a caller sent; None if it is unknown or revoked."""
    if not SHAPE.fullmatch(secret):
        return None
    found = (await connection.execute(_known(), {"sent": _digest(secret)})).first()
    if found is None:
        return None
    if found.is_unrecorded:
        await _record_use(connection, found.id)
    return Key(found.id, found.account_id)


@cache
def _known() -> sa.Select[tuple[str, str, bool]]:
    """The valid key with the digest `sent`; one statement for all requests, as making it takes as long as executing it."""
    is_sent = keys.c.digest == sa.bindparam("sent")
    return sa.select(keys.c.id, keys.c.account_id, _unrecorded()).where(is_sent, keys.c.revoked_at.is_(None))


def _unrecorded() -> sa.Label[bool]:
    """Whether the last use of a key is not recorded, or longer ago than USE_RECORDED, as `is_unrecorded`."""
    is_old = keys.c.last_used_at < sa.func.clock_timestamp() - USE_RECORDED
    return sa.func.coalesce(is_old, sa.true()).label("is_unrecorded")


async def _record_use(connection: AsyncConnection, key_id: str) -> None:
    """Record that a key was used now. A row that another request holds is left to that request, so that no caller waits."""
    free = sa.select(keys.c.id).where(keys.c.id == key_id).with_for_update(key_share=True, skip_locked=True)
    now = sa.func.clock_timestamp()
    await connection.execute(sa.update(keys).where(keys.c.id.in_(free)).values(last_used_at=now))


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


async def list_keys(connection: AsyncConnection, account_id: str | None = None) -> list[KeyRow]:
    """Every key, or those of one account, oldest first, the revoked ones too."""
    shown = [keys.c.id, keys.c.account_id, accounts.c.name.label("account"), keys.c.prefix, keys.c.label]
    times = [keys.c.created_at, keys.c.revoked_at, keys.c.last_used_at]
    query = sa.select(*shown, *times).join(accounts).order_by(keys.c.created_at, keys.c.id)
    if account_id is not None:
        query = query.where(keys.c.account_id == account_id)
    return [KeyRow(**row) for row in (await connection.execute(query)).mappings()]


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
