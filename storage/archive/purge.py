"""Delete an account with its rows, keys and objects, and its rows of the usage ledger.

The steps have this order, so that an interrupted purge can be repeated as long as the account exists:

 1. Revoke its keys, so that no new operation begins.
 2. Wait a limited time for running operations to end.
 3. Delete its objects: staged files, uploads, results, and the stage results that Prefect keeps.
 4. Delete its rows, in one transaction.
 5. Delete its rows of the ledger (storage/tables/ledger_forget.py).
 6. Delete objects that runs which were not waited for wrote meanwhile.
 7. Delete rows that were added meanwhile, and the account itself, in one transaction.

An object belongs to the account if the second segment of its key is the id of an operation, a batch or an upload of the account. Stage
results of earlier versions lie directly below `prefect/` and name nobody: purge counts them, and they expire within 24 hours.

The tables of bulk ingest are kept, because they belong to the operator and not to an account. Earlier backups still contain the account.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.counting import count_of
from spatial.errors import SpatialError
from storage.objects.lake import Lake
from storage.postgres import accounts, meter_events, operations
from storage.postgres.batch_states import IN_FLIGHT
from storage.postgres.database import Database
from storage.postgres.schema import accounts as account_table
from storage.postgres.schema import batches, keys, metadata, uploads
from storage.postgres.schema import operations as operation_table
from storage.tables import ledger_query
from storage.tables.ledger_forget import forget

POLL_SECONDS: Final = 0.5
"""Interval of the check for running operations."""

STAGE_RESULTS: Final = "prefect"
"""Prefix under which Prefect keeps results of stages (flows/hosting.py)."""

OWNED_PREFIXES: Final = ("staged", "results", STAGE_RESULTS)
"""Prefixes below which objects have the id of their owner as the second segment."""

DELETED_AT_A_TIME: Final = 32
"""Number of objects that are deleted concurrently."""

KEPT_UNTIL_LAST: Final = frozenset({"keys", "subscriptions"})
"""Tables whose rows are deleted in the same transaction as the account."""

OWNED: Final = tuple(table for table in reversed(metadata.sorted_tables) if "account_id" in table.c)
"""Tables with an account id, each before the tables that it refers to; dependent rows are deleted by cascade."""

Report = Callable[[str], None]
"""Called with the description of the next step."""


class StillRunning(SpatialError):
    """The account has running operations."""

    status = 409
    type = "still_running"


@dataclass(frozen=True)
class Holdings:
    """The data of an account."""

    account_id: str
    name: str
    rows: dict[str, int]
    """Number of rows per table; tables without rows of the account are left out."""
    ledger_rows: int
    objects: tuple[str, ...]
    """Keys in the lake, without objects of the ledger."""
    running: int
    """Operations and batches that are running or queued."""


async def read_holdings(database: Database, lake: Lake, name: str) -> Holdings:
    """The data of the account of this name.

    Raises: InvalidRequest if there is none.
    """
    async with database.transaction() as connection:
        account = await accounts.require(connection, name)
        rows = {table.name: await _count(connection, table, account.id) for table in OWNED}
        running = await _count_running(connection, account.id)
    return Holdings(
        account_id=account.id,
        name=account.name,
        rows={table: count for table, count in rows.items() if count},
        ledger_rows=sum(total.items for total in await ledger_query.read_totals(lake, account.id)),
        objects=tuple(await _list_objects(lake, await _read_owner_ids(database, account.id))),
        running=running,
    )


async def read_request_ids(database: Database, account_id: str) -> list[str]:
    """Ids of the requests of an account, which are tags of its flow runs."""
    async with database.transaction() as connection:
        of_operations = sa.select(operation_table.c.request_id).where(operation_table.c.account_id == account_id)
        return sorted(set((await connection.execute(of_operations)).scalars()))


async def purge(
    database: Database,
    lake: Lake,
    account_id: str,
    *,
    wait_seconds: float,
    force: bool,
    report: Report = lambda _: None,
) -> None:
    """Delete the account.

    wait_seconds: how long to wait for running operations; force: delete the account even if operations still run after that.
    Raises: StillRunning, after its keys were revoked and before anything is deleted; DatastoreUnavailable, LakeUnavailable (call again).
    """
    async with database.transaction() as connection:
        valid = sa.and_(keys.c.account_id == account_id, keys.c.revoked_at.is_(None))
        await connection.execute(sa.update(keys).where(valid).values(revoked_at=sa.func.clock_timestamp()))
    report("keys are revoked")
    await _wait_for_running(database, account_id, wait_seconds, force=force, report=report)
    owners = await _read_owner_ids(database, account_id)
    report(f"{count_of(await _delete_objects(lake, owners), 'object is', 'objects are')} deleted")
    async with database.transaction() as connection:
        unsent = await meter_events.count_pending(connection, account_id)
        deleted = await _delete_rows(connection, account_id)
    if unsent:
        report(f"{count_of(unsent, 'meter event was', 'meter events were')} not sent to Stripe, and never will be")
    report(f"{deleted} rows are deleted")
    report(f"{await forget(database, lake, account_id)} rows of the ledger are deleted")
    await _delete_objects(lake, owners)
    async with database.transaction() as connection:
        late = await _delete_rows(connection, account_id)
        for name in KEPT_UNTIL_LAST:
            table = metadata.tables[name]
            await connection.execute(sa.delete(table).where(table.c.account_id == account_id))
        await connection.execute(sa.delete(account_table).where(account_table.c.id == account_id))
    if late:
        await forget(database, lake, account_id)
    report("the account is deleted")
    if nameless := [key for key in await lake.list(STAGE_RESULTS) if key.count("/") == 1]:
        report(
            f"{count_of(len(nameless), 'stage result', 'stage results')} of an earlier version may contain content of "
            "the account's files, name no account, and expire within 24 hours"
        )


async def _wait_for_running(
    database: Database, account_id: str, seconds: float, *, force: bool, report: Report
) -> None:
    deadline = time.monotonic() + seconds
    while True:
        async with database.transaction() as connection:
            running = await _count_running(connection, account_id)
        if not running:
            return
        if time.monotonic() > deadline:
            break
        await asyncio.sleep(POLL_SECONDS)
    if not force:
        raise StillRunning(
            f"{count_of(running, 'operation is', 'operations are')} still running; "
            "the account's keys are revoked, so nothing new begins; try again later"
        )
    report(f"{count_of(running, 'operation is', 'operations are')} still running, and what results is dropped")


async def _count_running(connection: AsyncConnection, account_id: str) -> int:
    alive = sa.select(sa.func.count()).where(operation_table.c.account_id == account_id, operations.is_alive())
    in_flight = sa.select(sa.func.count()).where(
        batches.c.account_id == account_id,
        batches.c.state.in_(IN_FLIGHT),
        batches.c.expires_at > sa.func.clock_timestamp(),
    )
    return int((await connection.execute(alive)).scalar_one()) + int((await connection.execute(in_flight)).scalar_one())


async def _count(connection: AsyncConnection, table: sa.Table, account_id: str) -> int:
    counting = sa.select(sa.func.count()).select_from(table).where(table.c.account_id == account_id)
    return int((await connection.execute(counting)).scalar_one())


async def _delete_rows(connection: AsyncConnection, account_id: str) -> int:
    deleted = 0
    for table in OWNED:
        if table.name not in KEPT_UNTIL_LAST:
            deleted += (await connection.execute(sa.delete(table).where(table.c.account_id == account_id))).rowcount
    return deleted


async def _delete_objects(lake: Lake, owners: frozenset[str]) -> int:
    """Delete the objects of these owners; returns how many there were."""
    keys = await _list_objects(lake, owners)
    for start in range(0, len(keys), DELETED_AT_A_TIME):
        await asyncio.gather(*(lake.delete(key) for key in keys[start : start + DELETED_AT_A_TIME]))
    return len(keys)


async def _list_objects(lake: Lake, owners: frozenset[str]) -> list[str]:
    """Keys below OWNED_PREFIXES whose second segment is one of these ids."""
    keys = [key for prefix in OWNED_PREFIXES for key in await lake.list(prefix)]
    return [key for key in keys if key.split("/")[1].removesuffix(".json") in owners]


async def _read_owner_ids(database: Database, account_id: str) -> frozenset[str]:
    """Ids of the account, and of its operations, batches and uploads."""
    ids = {account_id}
    async with database.transaction() as connection:
        for table in (operation_table, batches, uploads):
            rows = await connection.execute(sa.select(table.c.id).where(table.c.account_id == account_id))
            ids.update(str(row_id) for row_id in rows.scalars())
    return frozenset(ids)
