"""Sessions of the console: the value of a cookie, of which only the SHA-256 is stored, and who signed in with it."""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import console_sessions, operators

LIFETIME: Final = timedelta(hours=12)
"""How long a session lasts after the sign-in."""

SHAPE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""Form of the value of every session's cookie."""


@dataclass(frozen=True)
class Session:
    """A session that has not expired."""

    operator_id: str
    operator: str
    """Name of the operator."""


async def open(connection: AsyncConnection, operator_id: str) -> str:
    """A new session; the value of its cookie."""
    value = secrets.token_urlsafe(32)
    row = {"digest": _digest(value), "operator_id": operator_id, "expires_at": sa.func.clock_timestamp() + LIFETIME}
    await connection.execute(sa.insert(console_sessions).values(**row))
    return value


async def find(connection: AsyncConnection, value: str) -> Session | None:
    """The session of a cookie; None if it is unknown or has expired."""
    if not SHAPE.fullmatch(value):
        return None
    query = sa.select(operators.c.id, operators.c.name).join(console_sessions)
    valid = console_sessions.c.expires_at > sa.func.clock_timestamp()
    found = (await connection.execute(query.where(console_sessions.c.digest == _digest(value), valid))).first()
    return Session(found.id, found.name) if found else None


async def close(connection: AsyncConnection, value: str) -> None:
    """End a session."""
    await connection.execute(sa.delete(console_sessions).where(console_sessions.c.digest == _digest(value)))


async def delete_expired(connection: AsyncConnection) -> int:
    """Delete sessions that have expired; returns how many."""
    expired = console_sessions.c.expires_at < sa.func.clock_timestamp()
    return (await connection.execute(sa.delete(console_sessions).where(expired))).rowcount


def _digest(value: str) -> bytes:
    return hashlib.sha256(value.encode()).digest()
