"""Operators: who signs in to the console. Passwords are stored as Argon2id hashes (RFC 9106, second recommended option).

Hashing takes 64 MiB and some ten milliseconds of a core: it runs in a thread, at most HASHES at a time in one process, and one origin has
at most WAITING_OF_ORIGIN of the WAITING places to wait for that. Failed attempts: `sign_in_failures`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest, RateLimitExceeded
from storage import ids
from storage.postgres import sign_in_failures
from storage.postgres.database import Database
from storage.postgres.schema import console_sessions, operators

FIRST: Final = "admin"
"""Name of the operator that the first `spatial run` makes."""

NAME_CHARACTERS: Final = 64
"""Longest name of an operator."""

PASSWORD_CHARACTERS: Final = 256
"""Longest password that is hashed."""

LEAST_PASSWORD_CHARACTERS: Final = 12
"""Shortest password that an operator may choose (NIST SP 800-63B section 5.1.1 requires 8)."""

HASHES: Final = 2
"""Passwords that one process hashes at a time."""

WAITING: Final = 32
"""Attempts that may wait for that; one more is refused."""

WAITING_OF_ORIGIN: Final = 4
"""Attempts of one origin among them, so that a stranger who sends many does not keep others waiting."""

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
    await sign_in_failures.forget(connection, operator.name)
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
        self._waiting: Counter[str] = Counter()
        """Attempts that wait, by origin."""

    async def check(self, name: str, password: str, address: str) -> Operator | None:
        """The operator of this name and password; None, after the same work, where there is none.

        Args:
            address: IP address of the client.

        Raises: RateLimitExceeded after too many failures, or while too many attempts wait; DatastoreUnavailable.
        """
        origin = sign_in_failures.origin_of(address)
        with self._place(origin):
            async with self._database.transaction() as connection:
                await sign_in_failures.require_few(connection, name, origin)
                found = (await connection.execute(sa.select(operators).where(operators.c.name == name.strip()))).first()
            hashed = found.password_hash if found is not None else _nobodys_hash()
            async with self._hashing:
                is_right = await asyncio.to_thread(_is_password, hashed, password)
            async with self._database.transaction() as connection:
                if not is_right or found is None:
                    await sign_in_failures.record(connection, name, origin)
                    return None
                await sign_in_failures.forget(connection, name, origin)
                signed_in = sa.update(operators).where(operators.c.id == found.id)
                await connection.execute(signed_in.values(signed_in_at=sa.func.clock_timestamp()))
        return _operator(found)

    @contextmanager
    def _place(self, origin: str) -> Iterator[None]:
        if self._waiting.total() >= WAITING or self._waiting[origin] >= WAITING_OF_ORIGIN:
            raise RateLimitExceeded("too many sign-ins are being checked; try again in a few seconds", retry_after=5)
        self._waiting[origin] += 1
        try:
            yield
        finally:
            self._waiting[origin] -= 1
            if not self._waiting[origin]:
                del self._waiting[origin]


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
