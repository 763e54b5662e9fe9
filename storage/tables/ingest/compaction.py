"""Compaction: merge small objects of a table and day, remove superseded rows, and delete objects that no reader uses."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

import sqlalchemy as sa

from storage import ids
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.schema import ingest_documents as documents
from storage.postgres.schema import ingest_extractions as extractions
from storage.postgres.schema import ingest_objects as objects
from storage.postgres.schema import ingest_superseded as superseded
from storage.tables import parquet, table_store
from storage.tables.ingest.claims import UNCLAIMED, is_one_of
from storage.tables.ingest.commit_records import tombstone_spent
from storage.tables.ingest.objects import STORE, SUPERSEDED, object_key
from storage.tables.ingest.runs import mark_lost_runs
from storage.tables.table_store import GRACE, ObjectState, PendingObject

MERGED_ROWS: Final = 1_000_000
"""Maximum number of rows per merged object."""

SWEEP_LEASE: Final = timedelta(minutes=5)
"""How long the sweep claims a document whose abandoned result it deletes."""

TEXTS: Final = sa.ARRAY(sa.Text)

MERGED_BYTES: Final = 32 * 2**20
"""Maximum number of bytes that are merged into one object; compaction uses about ten times as much memory."""


async def compact_tables(database: Database, lake: Lake, *, at_least: int = 8) -> int:
    """Merge the objects of a table and day that has at least `at_least` small objects, rewrite those that have superseded rows, then sweep.

    Returns the number of replaced objects.

    Readers see each row exactly once throughout; objects of an older manifest are kept for GRACE. Concurrent calls are safe.
    Raises: DatastoreUnavailable, LakeUnavailable; the next call finishes pending objects.
    """
    replaced = 0
    while planned := await table_store.find_pending(database, STORE, "merge") or await _plan_merge(database, at_least):
        merge = await _read_merge(database, planned)
        if merge is None:
            continue
        parts = [await lake.get(key) for key in merge.sources]
        rows, content = await asyncio.to_thread(_merge_rows, merge, parts)
        await lake.put(planned.key, content)
        replaced += len(parts) if await _activate(database, planned, rows, len(content)) else 0
    await table_store.publish(database, lake, STORE)
    await sweep(database, lake)
    return replaced


async def sweep(database: Database, lake: Lake) -> int:
    """Delete objects that no reader uses and results that were never committed; returns the number of deleted documents.

    Raises: DatastoreUnavailable, LakeUnavailable.
    """
    abandoned = sa.and_(
        objects.c.kind == "part",
        objects.c.state == ObjectState.PENDING,
        objects.c.created_at < sa.func.clock_timestamp() - GRACE,
    )
    async with database.transaction() as connection:
        await table_store.tombstone(connection, STORE, abandoned)
    await table_store.sweep(database, lake, STORE, GRACE)
    await mark_lost_runs(database, GRACE)
    return await _sweep_replaced(database, lake) + await _sweep_abandoned(database, lake)


# Merging ------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _MergeGroup:
    """Active objects of one table and day that are merged into one."""

    table: str
    day: date
    objects: Sequence[Any]


async def _plan_merge(database: Database, at_least: int) -> PendingObject | None:
    """Add a pending object, and assign to it the active objects that it replaces and the superseded ids whose rows it omits."""
    dead = sa.select(superseded.c.id).where(superseded.c.object_id == objects.c.id).exists()
    live = sa.select(objects, dead.label("dead")).where(
        objects.c.state == ObjectState.ACTIVE, objects.c.merged_into.is_(None), objects.c.table_name != SUPERSEDED
    )
    async with database.transaction() as connection:
        found = (
            await connection.execute(live.order_by(objects.c.id).with_for_update(of=objects, skip_locked=True))
        ).all()
        chosen = _choose_group(found, max(at_least, 2))
        if chosen is None:
            return None
        sources = [one.id for one in chosen.objects]
        row = {"key": object_key(chosen.table, chosen.day), "table_name": chosen.table, "ingest_date": chosen.day}
        rows = sum(one.rows for one in chosen.objects)
        planned = await table_store.add_merge(connection, STORE, sources, rows=rows, **row)
        applied = sa.update(superseded).where(superseded.c.object_id.in_(sources)).values(applied_by=planned.id)
        await connection.execute(applied)
    return planned


def _choose_group(found: Sequence[Any], at_least: int) -> _MergeGroup | None:
    """Select objects with superseded rows, else small objects if there are at least `at_least`, within the limits of one object."""
    groups: dict[tuple[str, date], list[Any]] = defaultdict(list)
    for one in found:
        groups[one.table_name, one.ingest_date].append(one)
    for (table, day), group in sorted(groups.items()):
        dead = [one for one in group if one.dead]
        small = table_store.choose_smallest(group, MERGED_ROWS, MERGED_BYTES)
        if dead:
            return _MergeGroup(table, day, table_store.choose_smallest(dead, MERGED_ROWS, MERGED_BYTES) or dead[:1])
        if len(small) >= at_least:
            return _MergeGroup(table, day, small)
    return None


@dataclass(frozen=True)
class _Merge:
    """The content of a pending object."""

    table: str
    sources: list[str]
    """Keys of the objects to merge."""
    without: list[str]
    """Superseded ids whose rows are omitted."""


async def _read_merge(database: Database, planned: PendingObject) -> _Merge | None:
    """Read a pending merge in one snapshot; None if another process finished it, which deletes the list of omitted ids."""
    sources = sa.func.array(table_store.sources_of(STORE, planned).scalar_subquery())
    without = sa.func.array(sa.select(superseded.c.id).where(superseded.c.applied_by == planned.id).scalar_subquery())
    merge = sa.select(objects.c.table_name, sources, without)
    async with database.transaction() as connection:
        row = (
            await connection.execute(merge.where(objects.c.id == planned.id, objects.c.state == ObjectState.PENDING))
        ).first()
    return _Merge(*row) if row else None


def _merge_rows(merge: _Merge, parts: list[bytes]) -> tuple[int, bytes]:
    """Merge the rows that are not superseded, in the order of SORTED_BY; returns their number and the Parquet bytes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from storage.tables import row_mapping

    table = parquet.concatenate(parts, row_mapping.TABLES[merge.table])
    if merge.without:
        omitted = pc.is_in(table[row_mapping.IDENTITY[merge.table]], value_set=pa.array(merge.without, pa.string()))
        table = table.filter(pc.invert(omitted))
    return table.num_rows, parquet.to_parquet(row_mapping.ordered(merge.table, table))


