"""Runs of bulk ingest and their progress; which settled sources a reprocessing means."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from storage import ids
from storage.objects.file_filter import SourceFile
from storage.objects.lake import Lake
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
    """A new run; or, for a flow run that is run again, its run as it was, running again.

    Raises: DatastoreUnavailable.
    """
    row = {"id": ids.new("ir"), "kind": kind, "flow_run_id": flow_run_id, "parameters": parameters, "total": total}
    again = {"state": "running", "updated_at": sa.func.clock_timestamp(), "ended_at": None}
    opened = insert(runs).values(**row).on_conflict_do_update(index_elements=[runs.c.flow_run_id], set_=again)
    async with database.transaction() as connection:
        return IngestRun(**(await connection.execute(opened.returning(*runs.c))).mappings().one())


async def add_progress(
    database: Database, run_id: str, *, total: int | None = None, skipped: int = 0, failed: int = 0, done: int = 0
) -> IngestRun:
    """Add to the run's counts, and say how it stands. What a commit settles it counts itself.

    Raises: DatastoreUnavailable.
    """
    counts: dict[str, Any] = {
        name: runs.c[name] + more for name, more in (("skipped", skipped), ("failed", failed), ("done", done)) if more
    }
    if total is not None:
        counts["total"] = total
    going = sa.update(runs).where(runs.c.id == run_id).values(updated_at=sa.func.clock_timestamp(), **counts)
    async with database.transaction() as connection:
        return IngestRun(**(await connection.execute(going.returning(*runs.c))).mappings().one())


async def close_run(
    database: Database, lake: Lake, run_id: str, state: Literal["done", "failed", "cancelled", "lost"]
) -> IngestRun:
    """The run is over. What a commit that was killed has left unpublished is published.

    Raises: DatastoreUnavailable, LakeUnavailable.
    """
    await table_store.publish(database, lake, STORE)
    now = sa.func.clock_timestamp()
    closed = sa.update(runs).where(runs.c.id == run_id).values(state=state, updated_at=now, ended_at=now)
    async with database.transaction() as connection:
        return IngestRun(**(await connection.execute(closed.returning(*runs.c))).mappings().one())


async def find_run(database: Database, run_id: str) -> IngestRun | None:
    """The run of this id, or of this flow run.

    Raises: DatastoreUnavailable.
    """
    mine = sa.select(runs).where(sa.or_(runs.c.id == run_id, runs.c.flow_run_id == run_id))
    async with database.transaction() as connection:
        found = (await connection.execute(mine)).mappings().first()
    return IngestRun(**found) if found else None


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
    """Runs of which nothing was heard for so long (an interval) are over; how many."""
    now = sa.func.clock_timestamp()
    silent = sa.update(runs).where(runs.c.state == "running", runs.c.updated_at < now - older_than)
    async with database.transaction() as connection:
        return (await connection.execute(silent.values(state="lost", ended_at=now))).rowcount


# What to reprocess --------------------------------------------------------------------------------------------------------


async def select_sources(
    database: Database, selection: Selection, *, after: str | None = None, limit: int = 1_000
) -> list[SettledSource]:
    """Settled sources that are meant, in the order of their URIs, from the one after `after`: ask until none is left.

    Raises: DatastoreUnavailable.
    """
    conditions = _conditions(selection)
    if after is not None:
        conditions.append(sources.c.uri > after)
    meant = sa.select(sources).where(*conditions).order_by(sources.c.uri).limit(limit)
    async with database.transaction() as connection:
        return [_settled_source(row) for row in (await connection.execute(meant)).all()]


async def count_sources(database: Database, selection: Selection) -> list[SourceCount]:
    """How many sources are meant, by format, version and state: what a dry run says.

    Raises: DatastoreUnavailable.
    """
    alike = [sources.c.format, sources.c.extractor_version, sources.c.state]
    size = sa.cast(sa.func.sum(sources.c.size), sa.BigInteger)
    counted = sa.select(*alike, sa.func.count(), size).where(*_conditions(selection)).group_by(*alike).order_by(*alike)
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
