"""The runs that a worker creates where there is something to do."""

from __future__ import annotations

import pytest
from prefect.client.orchestration import PrefectClient

from flows.background_work import WORK, Work, start_if_needed
from flows.extract import extract
from flows.housekeeping import export_usage
from pipelines.resources import Resources
from prefect_runtime.client import PrefectApi
from storage.tables import ingest
from tests.flows.conftest import RunFlow
from tests.support.resources import SVG, new_job


def of(flow: str) -> Work:
    """When the flow of this name is started."""
    return next(work for work in WORK if work.flow == flow)


async def deploy(prefect: PrefectClient, work: Work) -> PrefectApi:
    """A server that knows the deployment of the flow."""
    flow_id = await prefect.create_flow_from_name(work.flow)
    await prefect.create_deployment(flow_id, work.flow, entrypoint="none")
    return PrefectApi.sharing(prefect)


async def aged(resources: Resources, table: str, column: str, hours: float) -> None:
    """Let every row of a table be so much older."""
    async with resources.database.transaction() as connection:
        older = f"UPDATE {table} SET {column} = {column} - interval '{hours} hours'"
        assert (await connection.exec_driver_sql(older)).rowcount


async def one_run_an_interval(api: PrefectApi, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """All looks of an interval create the same run, and those of the next one another."""
    monkeypatch.setattr("flows.background_work.time.time", lambda: 1_000 * work.seconds)
    first = await start_if_needed(api, work)
    assert first is not None and await start_if_needed(api, work) == first
    monkeypatch.setattr("flows.background_work.time.time", lambda: 1_001 * work.seconds)
    assert await start_if_needed(api, work) not in (None, first)


@pytest.mark.requirement("usage.exported-to-parquet", "housekeeping.only-where-needed")
async def test_usage_is_exported_where_rows_wait(
    run_flow: RunFlow, resources: Resources, prefect: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = of("export-usage")
    api = await deploy(prefect, work)
    await run_flow(export_usage)
    assert await start_if_needed(api, work) is None
    await run_flow(extract, await new_job(resources, SVG % 1))
    assert await start_if_needed(api, work) is None, "rows are gathered for half a minute"
    await aged(resources, "usage", "created_at", hours=0.01)
    await one_run_an_interval(api, work, monkeypatch)


@pytest.mark.requirement("housekeeping.only-where-needed")
async def test_what_is_a_day_old_is_deleted_and_an_idle_service_has_no_run(
    resources: Resources, prefect: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = of("expire")
    api = await deploy(prefect, work)
    await new_job(resources, SVG % 1)
    assert await start_if_needed(api, work) is None, "its files are kept for a day"
    await aged(resources, "operations", "created_at", hours=24.1)
    await one_run_an_interval(api, work, monkeypatch)
    await aged(resources, "operations", "created_at", hours=2)
    assert await start_if_needed(api, work) is None, "its files were deleted meanwhile"


@pytest.mark.requirement("housekeeping.only-where-needed")
async def test_tables_are_compacted_after_a_bulk_run_until_what_it_replaced_is_deleted(
    resources: Resources, prefect: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = of("compact-tables")
    api = await deploy(prefect, work)
    assert await start_if_needed(api, work) is None
    run = await ingest.open_run(resources.database, "ingest", parameters={}, total=0)
    await ingest.close_run(resources.database, resources.lake, run.id, "done")
    await one_run_an_interval(api, work, monkeypatch)
    await aged(resources, "ingest_runs", "updated_at", hours=3)
    assert await start_if_needed(api, work) is None
