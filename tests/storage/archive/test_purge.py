"""Purging an account: nothing of it is left, and nothing of others is touched."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from spatial.errors import InvalidRequest
from storage import ids
from storage.archive import purge
from storage.archive.purge import OWNED, StillRunning
from storage.objects.lake import Lake, LakeUnavailable
from storage.postgres import upload_files, uploads
from storage.postgres.database import Database
from storage.postgres.uploads import Ceilings
from storage.tables import ledger, ledger_query
from storage.tables.ledger_forget import forget
from tests.storage import batch_actors, webhook_actors
from tests.storage.actors import Customer, begun, completed, customer, fetch_column, partnered
from tests.storage.linked import link


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: the ledger is one for all accounts."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


async def served(database: Database, lake: Lake, who: Customer, times: int = 1) -> None:
    """Requests that were completed."""
    for _ in range(times):
        operation_id = await begun(database, who, ids.new("retry"))
        await lake.put(f"staged/{operation_id}/part.step", b"ISO")
        await lake.put(f"results/{operation_id}.json", b"{}")
        assert await completed(database, who, operation_id)


async def lived(database: Database, lake: Lake) -> Customer:
    """A customer with something of everything, at rest."""
    who = await customer(database)
    await link(database, who)
    await served(database, lake, who, 2)
    await ledger.export(database, lake)
    await served(database, lake, who)
    batch_id = await batch_actors.running(database, who)
    for item in range(3):
        await batch_actors.started(database, batch_id, item)
        await batch_actors.completed(database, who, batch_id, item)
    await batch_actors.finished(database, batch_id)
    await fetch_column(database, "UPDATE operations SET state = 'completed' WHERE state = 'open' RETURNING id")
    batch = await batch_actors.known(database, batch_id)
    for owner in (batch.id, batch.operation_id):
        await lake.put(f"prefect/{owner}/{ids.new('stage')}", b"what was read")
    await lake.put(f"results/{batch.operation_id}/0.json", b"{}")
    async with database.transaction() as connection:
        upload = await uploads.create(
            connection,
            account_id=who.account_id,
            key_id=who.key_id,
            request_id="req_1",
            file_name="part.step",
            most_bytes=10,
            ceilings=Ceilings(9, 99),
        )
    await lake.put(upload_files.new_content_key(upload), b"ISO")
    await ledger.export(database, lake)
    await partnered(database, who)
    await webhook_actors.announced(database, (await webhook_actors.endpoint(database, who.account_id))[0])
    return who


async def name_of(database: Database, who: Customer) -> str:
    """An account's name."""
    [name] = await fetch_column(database, "SELECT name FROM accounts WHERE id = :id", id=who.account_id)
    return str(name)


async def left_of(database: Database, lake: Lake, who: Customer) -> dict[str, Any]:
    """Everything that knows the account: rows, objects, lines of the ledger, and bytes of any object."""
    found: dict[str, Any] = {}
    for table in [*(table.name for table in OWNED), "accounts"]:
        column = "id" if table == "accounts" else "account_id"
        rows = await fetch_column(
            database, f"SELECT t::text FROM {table} t WHERE {column} = :id ORDER BY 1", id=who.account_id
        )
        found |= {table: rows} if rows else {}
    totals = await ledger_query.read_totals(lake, who.account_id)
    found |= {"ledger": totals} if totals else {}
    held = [key for key in await lake.list("usage/rows") if who.account_id.encode() in await lake.get(key)]
    found |= {"parquet": held} if held else {}
    return found


@pytest.mark.requirement("purge.account", "purge.others-stay", "stripe.purge", "notifications.kept")
async def test_nothing_is_left_of_it_and_others_are_untouched(database: Database, here: Lake) -> None:
    gone, stays, also = await lived(database, here), await lived(database, here), await lived(database, here)
    await ledger.compact(database, here, at_least=2)
    await served(database, here, stays)
    await served(database, here, gone)
    await ledger.export(database, here)
    await served(database, here, gone)
    before = [await left_of(database, here, who) for who in (stays, also)]
    mine = set((await purge.read_holdings(database, here, await name_of(database, gone))).objects)
    await here.put("prefect/service/of-an-ingest", b"{}")
    objects = {key for key in await here.keys() if not key.startswith("usage/")}
    assert len(await here.list("prefect")) == 7 and len([key for key in mine if key.startswith("prefect/")]) == 2
    held = await purge.read_holdings(database, here, await name_of(database, gone))
    assert held.rows["scenes"] == held.rows["partner_secrets"] == held.rows["stripe_customers"] == 1
    assert held.rows["meter_events"] == 2 * held.rows["usage"]
    assert held.rows["webhook_endpoints"] == held.rows["webhook_deliveries"] == 1
    assert held.rows["usage"] == held.ledger_rows + 1 == 8 and held.running == 0 and len(held.objects) == 14
    steps: list[str] = []
    await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False, report=steps.append)
    assert "16 meter events were not sent to Stripe, and never will be" in steps
    assert await left_of(database, here, gone) == {}
    after = [await left_of(database, here, who) for who in (stays, also)]
    for one in (*before, *after):
        del one["parquet"]  # names of objects that they shared
    for one, other in zip(before, after, strict=True):
        del one["usage"], other["usage"]  # one row was not exported before
        assert one == other
    assert {key for key in await here.keys() if not key.startswith("usage/")} == objects - mine
    assert len(await here.list("prefect")) == 5, "those of the others, and of the operator"
    with pytest.raises(InvalidRequest, match="no account named"):
        await purge.read_holdings(database, here, "nobody")
    await served(database, here, stays)
    assert await ledger.export(database, here) == 1


