"""The usage ledger in the lake: append-only Parquet objects, and a manifest that says which of them are the ledger.

An object is *planned* in Postgres first, with its name and with the rows (or the smaller objects) that go into it, each of which belongs
to one object only. Then it is written, then it becomes *live* together with a new version of the manifest, and what it replaces is
*retired*. Every step can be done again by anybody, with the same outcome: who finds a planned object writes it once more under the same
name. So two exporters at once, or one that dies between any two steps, neither lose a row nor show it twice.

    usage/rows/<id>.parquet          written once, deleted only after it was retired for GRACE
    usage/manifest/<version>.json    the live objects; readers take the highest version

Rows are chosen by "belongs to no object yet", never by a highest id or moment: transactions do not commit in the order they began.
"""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import ids
from storage.database import Database
from storage.lake import Lake
from storage.tables import usage, usage_manifests, usage_objects

if TYPE_CHECKING:
    import pyarrow as pa

EXPORT_ROWS: Final = 5_000
"""Most rows of one exported object; more rows make more objects."""

MERGED_ROWS: Final = 250_000
"""Most rows of one merged object, and most rows that compaction holds in memory."""

GRACE: Final = timedelta(hours=1)
"""How long a retired object and an old manifest stay for the readers that still follow them."""

LEDGER_LOCK: Final = 0x5553_4147_45
"""Advisory lock under which objects become live: versions of the manifest follow one another."""

MANIFESTS: Final = "usage/manifest"

COLUMNS: Final = tuple(column for column in usage.c if column.name != "object_id")


@dataclass(frozen=True)
class _Planned:
    """An object that is to be written."""

    id: int
    key: str


async def export(database: Database, lake: Lake) -> int:
    """Copy the rows that no object holds yet; how many this call brought into the ledger.

    Raises: DatastoreUnavailable, LakeUnavailable: what was begun is finished by the next call.
    """
    brought = 0
    while (planned := await _unfinished(database, "export") or await _plan_export(database)) is not None:
        async with database.transaction() as connection:
            found = (await connection.execute(_rows_of(planned))).mappings().all()
        await lake.put(planned.key, await asyncio.to_thread(_parquet, [dict(row) for row in found]))
        brought += await _make_live(database, planned)
    await _publish(database, lake)
    return brought


async def compact(database: Database, lake: Lake, *, at_least: int = 8) -> int:
    """Merge small objects where there are at least so many, and delete what was retired long enough; how many were merged.

    Raises: DatastoreUnavailable, LakeUnavailable: what was begun is finished by the next call.
    """
    merged = 0
    while (planned := await _unfinished(database, "merge") or await _plan_merge(database, at_least)) is not None:
        async with database.transaction() as connection:
            sources = (await connection.execute(_sources_of(planned))).scalars().all()
        await lake.put(planned.key, await _merged(lake, sources))
        if await _make_live(database, planned):
            merged += len(sources)
    await _publish(database, lake)
    await _sweep(database, lake)
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


async def _unfinished(database: Database, kind: Literal["export", "merge"]) -> _Planned | None:
    """An object that somebody planned and did not finish, or is writing now: writing it once more does no harm."""
    planned = sa.select(usage_objects.c.id, usage_objects.c.key).where(
        usage_objects.c.state == "planned", usage_objects.c.kind == kind
    )
    async with database.transaction() as connection:
        found = (await connection.execute(planned.order_by(usage_objects.c.id).limit(1))).first()
    return _Planned(*found) if found else None


async def _plan_export(database: Database) -> _Planned | None:
    """A new object, and the rows that go into it; rows that another exporter is planning are left to it."""
    free = sa.select(usage.c.operation_id, usage.c.item).where(usage.c.object_id.is_(None))
    chosen = free.order_by(usage.c.created_at).limit(EXPORT_ROWS).with_for_update(skip_locked=True)
    async with database.transaction() as connection:
        rows = (await connection.execute(chosen)).all()
        if not rows:
            return None
        planned = await _new_object(connection, "export", len(rows))
        mine = sa.tuple_(usage.c.operation_id, usage.c.item).in_([tuple(row) for row in rows])
        await connection.execute(sa.update(usage).where(mine).values(object_id=planned.id))
    return planned


async def _plan_merge(database: Database, at_least: int) -> _Planned | None:
    """A new object, and the live ones that it will replace: the smallest first, up to MERGED_ROWS together."""
    live = sa.select(usage_objects.c.id, usage_objects.c.rows).where(
        usage_objects.c.state == "live", usage_objects.c.merged_into.is_(None)
    )
    async with database.transaction() as connection:
        found = (await connection.execute(live.order_by(usage_objects.c.rows).with_for_update(skip_locked=True))).all()
        chosen, rows = [], 0
        for candidate in found:
            if rows + candidate.rows > MERGED_ROWS:
                break
            chosen.append(candidate.id)
            rows += candidate.rows
        if len(chosen) < max(at_least, 2):
            return None
        planned = await _new_object(connection, "merge", rows)
        sources = sa.update(usage_objects).where(usage_objects.c.id.in_(chosen))
        await connection.execute(sources.values(merged_into=planned.id))
    return planned


