"""Asking the tables: what the newest manifest names, all of it, and nothing else."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from spatial.errors import InvalidRequest
from storage.objects.lake import Lake, LakeUnavailable
from storage.tables import query as tables_query
from storage.tables import result_writers
from storage.tables.query import list_views, query, run
from storage.tables.query_engine import keys_of
from storage.tables.read_only_filesystem import ReadOnlyFilesystem
from storage.tables.row_mapping import TABLES, Rows, table_of
from tests.storage.tables_lake import BUNDLED, TableWriter, rows_of_file


@pytest.fixture
def here(tmp_path: Path) -> Lake:
    """A lake that is a directory."""
    return Lake(f"file://{tmp_path}/lake")


@pytest.fixture(scope="module")
def bundled() -> list[Rows]:
    """Rows of real files."""
    return [rows_of_file(path) for path in BUNDLED]


def callout(name: str, text: str = "M8") -> dict[str, Any]:
    """A row."""
    return {
        "document_id": "d",
        "extraction_id": name,
        "callout_id": "callout-1",
        "type": "thread",
        "text": text,
        "source": "a",
    }


async def _texts(lake: Lake, where: str = "true") -> list[Any]:
    found = await query(lake, f"SELECT text FROM callouts WHERE {where} ORDER BY ALL")
    return [row["text"] for row in found]


@pytest.mark.requirement("tables.views", "tables.superseded", "tables.drawings")
async def test_views_follow_the_newest_manifest(lake: Lake, bundled: list[Rows]) -> None:
    assert await _texts(lake) == []
    assert {view.name for view in await list_views(lake)} == {*TABLES, "drawings", "usage"}
    shelf = TableWriter(lake)
    for day, rows in enumerate(bundled, start=1):
        await shelf.add(rows, f"2026-02-0{day}")
    counted = {view.name: view.rows for view in await list_views(lake)}
    laid = {name: sum(len(rows.get(name, ())) for rows in bundled) for name in TABLES}
    assert counted == {**laid, "drawings": 1, "usage": 0}
    [drawing] = await query(lake, "SELECT * FROM drawings")
    fields = {row["field"]: row["value"] for row in bundled[1]["title_blocks"]}
    names = {"size": "sheet_size", "units": "stated_units"}
    assert {name: drawing[names.get(name, name)] for name in fields} == fields
    assert drawing["finish"] is None and drawing["file_name"] == "sheet.pdf"
    days = (
        "SELECT CAST(ingest_date AS VARCHAR) AS day FROM documents WHERE ingest_date >= DATE '2026-02-02' ORDER BY ALL"
    )
    assert [row["day"] for row in await query(lake, days)] == ["2026-02-02", "2026-02-03"]

    [sheet] = bundled[1]["documents"]
    await shelf.supersede(sheet["row_id"], sheet["extraction_id"])
    assert await query(lake, "SELECT * FROM drawings UNION ALL BY NAME SELECT * FROM callouts") == []
    assert len(await query(lake, "FROM documents")) == 2
    assert len(await query(lake, "FROM nodes")) == counted["nodes"]


@pytest.mark.requirement("tables.old-objects")
async def test_columns_that_an_old_object_lacks_are_null(here: Lake) -> None:
    shelf, whole = TableWriter(here), table_of("callouts", [callout("1", "old") | {"quantity": 2}])
    await shelf.put("callouts", whole.drop_columns(["quantity", "details"]).append_column("gone", pa.array(["x"])))
    await shelf.publish()
    assert await query(here, "SELECT text, quantity, details FROM callouts") == [
        {"text": "old", "quantity": None, "details": None}
    ]
    await shelf.put("callouts", table_of("callouts", [callout("2", "new") | {"quantity": 2}]))
    await shelf.publish()
    assert await query(here, "SELECT text, quantity FROM callouts ORDER BY ALL") == [
        {"text": "new", "quantity": 2},
        {"text": "old", "quantity": None},
    ]
    assert [row["column_name"] for row in await query(here, "DESCRIBE callouts")] == [
        *TABLES["callouts"].names,
        "ingest_date",
    ]


@pytest.mark.requirement("tables.views")
async def test_values_are_given_beside_the_sql(here: Lake) -> None:
    shelf = TableWriter(here)
    await shelf.add({"callouts": [callout("1", "it's"), callout("2", "M8")]})
    found = await query(here, "SELECT extraction_id FROM callouts WHERE text = $text", {"text": "it's"})
    assert found == [{"extraction_id": "1"}]
    named = await query(here, "SELECT count(*) AS n FROM query_table($name)", {"name": "callouts"})
    assert named == [{"n": 2}]


@pytest.mark.requirement("tables.swept")
async def test_a_question_is_asked_anew_when_its_objects_are_swept(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = TableWriter(lake)
    await shelf.add({"callouts": [callout("1", "one")]})
    await shelf.add({"callouts": [callout("2", "two")]})
    compacted, before = TableWriter(lake), tables_query.find_views
    compacted.version = shelf.version
    asked = 0

    def views(*arguments: Any) -> Any:
        found = before(*arguments)

        async def then_swept() -> Any:
            nonlocal asked
            asked += 1
            seen = await found()
            if asked == 1:
                await compacted.add({"callouts": [callout("1", "one"), callout("2", "two")]})
                for one in shelf.objects:
                    await lake.delete(one["key"])
            return seen

        return then_swept

    monkeypatch.setattr(tables_query, "find_views", views)
    assert await _texts(lake) == ["one", "two"]
    assert asked == 2


@pytest.mark.requirement("tables.swept")
async def test_objects_that_are_nowhere_are_one_sentence(lake: Lake) -> None:
    shelf = TableWriter(lake)
    await shelf.add({"callouts": [callout("1")]})
    await lake.delete(shelf.objects[0]["key"])
    with pytest.raises(LakeUnavailable, match="try again shortly"):
        await _texts(lake)
    assert await query(lake, "SELECT count(*) AS n FROM faces") == [{"n": 0}]


def _files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.requirement("tables.confined")
@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO '{home}/new.csv'",
        "WITH a AS (COPY (SELECT 1) TO '{home}/new.csv' (USE_TMP_FILE false)) FROM a",
        "WITH a AS (COPY (SELECT 1) TO 'lake://{key}' (USE_TMP_FILE false)) FROM a",
        "WITH a AS (COPY (SELECT 1) TO 'lake://new.parquet' (USE_TMP_FILE false)) FROM a",
        "FROM read_text('{home}/secret.txt')",
        "FROM read_csv('{home}/secret.txt')",
        "FROM '{home}/other.parquet'",
        "FROM 'lake://ingest/other.parquet'",
        "FROM read_parquet('lake://../other.parquet')",
        "FROM read_text('http://127.0.0.1:1/')",
        "SET enable_external_access = true",
        "ATTACH '{home}/new.db'",
        "INSTALL httpfs",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW callouts",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{home}/new.csv'",
        "SELECT 1; SELECT 2",
        "SELECT * FROM secret_of_python",
        "",
    ],
)
async def test_a_question_reads_the_tables_and_changes_nothing(here: Lake, tmp_path: Path, sql: str) -> None:
    shelf, secret_of_python = TableWriter(here), pa.table({"secret": ["s"]})
    await shelf.add({"callouts": [callout("1")]})
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "other.parquet").write_bytes((tmp_path / "lake" / shelf.objects[0]["key"]).read_bytes())
    (tmp_path / "lake" / "ingest" / "other.parquet").write_bytes((tmp_path / "other.parquet").read_bytes())
    files = _files(tmp_path)
    with pytest.raises(InvalidRequest) as refusal:
        await query(here, sql.format(home=tmp_path, key=shelf.objects[0]["key"]))
    assert "\n" not in refusal.value.message and "Traceback" not in refusal.value.message
    assert _files(tmp_path) == files
    assert await _texts(here) == ["M8"]
    del secret_of_python


@pytest.mark.requirement("tables.confined")
async def test_globs_show_nothing_but_the_objects(here: Lake) -> None:
    await TableWriter(here).add({"callouts": [callout("1")]})
    assert await query(here, "FROM glob('lake://*') SELECT file, 'callouts' AS t") == []
    with pytest.raises(InvalidRequest):
        await query(here, "FROM glob('/*')")


@pytest.mark.requirement("tables.whole-reads")
async def test_threads_read_what_they_asked_for(here: Lake) -> None:
    shelf = TableWriter(here)
    content = os.urandom(1 << 16)
    key = "ingest/tables/callouts/noise"
    await here.put(key, content)
    shelf.objects.append({"key": key, "table": "callouts"})
    await shelf.publish()
    seen = await tables_query.find_views(here, "callouts")()
    file = ReadOnlyFilesystem(here, keys_of(seen)).open(f"lake://{key}")

    def read(start: int) -> bool:
        for place in range(start, len(content), 997):
            file.seek(place)
            if file.read(1000) != content[place : place + 1000]:
                return False
        return True

    assert all(await asyncio.gather(*(asyncio.to_thread(read, start) for start in range(0, 4000, 500))))


@pytest.mark.requirement("tables.errors")
@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("FROM calouts", 'use "callouts"'),
        ("SELECT txt FROM callouts", 'Candidate bindings: "text"'),
        ("SELECT lenght(text) FROM callouts", 'Did you mean "length"'),
        ("SELEC 1", 'syntax error at or near "SELEC"'),
        ("SELECT text FROM callouts WHERE text = $text", "parameters: text"),
        ("SELECT CAST(text AS INTEGER) FROM callouts", "'M8'"),
    ],
)
async def test_wrong_sql_is_one_sentence(here: Lake, sql: str, said: str) -> None:
    await TableWriter(here).add({"callouts": [callout("1")]})
    with pytest.raises(InvalidRequest) as refusal:
        await query(here, sql)
    assert said in refusal.value.message
    assert "\n" not in refusal.value.message and "Error:" not in refusal.value.message


@pytest.mark.requirement("tables.views")
async def test_an_answer_is_bounded_where_it_is_taken(here: Lake) -> None:
    await TableWriter(here).add({"callouts": [callout(str(number), f"M{number}") for number in range(5)]})
    found = await run(here, "SELECT text, text FROM callouts ORDER BY 1", result_writers.read_first(3))
    assert (found.columns, found.rows, found.more) == (
        ["text", "text"],
        [("M0", "M0"), ("M1", "M1"), ("M2", "M2")],
        True,
    )
    everything = await run(here, "SELECT text FROM callouts", result_writers.read_first(None))
    assert (len(everything.rows), everything.more) == (5, False)


@pytest.mark.requirement("tables.views")
async def test_who_waits_no_longer_stops_the_question(here: Lake) -> None:
    endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = 7"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(query(here, endless), 0.5)
