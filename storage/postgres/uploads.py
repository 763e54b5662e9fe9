"""Uploads: files that callers send before the request that names them.

Glossary
  open      neither expired nor deleted; an account may hold so many of them, and so many bytes in them.
  waiting   nothing has arrived yet.
  received  its file lies whole under `content_key`; a second one replaces it, under another key.
  used      a request named it: from then on its bytes do not change, so the upload's id stands for them.
  landing   the key that a presigned URL lets the caller write, bypassing the API: the next check moves the file under `content_key`.

    staged/<upload id>/<token>/<file name>     the file; written by us only
    staged/<upload id>/landing                 what came by presigned URL

The clock is the database's: an upload lives for limits.RETENTION_HOURS from its creation. Housekeeping deletes later (`expire`).

A request that names an upload calls `resolve`.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from spatial.contract.upload import UploadStatus
from spatial.counting import count_of
from spatial.errors import NotFound, RateLimitExceeded
from storage import ids
from storage.objects import lake as lakes
from storage.postgres.database import Database
from storage.postgres.schema import accounts, uploads

LIFETIME: Final = timedelta(hours=limits.RETENTION_HOURS)
"""How long an upload lives from its creation."""


@dataclass(frozen=True)
class Upload:
    """One upload that is open."""

    id: str
    account_id: str
    file_name: str
    content_key: str
    most_bytes: int
    """Maximum size of its file in bytes."""
    size: int | None
    sha256: str | None
    received_at: datetime | None
    used_at: datetime | None
    expires_at: datetime

    @property
    def status(self) -> UploadStatus:
        """Where it stands."""
        return "used" if self.used_at else "received" if self.received_at else "waiting"


COLUMNS: Final = tuple(uploads.c[name] for name in Upload.__dataclass_fields__)


# Creating and asking ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ceilings:
    """What one account may hold open at a time."""

    uploads: int
    bytes: int


async def create(
    connection: AsyncConnection,
    *,
    account_id: str,
    key_id: str,
    request_id: str,
    file_name: str,
    most_bytes: int,
    ceilings: Ceilings,
) -> Upload:
    """A new upload. Bytes are set aside for it as if it were as large as it may be: `most_bytes`.

    Raises: RateLimitExceeded where the account holds as much as it may, exactly, however many processes ask at once.
    """
    await connection.execute(sa.select(accounts.c.id).where(accounts.c.id == account_id).with_for_update())
    await _check_ceilings(connection, account_id, most_bytes, ceilings)
    upload_id = ids.new("up")
    row = {"account_id": account_id, "key_id": key_id, "request_id": request_id, "file_name": file_name}
    made = sa.insert(uploads).values(
        id=upload_id,
        **row,
        content_key=new_key(upload_id, file_name),
        most_bytes=most_bytes,
        expires_at=sa.func.clock_timestamp() + LIFETIME,
    )
    return Upload(**(await connection.execute(made.returning(*COLUMNS))).one()._mapping)


async def _check_ceilings(connection: AsyncConnection, account_id: str, most_bytes: int, ceilings: Ceilings) -> None:
    """A file that arrived counts as large as it is, another one as large as it may be."""
    held = sa.select(
        sa.func.count().label("uploads"),
        sa.func.coalesce(sa.func.sum(sa.func.coalesce(uploads.c.size, uploads.c.most_bytes)), 0).label("bytes"),
        sa.func.extract("epoch", sa.func.min(uploads.c.expires_at) - sa.func.clock_timestamp()).label("seconds"),
    ).where(uploads.c.account_id == account_id, is_unexpired())
    now = (await connection.execute(held)).one()
    if now.uploads < ceilings.uploads and int(now.bytes) + most_bytes <= ceilings.bytes:
        return
    raise RateLimitExceeded(
        f"this account has {count_of(now.uploads, 'upload')} open with {count_of(int(now.bytes), 'byte')} reserved, and may have "
        f"{ceilings.uploads} and {ceilings.bytes}; delete those you are done with, or wait for one to expire",
        details={
            "open": now.uploads,
            "open_limit": ceilings.uploads,
            "bytes": int(now.bytes),
            "bytes_limit": ceilings.bytes,
        },
        retry_after=max(1, int(now.seconds or 0)),
    )


async def find(connection: AsyncConnection, account_id: str, upload_id: str) -> Upload | None:
    """The account's open upload of this id."""
    found = (await connection.execute(sa.select(*COLUMNS).where(is_open(account_id, upload_id)))).first()
    return Upload(**found._mapping) if found else None


async def require(database: Database, account_id: str, upload_id: str) -> Upload:
    """`find`. Raises: NotFound."""
    async with database.transaction() as connection:
        upload = await find(connection, account_id, upload_id)
    if upload is None:
        raise unknown()
    return upload


def unknown() -> NotFound:
    """The error for an upload that the account does not have."""
    return NotFound(
        "your account has no such upload, or it has expired; announce the file again by POST /api/v1/uploads"
    )


# Receiving ----------------------------------------------------------------------------------------------------------------


# Housekeeping -------------------------------------------------------------------------------------------------------------


def new_key(upload_id: str, file_name: str) -> str:
    """A new key for a file of the upload; no two calls return the same."""
    return f"staged/{upload_id}/{secrets.token_hex(8)}/{lakes.safe_name(file_name)}"


def is_unexpired() -> sa.ColumnElement[bool]:
    """Whether an upload has not expired, by the database's clock."""
    return uploads.c.expires_at > sa.func.clock_timestamp()


def is_open(account_id: str, upload_id: str) -> sa.ColumnElement[Any]:
    """Whether it is the account's upload of this id, and neither expired nor deleted."""
    return sa.and_(uploads.c.id == upload_id, uploads.c.account_id == account_id, is_unexpired())
