"""The file system through which DuckDB reads: it contains only the objects of the views, by key."""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final

from fsspec import AbstractFileSystem

from spatial.errors import InvalidRequest
from storage.objects.lake import Lake, LakeUnavailable

_NOT_READABLE: Final = "not among the objects that a query may read"


def describe(error: Exception) -> str:
    """DuckDB's error message in one line, with its suggestions, without the type of the error and the excerpt of the statement."""
    message = re.split(r"\n\s*LINE \d+:", str(error))[0]
    message = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", message)
    return "; ".join(line.strip().rstrip("!") for line in message.splitlines() if line.strip())


class ReadOnlyFilesystem(AbstractFileSystem):  # type: ignore[misc]  # fsspec ships no types
    """Read-only access to the objects of some views, as `lake://<key>`."""

    protocol = "lake"
    ROOT = "lake://"
    cachable = False

    def __init__(self, lake: Lake, keys: Collection[str]) -> None:
        super().__init__()
        self._lake = lake
        self._keys = frozenset(keys)
        self._sizes: dict[str, int] = {}
        self._failure: OSError | None = None

    def explain(self, error: Exception) -> Exception:
        """The cause of an error of DuckDB: its own message does not state why an object could not be read."""
        if isinstance(self._failure, FileNotFoundError):
            return self._failure
        if self._failure is not None:
            return LakeUnavailable("the tables cannot be read now; try again shortly")
        if _NOT_READABLE in str(error):
            return InvalidRequest(
                "a query can neither write files nor read other files than those of the tables; use --output to write its result"
            )
        return error if isinstance(error, OSError) else InvalidRequest(describe(error))

    def read(self, key: str, start: int, end: int) -> bytes:
        """Bytes of an object from `start` (inclusive) to `end` (exclusive). Raises: OSError."""
        with self._record_failure():
            return bytes(self._lake.filesystem.cat_file(self._lake.path(key), start=start, end=end))

    def size(self, path: str) -> int:
        """Size of an object in bytes. Raises: OSError."""
        key = self._key(path)
        if key not in self._sizes:
            with self._record_failure():
                self._sizes[key] = int(self._lake.filesystem.size(self._lake.path(key)))
        return self._sizes[key]

    def open(self, path: str, mode: str = "rb", **_: Any) -> _RangeFile:
        """Open an object for reading. Raises: PermissionError for other modes and paths; OSError."""
        if mode != "rb":
            self._refuse()
        return _RangeFile(self, self._key(path), self.size(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Name, size (bytes) and type of an object, as fsspec defines them."""
        return {"name": path, "size": self.size(path), "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether the path is one of the objects."""
        return path.removeprefix(self.ROOT) in self._keys

    def glob(self, path: str, **_: Any) -> list[str]:
        """The path itself if it exists; keys contain no wildcards."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        """A constant, because objects are immutable."""
        del path
        return datetime.fromtimestamp(0, UTC)

    def _key(self, path: str) -> str:
        if not self.exists(path):
            self._refuse()
        return path.removeprefix(self.ROOT)

    @contextmanager
    def _record_failure(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._failure = error
            raise

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise PermissionError(_NOT_READABLE)

    mkdir = makedirs = rmdir = _rm = rm = rm_file = cp_file = mv = touch = pipe_file = put_file = _refuse


class _RangeFile:
    """An object that DuckDB has open. DuckDB's threads share it and seek before they read, so each thread has a separate position."""

    def __init__(self, filesystem: ReadOnlyFilesystem, key: str, size: int) -> None:
        self._filesystem, self._key, self._size = filesystem, key, size
        self._position = threading.local()

    def seek(self, position: int) -> None:
        """Set the position of the next read of this thread, in bytes."""
        self._position.value = position

    def tell(self) -> int:
        """Position of the next read of this thread, in bytes."""
        return int(getattr(self._position, "value", 0))

    def read(self, count: int) -> bytes:
        """At most `count` bytes from the position of this thread; empty at the end of the object."""
        start = self.tell()
        end = min(start + count, self._size)
        if end <= start:
            return b""
        self._position.value = end
        return self._filesystem.read(self._key, start, end)

    def close(self) -> None:
        """Do nothing: there is no connection to close."""
