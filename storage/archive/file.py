"""The archive of a backup: one gzipped tar that is written and read sequentially and never unpacked to a file system.

    spatial-backup.json      format and version; the first member
    database/<table>.copy    a table's rows, as COPY writes them (text)
    lake/<key>               an object
    manifest.json            size and SHA-256 of every member above; the last member

A reader must expect an archive that is truncated, altered, or a different file altogether.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from spatial.errors import SpatialError
from storage.objects import lake as lakes

VERSION: Final = 1
"""Version of the layout above."""

HEAD: Final = "spatial-backup.json"
MANIFEST: Final = "manifest.json"
TABLE: Final = re.compile(r"database/([a-z][a-z0-9_]{0,62})\.copy")
OBJECT: Final = re.compile(rf"lake/({lakes.KEY.pattern})")

OTHER: Final = "use another backup"
"""Advice about an archive that cannot be restored."""

LEVEL: Final = 3
"""Compression level of gzip: most of a lake is compressed already."""

PIECE: Final = 1_048_576
"""Bytes per read."""


class BackupRefused(SpatialError):
    """A backup cannot be made, or an archive cannot be restored; the message tells the operator why."""


class Content(BaseModel):
    """Size and SHA-256 of a member."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int
    sha256: str


class Table(Content):
    """Description of the rows of a table."""

    columns: list[str]
    rows: int
    sequences: dict[str, int] = {}
    """Last issued value per identity column."""


class Head(BaseModel):
    """Content of the first member."""

    format: str = "spatial-backup"
    version: int = VERSION


class Manifest(Head):
    """Content of the last member."""

    created_at: str
    revision: str
    """Revision of the database schema."""
    tables: dict[str, Table]
    objects: dict[str, Content]
    """Objects of the lake, by key."""

    def expected(self) -> dict[str, Content]:
        """Expected content per member."""
        return {f"database/{name}.copy": table for name, table in self.tables.items()} | {
            f"lake/{key}": content for key, content in self.objects.items()
        }


class Writer:
    """Writes an archive."""

    def __init__(self, file: IO[bytes]) -> None:
        self._gzip = gzip.GzipFile("", "wb", LEVEL, file)
        self._tar = tarfile.open(fileobj=self._gzip, mode="w|")  # noqa: SIM115  # `end` closes it
        self.add(HEAD, Head().model_dump_json().encode())

    def add(self, name: str, data: bytes) -> Content:
        """Add a member with these bytes."""
        return self.add_file(name, io.BytesIO(data), len(data))

    def add_file(self, name: str, file: IO[bytes], size: int) -> Content:
        """Add a member with the next `size` bytes of a file."""
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        hashing = _Hashing(file)
        self._tar.addfile(member, hashing)
        return Content(bytes=size, sha256=hashing.digest.hexdigest())

    def end(self, manifest: Manifest) -> None:
        """Add the manifest as the last member, and close the archive."""
        self.add(MANIFEST, manifest.model_dump_json().encode())
        self._tar.close()
        self._gzip.close()


class _Hashing(io.RawIOBase):
    """A file that computes the SHA-256 of the bytes that are read from it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.digest.update(piece)
        return piece


class Member:
    """A member that can be read once, with its size and digest at the end."""

    def __init__(self, name: str, size: int, file: IO[bytes]) -> None:
        self.name, self.size = name, size
        self._file, self._digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises: BackupRefused if the archive is truncated or damaged."""
        with _explain_errors():
            piece = self._file.read(size)
        self._digest.update(piece)
        return piece

    def content(self) -> Content:
        """Read the member to its end; returns its size and digest."""
        while self.read(PIECE):
            pass
        return Content(bytes=self.size, sha256=self._digest.hexdigest())


def read_members(path: Path) -> Iterator[Member]:
    """The members in order; read each before the next. Only regular files with names of the layout are accepted.

    Raises: BackupRefused; OSError if the file cannot be opened.
    """
    with gzip.open(path, "rb") as file, _explain_errors(), tarfile.open(fileobj=file, mode="r|") as tar:
        for member in tar:
            if not member.isreg() or not (
                member.name in (HEAD, MANIFEST) or TABLE.fullmatch(member.name) or OBJECT.fullmatch(member.name)
            ):
                raise BackupRefused(
                    f"the archive contains {member.name[:200]!r}, which no backup of this service has; {OTHER}"
                )
            content = tar.extractfile(member)
            assert content is not None  # a regular file
            yield Member(member.name, member.size, content)


def verify(path: Path) -> Manifest:
    """Check every byte of the archive against its manifest; returns the manifest.

    Raises: BackupRefused; OSError if the file cannot be opened.
    """
    found: dict[str, Content] = {}
    manifest: Manifest | None = None
    for member in read_members(path):
        if manifest is not None or member.name in found:
            raise BackupRefused(f"the archive is altered: {member.name} is in the wrong place; {OTHER}")
        if not found:
            _check_head(member)
        if member.name == MANIFEST:
            manifest = _read_manifest(member)
        found[member.name] = member.content()
    if manifest is None:
        raise BackupRefused(f"the archive is cut short: its manifest is missing; {OTHER}")
    _compare(manifest, found)
    return manifest


def _compare(manifest: Manifest, found: dict[str, Content]) -> None:
    expected = manifest.expected()
    members = {name: content for name, content in found.items() if name not in (HEAD, MANIFEST)}
    if missing := sorted(expected.keys() - members.keys()):
        raise BackupRefused(f"the archive is altered: {missing[0]} is missing from it; {OTHER}")
    if unknown := sorted(members.keys() - expected.keys()):
        raise BackupRefused(f"the archive is altered: its manifest does not name {unknown[0]}; {OTHER}")
    for name, content in members.items():
        require_same(name, content, expected[name])


def require_same(name: str, content: Content, expected: Content) -> None:
    """Raise BackupRefused if a member differs from the manifest."""
    if (content.bytes, content.sha256) != (expected.bytes, expected.sha256):
        raise BackupRefused(f"the archive is altered: {name} is not what was backed up; {OTHER}")


def _check_head(member: Member) -> None:
    head: Head | None = None
    if member.name == HEAD and member.size < PIECE:
        try:
            head = Head.model_validate_json(member.read())
        except ValidationError:
            head = None
    if head is None or head.format != Head().format:
        raise BackupRefused("the file is not a backup of this service; name the file that spatial backup wrote")
    if head.version > VERSION:
        raise BackupRefused("the backup was made by a newer version of this service; restore it with that one")


def _read_manifest(member: Member) -> Manifest:
    try:
        return Manifest.model_validate(json.loads(member.read()))
    except ValueError as error:  # pydantic's ValidationError is one
        raise BackupRefused(f"the archive is altered: its manifest cannot be read; {OTHER}") from error


@contextmanager
def _explain_errors() -> Iterator[None]:
    """Turn errors of tar and gzip, for a truncated file or another format, into BackupRefused."""
    try:
        yield
    except (EOFError, zlib.error) as error:
        raise BackupRefused(f"the archive is cut short or damaged; {OTHER}") from error
    except tarfile.TarError as error:
        raise BackupRefused(f"the archive is damaged, or not a backup of this service ({error}); {OTHER}") from error
    except OSError as error:
        if error.errno is None:  # an error that gzip itself raises
            raise BackupRefused(f"the archive is damaged, or not a backup of this service; {OTHER}") from error
        raise
