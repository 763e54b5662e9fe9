"""The flow `extract-batch` as Prefect runs it: the task runs of its items, the state in which it ends, what it bills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from prefect.client.orchestration import PrefectClient

from flows.extract_batch import extract_batch
from pipelines.resources import Resources
from storage.postgres.batches import NewItem
from tests.flows.conftest import RunFlow, recorded_task_runs
from tests.flows.test_extract import STAGES
from tests.storage import batch_actors
from tests.storage.actors import customer, fetch_column
from tests.support.resources import SVG

BROKEN = b"<svg"


async def queued(resources: Resources, files: Sequence[bytes]) -> str:
    """A queued batch of drawings whose files are staged."""
    who = await customer(resources.database)
    keys = [f"staged/{who.key_id}/{index}/{index}.svg" for index in range(len(files))]
    for key, data in zip(keys, files, strict=True):
        await resources.lake.put(key, data)
    items = [NewItem(f"{index}.svg", "svg", "structured", content_key=key) for index, key in enumerate(keys)]
    return await batch_actors.submitted(resources.database, who, items)


async def billed(resources: Resources, batch_id: str) -> list[Any]:
    """The file names that the batch was billed for."""
    batch = await batch_actors.known(resources.database, batch_id)
    statement = "SELECT file_name FROM usage WHERE operation_id = :id ORDER BY file_name"
    return await fetch_column(resources.database, statement, id=batch.operation_id)


@pytest.mark.requirement("batch.stages", "batch.billed-items", "batch.done-if-any")
async def test_items_end_alone_and_the_batch_is_done_if_any_succeeded(
    run_flow: RunFlow, resources: Resources, prefect: PrefectClient
) -> None:
    batch_id = await queued(resources, [SVG % 1, BROKEN, SVG % 2])
    state = await run_flow(extract_batch, batch_id)
    assert state.is_completed()
    batch = await batch_actors.known(resources.database, batch_id)
    assert batch.state == "done" and [item.state for item in batch.items] == ["done", "failed", "done"]
    assert await billed(resources, batch_id) == ["0.svg", "2.svg"]
    expected = [f"{stage} {file}" for stage in STAGES for file in ("0.svg", "2.svg")]
    shown = await recorded_task_runs(prefect, state, *expected, "convert 1.svg")
    assert shown["convert 1.svg"].state_type == "FAILED" and "assemble 1.svg" not in shown


@pytest.mark.requirement("batch.re-run")
async def test_a_second_run_of_a_batch_that_has_ended_changes_and_bills_nothing(
    run_flow: RunFlow, resources: Resources
) -> None:
    batch_id = await queued(resources, [SVG % 1])
    await run_flow(extract_batch, batch_id)
    before = await batch_actors.version(resources.database, batch_id)
    assert (await run_flow(extract_batch, batch_id)).is_completed()
    assert await batch_actors.version(resources.database, batch_id) == before
    assert await billed(resources, batch_id) == ["0.svg"]


@pytest.mark.requirement("batch.flow-run")
async def test_a_batch_without_a_success_fails_its_run_and_an_unknown_one_too(
    run_flow: RunFlow, resources: Resources
) -> None:
    batch_id = await queued(resources, [BROKEN, BROKEN])
    state = await run_flow(extract_batch, batch_id)
    assert state.is_failed() and "0.svg: 422 parse_error" in str(state.message)
    assert await billed(resources, batch_id) == []
    assert (await run_flow(extract_batch, "cb_unknown")).is_failed()
