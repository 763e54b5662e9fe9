"""Runs of bulk ingest and their progress; selection of the settled sources of a reprocessing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract.notifications import FileCounts, IngestEnded
from storage import ids
from storage.objects.file_filter import SourceFile
from storage.objects.lake import Lake
from storage.postgres import webhook_deliveries
from storage.postgres.database import Database
from storage.postgres.schema import ingest_runs as runs
from storage.postgres.schema import ingest_sources as sources
from storage.tables import table_store
from storage.tables.ingest.objects import STORE
from storage.tables.ingest.records import Failure, IngestRun, Selection, SettledSource, SourceCount


async def open_run(
    database: Database,
    kind: Literal["ingest", "reprocess"],
    *,
    parameters: dict[str, Any],
    flow_run_id: str | None = None,
    total: int | None = None,
) -> IngestRun:
    """Record a new run; if the flow run has a record already, set that record to running again.

    Raises: DatastoreUnavailable.
    """
    row = {"id": ids.new("ir"), "kind": kind, "flow_run_id": flow_run_id, "parameters": parameters, "total": total}
    reopened = {"state": "running", "updated_at": sa.func.clock_timestamp(), "ended_at": None}
    opened = insert(runs).values(**row).on_conflict_do_update(index_elements=[runs.c.flow_run_id], set_=reopened)
    async with database.transaction() as connection:
        return IngestRun(**(await connection.execute(opened.returning(*runs.c))).mappings().one())


async def has_changed(database: Database) -> bool:
    """Whether a run wrote so recently that objects may be small, or be kept for readers, or be abandoned. Raises: DatastoreUnavailable."""
    recent = sa.exists().where(runs.c.updated_at > sa.func.clock_timestamp() - 2 * table_store.GRACE)
    async with database.transaction() as connection:
        return bool(await connection.scalar(sa.select(recent)))


async def add_progress(
    database: Database, run_id: str, *, total: int | None = None, skipped: int = 0, failed: int = 0, done: int = 0
) -> IngestRun:
    """Add to the counts of a run; returns the run. `commit` adds its own counts.

    Raises: DatastoreUnavailable.
    """
    counts: dict[str, Any] = {
        name: runs.c[name] + more for name, more in (("skipped", skipped), ("failed", failed), ("done", done)) if more
    }
    if total is not None:
        counts["total"] = total
    updated = sa.update(runs).where(runs.c.id == run_id).values(updated_at=sa.func.clock_timestamp(), **counts)
    async with database.transaction() as connection:
        return IngestRun(**(await connection.execute(updated.returning(*runs.c))).mappings().one())


async def close_run(
    database: Database, lake: Lake, run_id: str, state: Literal["done", "failed", "cancelled", "lost"]
) -> IngestRun:
    """Record the end of a run, and publish the manifest that a killed commit may have left unpublished.

    Raises: DatastoreUnavailable, LakeUnavailable.
    """
    await table_store.publish(database, lake, STORE)
    now = sa.func.clock_timestamp()
    closed = sa.update(runs).where(runs.c.id == run_id).values(state=state, updated_at=now, ended_at=now)
    before = sa.select(runs.c.state).where(runs.c.id == run_id).with_for_update(key_share=True)
    async with database.transaction() as connection:
        was_running = (await connection.execute(before)).scalar() == "running"
        run = IngestRun(**(await connection.execute(closed.returning(*runs.c))).mappings().one())
        if was_running:
            await _announce_end(connection, run)
    return run


async def find_run(database: Database, run_id: str) -> IngestRun | None:
    """The run with this id or this flow run id; None if there is none.

    Raises: DatastoreUnavailable.
    """
    matching = sa.select(runs).where(sa.or_(runs.c.id == run_id, runs.c.flow_run_id == run_id))
    async with database.transaction() as connection:
        found = (await connection.execute(matching)).mappings().first()
    return IngestRun(**found) if found else None


async def list_runs(database: Database, *, count: int) -> list[IngestRun]:
    """The latest `count` runs. Raises: DatastoreUnavailable."""
    query = sa.select(runs).order_by(runs.c.started_at.desc(), runs.c.id.desc()).limit(count)
    async with database.transaction() as connection:
        return [IngestRun(**row) for row in (await connection.execute(query)).mappings()]


async def list_failures(database: Database, run_id: str, *, count: int) -> list[SettledSource]:
    """The first `count` sources, in the order of their URIs, that this run settled as failed and no later run has settled.

    Raises: DatastoreUnavailable.
    """
    failed = sa.select(sources).where(sources.c.run_id == run_id, sources.c.state != "done")
    async with database.transaction() as connection:
        found = (await connection.execute(failed.order_by(sources.c.uri).limit(count))).all()
        return [_settled_source(row) for row in found]


async def find_silent_runs(
    database: Database, older_than: timedelta, *, younger_than: timedelta | None = None
) -> list[IngestRun]:
    """Running runs that have reported nothing for so long: their process is gone, or they wait for one. The longest silence first.

    Raises: DatastoreUnavailable.
    """
    now = sa.func.clock_timestamp()
    conditions = [runs.c.state == "running", runs.c.updated_at < now - older_than]
    if younger_than is not None:
        conditions.append(runs.c.updated_at > now - younger_than)
    query = sa.select(runs).where(*conditions).order_by(runs.c.updated_at)
    async with database.transaction() as connection:
        return [IngestRun(**row) for row in (await connection.execute(query)).mappings()]


async def mark_lost_runs(database: Database, older_than: Any) -> int:
    """Mark running runs as lost if they were not updated for `older_than` (an interval); returns how many."""
    now = sa.func.clock_timestamp()
    silent = sa.update(runs).where(runs.c.state == "running", runs.c.updated_at < now - older_than)
    async with database.transaction() as connection:
        lost = silent.values(state="lost", ended_at=now).returning(*runs.c)
        found = [IngestRun(**row) for row in (await connection.execute(lost)).mappings()]
        for run in found:
            await _announce_end(connection, run)
    return len(found)


async def _announce_end(connection: AsyncConnection, run: IngestRun) -> None:
    """Notify the operator's endpoints, in the transaction that ends the run."""
    assert run.state != "running" and run.ended_at is not None  # the row of a run that has just ended
    files = FileCounts(found=run.total, done=run.done, failed=run.failed, skipped=run.skipped)
    source = run.parameters.get("source")
    ended = IngestEnded(
        run_id=run.id,
        kind=run.kind,
        source=source,
        status=run.state,
        files=files,
        started_at=run.started_at,
        ended_at=run.ended_at,
    )
    await webhook_deliveries.announce(connection, None, ended, run.ended_at)


