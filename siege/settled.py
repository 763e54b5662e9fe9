"""What must hold of a stack once its load has ended, whatever was killed meanwhile: nothing is open, lost or left over."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from typing import Any, Final

import sqlalchemy as sa

from benchmarks.stack import Stack
from benchmarks.starvation import Starvation
from storage.objects.lake import Lake
from storage.postgres.batch_states import IN_FLIGHT
from storage.postgres.database import Database
from storage.postgres.schema import batch_items, batches, ingest_runs, operations

PATIENCE_SECONDS: Final = 180.0
"""How long what was interrupted may take to be taken up and ended."""


async def find_faults(stack: Stack) -> list[str]:
    """What is not settled, in sentences; waits until all is, as long as PATIENCE_SECONDS, longer on a busy machine."""
    database = Database(stack.addresses["database_url"])
    lake = stack.open_lake()
    try:
        began, busy = time.monotonic(), Starvation()
        while (found := [*await _unsettled(database), *await _left_over(database, lake)]) and (
            time.monotonic() - began < PATIENCE_SECONDS * busy.factor()
        ):
            await asyncio.sleep(1)
        return found
    finally:
        await lake.close()
        await database.close()


def check(stack: Stack) -> list[str]:
    """`find_faults`, for a caller without an event loop."""
    return asyncio.run(find_faults(stack))


async def _unsettled(database: Database) -> list[str]:
    """Batches, items and ingest runs that are neither done nor failed, or whose numbers do not add up."""
    async with database.transaction() as connection:
        open_batches = await connection.execute(
            sa.select(batches.c.id, batches.c.state).where(batches.c.state.in_(IN_FLIGHT))
        )
        items = await connection.execute(
            sa.select(batch_items.c.batch_id, batch_items.c.item, batch_items.c.state).where(
                batch_items.c.state.not_in(("done", "failed"))
            )
        )
        runs = await connection.execute(sa.select(ingest_runs))
        return [
            *(f"batch {one.id} is still {one.state}" for one in open_batches),
            *(f"item {one.item} of {one.batch_id} is {one.state}" for one in items),
            *(sentence for run in runs.mappings() for sentence in _of_run(dict(run))),
        ]


def _of_run(run: dict[str, Any]) -> Iterator[str]:
    settled = run["done"] + run["failed"] + run["skipped"]
    if run["state"] == "running":
        yield f"ingest run {run['id']} is still running"
    elif run["state"] == "done" and settled != run["total"]:
        yield f"ingest run {run['id']} found {run['total']} files and settled {settled}"


async def _left_over(database: Database, lake: Lake) -> list[str]:
    """Staged files of operations that do not exist: nothing would ever read them."""
    owners = {match[1] for key in await lake.list("staged") if (match := re.match(r"staged/([^/]+)/", key))}
    async with database.transaction() as connection:
        known = set((await connection.execute(sa.select(operations.c.id))).scalars())
    return [f"staged files of {owner} are left, and no operation has that id" for owner in sorted(owners - known)]
