"""A lake that is a directory: atomic puts, files readable by the owner only, no path out of the root."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

from fsspec.implementations.local import LocalFileSystem

ATTEMPTS: Final = 10
"""To make a file in a directory that neighbours make and remove at the same moment."""

T = TypeVar("T")


class Directory:
    """Files under one root; implements storage.objects.lake.Store. File operations run in threads."""

    def __init__(self, root: str) -> None:
        self._root = Path(root)
        self.filesystem: Any = LocalFileSystem()

    def path(self, key: str) -> str:
        return str(self._root / key)

    async def put(self, key: str, data: bytes) -> None:
        await asyncio.to_thread(self._put, key, data)

    async def begin(self, key: str) -> MultipartWriter:
        return await asyncio.to_thread(self._begin, key)

    async def copy(self, source: str, target: str) -> None:
        await asyncio.to_thread(self._copy, source, target)

    async def size(self, key: str) -> int:
        return (await asyncio.to_thread(self._inside(key).stat)).st_size

    async def keys(self) -> list[str]:
        return await asyncio.to_thread(lambda: [str(path.relative_to(self._root)) for path in self._files("")])

    async def get(self, key: str) -> bytes:
        return await asyncio.to_thread(self._inside(key).read_bytes)

    async def exists(self, key: str) -> bool:
        return await asyncio.to_thread(self._inside(key).is_file)

    async def delete(self, key: str) -> None:
        await asyncio.to_thread(self._delete, key)

    async def list(self, prefix: str) -> list[str]:
        return await asyncio.to_thread(lambda: [str(path.relative_to(self._root)) for path in self._files(prefix)])

    async def expire(self, prefix: str, age: timedelta) -> int:
        return await asyncio.to_thread(self._expire, prefix, age)

    async def ping(self) -> None:
        await asyncio.to_thread(self._ping)

    async def close(self) -> None:
        """Nothing to close."""

    def _put(self, key: str, data: bytes) -> None:
        """Write a scratch file beside the target, flush it to the disk, rename it in one step."""
        target = self._inside(key)
        _move(_beside_neighbours(lambda: self._scratch(target, data)), target)

    def _begin(self, key: str) -> MultipartWriter:
        target = self._inside(key)
        return _beside_neighbours(lambda: MultipartWriter(target))

    def _copy(self, source: str, target: str) -> None:
        """A second name of the same bytes: what lies at a key is replaced, never written to. Young again, so that it expires late."""
        origin, place = self._inside(source), self._inside(target)
        _make_private(place.parent)
        scratch = _beside(place)
        try:
            scratch.hardlink_to(origin)
        except FileNotFoundError:
            raise
        except OSError:  # a file system without links
            shutil.copyfile(origin, scratch)
            scratch.chmod(0o600)
        os.utime(scratch)
        _move(scratch, place)

    def _scratch(self, target: Path, data: bytes) -> Path:
        _make_private(target.parent)
        scratch = _beside(target)
        try:
            with open(_created(scratch), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            scratch.unlink(missing_ok=True)
            raise
        return scratch

    def _delete(self, key: str) -> None:
        target = self._inside(key)
        target.unlink(missing_ok=True)
        # Folders that are not empty stay; so do the topmost folders, into one of which Prefect itself writes.
        with suppress(OSError):
            for parent in target.relative_to(self._root).parents[:-2]:
                (self._root / parent).rmdir()

    def _expire(self, prefix: str, age: timedelta) -> int:
        before, gone = time.time() - age.total_seconds(), 0
        for path in self._files(prefix, hidden=True):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    self._delete(str(path.relative_to(self._root)))
                    gone += not path.name.startswith(".")
        return gone

    def _ping(self) -> None:
        """Write a file: a full or read-only disk is not usable as a lake."""
        _make_private(self._root)
        self._scratch(self._root / "ping", b"ping").unlink()

    def _files(self, prefix: str, *, hidden: bool = False) -> Iterator[Path]:
        """Objects below a prefix; a hidden file is a put in progress, or one whose process died."""
        for directory, _, names in os.walk(self._inside(prefix)):
            for name in names:
                if hidden or not name.startswith("."):
                    yield Path(directory, name)

    def _inside(self, key: str) -> Path:
        """The key's place. A link below the root that leads out of it is refused."""
        target = self._root / key
        if not target.resolve().is_relative_to(self._root.resolve()):
            raise PermissionError(f"{target} lies outside the lake")
        return target


class MultipartWriter:
    """An object that is written in pieces: a scratch file beside its target until it is complete."""

    def __init__(self, target: Path) -> None:
        _make_private(target.parent)
        self._target, self._scratch = target, _beside(target)
        self._file = open(_created(self._scratch), "wb")  # noqa: SIM115  # `end` or `abandon` closes it

    async def write(self, piece: bytes) -> None:
        await asyncio.to_thread(self._file.write, piece)

    async def end(self) -> None:
        await asyncio.to_thread(self._end)

    async def abandon(self) -> None:
        await asyncio.to_thread(self._abandon)

    def _end(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        _move(self._scratch, self._target)

    def _abandon(self) -> None:
        with suppress(OSError):  # a full disk cannot take what is still buffered
            self._file.close()
        self._scratch.unlink(missing_ok=True)
        with suppress(OSError):  # what is not empty stays
            self._target.parent.rmdir()


def _beside(target: Path) -> Path:
    """A name for an incomplete file; hidden, so that it is not listed as an object."""
    return target.with_name(f".{secrets.token_hex(8)}.new")


def _beside_neighbours(make: Callable[[], T]) -> T:
    """What `make` makes in a directory of its own making, which the `delete` of a neighbour may remove before there is a file in it."""
    for _ in range(ATTEMPTS - 1):
        with suppress(FileNotFoundError):
            return make()
    return make()


def _created(scratch: Path) -> int:
    return os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)


def _move(scratch: Path, target: Path) -> None:
    """Rename in one step; the name is on the disk when this returns."""
    try:
        scratch.replace(target)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    _flush(target.parent)


def _make_private(directory: Path) -> None:
    """Make a directory and what is missing above it, for the owner alone."""
    for path in reversed([directory, *directory.parents]):
        if not path.exists():
            with suppress(FileExistsError):  # not `exist_ok`, which looks again: it may be gone by then
                path.mkdir(mode=0o700)


def _flush(directory: Path) -> None:
    """A name is on the disk when its directory is."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
