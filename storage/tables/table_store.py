"""Table stores: append-only Parquet objects in the lake, and a manifest that names those which readers see.

An object is first *pending*: Postgres knows its key. Then it is written. Then it becomes *active* together with a new version of
the manifest, and the objects that it replaces are *tombstoned*; after a grace period for readers of an older manifest they are
*removed*. A process that dies between any two steps loses no row, shows no row twice, and leaves nothing in the lake that
Postgres does not know.

    <folder>/manifest/<version>.json    the active objects; readers take the highest version

A manifest is made from the states of the objects when it is published, in one statement and so in one snapshot. Therefore
whatever changes the set of active objects also adds a version, in the same transaction, under the store's lock. The usage ledger
is one table store, the tables of bulk ingest are another.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.lake import Lake
from storage.postgres.database import Database

if TYPE_CHECKING:
    import pyarrow as pa

GRACE: Final = timedelta(hours=1)
"""How long a tombstoned object and an old manifest stay, for readers that still use them."""


class ObjectState(StrEnum):
    """State of an object; the values are those of the database."""

    PENDING = "planned"
    ACTIVE = "live"
    TOMBSTONED = "retired"
    REMOVED = "removed"


@dataclass(frozen=True)
class TableStore:
    """One set of objects with its manifest."""

    folder: str
    """First segment of its keys."""
    objects: sa.Table
    """id, key, kind, state, rows, merged_into, created_at, retired_at, and the store's own columns."""
    manifests: sa.Table
    """version, created_at, published_at."""
    lock: int
    """Advisory lock under which objects become live: versions of the manifest follow one another."""
    entry: sa.ColumnElement[Any]
    """The entry of an object in a manifest."""

    @property
    def manifest(self) -> str:
        """Prefix of the keys of its manifests."""
        return f"{self.folder}/manifest"

    def manifest_key(self, version: int) -> str:
        """The key of a version's manifest; keys sort by version."""
        return f"{self.manifest}/{version:020d}.json"


@dataclass(frozen=True)
class PendingObject:
    """An object that is to be written."""

    id: int
    key: str


# Planning -----------------------------------------------------------------------------------------------------------------


async def find_pending(database: Database, store: TableStore, kind: str) -> PendingObject | None:
    """A pending object that a process did not finish, or is writing now; writing it again is harmless."""
    planned = sa.select(store.objects.c.id, store.objects.c.key).where(
        store.objects.c.state == ObjectState.PENDING, store.objects.c.kind == kind
    )
    async with database.transaction() as connection:
        found = (await connection.execute(planned.order_by(store.objects.c.id).limit(1))).first()
    return PendingObject(*found) if found else None


async def add_pending(connection: AsyncConnection, store: TableStore, **row: Any) -> PendingObject:
    """Add a pending object. row: its key, kind and rows, and the store's own columns."""
    made = sa.insert(store.objects).values(**row).returning(store.objects.c.id, store.objects.c.key)
    return PendingObject(*(await connection.execute(made)).one())


async def add_merge(
    connection: AsyncConnection, store: TableStore, sources: Iterable[int], **row: Any
) -> PendingObject:
    """Add a pending object that will replace active ones, which belong to no other merge."""
    planned = await add_pending(connection, store, kind="merge", **row)
    theirs = sa.update(store.objects).where(store.objects.c.id.in_(sources))
    await connection.execute(theirs.values(merged_into=planned.id))
    return planned


def sources_of(store: TableStore, planned: PendingObject) -> sa.Select[Any]:
    """Keys of the sources of a merged object, in a fixed order, so that writing it again writes the same bytes."""
    objects = store.objects
    return sa.select(objects.c.key).where(objects.c.merged_into == planned.id).order_by(objects.c.id)


def choose_smallest(candidates: Iterable[Any], most_rows: int, most_bytes: int | None = None) -> list[Any]:
    """The smallest candidates that fit into one object together; each has `rows`, and `bytes` where most_bytes is given."""
    chosen, rows, size = [], 0, 0
    for candidate in sorted(candidates, key=lambda one: int(one.rows if most_bytes is None else one.bytes)):
        rows += candidate.rows
        size += candidate.bytes if most_bytes is not None else 0
        if rows > most_rows or size > (most_bytes or 0):
            break
        chosen.append(candidate)
    return chosen


# Publishing ---------------------------------------------------------------------------------------------------------------


async def lock(connection: AsyncConnection, store: TableStore) -> None:
    """Until the transaction ends, no other process changes the set of active objects."""
    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(store.lock)))


