"""A source that is a folder or a file of this machine."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from storage.objects.file_filter import Matcher, SourceFile, check_size

FILE: Final = "file://"

_log = logging.getLogger(__name__)


def path_of_uri(uri: str) -> str:
    """The path of a file URI. What is not an escape stands for itself, so that a path typed by hand is understood."""
    return os.fsdecode(unquote_to_bytes(uri.removeprefix(FILE)))


def uri_of_path(path: str) -> str:
    """The file URI of a path, percent-encoded."""
    return FILE + quote(os.fsencode(path))


class Tree:
    """Files below a folder, or one file. File operations run in threads."""

    def __init__(self, url: str) -> None:
        self._root = Path(path_of_uri(url))

    async def find(self, wanted: Matcher) -> list[SourceFile]:
        return await asyncio.to_thread(lambda: list(self._found(wanted)))

    async def read(self, uri: str, limit: int) -> bytes:
        return await asyncio.to_thread(self._read, Path(path_of_uri(uri)), limit)

    async def close(self) -> None:
        """Nothing to close."""

    def _found(self, wanted: Matcher) -> Iterator[SourceFile]:
        if stat.S_ISREG(self._root.stat().st_mode):
            yield from self._one(self._root, self._root.name, wanted)
            return
        for folder, _, names in os.walk(self._root, onerror=self._unread):
            for path in (Path(folder, name) for name in names):
                yield from self._one(path, str(path.relative_to(self._root)), wanted)

    def _one(self, path: Path, below: str, wanted: Matcher) -> Iterator[SourceFile]:
        if not wanted.named(below):
            return
        try:
            status = path.lstat()
        except OSError:  # gone since it was listed
            return
        found = SourceFile(uri_of_path(str(path)), status.st_size, None, datetime.fromtimestamp(status.st_mtime, UTC))
        if stat.S_ISREG(status.st_mode) and wanted.fits(found):
            yield found

    def _unread(self, error: OSError) -> None:
        """The root must be readable; a folder below it that is not is left out and reported."""
        if error.filename == str(self._root):
            raise error
        _log.warning("left out: %s: %s", error.filename, error.strerror)

    def _read(self, path: Path, limit: int) -> bytes:
        if path != self._root and not path.parent.resolve().is_relative_to(self._root.resolve()):
            raise FileNotFoundError(errno.ENOENT, "a link leads out of the source", str(path))
        # A pipe must not keep us waiting for its writer, and a link that took the file's place is not followed.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileNotFoundError(errno.ENOENT, "not a file any more", str(path))
            return check_size(limit, file.read(limit + 1), str(path))
