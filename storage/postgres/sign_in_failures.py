"""Failed sign-ins of the last WITHIN, which slow down guessing without locking an operator out.

They are counted per name and origin, whether such an operator exists or not, so that a refusal tells nothing about names. An origin is the
network that an attempt came from. The first attempt of every origin is checked, whatever other origins did: who knows the right password
gets in from an origin that has not failed. Only digests are stored.
"""

from __future__ import annotations

import hashlib
import ipaddress
from datetime import timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import RateLimitExceeded
from storage.postgres.schema import sign_in_failures

FAILURES: Final = 10
"""Failed attempts of a name from one origin, after which further ones from there are refused unread (NIST SP 800-63B section 5.2.2)."""

FAILURES_ANYWHERE: Final = 100
"""Failed attempts of a name from all origins, after which an origin that failed once is refused (NIST SP 800-63B section 5.2.2)."""

MINUTES: Final = 15

WITHIN: Final = timedelta(minutes=MINUTES)

IPV6_PREFIX: Final = 64
"""Bits of an IPv6 address that one subscriber does not choose (RFC 6177 section 2, RFC 4291 section 2.5.1)."""


def origin_of(address: str) -> str:
    """What attempts are counted by: an IPv4 address, the /64 network of an IPv6 address; other text as it is."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found), IPV6_PREFIX), strict=False))
    return str(found)


async def record(connection: AsyncConnection, name: str, origin: str) -> None:
    """Count one failed attempt."""
    await connection.execute(
        sa.insert(sign_in_failures).values(name_digest=_digest(name), origin_digest=_digest(origin))
    )


async def forget(connection: AsyncConnection, name: str, origin: str | None = None) -> None:
    """Delete the failed attempts of a name: from one origin, or from all."""
    deleted = sa.delete(sign_in_failures).where(sign_in_failures.c.name_digest == _digest(name))
    if origin is not None:
        deleted = deleted.where(sign_in_failures.c.origin_digest == _digest(origin))
    await connection.execute(deleted)


async def require_few(connection: AsyncConnection, name: str, origin: str) -> None:
    """Raises: RateLimitExceeded where an attempt of this name from this origin is not to be checked."""
    is_here = sign_in_failures.c.origin_digest == _digest(origin)
    recent = sign_in_failures.c.failed_at > sa.func.clock_timestamp() - WITHIN
    query = sa.select(sa.func.count().filter(is_here), sa.func.count()).where(
        sign_in_failures.c.name_digest == _digest(name), recent
    )
    here, anywhere = (await connection.execute(query)).one()
    if here >= FAILURES:
        raise RateLimitExceeded(
            f"there were {FAILURES} failed sign-ins for this name from your address within {MINUTES} minutes; wait as long, "
            "sign in from another network, or make a new password with: spatial operators reset NAME",
            retry_after=60,
        )
    if here and anywhere >= FAILURES_ANYWHERE:
        raise RateLimitExceeded(
            f"this name is being guessed, and your address has failed too; wait {MINUTES} minutes, "
            "sign in from another network, or make a new password with: spatial operators reset NAME",
            retry_after=60,
        )


async def delete_old(connection: AsyncConnection) -> int:
    """Delete failed attempts that count no more; returns how many."""
    old = sign_in_failures.c.failed_at < sa.func.clock_timestamp() - WITHIN
    return (await connection.execute(sa.delete(sign_in_failures).where(old))).rowcount


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.strip().encode("utf-8", "replace")).digest()
