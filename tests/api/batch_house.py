"""What the tests of batches do with the house: submit, ask, and carry a batch as its flow run does."""

from __future__ import annotations

import base64
from typing import Any

import httpx

from flows.dispatch import ExtractJob
from pipelines import extraction
from pipelines.resources import use_resources
from spatial.contract.target import TargetContract
from spatial.errors import ParseError, SpatialError
from storage.objects import lake
from storage.postgres import batch_items, batch_runs, batches
from storage.postgres.batches import Batch
from tests.api.house import NAME, STEP, House, draft_of, headers, small_document

BATCH = "/api/v1/cad/extract/batch"
RUN = "run-1"


def item(**members: Any) -> dict[str, Any]:
    """An item of a JSON batch: members change or add to a sound one, None leaves one out."""
    said = {"file_name": NAME, "content_base64": base64.b64encode(STEP).decode(), **members}
    return {name: value for name, value in said.items() if value is not None}


async def submit(house: House, key: str | None, *items: Any, retry: str | None = None) -> httpx.Response:
    """POST a JSON batch; of two sound items, where none are given."""
    said = {"items": list(items) or [item(), item(file_name="cover.pdf")]}
    return await house.client.post(BATCH, json=said, headers=headers(key, retry))


async def submitted(house: House, key: str, *items: Any) -> str:
    """The id of a batch that was accepted."""
    answer = await submit(house, key, *items)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


async def ask(house: House, key: str | None, batch_id: str, **query: Any) -> httpx.Response:
    """GET a batch."""
    return await house.client.get(f"{BATCH}/{batch_id}", headers=headers(key), params=query)


async def stands(house: House, key: str, batch_id: str, **query: Any) -> dict[str, Any]:
    """The batch as its caller sees it."""
    answer = await ask(house, key, batch_id, **query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def known(house: House, batch_id: str) -> Batch:
    """The batch's row."""
    async with house.dispatch.database.transaction() as connection:
        batch = await batches.find(connection, batch_id)
    assert batch is not None
    return batch


async def begin(house: House, batch_id: str) -> None:
    """A flow run begins the batch."""
    async with house.dispatch.database.transaction() as connection:
        assert await batch_runs.begin(connection, batch_id, flow_run_id=RUN, lease_seconds=60)


async def start(house: House, batch_id: str, index: int) -> None:
    """An item is being worked on."""
    async with house.dispatch.database.transaction() as connection:
        assert await batch_items.start_item(connection, batch_id, index)


async def complete(house: House, batch_id: str, index: int) -> bytes:
    """An item is done; its document without usage."""
    batch = await known(house, batch_id)
    row = batch.items[index]
    job = ExtractJob(
        operation_id=batch.operation_id,
        request_id=batch.request_id,
        account_id=batch.account_id,
        key_id=batch.key_id,
        file_name=row.file_name,
        format=row.format,
        target_contract=TargetContract(row.target_contract),
        content_key=row.content_key,
        content_url=row.content_url,
        item=index,
    )
    document, key = small_document(job), lake.result_key(batch.operation_id, index)
    await house.dispatch.lake.put(key, document)
    with use_resources(house.dispatch.resources):
        _, charge = extraction.charge(job, draft_of(job, key, len(STEP), document))
    async with house.dispatch.database.transaction() as connection:
        assert await batch_items.complete_item(connection, batch_id, index, result_key=key, usage=charge)
    return document


async def fail(house: House, batch_id: str, index: int, error: SpatialError | None = None) -> None:
    """An item came to nothing."""
    failure = error or ParseError("not STEP", details={"phase": "read"})
    async with house.dispatch.database.transaction() as connection:
        assert await batch_items.fail_item(connection, batch_id, index, failure)


async def finish(house: House, batch_id: str) -> None:
    """Every item has ended."""
    async with house.dispatch.database.transaction() as connection:
        assert await batches.finish(connection, batch_id)


async def run_out(house: House, batch_id: str, since: str = "1 ms") -> None:
    """Let the batch's clock have run out so long ago, as the database sees it."""
    moved = f"UPDATE batches SET expires_at = clock_timestamp() - interval '{since}' WHERE id = '{batch_id}'"
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql(moved)


async def staged(house: House) -> list[str]:
    """Every staged file and every result of the house."""
    return [key for prefix in ("staged", "results") for key in await house.dispatch.lake.list(prefix)]
