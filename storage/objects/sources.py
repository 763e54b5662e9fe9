"""Where bulk ingest finds its files: all files under an s3:// or file:// prefix, or one file. Read, never written.

    source = Source("file:///drawings")                        or  Source("s3://bucket/drawings", s3_endpoint=…)
    found = await source.find(Choice(pattern="*.dxf"))
    data = await source.read(found[0].uri)

A prefix is made of whole segments: s3://bucket/drawings holds drawings/a.dxf, not drawings-old/a.dxf. URIs of files are percent-encoded
(RFC 8089), so that a name of any bytes survives; keys of S3 are UTF-8 and stand as they are, as the AWS tools write them.
Symbolic links are left out wherever they point, so a tree has no loops and no way out; so is what is hidden, because `.~lock.a.dxf`
and `._a.dxf` are leftovers of programs. Credentials are those of the AWS tools.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import quote, unquote_to_bytes

from fsspec.utils import glob_translate

from spatial.contract import limits
from spatial.contract.formats import EXTENSIONS, FORMATS, extension_of
from spatial.errors import ConverterUnavailable, InvalidRequest, NotFound, RequestTooLarge
from storage.timestamps import utc

FILE, S3 = "file://", "s3://"

NO_CREDENTIALS: Final = ("NoCredentialsError", "PartialCredentialsError")
"""What botocore, which a folder need not import, raises before it asks any store."""

_log = logging.getLogger(__name__)


class SourceUnavailable(ConverterUnavailable):
    """The store behind a source is out of reach, or refuses us."""


class SourceForbidden(NotFound):
    """The store does not let us read it: until somebody changes that, it is as if it were not there."""


@dataclass(frozen=True)
class SourceFile:
    """A file at a source, as its store lists it."""

    uri: str
    size: int
    """Bytes."""
    etag: str | None
    """Changes with the content, where the store says so."""
    modified_at: datetime


@dataclass(frozen=True)
class FileFilter:
    """Which files of a source are meant. Formats are told by extension, whatever its case."""

    pattern: str | None = None
    """Glob below the prefix: `*` stays in one folder, `**` does not; a pattern without a slash is of names at any depth."""
    formats: tuple[str, ...] = ()
    """Names of rows of FORMATS; all where empty."""
    min_bytes: int = 0
    max_bytes: int | None = None
    changed_since: datetime | None = None

    def __post_init__(self) -> None:
        """Raises: InvalidRequest."""
        unknown = sorted(set(self.formats) - {row.name for row in FORMATS})
        if unknown:
            known = ", ".join(row.name for row in FORMATS)
            raise InvalidRequest(f"there is no format {', '.join(unknown)}; there are {known}")
        if self.max_bytes is not None and self.min_bytes > self.max_bytes:
            raise InvalidRequest(
                f"no file has at least {self.min_bytes:,} and at most {self.max_bytes:,} bytes; "
                "give a min_bytes that is not greater than max_bytes"
            )
        _regex(self.pattern)


@dataclass
class _Matcher:
    """A choice, ready to be asked about many files."""

    choice: FileFilter
    regex: re.Pattern[str] = field(init=False)
    formats: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.regex = _regex(self.choice.pattern)
        self.formats = frozenset(self.choice.formats or (row.name for row in FORMATS))

    def named(self, path: str) -> bool:
        """Whether a path below the prefix is meant."""
        row = EXTENSIONS.get(extension_of(path))
        meant = row is not None and row.name in self.formats and self.regex.match(path) is not None
        return meant and not any(segment.startswith(".") for segment in path.split("/"))

    def fits(self, found: SourceFile) -> bool:
        """Whether size and time are."""
        least, most, since = self.choice.min_bytes, self.choice.max_bytes, self.choice.changed_since
        sized = found.size >= least and (most is None or found.size <= most)
        return sized and (since is None or found.modified_at >= utc(since))


class _Files(Protocol):
    """What a tree of files and a bucket do alike. Errors are OSErrors."""

    async def find(self, wanted: _Matcher) -> list[SourceFile]: ...

    async def read(self, uri: str, limit: int) -> bytes: ...

    async def close(self) -> None: ...


class Source:
    """Files under one prefix; usable from any event loop."""

    def __init__(self, url: str, s3_endpoint: str | None = None, *, lake: str | None = None) -> None:
        """url: file:///absolute/path or s3://bucket/prefix; s3_endpoint: address of an S3-compatible store other than AWS;
        lake: where the service keeps what callers sent, which is nobody's source: it would stay for ever.

        Raises: InvalidRequest, also where the source lies in the lake.
        """
        self.url = normalize_url(url)
        self._lake = normalize_url(lake) if lake is not None else None
        if self._of_lake(self.url):
            raise InvalidRequest(f"{url} lies in the service's own lake, which is no source; put the files beside it")
        self._files: _Files = _bucket(self.url, s3_endpoint) if url.startswith(S3) else _Tree(self.url)

    async def find(self, choice: FileFilter) -> list[SourceFile]:
        """What is there and meant, sorted by URI.

        Raises: NotFound where there is no such folder or bucket; SourceUnavailable.
        """
        with self._explained(self.url):
            found = await self._files.find(_Matcher(choice))
        return sorted((one for one in found if not self._of_lake(one.uri)), key=lambda one: one.uri)

    def _of_lake(self, uri: str) -> bool:
        return self._lake is not None and (uri == self._lake or uri.startswith(f"{self._lake}/"))

    async def read(self, uri: str, limit: int = limits.FILE_BYTES) -> bytes:
        """The bytes of one file.

        Raises: NotFound where it is gone; RequestTooLarge over `limit` bytes; SourceUnavailable.
        """
        if uri != self.url and not uri.startswith(self.url.rstrip("/") + "/"):
            raise InvalidRequest(f"{uri} does not lie in {self.url}")
        with self._explained(uri):
            return await self._files.read(uri, limit)

    async def close(self) -> None:
        """Let go of connections."""
        await self._files.close()

    @contextmanager
    def _explained(self, uri: str) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound(f"{uri}: there is no such file, folder or bucket") from error
        except PermissionError as error:
            raise SourceForbidden(
                f"{uri} may not be read ({error.strerror or error}); grant the service read access"
            ) from error
        except OSError as error:
            if type(error.__cause__).__name__ in NO_CREDENTIALS:
                raise SourceUnavailable(
                    f"{uri} cannot be read without AWS credentials ({error}); set AWS_ACCESS_KEY_ID and "
                    "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, where the stack's worker runs, and start it again"
                ) from error
            raise SourceUnavailable(f"{uri} cannot be read now ({error.strerror or error}); try again") from error


def normalize_url(url: str) -> str:
    """The prefix in its one spelling: no slash at its end, a file's path percent-encoded.

    Raises: InvalidRequest.
    """
    if re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/.*)?", url, re.DOTALL):
        return url.rstrip("/")
    if re.match(r"file:///", url) and "\0" not in url:
        return _uri_of(os.path.normpath(_path_of(url)))
    raise InvalidRequest(f"source {url!r} is neither s3://bucket/prefix nor file:///absolute/path")


def file_name_of(uri: str) -> str:
    """The last segment as a person reads it; bytes that are not UTF-8 are shown as �."""
    last = uri.rsplit("/", 1)[-1]
    return unquote_to_bytes(last).decode(errors="replace") if uri.startswith(FILE) else last


def _regex(pattern: str | None) -> re.Pattern[str]:
    if not pattern:
        return re.compile("")
    anywhere = pattern if "/" in pattern else f"**/{pattern}"
    try:
        return re.compile(glob_translate(anywhere.removeprefix("/")))
    except (ValueError, re.error) as error:
        raise InvalidRequest(f"pattern {pattern!r} is not a glob: {error}") from error


# A tree of files ----------------------------------------------------------------------------------------------------------


def _path_of(uri: str) -> str:
    """The path of a file URI. What is not an escape stands for itself, so that a path typed by hand is understood."""
    return os.fsdecode(unquote_to_bytes(uri.removeprefix(FILE)))


def _uri_of(path: str) -> str:
    return FILE + quote(os.fsencode(path))


class _Tree:
    """Files below a folder, or one file. File operations run in threads."""

    def __init__(self, url: str) -> None:
        self._root = Path(_path_of(url))

    async def find(self, wanted: _Matcher) -> list[SourceFile]:
        return await asyncio.to_thread(lambda: list(self._found(wanted)))

    async def read(self, uri: str, limit: int) -> bytes:
        return await asyncio.to_thread(self._read, Path(_path_of(uri)), limit)

    async def close(self) -> None:
        """Nothing is held open."""

    def _found(self, wanted: _Matcher) -> Iterator[SourceFile]:
        if stat.S_ISREG(self._root.stat().st_mode):
            yield from self._one(self._root, self._root.name, wanted)
            return
        for folder, _, names in os.walk(self._root, onerror=self._unread):
            for path in (Path(folder, name) for name in names):
                yield from self._one(path, str(path.relative_to(self._root)), wanted)

    def _one(self, path: Path, below: str, wanted: _Matcher) -> Iterator[SourceFile]:
        if not wanted.named(below):
            return
        try:
            status = path.lstat()
        except OSError:  # gone since it was listed
            return
        found = SourceFile(_uri_of(str(path)), status.st_size, None, datetime.fromtimestamp(status.st_mtime, UTC))
        if stat.S_ISREG(status.st_mode) and wanted.fits(found):
            yield found

    def _unread(self, error: OSError) -> None:
        """The root has to be readable; a folder below it that is not is left out, and said."""
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
            return _within(limit, file.read(limit + 1), str(path))


# A bucket -----------------------------------------------------------------------------------------------------------------


def _bucket(url: str, endpoint: str | None) -> _Files:
    from storage.objects.s3 import Bucket  # s3fs takes 1.4 s to import, which a folder need not pay

    return _Keys(url, Bucket(url, endpoint))


class _Keys:
    """Objects below a prefix of a bucket, or one object."""

    def __init__(self, url: str, bucket: Any) -> None:
        self._bucket = bucket
        self._name, _, self._prefix = url.removeprefix(S3).partition("/")

    async def find(self, wanted: _Matcher) -> list[SourceFile]:
        found, after = [], None
        while True:
            page = await self._bucket.page(self._name, self._prefix, after)
            found += [one for entry in page.get("Contents", ()) for one in self._one(entry, wanted)]
            after = page.get("NextContinuationToken")
            if not after:
                return found

    async def read(self, uri: str, limit: int) -> bytes:
        name = uri.removeprefix(f"{S3}{self._name}/")
        return _within(limit, await self._bucket.beginning(self._name, name, limit + 1), uri)

    async def close(self) -> None:
        await self._bucket.close()

    def _one(self, entry: dict[str, Any], wanted: _Matcher) -> Iterator[SourceFile]:
        key: str = entry["Key"]
        below = self._below(key)
        if below is None or not wanted.named(below) or "\0" in key:  # Postgres holds no NUL
            return
        found = SourceFile(f"{S3}{self._name}/{key}", entry["Size"], entry["ETag"].strip('"'), entry["LastModified"])
        if wanted.fits(found):
            yield found

    def _below(self, key: str) -> str | None:
        """The key's path below the prefix, its name where it is the prefix itself; None where it lies beside it."""
        if not self._prefix or key == self._prefix:
            return key.rsplit("/", 1)[-1] if self._prefix else key
        return key.removeprefix(f"{self._prefix}/") if key.startswith(f"{self._prefix}/") else None


def _within(limit: int, data: bytes, path: str) -> bytes:
    if len(data) > limit:
        raise RequestTooLarge(f"{path} is larger than {limit:,} bytes")
    return data
