"""Operators: who signs in to the console. Passwords are stored as Argon2id hashes (RFC 9106, second recommended option).

Failed attempts are counted per name, whether such an operator exists or not, so that a refusal tells nothing about names. Hashing takes
64 MiB and some ten milliseconds of a core: it runs in a thread, at most HASHES at a time in one process.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest, RateLimitExceeded
from storage import ids
from storage.postgres.database import Database
from storage.postgres.schema import console_sessions, operators, sign_in_failures

FIRST: Final = "admin"
"""Name of the operator that the first `spatial run` makes."""

NAME_CHARACTERS: Final = 64
"""Longest name of an operator."""

PASSWORD_CHARACTERS: Final = 256
"""Longest password that is hashed."""

LEAST_PASSWORD_CHARACTERS: Final = 12
"""Shortest password that an operator may choose (NIST SP 800-63B section 5.1.1 requires 8)."""

FAILURES: Final = 10
"""Failed attempts of a name within FAILURES_WITHIN, after which further ones are refused unread (NIST SP 800-63B section 5.2.2)."""

MINUTES: Final = 15

FAILURES_WITHIN: Final = timedelta(minutes=MINUTES)

HASHES: Final = 2
"""Passwords that one process hashes at a time."""

WAITING: Final = 32
"""Attempts that may wait for that; one more is refused."""

_HASHER: Final = PasswordHasher()


@dataclass(frozen=True)
class Operator:
    """One operator."""

    id: str
    name: str
    created_at: datetime
    signed_in_at: datetime | None


@dataclass(frozen=True)
class NewOperator:
    """An operator, and the password that was made; it is not stored anywhere else."""

    name: str
    password: str


async def add(connection: AsyncConnection, name: str) -> NewOperator:
    """A new operator with a generated password. Raises: InvalidRequest for a name that is taken, empty or not printable."""
    bare = _check_name(name)
    if (await connection.execute(sa.select(operators.c.id).where(operators.c.name == bare))).first() is not None:
        raise InvalidRequest(f"an operator named {bare} already exists; choose another name")
    password = _generate_password()
    row = {"id": ids.new("opr"), "name": bare, "password_hash": await asyncio.to_thread(_HASHER.hash, password)}
    await connection.execute(sa.insert(operators).values(**row))
    return NewOperator(bare, password)


async def add_first(connection: AsyncConnection) -> NewOperator | None:
    """The operator FIRST, where there is no operator at all; else None."""
    if (await connection.execute(sa.select(operators.c.id).limit(1))).first() is not None:
        return None
    return await add(connection, FIRST)


async def list_operators(connection: AsyncConnection) -> list[Operator]:
    """Every operator by name."""
    return [_operator(row) for row in (await connection.execute(sa.select(operators).order_by(operators.c.name)))]


async def reset(connection: AsyncConnection, name: str) -> NewOperator:
    """Give an operator a new password, end all sessions and forget failed attempts. Raises: InvalidRequest where there is none."""
    operator = await _require(connection, name)
    password = _generate_password()
    await change_password(connection, operator.id, password)
    await connection.execute(
        sa.delete(sign_in_failures).where(sign_in_failures.c.name_digest == _digest(operator.name))
    )
    return NewOperator(operator.name, password)


async def change_password(connection: AsyncConnection, operator_id: str, password: str) -> None:
    """Set the password and end every session of the operator. Raises: InvalidRequest for a password that is too short or too long."""
    if not LEAST_PASSWORD_CHARACTERS <= len(password) <= PASSWORD_CHARACTERS:
        raise InvalidRequest(
            f"the password has too few or too many characters; use {LEAST_PASSWORD_CHARACTERS} to {PASSWORD_CHARACTERS}"
        )
    hashed = await asyncio.to_thread(_HASHER.hash, password)
    changed = sa.update(operators).where(operators.c.id == operator_id)
    await connection.execute(changed.values(password_hash=hashed))
    await connection.execute(sa.delete(console_sessions).where(console_sessions.c.operator_id == operator_id))


async def remove(connection: AsyncConnection, name: str) -> None:
    """Remove an operator with all sessions. Raises: InvalidRequest where there is none."""
    operator = await _require(connection, name)
    await connection.execute(sa.delete(operators).where(operators.c.id == operator.id))


class SignIn:
    """Checks passwords in one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hashing = asyncio.Semaphore(HASHES)
        self._waiting = 0

    async def check(self, name: str, password: str) -> Operator | None:
        """The operator of this name and password; None, after the same work, where there is none.

        Raises: RateLimitExceeded after too many failures of this name, or while too many attempts wait; DatastoreUnavailable.
        """
        if self._waiting >= WAITING:
            raise RateLimitExceeded("too many sign-ins are being checked; try again in a few seconds", retry_after=5)
        async with self._database.transaction() as connection:
            await _require_few_failures(connection, name)
            found = (await connection.execute(sa.select(operators).where(operators.c.name == name.strip()))).first()
        hashed = found.password_hash if found is not None else _nobodys_hash()
        is_right = await self._verify(hashed, password) and found is not None
        async with self._database.transaction() as connection:
            if not is_right or found is None:
                await connection.execute(sa.insert(sign_in_failures).values(name_digest=_digest(name)))
                return None
            await connection.execute(sa.delete(sign_in_failures).where(sign_in_failures.c.name_digest == _digest(name)))
            signed_in = sa.update(operators).where(operators.c.id == found.id)
            await connection.execute(signed_in.values(signed_in_at=sa.func.clock_timestamp()))
        return _operator(found)

    async def _verify(self, hashed: str, password: str) -> bool:
        self._waiting += 1
        try:
            async with self._hashing:
                return await asyncio.to_thread(_is_password, hashed, password)
        finally:
            self._waiting -= 1