async def activate(connection: AsyncConnection, store: TableStore, *planned: PendingObject) -> list[int]:
    """Make written objects visible to readers, in place of those merged into them.

    Returns: the number of rows of each object that was pending until now.

    Call under the store's lock, and `next_version` after it. An object without rows is retired at once.
    """
    objects = store.objects
    mine = objects.c.id.in_([one.id for one in planned])
    lively = sa.update(objects).where(mine, objects.c.state == ObjectState.PENDING).values(state=ObjectState.ACTIVE)
    live = (await connection.execute(lively.returning(objects.c.id, objects.c.rows))).all()
    if live:
        replaced = objects.c.merged_into.in_([row.id for row in live])
        await tombstone(connection, store, sa.or_(replaced, sa.and_(mine, objects.c.rows == 0)))
    return [row.rows for row in live]


async def tombstone(connection: AsyncConnection, store: TableStore, which: sa.ColumnElement[bool]) -> int:
    """Leave objects out of every later manifest; how many there were."""
    gone = sa.update(store.objects).where(which, store.objects.c.state.in_((ObjectState.PENDING, ObjectState.ACTIVE)))
    return (
        await connection.execute(gone.values(state=ObjectState.TOMBSTONED, retired_at=sa.func.clock_timestamp()))
    ).rowcount


async def add_version(connection: AsyncConnection, store: TableStore) -> None:
    """Add a version of the manifest, after the set of active objects has changed."""
    highest = sa.select(sa.func.coalesce(sa.func.max(store.manifests.c.version), 0) + 1).scalar_subquery()
    await connection.execute(sa.insert(store.manifests).values(version=highest))


async def publish(database: Database, lake: Lake, store: TableStore) -> None:
    """Write the newest manifest, where it is not written yet. An older one that a slow process writes later is never the highest."""
    manifests, objects = store.manifests, store.objects
    live = sa.func.coalesce(
        sa.func.jsonb_agg(aggregate_order_by(store.entry, objects.c.id)), sa.cast(sa.literal("[]"), JSONB)
    )
    named = sa.select(live).select_from(objects).where(objects.c.state == ObjectState.ACTIVE).scalar_subquery()
    newest = sa.select(manifests.c.version, manifests.c.published_at, named.label("objects"))
    async with database.transaction() as connection:
        manifest = (await connection.execute(newest.order_by(manifests.c.version.desc()).limit(1))).first()
    if manifest is None or manifest.published_at is not None:
        return
    body = {"version": manifest.version, "objects": manifest.objects}
    await lake.put(store.manifest_key(manifest.version), json.dumps(body).encode())
    published = sa.update(manifests).where(manifests.c.version == manifest.version)
    async with database.transaction() as connection:
        await connection.execute(published.values(published_at=sa.func.clock_timestamp()))


async def read_manifest(lake: Lake, store: TableStore) -> list[Any]:
    """The entries of the newest manifest; none where no manifest was published yet.

    Raises: LakeUnavailable; ObjectMissing where the manifest was deleted meanwhile: call again.
    """
    versions = await lake.list(store.manifest)
    return list(json.loads(await lake.get(versions[-1]))["objects"]) if versions else []


async def sweep(database: Database, lake: Lake, store: TableStore, grace: timedelta) -> None:
    """Delete what no reader uses any more: first the objects, then their rows in Postgres."""
    objects, manifests = store.objects, store.manifests
    long_ago = sa.func.clock_timestamp() - grace
    retired = sa.and_(objects.c.state == ObjectState.TOMBSTONED, objects.c.retired_at < long_ago)
    highest = sa.select(sa.func.max(manifests.c.version)).where(manifests.c.published_at.is_not(None)).scalar_subquery()
    outdated = sa.and_(manifests.c.version < highest, manifests.c.created_at < long_ago)
    async with database.transaction() as connection:
        gone = (await connection.execute(sa.select(objects.c.id, objects.c.key).where(retired))).all()
        versions = (await connection.execute(sa.select(manifests.c.version).where(outdated))).scalars().all()
    for key in [*(row.key for row in gone), *(store.manifest_key(version) for version in versions)]:
        await lake.delete(key)
    async with database.transaction() as connection:
        removed = sa.update(objects).where(objects.c.id.in_([row.id for row in gone]))
        await connection.execute(removed.values(state=ObjectState.REMOVED))
        await connection.execute(sa.delete(manifests).where(manifests.c.version.in_(versions)))


# Parquet ------------------------------------------------------------------------------------------------------------------


def to_parquet(table: pa.Table) -> bytes:
    """The table as one object."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def concatenate(parts: Sequence[bytes], schema: pa.Schema) -> pa.Table:
    """The rows of several objects, in their order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pa.concat_tables([pq.read_table(io.BytesIO(part), schema=schema) for part in parts])
