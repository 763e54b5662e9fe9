"""Another S3 server than the one that the rest is tested with: it has no lifecycle rules, as several of the stores in operations.md."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from storage import settings
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.settings import Settings
from tests.support.s3 import CREDENTIALS
from tests.support.stack import eventually, free_port


@pytest.fixture
def plain_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A deployment on localbucket, which answers 501 to what it does not know."""
    port, folder = free_port(), tmp_path / "buckets"
    folder.mkdir()
    command = [sys.executable, "-m", "localbucket", "--port", str(port), str(folder)]
    with (tmp_path / "log").open("ab") as said, subprocess.Popen(command, stdout=said, stderr=said) as process:
        try:
            for name, value in CREDENTIALS.items():
                monkeypatch.setenv(name, value)
            address = f"http://127.0.0.1:{port}"
            eventually(lambda: httpx.get(address, trust_env=False).status_code == 200, what="the store")
            yield settings.load(home=tmp_path, storage_url="s3://lake-one/some/prefix", s3_endpoint=address)
        finally:
            process.terminate()


@pytest.mark.requirement("fleet.plain-store", "upload.presigned")
async def test_a_store_without_lifecycle_rules_serves_as_the_lake(
    plain_store: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "storage.objects.bucket"):
        await bucket.ensure_bucket(plain_store)
        await bucket.ensure_bucket(plain_store)
    assert [record.message for record in caplog.records if "no lifecycle rules" in record.message]
    lake = Lake(plain_store.storage_url, plain_store.s3_endpoint)
    try:
        await lake.put("staged/op/part.step", b"ISO-10303-21;")
        assert await lake.get("staged/op/part.step") == b"ISO-10303-21;"
        assert await lake.list("staged") == ["staged/op/part.step"]
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.get(await bucket.presign_get(plain_store, "staged/op/part.step"))
            landing = await bucket.presign_put(plain_store, "staged/up/landing", timedelta(hours=1))
            assert (await client.put(landing, content=b"sent past us")).status_code == 200
        assert (answer.status_code, answer.content) == (200, b"ISO-10303-21;")
        assert await lake.get("staged/up/landing") == b"sent past us"
        await lake.delete("staged/op/part.step")
        assert not await lake.exists("staged/op/part.step")
    finally:
        await lake.close()
