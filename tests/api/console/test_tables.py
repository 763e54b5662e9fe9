"""Queries in the console: examples, answers, charts, export, and the bounds of a query."""

from __future__ import annotations

import csv
import io
import json
import re

import pyarrow.parquet as pq
import pytest

from api.console.pages import tables
from storage.objects.lake import Lake, LakeUnavailable
from storage.tables import query
from tests.api.console.desk import Desk
from tests.api.house import House
from tests.support.stack import ROOT

PATH = "/console/tables"


async def answer(desk: Desk, sql: str, status: int = 200) -> str:
    """The text of the page with an answer."""
    shown = await desk.post(PATH, sql=sql)
    assert shown.status_code == status, shown.text
    return shown.text


@pytest.mark.requirement("console.tables.questions")
def test_the_examples_are_the_questions_of_the_page_about_tables() -> None:
    page = (ROOT / "docs" / "tables.md").read_text()
    section = page[page.index("## Questions") : page.index("## Views")]
    blocks = re.findall(r"```sql\n(.*?)```", section, flags=re.DOTALL)
    assert [one.sql for one in tables.questions()] == blocks
    for one in tables.questions():
        assert one.title in section


@pytest.mark.requirement("console.tables.questions")
@pytest.mark.parametrize("number", range(len(tables.questions())))
async def test_every_example_is_put_into_the_form_and_runs(desk: Desk, number: int) -> None:
    page = await desk.get(f"{PATH}?question={number}")
    assert "<textarea" in page
    page = await answer(desk, tables.questions()[number].sql.replace("\n", "\r\n"))  # as forms send it
    assert "0 rows" in page and f'<option value="{number}" selected>' in page


@pytest.mark.requirement("console.tables.answers")
async def test_an_answer_is_shown_charted_and_exported(house: House, desk: Desk) -> None:
    sql = "SELECT * FROM (VALUES ('<b>hole</b>', 3), ('thread', 5)) AS found(type, callouts)"
    page = await answer(desk, sql)
    assert (
        "&lt;b&gt;hole&lt;/b&gt;" in page and "2 rows" in page and "callouts per type" in page and "thread · 5" in page
    )
    files = {kind: await desk.post(f"{PATH}/export", sql=sql, format=kind) for kind in ("csv", "json", "parquet")}
    assert list(csv.reader(io.StringIO(files["csv"].text)))[1:] == [["<b>hole</b>", "3"], ["thread", "5"]]
    assert json.loads(files["json"].text)[1] == {"type": "thread", "callouts": 5}
    assert pq.read_table(io.BytesIO(files["parquet"].content)).num_rows == 2
    assert (await desk.post(f"{PATH}/export", sql=sql, format="xlsx")).status_code == 400


@pytest.mark.requirement("console.tables.answers")
async def test_a_view_is_described(desk: Desk) -> None:
    assert "callouts" in await desk.get(PATH)
    assert "quantity" in await desk.get(f"{PATH}/callouts")
    assert (await desk.client.get(f"{PATH}/nothing")).status_code == 404


@pytest.mark.requirement("console.tables.bounds")
@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT * FROM '/etc/passwd'", "there is no table /etc/passwd"),
        ("SELECT * FROM read_text('/etc/passwd')", "disabled by configuration"),
        ("COPY (SELECT 1) TO '/tmp/answer.csv'", "SELECT"),
        ("SELECT 1; SELECT 2", "one"),
        ("SET threads = 64", "SELECT"),
        ("SELECT * FROM operators", "there is no table operators"),
        ("", "empty"),
    ],
)
async def test_a_query_reads_the_tables_and_nothing_else(desk: Desk, sql: str, words: str) -> None:
    assert words in await answer(desk, sql, 400)


@pytest.mark.requirement("console.tables.bounds")
async def test_a_query_has_bounds_of_memory_and_threads(house: House, desk: Desk) -> None:
    page = await answer(desk, "SELECT current_setting('memory_limit') AS memory, current_setting('threads') AS threads")
    assert "1.0 GiB" in page and re.search(r'<td class="num">2</td>', page)
    large = "SELECT length(string_agg(repeat('x', 1000000), '')) AS size FROM range(5000)"
    assert "memory" in (await answer(desk, large, 400)).lower()


@pytest.mark.requirement("console.tables.bounds")
async def test_a_query_that_takes_too_long_is_ended(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "SECONDS", 0.3)
    slow = "SELECT count(*) FROM range(10000000000) AS one, range(1000) AS other"
    assert "took longer than 0.3 s" in await answer(desk, slow, 400)


@pytest.mark.requirement("console.tables.bounds")
async def test_more_queries_than_may_run_are_refused(desk: Desk) -> None:
    for _ in range(tables.AT_A_TIME):
        await tables._running.acquire()
    try:
        assert "queries are running" in await answer(desk, "SELECT 1", 429)
    finally:
        for _ in range(tables.AT_A_TIME):
            tables._running.release()
    assert "1 row" in await answer(desk, "SELECT 1 AS one")


@pytest.mark.requirement("console.errors")
async def test_a_store_that_is_away_is_a_page(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*_: object) -> None:
        raise LakeUnavailable("object storage is out of reach; try again")

    monkeypatch.setattr(Lake, "get", away)
    monkeypatch.setattr(query, "run", away)
    gone = await desk.post(PATH, sql="SELECT 1")
    assert gone.status_code == 503 and "out of reach" in gone.text and int(gone.headers["retry-after"]) > 0
