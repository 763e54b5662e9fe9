"""Which files of a source are ingested: by name, format, size and time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from fsspec.utils import glob_translate

from spatial.contract.formats import EXTENSIONS, FORMAT_NAMES, extension_of
from spatial.errors import SMALLER, InvalidRequest, RequestTooLarge
from storage.timestamps import utc


@dataclass(frozen=True)
class SourceFile:
    """A file at a source, as its store lists it."""

    uri: str
    size: int
    """Bytes."""
    etag: str | None
    """Changes with the content, if the store provides it."""
    modified_at: datetime


@dataclass(frozen=True)
class FileFilter:
    """Which files of a source are selected. The extension determines the format, in upper or lower case."""

    pattern: str | None = None
    """Glob below the prefix: `*` stays in one folder, `**` does not; a pattern without a slash is of names at any depth."""
    formats: tuple[str, ...] = ()
    """Names of rows of FORMATS; all where empty."""
    min_bytes: int = 0
    max_bytes: int | None = None
    changed_since: datetime | None = None

    def __post_init__(self) -> None:
        """Raises: InvalidRequest."""
        unknown = sorted(set(self.formats) - set(FORMAT_NAMES))
        if unknown:
            raise InvalidRequest(f"there is no format {', '.join(unknown)}; choose from {', '.join(FORMAT_NAMES)}")
        if self.max_bytes is not None and self.min_bytes > self.max_bytes:
            raise InvalidRequest(
                f"no file has at least {self.min_bytes:,} and at most {self.max_bytes:,} bytes; "
                "give a min_bytes that is not greater than max_bytes"
            )
        _regex(self.pattern)


@dataclass
class Matcher:
    """A compiled choice, to be matched against many files."""

    choice: FileFilter
    regex: re.Pattern[str] = field(init=False)
    formats: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.regex = _regex(self.choice.pattern)
        self.formats = frozenset(self.choice.formats or FORMAT_NAMES)

    def named(self, path: str) -> bool:
        """Whether the choice selects a path below the prefix."""
        row = EXTENSIONS.get(extension_of(path))
        meant = row is not None and row.name in self.formats and self.regex.match(path) is not None
        return meant and not any(segment.startswith(".") for segment in path.split("/"))

    def fits(self, found: SourceFile) -> bool:
        """Whether the choice selects this size and time."""
        least, most, since = self.choice.min_bytes, self.choice.max_bytes, self.choice.changed_since
        sized = found.size >= least and (most is None or found.size <= most)
        return sized and (since is None or found.modified_at >= utc(since))


def _regex(pattern: str | None) -> re.Pattern[str]:
    if not pattern:
        return re.compile("")
    anywhere = pattern if "/" in pattern else f"**/{pattern}"
    try:
        return re.compile(glob_translate(anywhere.removeprefix("/")))
    except (ValueError, re.error) as error:
        raise InvalidRequest(f"pattern {pattern!r} is not a glob: {error}; correct it") from error


class Files(Protocol):
    """What a tree of files and a bucket do alike. Errors are OSErrors."""

    async def find(self, wanted: Matcher) -> list[SourceFile]: ...

    async def read(self, uri: str, limit: int) -> bytes: ...

    async def close(self) -> None: ...


def check_size(limit: int, data: bytes, path: str) -> bytes:
    """The data, where it has at most `limit` bytes.

    Raises: RequestTooLarge.
    """
    if len(data) > limit:
        raise RequestTooLarge(f"{path} is larger than {limit:,} bytes; {SMALLER}")
    return data
