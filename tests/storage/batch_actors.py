"""What happens to batches in the tests of storage: submitted, begun, their items ended, their clocks run out."""

from __future__ import annotations

from collections.abc import Sequence

from spatial.errors import ParseError, RateLimitExceeded
from storage import ids
from storage.postgres import batch_items, batch_runs, batches, operations
from storage.postgres.batches import Batch, NewItem
from storage.postgres.database import Database
from tests.storage.actors import LEASE_SECONDS, Customer, charge, execute, fetch_column

ROUTE = "/api/v1/cad/extract/batch"
FILES = tuple(NewItem(f"part {n}.step", "step", "structured", content_key=f"staged/op/{n}/part.step") for n in range(3))
RUN = "run-1"


async def laid_down(database: Database, who: Customer, items: Sequence[NewItem] = FILES) -> str:
    """A batch that is staging: what the API does in one transaction."""
    operation_id, batch_id = operations.new_id(), ids.new("cb")
    said = {"account_id": who.account_id, "key_id": who.key_id, "request_id": f"req-{operation_id}"}
    async with database.transaction() as connection:
        await operations.open(connection, operation_id=operation_id, **said, route=ROUTE, lease_seconds=LEASE_SECONDS)
        await batches.admit(connection, batch_id=batch_id, operation_id=operation_id, **said, items=items)
    return batch_id


async def submitted(database: Database, who: Customer, items: Sequence[NewItem] = FILES) -> str:
    """The id of a queued batch, or which ceiling stood in its way."""
    try:
        batch_id = await laid_down(database, who, items)
    except RateLimitExceeded as error:
        return str((error.details or {})["ceiling"]) if error.retry_after else "without Retry-After"
    async with database.transaction() as connection:
        assert await batches.queue(connection, batch_id)
    return batch_id


async def begun(
    database: Database, batch_id: str, run: str = RUN, lease_seconds: float = LEASE_SECONDS
) -> Batch | None:
    """What the flow does first."""
    async with database.transaction() as connection:
        return await batch_runs.begin(connection, batch_id, flow_run_id=run, lease_seconds=lease_seconds)


async def running(database: Database, who: Customer, items: Sequence[NewItem] = FILES) -> str:
    """A batch that a flow run has begun."""
    batch_id = await submitted(database, who, items)
    assert await begun(database, batch_id) is not None
    return batch_id


async def started(database: Database, batch_id: str, item: int) -> bool:
    """An item is being worked on."""
    async with database.transaction() as connection:
        return await batch_items.start_item(connection, batch_id, item)


async def completed(database: Database, who: Customer, batch_id: str, item: int) -> bool:
    """An item's document lies in the lake."""
    async with database.transaction() as connection:
        batch = await batches.find(connection, batch_id)
        assert batch is not None
        usage = charge(who, batch.operation_id, item=item)
        return await batch_items.complete_item(
            connection, batch_id, item, result_key=f"results/{item}.json", usage=usage
        )


async def failed(database: Database, batch_id: str, item: int) -> bool:
    """An item could not be read."""
    async with database.transaction() as connection:
        return await batch_items.fail_item(
            connection, batch_id, item, ParseError("not\0 STEP", details={"phase": "read"})
        )


async def finished(database: Database, batch_id: str) -> str | None:
    """What the flow does last."""
    async with database.transaction() as connection:
        return await batches.finish(connection, batch_id)


async def cancelled(database: Database, who: Customer, batch_id: str) -> Batch | None:
    """What DELETE does."""
    async with database.transaction() as connection:
        return await batches.cancel(connection, batch_id, who.account_id)


async def found(database: Database, batch_id: str, who: Customer | None = None) -> Batch | None:
    """What GET reads."""
    async with database.transaction() as connection:
        return await batches.find(connection, batch_id, who.account_id if who else None)


async def known(database: Database, batch_id: str) -> Batch:
    """The batch, which is there."""
    batch = await found(database, batch_id)
    assert batch is not None
    return batch


async def version(database: Database, batch_id: str) -> int:
    """How often the batch has changed."""
    async with database.transaction() as connection:
        return (await batches.read_versions(connection, [batch_id]))[batch_id]


async def run_out(database: Database, batch_id: str, since: str = "1 ms") -> None:
    """Let the batch's clock have run out so long ago, as the database's clock sees it."""
    moved = f"UPDATE batches SET expires_at = clock_timestamp() - interval '{since}' WHERE id = :id"
    await execute(database, moved, id=batch_id)


async def age(database: Database, who: Customer, seconds: float) -> None:
    """Let a customer's batches have been submitted so much earlier."""
    moved = f"UPDATE batches SET submitted_at = submitted_at - interval '{seconds} s' WHERE key_id = :id"
    await execute(database, moved, id=who.key_id)


async def lapse(database: Database, batch_id: str) -> None:
    """Let the lease end, as the database's clock sees it."""
    ended = "UPDATE batches SET lease_until = clock_timestamp() - interval '1 ms' WHERE id = :id"
    await execute(database, ended, id=batch_id)


async def counted(database: Database, who: Customer) -> int:
    """How many batches of a customer there are."""
    return len(await fetch_column(database, "SELECT id FROM batches WHERE key_id = :id", id=who.key_id))
