"""The flow `extract-batch` as Prefect runs it: the task runs of its items, the state in which it ends, what it bills."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from prefect import get_client
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import State

from flows.extract_batch import extract_batch
from pipelines.resources import Resources
from storage.postgres.batches import NewItem
from tests.flows.test_extract import of_run
from tests.storage import batch_actors
from tests.storage.actors import customer, fetch_column
from tests.support.resources import SVG

pytestmark = pytest.mark.usefixtures("prefect_server")

BROKEN = b"<svg"
STAGES = ("fetch", "convert", "interpret", "assemble")


@pytest.fixture
async def prefect() -> AsyncIterator[PrefectClient]:
    """A client of the session's Prefect server."""
    async with get_client() as client:
        yield client


async def queued(resources: Resources, files: Sequence[bytes]) -> str:
    """A queued batch of drawings whose files are staged."""
    who = await customer(resources.database)
    keys = [f"staged/{who.key_id}/{index}/{index}.svg" for index in range(len(files))]
    for key, data in zip(keys, files, strict=True):
        await resources.lake.put(key, data)
    items = [NewItem(f"{index}.svg", "svg", "structured", content_key=key) for index, key in enumerate(keys)]
    return await batch_actors.submitted(resources.database, who, items)


async def run(batch_id: str) -> State[Any]:
    """The state in which a flow run of the batch ends."""
    state: State[Any] = await extract_batch(batch_id, return_state=True)  # type: ignore[call-overload]  # awaited as an async flow
    return state


async def billed(resources: Resources, batch_id: str) -> list[Any]:
    """The file names that the batch was billed for."""
    batch = await batch_actors.known(resources.database, batch_id)
    statement = "SELECT file_name FROM usage WHERE operation_id = :id ORDER BY file_name"
    return await fetch_column(resources.database, statement, id=batch.operation_id)


@pytest.mark.requirement("batch.stages", "batch.billed-items", "batch.done-if-any")
async def test_items_end_alone_and_the_batch_is_done_if_any_succeeded(
    resources: Resources, prefect: PrefectClient
) -> None:
    batch_id = await queued(resources, [SVG % 1, BROKEN, SVG % 2])
    state = await run(batch_id)
    assert state.is_completed()
    batch = await batch_actors.known(resources.database, batch_id)
    assert batch.state == "done" and [item.state for item in batch.items] == ["done", "failed", "done"]
    assert await billed(resources, batch_id) == ["0.svg", "2.svg"]
    shown = {task.name: task.state_type for task in await prefect.read_task_runs(flow_run_filter=of_run(state))}
    assert {f"{stage} {file}" for stage in STAGES for file in ("0.svg", "2.svg")} <= shown.keys()
    assert shown["convert 1.svg"] == "FAILED" and "assemble 1.svg" not in shown


@pytest.mark.requirement("batch.re-run")
async def test_a_second_run_of_a_batch_that_has_ended_changes_and_bills_nothing(resources: Resources) -> None:
    batch_id = await queued(resources, [SVG % 1])
    await run(batch_id)
    before = await batch_actors.version(resources.database, batch_id)
    assert (await run(batch_id)).is_completed()
    assert await batch_actors.version(resources.database, batch_id) == before
    assert await billed(resources, batch_id) == ["0.svg"]


@pytest.mark.requirement("batch.flow-run")
async def test_a_batch_without_a_success_fails_its_run_and_an_unknown_one_too(resources: Resources) -> None:
    batch_id = await queued(resources, [BROKEN, BROKEN])
    state = await run(batch_id)
    assert state.is_failed() and "2 items" in str(state.message)
    assert await billed(resources, batch_id) == []
    assert (await run("cb_unknown")).is_failed()
