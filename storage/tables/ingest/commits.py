"""A chunk's outcomes into the tables: objects are planned in Postgres, written to the lake, and take effect in one transaction.

Who is killed before that transaction has changed nothing that anybody sees, and what was written is swept; who is killed after it has
lost nothing but the publishing of the manifest, which the next commit, the run's end or the compaction does. Between planning and taking
effect others may commit: then the plan is not the same any more, and is made and written again.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.lake import Lake
from storage.objects.sources import file_name_of
from storage.postgres.database import Database
from storage.postgres.schema import ingest_documents as documents
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_objects as objects
from storage.postgres.schema import ingest_runs as runs
from storage.postgres.schema import ingest_sources as sources
from storage.postgres.schema import ingest_superseded as superseded
from storage.postgres.usage import to_storable
from storage.tables import table_store
from storage.tables.ingest.claims import UNCLAIMED
from storage.tables.ingest.objects import STORE, SUPERSEDED, document_key, object_key
from storage.tables.ingest.plan import Plan, Row, Settled, plan
from storage.tables.ingest.records import CommitCounts, Extracted, Failed, Failure, Outcome, Refused
from storage.tables.ledger import to_naive_utc
from storage.tables.table_store import PendingObject

WRITES_AT_ONCE: Final = 16
"""Objects on their way to the lake."""

DOCUMENTS, FAILURES = "documents", "failures"


class _Overtaken(Exception):
    """Somebody else's commit came between."""


@dataclass(frozen=True)
class _Written:
    """What of a plan lies in the lake."""

    plan: Plan
    moment: datetime
    parts: dict[str, PendingObject]
    """By table."""
    read: dict[str, Extracted]
    """By extraction."""