@pytest.mark.requirement("purge.account")
async def test_an_account_alone_in_its_objects_takes_them_along(database: Database, here: Lake) -> None:
    gone = await lived(database, here)
    await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False)
    assert await here.list("usage/rows") == [] and await ledger_query.read_totals(here) == []
    assert await left_of(database, here, gone) == {}


@pytest.mark.requirement("purge.again")
async def test_what_broke_off_is_done_again(database: Database, here: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, stays = await lived(database, here), await lived(database, here)
    await ledger.compact(database, here, at_least=2)
    totals = await ledger_query.read_totals(here, stays.account_id)
    put, deleted = Lake.put, Lake.delete
    for nth in range(5):
        calls = iter([True] * nth + [False] * 100)

        async def refused(lake: Lake, key: str, *data: bytes, calls: Iterator[bool] = calls) -> None:
            """Storage is out of reach at the nth writing to the ledger."""
            if key.startswith("usage/") and not next(calls):
                raise LakeUnavailable("gone")
            await (put(lake, key, *data) if data else deleted(lake, key))

        with monkeypatch.context() as patch:
            patch.setattr(Lake, "put", refused)
            patch.setattr(Lake, "delete", refused)
            try:
                await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False)
                break
            except LakeUnavailable:
                assert (await purge.read_holdings(database, here, await name_of(database, gone))).name
    await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False)
    assert await left_of(database, here, gone) == {}
    assert await ledger_query.read_totals(here, stays.account_id) == totals


@pytest.mark.requirement("purge.running")
async def test_what_runs_is_waited_for_or_dropped(database: Database, here: Lake) -> None:
    gone = await customer(database)
    running = await begun(database, gone)
    with pytest.raises(StillRunning, match="1 operation is still running"):
        await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False)
    [revoked] = await fetch_column(database, "SELECT revoked_at IS NOT NULL FROM keys WHERE id = :id", id=gone.key_id)
    assert revoked
    ending = asyncio.create_task(completed(database, gone, running))
    await purge.purge(database, here, gone.account_id, wait_seconds=30, force=False)
    assert await ending and await left_of(database, here, gone) == {}
    other = await customer(database)
    running = await begun(database, other)
    await purge.purge(database, here, other.account_id, wait_seconds=0, force=True)
    assert not await completed(database, other, running)
    assert await left_of(database, here, other) == {}


@pytest.mark.requirement("purge.account")
async def test_results_of_stages_of_an_earlier_version_are_left_to_expire_and_counted(
    database: Database, here: Lake
) -> None:
    gone = await lived(database, here)
    await here.put("prefect/0a1b2c", b"of nobody knows whom")
    said: list[str] = []
    await purge.purge(database, here, gone.account_id, wait_seconds=0, force=False, report=said.append)
    assert await here.list("prefect") == ["prefect/0a1b2c"]
    assert said[-1].startswith("1 stage result of an earlier version") and "24 hours" in said[-1]


@pytest.mark.requirement("purge.account", "purge.others-stay", "purge.concurrent")
async def test_results_of_stages_go_also_while_runs_of_others_write_and_lose_theirs(
    database: Database, here: Lake
) -> None:
    gone, stays = await customer(database), await customer(database)
    mine, theirs = await begun(database, gone, "mine"), await begun(database, stays, "theirs")
    stages = Path(here.uri(f"prefect/{theirs}").removeprefix("file://"))
    for number in range(100):
        await here.put(f"prefect/{mine}/{number}", b"what was read")
        await here.put(f"prefect/{theirs}/{number}", b"what was read")
    (stages / "under-way").write_bytes(b"")

    async def expiring() -> None:
        for number in range(100):
            await here.delete(f"prefect/{theirs}/{number}")
            await here.delete(f"prefect/{mine}/{number}")

    def writing() -> None:
        for number in range(200):
            (stages / "under-way").write_bytes(str(number).encode())

    await asyncio.gather(
        expiring(),
        asyncio.to_thread(writing),
        purge.purge(database, here, gone.account_id, wait_seconds=0, force=True),
    )
    assert await here.list("prefect") == [f"prefect/{theirs}/under-way"]


@pytest.mark.requirement("purge.concurrent")
async def test_exporters_compactors_and_readers_go_on_meanwhile(database: Database, here: Lake) -> None:
    gone, stays = await lived(database, here), await lived(database, here)
    seen = 0

    async def exporting() -> None:
        for _ in range(6):
            await served(database, here, stays)
            await ledger.export(database, here)

    async def compacting() -> None:
        for _ in range(6):
            with suppress(LakeUnavailable):  # a source was replaced under its hands; the next call goes on
                await ledger.compact(database, here, at_least=2)

    async def reading() -> None:
        nonlocal seen
        for _ in range(6):
            items = sum(row.items for row in await ledger_query.read_totals(here, stays.account_id))
            assert items >= seen
            seen = items

    async with database.transaction() as connection:
        await purge._delete_rows(connection, gone.account_id)
    forgetting = forget(database, here, gone.account_id, slow_seconds=0.1)
    await asyncio.gather(exporting(), compacting(), reading(), forgetting)
    await ledger.export(database, here)
    await ledger.compact(database, here, at_least=2)
    [rows] = await fetch_column(database, "SELECT count(*) FROM usage WHERE account_id = :id", id=stays.account_id)
    assert sum(row.items for row in await ledger_query.read_totals(here, stays.account_id)) == rows
    assert set(await left_of(database, here, gone)) == {"accounts", "keys"}