async def _activate(database: Database, planned: PendingObject, rows: int, size: int) -> bool:
    """Activate a merged object; returns False if another process did. Rows that were superseded meanwhile stay listed for readers."""
    measured = sa.update(objects).where(objects.c.id == planned.id, objects.c.state == ObjectState.PENDING)
    done = superseded.c.applied_by == planned.id
    sources = sa.select(objects.c.id).where(objects.c.merged_into == planned.id)
    moved = sa.update(superseded).where(superseded.c.object_id.in_(sources)).values(object_id=planned.id)
    async with database.transaction() as connection:
        await table_store.lock(connection, STORE)
        await connection.execute(measured.values(rows=rows, bytes=size))
        if not await table_store.activate(connection, STORE, planned):
            return False
        await connection.execute(sa.delete(superseded).where(done))
        await _delete_duplicates(connection, planned)
        if rows:
            await connection.execute(moved)
        else:
            await connection.execute(sa.delete(superseded).where(superseded.c.object_id.in_(sources)))
        await tombstone_spent(connection)
        await table_store.add_version(connection, STORE)
    return True


async def _delete_duplicates(connection: Any, planned: PendingObject) -> None:
    """Keep one entry per superseded id if several merged objects have rows of it."""
    sources = sa.select(objects.c.id).where(objects.c.merged_into == planned.id)
    other = superseded.alias()
    duplicate = sa.select(other.c.id).where(
        other.c.id == superseded.c.id, other.c.object_id.in_(sources), other.c.object_id < superseded.c.object_id
    )
    await connection.execute(sa.delete(superseded).where(superseded.c.object_id.in_(sources), duplicate.exists()))


# Sweeping -----------------------------------------------------------------------------------------------------------------


async def _sweep_replaced(database: Database, lake: Lake) -> int:
    """Delete the documents of extractions that were replaced before GRACE; returns how many."""
    replaced = sa.and_(
        extractions.c.state == ObjectState.TOMBSTONED, extractions.c.retired_at < sa.func.clock_timestamp() - GRACE
    )
    async with database.transaction() as connection:
        obsolete = (
            await connection.execute(sa.select(extractions.c.id, extractions.c.result_key).where(replaced))
        ).all()
    for row in obsolete:
        await lake.delete(row.result_key)
    removed = sa.update(extractions).where(extractions.c.id == sa.any_(sa.cast([row.id for row in obsolete], TEXTS)))
    async with database.transaction() as connection:
        await connection.execute(removed.values(state=ObjectState.REMOVED, summary=None))
    return len(obsolete)


async def _sweep_abandoned(database: Database, lake: Lake) -> int:
    """Delete the documents of extractions that were never committed; returns how many.

    The documents are claimed first, so that no other process writes them during the deletion.
    """
    token = ids.new("cl")
    async with database.transaction() as connection:
        obsolete = (await connection.execute(_claim_abandoned(token))).all()
    for row in obsolete:
        await lake.delete(row.result_key)
    unclaimed = sa.update(documents).where(documents.c.claim_token == token).values(**UNCLAIMED)
    async with database.transaction() as connection:
        freed = await connection.execute(unclaimed.returning(documents.c.document_id, documents.c.format))
        planned = sa.and_(
            extractions.c.id.in_([row.id for row in obsolete]), extractions.c.state == ObjectState.PENDING
        )
        is_unclaimed = is_one_of(extractions, [(row.document_id, row.format) for row in freed])
        await connection.execute(sa.delete(extractions).where(planned, is_unclaimed))
    return len(obsolete)


def _claim_abandoned(token: str) -> sa.UpdateBase:
    """Statement that claims the documents of abandoned extractions for SWEEP_LEASE; it returns one extraction per document."""
    now = sa.func.clock_timestamp()
    abandoned = sa.and_(extractions.c.state == ObjectState.PENDING, extractions.c.created_at < now - GRACE)
    same = sa.and_(extractions.c.document_id == documents.c.document_id, extractions.c.format == documents.c.format)
    free = sa.or_(documents.c.lease_until.is_(None), documents.c.lease_until < now)
    claimed = sa.update(documents).where(same, abandoned, free)
    values = {"claim_token": token, "claim_run": None, "claim_chunk": None, "lease_until": now + SWEEP_LEASE}
    return claimed.values(**values).returning(extractions.c.id, extractions.c.result_key)
