"""Back up a snapshot of the service's Postgres database and the lake's objects into one archive (see storage/archive/file.py).

The snapshot is taken, and the lake is listed, while no object may become active in a table store (storage/tables/table_store.py).
Therefore the archive has every object that its database names, and no manifest that its database does not name. Requests are served
meanwhile; the archive does not contain what they write after the snapshot. Objects are read after the snapshot; an ephemeral object,
or one that was tombstoned an hour ago, may be deleted by then, and is omitted.

The archive does not contain the results of Prefect's stages, Prefect's own database, settings, or keys, of which it has digests. It
contains the secrets of partners and of webhook endpoints, and the hashes of operators' passwords.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import asyncpg

from storage.archive.file import BackupRefused, Content, Manifest, Table, Writer
from storage.objects.lake import KEY, Lake, ObjectMissing
from storage.postgres.database import CONNECT_SECONDS, DatastoreUnavailable
from storage.postgres.schema import metadata
from storage.tables import ingest, ledger

LEFT_OUT: Final = ("prefect/",)
"""Key prefixes that are not backed up."""

LOCKS: Final = (ledger.STORE.lock, ingest.STORE.lock)
"""Advisory locks under which objects become active."""

Report = Callable[[int, int], None]
"""Called with the number of tables and objects that are done, and the total."""


@dataclass
class _Snapshot:
    """The tables and objects to back up."""

    revision: str
    """Revision of the database schema."""
    tables: dict[str, tuple[Table, Path]]
    """Description and scratch file with the rows, by table."""
    keys: list[str] = field(default_factory=list)


async def save(url: str, lake: Lake, file: Path, report: Report) -> Manifest:
    """Write the archive, readable by its owner only. The file appears when it is complete.

    Raises: BackupRefused if `file` exists already, or the database has no tables of the service; DatastoreUnavailable; LakeUnavailable;
    OSError.
    """
    _require_new(file)
    with tempfile.TemporaryDirectory(prefix=f".{file.name}.", dir=file.parent) as scratch:
        snapshot = await _take_snapshot(url, lake, Path(scratch))
        complete = Path(scratch) / "archive"
        with _create_private(complete) as opened:
            manifest = await _write_archive(snapshot, lake, Writer(opened), report)
            opened.flush()
            os.fsync(opened.fileno())
        _require_new(file)
        complete.rename(file)
    return manifest


def _require_new(file: Path) -> None:
    if file.exists():
        raise BackupRefused(f"{file} already exists; name another file")


def _create_private(file: Path) -> IO[bytes]:
    """Create a file that only its owner may access."""
    return open(file, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


async def _take_snapshot(url: str, lake: Lake, scratch: Path) -> _Snapshot:
    connection = await connect(url)
    try:
        for lock in LOCKS:
            await connection.execute("SELECT pg_advisory_lock($1)", lock)
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            revision = await read_revision(connection)
            if revision is None:
                raise BackupRefused(
                    "the database has no tables of this service; start the stack once, or name another home"
                )
            snapshot = _Snapshot(revision, {}, [key for key in await lake.keys() if _is_kept(key)])
            for lock in LOCKS:
                await connection.execute("SELECT pg_advisory_unlock($1)", lock)
            for name in await list_tables(connection):
                snapshot.tables[name] = await _dump_table(connection, name, scratch / f"{name}.copy")
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise DatastoreUnavailable(f"the database cannot be read: {error}; try again") from error
    finally:
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=CONNECT_SECONDS)
    return snapshot


async def _dump_table(connection: Any, name: str, file: Path) -> tuple[Table, Path]:
    """Copy the rows of a table into a file."""
    columns = await connection.fetch(
        "SELECT column_name, is_identity = 'YES' AS counts FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position",
        name,
    )
    names = [str(column["column_name"]) for column in columns]
    status = await connection.copy_from_table(name, schema_name="public", columns=names, output=str(file))
    counted = [str(column["column_name"]) for column in columns if column["counts"]]
    sequences = {column: await _read_last_value(connection, name, column) for column in counted}
    rows = int(status.split()[-1])
    return Table(bytes=_file_size(file), sha256="", columns=names, rows=rows, sequences=sequences), file


async def _read_last_value(connection: Any, table: str, column: str) -> int:
    """The last value of an identity column; 0 if it has issued none. Sequences ignore snapshots, so the value may be newer."""
    sequence = await connection.fetchval("SELECT pg_get_serial_sequence($1, $2)", f"public.{table}", column)
    found = await connection.fetchrow(f"SELECT last_value, is_called FROM {sequence}")  # noqa: S608  # the server's own spelling
    return int(found["last_value"]) if found["is_called"] else 0


async def _write_archive(snapshot: _Snapshot, lake: Lake, writer: Writer, report: Report) -> Manifest:
    objects: dict[str, Content] = {}
    tables: dict[str, Table] = {}
    most = len(snapshot.tables) + len(snapshot.keys)
    report(0, most)
    for name, (table, file) in snapshot.tables.items():
        tables[name] = table.model_copy(update={"sha256": _add_table(writer, name, file, table.bytes).sha256})
        report(len(tables), most)
    for done, key in enumerate(snapshot.keys, start=len(tables) + 1):
        with suppress(ObjectMissing):
            objects[key] = writer.add(f"lake/{key}", await lake.get(key))
        report(done, most)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    manifest = Manifest(created_at=now, revision=snapshot.revision, tables=tables, objects=objects)
    writer.end(manifest)
    return manifest


def _file_size(file: Path) -> int:
    return file.stat().st_size


def _add_table(writer: Writer, name: str, file: Path, size: int) -> Content:
    with open(file, "rb") as rows:
        return writer.add_file(f"database/{name}.copy", rows, size)


def _is_kept(key: str) -> bool:
    return not key.startswith(LEFT_OUT) and KEY.fullmatch(key) is not None


# Also used by a restore ---------------------------------------------------------------------------------------------------


async def connect(url: str) -> Any:
    """Open a separate connection, without the deadlines of requests.

    Raises: DatastoreUnavailable.
    """
    try:
        return await asyncpg.connect(url.replace("+asyncpg", "", 1), timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        raise DatastoreUnavailable(f"the database is unreachable: {error}; check SPATIAL_DATABASE_URL") from error


async def read_revision(connection: Any) -> str | None:
    """The revision of the schema; None if the database has no tables of the service."""
    if await connection.fetchval("SELECT to_regclass('public.alembic_version')") is None:
        return None
    revision = await connection.fetchval("SELECT version_num FROM public.alembic_version")
    return None if revision is None else str(revision)


async def list_tables(connection: Any) -> list[str]:
    """The existing tables of the service, each after the tables that it refers to."""
    existing = {
        str(row["table_name"])
        for row in await connection.fetch(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
        )
    }
    return [table.name for table in metadata.sorted_tables if table.name in existing]
