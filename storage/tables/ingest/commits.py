"""A chunk's outcomes into the tables: objects are planned in Postgres, written to the lake, and take effect in one transaction.

Who is killed before that transaction has changed nothing that anybody sees, and what was written is swept; who is killed after it has
lost nothing but the publishing of the manifest, which the next commit, the run's end or the compaction does. Between planning and taking
effect others may commit: then the plan is not the same any more, and is made and written again.
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

from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_objects as objects
from storage.postgres.usage import to_storable
from storage.tables import table_store
from storage.tables.ingest.commit_records import (
    Written,
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
"""Objects on their way to the lake."""


class _Overtaken(Exception):
    """Somebody else's commit came between."""


async def commit(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> CommitCounts:
    """Make what a chunk came to the tables' content, all of it or nothing, and count it in the run.

    An outcome counts if its claim is still good and its sources are as the claim saw them; the others are said, and change nothing.
    Raises: DatastoreUnavailable, LakeUnavailable: do it again with the same outcomes, whatever became of it; or leave it to the next run.
    """
    storable = [_fit_for_postgres(outcome) for outcome in outcomes]
    while True:
        written = await _write(database, lake, run_id, storable)
        try:
            async with database.transaction() as connection:
                committed = await _take_effect(connection, run_id, storable, written)
        except _Overtaken:
            await _abandon(database, written)
            continue
        await table_store.publish(database, lake, STORE)
        return committed


def _fit_for_postgres(outcome: Outcome) -> Outcome:
    """With messages that Postgres can hold."""
    if isinstance(outcome, Failed | Refused):
        failure = outcome.failure
        return replace(outcome, failure=replace(failure, message=to_storable(failure.message)))
    return outcome


async def _abandon(database: Database, written: Written) -> None:
    mine = objects.c.id.in_([part.id for part in written.parts.values()])
    async with database.transaction() as connection:
        await table_store.tombstone(connection, STORE, mine)


# Writing ------------------------------------------------------------------------------------------------------------------


async def _write(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> Written:
    """Plan, and lay down what the plan needs: everything that is written is known to Postgres before."""
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
    return Written(due, moment, parts, read)


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
    """Plan the extractions; one that an earlier process planned and did not complete is planned again."""
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
    renewed = {"created_at": sa.func.clock_timestamp(), "run_id": planned.excluded.run_id}
    still = extractions.c.state == ObjectState.PENDING
    await connection.execute(planned.on_conflict_do_update(index_elements=["id"], set_=renewed, where=still))


async def _record_sizes(database: Database, parts: dict[str, PendingObject], contents: dict[str, bytes]) -> None:
    """Compaction merges by bytes."""
    sizes = [{"b_id": parts[table].id, "b_bytes": len(content)} for table, content in contents.items()]
    if sizes:
        statement = sa.update(objects).where(objects.c.id == sa.bindparam("b_id")).values(bytes=sa.bindparam("b_bytes"))
        async with database.transaction() as connection:
            await connection.execute(statement, sizes)


async def _write_all(puts: Iterable[Awaitable[None]]) -> None:
    """All of them, not all at once; the first that fails is the error, and the others are waited for."""
    free = asyncio.Semaphore(WRITES_AT_ONCE)

    async def one(put: Awaitable[None]) -> None:
        async with free:
            await put

    for failure in await asyncio.gather(*(one(put) for put in puts), return_exceptions=True):
        if failure is not None:
            raise failure


# Taking effect ------------------------------------------------------------------------------------------------------------


async def _take_effect(
    connection: AsyncConnection, run_id: str, outcomes: Sequence[Outcome], written: Written
) -> CommitCounts:
    await table_store.lock(connection, STORE)
    due = await plan(connection, outcomes, lock=True)
    parts = [*written.parts.values()]
    if due != written.plan or (parts and len(await table_store.activate(connection, STORE, *parts)) < len(parts)):
        raise _Overtaken
    await record_extractions(connection, written)
    await record_documents(connection, run_id, due)
    await record_sources(connection, run_id, written)
    await record_superseded(connection, written)
    if parts:
        await table_store.add_version(connection, STORE)
    return await count_settled(connection, run_id, due)