async def commit(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> CommitCounts:
    """Make what a chunk came to the tables' content, all of it or nothing, and count it in the run.

    An outcome counts if its claim is still good and its sources are as the claim saw them; the others are said, and change nothing.
    Raises: DatastoreUnavailable, LakeUnavailable: do it again with the same outcomes, whatever became of it; or leave it to the next run.
    """
    told = [_told(outcome) for outcome in outcomes]
    while True:
        written = await _write(database, lake, run_id, told)
        try:
            async with database.transaction() as connection:
                committed = await _take_effect(connection, run_id, told, written)
        except _Overtaken:
            await _abandon(database, written)
            continue
        await table_store.publish(database, lake, STORE)
        return committed


def _told(outcome: Outcome) -> Outcome:
    """With messages that Postgres can hold."""
    if isinstance(outcome, Failed | Refused):
        failure = outcome.failure
        return replace(outcome, failure=replace(failure, message=to_storable(failure.message)))
    return outcome


async def _abandon(database: Database, written: _Written) -> None:
    mine = objects.c.id.in_([part.id for part in written.parts.values()])
    async with database.transaction() as connection:
        await table_store.tombstone(connection, STORE, mine)


# Writing ------------------------------------------------------------------------------------------------------------------


async def _write(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> _Written:
    """Plan, and lay down what the plan needs: everything that is written is known to Postgres before."""
    by_name = {outcome.claim.extraction_id: outcome for outcome in outcomes if isinstance(outcome, Extracted)}
    async with database.transaction() as connection:
        due = await plan(connection, outcomes)
        moment = (await connection.execute(sa.select(sa.func.clock_timestamp()))).scalar_one().astimezone(UTC)
        read = {name: by_name[name] for name in due.extracted}
        rows = _rows(due, read, moment)
        parts = await _plan_parts(connection, rows, moment.date())
        await _plan_extractions(connection, run_id, read)
    contents = await asyncio.to_thread(lambda: {table: _parquet(table, found) for table, found in rows.items()})
    await _sized(database, parts, contents)
    puts = [lake.put(parts[table].key, content) for table, content in contents.items()]
    puts += [lake.put(document_key(name), outcome.document) for name, outcome in read.items()]
    await _gathered(puts)
    return _Written(due, moment, parts, read)


def _rows(due: Plan, read: dict[str, Extracted], moment: datetime) -> dict[str, list[dict[str, Any]]]:
    """Rows of the objects to be written, by table; tables without rows are not there."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in sorted(read):
        for table, facts in read[name].rows.items():
            if table != DOCUMENTS:
                rows[table] += [dict(fact) for fact in facts]
    for one in due.settled.values():
        if one.document_row is not None and one.document_row.object_id is None:
            rows[DOCUMENTS].append(_document_row(due, read, one, one.document_row, moment))
        if one.failure_row is not None and one.failure_row.object_id is None:
            rows[FAILURES].append(_failure_row(one, one.failure_row, moment))
    rows[SUPERSEDED] = [{"id": name} for name, where in sorted(due.superseded.items()) if where]
    return {table: found for table, found in rows.items() if found}


def _document_row(due: Plan, read: dict[str, Extracted], one: Settled, row: Row, moment: datetime) -> dict[str, Any]:
    name = str(one.verdict.extraction_id)
    if name in read:
        told, version = _summary(read[name]), read[name].claim.extractor_version
    else:
        told, version = due.known[name].summary, due.known[name].extractor_version
    return {
        **told,
        **_place(one, row, moment),
        "extraction_id": name,
        "size": one.found.size,
        "modified_at": to_naive_utc(one.found.modified_at),
        "extractor_version": version,
        "result_key": document_key(name),
    }


def _summary(outcome: Extracted) -> dict[str, Any]:
    """What the document tells of itself, the same for all its sources."""
    [told] = outcome.rows[DOCUMENTS]
    return {column: to_storable(value) for column, value in told.items()}


def _failure_row(one: Settled, row: Row, moment: datetime) -> dict[str, Any]:
    failure = one.verdict.failure
    assert failure is not None, "a row is issued for a failure only"
    return {**_place(one, row, moment), **asdict(failure), "extractor_version": one.verdict.extractor_version}


def _place(one: Settled, row: Row, moment: datetime) -> dict[str, Any]:
    return {
        "row_id": row.id,
        "document_id": one.document_id,
        "source_uri": one.found.uri,
        "file_name": to_storable(file_name_of(one.found.uri)),
        "format": one.format,
        "ingested_at": to_naive_utc(moment),
    }


def _parquet(table: str, rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa

    from storage.tables import row_mapping  # pyarrow, which not everybody who imports this needs

    if table == SUPERSEDED:
        return table_store.to_parquet(pa.Table.from_pylist(rows, schema=row_mapping.SUPERSEDED_SCHEMA))
    return table_store.to_parquet(row_mapping.table_of(table, rows))


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
    """One that somebody planned before, and did not live to see, is planned anew."""
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
    anew = {"created_at": sa.func.clock_timestamp(), "run_id": planned.excluded.run_id}
    still = extractions.c.state == "planned"
    await connection.execute(planned.on_conflict_do_update(index_elements=["id"], set_=anew, where=still))


async def _sized(database: Database, parts: dict[str, PendingObject], contents: dict[str, bytes]) -> None:
    """Compaction merges by bytes."""
    sizes = [{"b_id": parts[table].id, "b_bytes": len(content)} for table, content in contents.items()]
    if sizes:
        told = sa.update(objects).where(objects.c.id == sa.bindparam("b_id")).values(bytes=sa.bindparam("b_bytes"))
        async with database.transaction() as connection:
            await connection.execute(told, sizes)


async def _gathered(puts: Iterable[Awaitable[None]]) -> None:
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
    connection: AsyncConnection, run_id: str, outcomes: Sequence[Outcome], written: _Written
) -> CommitCounts:
    await table_store.lock(connection, STORE)
    due = await plan(connection, outcomes, lock=True)
    parts = [*written.parts.values()]
    if due != written.plan or (parts and len(await table_store.activate(connection, STORE, *parts)) < len(parts)):
        raise _Overtaken
    await _record_extractions(connection, written)
    await _record_documents(connection, run_id, due)
    await _record_sources(connection, run_id, written)
    await _record_superseded(connection, written)
    if parts:
        await table_store.add_version(connection, STORE)
    return await _counted(connection, run_id, due)


async def _record_extractions(connection: AsyncConnection, written: _Written) -> None:
    live = [
        {
            "b_id": name,
            "b_summary": _summary(outcome),
            "b_objects": [
                written.parts[table].id for table, rows in outcome.rows.items() if rows and table != DOCUMENTS
            ],
        }
        for name, outcome in written.read.items()
    ]
    if live:
        becomes = sa.update(extractions).where(extractions.c.id == sa.bindparam("b_id"))
        told = {
            "summary": sa.bindparam("b_summary", type_=extractions.c.summary.type),
            "objects": sa.bindparam("b_objects", type_=extractions.c.objects.type),
        }
        await connection.execute(becomes.values(state="live", ingested_at=written.moment, **told), live)
    if written.plan.retired:
        gone = sa.update(extractions).where(extractions.c.id.in_(written.plan.retired))
        await connection.execute(gone.values(state="retired", retired_at=sa.func.clock_timestamp()))


async def _record_documents(connection: AsyncConnection, run_id: str, due: Plan) -> None:
    now = sa.func.clock_timestamp()
    one = sa.and_(documents.c.document_id == sa.bindparam("b_document"), documents.c.format == sa.bindparam("b_format"))
    judged = [
        {
            "b_document": document_id,
            "b_format": format_name,
            "b_state": verdict.state,
            "b_version": verdict.extractor_version,
            "b_extraction": verdict.extraction_id,
            "b_failure": _json(verdict.failure),
        }
        for (document_id, format_name), verdict in sorted(due.verdicts.items())
    ]
    if judged:
        values = {
            "state": sa.bindparam("b_state"),
            "extractor_version": sa.bindparam("b_version"),
            "extraction_id": sa.bindparam("b_extraction"),
            "failure": sa.bindparam("b_failure", type_=documents.c.failure.type),
        }
        settled = {"settled_run": run_id, "settled_at": now, **UNCLAIMED}
        await connection.execute(sa.update(documents).where(one).values(**values, **settled), judged)
    if due.orphans:
        fresh = {
            "state": "new",
            "extractor_version": None,
            "extraction_id": None,
            "failure": None,
            "settled_run": None,
        }
        left = [
            {"b_document": document_id, "b_format": format_name} for document_id, format_name in sorted(due.orphans)
        ]
        await connection.execute(sa.update(documents).where(one).values(**fresh), left)
    if due.released:
        mine = sa.update(documents).where(documents.c.claim_token.in_(due.released))
        await connection.execute(mine.values(**UNCLAIMED))


def _json(failure: Failure | None) -> Any:
    return asdict(failure) if failure is not None else None


async def _record_sources(connection: AsyncConnection, run_id: str, written: _Written) -> None:
    rows = [_source_row(one, written.parts) for one in written.plan.settled.values()]
    if not rows:
        return
    settled = insert(sources).values(run_id=run_id, settled_at=sa.func.clock_timestamp())
    changed = {column.name: settled.excluded[column.name] for column in sources.c if column.name != "uri"}
    await connection.execute(settled.on_conflict_do_update(index_elements=["uri"], set_=changed), rows)


def _source_row(one: Settled, parts: dict[str, PendingObject]) -> dict[str, Any]:
    return {
        "uri": one.found.uri,
        "revision": one.revision,
        "issued": one.issued,
        "size": one.found.size,
        "etag": one.found.etag,
        "modified_at": one.found.modified_at,
        "format": one.format,
        "document_id": one.document_id,
        "extractor_version": one.verdict.extractor_version,
        "state": one.state,
        "extraction_id": one.verdict.extraction_id,
        "failure": asdict(one.verdict.failure) if one.verdict.failure else None,
        "document_row": one.document_row.id if one.document_row else None,
        "document_object": _object(one.document_row, parts, DOCUMENTS),
        "failure_row": one.failure_row.id if one.failure_row else None,
        "failure_object": _object(one.failure_row, parts, FAILURES),
    }


def _object(row: Row | None, parts: dict[str, PendingObject], table: str) -> int | None:
    if row is None:
        return None
    return row.object_id if row.object_id is not None else parts[table].id


async def _record_superseded(connection: AsyncConnection, written: _Written) -> None:
    """Where the rows are now that readers leave out: compaction may have moved them since they were written."""
    if SUPERSEDED not in written.parts:
        return
    where = written.plan.superseded
    now = await _moved(connection, {object_id for ids in where.values() for object_id in ids})
    listed = written.parts[SUPERSEDED].id
    held = {(name, now[one]) for name, ids in where.items() for one in ids if one in now}
    if held:
        rows = [{"id": name, "object_id": object_id, "listed_in": listed} for name, object_id in sorted(held)]
        await connection.execute(sa.insert(superseded), rows)
    await retire_spent(connection)


async def _moved(connection: AsyncConnection, written_into: set[int]) -> dict[int, int]:
    """The live object that has the rows of each object now; none where all its rows are gone."""
    start = sa.select(objects.c.id.label("start"), objects.c.id.label("id")).where(objects.c.id.in_(written_into))
    chain = start.cte("chain", recursive=True)
    further = sa.select(chain.c.start, objects.c.merged_into).join(objects, objects.c.id == chain.c.id)
    chain = chain.union_all(further.where(objects.c.merged_into.is_not(None), objects.c.state != "live"))
    ends = (
        sa.select(chain.c.start, chain.c.id).join(objects, objects.c.id == chain.c.id).where(objects.c.state == "live")
    )
    return {row.start: row.id for row in (await connection.execute(ends)).all()}


async def retire_spent(connection: AsyncConnection) -> int:
    """Lists of ids that no live object has rows of any more; how many. Call under the shelf's lock."""
    needed = sa.select(superseded.c.id).where(superseded.c.listed_in == objects.c.id).exists()
    spent = sa.and_(objects.c.table_name == SUPERSEDED, objects.c.state == "live", ~needed)
    return await table_store.tombstone(connection, STORE, spent)


async def _counted(connection: AsyncConnection, run_id: str, due: Plan) -> CommitCounts:
    ours = [one for one in due.settled.values() if one.ours]
    news = [one.verdict.failure is None for one in ours if one.before is None]
    unchanged = [one.verdict.failure is None for one in ours if one.before not in (None, run_id)]
    done, failed = sum(news), len(news) - sum(news)
    more = {"done": done, "failed": failed, "skipped": len(unchanged)}
    counts = {name: runs.c[name] + number for name, number in more.items()}
    counted = sa.update(runs).where(runs.c.id == run_id).values(updated_at=sa.func.clock_timestamp(), **counts)
    await connection.execute(counted)
    before = [*due.there.values()] + [one.verdict.failure is None for one in ours if one.before == run_id]
    return CommitCounts(
        done + sum(before),
        failed + len(before) - sum(before),
        len(unchanged),
        len(unchanged) - sum(unchanged),
        tuple(sorted(due.fenced)),
    )
