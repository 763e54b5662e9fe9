"""The usage ledger in the lake: every row of `usage`, in append-only Parquet objects (see table_store.py).

An object is planned in Postgres with the rows (or the smaller objects) that go into it, each of which belongs to one object only. Every
step can be repeated by any process, with the same outcome: a process that finds a planned object rewrites it under the same name. So two
exporters at once, or one that dies between any two steps, neither lose a row nor show it twice.

    usage/rows/<id>.parquet          written once, deleted only after it was retired for GRACE
    usage/manifest/<version>.json    the live objects; readers take the highest version

Rows are chosen by "belongs to no object yet", never by a highest id or moment: transactions do not commit in the order they began.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from storage import ids
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.schema import usage, usage_manifests, usage_objects
from storage.tables import table_store
from storage.tables.table_store import GRACE, ObjectState, PendingObject, TableStore

if TYPE_CHECKING:
    import pyarrow as pa

EXPORT_ROWS: Final = 5_000
"""Most rows of one exported object; more rows make more objects."""

MERGED_ROWS: Final = 250_000
"""Most rows of one merged object, and most rows that compaction holds in memory."""

STORE: Final = TableStore("usage", usage_objects, usage_manifests, 0x5553_4147_45, usage_objects.c.key)

COLUMNS: Final = tuple(column for column in usage.c if column.name != "object_id")


async def export(database: Database, lake: Lake) -> int:
    """Copy the rows that no object holds yet; how many this call brought into the ledger.

    Raises: DatastoreUnavailable, LakeUnavailable: what was begun is finished by the next call.
    """
    brought = 0
    while (
        planned := await table_store.find_pending(database, STORE, "export") or await _plan_export(database)
    ) is not None:
        async with database.transaction() as connection:
            found = (await connection.execute(_rows_of(planned))).mappings().all()
        await lake.put(planned.key, await asyncio.to_thread(_to_parquet, [dict(row) for row in found]))
        brought += await _activate(database, planned)
    await table_store.publish(database, lake, STORE)
    return brought


async def compact(database: Database, lake: Lake, *, at_least: int = 8) -> int:
    """Merge small objects where there are at least so many, and delete what was retired long enough; how many were merged.

    Raises: DatastoreUnavailable, LakeUnavailable: what was begun is finished by the next call.
    """
    merged = 0
    while (
        planned := await table_store.find_pending(database, STORE, "merge") or await _plan_merge(database, at_least)
    ) is not None:
        async with database.transaction() as connection:
            sources = (await connection.execute(table_store.sources_of(STORE, planned))).scalars().all()
        await lake.put(planned.key, await _merge(lake, sources))
        if await _activate(database, planned):
            merged += len(sources)
    await table_store.publish(database, lake, STORE)
    await table_store.sweep(database, lake, STORE, GRACE)
    return merged


def schema() -> pa.Schema:
    """The schema of every object: the columns of the table, in their order."""
    import pyarrow as pa

    kinds = {
        sa.Text: pa.string(),
        sa.Integer: pa.int32(),
        sa.BigInteger: pa.int64(),
        sa.Numeric: pa.decimal128(20, 10),
        sa.DateTime: pa.timestamp("us"),
    }
    return pa.schema(
        [pa.field(column.name, kinds[type(column.type)], nullable=bool(column.nullable)) for column in COLUMNS]
    )


# Planning -----------------------------------------------------------------------------------------------------------------


async def _plan_export(database: Database) -> PendingObject | None:
    """A new object, and the rows that go into it; rows that another exporter is planning are left to it."""
    free = sa.select(usage.c.operation_id, usage.c.item).where(usage.c.object_id.is_(None))
    chosen = free.order_by(usage.c.created_at).limit(EXPORT_ROWS).with_for_update(skip_locked=True)
    async with database.transaction() as connection:
        rows = (await connection.execute(chosen)).all()
        if not rows:
            return None
        planned = await table_store.add_pending(connection, STORE, key=new_key(), kind="export", rows=len(rows))
        mine = sa.tuple_(usage.c.operation_id, usage.c.item).in_([tuple(row) for row in rows])
        await connection.execute(sa.update(usage).where(mine).values(object_id=planned.id))
    return planned


async def _plan_merge(database: Database, at_least: int) -> PendingObject | None:
    """A new object, and the live ones that it will replace: the smallest first, up to MERGED_ROWS together."""
    live = sa.select(usage_objects.c.id, usage_objects.c.rows).where(
        usage_objects.c.state == ObjectState.ACTIVE, usage_objects.c.merged_into.is_(None)
    )
    async with database.transaction() as connection:
        found = (await connection.execute(live.with_for_update(skip_locked=True))).all()
        chosen = table_store.choose_smallest(found, MERGED_ROWS)
        if len(chosen) < max(at_least, 2):
            return None
        rows = sum(source.rows for source in chosen)
        return await table_store.add_merge(
            connection, STORE, [source.id for source in chosen], key=new_key(), rows=rows
        )


def new_key() -> str:
    """A new key for an object of usage rows."""
    return f"usage/rows/{ids.new('u')}.parquet"


# Writing ------------------------------------------------------------------------------------------------------------------


def _rows_of(planned: PendingObject) -> sa.Select[Any]:
    """In one order, so that writing the object again writes the same."""
    own = sa.select(*COLUMNS).where(usage.c.object_id == planned.id)
    return own.order_by(usage.c.created_at, usage.c.operation_id, usage.c.item)


def _to_parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa

    utc = [row | {"created_at": to_naive_utc(row["created_at"])} for row in rows]
    return table_store.to_parquet(pa.Table.from_pylist(utc, schema=schema()))


async def _merge(lake: Lake, sources: Sequence[str]) -> bytes:
    parts = [await lake.get(key) for key in sources]
    return await asyncio.to_thread(_concatenate, parts)


def _concatenate(parts: list[bytes]) -> bytes:
    whole = table_store.concatenate(parts, schema())
    order = [("created_at", "ascending"), ("operation_id", "ascending"), ("item", "ascending")]
    return table_store.to_parquet(whole.sort_by(order))


async def _activate(database: Database, planned: PendingObject) -> int:
    """How many rows it brought into the ledger, or were merged; 0 if another process was faster."""
    async with database.transaction() as connection:
        await table_store.lock(connection, STORE)
        rows = await table_store.activate(connection, STORE, planned)
        if rows:
            await table_store.add_version(connection, STORE)
    return sum(rows)


def to_naive_utc(moment: datetime | None) -> datetime | None:
    """Parquet keeps moments in UTC without saying so: DuckDB asks for an extension to compare those that say so."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment is not None else None
