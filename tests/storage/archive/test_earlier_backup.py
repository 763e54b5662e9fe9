"""A backup that was made before the modules moved, restored with this version (tests/data/backups/README.md)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path

import pytest

from spatial.contract.extraction import CadExtraction
from storage import ids
from storage.archive import restore
from storage.objects.file_filter import SourceFile
from storage.objects.lake import Lake, result_key, staged_key
from storage.postgres import batches, idempotency, keys, subscriptions, uploads
from storage.postgres.database import Database, revisions
from storage.tables import ingest, ledger, ledger_query
from storage.tables.ingest.objects import document_key, object_key
from storage.tables.query import query
from tests.storage.actors import begun, completed, customer, execute, fetch_column

ARCHIVE = Path(__file__).parents[2] / "data" / "backups" / "before-the-move.tar.gz"
KEY = "sk_9WHmwQUU33rjlOJiu3ncD2En-aOP2PqYHg5ma72mcxA"
REVOKED_KEY = "sk_eNqJ5FRTeIHYMyv9rd6I-HR4L2sGESm0AAGMY6wCIho"
BATCH, BATCH_WITH_FAILURE = "cb_01a2037a4a53705b8a242dd770bc1adc", "cb_01a2037b65657469b5459922da33d30d"
UPLOAD = "up_01a2037a46767fceb2fa2ee05e225f40"


def ignore(done: int, total: int) -> None:
    """No one watches this restore."""


@pytest.fixture
async def database(empty_postgres_url: str, here: Lake) -> AsyncIterator[Database]:
    """The restored database, beside the restored lake `here`; what expires is put off, as if the backup had been made now."""
    await restore.restore(empty_postgres_url, here, ARCHIVE, restore.verify(ARCHIVE), ignore)
    opened = Database(empty_postgres_url)
    for table in ("batches", "uploads"):
        await execute(opened, f"UPDATE {table} SET expires_at = clock_timestamp() + interval '1 day'")
    await execute(opened, "UPDATE idempotency SET claimed_at = clock_timestamp()")
    yield opened
    await opened.close()


@pytest.mark.requirement("backup.earlier")
async def test_keys_of_an_earlier_backup_authenticate_and_their_account_may_pay(database: Database) -> None:
    async with database.transaction() as connection:
        key = await keys.find(connection, KEY)
        assert key is not None and await keys.find(connection, REVOKED_KEY) is None
        assert await subscriptions.status(connection, key.account_id) == "active"
        assert [row.account for row in await keys.list_keys(connection)] == ["demo", "acme", "gone"]


@pytest.mark.requirement("backup.earlier")
async def test_results_of_an_earlier_backup_are_replayed_and_read(database: Database, here: Lake) -> None:
    async with database.transaction() as connection:
        known = await keys.find(connection, KEY)
        assert known is not None
        [fingerprint] = await fetch_column(database, "SELECT fingerprint FROM idempotency WHERE key = 'order-1'")
        route = "/api/v1/cad/extract"
        replay = await idempotency.look_up(connection, known.account_id, route, "order-1", fingerprint)
        done = await batches.find(connection, BATCH, known.account_id)
        with_failure = await batches.find(connection, BATCH_WITH_FAILURE)
        upload = await uploads.find(connection, known.account_id, UPLOAD)
    assert replay is not None and replay.status == 200
    assert CadExtraction.model_validate_json(await here.get(replay.result_key)).source_format == "step"
    assert done is not None and [item.state for item in done.items] == ["done"] * 3
    formats = [CadExtraction.model_validate_json(await here.get(str(item.result_key))) for item in done.items]
    assert [document.source_format for document in formats] == ["drawio", "dxf", "drawio"]
    assert with_failure is not None and with_failure.state == "done"
    assert [(item.state, item.status) for item in with_failure.items] == [("done", 200), ("failed", 422)]
    assert with_failure.items[1].error is not None and with_failure.items[1].error["type"] == "parse_error"
    assert upload is not None and upload.status == "used" and upload.size == len(await here.get(upload.content_key))


@pytest.mark.requirement("backup.earlier")
async def test_usage_of_an_earlier_backup_is_totalled_and_goes_on(database: Database, here: Lake) -> None:
    totals = await ledger_query.read_totals(here)
    assert sorted((total.items, total.input_tokens, total.output_tokens) for total in totals) == [
        (1, 16614, 2023),
        (5, 18472, 10095),
    ]
    assert {total.day for total in totals} == {date(2026, 11, 22)}
    routes = await ledger_query.query(here, "SELECT route, count(*) AS rows FROM usage GROUP BY ALL ORDER BY ALL")
    assert [tuple(row.values()) for row in routes] == [("/api/v1/cad/extract", 2), ("/api/v1/cad/extract/batch", 4)]
    assert await completed(database, who := await customer(database), await begun(database, who))
    assert await ledger.export(database, here) == 1
    assert await ledger.compact(database, here, at_least=2) == 4
    assert sum(total.items for total in await ledger_query.read_totals(here)) == 7


@pytest.mark.requirement("backup.earlier")
async def test_ingest_tables_of_an_earlier_backup_answer_and_go_on(database: Database, here: Lake) -> None:
    documents = await query(here, "SELECT file_name, format, kind FROM documents ORDER BY file_name")
    assert [tuple(row.values()) for row in documents] == [
        ("drawio.drawio", "drawio", "diagram2d"),
        ("dxf.dxf", "dxf", "drawing2d"),
        ("svg.svg", "svg", "drawing2d"),
    ]
    failures = await query(here, "SELECT file_name, error_type FROM failures")
    assert [tuple(row.values()) for row in failures] == [("broken.svg", "parse_error")]
    [callouts] = await query(here, "SELECT count(*) AS rows FROM callouts")
    assert callouts["rows"] > 0
    recorded = await ingest.select_sources(database, ingest.Selection())
    found = [source.found for source in recorded]
    unchanged = await ingest.find_unchanged(database, found, extractor_version=1)
    assert sorted(unchanged.values()) == ["done", "done", "done", "quarantined"]
    assert await ingest.compact_tables(database, here, at_least=2) == 0
    assert isinstance(found[0], SourceFile)


def pattern_of(key: str) -> str:
    """A key's pattern: ids, digests, dates, versions and file names replaced by what they are."""
    parts = {
        r"(op|up|t|u)_[0-9a-f]{32}": r"\1_ID",
        r"/[0-9a-f]{2}/[0-9a-f]{32}-[a-z]+-\d+-\d+\.json": "/XX/EXTRACTION.json",
        r"/\d{20}\.json": "/VERSION.json",
        r"ingest/tables/[a-z_]+/ingest_date=\d{4}-\d\d-\d\d/": "ingest/tables/TABLE/ingest_date=DATE/",
        r"(_ID|/\d+|/[0-9a-f]{16})/[^/]+\.(step|xml|dxf|drawio)$": r"\1/FILE",
        r"_ID/[0-9a-f]{16}/": "_ID/TOKEN/",
        r"_ID/\d+(?=[/.])": "_ID/ITEM",
    }
    for found, name in parts.items():
        key = re.sub(found, name, key)
    return key


@pytest.mark.requirement("home.layout")
async def test_keys_of_the_lake_are_made_as_before(tmp_path: Path) -> None:
    before = {pattern_of(key) for key in restore.verify(ARCHIVE).objects}
    operation_id, extraction_id = ids.new("op"), "07e624bf14482900aa64e0e873893f71-drawio-1-1"
    made = [
        staged_key(operation_id, "part.step"),
        staged_key(operation_id, "part.step", 3),
        result_key(operation_id),
        result_key(operation_id, 3),
        uploads.new_key(ids.new("up"), "part.step"),
        document_key(extraction_id),
        object_key("documents", date(2026, 1, 31)),
        ledger.new_key(),
        ledger.STORE.manifest_key(7),
        ingest.STORE.manifest_key(7),
    ]
    assert {pattern_of(key) for key in made} == before


@pytest.mark.requirement("home.layout")
def test_revisions_of_the_schema_keep_their_ids() -> None:
    assert revisions()[-4:] == ["0004", "0003", "0002", "0001"]
