"""Backups: one moment, one archive, and everything as it was where it is restored."""

from __future__ import annotations

import asyncio
import gzip
import io
import stat
import tarfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from storage.archive import backup, restore
from storage.archive import file as archive
from storage.archive.file import BackupRefused, Head, Manifest, Writer
from storage.objects.lake import Lake
from storage.postgres import meter_events
from storage.postgres.database import Database, DatastoreUnavailable, migrate
from storage.tables import ledger, ledger_query
from tests.storage import batch_actors, webhook_actors
from tests.storage.actors import Customer, begun, completed, customer, fetch_column, partnered
from tests.storage.linked import link

REFUSED = BackupRefused


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: a backup is of all accounts."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


def silent(done: int, most: int) -> None:
    """Nobody waits for this backup."""
    assert 0 <= done <= most


def names_in(folder: Path) -> set[str]:
    """What lies there."""
    return {path.name for path in folder.iterdir()}


async def rows_of(url: str) -> dict[str, list[Any]]:
    """Every row of every table of ours."""
    connection = await backup.connect(url)
    try:
        return {
            name: [tuple(row) for row in await connection.fetch(f"SELECT * FROM {name} AS t ORDER BY t::text")]
            for name in await backup.list_tables(connection)
        }
    finally:
        await connection.close()


async def objects_of(lake: Lake) -> dict[str, bytes]:
    """Every object but Prefect's."""
    return {key: await lake.get(key) for key in await lake.keys() if not key.startswith("prefect/")}


async def lived_in(database: Database, lake: Lake) -> Customer:
    """A database and a lake with something of everything."""
    who = await customer(database)
    await link(database, who)
    for key in ("one", "tw\to\\n", None):
        operation_id = await begun(database, who, key)
        await lake.put(f"results/{operation_id}.json", b'{"answer": "\xc3\xb8"}')
        assert await completed(database, who, operation_id)
    await ledger.export(database, lake)
    operation_id = await begun(database, who)
    assert await completed(database, who, operation_id)
    await ledger.export(database, lake)
    await ledger.compact(database, lake, at_least=2)
    batch_id = await batch_actors.running(database, who)
    await batch_actors.started(database, batch_id, 0)
    await batch_actors.completed(database, who, batch_id, 0)
    await batch_actors.failed(database, batch_id, 1)
    await partnered(database, who)
    await webhook_actors.announced(database, (await webhook_actors.endpoint(database, who.account_id))[0])
    await lake.put("staged/op_1/part.step", b"ISO-10303-21;")
    await lake.put("staged/op_1/empty.step", b"")
    await lake.put("prefect/result", b"left out")
    await lake.put("ingest/tables/callouts/ingest_date=2026-01-31/t_1.parquet", bytes(100_000))
    return who


async def restored(url: str, lake: Lake, file: Path) -> None:
    """What the command does."""
    await restore.restore(url, lake, file, restore.verify(file), silent)


