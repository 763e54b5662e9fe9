"""The siege of the clock moves the clock of the machine that it means, and of no other."""

from __future__ import annotations

import asyncio
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from siege import clock
from storage.postgres.database import Database
from tests.support.stack import eventually

FOUND = clock.library()
HALF = timedelta(hours=12)


async def ahead(url: str) -> timedelta:
    """How far Postgres is ahead of this process."""
    database = Database(url)
    try:
        async with database.transaction() as connection:
            said: datetime = (await connection.execute(sa.text("SELECT clock_timestamp()"))).scalar_one()
            return said - datetime.now(UTC)
    finally:
        await database.close()


@pytest.mark.requirement("siege.clock")
@pytest.mark.skipif(FOUND is None, reason="there is no libfaketime")
def test_the_clock_of_postgres_jumps_by_a_day_and_back() -> None:
    assert FOUND is not None
    with tempfile.TemporaryDirectory(prefix="spatial-clock-") as named:
        folder = Path(named)
        folder.chmod(0o755)  # Postgres has a user of its own
        offset = folder / "offset"
        offset.write_text("+1d")
        with clock._postgres(folder, clock._variables(FOUND, offset)) as url:
            assert asyncio.run(ahead(url)) > HALF
            offset.write_text("+0")
            eventually(lambda: abs(asyncio.run(ahead(url))) < HALF, what="a clock that was set back")
