"""Delete an account: every row, key and object of it, and its rows of the usage ledger.

In this order, so that an interrupted purge can be repeated as long as the account exists:

 1. its keys are revoked: no new operation begins
 2. running operations get a limited time to end
 3. its objects: staged files, uploads, results
 4. its rows, in one transaction
 5. its rows of the ledger (storage/tables/ledger_forget.py)
 6. the results that Prefect keeps of stages, of every account: they hold content of its files, and do not name an account.
    They only let a retried run skip its finished stages; without them it repeats those stages
 7. rows that were added meanwhile, and the account itself, in one transaction

The tables of bulk ingest stay: they belong to the operator, not to an account. Backups that were made before contain the account.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import InvalidRequest, SpatialError
from storage.objects.lake import Lake
from storage.postgres import accounts, operations
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
"""Prefix under which Prefect keeps results of stages."""

DELETED_AT_A_TIME: Final = 32
"""Objects."""

KEPT_UNTIL_LAST: Final = frozenset({"keys", "subscriptions"})
"""Tables whose rows go together with the account."""

OWNED: Final = tuple(table for table in reversed(metadata.sorted_tables) if "account_id" in table.c)
"""Tables with rows of accounts, each before those that it refers to; rows that hang on these go with them."""

Report = Callable[[str], None]
"""Called with the description of the next step."""


class StillRunning(SpatialError):
    """Operations of the account are running."""

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
    """Keys in the lake, the ledger's aside."""
    running: int
    """Operations and batches that are running or queued."""


async def read_holdings(database: Database, lake: Lake, name: str) -> Holdings:
    """The data of the account of this name.

    Raises: InvalidRequest where there is none.
    """
    async with database.transaction() as connection:
        account = await accounts.by_name(connection, name.strip())
        if account is None:
            raise InvalidRequest(f"there is no account named {name}; spatial keys list shows whose keys there are")
        rows = {table.name: await _count(connection, table, account.id) for table in OWNED}
        running = await _count_running(connection, account.id)
    return Holdings(
        account_id=account.id,
        name=account.name,
        rows={table: count for table, count in rows.items() if count},
        ledger_rows=sum(total.items for total in await ledger_query.read_totals(lake, account.id)),
        objects=tuple(await _list_objects(database, lake, account.id)),
        running=running,
    )


async def read_request_ids(database: Database, account_id: str) -> list[str]:
    """Ids of its requests, which its flow runs have as tags."""
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
    """Delete the account. wait_seconds: how long to wait for what is running; force: delete it then even so.

    Raises: StillRunning, and then its keys are revoked and nothing is deleted; DatastoreUnavailable, LakeUnavailable: do it again.
    """
    async with database.transaction() as connection:
        valid = sa.and_(keys.c.account_id == account_id, keys.c.revoked_at.is_(None))
        await connection.execute(sa.update(keys).where(valid).values(revoked_at=sa.func.clock_timestamp()))
    report("keys are revoked")
    await _wait_for_running(database, account_id, wait_seconds, force=force, report=report)
    found = await _list_objects(database, lake, account_id)
    await _delete_objects(lake, found)
    report(f"{len(found)} objects are deleted")
    async with database.transaction() as connection:
        gone = await _delete_rows(connection, account_id)
    report(f"{gone} rows are deleted")
    report(f"{await forget(database, lake, account_id)} rows are out of the ledger")
    of_stages = await lake.list(STAGE_RESULTS)
    await _delete_objects(lake, of_stages)
    report(f"{len(of_stages)} results of stages, all accounts', are deleted; runs under way do without")
    async with database.transaction() as connection:
        late = await _delete_rows(connection, account_id)
        for name in KEPT_UNTIL_LAST:
            table = metadata.tables[name]
            await connection.execute(sa.delete(table).where(table.c.account_id == account_id))
        await connection.execute(sa.delete(account_table).where(account_table.c.id == account_id))
    if late:
        await forget(database, lake, account_id)
    report("the account is unknown now")


async def _wait_for_running(
    database: Database, account_id: str, seconds: float, *, force: bool, report: Report
) -> None:
    until = time.monotonic() + seconds
    while True:
        async with database.transaction() as connection:
            running = await _count_running(connection, account_id)
        if not running:
            return
        if time.monotonic() > until:
            break
        await asyncio.sleep(POLL_SECONDS)
    if not force:
        raise StillRunning(
            f"{running} operations of the account are still running; its keys are revoked, so nothing new begins: try again later"
        )
    report(f"{running} operations are still running; what they come to is dropped")


async def _count_running(connection: AsyncConnection, account_id: str) -> int:
    alive = sa.select(sa.func.count()).where(operation_table.c.account_id == account_id, operations.is_alive())
    going = sa.select(sa.func.count()).where(
        batches.c.account_id == account_id,
        batches.c.state.in_(IN_FLIGHT),
        batches.c.expires_at > sa.func.clock_timestamp(),
    )
    return int((await connection.execute(alive)).scalar_one()) + int((await connection.execute(going)).scalar_one())


async def _count(connection: AsyncConnection, table: sa.Table, account_id: str) -> int:
    counting = sa.select(sa.func.count()).select_from(table).where(table.c.account_id == account_id)
    return int((await connection.execute(counting)).scalar_one())


async def _delete_rows(connection: AsyncConnection, account_id: str) -> int:
    gone = 0
    for table in OWNED:
        if table.name not in KEPT_UNTIL_LAST:
            gone += (await connection.execute(sa.delete(table).where(table.c.account_id == account_id))).rowcount
    return gone


async def _delete_objects(lake: Lake, keys: list[str]) -> None:
    for start in range(0, len(keys), DELETED_AT_A_TIME):
        await asyncio.gather(*(lake.delete(key) for key in keys[start : start + DELETED_AT_A_TIME]))


async def _list_objects(database: Database, lake: Lake, account_id: str) -> list[str]:
    """Keys below staged/ and results/ whose second segment is an operation or an upload of the account."""
    async with database.transaction() as connection:
        mine = {
            str(id)
            for table in (operation_table, uploads)
            for id in (
                await connection.execute(sa.select(table.c.id).where(table.c.account_id == account_id))
            ).scalars()
        }
    there = [*await lake.list("staged"), *await lake.list("results")]
    return [key for key in there if key.split("/")[1].removesuffix(".json") in mine]
