"""The archive of a backup: one gzipped tar, written and read from its beginning to its end, and never unpacked to a file system.

    spatial-backup.json      what this is; the first member
    database/<table>.copy    a table's rows, as COPY writes them (text)
    lake/<key>               an object
    manifest.json            everything above with its size and SHA-256; the last member

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
"""Of the layout above."""

HEAD: Final = "spatial-backup.json"
MANIFEST: Final = "manifest.json"
TABLE: Final = re.compile(r"database/([a-z][a-z0-9_]{0,62})\.copy")
OBJECT: Final = re.compile(rf"lake/({lakes.KEY.pattern})")

LEVEL: Final = 3
"""Compression level of gzip: most of a lake is compressed already."""

PIECE: Final = 1_048_576
"""Bytes that are read at a time."""


class BackupRefused(SpatialError):
    """A backup that cannot be made, or an archive that is not restored; the message says why, for an operator."""


class Content(BaseModel):
    """One member."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int
    sha256: str


class Table(Content):
    """One table's rows."""

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
    """Of the schema."""
    tables: dict[str, Table]
    objects: dict[str, Content]
    """By key."""

    def expected(self) -> dict[str, Content]:
        """Member to what it must be."""
        return {f"database/{name}.copy": table for name, table in self.tables.items()} | {
            f"lake/{key}": held for key, held in self.objects.items()
        }


class Writer:
    """Writes an archive."""

    def __init__(self, file: IO[bytes]) -> None:
        self._gzip = gzip.GzipFile("", "wb", LEVEL, file)
        self._tar = tarfile.open(fileobj=self._gzip, mode="w|")  # noqa: SIM115  # `end` closes it
        self.add(HEAD, Head().model_dump_json().encode())

    def add(self, name: str, data: bytes) -> Content:
        """A member of these bytes."""
        return self.add_file(name, io.BytesIO(data), len(data))

    def add_file(self, name: str, file: IO[bytes], size: int) -> Content:
        """A member of a file's next bytes."""
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        hashing = _Hashing(file)
        self._tar.addfile(member, hashing)
        return Content(bytes=size, sha256=hashing.digest.hexdigest())

    def end(self, manifest: Manifest) -> None:
        """The last member, and the end of the archive."""
        self.add(MANIFEST, manifest.model_dump_json().encode())
        self._tar.close()
        self._gzip.close()


class _Hashing(io.RawIOBase):
    """A file that is hashed as it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        piece = self._file.read(size)
        self.digest.update(piece)
        return piece


class Member:
    """One member while it is read: `read` as of a file, and its size and digest after it was read to its end."""

    def __init__(self, name: str, size: int, file: IO[bytes]) -> None:
        self.name, self.size = name, size
        self._file, self._digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises: BackupRefused where there are fewer than there must be."""
        with _explain_errors():
            piece = self._file.read(size)
        self._digest.update(piece)
        return piece

    def held(self) -> Content:
        """What it holds, read to the end."""
        while self.read(PIECE):
            pass
        return Content(bytes=self.size, sha256=self._digest.hexdigest())


def read_members(path: Path) -> Iterator[Member]:
    """The members in their order; read each before the next one. Only regular files with names of the layout are accepted.

    Raises: BackupRefused; OSError where the file cannot be opened.
    """
    with gzip.open(path, "rb") as file, _explain_errors(), tarfile.open(fileobj=file, mode="r|") as tar:
        for member in tar:
            if not member.isreg() or not (
                member.name in (HEAD, MANIFEST) or TABLE.fullmatch(member.name) or OBJECT.fullmatch(member.name)
            ):
                raise BackupRefused(f"the archive holds {member.name[:200]!r}, which no backup of this service holds")
            content = tar.extractfile(member)
            assert content is not None  # a regular file
            yield Member(member.name, member.size, content)


def verify(path: Path) -> Manifest:
    """The archive's manifest, after every byte of the archive was checked against it.

    Raises: BackupRefused; OSError where the file cannot be opened.
    """
    found: dict[str, Content] = {}
    manifest: Manifest | None = None
    for member in read_members(path):
        if manifest is not None or member.name in found:
            raise BackupRefused(f"the archive is altered: {member.name} should not be where it is")
        if not found:
            _check_head(member)
        if member.name == MANIFEST:
            manifest = _manifest(member)
        found[member.name] = member.held()
    if manifest is None:
        raise BackupRefused("the archive is cut short: its manifest is missing")
    _compare(manifest, found)
    return manifest


def _compare(manifest: Manifest, found: dict[str, Content]) -> None:
    expected = manifest.expected()
    there = {name: held for name, held in found.items() if name not in (HEAD, MANIFEST)}
    if missing := sorted(expected.keys() - there.keys()):
        raise BackupRefused(f"the archive is altered: {missing[0]} is missing from it")
    if strange := sorted(there.keys() - expected.keys()):
        raise BackupRefused(f"the archive is altered: its manifest does not know {strange[0]}")
    for name, held in there.items():
        require_same(name, held, expected[name])


def require_same(name: str, held: Content, expected: Content) -> None:
    """Raises: BackupRefused if a member differs from the manifest."""
    if (held.bytes, held.sha256) != (expected.bytes, expected.sha256):
        raise BackupRefused(f"the archive is altered: {name} is not what was backed up")


def _check_head(member: Member) -> None:
    said: Head | None = None
    if member.name == HEAD and member.size < PIECE:
        try:
            said = Head.model_validate_json(member.read())
        except ValidationError:
            said = None
    if said is None or said.format != Head().format:
        raise BackupRefused("this is not a backup of this service")
    if said.version > VERSION:
        raise BackupRefused("the backup was made by a newer version of this service; restore it with that one")


def _manifest(member: Member) -> Manifest:
    try:
        return Manifest.model_validate(json.loads(member.read()))
    except ValueError as error:  # pydantic's ValidationError is one
        raise BackupRefused("the archive is altered: its manifest cannot be read") from error


@contextmanager
def _explain_errors() -> Iterator[None]:
    """The errors of tar and gzip for a file of another format or a truncated one."""
    try:
        yield
    except (EOFError, zlib.error) as error:
        raise BackupRefused("the archive is cut short or damaged") from error
    except tarfile.TarError as error:
        raise BackupRefused(f"the archive is damaged, or this is not a backup of this service ({error})") from error
    except OSError as error:
        if error.errno is None:  # an error that gzip itself raises
            raise BackupRefused("the archive is damaged, or this is not a backup of this service") from error
        raise