async def delete_old_failures(connection: AsyncConnection) -> int:
    """Delete failed attempts that count no more; returns how many."""
    old = sign_in_failures.c.failed_at < sa.func.clock_timestamp() - FAILURES_WITHIN
    return (await connection.execute(sa.delete(sign_in_failures).where(old))).rowcount


async def _require_few_failures(connection: AsyncConnection, name: str) -> None:
    recent = sign_in_failures.c.failed_at > sa.func.clock_timestamp() - FAILURES_WITHIN
    query = sa.select(sa.func.count()).select_from(sign_in_failures)
    counted = query.where(sign_in_failures.c.name_digest == _digest(name), recent)
    if (await connection.execute(counted)).scalar_one() >= FAILURES:
        raise RateLimitExceeded(
            f"there were {FAILURES} failed sign-ins for this name within {MINUTES} minutes; wait as long, "
            "or make a new password with: spatial operators reset NAME",
            retry_after=60,
        )


def _is_password(hashed: str, password: str) -> bool:
    if len(password) > PASSWORD_CHARACTERS:
        return False
    try:
        return _HASHER.verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


@lru_cache
def _nobodys_hash() -> str:
    """A hash to check the password of an unknown name against, which takes as long."""
    return _HASHER.hash(secrets.token_urlsafe())


async def _require(connection: AsyncConnection, name: str) -> Operator:
    found = (await connection.execute(sa.select(operators).where(operators.c.name == name.strip()))).first()
    if found is None:
        raise InvalidRequest(f"there is no operator named {name}; run spatial operators list for the operators")
    return _operator(found)


def _operator(row: sa.Row[tuple[str, str, str, datetime, datetime | None]]) -> Operator:
    return Operator(row.id, row.name, row.created_at, row.signed_in_at)


def _check_name(name: str) -> str:
    bare = name.strip()
    if not bare or len(bare) > NAME_CHARACTERS or not bare.isprintable():
        raise InvalidRequest(
            f"the operator's name is empty, too long or not printable; use 1 to {NAME_CHARACTERS} printable characters"
        )
    return bare


def _generate_password() -> str:
    """120 random bits."""
    return secrets.token_urlsafe(15)


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.strip().encode("utf-8", "replace")).digest()
