"""The usage ledger in the lake: every committed row once, whoever dies when."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import sqlalchemy as sa

from spatial.errors import InternalError
from storage import settings
from storage.objects.lake import Lake, LakeUnavailable
from storage.postgres import operations, usage
from storage.postgres.database import Database
from storage.postgres.schema import accounts, keys
from storage.tables import ledger, ledger_parquet, ledger_query
from storage.tables.ledger_parquet import Column
from tests.storage.actors import Customer, begun, charge, completed, customer, execute, fetch_column
from tests.storage.fate import survived

Rows = list[tuple[str, int]]


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: the ledger is one for all accounts."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


async def _charged(database: Database, who: Customer, count: int = 1) -> Rows:
    """That many requests that were completed."""
    done = [await begun(database, who) for _ in range(count)]
    for operation_id in done:
        assert await completed(database, who, operation_id)
    return [(operation_id, 0) for operation_id in done]


async def _read(lake: Lake) -> Rows:
    """What a reader of the ledger sees."""
    found = await ledger_query.query(lake, "SELECT operation_id, item FROM usage ORDER BY ALL")
    return [(row["operation_id"], row["item"]) for row in found]


@pytest.mark.requirement("ledger.export")
async def test_committed_rows_are_exported_once_and_asked_with_duckdb(
    database: Database, who: Customer, lake: Lake
) -> None:
    assert await ledger.export(database, lake) == 0
    assert await _read(lake) == []
    assert await ledger_query.read_totals(lake) == []
    first = await _charged(database, who, 3)
    assert await ledger.export(database, lake) == 3
    second = await _charged(database, who, 2)
    assert await ledger.export(database, lake) == 2
    assert await ledger.export(database, lake) == 0
    assert await _read(lake) == sorted(first + second)


@pytest.mark.requirement("ledger.export")
async def test_an_exported_row_is_the_row_of_the_table(database: Database, who: Customer, here: Lake) -> None:
    await _charged(database, who)
    await ledger.export(database, here)
    async with database.transaction() as connection:
        [stored] = (await connection.execute(sa.select(*ledger.COLUMNS))).mappings().all()
        account, key = (await connection.execute(sa.select(accounts.c.name, keys.c.prefix).join(keys))).one()
    [exported] = await ledger_query.query(here, "SELECT * FROM usage")
    created_at = stored["created_at"].astimezone(UTC).replace(tzinfo=None)
    names = {"account": account, "key_label": None, "key_prefix": key}
    assert exported == dict(stored) | {"created_at": created_at} | names
    [key] = await here.list("usage/rows")
    assert pq.read_schema(here.path(key)).remove_metadata().equals(ledger.schema())


@pytest.mark.requirement("ledger.export")
async def test_many_rows_make_several_objects(
    database: Database, who: Customer, here: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "EXPORT_ROWS", 4)
    rows = await _charged(database, who, 10)
    assert await ledger.export(database, here) == 10
    assert len(await here.list("usage/rows")) == 3
    assert await _read(here) == sorted(rows)


@pytest.mark.requirement("ledger.late-commit")
async def test_a_row_that_commits_late_is_not_skipped(database: Database, who: Customer, here: Lake) -> None:
    late = await begun(database, who)
    async with database.transaction() as connection:
        await usage.record_usage(connection, charge(who, late))
        early = await _charged(database, who, 2)
        assert await ledger.export(database, here) == 2
    assert await ledger.export(database, here) == 1
    assert await _read(here) == sorted([*early, (late, 0)])
    order = "SELECT operation_id FROM usage ORDER BY created_at"
    assert (await fetch_column(database, order))[0] == late


@pytest.mark.requirement("ledger.crash")
async def test_an_exporter_may_die_at_any_moment(database: Database, who: Customer, here: Lake) -> None:
    committed: Rows = []
    for moment in range(100):
        committed += await _charged(database, who, 2)
        seen_before = await _read(here)
        ended = await survived(ledger.export, moment, database, here)
        seen = await _read(here)
        assert len(seen) == len(set(seen)) and set(seen_before) <= set(seen) <= set(committed)
        committed += await _charged(database, who)
        await ledger.export(database, here)
        assert await _read(here) == sorted(committed)
        if ended:
            assert moment > 10
            return
    raise AssertionError("the export never ended")


@pytest.mark.requirement("ledger.crash", "ledger.compact")
async def test_a_compactor_may_die_at_any_moment(
    database: Database, who: Customer, here: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "GRACE", timedelta(0))
    committed = await _charged(database, who)
    await ledger.export(database, here)
    for moment in range(100):
        committed += await _charged(database, who)
        await ledger.export(database, here)
        ended = await survived(ledger.compact, moment, database, here, at_least=2)
        assert await _read(here) == sorted(committed)
        await ledger.compact(database, here, at_least=2)
        assert await _read(here) == sorted(committed)
        if ended:
            assert moment > 10
            assert len(await here.list("usage/rows")) == 1
            return
    raise AssertionError("the compaction never ended")


@pytest.mark.requirement("ledger.crash")
async def test_a_lake_out_of_reach_delays_the_export_and_loses_nothing(
    database: Database, who: Customer, here: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = await _charged(database, who, 3)
    with monkeypatch.context() as patched:
        patched.setattr(Lake, "put", _unavailable)
        with pytest.raises(LakeUnavailable):
            await ledger.export(database, here)
    rows += await _charged(database, who, 2)
    assert await ledger.export(database, here) == 5
    assert await _read(here) == sorted(rows)


async def _unavailable(lake: Lake, key: str, data: bytes) -> None:
    raise LakeUnavailable("out of reach")


@pytest.mark.requirement("ledger.concurrent")
async def test_exporters_compactors_readers_and_writers_at_once(
    database: Database, lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "EXPORT_ROWS", 3)
    who, writing = await customer(database), True
    committed: Rows = []

    async def write() -> None:
        while len(committed) < 40 or len(seen_before) < 3:
            committed.extend(await _charged(database, who, 2))

    async def until_written(work: Any, *arguments: Any, **options: Any) -> None:
        while writing:
            await work(*arguments, **options)

    seen_before: set[tuple[str, int]] = set()

    async def look() -> None:
        seen = await _read(lake)
        assert len(seen) == len(set(seen))
        assert seen_before <= set(seen)
        seen_before.update(seen)

    keepers = [
        asyncio.create_task(until_written(*work))
        for work in ((ledger.export, database, lake), (ledger.export, database, lake), (look,))
    ]
    compactors = [asyncio.create_task(until_written(ledger.compact, database, lake, at_least=2)) for _ in range(2)]
    await asyncio.gather(write(), write())
    writing = False
    await asyncio.gather(*keepers, *compactors)
    await ledger.export(database, lake)
    await ledger.compact(database, lake, at_least=2)
    assert await _read(lake) == sorted(committed)


@pytest.mark.requirement("ledger.compact")
async def test_readers_of_an_old_manifest_are_served_until_the_grace_is_over(
    database: Database, who: Customer, lake: Lake
) -> None:
    rows = []
    for _ in range(3):
        rows += await _charged(database, who)
        await ledger.export(database, lake)
    assert await ledger.compact(database, lake, at_least=4) == 0
    assert await ledger.compact(database, lake, at_least=3) == 3
    assert len(await lake.list("usage/rows")) == 4
    assert await _read(lake) == sorted(rows)
    aged = "clock_timestamp() - interval '61 minutes'"
    await execute(database, f"UPDATE usage_objects SET retired_at = {aged} WHERE state = 'retired'")
    await execute(database, f"UPDATE usage_manifests SET created_at = {aged}")
    await ledger.compact(database, lake)
    assert len(await lake.list("usage/rows")) == 1
    assert len(await lake.list("usage/manifest")) == 1
    assert await _read(lake) == sorted(rows)


@pytest.mark.requirement("ledger.compact")
async def test_a_slow_process_that_lays_down_an_old_manifest_misleads_nobody(
    database: Database, who: Customer, here: Lake
) -> None:
    rows = await _charged(database, who)
    await ledger.export(database, here)
    [key] = await here.list("usage/manifest")
    old = await here.get(key)
    rows += await _charged(database, who)
    await ledger.export(database, here)
    await here.put(key, old)
    assert await _read(here) == sorted(rows)


@pytest.mark.requirement("ledger.totals")
async def test_totals_by_account_and_day(database: Database, who: Customer, lake: Lake) -> None:
    other = await customer(database)
    days = [datetime(2026, 3, 28, 23, 59, 59, tzinfo=UTC), datetime(2026, 3, 29, 0, 0, tzinfo=UTC)]
    for owner, day in ((who, 0), (who, 0), (who, 1), (other, 1)):
        [(operation_id, _)] = await _charged(database, owner)
        moved = "UPDATE usage SET created_at = :moment WHERE operation_id = :id"
        await execute(database, moved, moment=days[day], id=operation_id)
    await ledger.export(database, lake)
    expected = [
        ledger_query.Total(who.account_id, days[0].date(), 2, 200, 400, Decimal("0.0008000000")),
        ledger_query.Total(who.account_id, days[1].date(), 1, 100, 200, Decimal("0.0004000000")),
        ledger_query.Total(other.account_id, days[1].date(), 1, 100, 200, Decimal("0.0004000000")),
    ]
    by_account = sorted(expected, key=lambda total: (total.account_id, total.day))
    assert await ledger_query.read_totals(lake) == by_account
    assert await ledger_query.read_totals(lake, who.account_id) == expected[:2]
    assert await ledger_query.read_totals(lake, since=days[1]) == [
        total for total in by_account if total.day == days[1].date()
    ]
    assert await ledger_query.read_totals(lake, until=days[1]) == expected[:1]
    by_key = await ledger_query.read_groups(lake, ("key", "month"), who.account_id)
    assert by_key == [ledger_query.Group((who.key_id, "2026-03"), 3, 300, 600, Decimal("0.0012000000"))]
    for name in ledger_query.DIMENSIONS:
        assert sum(group.items for group in await ledger_query.read_groups(lake, (name,))) == 4


@pytest.mark.requirement("metering.tokens")
@pytest.mark.parametrize(("n_bytes", "tokens"), [(0, 0), (1, 1), (4, 1), (5, 2), (26_214_400, 6_553_600)])
def test_four_bytes_are_a_token_and_a_part_of_four_is_one_too(n_bytes: int, tokens: int) -> None:
    assert usage.count_tokens(n_bytes) == tokens


@pytest.mark.requirement("metering.estimate")
def test_an_estimate_is_exact_decimal_arithmetic(tmp_path: Path) -> None:
    chosen = settings.load(home=tmp_path, price_input_usd_per_million=0.1, price_output_usd_per_million=0.7)
    estimate = usage.estimate(chosen, 3, 1_000_003)
    assert estimate.estimated_input_cost_usd == 0.0000003
    assert estimate.estimated_output_cost_usd == 0.7000021
    assert estimate.estimated_cost_usd == 0.7000024
    assert (estimate.input_tokens, estimate.output_tokens) == (3, 1_000_003)


@pytest.mark.requirement("metering.estimate")
async def test_the_row_of_an_estimate_keeps_its_decimals(database: Database, who: Customer, tmp_path: Path) -> None:
    operation_id = await begun(database, who)
    estimate = usage.estimate(settings.load(home=tmp_path), 7, 11)
    row = charge(who, operation_id).model_dump() | estimate.model_dump() | {"file_name": "a\0\ud800.step"}
    async with database.transaction() as connection:
        assert await usage.record_usage(connection, usage.UsageRow.model_validate(row))
        assert not await usage.record_usage(connection, usage.UsageRow.model_validate(row | {"input_tokens": 99}))
        assert await operations.find(connection, operation_id) is not None
    [stored] = await fetch_column(
        database, "SELECT to_jsonb(usage) FROM usage WHERE operation_id = :id", id=operation_id
    )
    assert stored["estimated_cost_usd"] == 0.00002
    assert stored["file_name"] == "a\ufffd\ufffd.step"
    assert stored["input_tokens"] == 7


@pytest.mark.requirement("ledger.own-process")
@pytest.mark.parametrize("count", [0, 3])
async def test_a_process_without_pyarrow_has_its_files_made_by_another(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = [
        Column("operation_id", "text", nullable=False),
        Column("item", "int32", nullable=False),
        Column("created_at", "time", nullable=False),
        Column("cost", "decimal", nullable=False),
        Column("key_label", "text", nullable=True),
    ]
    moment, cost = datetime(2026, 5, 4, 12, 30, 1, 250, tzinfo=UTC).replace(tzinfo=None), Decimal("0.0000012345")
    rows = [
        {"operation_id": f"op_{place}", "item": place, "created_at": moment, "cost": cost, "key_label": None}
        for place in range(count)
    ]
    own = await ledger_parquet.write(columns, rows)
    own_merged = await ledger_parquet.merge(columns, [own, own])
    monkeypatch.delitem(sys.modules, "pyarrow")  # now this process is one that has not imported it
    assert await ledger_parquet.write(columns, rows) == own
    assert await ledger_parquet.merge(columns, [own, own]) == own_merged
    assert "pyarrow" not in sys.modules
    assert pq.read_table(io.BytesIO(own)).to_pylist() == rows


@pytest.mark.requirement("ledger.own-process")
async def test_a_file_that_the_other_process_cannot_make_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pyarrow")
    with pytest.raises(InternalError):
        await ledger_parquet.merge([Column("item", "int32", nullable=False)], [b"no Parquet"])