def distrusted(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Rows without the moment at which meter events were attempted, which a restore sets."""
    return rows | {"meter_events": [row[:9] + row[10:] for row in rows["meter_events"]]}


@pytest.mark.requirement("stripe.backup")
async def test_meter_events_that_were_pending_are_not_trusted_to_be_unsent(
    database: Database, fresh_postgres_url: str, empty_postgres_url: str, lake: Lake, tmp_path: Path
) -> None:
    await lived_in(database, lake)
    await fetch_column(
        database,
        "UPDATE meter_events SET occurred_at = occurred_at - interval '1 day' WHERE meter = 'input' RETURNING 1",
    )
    await backup.save(fresh_postgres_url, lake, tmp_path / "backup.tar.gz", silent)
    await restored(empty_postgres_url, Lake(f"file://{tmp_path}/restored"), tmp_path / "backup.tar.gz")
    again = Database(empty_postgres_url)
    assert await fetch_column(again, "SELECT DISTINCT attempted_at = occurred_at FROM meter_events") == [True]
    async with again.transaction() as connection:
        closed = await meter_events.close_overdue(connection)
        assert closed == {"uncertain": 5, "expired": 0} and await meter_events.count_pending(connection) == 5
    await again.close()


@pytest.mark.requirement("backup.round-trip", "backup.private", "stripe.backup", "notifications.kept")
async def test_what_is_restored_is_what_was_backed_up(
    database: Database, fresh_postgres_url: str, empty_postgres_url: str, lake: Lake, tmp_path: Path
) -> None:
    await lived_in(database, lake)
    file = tmp_path / "backup.tar.gz"
    manifest = await backup.save(fresh_postgres_url, lake, file, silent)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert names_in(tmp_path) - {"lake"} == {"backup.tar.gz"}
    before, totals = await rows_of(fresh_postgres_url), await ledger_query.read_totals(lake)
    assert len(before["scenes"]) == len(before["partner_secrets"]) == len(before["stripe_customers"]) == 1
    assert len(before["meter_events"]) == 10
    assert len(before["webhook_endpoints"]) == len(before["webhook_deliveries"]) == 1
    assert sum(table.rows for table in manifest.tables.values()) == sum(map(len, before.values())) > 15
    there = Lake(f"file://{tmp_path}/restored")
    await restored(empty_postgres_url, there, file)
    assert distrusted(await rows_of(empty_postgres_url)) == distrusted(before)
    assert await objects_of(there) == await objects_of(lake)
    assert await ledger_query.read_totals(there) == totals
    again = Database(empty_postgres_url)
    assert await ledger.export(again, there) == 1
    await completed(again, newcomer := await customer(again), await begun(again, newcomer))
    assert await ledger.export(again, there) == 1
    assert await ledger.compact(again, there, at_least=2) == 3
    assert sum(row.items for row in await ledger_query.read_totals(there)) == 6
    await again.close()


@pytest.mark.requirement("backup.one-moment")
async def test_a_backup_of_what_is_being_written_is_of_one_moment(
    database: Database, fresh_postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    who = await lived_in(database, lake)
    over = asyncio.Event()

    async def living() -> None:
        while not over.is_set():
            assert await completed(database, who, await begun(database, who))
            await ledger.export(database, lake)
            await ledger.compact(database, lake, at_least=3)

    life = asyncio.create_task(living())
    for n in range(2):
        await backup.save(fresh_postgres_url, lake, tmp_path / f"{n}.tar.gz", silent)
    over.set()
    await life
    there = Lake(f"file://{tmp_path}/restored")
    await restored(empty_postgres_url, there, tmp_path / "1.tar.gz")
    again = Database(empty_postgres_url)
    await ledger.export(again, there)
    await ledger.compact(again, there, at_least=2)
    [count] = await fetch_column(again, "SELECT count(*) FROM usage")
    assert sum(row.items for row in await ledger_query.read_totals(there)) == count > 5
    await again.close()


@pytest.mark.requirement("backup.private")
async def test_a_file_that_exists_is_not_written_over(
    fresh_postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    (tmp_path / "mine").write_text("dear")
    with pytest.raises(REFUSED, match="already exists"):
        await backup.save(fresh_postgres_url, lake, tmp_path / "mine", silent)
    with pytest.raises(REFUSED, match="start the stack once"):
        await backup.save(empty_postgres_url, lake, tmp_path / "other", silent)
    assert names_in(tmp_path) == {"mine"}
    assert (tmp_path / "mine").read_text() == "dear"


@pytest.fixture
async def sound(database: Database, fresh_postgres_url: str, tmp_path: Path) -> Path:
    """A backup of a small lake that lay under tmp_path / "lake"."""
    lake = Lake(f"file://{tmp_path}/lake")
    await lived_in(database, lake)
    await backup.save(fresh_postgres_url, lake, tmp_path / "sound.tar.gz", silent)
    return tmp_path / "sound.tar.gz"


@pytest.mark.requirement("restore.empty-only")
async def test_only_what_is_empty_is_restored_into(
    sound: Path, fresh_postgres_url: str, empty_postgres_url: str, tmp_path: Path
) -> None:
    before = await rows_of(fresh_postgres_url)
    empty, full = Lake(f"file://{tmp_path}/empty"), Lake(f"file://{tmp_path}/full")
    await full.put("results/op_x.json", b"{}")
    with pytest.raises(REFUSED, match="the database is not empty: accounts has rows"):
        await restored(fresh_postgres_url, empty, sound)
    with pytest.raises(REFUSED, match="the lake is not empty: it has 1 object,"):
        await restored(empty_postgres_url, full, sound)
    assert await rows_of(fresh_postgres_url) == before and await rows_of(empty_postgres_url) == {}
    assert await empty.keys() == [] and await full.keys() == ["results/op_x.json"]


@pytest.mark.requirement("backup.schema")
async def test_an_older_schema_is_brought_up_to_date(
    empty_postgres_url: str, postgres_url: str, sound: Path, tmp_path: Path
) -> None:
    await migrate(empty_postgres_url, "0003")
    connection = await backup.connect(empty_postgres_url)
    await connection.execute("INSERT INTO accounts (id, name) VALUES ('acct_1', 'old')")
    lake, there = Lake(f"file://{tmp_path}/old"), Lake(f"file://{tmp_path}/restored")
    manifest = await backup.save(empty_postgres_url, lake, tmp_path / "old.tar.gz", silent)
    assert manifest.revision == "0003" and "ingest_runs" not in manifest.tables
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await restored(empty_postgres_url, there, tmp_path / "old.tar.gz")
    assert [row[:2] for row in (await rows_of(empty_postgres_url))["accounts"]] == [("acct_1", "old")]
    assert await connection.fetchval("SELECT count(*) FROM ingest_runs") == 0
    await connection.close()
    with pytest.raises(REFUSED, match="restore into an empty one"):  # a database of a newer schema, without rows
        await restored(postgres_url, there, tmp_path / "old.tar.gz")
    rewritten(
        sound, lambda name, data: data.replace(b'"revision":"0', b'"revision":"9') if name == archive.MANIFEST else data
    )
    with pytest.raises(REFUSED, match="unknown to this version"):
        restore.verify(sound)


def rewritten(file: Path, change: Callable[[str, bytes], bytes | None], *more: tuple[tarfile.TarInfo, bytes]) -> None:
    """The archive with other contents under the same names; None leaves a member out."""
    with tarfile.open(file, "r:gz") as old:
        members = [(member.name, old.extractfile(member).read()) for member in old]  # type: ignore[union-attr]
    with tarfile.open(file, "w:gz") as new:
        for name, data in members:
            if (changed := change(name, data)) is not None:
                put(new, tarfile.TarInfo(name), changed)
            if name == archive.HEAD:
                for info, content in more:
                    put(new, info, content)


def put(tar: tarfile.TarFile, info: tarfile.TarInfo, data: bytes) -> None:
    """One more member."""
    info.size = len(data) if info.isreg() else 0
    tar.addfile(info, io.BytesIO(data))


def linked(name: str, to: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    """A link."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


def same(name: str, data: bytes) -> bytes:
    """As it was."""
    return data


OBJECT = "lake/staged/op_1/part.step"
HARM: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut in the middle": (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "cut short|damaged"),
    "cut at its head": (lambda file: file.write_bytes(file.read_bytes()[:15]), "cut short|damaged"),
    "empty": (lambda file: file.write_bytes(b""), "damaged|not a backup"),
    "a text": (lambda file: file.write_bytes(b"dear diary\n" * 1000), "not a backup"),
    "a foreign tar": (lambda file: archive_of(file, ("etc/passwd", b"root")), "no backup of this service has"),
    "another program's backup": (lambda file: archive_of(file, (archive.HEAD, b'{"format": "x"}')), "not a backup of this"),
    "a gzipped text": (lambda file: file.write_bytes(gzip.compress(b"dear diary\n" * 1000)), "damaged"),
    "of a newer version": (lambda file: archive_of(file, (archive.HEAD, Head(version=9).model_dump_json().encode())), "newer"),
    "a byte altered": (lambda file: rewritten(file, lambda n, d: b"J" + d[1:] if n == OBJECT else d), "not what was backed up"),
    "rows altered": (lambda file: rewritten(file, lambda n, d: d + d if "accounts" in n else d), "not what was backed up"),
    "an object missing": (lambda file: rewritten(file, lambda n, d: None if n == OBJECT else d), "is missing from it"),
    "its manifest missing": (lambda file: rewritten(file, lambda n, d: None if n == archive.MANIFEST else d), "cut short"),
    "its manifest spoilt": (lambda file: rewritten(file, lambda n, d: d[:-9] if n == archive.MANIFEST else d), "manifest cannot"),
    "an object too many": (lambda file: rewritten(file, same, (tarfile.TarInfo("lake/results/x"), b"x")), "does not name"),
    "an object twice": (lambda file: rewritten(file, same, (tarfile.TarInfo(OBJECT), b"x")), "is in the wrong place|does not"),
    "a way up": (lambda file: rewritten(file, same, (tarfile.TarInfo("lake/../../x"), b"x")), "no backup of this service"),
    "a way to the root": (lambda file: rewritten(file, same, (tarfile.TarInfo("/tmp/x"), b"x")), "no backup of this service"),
    "a table of the server's": (lambda file: rewritten(file, same, (tarfile.TarInfo('database/a"b.copy'), b"")), "no backup of"),
    "a link": (lambda file: rewritten(file, same, (linked("lake/staged/x", "/etc/passwd"), b"")), "no backup of this service"),
    "a hard link": (lambda file: rewritten(file, same, (linked("lake/staged/x", OBJECT, tarfile.LNKTYPE), b"")), "no backup"),
    "a folder": (lambda file: rewritten(file, same, (linked("lake/staged", "", tarfile.DIRTYPE), b"")), "no backup of this"),
    "a column of harm": (lambda file: rewritten(file, lambda n, d: d.replace(b'"prefix"', b'"a);"')), "not a name of a table"),
}  # fmt: skip


