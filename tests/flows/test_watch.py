"""The run of `reconcile` that a worker creates where something may have been lost."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun
from prefect.states import Completed, Pending

from flows import watch
from flows.reconcile import LOST, reconcile
from pipelines.resources import Resources
from prefect_runtime.client import PrefectApi
from storage.postgres import silent_workers, under_way
from tests.storage import batch_actors
from tests.storage.actors import customer, execute

SECONDS = 60.0


@pytest.fixture
async def api(prefect: PrefectClient, monkeypatch: pytest.MonkeyPatch) -> PrefectApi:
    """A server that knows the deployment, at the beginning of an interval."""
    flow_id = await prefect.create_flow_from_name(reconcile.name)
    await prefect.create_deployment(flow_id, watch.DEPLOYMENT.split("/")[1], entrypoint="none")
    at(monkeypatch, interval=1)
    return PrefectApi.sharing(prefect)


def at(monkeypatch: pytest.MonkeyPatch, *, interval: int) -> None:
    """Set the clock of the searches."""
    monkeypatch.setattr("flows.watch.time.time", lambda: interval * SECONDS)


async def running(api: PrefectApi) -> FlowRun:
    """A flow run of the service that has just begun and does not end."""
    state = {"type": "RUNNING", "name": "Running"}
    return FlowRun.model_validate(await api.create_run(watch.DEPLOYMENT, state=state, tags=["spatial"]))


@pytest.mark.requirement("reconcile.only-where-needed")
async def test_an_idle_service_starts_no_run_and_an_old_flow_run_that_has_not_ended_starts_one_an_interval(
    resources: Resources, prefect: PrefectClient, api: PrefectApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await watch.start_where_needed(api, SECONDS) is None
    run = await running(api)
    assert await watch.start_where_needed(api, SECONDS) is None, "it is younger than a lease"
    monkeypatch.setattr(resources, "settings", resources.settings.model_copy(update={"lease_seconds": 0.001}))
    await intervals(api, monkeypatch)
    await prefect.set_flow_run_state(run.id, Completed(), force=True)
    assert await watch.start_where_needed(api, SECONDS) is None


async def intervals(api: PrefectApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """All searches of an interval start the same run, and those of the next one another."""
    first = await watch.start_where_needed(api, SECONDS)
    assert first is not None and await watch.start_where_needed(api, SECONDS) == first
    at(monkeypatch, interval=2)
    assert await watch.start_where_needed(api, SECONDS) not in (None, first)


@pytest.mark.requirement("reconcile.only-where-needed")
async def test_a_batch_or_a_bulk_run_that_has_not_ended_starts_a_run(resources: Resources, api: PrefectApi) -> None:
    assert await watch.start_where_needed(api, SECONDS) is None
    batch_id = await batch_actors.submitted(resources.database, await customer(resources.database))
    assert await watch.start_where_needed(api, SECONDS) is not None
    await execute(resources.database, "UPDATE batches SET state = 'done' WHERE id = :id", id=batch_id)
    assert await watch.start_where_needed(api, SECONDS) is None
    await execute(resources.database, "INSERT INTO ingest_runs (id, kind, parameters) VALUES ('ir_1', 'ingest', '{}')")
    assert await watch.start_where_needed(api, SECONDS) is not None


@pytest.mark.requirement("reconcile.at-once")
async def test_a_batch_whose_worker_died_before_it_started_it_is_a_loss_and_one_that_waits_for_a_worker_is_none(
    resources: Resources, prefect: PrefectClient, api: PrefectApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "settings", resources.settings.model_copy(update={"lease_seconds": 0.001}))
    monkeypatch.setattr("flows.watch.SUBMISSION_SECONDS", 0.0)
    batch_id = await batch_actors.submitted(resources.database, await customer(resources.database))
    run = await api.create_run(watch.DEPLOYMENT, tags=["spatial"])
    await execute(
        resources.database, "UPDATE batches SET flow_run_id = :run WHERE id = :id", run=run["id"], id=batch_id
    )
    assert await watch._has_loss(api) is False, "it waits for a worker"
    await prefect.set_flow_run_state(UUID(run["id"]), Pending(), force=True)
    assert await watch._has_loss(api) is True


@pytest.mark.requirement("reconcile.at-once")
async def test_a_worker_that_a_search_found_silent_is_a_loss_as_soon_as_it_was_silent_long_enough(
    resources: Resources, api: PrefectApi
) -> None:
    database = resources.database
    await execute(database, "UPDATE batches SET state = 'done'")
    await execute(database, "DELETE FROM ingest_runs")
    assert not await under_way.is_any(database)
    async with database.transaction() as connection:
        await silent_workers.note(connection, {"killed": datetime(2026, 11, 26, 3, tzinfo=UTC)})
    assert await under_way.is_any(database), "the looks go on"
    assert await watch._has_loss(api) is False, "after an outage all are silent at first"
    for ago, is_loss in ((LOST, True), (LOST + watch.RECENT, False)):
        since = "UPDATE silent_workers SET since = clock_timestamp() - CAST(:ago AS interval)"
        await execute(database, since, ago=ago)
        assert await watch._has_loss(api) is is_loss, f"found {ago} ago"
