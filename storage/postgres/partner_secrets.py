"""The secrets with which CAD partners sign their events: each partner belongs to one account and has one or two, for rotation.

They are kept in clear, because verifying an HMAC needs the secret itself (RFC 2104); `spatial partners` shows a secret once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest
from storage import ids
from storage.postgres.schema import accounts, partner_secrets

MOST_SECRETS: Final = 2
"""Valid secrets of one partner: the old one and the new one, while the partner changes over."""


@dataclass(frozen=True)
class PartnerSecret:
    """One valid secret."""

    id: str
    account_id: str
    partner: str
    secret: str
    created_at: datetime


async def add(connection: AsyncConnection, account_id: str, partner: str) -> PartnerSecret:
    """Make a further secret for a partner of the account.

    Raises: InvalidRequest if the partner belongs to another account, or has MOST_SECRETS already.
    """
    await connection.execute(
        sa.select(accounts.c.id).where(accounts.c.id == account_id).with_for_update(key_share=True)
    )
    known = await of_partner(connection, partner)
    if any(found.account_id != account_id for found in known):
        raise InvalidRequest(f"the partner {partner} belongs to another account; choose another name for this one")
    if len(known) >= MOST_SECRETS:
        raise InvalidRequest(
            f"the partner {partner} has {MOST_SECRETS} valid secrets; remove the one that is out of use first"
        )
    row = {"id": ids.new("ps"), "account_id": account_id, "partner": partner, "secret": secrets.token_hex(32)}
    await connection.execute(sa.insert(partner_secrets).values(**row))
    return next(found for found in await of_partner(connection, partner) if found.id == row["id"])


async def of_partner(connection: AsyncConnection, partner: str) -> list[PartnerSecret]:
    """The valid secrets of a partner, oldest first."""
    return await _read(connection, partner_secrets.c.partner == partner)


async def read_all(connection: AsyncConnection) -> list[PartnerSecret]:
    """The valid secrets of every partner, oldest first."""
    return await _read(connection, sa.true())


async def remove(connection: AsyncConnection, secret_id: str) -> bool:
    """Remove a secret; False if there is none of this id."""
    return (await connection.execute(sa.delete(partner_secrets).where(partner_secrets.c.id == secret_id))).rowcount == 1


async def _read(connection: AsyncConnection, where: sa.ColumnElement[bool]) -> list[PartnerSecret]:
    query = sa.select(partner_secrets).where(where).order_by(partner_secrets.c.created_at, partner_secrets.c.id)
    return [PartnerSecret(**row) for row in (await connection.execute(query)).mappings()]
