"""Many small objects of a table and day into few, without the rows that are superseded; and what nobody needs any more out of the lake."""

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
from storage.tables import table_store
from storage.tables.ingest.claims import UNCLAIMED, is_one_of
from storage.tables.ingest.commit_records import retire_spent
from storage.tables.ingest.objects import STORE, SUPERSEDED, object_key
from storage.tables.ingest.runs import mark_lost_runs
from storage.tables.table_store import GRACE, ObjectState, PendingObject

MERGED_ROWS: Final = 1_000_000
"""Most rows of one merged object."""

SWEEP_LEASE: Final = timedelta(minutes=5)
"""How long nobody may read a document whose abandoned result is being deleted."""

TEXTS: Final = sa.ARRAY(sa.Text)

MERGED_BYTES: Final = 32 * 2**20
"""Most bytes that are merged into one object; about a tenth of what compaction holds in memory."""


async def compact_tables(database: Database, lake: Lake, *, at_least: int = 8) -> int:
    """Merge the objects of a table and day that has at least `at_least` small objects, rewrite those that have superseded rows, then sweep.

    Returns how many objects were replaced.

    Readers see each row once throughout: those of an older manifest are served for GRACE. Any number may compact at once.
    Raises: DatastoreUnavailable, LakeUnavailable: what was begun is finished by the next call.
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
    """Delete what no reader follows any more, and what was written and never came to anything; how many documents were deleted.

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
class _Chosen:
    """Live objects of one table and day that become one."""

    table: str
    day: date
    objects: Sequence[Any]


async def _plan_merge(database: Database, at_least: int) -> PendingObject | None:
    """A new object, the live ones that it will replace, and the superseded ids that it will do without."""
    dead = sa.select(superseded.c.id).where(superseded.c.object_id == objects.c.id).exists()
    live = sa.select(objects, dead.label("dead")).where(
        objects.c.state == ObjectState.ACTIVE, objects.c.merged_into.is_(None), objects.c.table_name != SUPERSEDED
    )
    async with database.transaction() as connection:
        found = (
            await connection.execute(live.order_by(objects.c.id).with_for_update(of=objects, skip_locked=True))
        ).all()
        chosen = _choose(found, max(at_least, 2))
        if chosen is None:
            return None
        sources = [one.id for one in chosen.objects]
        row = {"key": object_key(chosen.table, chosen.day), "table_name": chosen.table, "ingest_date": chosen.day}
        rows = sum(one.rows for one in chosen.objects)
        planned = await table_store.add_merge(connection, STORE, sources, rows=rows, **row)
        applied = sa.update(superseded).where(superseded.c.object_id.in_(sources)).values(applied_by=planned.id)
        await connection.execute(applied)
    return planned


def _choose(found: Sequence[Any], at_least: int) -> _Chosen | None:
    """Objects with superseded rows first, together with what fits beside them."""
    groups: dict[tuple[str, date], list[Any]] = defaultdict(list)
    for one in found:
        groups[one.table_name, one.ingest_date].append(one)
    for (table, day), group in sorted(groups.items()):
        dead = [one for one in group if one.dead]
        small = table_store.choose_smallest(group, MERGED_ROWS, MERGED_BYTES)
        if dead:
            return _Chosen(table, day, table_store.choose_smallest(dead, MERGED_ROWS, MERGED_BYTES) or dead[:1])
        if len(small) >= at_least:
            return _Chosen(table, day, small)
    return None


@dataclass(frozen=True)
class _Merge:
    """What a planned object is made of."""

    table: str
    sources: list[str]
    without: list[str]


async def _read_merge(database: Database, planned: PendingObject) -> _Merge | None:
    """None where somebody finished it: then what it did without is not known any more. So all is read in one snapshot."""
    sources = sa.func.array(table_store.sources_of(STORE, planned).scalar_subquery())
    without = sa.func.array(sa.select(superseded.c.id).where(superseded.c.applied_by == planned.id).scalar_subquery())
    asked = sa.select(objects.c.table_name, sources, without)
    async with database.transaction() as connection:
        row = (
            await connection.execute(asked.where(objects.c.id == planned.id, objects.c.state == ObjectState.PENDING))
        ).first()
    return _Merge(*row) if row else None


