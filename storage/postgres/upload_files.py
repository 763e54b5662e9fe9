"""The files of uploads: how one arrives, replaces another, is named by a request, and is deleted."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import SMALLER, InvalidRequest, NotFound, RequestTooLarge
from storage.objects.lake import Lake, ObjectMissing
from storage.postgres.database import Database
from storage.postgres.schema import uploads
from storage.postgres.uploads import COLUMNS, Upload, find, is_open, is_unexpired, new_key, unknown

HOW: Final = "send the file first: POST /api/v1/uploads, then PUT it to the upload_url of the answer"
"""Advice in the message when an upload cannot be used."""


@dataclass(frozen=True)
class Resolved:
    """The file behind an upload, for a request to work on."""

    upload_id: str
    content_key: str
    """Key of its bytes, which do not change until the upload expires or is deleted."""
    size: int
    """Bytes; what the request's input tokens are counted from."""
    sha256: str


async def resolve(database: Database, lake: Lake, *, account_id: str, upload_id: str) -> Resolved:
    """The file that a request names by `upload_id`. From now on the upload is used: its bytes can no longer change.

    How to use it, single call or batch item:

    - fingerprint: put `upload_id` into it, not the bytes. Its bytes are fixed by the first request that names it, so the id stands for
      them, and a replay needs nothing of the upload, which may have expired by then. So look for a stored answer first, resolve after it.
    - after the stored answer, before the subscription: `file = await uploads.resolve(dispatch.database, dispatch.lake, …)`;
      outside of any transaction, as it may ask the lake.
    - a request that is answered at once works on `file.content_key` itself (`content_key=` of the job, no inline data).
    - a batch, whose items may run after the upload's 24 hours, stages each such item as
      `await lake.copy(file.content_key, lake_module.staged_key(operation_id, file_name, item))`: no bytes pass through this process.
    - input bytes are `file.size`.

    Raises: InvalidRequest (`details.field` is upload_id) for an upload that is unknown, another account's, expired, or has not arrived;
    RequestTooLarge for one that came by presigned URL and is too large, which is deleted; LakeUnavailable, DatastoreUnavailable.
    """
    upload = await accept_landing(database, lake, account_id=account_id, upload_id=upload_id)
    if upload is None:
        raise upload_refused(f"your account has no upload {upload_id}, or it has expired or was deleted; {HOW}")
    if upload.used_at is None:
        async with database.transaction() as connection:
            upload = await _mark_used(connection, upload)
    if upload is None or upload.size is None or upload.sha256 is None:
        raise upload_refused(
            f"the file of upload {upload_id} has not arrived; PUT it to its upload_url, then send this again"
        )
    return Resolved(upload.id, upload.content_key, upload.size, upload.sha256)


async def _mark_used(connection: AsyncConnection, upload: Upload) -> Upload | None:
    """The upload, used from now on; None where it is not open any more, or nothing has arrived."""
    arrived = sa.and_(is_open(upload.account_id, upload.id), uploads.c.received_at.is_not(None))
    used = sa.func.coalesce(uploads.c.used_at, sa.func.clock_timestamp())
    found = (
        await connection.execute(sa.update(uploads).where(arrived).values(used_at=used).returning(*COLUMNS))
    ).first()
    return Upload(**found._mapping) if found else None


def upload_refused(message: str) -> InvalidRequest:
    """The refusal of an upload_id."""
    return InvalidRequest(
        f"upload_id: {message}", details={"field": "upload_id", "errors": [{"path": "upload_id", "message": message}]}
    )


async def delete(database: Database, lake: Lake, *, account_id: str, upload_id: str) -> None:
    """Delete the upload and its file.

    Raises: NotFound; LakeUnavailable, and then housekeeping deletes the file later.
    """
    async with database.transaction() as connection:
        gone = await connection.execute(sa.delete(uploads).where(is_open(account_id, upload_id)))
    if gone.rowcount == 0:
        raise unknown()
    await delete_files(lake, upload_id)


def new_content_key(upload: Upload) -> str:
    """A key for a file that is about to arrive: a new one each time, so that no two meet."""
    return new_key(upload.id, upload.file_name)


def landing_key(upload_id: str) -> str:
    """Where a presigned URL lets the caller write."""
    return f"staged/{upload_id}/landing"


