"""One at a time over all processes."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

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
