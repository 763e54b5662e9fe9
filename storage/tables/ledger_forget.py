"""Remove an account from the usage ledger: every object that holds rows of it is replaced by one without them.

The new object is written first, under a name that nobody knows, and becomes live in the transaction that retires the old one; so whoever
merges at the same time either gets the old object first, and then the merged one is replaced, or finds it retired. Unlike what compaction
retires, what is retired here is deleted at once: a reader who follows an older manifest asks again.

Somebody who planned an object before, and is slow, may write it once more after it was deleted. Such names are remembered, and deleted
again when no put can be under way any more.
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
from storage.tables import ledger, table_store
from storage.tables.ledger import STORE
from storage.tables.table_store import ObjectState

NOTHING_NEW: Final = 10**9
"""More objects than there are: compaction then finishes what was begun and begins nothing."""

SLOW_SECONDS: Final = DEADLINE_SECONDS + 5.0
"""How long another process may still be writing an object that was planned at the time of the check."""


@dataclass(frozen=True)
class _Object:
    """An object that readers may follow."""

    id: int
    key: str
    state: str


async def forget(database: Database, lake: Lake, account_id: str, *, slow_seconds: float = SLOW_SECONDS) -> int:
    """Have no row of an account in the ledger; how many there were. To be called when the table `usage` has none.

    Safe beside exporters, compactors and readers, and to be done again where it broke off.

    Raises: DatastoreUnavailable, LakeUnavailable.
    """
    gone = 0
    suspect = await _planned(database, "export")  # their rows may have been read when the account still had some
    slow = set(suspect)
    while True:
        slow |= await _planned(database, "merge")
        await ledger.export(database, lake)
        await ledger.compact(database, lake, at_least=NOTHING_NEW)
        found = [(one, await _rows_of(lake, one, account_id)) for one in await _standing(database)]
        dirty = [(one, rows) for one, rows in found if rows or (one.key in suspect and one.state == ObjectState.ACTIVE)]
        if not dirty:
            break
        for one, rows in dirty:
            if one.state == ObjectState.ACTIVE and await _replaced(database, lake, one, account_id):
                gone += rows
        await table_store.publish(database, lake, STORE)
        await _deleted(database, lake, [one for one, _ in dirty])
    if slow:
        await asyncio.sleep(slow_seconds)
        await _delete_unknown(database, lake, slow)
    return gone


async def _planned(database: Database, kind: str) -> set[str]:
    """Keys of planned objects, which another process may be writing now."""
    planned = sa.select(usage_objects.c.key).where(
        usage_objects.c.state == ObjectState.PENDING, usage_objects.c.kind == kind
    )
    async with database.transaction() as connection:
        return set((await connection.execute(planned)).scalars())


async def _standing(database: Database) -> list[_Object]:
    """Objects that readers may follow."""
    there = sa.select(usage_objects.c.id, usage_objects.c.key, usage_objects.c.state).where(
        usage_objects.c.state.in_((ObjectState.ACTIVE, ObjectState.TOMBSTONED))
    )
    async with database.transaction() as connection:
        return [_Object(*row) for row in (await connection.execute(there.order_by(usage_objects.c.id))).all()]


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


def _without(data: bytes, account_id: str) -> tuple[bytes, int]:
    """The other accounts' rows as an object, and how many they are."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    whole = pq.read_table(io.BytesIO(data), schema=ledger.schema())
    kept = whole.filter(pc.not_equal(whole["account_id"], account_id))
    return table_store.to_parquet(kept), kept.num_rows


async def _replaced(database: Database, lake: Lake, one: _Object, account_id: str) -> bool:
    """Let an object without the account's rows stand for this one; False where it has gone into a merge meanwhile."""
    data, rows = await asyncio.to_thread(_without, await lake.get(one.key), account_id)
    key = f"usage/rows/{ids.new('u')}.parquet"
    if rows:
        await lake.put(key, data)
    mine = sa.and_(
        usage_objects.c.id == one.id, usage_objects.c.state == ObjectState.ACTIVE, usage_objects.c.merged_into.is_(None)
    )
    async with database.transaction() as connection:
        await table_store.lock(connection, STORE)
        held = (await connection.execute(sa.select(usage_objects.c.id).where(mine).with_for_update())).first()
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


async def _deleted(database: Database, lake: Lake, dirty: list[_Object]) -> None:
    """Of these objects, delete those that are retired."""
    retired = sa.select(usage_objects.c.id, usage_objects.c.key).where(
        usage_objects.c.id.in_([one.id for one in dirty]), usage_objects.c.state == ObjectState.TOMBSTONED
    )
    async with database.transaction() as connection:
        found = (await connection.execute(retired)).all()
    for row in found:
        await lake.delete(row.key)
    removed = sa.update(usage_objects).where(usage_objects.c.id.in_([row.id for row in found]))
    async with database.transaction() as connection:
        await connection.execute(removed.values(state=ObjectState.REMOVED))


async def _delete_unknown(database: Database, lake: Lake, keys: set[str]) -> None:
    """Of these names, delete what is no object any more."""
    there = sa.select(usage_objects.c.key).where(
        usage_objects.c.key.in_(keys), usage_objects.c.state != ObjectState.REMOVED
    )
    async with database.transaction() as connection:
        known = set((await connection.execute(there)).scalars())
    for key in keys - known:
        await lake.delete(key)