def archive_of(file: Path, *members: tuple[str, bytes]) -> None:
    """A tar of somebody else's."""
    with tarfile.open(file, "w:gz") as tar:
        for name, data in members:
            put(tar, tarfile.TarInfo(name), data)


@pytest.mark.requirement("restore.hostile")
@pytest.mark.parametrize("harm", HARM)
def test_an_archive_that_came_to_harm_is_refused_in_a_sentence(harm: str, tmp_path: Path) -> None:
    file = tmp_path / "backup.tar.gz"
    small(file)
    change, words = HARM[harm]
    change(file)
    with pytest.raises(REFUSED, match=words) as refusal:
        restore.verify(file)
    assert "Traceback" not in refusal.value.message and len(refusal.value.message) < 400


def small(file: Path) -> None:
    """A sound archive of one table with one row, and two objects."""
    with open(file, "xb") as opened:
        writer = Writer(opened)
        rows = writer.add("database/keys.copy", b"key_1\tsk_\n")
        accounts = writer.add("database/accounts.copy", b"acct_1\tname\n")
        objects = {
            key: writer.add(f"lake/{key}", b"ISO" * 20_000) for key in ("staged/op_1/part.step", "results/op_1.json")
        }
        tables = {
            "keys": archive.Table(**rows.model_dump(), columns=["id", "prefix"], rows=1),
            "accounts": archive.Table(**accounts.model_dump(), columns=["id", "name"], rows=1),
        }
        writer.end(Manifest(created_at="2026-01-31", revision="0003", tables=tables, objects=objects))
    restore.verify(file)


@pytest.mark.requirement("restore.nothing-half-done")
async def test_a_restore_that_breaks_off_leaves_nothing(sound: Path, empty_postgres_url: str, tmp_path: Path) -> None:
    manifest, whole = restore.verify(sound), await asyncio.to_thread(sound.read_bytes)
    there = Lake(f"file://{tmp_path}/restored")
    last = max(manifest.objects)
    rewritten(sound, lambda name, data: b"other" if name == f"lake/{last}" else data)  # while it is being restored
    with pytest.raises(REFUSED, match="not what was backed up"):
        await restore.restore(empty_postgres_url, there, sound, manifest, silent)
    rewritten(sound, lambda name, data: b"\\N\\N\n" if name == "database/usage.copy" else data)
    with pytest.raises(DatastoreUnavailable, match="cannot be restored"):
        await restore.restore(empty_postgres_url, there, sound, manifest, silent)
    assert await there.keys() == [] and not any((await rows_of(empty_postgres_url)).values())
    again = tmp_path / "again.tar.gz"
    await asyncio.to_thread(again.write_bytes, whole)
    await restored(empty_postgres_url, there, again)
    assert await there.keys() == sorted(manifest.objects)
