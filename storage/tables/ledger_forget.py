"""Remove an account from the usage ledger: every object that contains rows of it is replaced by an object without them.

The new object is written first, under a new key, and becomes active in the transaction that tombstones the old one. A concurrent merge
therefore either includes the old object, and the merged object is then replaced, or finds it tombstoned. Unlike after a compaction,
tombstoned objects are deleted at once: a reader of an older manifest repeats its query.

A slow process that recorded a pending object earlier may write that object again after its deletion. Such keys are deleted a second time,
when no write of them can still be running.
"""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa

from storage import ids
from storage.objects.lake import DEADLINE_SECONDS, Lake, ObjectMissing
from storage.postgres.database import Database
from storage.postgres.schema import usage_objects
from storage.tables import ledger, parquet, table_store
from storage.tables.ledger import STORE
from storage.tables.table_store import ObjectState

NOTHING_NEW: Final = 10**9
"""More objects than can exist: compaction then finishes pending objects and starts no merge."""

SLOW_SECONDS: Final = DEADLINE_SECONDS + 5.0
"""How long another process may still be writing an object that was pending at the time of the check."""


@dataclass(frozen=True)
class _Object:
    """An object that readers may use."""

    id: int
    key: str
    state: str


async def forget(database: Database, lake: Lake, account_id: str, *, slow_seconds: float = SLOW_SECONDS) -> int:
    """Delete the rows of an account from the ledger; returns how many there were. The table `usage` must have none at the call.

    Exporters, compactors and readers may run at the same time. An interrupted call can be repeated.

    Raises: DatastoreUnavailable, LakeUnavailable.
    """
    deleted = 0
    suspect = await _find_pending_keys(database, "export")  # their rows may have been read while the account had some
    slow = set(suspect)
    while True:
        slow |= await _find_pending_keys(database, "merge")
        await ledger.export(database, lake)
        await ledger.compact(database, lake, at_least=NOTHING_NEW)
        found = [(one, await _rows_of(lake, one, account_id)) for one in await _find_readable(database)]
        dirty = [(one, rows) for one, rows in found if rows or (one.key in suspect and one.state == ObjectState.ACTIVE)]
        if not dirty:
            break
        for one, rows in dirty:
            if one.state == ObjectState.ACTIVE and await _replace(database, lake, one, account_id):
                deleted += rows
        await table_store.publish(database, lake, STORE)
        await _delete_tombstoned(database, lake, [one for one, _ in dirty])
    if slow:
        await asyncio.sleep(slow_seconds)
        await _delete_rewritten(database, lake, slow)
    return deleted


async def _find_pending_keys(database: Database, kind: str) -> set[str]:
    """Keys of pending objects, which another process may be writing."""
    pending = sa.select(usage_objects.c.key).where(
        usage_objects.c.state == ObjectState.PENDING, usage_objects.c.kind == kind
    )
    async with database.transaction() as connection:
        return set((await connection.execute(pending)).scalars())


async def _find_readable(database: Database) -> list[_Object]:
    """Active and tombstoned objects, which readers may use."""
    readable = sa.select(usage_objects.c.id, usage_objects.c.key, usage_objects.c.state).where(
        usage_objects.c.state.in_((ObjectState.ACTIVE, ObjectState.TOMBSTONED))
    )
    async with database.transaction() as connection:
        return [_Object(*row) for row in (await connection.execute(readable.order_by(usage_objects.c.id))).all()]


async def _rows_of(lake: Lake, one: _Object, account_id: str) -> int:
    try:
        data = await lake.get(one.key)
    except ObjectMissing:
        return 0
    return await asyncio.to_thread(_count, data, account_id)


def _count(data: bytes, account_id: str) -> int:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    owners = pq.read_table(io.BytesIO(data), columns=["account_id"])["account_id"]
    return int(pc.sum(pc.equal(owners, account_id)).as_py() or 0)


def _exclude_account(data: bytes, account_id: str) -> tuple[bytes, int]:
    """The rows of the other accounts as Parquet, and their number."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(data), schema=ledger.schema())
    kept = table.filter(pc.not_equal(table["account_id"], account_id))
    return parquet.to_parquet(kept), kept.num_rows


async def _replace(database: Database, lake: Lake, one: _Object, account_id: str) -> bool:
    """Replace an object by one without the rows of the account; returns False if it has been merged meanwhile."""
    data, rows = await asyncio.to_thread(_exclude_account, await lake.get(one.key), account_id)
    key = f"usage/rows/{ids.new('u')}.parquet"
    if rows:
        await lake.put(key, data)
    unmerged = sa.and_(
        usage_objects.c.id == one.id, usage_objects.c.state == ObjectState.ACTIVE, usage_objects.c.merged_into.is_(None)
    )
    async with database.transaction() as connection:
        await table_store.lock(connection, STORE)
        held = (await connection.execute(sa.select(usage_objects.c.id).where(unmerged).with_for_update())).first()
        if held is not None and rows:
            planned = await table_store.add_merge(connection, STORE, [one.id], key=key, rows=rows)
            await table_store.activate(connection, STORE, planned)
        elif held is not None:
            await table_store.tombstone(connection, STORE, usage_objects.c.id == one.id)
        if held is not None:
            await table_store.add_version(connection, STORE)
    if held is None and rows:
        await lake.delete(key)
    return held is not None


async def _delete_tombstoned(database: Database, lake: Lake, dirty: list[_Object]) -> None:
    """Delete those of the objects that are tombstoned."""
    tombstoned = sa.select(usage_objects.c.id, usage_objects.c.key).where(
        usage_objects.c.id.in_([one.id for one in dirty]), usage_objects.c.state == ObjectState.TOMBSTONED
    )
    async with database.transaction() as connection:
        found = (await connection.execute(tombstoned)).all()
    for row in found:
        await lake.delete(row.key)
    removed = sa.update(usage_objects).where(usage_objects.c.id.in_([row.id for row in found]))
    async with database.transaction() as connection:
        await connection.execute(removed.values(state=ObjectState.REMOVED))


async def _delete_rewritten(database: Database, lake: Lake, keys: set[str]) -> None:
    """Delete the objects of these keys that Postgres records as removed or does not record; a slow process may have written them again."""
    recorded = sa.select(usage_objects.c.key).where(
        usage_objects.c.key.in_(keys), usage_objects.c.state != ObjectState.REMOVED
    )
    async with database.transaction() as connection:
        known = set((await connection.execute(recorded)).scalars())
    for key in keys - known:
        await lake.delete(key)
