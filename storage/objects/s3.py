"""A lake that is an S3 bucket, through s3fs. Credentials come from where the AWS tools look for them: variables, files, roles."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

import aiohttp
import s3fs
from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]  # ships no types

CONNECT_SECONDS: Final = 2.0
"""How long one connection attempt to the store may take; there are two."""

READ_SECONDS: Final = 5.0
"""How long the store may stay silent."""

PART_BYTES: Final = 8_388_608
"""Size of one part of an object that comes in pieces; S3 takes 5 MiB to 5 GiB, the last one less."""

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
        config["s3"] = {"addressing_style": "path"}  # and have no host name per bucket.
    return {"endpoint_url": endpoint, "config_kwargs": config, "use_listings_cache": False}


@contextmanager
def _translate_errors() -> Iterator[None]:
    """What botocore raises becomes an OSError, and so does what its client raises where an answer is cut in its body."""
    try:
        yield
    except (BotoCoreError, ClientError, aiohttp.ClientError) as error:
        raise OSError(None, str(error)) from error


class _Filesystem(s3fs.S3FileSystem):  # type: ignore[misc]  # s3fs ships no types
    """The filesystem through which DuckDB reads too, by its synchronous twin `cat_file`."""

    async def _cat_file(self, *arguments: Any, **words: Any) -> bytes:
        with _translate_errors():
            content: bytes = await super()._cat_file(*arguments, **words)
            return content


class Bucket:
    """Objects under one prefix of one bucket; implements storage.objects.lake.Store.

    s3fs runs on a thread and an event loop of its own, so a bucket may be used from any loop, and by DuckDB's threads as well.
    """

    def __init__(self, url: str, endpoint: str | None) -> None:
        self._root = url.removeprefix("s3://").strip("/")
        self.filesystem: Any = _Filesystem(**options(endpoint), skip_instance_cache=True)
        self.filesystem.retries = 1  # s3fs would repeat what botocore has repeated

    def path(self, key: str) -> str:
        return f"{self._root}/{key}".rstrip("/")

    async def put(self, key: str, data: bytes) -> None:
        await self._run(self.filesystem._pipe_file(self.path(key), data))

    async def begin(self, key: str) -> MultipartWriter:
        return MultipartWriter(self, key)

    async def copy(self, source: str, target: str) -> None:
        bucket, _, name = self.path(target).partition("/")
        origin = {"Bucket": bucket, "Key": self.path(source).partition("/")[2]}
        await self._run(self.filesystem._call_s3("copy_object", Bucket=bucket, Key=name, CopySource=origin))

    async def size(self, key: str) -> int:
        bucket, _, name = self.path(key).partition("/")
        return int((await self._run(self.filesystem._call_s3("head_object", Bucket=bucket, Key=name)))["ContentLength"])

    async def keys(self) -> list[str]:
        return list(await self._found(""))

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
        await self._expire_parts(prefix, before)
        return len(old)

    async def _expire_parts(self, prefix: str, before: datetime) -> None:
        """Parts of objects that were never completed, because the process that wrote them died."""
        bucket, _, below = self.path(prefix).partition("/")
        found = await self._run(self.filesystem._call_s3("list_multipart_uploads", Bucket=bucket, Prefix=f"{below}/"))
        for left in found.get("Uploads", []):
            if left["Initiated"] < before:
                place = {"Bucket": bucket, "Key": left["Key"], "UploadId": left["UploadId"]}
                await self._run(self.filesystem._call_s3("abort_multipart_upload", **place))

    async def page(self, bucket: str, prefix: str, after: str | None) -> dict[str, Any]:
        """Up to a thousand objects of any bucket, in the order of their keys; `after` is the token that the page before gave."""
        words = {"Bucket": bucket, "Prefix": prefix} | ({"ContinuationToken": after} if after else {})
        return dict(await self._run(self.filesystem._call_s3("list_objects_v2", **words)))

    async def beginning(self, bucket: str, key: str, limit: int) -> bytes:
        """At most so many bytes of an object of any bucket."""

        async def read() -> bytes:
            answer, parts, size = await self.filesystem._call_s3("get_object", Bucket=bucket, Key=key), [], 0
            async with answer["Body"] as body:
                while size < limit and (part := await body.read(limit - size)):
                    parts.append(part)
                    size += len(part)
            return b"".join(parts)

        return await self._run(read())

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
        """On s3fs's own loop; cancelling here cancels there. Raises: OSError."""
        with _translate_errors():
            return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self.filesystem.loop))


class MultipartWriter:
    """An object that comes in pieces: parts of a multipart upload, which becomes an object when it is ended. Holds one part in memory."""

    def __init__(self, bucket: Bucket, key: str) -> None:
        self._bucket = bucket
        self._place = dict(zip(("Bucket", "Key"), bucket.path(key).split("/", 1), strict=True))
        self._id: str | None = None
        self._waiting = bytearray()
        self._parts: list[dict[str, Any]] = []

    async def write(self, piece: bytes) -> None:
        self._waiting += piece
        while len(self._waiting) >= PART_BYTES:
            part = bytes(memoryview(self._waiting)[:PART_BYTES])
            del self._waiting[:PART_BYTES]
            await self._send(part)

    async def end(self) -> None:
        if self._id is None:
            await self._call("put_object", Body=bytes(self._waiting))
            return
        if self._waiting:
            await self._send(bytes(self._waiting))
        await self._call("complete_multipart_upload", UploadId=self._id, MultipartUpload={"Parts": self._parts})

    async def abandon(self) -> None:
        self._waiting.clear()
        if self._id is not None:
            await self._call("abort_multipart_upload", UploadId=self._id)

    async def _send(self, part: bytes) -> None:
        if self._id is None:
            self._id = str((await self._call("create_multipart_upload"))["UploadId"])
        number = len(self._parts) + 1
        answer = await self._call("upload_part", UploadId=self._id, PartNumber=number, Body=part)
        self._parts.append({"PartNumber": number, "ETag": answer["ETag"]})

    async def _call(self, method: str, **words: Any) -> Any:
        return await self._bucket._run(self._bucket.filesystem._call_s3(method, **self._place, **words))