async def _new_object(connection: AsyncConnection, kind: str, rows: int) -> _Planned:
    row = {"key": f"usage/rows/{ids.new('u')}.parquet", "kind": kind, "rows": rows}
    made = sa.insert(usage_objects).values(**row).returning(usage_objects.c.id, usage_objects.c.key)
    return _Planned(*(await connection.execute(made)).one())


# Writing ------------------------------------------------------------------------------------------------------------------


def _rows_of(planned: _Planned) -> sa.Select[Any]:
    """In one order, so that writing the object again writes the same."""
    own = sa.select(*COLUMNS).where(usage.c.object_id == planned.id)
    return own.order_by(usage.c.created_at, usage.c.operation_id, usage.c.item)


def _sources_of(planned: _Planned) -> sa.Select[Any]:
    return sa.select(usage_objects.c.key).where(usage_objects.c.merged_into == planned.id).order_by(usage_objects.c.id)


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as pa

    utc = [row | {"created_at": naive_utc(row["created_at"])} for row in rows]
    return _written(pa.Table.from_pylist(utc, schema=schema()))


async def _merged(lake: Lake, sources: list[str] | Any) -> bytes:
    parts = [await lake.get(key) for key in sources]
    return await asyncio.to_thread(_concatenated, parts)


def _concatenated(parts: list[bytes]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = pa.concat_tables([pq.read_table(io.BytesIO(part), schema=schema()) for part in parts])
    return _written(whole.sort_by([("created_at", "ascending"), ("operation_id", "ascending"), ("item", "ascending")]))


def _written(table: pa.Table) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


# Publishing ---------------------------------------------------------------------------------------------------------------


async def _make_live(database: Database, planned: _Planned) -> int:
    """The written object is the ledger's from now on, instead of those merged into it; how many rows, 0 if somebody was quicker."""
    async with database.transaction() as connection:
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LEDGER_LOCK)))
        mine = sa.update(usage_objects).where(usage_objects.c.id == planned.id, usage_objects.c.state == "planned")
        rows = (await connection.execute(mine.values(state="live").returning(usage_objects.c.rows))).scalar()
        if rows is None:
            return 0
        replaced = sa.update(usage_objects).where(usage_objects.c.merged_into == planned.id)
        await connection.execute(replaced.values(state="retired", retired_at=sa.func.clock_timestamp()))
        await connection.execute(_next_manifest())
        return int(rows)


def _next_manifest() -> sa.Insert:
    highest = sa.select(sa.func.coalesce(sa.func.max(usage_manifests.c.version), 0) + 1).scalar_subquery()
    live = (
        sa.select(sa.func.jsonb_agg(aggregate_order_by(usage_objects.c.key, usage_objects.c.id)))
        .select_from(usage_objects)
        .where(usage_objects.c.state == "live")
    )
    return sa.insert(usage_manifests).values(version=highest, objects=live.scalar_subquery())


async def _publish(database: Database, lake: Lake) -> None:
    """Lay down the newest manifest, if nobody did. An older one that a slow process lays down later is never the highest."""
    newest = sa.select(usage_manifests).order_by(usage_manifests.c.version.desc()).limit(1)
    async with database.transaction() as connection:
        manifest = (await connection.execute(newest)).first()
    if manifest is None or manifest.published_at is not None:
        return
    body = {"version": manifest.version, "objects": manifest.objects}
    await lake.put(_manifest_key(manifest.version), json.dumps(body).encode())
    published = sa.update(usage_manifests).where(usage_manifests.c.version == manifest.version)
    async with database.transaction() as connection:
        await connection.execute(published.values(published_at=sa.func.clock_timestamp()))


def _manifest_key(version: int) -> str:
    """Names in the order of versions."""
    return f"{MANIFESTS}/{version:020d}.json"


async def _sweep(database: Database, lake: Lake) -> None:
    """Delete what no reader follows any more: first the objects, then what we know of them."""
    long_ago = sa.func.clock_timestamp() - GRACE
    retired = sa.and_(usage_objects.c.state == "retired", usage_objects.c.retired_at < long_ago)
    highest = (
        sa.select(sa.func.max(usage_manifests.c.version))
        .where(usage_manifests.c.published_at.is_not(None))
        .scalar_subquery()
    )
    outdated = sa.and_(usage_manifests.c.version < highest, usage_manifests.c.created_at < long_ago)
    async with database.transaction() as connection:
        objects = (await connection.execute(sa.select(usage_objects.c.id, usage_objects.c.key).where(retired))).all()
        versions = (await connection.execute(sa.select(usage_manifests.c.version).where(outdated))).scalars().all()
    for key in [*(row.key for row in objects), *map(_manifest_key, versions)]:
        await lake.delete(key)
    async with database.transaction() as connection:
        gone = sa.update(usage_objects).where(usage_objects.c.id.in_([row.id for row in objects]))
        await connection.execute(gone.values(state="removed"))
        await connection.execute(sa.delete(usage_manifests).where(usage_manifests.c.version.in_(versions)))


def naive_utc(moment: datetime | None) -> datetime | None:
    """Parquet keeps moments in UTC without saying so: DuckDB asks for an extension to compare those that say so."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment is not None else None