def _merge_rows(merge: _Merge, parts: list[bytes]) -> tuple[int, bytes]:
    """The rows that are left, in the order in which readers like them: how many, and the object."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from storage.tables import row_mapping

    whole = table_store.concatenate(parts, row_mapping.TABLES[merge.table])
    if merge.without:
        gone = pc.is_in(whole[row_mapping.IDENTITY[merge.table]], value_set=pa.array(merge.without, pa.string()))
        whole = whole.filter(pc.invert(gone))
    return whole.num_rows, table_store.to_parquet(row_mapping.ordered(merge.table, whole))


async def _activate(database: Database, planned: PendingObject, rows: int, size: int) -> bool:
    """Whether it is this call's work that readers see now. Rows that were superseded meanwhile are left out by readers still."""
    measured = sa.update(objects).where(objects.c.id == planned.id, objects.c.state == ObjectState.PENDING)
    done = superseded.c.applied_by == planned.id
    theirs = sa.select(objects.c.id).where(objects.c.merged_into == planned.id)
    moved = sa.update(superseded).where(superseded.c.object_id.in_(theirs)).values(object_id=planned.id)
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
            await connection.execute(sa.delete(superseded).where(superseded.c.object_id.in_(theirs)))
        await retire_spent(connection)
        await table_store.add_version(connection, STORE)
    return True


async def _delete_duplicates(connection: Any, planned: PendingObject) -> None:
    """An id that several merged objects have rows of is needed once."""
    theirs = sa.select(objects.c.id).where(objects.c.merged_into == planned.id)
    other = superseded.alias()
    double = sa.select(other.c.id).where(
        other.c.id == superseded.c.id, other.c.object_id.in_(theirs), other.c.object_id < superseded.c.object_id
    )
    await connection.execute(sa.delete(superseded).where(superseded.c.object_id.in_(theirs), double.exists()))


# Sweeping -----------------------------------------------------------------------------------------------------------------


async def _sweep_replaced(database: Database, lake: Lake) -> int:
    """Documents of extractions that others have replaced."""
    replaced = sa.and_(
        extractions.c.state == ObjectState.TOMBSTONED, extractions.c.retired_at < sa.func.clock_timestamp() - GRACE
    )
    async with database.transaction() as connection:
        gone = (await connection.execute(sa.select(extractions.c.id, extractions.c.result_key).where(replaced))).all()
    for row in gone:
        await lake.delete(row.result_key)
    removed = sa.update(extractions).where(extractions.c.id == sa.any_(sa.cast([row.id for row in gone], TEXTS)))
    async with database.transaction() as connection:
        await connection.execute(removed.values(state=ObjectState.REMOVED, summary=None))
    return len(gone)


async def _sweep_abandoned(database: Database, lake: Lake) -> int:
    """Documents of extractions that never took effect. We claim them as readers do, so that nobody writes what we delete."""
    token = ids.new("cl")
    async with database.transaction() as connection:
        gone = (await connection.execute(_claim_abandoned(token))).all()
    for row in gone:
        await lake.delete(row.result_key)
    ours = sa.update(documents).where(documents.c.claim_token == token).values(**UNCLAIMED)
    async with database.transaction() as connection:
        freed = await connection.execute(ours.returning(documents.c.document_id, documents.c.format))
        planned = sa.and_(extractions.c.id.in_([row.id for row in gone]), extractions.c.state == ObjectState.PENDING)
        still = is_one_of(extractions, [(row.document_id, row.format) for row in freed])
        await connection.execute(sa.delete(extractions).where(planned, still))
    return len(gone)


def _claim_abandoned(token: str) -> sa.UpdateBase:
    """Of every document one, for as long as deleting takes."""
    now = sa.func.clock_timestamp()
    abandoned = sa.and_(extractions.c.state == ObjectState.PENDING, extractions.c.created_at < now - GRACE)
    same = sa.and_(extractions.c.document_id == documents.c.document_id, extractions.c.format == documents.c.format)
    free = sa.or_(documents.c.lease_until.is_(None), documents.c.lease_until < now)
    taken = sa.update(documents).where(same, abandoned, free)
    values = {"claim_token": token, "claim_run": None, "claim_chunk": None, "lease_until": now + SWEEP_LEASE}
    return taken.values(**values).returning(extractions.c.id, extractions.c.result_key)
