"""The statements by which a commit records its changes in Postgres."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.postgres.schema import ingest_documents as documents
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_objects as objects
from storage.postgres.schema import ingest_runs as runs
from storage.postgres.schema import ingest_sources as sources
from storage.postgres.schema import ingest_superseded as superseded
from storage.tables import table_store
from storage.tables.ingest.claims import UNCLAIMED
from storage.tables.ingest.commit_rows import DOCUMENTS, FAILURES, summary_of
from storage.tables.ingest.objects import STORE, SUPERSEDED
from storage.tables.ingest.plan_records import Plan, Row, SourceUpdate
from storage.tables.ingest.records import CommitCounts, Extracted, Failure
from storage.tables.table_store import ObjectState, PendingObject


@dataclass(frozen=True)
class WrittenPlan:
    """A plan whose objects have been written to the lake."""

    plan: Plan
    moment: datetime
    parts: dict[str, PendingObject]
    """Object of new rows, by table."""
    read: dict[str, Extracted]
    """New extractions, by id."""


async def record_extractions(connection: AsyncConnection, written: WrittenPlan) -> None:
    """Activate the extractions that were written; tombstone those that they replace."""
    activated = [
        {
            "b_id": name,
            "b_summary": summary_of(outcome),
            "b_objects": [
                written.parts[table].id for table, rows in outcome.rows.items() if rows and table != DOCUMENTS
            ],
        }
        for name, outcome in written.read.items()
    ]
    if activated:
        update = sa.update(extractions).where(extractions.c.id == sa.bindparam("b_id"))
        values = {
            "summary": sa.bindparam("b_summary", type_=extractions.c.summary.type),
            "objects": sa.bindparam("b_objects", type_=extractions.c.objects.type),
        }
        await connection.execute(
            update.values(state=ObjectState.ACTIVE, ingested_at=written.moment, **values), activated
        )
    if written.plan.retired:
        replaced = sa.update(extractions).where(extractions.c.id.in_(written.plan.retired))
        await connection.execute(replaced.values(state=ObjectState.TOMBSTONED, retired_at=sa.func.clock_timestamp()))


async def record_documents(connection: AsyncConnection, run_id: str, due: Plan) -> None:
    """Record the verdict on each document, reset documents without sources, and release the claims."""
    now = sa.func.clock_timestamp()
    one = sa.and_(documents.c.document_id == sa.bindparam("b_document"), documents.c.format == sa.bindparam("b_format"))
    updates = [
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
    if updates:
        values = {
            "state": sa.bindparam("b_state"),
            "extractor_version": sa.bindparam("b_version"),
            "extraction_id": sa.bindparam("b_extraction"),
            "failure": sa.bindparam("b_failure", type_=documents.c.failure.type),
        }
        settled = {"settled_run": run_id, "settled_at": now, **UNCLAIMED}
        await connection.execute(sa.update(documents).where(one).values(**values, **settled), updates)
    if due.orphans:
        initial = {
            "state": "new",
            "extractor_version": None,
            "extraction_id": None,
            "failure": None,
            "settled_run": None,
        }
        orphans = [
            {"b_document": document_id, "b_format": format_name} for document_id, format_name in sorted(due.orphans)
        ]
        await connection.execute(sa.update(documents).where(one).values(**initial), orphans)
    if due.released:
        released = sa.update(documents).where(documents.c.claim_token.in_(due.released))
        await connection.execute(released.values(**UNCLAIMED))


def _json(failure: Failure | None) -> Any:
    return asdict(failure) if failure is not None else None


async def record_sources(connection: AsyncConnection, run_id: str, written: WrittenPlan) -> None:
    """Insert or replace the rows of the settled sources."""
    rows = [_source_row(one, written.parts) for one in written.plan.settled.values()]
    if not rows:
        return
    settled = insert(sources).values(run_id=run_id, settled_at=sa.func.clock_timestamp())
    changed = {column.name: settled.excluded[column.name] for column in sources.c if column.name != "uri"}
    await connection.execute(settled.on_conflict_do_update(index_elements=["uri"], set_=changed), rows)


def _source_row(one: SourceUpdate, parts: dict[str, PendingObject]) -> dict[str, Any]:
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
        "document_object": _object_id(one.document_row, parts, DOCUMENTS),
        "failure_row": one.failure_row.id if one.failure_row else None,
        "failure_object": _object_id(one.failure_row, parts, FAILURES),
    }


def _object_id(row: Row | None, parts: dict[str, PendingObject], table: str) -> int | None:
    if row is None:
        return None
    return row.object_id if row.object_id is not None else parts[table].id


async def record_superseded(connection: AsyncConnection, written: WrittenPlan) -> None:
    """Record which active objects contain superseded rows: compaction may have moved the rows since they were written."""
    if SUPERSEDED not in written.parts:
        return
    locations = written.plan.superseded
    current = await _find_current_objects(connection, {object_id for ids in locations.values() for object_id in ids})
    listed = written.parts[SUPERSEDED].id
    pairs = {(name, current[one]) for name, ids in locations.items() for one in ids if one in current}
    if pairs:
        rows = [{"id": name, "object_id": object_id, "listed_in": listed} for name, object_id in sorted(pairs)]
        await connection.execute(sa.insert(superseded), rows)
    await tombstone_spent(connection)


async def _find_current_objects(connection: AsyncConnection, written_into: set[int]) -> dict[int, int]:
    """The active object that contains the rows of each object; objects whose rows were all deleted are omitted."""
    start = sa.select(objects.c.id.label("start"), objects.c.id.label("id")).where(objects.c.id.in_(written_into))
    chain = start.cte("chain", recursive=True)
    further = sa.select(chain.c.start, objects.c.merged_into).join(objects, objects.c.id == chain.c.id)
    chain = chain.union_all(further.where(objects.c.merged_into.is_not(None), objects.c.state != ObjectState.ACTIVE))
    ends = (
        sa.select(chain.c.start, chain.c.id)
        .join(objects, objects.c.id == chain.c.id)
        .where(objects.c.state == ObjectState.ACTIVE)
    )
    return {row.start: row.id for row in (await connection.execute(ends)).all()}


async def tombstone_spent(connection: AsyncConnection) -> int:
    """Tombstone lists of superseded ids that no active object needs; returns how many. Call it under the store's lock."""
    needed = sa.select(superseded.c.id).where(superseded.c.listed_in == objects.c.id).exists()
    spent = sa.and_(objects.c.table_name == SUPERSEDED, objects.c.state == ObjectState.ACTIVE, ~needed)
    return await table_store.tombstone(connection, STORE, spent)


async def count_settled(connection: AsyncConnection, run_id: str, due: Plan) -> CommitCounts:
    """Add the settled sources to the counts of the run; returns the counts of this commit."""
    ours = [one for one in due.settled.values() if one.ours]
    changed = [one.verdict.failure is None for one in ours if one.before is None]
    unchanged = [one.verdict.failure is None for one in ours if one.before not in (None, run_id)]
    done, failed = sum(changed), len(changed) - sum(changed)
    more = {"done": done, "failed": failed, "skipped": len(unchanged)}
    counts = {name: runs.c[name] + number for name, number in more.items()}
    counted = sa.update(runs).where(runs.c.id == run_id).values(updated_at=sa.func.clock_timestamp(), **counts)
    await connection.execute(counted)
    repeated = [*due.recorded.values()] + [one.verdict.failure is None for one in ours if one.before == run_id]
    return CommitCounts(
        done + sum(repeated),
        failed + len(repeated) - sum(repeated),
        len(unchanged),
        len(unchanged) - sum(unchanged),
        tuple(sorted(due.fenced)),
    )
