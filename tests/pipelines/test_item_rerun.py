"""Which items `extract-item` takes, and what it refuses; how often it bills."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipelines import item_rerun
from pipelines.item_rerun import Repeated
from pipelines.jobs import Draft
from pipelines.resources import Resources, open_resources, use_resources
from spatial.errors import InvalidRequest, NotFound
from storage import settings
from storage.postgres import batches
from tests.storage import batch_actors
from tests.storage.actors import customer, execute


@pytest.fixture
async def resources(tmp_path: Path, postgres_url: str) -> AsyncIterator[Resources]:
    """The module's database and a lake of the test's own."""
    chosen = settings.load(home=tmp_path, database_url=postgres_url)
    async with open_resources(chosen) as opened:
        with use_resources(opened):
            yield opened


async def ended_batch(resources: Resources) -> str:
    """A batch of three whose item 0 succeeded; the staged file of item 2 is deleted."""
    who = await customer(resources.database)
    batch_id = await batch_actors.running(resources.database, who)
    assert await batch_actors.completed(resources.database, who, batch_id, 0)
    for item in (1, 2):
        assert await batch_actors.failed(resources.database, batch_id, item)
    assert await batch_actors.finished(resources.database, batch_id) == "done"
    await resources.lake.put("staged/op/1/part.step", b"ISO-10303-21;")
    return batch_id


@pytest.mark.requirement("batch.extract-item-refused")
@pytest.mark.parametrize(
    ("item", "error", "message"),
    [
        (0, InvalidRequest, "item 0 of cb_.* is done, and only failed items"),
        (3, NotFound, "has no item 3; choose one from 0 to 2"),
        (-1, NotFound, "has no item -1"),
        (2, NotFound, "the staged file of item 2 of cb_.* is deleted"),
    ],
)
async def test_an_item_that_cannot_be_extracted_again_is_refused(
    resources: Resources, item: int, error: type[Exception], message: str
) -> None:
    batch_id = await ended_batch(resources)
    with pytest.raises(error, match=message):
        await item_rerun.job_of_failed_item(batch_id, item)


@pytest.mark.requirement("batch.extract-item-refused")
async def test_a_batch_that_is_unknown_under_way_or_expired_is_refused(resources: Resources) -> None:
    with pytest.raises(NotFound, match="there is no batch cb_unknown"):
        await item_rerun.job_of_failed_item("cb_unknown", 0)
    running = await batch_actors.running(resources.database, await customer(resources.database))
    with pytest.raises(InvalidRequest, match="is running; extract its failed items again after it has ended"):
        await item_rerun.job_of_failed_item(running, 1)
    expired = await ended_batch(resources)
    await execute(resources.database, "UPDATE batches SET expires_at = clock_timestamp() WHERE id = :id", id=expired)
    with pytest.raises(NotFound, match="has expired and its files are deleted"):
        await item_rerun.job_of_failed_item(expired, 1)


@pytest.mark.requirement("batch.rerun")
async def test_every_failed_item_is_extracted_again_but_none_that_its_caller_cancelled(resources: Resources) -> None:
    batch_id = await ended_batch(resources)
    assert [row.item for row in await item_rerun.failed_items(batch_id)] == [1, 2]
    who = await customer(resources.database)
    cancelled = await batch_actors.running(resources.database, who)
    with pytest.raises(InvalidRequest, match="is running"):
        await item_rerun.failed_items(cancelled)
    async with resources.database.transaction() as connection:
        await batches.cancel(connection, cancelled, who.account_id)
    assert await item_rerun.failed_items(cancelled) == []
    with pytest.raises(NotFound, match="there is no batch cb_unknown"):
        await item_rerun.failed_items("cb_unknown")


@pytest.mark.requirement("batch.rerun")
async def test_an_item_that_an_earlier_run_extracted_is_not_extracted_again(resources: Resources) -> None:
    job = await item_rerun.job_of_failed_item(await ended_batch(resources), 1)
    assert await item_rerun.earlier_result(job) is None
    draft = Draft(
        result_key=job.result_key, source_format="step", input_bytes=8, output_bytes=80, summary=[], warnings=[]
    )
    await item_rerun.meter(job, draft)
    assert await item_rerun.earlier_result(job) is None, "its document has expired"
    await resources.lake.put(job.result_key, b"{}")
    assert await item_rerun.earlier_result(job) == Repeated(job.result_key, charged=False)


@pytest.mark.requirement("batch.extract-item")
async def test_a_repeated_item_is_billed_once_under_an_operation_of_its_own(resources: Resources) -> None:
    batch_id = await ended_batch(resources)
    before = await batch_actors.known(resources.database, batch_id)
    jobs = [await item_rerun.job_of_failed_item(batch_id, 1) for _ in range(2)]
    assert jobs[0] == jobs[1] and jobs[0].operation_id != before.operation_id
    draft = Draft(
        result_key=jobs[0].result_key, source_format="step", input_bytes=8, output_bytes=80, summary=[], warnings=[]
    )
    assert [(await item_rerun.meter(job, draft)).charged for job in jobs] == [True, False]
    async with resources.database.transaction() as connection:
        rows = sa.text("SELECT count(*) FROM usage WHERE operation_id = :id")
        assert (await connection.execute(rows, {"id": jobs[0].operation_id})).scalar_one() == 1
    assert await batch_actors.known(resources.database, batch_id) == before
