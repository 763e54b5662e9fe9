"""The flow `extract` as Prefect runs it: its state, its task runs, its artifact and what it bills."""

from __future__ import annotations

from typing import Any

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import ArtifactFilter
from prefect.client.schemas.objects import State

from flows.extract import extract
from pipelines.jobs import ExtractJob, Receipt
from pipelines.resources import Resources
from spatial.errors import ParseError
from tests.flows.conftest import RunFlow, recorded_task_runs
from tests.storage.actors import fetch_column
from tests.support.resources import SVG, new_job

STAGES = ("fetch", "convert", "interpret", "assemble", "meter")


def page_of(state: State[Any]) -> ArtifactFilter:
    """The page that a flow run leaves in the Prefect UI."""
    return ArtifactFilter.model_validate(
        {"flow_run_id": {"any_": [state.state_details.flow_run_id]}, "key": {"any_": ["extraction"]}}
    )


async def charges(resources: Resources, job: ExtractJob) -> list[Any]:
    """The file names that were billed under the job's operation."""
    return await fetch_column(
        resources.database, "SELECT file_name FROM usage WHERE operation_id = :id", id=job.operation_id
    )


@pytest.mark.requirement("flow.stages", "flow.artifact")
async def test_a_run_shows_its_stages_and_its_page_and_bills_once(
    run_flow: RunFlow, resources: Resources, prefect: PrefectClient
) -> None:
    job = await new_job(resources, SVG % 1)
    first, second = await run_flow(extract, job), await run_flow(extract, job)
    receipts = [Receipt.model_validate(await state.aresult()) for state in (first, second)]
    assert [receipt.charged for receipt in receipts] == [True, False]
    assert await charges(resources, job) == ["part.svg"]
    assert await resources.lake.get(receipts[0].result_key)

    shown = await recorded_task_runs(prefect, first, *(f"{stage} part.svg" for stage in STAGES))
    ended = [shown[f"{stage} part.svg"].end_time for stage in STAGES]
    assert ended == sorted(ended, key=str)
    [page] = await prefect.read_artifacts(artifact_filter=page_of(first))
    assert "part\\.svg" in str(page.data), "names are escaped"


@pytest.mark.requirement("flow.retries")
async def test_a_refused_file_fails_the_run_with_its_own_error_at_once_and_bills_nothing(
    run_flow: RunFlow, resources: Resources, prefect: PrefectClient
) -> None:
    job = await new_job(resources, b"<svg")
    state = await run_flow(extract, job)
    assert state.is_failed() and "ParseError" in str(state.message)
    with pytest.raises(ParseError):
        await state.aresult()
    shown = await recorded_task_runs(prefect, state, "convert part.svg")
    assert shown["convert part.svg"].run_count == 1, "a refused file is not tried again"
    assert await charges(resources, job) == []


@pytest.mark.requirement("flow.re-run")
async def test_a_run_whose_upload_is_gone_fails_and_says_so(run_flow: RunFlow, resources: Resources) -> None:
    state = await run_flow(extract, await new_job(resources))
    assert state.is_failed()
