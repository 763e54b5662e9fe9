"""The housekeeping flows as Prefect runs them."""

from __future__ import annotations

from typing import Any

import pytest
from prefect import Flow

from flows.extract import extract
from flows.housekeeping import compact_tables, compact_usage, expire, export_usage
from pipelines.resources import Resources
from storage.postgres.advisory_lock import advisory_lock
from storage.tables.query import query
from tests.flows.conftest import RunFlow
from tests.flows.test_extract_batch import queued
from tests.storage import batch_actors
from tests.support.resources import SVG, new_job


async def returned(run_flow: RunFlow, flow: Flow[..., Any]) -> Any:
    """What a run of a flow without parameters returns."""
    return await (await run_flow(flow)).aresult()


@pytest.mark.requirement("usage.exported-to-parquet")
async def test_usage_is_exported_once_and_can_be_queried(run_flow: RunFlow, resources: Resources) -> None:
    job = await new_job(resources, SVG % 1)
    await run_flow(extract, job)
    assert await returned(run_flow, export_usage) >= 1
    assert await returned(run_flow, export_usage) == 0
    await run_flow(compact_usage)
    count = "SELECT count(*) AS n FROM usage WHERE operation_id = $id"
    assert await query(resources.lake, count, {"id": job.operation_id}) == [{"n": 1}]


@pytest.mark.requirement("batch.retention", "retention.expires-by-schedule")
async def test_files_and_results_of_an_expired_batch_are_deleted(run_flow: RunFlow, resources: Resources) -> None:
    batch_id = await queued(resources, [SVG % 1])
    batch = await batch_actors.known(resources.database, batch_id)
    await resources.lake.put(f"results/{batch.operation_id}/0.json", b"{}")
    assert (await returned(run_flow, expire))["batches"] == 0
    await batch_actors.run_out(resources.database, batch_id)
    assert (await returned(run_flow, expire))["batches"] == 1
    assert await resources.lake.list(f"results/{batch.operation_id}") == []
    assert (await returned(run_flow, expire))["batches"] == 0


@pytest.mark.requirement("retention.expires-by-schedule")
@pytest.mark.parametrize("flow", [expire, compact_tables, compact_usage, export_usage], ids=lambda flow: str(flow.name))
async def test_a_second_run_at_the_same_time_does_nothing(run_flow: RunFlow, resources: Resources, flow: Any) -> None:
    async with advisory_lock(resources.database, flow.name) as only:
        assert only
        assert not await returned(run_flow, flow)
