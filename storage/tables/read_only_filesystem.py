"""The file system that DuckDB reads through: only the objects of some views, by their keys."""

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

_NOT_READABLE: Final = "not among the objects that a question may read"


def describe(error: Exception) -> str:
    """What DuckDB says is wrong, in one line: without the kind of error and the excerpt of the statement, with its candidates."""
    said = re.split(r"\n\s*LINE \d+:", str(error))[0]
    said = re.sub(r"^[A-Z][A-Za-z ]* Error: ", "", said)
    return "; ".join(line.strip().rstrip("!") for line in said.splitlines() if line.strip())


class ReadOnlyFilesystem(AbstractFileSystem):  # type: ignore[misc]  # fsspec ships no types
    """The objects of some views by their keys, to be read and not to be written, as `lake://<key>`."""

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
        """What went wrong when DuckDB failed with this: what it makes of an object that cannot be read does not tell."""
        if isinstance(self._failure, FileNotFoundError):
            return self._failure
        if self._failure is not None:
            return LakeUnavailable("the tables cannot be read now; try again shortly")
        if _NOT_READABLE in str(error):
            return InvalidRequest("a question writes no files, and reads none but the tables'")
        return error if isinstance(error, OSError) else InvalidRequest(describe(error))

    def read(self, key: str, start: int, end: int) -> bytes:
        """Bytes of an object, from `start` up to but without `end`. Raises: OSError."""
        with self._noted():
            return bytes(self._lake.filesystem.cat_file(self._lake.path(key), start=start, end=end))

    def size(self, path: str) -> int:
        """Bytes of an object. Raises: OSError."""
        key = self._key(path)
        if key not in self._sizes:
            with self._noted():
                self._sizes[key] = int(self._lake.filesystem.size(self._lake.path(key)))
        return self._sizes[key]

    def open(self, path: str, mode: str = "rb", **_: Any) -> _RangeFile:
        """An object, to be read."""
        if mode != "rb":
            self._refuse()
        return _RangeFile(self, self._key(path), self.size(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Size and kind."""
        return {"name": path, "size": self.size(path), "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether it is one of the objects."""
        return path.removeprefix(self.ROOT) in self._keys

    def glob(self, path: str, **_: Any) -> list[str]:
        """The object; keys hold no patterns."""
        return [path] if self.exists(path) else []

    def modified(self, path: str) -> datetime:
        """Objects are written once, so it does not matter when."""
        del path
        return datetime.fromtimestamp(0, UTC)

    def _key(self, path: str) -> str:
        if not self.exists(path):
            self._refuse()
        return path.removeprefix(self.ROOT)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._failure = error
            raise

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise PermissionError(_NOT_READABLE)

    mkdir = makedirs = rmdir = _rm = rm = rm_file = cp_file = mv = touch = pipe_file = put_file = _refuse


class _RangeFile:
    """An object that DuckDB has open. Its threads share it, and seek before they read: each has a place of its own."""

    def __init__(self, filesystem: ReadOnlyFilesystem, key: str, size: int) -> None:
        self._filesystem, self._key, self._size = filesystem, key, size
        self._place = threading.local()

    def seek(self, place: int) -> None:
        """Where the next read of this thread begins."""
        self._place.now = place

    def tell(self) -> int:
        """Where the next read of this thread begins."""
        return int(getattr(self._place, "now", 0))

    def read(self, count: int) -> bytes:
        """So many bytes, or what is left."""
        start = self.tell()
        end = min(start + count, self._size)
        if end <= start:
            return b""
        self._place.now = end
        return self._filesystem.read(self._key, start, end)

    def close(self) -> None:
        """Nothing to close."""
