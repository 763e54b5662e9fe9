"""Restore a backup into an empty database and an empty lake, completely or not at all.

The archive is read twice: first to check every byte against its manifest, before any change, then to restore it. Rows are inserted
in one transaction, and its commit completes the restore. If it does not commit, the objects that were written to the lake are deleted.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import asyncpg

from spatial.counting import count_of
from storage.archive import file as archive
from storage.archive.backup import Report, connect, list_tables, read_revision
from storage.archive.file import BackupRefused, Manifest, Member, Table
from storage.objects.lake import Lake, LakeUnavailable
from storage.postgres.database import CONNECT_SECONDS, DatastoreUnavailable, migrate, revisions

IDENTIFIER: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")


def verify(file: Path) -> Manifest:
    """Check that an archive is intact and that this version can restore it; returns its manifest.

    Raises: BackupRefused; OSError.
    """
    manifest = archive.verify(file)
    if manifest.revision not in revisions():
        raise BackupRefused(
            f"the backup's schema {manifest.revision} is unknown to this version; restore it with the version that made it"
        )
    names = [*manifest.tables, *(column for table in manifest.tables.values() for column in table.columns)]
    if invalid := [name for name in names if not IDENTIFIER.fullmatch(name)]:
        raise BackupRefused(
            f"the archive is altered: {invalid[0][:100]!r} is not a name of a table or a column; use another backup"
        )
    return manifest


async def restore(url: str, lake: Lake, file: Path, manifest: Manifest, report: Report) -> None:
    """Restore an archive that `verify` has accepted, and migrate its schema.

    Raises: BackupRefused if the database or the lake is not empty; DatastoreUnavailable; LakeUnavailable.
    """
    await _require_empty(url, lake, manifest)
    await migrate(url, manifest.revision)
    connection = await connect(url)
    put: list[str] = []
    try:
        async with connection.transaction():
            await _lock_empty_tables(connection, manifest)
            await _write_members(connection, lake, file, manifest, put, report)
            await _distrust_pending(connection, manifest)
    except BaseException as error:
        await asyncio.shield(_delete_objects(lake, put))
        if isinstance(error, OSError | asyncpg.PostgresError | asyncpg.InterfaceError):
            raise DatastoreUnavailable(
                f"the database cannot be restored: {error}; restore it again into an empty one"
            ) from error
        raise
    finally:
        with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=CONNECT_SECONDS)
    await migrate(url)


async def _require_empty(url: str, lake: Lake, manifest: Manifest) -> None:
    connection = await connect(url)
    try:
        revision = await read_revision(connection)
        for name in await list_tables(connection):
            if await connection.fetchval(f'SELECT 1 FROM public."{name}" LIMIT 1'):  # noqa: S608  # a name of ours
                raise BackupRefused(f"the database is not empty: {name} has rows; restore into an empty one")
    finally:
        await connection.close()
    if revision not in (None, manifest.revision):
        raise BackupRefused(
            f"the database has tables of schema {revision} and the backup is of {manifest.revision}; restore into an empty one"
        )
    if keys := await lake.keys():
        raise BackupRefused(
            f"the lake is not empty: it has {count_of(len(keys), 'object')}, of which {keys[0]} is the first; restore into an empty one"
        )


async def _lock_empty_tables(connection: Any, manifest: Manifest) -> None:
    """Check the revision and that every table is empty, and lock the tables against writes until the transaction ends."""
    existing = await list_tables(connection)
    if await read_revision(connection) != manifest.revision or set(manifest.tables) - set(existing):
        raise BackupRefused("the database's tables are not those of the backup; restore into an empty one")
    for name in existing:
        await connection.execute(f'LOCK TABLE public."{name}" IN EXCLUSIVE MODE')
        if await connection.fetchval(f'SELECT 1 FROM public."{name}" LIMIT 1'):  # noqa: S608  # a name of ours
            raise BackupRefused(
                f"the database is no longer empty: another process writes to {name}; stop it and restore again"
            )


async def _write_members(
    connection: Any, lake: Lake, file: Path, manifest: Manifest, put: list[str], report: Report
) -> None:
    expected = manifest.expected()
    report(0, len(expected))
    done = 0
    for member in archive.read_members(file):
        if member.name not in expected:
            continue
        if (table := archive.TABLE.fullmatch(member.name)) is not None:
            await _fill_table(connection, table[1], manifest.tables[table[1]], member)
        else:
            put.append(member.name.removeprefix("lake/"))
            await lake.put(put[-1], member.read())
        archive.require_same(member.name, member.content(), expected[member.name])
        report(done := done + 1, len(expected))
    if done != len(expected):
        raise BackupRefused("the archive changed while it was being restored; restore it again")


async def _distrust_pending(connection: Any, manifest: Manifest) -> None:
    """Mark pending meter events as sent with an unknown outcome: they may have been sent after the backup was made."""
    if "meter_events" in manifest.tables:
        await connection.execute(
            "UPDATE meter_events SET attempted_at = coalesce(attempted_at, occurred_at) WHERE state = 'pending'"
        )


async def _fill_table(connection: Any, name: str, table: Table, member: Member) -> None:
    async def rows() -> AsyncIterator[bytes]:
        while piece := member.read(archive.PIECE):
            yield piece

    status = await connection.copy_to_table(name, schema_name="public", columns=table.columns, source=rows())
    if int(status.split()[-1]) != table.rows:
        raise BackupRefused(
            f"the archive is altered: {name} should have {count_of(table.rows, 'row')} and has {status.split()[-1]}; use another backup"
        )
    for column, last in table.sequences.items():
        highest = await connection.fetchval(f'SELECT max("{column}") FROM public."{name}"')  # noqa: S608  # names were checked
        if max(last, highest or 0):
            await connection.execute(
                "SELECT setval(pg_get_serial_sequence($1, $2), $3)", f"public.{name}", column, max(last, highest or 0)
            )


async def _delete_objects(lake: Lake, put: list[str]) -> None:
    try:
        for key in put:
            await lake.delete(key)
    except LakeUnavailable as error:
        raise LakeUnavailable(
            "storage became unreachable during the restore: nothing is in the database, and some objects are in the lake; "
            "delete those, then restore again"
        ) from error
