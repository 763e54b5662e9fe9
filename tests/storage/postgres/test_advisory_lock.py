"""One at a time over all processes."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa

from storage.postgres import database as database_module
from storage.postgres.advisory_lock import advisory_lock
from storage.postgres.database import Database, DatastoreUnavailable


@pytest.mark.requirement("housekeeping.alone")
async def test_of_two_blocks_of_one_name_one_is_alone(database: Database) -> None:
    async with (
        advisory_lock(database, "sweep") as first,
        advisory_lock(database, "sweep") as second,
        advisory_lock(database, "dust") as other,
    ):
        assert (first, second, other) == (True, False, True)
    async with advisory_lock(database, "sweep") as again:
        assert again


@pytest.mark.requirement("housekeeping.alone")
async def test_a_block_that_raises_lets_go_and_keeps_its_error(database: Database) -> None:
    with pytest.raises(TimeoutError, match="ours"):
        async with advisory_lock(database, "sweep"):
            raise TimeoutError("ours")
    async with advisory_lock(database, "sweep") as again:
        assert again


@pytest.mark.requirement("housekeeping.alone")
async def test_a_holder_whose_connection_dies_blocks_nobody(database: Database) -> None:
    with pytest.raises(DatastoreUnavailable):
        await _dies_holding(database)


async def _dies_holding(database: Database) -> None:
    holders = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
    async with advisory_lock(database, "sweep") as first:
        assert first
        async with database.transaction() as connection:
            await connection.execute(sa.text(holders))
        async with advisory_lock(database, "sweep") as second:
            assert second


@pytest.mark.requirement("housekeeping.lock-pooler")
async def test_a_lock_is_that_of_a_transaction_and_outlasts_the_limit_of_idle_ones(
    postgres_url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pooler in transaction mode gives the connection to others after a commit, and a lock of a session with it."""
    monkeypatch.setattr(database_module, "IDLE_IN_TRANSACTION_SECONDS", 0.2)
    short = Database(postgres_url)
    states = sa.text(
        "SELECT state, xact_start < clock_timestamp() - interval '0.5 s' AS is_old, backend_xmin FROM pg_stat_activity "
        "JOIN pg_locks USING (pid) WHERE locktype = 'advisory' AND datname = current_database()"
    )

    async def holder() -> tuple[str, bool, object] | None:
        async with database.transaction() as connection:
            row = (await connection.execute(states)).one_or_none()
            return tuple(row) if row is not None else None

    async with advisory_lock(short, "sweep") as held:
        assert held
        async with asyncio.timeout(30):
            while not ((found := await holder()) and found[1]):
                await asyncio.sleep(0.02)
        assert found == ("idle in transaction", True, None), "it holds no snapshot that would delay vacuum"
        async with advisory_lock(database, "sweep") as second:
            assert not second
    assert await holder() is None
    await short.close()
