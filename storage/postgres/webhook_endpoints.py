"""The endpoints that are notified: URLs of accounts for their batches, and of the operator for runs of bulk ingest.

Secrets are kept in clear, because signing with HMAC needs the secret itself (RFC 2104); `spatial notifications` shows a secret once.
"""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import NotFound
from storage import ids
from storage.postgres.schema import accounts, webhook_deliveries, webhook_endpoints

SECRET_PREFIX: Final = "whsec_"  # noqa: S105  # how Standard Webhooks marks a secret
"""Beginning of a secret (Standard Webhooks, Signature scheme)."""

SECRET_BYTES: Final = 32
"""Random bytes of a secret; the standard asks for 24 to 64."""

ROTATION: Final = timedelta(hours=24)
"""How long messages are signed with the previous secret as well as with the new one."""


@dataclass(frozen=True)
class Endpoint:
    """One endpoint, without its secrets."""

    id: str
    account_id: str | None
    """None for an endpoint of the operator."""
    url: str
    previous_until: datetime | None
    disabled_at: datetime | None
    disabled_reason: str | None
    created_at: datetime
    account: str | None
    """Name of the account."""


async def add(connection: AsyncConnection, account_id: str | None, url: str) -> tuple[str, str]:
    """Add an endpoint of an account, or of the operator; returns its id and its secret."""
    row = {"id": ids.new("ep"), "account_id": account_id, "url": url, "secret": _new_secret()}
    await connection.execute(sa.insert(webhook_endpoints).values(**row))
    return str(row["id"]), str(row["secret"])


async def read_all(connection: AsyncConnection) -> list[Endpoint]:
    """Every endpoint, oldest first."""
    shown = [webhook_endpoints.c[field.name] for field in fields(Endpoint) if field.name != "account"]
    query = sa.select(*shown, accounts.c.name.label("account")).select_from(webhook_endpoints.outerjoin(accounts))
    rows = (await connection.execute(query.order_by(webhook_endpoints.c.created_at, webhook_endpoints.c.id))).mappings()
    return [Endpoint(**row) for row in rows]


async def rotate(connection: AsyncConnection, endpoint_id: str) -> str:
    """Give the endpoint a new secret, and return it; the one before it stays valid for ROTATION, an older one no longer.

    Raises: NotFound.
    """
    new = _new_secret()
    values = {
        "secret": new,
        "previous_secret": webhook_endpoints.c.secret,
        "previous_until": sa.func.clock_timestamp() + ROTATION,
    }
    changed = await connection.execute(_one(endpoint_id).values(**values))
    if changed.rowcount == 0:
        raise _unknown(endpoint_id)
    return new


async def remove(connection: AsyncConnection, endpoint_id: str) -> None:
    """Remove an endpoint and its deliveries.

    Raises: NotFound.
    """
    removed = sa.delete(webhook_endpoints).where(webhook_endpoints.c.id == endpoint_id)
    if (await connection.execute(removed)).rowcount == 0:
        raise _unknown(endpoint_id)


async def disable(connection: AsyncConnection, endpoint_id: str, reason: str) -> None:
    """Send nothing to the endpoint any more; what waits for it has failed."""
    now = sa.func.clock_timestamp()
    await connection.execute(_one(endpoint_id).values(disabled_at=now, disabled_reason=reason))
    waiting = (webhook_deliveries.c.endpoint_id == endpoint_id, webhook_deliveries.c.state == "pending")
    failed = {"state": "failed", "problem": reason, "ended_at": now}
    await connection.execute(sa.update(webhook_deliveries).where(*waiting).values(**failed))


def _one(endpoint_id: str) -> sa.Update:
    return sa.update(webhook_endpoints).where(webhook_endpoints.c.id == endpoint_id)


def _new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def _unknown(endpoint_id: str) -> NotFound:
    return NotFound(f"no endpoint has the id {endpoint_id}; list them with: spatial notifications list")
