"""The usage ledger in the lake: every row of `usage`, in append-only Parquet objects (see table_store.py).

A pending object is recorded in Postgres with the rows (or the smaller objects) that it will contain; each belongs to exactly one object.
Every step is idempotent: a process that finds a pending object writes it again under the same key. Therefore no row is lost or visible
twice, even if two exporters run at the same time or a process is killed between two steps.

    usage/rows/<id>.parquet          immutable; deleted when it has been tombstoned for GRACE
    usage/manifest/<version>.json    the active objects; readers use the highest version

An export selects the rows that belong to no object, not the rows after a highest id or time: transactions do not commit in the order
in which they began.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy import RowMapping

from storage import ids
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.postgres.schema import accounts, keys, usage, usage_manifests, usage_objects
from storage.tables import ledger_parquet, table_store
from storage.tables.ledger_parquet import Column
from storage.tables.table_store import GRACE, ObjectState, PendingObject, TableStore

if TYPE_CHECKING:
    import pyarrow as pa

EXPORT_ROWS: Final = 5_000
"""Maximum number of rows per exported object."""

GATHER: Final = timedelta(seconds=30)
"""How long rows are gathered before they are worth an object."""

MERGED_ROWS: Final = 250_000
"""Maximum number of rows per merged object, and so of rows that compaction holds in memory."""

STORE: Final = TableStore("usage", usage_objects, usage_manifests, 0x5553_4147_45, usage_objects.c.key)

COLUMNS: Final = tuple(column for column in usage.c if column.name != "object_id")

NAMES: Final = (accounts.c.name.label("account"), keys.c.label.label("key_label"), keys.c.prefix.label("key_prefix"))
"""What the ids of a row are called, so that the ledger can be read without the database; NULL in objects of earlier versions."""

KINDS: Final = {
    sa.Text: "text",
    sa.Integer: "int32",
    sa.BigInteger: "int64",
    sa.Numeric: "decimal",
    sa.DateTime: "time",
}
"""Kinds of the columns of an object (ledger_parquet.Column), by the types of the table."""

PARQUET_COLUMNS: Final = (
    *(Column(column.name, KINDS[type(column.type)], bool(column.nullable)) for column in COLUMNS),
    *(Column(column.name, "text", nullable=True) for column in NAMES),
)


async def has_unexported(database: Database) -> bool:
    """Whether a row has belonged to no object for GATHER: exports are at least that far apart, however many processes ask.

    Raises: DatastoreUnavailable.
    """
    waits = sa.and_(usage.c.object_id.is_(None), usage.c.created_at < sa.func.clock_timestamp() - GATHER)
    async with database.statements() as connection:
        return bool(await connection.scalar(sa.select(sa.exists().where(waits))))


async def export(database: Database, lake: Lake) -> int:
    """Copy the rows that belong to no object yet into new objects; returns the number of rows that this call added.

    Raises: DatastoreUnavailable, LakeUnavailable; the next call finishes pending objects.
    """
    added = 0
    while (
        planned := await table_store.find_pending(database, STORE, "export") or await _plan_export(database)
    ) is not None:
        async with database.transaction() as connection:
            found = (await connection.execute(_rows_of(planned))).mappings().all()
        await lake.put(planned.key, await _written(found))
        added += await _activate(database, planned)
    await table_store.publish(database, lake, STORE)
    return added


async def compact(database: Database, lake: Lake, *, at_least: int = 8) -> int:
    """Merge small objects if there are at least `at_least`, and delete objects that were tombstoned before GRACE.

    Returns the number of merged objects.

    Raises: DatastoreUnavailable, LakeUnavailable; the next call finishes pending objects.
    """
    merged = 0
    while (
        planned := await table_store.find_pending(database, STORE, "merge") or await _plan_merge(database, at_least)
    ) is not None:
        async with database.transaction() as connection:
            sources = (await connection.execute(table_store.sources_of(STORE, planned))).scalars().all()
        await lake.put(planned.key, await _merged(lake, sources))
        if await _activate(database, planned):
            merged += len(sources)
    await table_store.publish(database, lake, STORE)
    await table_store.sweep(database, lake, STORE, GRACE)
    return merged


def schema() -> pa.Schema:
    """The Parquet schema of every object: the columns of the table `usage`, in their order, then NAMES."""
    return ledger_parquet.schema(PARQUET_COLUMNS)


# Planning -----------------------------------------------------------------------------------------------------------------


async def _plan_export(database: Database) -> PendingObject | None:
    """Add a pending object and assign rows to it; rows that another exporter has locked are skipped."""
    free = sa.select(usage.c.operation_id, usage.c.item).where(usage.c.object_id.is_(None))
    chosen = free.order_by(usage.c.created_at).limit(EXPORT_ROWS).with_for_update(skip_locked=True)
    async with database.transaction() as connection:
        rows = (await connection.execute(chosen)).all()
        if not rows:
            return None
        planned = await table_store.add_pending(connection, STORE, key=new_key(), kind="export", rows=len(rows))
        assigned = sa.tuple_(usage.c.operation_id, usage.c.item).in_([tuple(row) for row in rows])
        await connection.execute(sa.update(usage).where(assigned).values(object_id=planned.id))
    return planned


async def _plan_merge(database: Database, at_least: int) -> PendingObject | None:
    """Add a pending object that will replace the smallest active objects, at most MERGED_ROWS rows together."""
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
    """The rows of an object in a fixed order, so that a second write produces the same bytes."""
    named = usage.join(accounts, accounts.c.id == usage.c.account_id).join(keys, keys.c.id == usage.c.key_id)
    own = sa.select(*COLUMNS, *NAMES).select_from(named).where(usage.c.object_id == planned.id)
    return own.order_by(usage.c.created_at, usage.c.operation_id, usage.c.item)


async def _written(rows: Iterable[RowMapping]) -> bytes:
    utc = [{**row, "created_at": to_naive_utc(row["created_at"])} for row in rows]
    return await ledger_parquet.write(PARQUET_COLUMNS, utc)


async def _merged(lake: Lake, sources: Sequence[str]) -> bytes:
    return await ledger_parquet.merge(PARQUET_COLUMNS, [await lake.get(key) for key in sources])


async def _activate(database: Database, planned: PendingObject) -> int:
    """Make the object visible to readers; returns its number of rows, or 0 if another process has already done so."""
    async with database.transaction() as connection:
        await table_store.lock(connection, STORE)
        rows = await table_store.activate(connection, STORE, planned)
        if rows:
            await table_store.add_version(connection, STORE)
    return sum(rows)


def to_naive_utc(moment: datetime | None) -> datetime | None:
    """UTC without a time zone, as the Parquet columns store it: DuckDB needs an extension to compare times with a zone."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment is not None else None
