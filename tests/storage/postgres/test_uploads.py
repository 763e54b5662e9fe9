"""Uploads below the API: races over one upload, and files that come by presigned URL past us."""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from datetime import timedelta

import httpx
import pytest

from spatial.errors import InvalidRequest, NotFound, RateLimitExceeded, RequestTooLarge
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.postgres import upload_files, uploads
from storage.postgres.database import Database
from storage.postgres.uploads import Ceilings, Upload
from storage.settings import Settings
from tests.storage.actors import Customer

PLENTY = Ceilings(100, 10**9)


async def made(database: Database, who: Customer, most_bytes: int = 1000, ceilings: Ceilings = PLENTY) -> Upload:
    """A new upload."""
    async with database.transaction() as connection:
        return await uploads.create(
            connection,
            account_id=who.account_id,
            key_id=who.key_id,
            request_id="req_1",
            file_name="part ø.step",
            most_bytes=most_bytes,
            ceilings=ceilings,
        )


async def send(database: Database, lake: Lake, upload: Upload, data: bytes) -> Upload:
    """What the streaming route does."""
    key = upload_files.new_content_key(upload)
    await lake.put(key, data)
    digest = hashlib.sha256(data).hexdigest()
    return await upload_files.record_arrival(database, lake, upload, content_key=key, size=len(data), sha256=digest)


async def resolved(database: Database, lake: Lake, upload: Upload) -> upload_files.Resolved:
    """What a request does that names it."""
    return await upload_files.resolve(database, lake, account_id=upload.account_id, upload_id=upload.id)


@pytest.mark.requirement("upload.replaced-until-used")
async def test_of_files_and_requests_at_once_every_request_sees_one_file(
    database: Database, lake: Lake, who: Customer
) -> None:
    upload = await made(database, who)
    await send(database, lake, upload, b"0")

    async def sending(n: int) -> None:
        with suppress(InvalidRequest):  # it has been used
            await send(database, lake, upload, bytes([n]) * n)

    *_, one, two = await asyncio.gather(
        *(sending(n) for n in range(1, 8)), *(resolved(database, lake, upload) for _ in range(2))
    )
    assert one == two == await resolved(database, lake, upload)
    data = await lake.get(one.content_key)
    assert (one.size, one.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert await lake.list(f"staged/{upload.id}") == [one.content_key]


@pytest.mark.requirement("upload.delete", "upload.account-scoped")
async def test_a_file_that_arrives_after_the_deletion_is_deleted(database: Database, lake: Lake, who: Customer) -> None:
    upload = await made(database, who)
    await upload_files.delete(database, lake, account_id=who.account_id, upload_id=upload.id)
    with pytest.raises(NotFound):
        await send(database, lake, upload, b"late")
    assert await lake.keys() == []


@pytest.mark.requirement("upload.ceilings")
async def test_bytes_set_aside_are_counted_as_large_as_they_may_become(
    database: Database, lake: Lake, who: Customer
) -> None:
    ceilings = Ceilings(10, 2500)
    first = await made(database, who, 1000, ceilings)
    await made(database, who, 1000, ceilings)
    with pytest.raises(RateLimitExceeded) as refusal:
        await made(database, who, 501, ceilings)
    assert refusal.value.retry_after is not None and refusal.value.retry_after > 86_000
    await send(database, lake, first, b"x" * 10)
    await made(database, who, 1000, ceilings)


@pytest.fixture
async def bucket_settings(s3_settings: Settings) -> Settings:
    """A bucket that callers reach as well."""
    await bucket.ensure_bucket(s3_settings)
    return s3_settings.model_copy(update={"s3_public_endpoint": s3_settings.s3_endpoint})


async def put_past_us(settings: Settings, upload: Upload, data: bytes) -> None:
    """What a caller does with a presigned URL: no key of ours, no credentials."""
    url = await bucket.presign_put(settings, upload_files.landing_key(upload.id), timedelta(hours=1))
    async with httpx.AsyncClient(trust_env=False) as client:
        assert (await client.put(url, content=data)).status_code == 200


@pytest.mark.requirement("upload.presigned")
async def test_a_file_that_came_past_us_is_taken_in_when_it_is_looked_at(
    database: Database, who: Customer, bucket_settings: Settings
) -> None:
    lake = Lake(bucket_settings.storage_url, bucket_settings.s3_endpoint)
    upload = await made(database, who)
    with pytest.raises(InvalidRequest, match="has not arrived"):
        await resolved(database, lake, upload)
    await put_past_us(bucket_settings, upload, b"first")
    settled = await upload_files.accept_landing(database, lake, account_id=who.account_id, upload_id=upload.id)
    assert settled is not None and (settled.status, settled.size) == ("received", 5)
    await put_past_us(bucket_settings, upload, b"second")
    one, two = await asyncio.gather(resolved(database, lake, upload), resolved(database, lake, upload))
    assert one == two and one.sha256 == hashlib.sha256(b"second").hexdigest()
    await put_past_us(bucket_settings, upload, b"too late")
    assert await resolved(database, lake, upload) == one
    assert await lake.get(one.content_key) == b"second"
    await upload_files.delete(database, lake, account_id=who.account_id, upload_id=upload.id)
    assert await lake.keys() == []
    await lake.close()


@pytest.mark.requirement("upload.presigned", "upload.expires")
async def test_a_file_that_came_past_us_too_large_is_deleted(
    database: Database, who: Customer, bucket_settings: Settings
) -> None:
    lake = Lake(bucket_settings.storage_url, bucket_settings.s3_endpoint)
    upload = await made(database, who, 1000)
    await put_past_us(bucket_settings, upload, b"x" * 1001)
    with pytest.raises(RequestTooLarge):
        await resolved(database, lake, upload)
    assert await lake.keys() == []
    await put_past_us(bucket_settings, upload, b"x" * 1001)
    await upload_files.expire(database, lake)
    assert await lake.keys() == []
    await put_past_us(bucket_settings, upload, b"")
    with pytest.raises(InvalidRequest, match="empty"):
        await resolved(database, lake, upload)
    await put_past_us(bucket_settings, upload, b"x" * 1000)
    assert (await resolved(database, lake, upload)).size == 1000
    await lake.close()
