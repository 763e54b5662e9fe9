"""The lake: objects by key. A directory by default, or an S3 bucket; both give the same guarantees.

    staged/<operation id>/<file name>      uploads, for as long as their request may run again; of a batch: …/<item>/<file name>
    results/<operation id>.json            answers, for as long as they may be replayed
    results/<operation id>/<item>.json     documents of a batch's items
    results/<operation id>/<item>.glb      meshes of extractions for the viewer, made when they are first shown; item 0 of a single one
    results/<operation id>/<item>.source   the key of the file that an extraction read, where that is an upload
    results/<account id>/<digest>.settled  answers of items of a responses batch that was not stored, for its next attempt
    prefect/<operation or batch>/…         results of flow stages (written by Prefect); service/ for runs of no account
    usage/rows/…  usage/manifest/…         the usage ledger, kept
    ingest/documents/…  ingest/tables/…  ingest/manifest/…    results of bulk ingest, kept

A put is atomic, and once it returns it survives a crash. The service makes the keys: a key that could leave the lake is a programming
error and is refused. The lake is not a file system: there are no directories to make or to remove.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final, Protocol

from spatial.errors import ConverterUnavailable, InternalError
from storage.objects.directory import Directory

DEADLINE_SECONDS: Final = 15.0
"""How long one operation may take, for the largest file."""

PING_SECONDS: Final = 3.0
"""How long the lake may take to answer a health check."""

LISTING_SECONDS: Final = 300.0
"""How long a listing of the whole lake may take."""

EPHEMERAL: Final = ("staged", "results", "prefect")
"""What is deleted after limits.RETENTION_HOURS; the usage ledger is not among it."""

KEY: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._=@+-]{0,199}(/[A-Za-z0-9_][A-Za-z0-9._=@+-]{0,199}){0,9}")
"""What a key looks like: segments that begin with a letter, a digit or _, so that none is hidden, and none is `..`."""

_log = logging.getLogger(__name__)


class LakeUnavailable(ConverterUnavailable):
    """Object storage is unavailable, full, or too slow."""


class ObjectMissing(LakeUnavailable):
    """No object has this key (any more); a deleted object is never recreated."""

    can_recover = False


class MultipartWriter(Protocol):
    """An object that is written in pieces. It exists once `end` has returned; before that, or after `abandon`, it does not exist."""

    async def write(self, piece: bytes) -> None: ...

    async def end(self) -> None: ...

    async def abandon(self) -> None: ...


class Store(Protocol):
    """What a directory and a bucket do alike. Errors are OSErrors; FileNotFoundError where there is no such object."""

    filesystem: Any
    """fsspec filesystem, synchronous; what DuckDB reads through."""

    def path(self, key: str) -> str:
        """How `filesystem` calls the object."""

    async def put(self, key: str, data: bytes) -> None: ...

    async def begin(self, key: str) -> MultipartWriter: ...

    async def copy(self, source: str, target: str) -> None: ...

    async def size(self, key: str) -> int: ...

    async def keys(self) -> list[str]: ...

    async def get(self, key: str) -> bytes: ...

    async def exists(self, key: str) -> bool: ...

    async def delete(self, key: str) -> None: ...

    async def list(self, prefix: str) -> list[str]: ...

    async def expire(self, prefix: str, age: timedelta) -> int: ...

    async def ping(self) -> None: ...

    async def close(self) -> None: ...


def staged_key(operation_id: str, file_name: str, item: int | None = None) -> str:
    """Where an upload lies while its request may run. item: index in a batch."""
    return f"staged/{operation_id}/{'' if item is None else f'{item}/'}{safe_name(file_name)}"


def result_key(operation_id: str, item: int | None = None) -> str:
    """Where an operation's answer lies. item: index in a batch, for that item's document."""
    return f"results/{operation_id}{'' if item is None else f'/{item}'}.json"


def mesh_key(operation_id: str, item: int) -> str:
    """Where the mesh of an extraction lies. item: index in a batch; 0 of a single extraction."""
    return f"results/{operation_id}/{item}.glb"


def source_key(operation_id: str, item: int) -> str:
    """Where the key of the upload lies that an extraction read. item: index in a batch; 0 of a single extraction."""
    return f"results/{operation_id}/{item}.source"


def settled_key(account_id: str, digest: str) -> str:
    """Where the items of a responses batch lie that are settled although the batch is not. digest: of the request."""
    return f"results/{account_id}/{digest}.settled"


def safe_name(file_name: str) -> str:
    """A file name as a segment of a key: still readable, still with its extension."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", re.split(r"[/\\]", file_name)[-1])
    return plain[-120:].lstrip(".-") or "file"


