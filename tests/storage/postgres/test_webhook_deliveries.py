"""The outbox of notifications: what is written when a batch or an ingest run ends, and who may send it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from spatial.errors import InternalError, NotFound
from storage.objects.lake import Lake
from storage.postgres import backlog, batch_expiry, batches, webhook_deliveries, webhook_endpoints
from storage.postgres.database import Database
from storage.tables import ingest
from tests.storage import batch_actors, webhook_actors
from tests.storage.actors import Customer, customer, execute, fetch_column


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: the outbox is one for all accounts."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


async def extracted(database: Database, who: Customer) -> str:
    """A batch of two items that succeeded and one that failed, before its end."""
    batch_id = await batch_actors.running(database, who)
    for item in range(3):
        await batch_actors.started(database, batch_id, item)
    for item in range(2):
        await batch_actors.completed(database, who, batch_id, item)
    await batch_actors.failed(database, batch_id, 2)
    return batch_id


@pytest.mark.requirement("notifications.off")
async def test_without_an_endpoint_of_the_account_nothing_is_written(database: Database, who: Customer) -> None:
    other = await customer(database)
    await webhook_actors.endpoint(database, other.account_id)
    await webhook_actors.endpoint(database, None)
    assert await batch_actors.finished(database, await extracted(database, who)) == "done"
    assert await webhook_actors.deliveries(database) == []


@pytest.mark.requirement("notifications.outbox", "notifications.batch-ended")
async def test_the_end_of_a_batch_is_announced_once_to_each_endpoint(database: Database, who: Customer) -> None:
    ids = {(await webhook_actors.endpoint(database, who.account_id))[0] for _ in range(2)}
    batch_id = await extracted(database, who)
    assert await webhook_actors.deliveries(database) == []
    for _ in range(2):
        assert await batch_actors.finished(database, batch_id) == "done"
    written = await webhook_actors.deliveries(database)
    assert {one.endpoint_id for one in written} == ids and len(written) == 2
    assert {(one.event, one.state, one.attempts) for one in written} == {("batch.ended", "pending", 0)}
    [message, same] = await webhook_actors.messages(database)
    batch = await batch_actors.known(database, batch_id)
    assert message == same
    assert batch.ended_at is not None and message["data"].pop("submitted_at")
    assert message["timestamp"] == message["data"].pop("ended_at") == batch.ended_at.isoformat().replace("+00:00", "Z")
    assert message["data"] == {
        "batch_id": batch_id,
        "status": "done",
        "items": {"done": 2, "failed": 1},
        "path": f"/api/v1/cad/extract/batch/{batch_id}",
    }
    assert message["type"] == "batch.ended"


@pytest.mark.requirement("notifications.outbox")
async def test_an_end_that_is_rolled_back_announces_nothing(database: Database, who: Customer) -> None:
    await webhook_actors.endpoint(database, who.account_id)
    batch_id = await extracted(database, who)
    async with database.transaction() as connection:
        assert await batches.finish(connection, batch_id) == "done"
        await connection.rollback()
    assert (await batch_actors.known(database, batch_id)).state == "running"
    assert await webhook_actors.deliveries(database) == []


@pytest.mark.requirement("notifications.batch-ended")
async def test_every_way_in_which_a_batch_ends_is_announced_once(database: Database, who: Customer) -> None:
    await webhook_actors.endpoint(database, who.account_id)
    cancelled, given_up, expired, ended = [await batch_actors.running(database, who) for _ in range(4)]
    await batch_actors.cancelled(database, who, cancelled)
    async with database.transaction() as connection:
        await batches.give_up(connection, given_up, InternalError("it was started several times; submit it again"))
    await batch_actors.cancelled(database, who, ended)
    for batch_id in (expired, ended):
        await batch_actors.run_out(database, batch_id)
        for _ in range(2):
            async with database.transaction() as connection:
                await batch_expiry.mark_expired(connection, batch_id)
    told = [(one["data"]["batch_id"], one["data"]["status"]) for one in await webhook_actors.messages(database)]
    assert told == [(cancelled, "failed"), (given_up, "failed"), (ended, "failed"), (expired, "expired")]
    last = (await webhook_actors.messages(database))[-1]
    assert last["data"]["items"] == {"done": 0, "failed": 3}


@pytest.mark.requirement("notifications.ingest-ended")
async def test_the_end_of_an_ingest_run_goes_to_the_operator_alone(
    database: Database, here: Lake, who: Customer
) -> None:
    await webhook_actors.endpoint(database, who.account_id)
    operators, _ = await webhook_actors.endpoint(database, None)
    run = await ingest.open_run(database, "ingest", parameters={"source": "s3://b/p"}, flow_run_id="flow-1")
    await ingest.add_progress(database, run.id, total=5, skipped=1, done=3, failed=1)
    for state in ("failed", "failed"):
        await ingest.close_run(database, here, run.id, state)
    await ingest.open_run(database, "ingest", parameters={}, flow_run_id="flow-1")
    await ingest.close_run(database, here, run.id, "done")
    lost = await ingest.open_run(database, "reprocess", parameters={})
    await execute(database, "UPDATE ingest_runs SET updated_at = clock_timestamp() - interval '61 minutes'")
    await ingest.sweep(database, here)
    written = await webhook_actors.deliveries(database)
    assert [(one.event, one.endpoint_id) for one in written] == [("ingest.ended", operators)] * 3
    said: list[dict[str, Any]] = [one["data"] for one in await webhook_actors.messages(database)]
    assert [(one["run_id"], one["kind"], one["status"]) for one in said] == [
        (run.id, "ingest", "failed"),
        (run.id, "ingest", "done"),
        (lost.id, "reprocess", "lost"),
    ]
    assert said[0]["source"] == "s3://b/p" and "source" not in said[2] and "found" not in said[2]["files"]
    assert said[0]["files"] == {"found": 5, "done": 3, "failed": 1, "skipped": 1}


@pytest.mark.requirement("notifications.once")
async def test_of_many_claims_at_once_each_endpoint_gets_one(database: Database, who: Customer) -> None:
    endpoints = [(await webhook_actors.endpoint(database, who.account_id))[0] for _ in range(3)]
    for endpoint_id in endpoints * 3:
        await webhook_actors.announced(database, endpoint_id)

    async def claim() -> webhook_deliveries.Claim | None:
        async with database.transaction() as connection:
            return await webhook_deliveries.claim(connection)

    found = [claimed for claimed in await asyncio.gather(*(claim() for _ in range(12))) if claimed is not None]
    while (further := await claim()) is not None:
        found.append(further)
    assert sorted(one.endpoint_id for one in found) == sorted(endpoints)
    assert len({one.id for one in found}) == 3
    async with database.transaction() as connection:
        assert await webhook_deliveries.record(connection, found[0], webhook_deliveries.Attempt("delivered", 200))
        assert not await webhook_deliveries.record(connection, found[0], webhook_deliveries.Attempt("failed"))
    again = await claim()
    assert again is not None and again.endpoint_id == found[0].endpoint_id and again.id != found[0].id
    assert await claim() is None


@pytest.mark.requirement("notifications.once")
async def test_a_process_whose_lease_was_taken_over_records_nothing(database: Database, who: Customer) -> None:
    message_id = await webhook_actors.announced(database, (await webhook_actors.endpoint(database, who.account_id))[0])
    async with database.transaction() as connection:
        slow = await webhook_deliveries.claim(connection)
    await webhook_actors.lapse(database)
    async with database.transaction() as connection:
        other = await webhook_deliveries.claim(connection)
    assert slow is not None and other is not None and slow.id == other.id == message_id
    async with database.transaction() as connection:
        assert not await webhook_deliveries.record(connection, slow, webhook_deliveries.Attempt("failed"))
    assert (await webhook_actors.delivery(database, message_id)).state == "pending"


@pytest.mark.requirement("notifications.kept")
async def test_an_endpoint_takes_its_deliveries_along_and_deliveries_end_after_30_days(
    database: Database, who: Customer
) -> None:
    gone, stays = [(await webhook_actors.endpoint(database, who.account_id))[0] for _ in range(2)]
    for endpoint_id in (gone, stays, stays):
        await webhook_actors.announced(database, endpoint_id)
    async with database.transaction() as connection:
        await webhook_endpoints.remove(connection, gone)
        with pytest.raises(NotFound, match="spatial notifications list"):
            await webhook_endpoints.remove(connection, gone)
        with pytest.raises(NotFound):
            await webhook_endpoints.rotate(connection, gone)
    assert [one.endpoint_id for one in await webhook_actors.deliveries(database)] == [stays, stays]
    age = "UPDATE webhook_deliveries SET created_at = clock_timestamp() - interval '30 days' WHERE id = :id"
    await execute(database, age, id=(await webhook_actors.deliveries(database))[0].id)
    async with database.transaction() as connection:
        assert await webhook_deliveries.delete_old(connection) == 1
    assert len(await webhook_actors.deliveries(database)) == 1


@pytest.mark.requirement("notifications.metrics")
async def test_the_metrics_count_what_waits_what_failed_and_how_late_it_is(database: Database, who: Customer) -> None:
    async def shown() -> dict[str, Any]:
        async with database.transaction() as connection:
            return {metric.name: values for metric, values in await backlog.read(connection)}

    empty = await shown()
    assert empty["spatial_notifications"] == {("pending",): 0, ("failed",): 0}
    assert empty["spatial_notification_lag_seconds"] == {(): 0}
    endpoint_id, _ = await webhook_actors.endpoint(database, who.account_id)
    for _ in range(3):
        await webhook_actors.announced(database, endpoint_id)
    late = "UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() - interval '1 hour'"
    await execute(database, late)
    found = await shown()
    assert found["spatial_notifications"] == {("pending",): 3, ("failed",): 0}
    assert found["spatial_notification_lag_seconds"][()] >= 3600
    async with database.transaction() as connection:
        await webhook_endpoints.disable(connection, endpoint_id, "it is gone")
    assert (await shown())["spatial_notifications"] == {("pending",): 0, ("failed",): 3}
    assert await fetch_column(database, "SELECT DISTINCT problem FROM webhook_deliveries") == ["it is gone"]