async def record_arrival(
    database: Database, lake: Lake, upload: Upload, *, content_key: str, size: int, sha256: str
) -> Upload:
    """Let the upload stand for the file that lies whole under this key; the one before it is deleted.

    Raises: NotFound where it has expired or was deleted meanwhile, InvalidRequest where it was used; the file is deleted then.
    """
    now = await _exchange_file(database, lake, upload, content_key=content_key, size=size, sha256=sha256)
    if now is None:
        raise NotFound("the upload has expired or was deleted; announce the file again by POST /api/v1/uploads")
    if now.content_key != content_key:
        raise upload_in_use(upload.id)
    return now


async def _exchange_file(
    database: Database, lake: Lake, upload: Upload, *, content_key: str, **said: Any
) -> Upload | None:
    """The upload as it stands now: with this file, or, where it was used meanwhile, with the one it had. The other file is deleted."""
    async with database.transaction() as connection:
        locking = sa.select(*COLUMNS).where(is_open(upload.account_id, upload.id)).with_for_update()
        found = (await connection.execute(locking)).first()
        now = earlier = Upload(**found._mapping) if found else None
        if earlier is not None and earlier.used_at is None:
            arrived = {"content_key": content_key, "received_at": sa.func.clock_timestamp(), **said}
            changed = sa.update(uploads).where(uploads.c.id == upload.id).values(**arrived).returning(*COLUMNS)
            now = Upload(**(await connection.execute(changed)).one()._mapping)
    if now is None or now.content_key != content_key:
        await lake.delete(content_key)
    elif earlier is not None and earlier.received_at is not None:
        await lake.delete(earlier.content_key)
    return now


def upload_in_use(upload_id: str) -> InvalidRequest:
    """The refusal of a second file for an upload that a request has named."""
    return InvalidRequest(
        f"upload {upload_id} has been used by a request, so its file stays as it is; announce another by POST /api/v1/uploads",
        details={"field": "upload_id"},
    )


async def accept_landing(database: Database, lake: Lake, *, account_id: str, upload_id: str) -> Upload | None:
    """The upload, with what came by presigned URL taken in; None where there is no such upload.

    What is written to the landing later replaces it, when the upload is looked at again and was not used meanwhile.

    Raises: RequestTooLarge for a file that is too large, which is deleted; InvalidRequest for an empty one; LakeUnavailable.
    """
    async with database.transaction() as connection:
        upload = await find(connection, account_id, upload_id)
    if upload is None or upload.used_at is not None:
        return upload
    size = await lake.size(landing_key(upload.id))
    if size is None:
        return upload
    if not 0 < size <= upload.most_bytes:
        await lake.delete(landing_key(upload.id))
        raise (
            file_too_large(upload.most_bytes)
            if size
            else upload_refused("the file that arrived is empty; PUT it again")
        )
    try:
        data = await lake.get(landing_key(upload.id))
    except ObjectMissing:  # another process is moving it
        return upload
    if len(data) > upload.most_bytes:
        raise file_too_large(upload.most_bytes)
    key = new_content_key(upload)
    await lake.put(key, data)
    sha256 = hashlib.sha256(data).hexdigest()
    now = await _exchange_file(database, lake, upload, content_key=key, size=len(data), sha256=sha256)
    await lake.delete(landing_key(upload.id))
    return now


def file_too_large(limit: int) -> RequestTooLarge:
    """The refusal of a file over what the upload may hold."""
    return RequestTooLarge(
        f"the file is larger than {limit} bytes; {SMALLER}",
        details={"limit_bytes": limit},
    )


async def expire(database: Database, lake: Lake) -> int:
    """Delete the expired uploads, their files first; returns how many.

    Also what was written past us to the landing of an open upload, and is larger than it may be.

    Raises: DatastoreUnavailable, LakeUnavailable: what is left is done by the next call.
    """
    over = sa.select(uploads.c.id).where(sa.not_(is_unexpired()))
    async with database.transaction() as connection:
        gone = list((await connection.execute(over)).scalars())
    for upload_id in gone:
        await delete_files(lake, upload_id)
    async with database.transaction() as connection:
        await connection.execute(sa.delete(uploads).where(uploads.c.id.in_(gone)))
    await _clear_landings(database, lake)
    return len(gone)


async def _clear_landings(database: Database, lake: Lake) -> None:
    async with database.transaction() as connection:
        standing = (await connection.execute(sa.select(uploads.c.id, uploads.c.most_bytes).where(is_unexpired()))).all()
    for upload_id, most_bytes in standing:
        if (await lake.size(landing_key(upload_id)) or 0) > most_bytes:
            await lake.delete(landing_key(upload_id))


async def delete_files(lake: Lake, upload_id: str) -> None:
    """Delete every object of an upload."""
    for key in await lake.list(f"staged/{upload_id}"):
        await lake.delete(key)