class Lake:
    """Bytes by key. Usable from any event loop."""

    def __init__(self, url: str, s3_endpoint: str | None = None, *, seconds: float = DEADLINE_SECONDS) -> None:
        """url: file:///directory or s3://bucket/prefix; s3_endpoint: address of an S3-compatible store other than AWS."""
        self.url = url.rstrip("/")
        self._seconds = seconds
        self._store = _store(self.url, s3_endpoint)

    @property
    def filesystem(self) -> Any:
        """The lake as a synchronous fsspec filesystem, for DuckDB's register_filesystem."""
        return self._store.filesystem

    @property
    def root(self) -> str:
        """What `filesystem` calls the lake."""
        return self._store.path("")

    def uri(self, key: str) -> str:
        """The object's full address."""
        return f"{self.url}/{_checked(key)}"

    def path(self, key: str) -> str:
        """What `filesystem` calls the object."""
        return self._store.path(_checked(key))

    async def put(self, key: str, data: bytes) -> None:
        """Write an object, replacing an existing one.

        Raises: LakeUnavailable.
        """
        async with self._within("written"):
            await self._store.put(_checked(key), data)

    async def put_stream(self, key: str, pieces: AsyncIterable[bytes]) -> None:
        """Write an object from an iterator, atomically; an error that `pieces` raises is raised, and no object exists then.

        Holds a few MB at most. The deadline is for each piece that is written; `pieces` takes what time it takes.

        Raises: LakeUnavailable.
        """
        async with self._within("written"):
            growing = await self._store.begin(_checked(key))
        try:
            async for piece in pieces:
                async with self._within("written"):
                    await growing.write(piece)
            async with self._within("written"):
                await growing.end()
        except BaseException:
            await asyncio.shield(self._abandoned(growing))
            raise

    async def copy(self, source: str, target: str) -> None:
        """Copy an object within the store, without its bytes passing through this process.

        Raises: ObjectMissing; LakeUnavailable.
        """
        async with self._within("written"):
            try:
                await self._store.copy(_checked(source), _checked(target))
            except FileNotFoundError as error:
                raise ObjectMissing("the stored object does not exist any more; send the file again") from error

    async def size(self, key: str) -> int | None:
        """Bytes of the object; None where there is none.

        Raises: LakeUnavailable.
        """
        async with self._within("read"):
            try:
                return await self._store.size(_checked(key))
            except FileNotFoundError:
                return None

    async def keys(self) -> list[str]:
        """Every object, sorted.

        Raises: LakeUnavailable.
        """
        async with self._within("read", LISTING_SECONDS):
            return sorted(await self._store.keys())

    async def _abandoned(self, growing: MultipartWriter) -> None:
        """Remove remains where possible; housekeeping finds the rest."""
        try:
            async with asyncio.timeout(self._seconds):
                await growing.abandon()
        except (OSError, TimeoutError) as error:
            _log.warning("a part of an object stays until it expires: %s", error)

    async def get(self, key: str) -> bytes:
        """The object's bytes.

        Raises: ObjectMissing; LakeUnavailable.
        """
        async with self._within("read"):
            try:
                return await self._store.get(_checked(key))
            except FileNotFoundError as error:
                raise ObjectMissing("the stored object does not exist any more; send the file again") from error

    async def exists(self, key: str) -> bool:
        """Whether there is such an object.

        Raises: LakeUnavailable.
        """
        async with self._within("read"):
            return await self._store.exists(_checked(key))

    async def delete(self, key: str) -> None:
        """Have no such object; it need not have been there.

        Raises: LakeUnavailable.
        """
        async with self._within("written"):
            await self._store.delete(_checked(key))

    async def list(self, prefix: str) -> list[str]:
        """Keys of the objects below a prefix of whole segments, sorted; what was put before is there.

        Raises: LakeUnavailable.
        """
        async with self._within("read"):
            return sorted(await self._store.list(_checked(prefix)))

    async def expire(self, prefix: str, age: timedelta) -> int:
        """Delete the objects below a prefix that are older; how many. A bucket's own lifecycle does the same a day later.

        Raises: LakeUnavailable.
        """
        async with self._within("written"):
            return await self._store.expire(_checked(prefix), age)

    async def ping(self) -> None:
        """Whether the lake is there and can be used.

        Raises: LakeUnavailable.
        """
        async with self._within("used", PING_SECONDS):
            await self._store.ping()

    async def close(self) -> None:
        """Close connections."""
        await self._store.close()

    @asynccontextmanager
    async def _within(self, done: str, seconds: float | None = None) -> AsyncIterator[None]:
        """A deadline, and one error for every way storage can be unavailable. The error that the caller sees names no internal address."""
        try:
            async with asyncio.timeout(seconds or self._seconds):
                yield
        except (OSError, TimeoutError) as error:
            _log.warning("storage cannot be %s: %s: %s", done, type(error).__name__, error)
            reason = "no answer in time" if isinstance(error, TimeoutError) else error.strerror or "unreachable"
            raise LakeUnavailable(f"storage cannot be {done} now ({reason}); try again shortly") from error


def _store(url: str, s3_endpoint: str | None) -> Store:
    if url.startswith("file://"):
        return Directory(url.removeprefix("file://"))
    from storage.objects.s3 import Bucket  # s3fs takes 1.4 s to import, which a directory does not need

    return Bucket(url, s3_endpoint)


def _checked(key: str) -> str:
    if not KEY.fullmatch(key):
        raise InternalError(f"{key!r} is not a key of the lake; report this as a fault")
    return key
