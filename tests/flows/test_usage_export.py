"""The run of `export-usage` that a worker creates where usage rows wait."""

from __future__ import annotations

import pytest
from prefect.client.orchestration import PrefectClient

from flows import usage_export
from flows.extract import extract
from flows.housekeeping import export_usage
from pipelines.resources import Resources
from prefect_runtime.client import PrefectApi
from tests.flows.conftest import RunFlow
from tests.support.resources import SVG, new_job


@pytest.mark.requirement("usage.exported-to-parquet")
async def test_workers_create_one_run_a_minute_where_usage_rows_wait_and_none_else(
    run_flow: RunFlow, resources: Resources, prefect: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    flow_id = await prefect.create_flow_from_name(export_usage.name)
    await prefect.create_deployment(flow_id, usage_export.DEPLOYMENT.split("/")[1], entrypoint="none")
    monkeypatch.setattr("flows.usage_export.time.time", lambda: 1_000_000.0)
    await run_flow(export_usage)
    assert await usage_export.start_if_rows_wait(PrefectApi.sharing(prefect)) is None
    await run_flow(extract, await new_job(resources, SVG % 1))
    first = await usage_export.start_if_rows_wait(PrefectApi.sharing(prefect))
    assert first is not None and await usage_export.start_if_rows_wait(PrefectApi.sharing(prefect)) == first
    monkeypatch.setattr("flows.usage_export.time.time", lambda: 1_000_060.0)
    assert await usage_export.start_if_rows_wait(PrefectApi.sharing(prefect)) not in (None, first)
