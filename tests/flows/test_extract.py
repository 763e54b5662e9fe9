"""The flow `extract` as Prefect runs it: its state, its task runs, its artifact and what it bills."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from prefect import get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import ArtifactFilter, FlowRunFilter
from prefect.client.schemas.objects import State

from flows.extract import extract
from pipelines.jobs import ExtractJob, Receipt
from pipelines.resources import Resources
from spatial.errors import ParseError
from tests.storage.actors import fetch_column
from tests.support.resources import SVG, new_job

pytestmark = pytest.mark.usefixtures("prefect_server")


@pytest.fixture
async def prefect() -> AsyncIterator[PrefectClient]:
    """A client of the session's Prefect server."""
    async with get_client() as client:
        yield client


async def run(job: ExtractJob) -> State[Any]:
    """The state in which a flow run of the job ends."""
    state: State[Any] = await extract(job, return_state=True)  # type: ignore[call-overload]  # of an async flow it is awaited
    return state


def of_run(state: State[Any]) -> FlowRunFilter:
    """The flow run of a state."""
    return FlowRunFilter.model_validate({"id": {"any_": [state.state_details.flow_run_id]}})


async def charges(resources: Resources, job: ExtractJob) -> list[Any]:
    """The file names that were billed under the job's operation."""
    return await fetch_column(
        resources.database, "SELECT file_name FROM usage WHERE operation_id = :id", id=job.operation_id
    )


@pytest.mark.requirement("flow.stages", "flow.artifact")
async def test_a_run_shows_its_stages_and_its_page_and_bills_once(resources: Resources, prefect: PrefectClient) -> None:
    job = await new_job(resources, SVG % 1)
    first, second = await run(job), await run(job)
    receipts = [Receipt.model_validate(await state.result()) for state in (first, second)]  # type: ignore[misc]
    assert [receipt.charged for receipt in receipts] == [True, False]
    assert await charges(resources, job) == ["part.svg"]
    assert await resources.lake.get(receipts[0].result_key)

    tasks = await prefect.read_task_runs(flow_run_filter=of_run(first))
    names = [f"{stage} part.svg" for stage in ("fetch", "convert", "interpret", "assemble", "meter")]
    assert [task.name for task in sorted(tasks, key=lambda task: task.start_time or task.created)][:5] == names  # type: ignore[return-value,arg-type]
    pages = await prefect.read_artifacts(artifact_filter=ArtifactFilter(), flow_run_filter=of_run(first))
    assert [page.key for page in pages] == ["extraction"] and "part.svg" in str(pages[0].data)


@pytest.mark.requirement("flow.retries")
async def test_a_refused_file_fails_the_run_with_its_own_error_at_once_and_bills_nothing(
    resources: Resources, prefect: PrefectClient
) -> None:
    job = await new_job(resources, b"<svg")
    state = await run(job)
    assert state.is_failed() and "ParseError" in str(state.message)
    with pytest.raises(ParseError):
        await state.result()  # type: ignore[misc]
    runs = {task.name: task.run_count for task in await prefect.read_task_runs(flow_run_filter=of_run(state))}
    assert runs["convert part.svg"] == 1, "a refused file is not tried again"
    assert await charges(resources, job) == []


@pytest.mark.requirement("flow.re-run")
async def test_a_run_whose_upload_is_gone_fails_and_says_so(resources: Resources) -> None:
    state = await run(await new_job(resources))
    assert state.is_failed()