# Selection ----------------------------------------------------------------------------------------------------------------


async def select_sources(
    database: Database, selection: Selection, *, after: str | None = None, limit: int = 1_000
) -> list[SettledSource]:
    """One page of the selected sources in the order of their URIs, starting after the URI `after`; call until it is empty.

    Raises: DatastoreUnavailable.
    """
    conditions = _conditions(selection)
    if after is not None:
        conditions.append(sources.c.uri > after)
    page = sa.select(sources).where(*conditions).order_by(sources.c.uri).limit(limit)
    async with database.transaction() as connection:
        return [_settled_source(row) for row in (await connection.execute(page)).all()]


async def count_sources(database: Database, selection: Selection) -> list[SourceCount]:
    """Number of selected sources by format, version and state, for the report of a dry run.

    Raises: DatastoreUnavailable.
    """
    group = [sources.c.format, sources.c.extractor_version, sources.c.state]
    size = sa.cast(sa.func.sum(sources.c.size), sa.BigInteger)
    counted = sa.select(*group, sa.func.count(), size).where(*_conditions(selection)).group_by(*group).order_by(*group)
    async with database.transaction() as connection:
        return [SourceCount(*row) for row in (await connection.execute(counted)).all()]


def _conditions(chosen: Selection) -> list[sa.ColumnElement[bool]]:
    among = {
        sources.c.uri: chosen.uris,
        sources.c.document_id: chosen.document_ids,
        sources.c.extraction_id: chosen.extraction_ids,
        sources.c.extractor_version: chosen.extractor_versions or None,
        sources.c.format: chosen.formats or None,
        sources.c.failure["error_type"].astext: chosen.error_types or None,
    }
    conditions = [
        column == sa.any_(sa.cast(list(values), sa.ARRAY(column.type)))
        for column, values in among.items()
        if values is not None
    ]
    if chosen.prefix is not None:
        conditions.append(sources.c.uri.startswith(chosen.prefix, autoescape=True))
    if chosen.older_than_version is not None:
        conditions.append(sources.c.extractor_version < chosen.older_than_version)
    if chosen.status is not None:
        conditions.append((sources.c.state == "done") == (chosen.status == "done"))
    if chosen.since is not None:
        conditions.append(sources.c.settled_at >= chosen.since)
    if chosen.until is not None:
        conditions.append(sources.c.settled_at < chosen.until)
    return conditions


def _settled_source(row: Any) -> SettledSource:
    return SettledSource(
        found=SourceFile(row.uri, row.size, row.etag, row.modified_at),
        document_id=row.document_id,
        format=row.format,
        extractor_version=row.extractor_version,
        state=row.state,
        extraction_id=row.extraction_id,
        failure=Failure(**row.failure) if row.failure else None,
        settled_at=row.settled_at,
    )
