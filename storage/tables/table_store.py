"""Table stores: append-only Parquet objects in the lake, and a manifest that lists the objects that readers use.

An object is first *pending*: its key is recorded in Postgres. Then it is written. Then it becomes *active* together with a new version of
the manifest, and the objects that it replaces are *tombstoned*; after a grace period for readers of an older manifest they are
*removed*. If a process is killed between two steps, no row is lost or visible twice, and Postgres has a record of every object in the
lake.

    <folder>/manifest/<version>.json    the active objects; readers use the highest version

The content of a manifest is read from the states of the objects when it is published, in one statement and so in one snapshot. Therefore
every change of the set of active objects also adds a version, in the same transaction, under the store's lock. The usage ledger is one
table store, the tables of bulk ingest are another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.objects.lake import Lake
from storage.postgres.database import Database

GRACE: Final = timedelta(hours=1)
"""How long a tombstoned object and an old manifest are kept, for readers that still use them."""


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
    """First segment of the keys."""
    objects: sa.Table
    """Table with the columns id, key, kind, state, rows, merged_into, created_at, retired_at and those of the store."""
    manifests: sa.Table
    """Table with the columns version, created_at, published_at."""
    lock: int
    """Number of the advisory lock under which objects become active, so that versions of the manifest are sequential."""
    entry: sa.ColumnElement[Any]
    """SQL expression of an object's entry in the manifest."""

    @property
    def manifest(self) -> str:
        """Prefix of the keys of its manifests."""
        return f"{self.folder}/manifest"

    def manifest_key(self, version: int) -> str:
        """Key of the manifest of a version; keys sort by version."""
        return f"{self.manifest}/{version:020d}.json"


@dataclass(frozen=True)
class PendingObject:
    """An object that has a key and is not yet active."""

    id: int
    key: str


# Planning -----------------------------------------------------------------------------------------------------------------


async def find_pending(database: Database, store: TableStore, kind: str) -> PendingObject | None:
    """The oldest pending object of a kind, which another process abandoned or is writing; a second write is harmless."""
    planned = sa.select(store.objects.c.id, store.objects.c.key).where(
        store.objects.c.state == ObjectState.PENDING, store.objects.c.kind == kind
    )
    async with database.transaction() as connection:
        found = (await connection.execute(planned.order_by(store.objects.c.id).limit(1))).first()
    return PendingObject(*found) if found else None


async def add_pending(connection: AsyncConnection, store: TableStore, **row: Any) -> PendingObject:
    """Add a pending object. row: its key, kind and number of rows, and the columns of the store."""
    made = sa.insert(store.objects).values(**row).returning(store.objects.c.id, store.objects.c.key)
    return PendingObject(*(await connection.execute(made)).one())


async def add_merge(
    connection: AsyncConnection, store: TableStore, sources: Iterable[int], **row: Any
) -> PendingObject:
    """Add a pending object that will replace active objects; they must not be in another merge."""
    planned = await add_pending(connection, store, kind="merge", **row)
    assigned = sa.update(store.objects).where(store.objects.c.id.in_(sources))
    await connection.execute(assigned.values(merged_into=planned.id))
    return planned


def sources_of(store: TableStore, planned: PendingObject) -> sa.Select[Any]:
    """Query for the keys of the sources of a merge, in a fixed order, so that a second write produces the same bytes."""
    objects = store.objects
    return sa.select(objects.c.key).where(objects.c.merged_into == planned.id).order_by(objects.c.id)


def choose_smallest(candidates: Iterable[Any], most_rows: int, most_bytes: int | None = None) -> list[Any]:
    """The smallest candidates that together fit into one object; a candidate has `rows`, and `bytes` if most_bytes is given."""
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
    """Lock the set of active objects against other processes until the transaction ends."""
    await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(store.lock)))


async def activate(connection: AsyncConnection, store: TableStore, *planned: PendingObject) -> list[int]:
    """Make written objects visible to readers, and tombstone the objects that were merged into them.

    Returns: the number of rows of each object that was pending until now.

    Call it under the store's lock, and `add_version` afterwards. An object without rows is tombstoned at once.
    """
    objects = store.objects
    written = objects.c.id.in_([one.id for one in planned])
    activated = (
        sa.update(objects).where(written, objects.c.state == ObjectState.PENDING).values(state=ObjectState.ACTIVE)
    )
    live = (await connection.execute(activated.returning(objects.c.id, objects.c.rows))).all()
    if live:
        replaced = objects.c.merged_into.in_([row.id for row in live])
        await tombstone(connection, store, sa.or_(replaced, sa.and_(written, objects.c.rows == 0)))
    return [row.rows for row in live]


async def tombstone(connection: AsyncConnection, store: TableStore, which: sa.ColumnElement[bool]) -> int:
    """Exclude objects from every later manifest; returns how many there were."""
    tombstoned = sa.update(store.objects).where(
        which, store.objects.c.state.in_((ObjectState.PENDING, ObjectState.ACTIVE))
    )
    return (
        await connection.execute(tombstoned.values(state=ObjectState.TOMBSTONED, retired_at=sa.func.clock_timestamp()))
    ).rowcount


async def add_version(connection: AsyncConnection, store: TableStore) -> None:
    """Add a version of the manifest, after the set of active objects has changed."""
    highest = sa.select(sa.func.coalesce(sa.func.max(store.manifests.c.version), 0) + 1).scalar_subquery()
    await connection.execute(sa.insert(store.manifests).values(version=highest))


async def publish(database: Database, lake: Lake, store: TableStore) -> None:
    """Write the newest manifest if it is not published yet. A slow process may write an older one later; readers ignore it."""
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
    """The entries of the newest manifest; empty if none was published yet.

    Raises: LakeUnavailable; ObjectMissing if the manifest was deleted meanwhile (call again).
    """
    versions = await lake.list(store.manifest)
    return list(json.loads(await lake.get(versions[-1]))["objects"]) if versions else []


async def sweep(database: Database, lake: Lake, store: TableStore, grace: timedelta) -> None:
    """Delete objects that were tombstoned before `grace` and manifests older than that, then update their records in Postgres."""
    objects, manifests = store.objects, store.manifests
    limit = sa.func.clock_timestamp() - grace
    retired = sa.and_(objects.c.state == ObjectState.TOMBSTONED, objects.c.retired_at < limit)
    highest = sa.select(sa.func.max(manifests.c.version)).where(manifests.c.published_at.is_not(None)).scalar_subquery()
    outdated = sa.and_(manifests.c.version < highest, manifests.c.created_at < limit)
    async with database.transaction() as connection:
        expired = (await connection.execute(sa.select(objects.c.id, objects.c.key).where(retired))).all()
        versions = (await connection.execute(sa.select(manifests.c.version).where(outdated))).scalars().all()
    for key in [*(row.key for row in expired), *(store.manifest_key(version) for version in versions)]:
        await lake.delete(key)
    async with database.transaction() as connection:
        removed = sa.update(objects).where(objects.c.id.in_([row.id for row in expired]))
        await connection.execute(removed.values(state=ObjectState.REMOVED))
        await connection.execute(sa.delete(manifests).where(manifests.c.version.in_(versions)))
