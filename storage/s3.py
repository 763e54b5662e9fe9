"""A lake that is an S3 bucket, through s3fs. Credentials come from where the AWS tools look for them: variables, files, roles."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

import s3fs
from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]  # ships no types

CONNECT_SECONDS: Final = 2.0
"""How long one connection attempt to the store may take; there are two."""

READ_SECONDS: Final = 5.0
"""How long the store may stay silent."""

T = TypeVar("T")


def options(endpoint: str | None) -> dict[str, Any]:
    """Arguments of S3FileSystem, for us and for Prefect's result storage alike."""
    config: dict[str, Any] = {
        "connect_timeout": CONNECT_SECONDS,
        "read_timeout": READ_SECONDS,
        "retries": {"total_max_attempts": 2, "mode": "standard"},
        # Stores other than AWS do not all know the checksums that botocore adds since 1.36,
        "request_checksum_calculation": "when_required",
        "response_checksum_validation": "when_required",
    }
    if endpoint is not None:
        config["s3"] = {"addressing_style": "path"}  # and have no host name a bucket.
    return {"endpoint_url": endpoint, "config_kwargs": config, "use_listings_cache": False}


class Bucket:
    """Objects under one prefix of one bucket; implements storage.lake.Store.

    s3fs runs on a thread and an event loop of its own, so a bucket may be used from any loop, and by DuckDB's threads as well.
    """

    def __init__(self, url: str, endpoint: str | None) -> None:
        self._root = url.removeprefix("s3://").strip("/")
        self.filesystem: Any = s3fs.S3FileSystem(**options(endpoint), skip_instance_cache=True)
        self.filesystem.retries = 1  # s3fs would repeat what botocore has repeated

    def path(self, key: str) -> str:
        return f"{self._root}/{key}".rstrip("/")

    async def put(self, key: str, data: bytes) -> None:
        await self._run(self.filesystem._pipe_file(self.path(key), data))

    async def get(self, key: str) -> bytes:
        # One request: without max_concurrency=1 s3fs asks for the size first.
        return bytes(await self._run(self.filesystem._cat_file(self.path(key), max_concurrency=1)))

    async def exists(self, key: str) -> bool:
        bucket, _, name = self.path(key).partition("/")
        try:  # s3fs takes every error for an absence
            await self._run(self.filesystem._call_s3("head_object", Bucket=bucket, Key=name))
        except FileNotFoundError:
            return False
        return True

    async def delete(self, key: str) -> None:
        await self._run(self.filesystem._rm_file(self.path(key)))

    async def list(self, prefix: str) -> list[str]:
        return list(await self._found(prefix))

    async def expire(self, prefix: str, age: timedelta) -> int:
        before = datetime.now(UTC) - age
        old = [key for key, info in (await self._found(prefix)).items() if info["LastModified"] < before]
        for key in old:
            await self.delete(key)
        return len(old)

    async def ping(self) -> None:
        await self._run(self.filesystem._call_s3("head_bucket", Bucket=self._root.split("/")[0]))

    async def close(self) -> None:
        client, self.filesystem._s3 = self.filesystem._s3, None
        if client is not None:
            await self._run(client.close())

    async def _found(self, prefix: str) -> dict[str, Any]:
        found = await self._run(self.filesystem._find(self.path(prefix), detail=True))
        return {path.removeprefix(f"{self._root}/"): info for path, info in found.items()}

    async def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """On s3fs's own loop; cancelling here cancels there. What botocore raises becomes an OSError."""
        try:
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.filesystem.loop))
        except (BotoCoreError, ClientError) as error:
            raise OSError(None, str(error)) from error
