"""Commit the outcomes of a chunk: objects are recorded as pending in Postgres, written to the lake, and made active in one transaction.

If the process is killed before that transaction, readers see no change, and the written objects are swept. If it is killed afterwards,
only the manifest is not published; the next commit, the end of the run or the compaction publishes it. Other processes may commit
between planning and activation; if the plan has changed by then, it is made and written again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.storable import storable
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_objects as objects
from storage.tables import table_store
from storage.tables.ingest.commit_records import (
    WrittenPlan,
    count_settled,
    record_documents,
    record_extractions,
    record_sources,
    record_superseded,
)
from storage.tables.ingest.commit_rows import rows_by_table, to_parquet
from storage.tables.ingest.objects import STORE, document_key, object_key
from storage.tables.ingest.plan import plan
from storage.tables.ingest.records import CommitCounts, Extracted, Failed, Outcome, Refused
from storage.tables.table_store import ObjectState, PendingObject

WRITES_AT_ONCE: Final = 16
"""Maximum number of concurrent writes to the lake."""


class _PlanOutdated(Exception):
    """Another process committed between planning and activation."""


async def commit(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> CommitCounts:
    """Write the outcomes of a chunk to the tables, all or none, and add them to the counts of the run.

    An outcome is applied if its claim is still valid and its sources have not changed since the claim; the other sources are returned as
    `fenced` and not changed.
    Raises: DatastoreUnavailable, LakeUnavailable. Call again with the same outcomes, whether or not they were committed, or leave them to
    the next run.
    """
    storable = [_make_storable(outcome) for outcome in outcomes]
    while True:
        written = await _write(database, lake, run_id, storable)
        try:
            async with database.transaction() as connection:
                committed = await _apply(connection, run_id, storable, written)
        except _PlanOutdated:
            await _abandon(database, written)
            continue
        await table_store.publish(database, lake, STORE)
        return committed


def _make_storable(outcome: Outcome) -> Outcome:
    """Replace the characters in messages that Postgres cannot store."""
    if isinstance(outcome, Failed | Refused):
        failure = outcome.failure
        return replace(outcome, failure=replace(failure, message=storable(failure.message)))
    return outcome


async def _abandon(database: Database, written: WrittenPlan) -> None:
    abandoned = objects.c.id.in_([part.id for part in written.parts.values()])
    async with database.transaction() as connection:
        await table_store.tombstone(connection, STORE, abandoned)


# Writing ------------------------------------------------------------------------------------------------------------------


async def _write(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> WrittenPlan:
    """Plan the commit and write its objects to the lake; Postgres records each object before it is written."""
    by_name = {outcome.claim.extraction_id: outcome for outcome in outcomes if isinstance(outcome, Extracted)}
    async with database.transaction() as connection:
        due = await plan(connection, outcomes)
        moment = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one().astimezone(UTC)
        read = {name: by_name[name] for name in due.extracted}
        rows = rows_by_table(due, read, moment)
        parts = await _plan_parts(connection, rows, moment.date())
        await _plan_extractions(connection, run_id, read)
    contents = await asyncio.to_thread(lambda: {table: to_parquet(table, found) for table, found in rows.items()})
    await _record_sizes(database, parts, contents)
    puts = [lake.put(parts[table].key, content) for table, content in contents.items()]
    puts += [lake.put(document_key(name), outcome.document) for name, outcome in read.items()]
    await _write_all(puts)
    return WrittenPlan(due, moment, parts, read)


async def _plan_parts(
    connection: AsyncConnection, rows: dict[str, list[dict[str, Any]]], today: date
) -> dict[str, PendingObject]:
    if not rows:
        return {}
    new = [
        {"key": object_key(table, today), "kind": "part", "table_name": table, "ingest_date": today, "rows": len(found)}
        for table, found in rows.items()
    ]
    made = sa.insert(objects).values(new).returning(objects.c.id, objects.c.key, objects.c.table_name)
    return {row.table_name: PendingObject(row.id, row.key) for row in (await connection.execute(made)).all()}


async def _plan_extractions(connection: AsyncConnection, run_id: str, read: dict[str, Extracted]) -> None:
    """Record the extractions as pending; a pending record of an earlier process is taken over."""
    if not read:
        return
    new = [
        {
            "id": name,
            "document_id": outcome.claim.document_id,
            "format": outcome.claim.format,
            "extractor_version": outcome.claim.extractor_version,
            "generation": int(name.rpartition("-")[2]),
            "result_key": document_key(name),
            "run_id": run_id,
        }
        for name, outcome in sorted(read.items())
    ]
    planned = insert(extractions).values(new)
    takeover = {"created_at": sa.func.clock_timestamp(), "run_id": planned.excluded.run_id}
    is_pending = extractions.c.state == ObjectState.PENDING
    await connection.execute(planned.on_conflict_do_update(index_elements=["id"], set_=takeover, where=is_pending))


async def _record_sizes(database: Database, parts: dict[str, PendingObject], contents: dict[str, bytes]) -> None:
    """Record the size of each object in bytes, by which compaction selects objects."""
    sizes = [{"b_id": parts[table].id, "b_bytes": len(content)} for table, content in contents.items()]
    if sizes:
        statement = sa.update(objects).where(objects.c.id == sa.bindparam("b_id")).values(bytes=sa.bindparam("b_bytes"))
        async with database.transaction() as connection:
            await connection.execute(statement, sizes)


async def _write_all(puts: Iterable[Awaitable[None]]) -> None:
    """Await all writes, at most WRITES_AT_ONCE at a time. Raises: the error of the first that failed, after all have ended."""
    slots = asyncio.Semaphore(WRITES_AT_ONCE)

    async def one(put: Awaitable[None]) -> None:
        async with slots:
            await put

    for failure in await asyncio.gather(*(one(put) for put in puts), return_exceptions=True):
        if failure is not None:
            raise failure


# Activation ---------------------------------------------------------------------------------------------------------------


async def _apply(
    connection: AsyncConnection, run_id: str, outcomes: Sequence[Outcome], written: WrittenPlan
) -> CommitCounts:
    """Activate the written objects and record the plan. Raises: _PlanOutdated if the plan has changed since it was written."""
    await table_store.lock(connection, STORE)
    due = await plan(connection, outcomes, lock=True)
    parts = [*written.parts.values()]
    if due != written.plan or (parts and len(await table_store.activate(connection, STORE, *parts)) < len(parts)):
        raise _PlanOutdated
    await record_extractions(connection, written)
    await record_documents(connection, run_id, due)
    await record_sources(connection, run_id, written)
    await record_superseded(connection, written)
    if parts:
        await table_store.add_version(connection, STORE)
    return await count_settled(connection, run_id, due)
