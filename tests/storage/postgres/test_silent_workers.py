"""Workers that are silent at two looks are lost, whichever processes look."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from storage.postgres import silent_workers
from storage.postgres.database import Database

MOMENT = datetime(2026, 11, 26, 3, tzinfo=UTC)
LONG, AT_ONCE = timedelta(hours=1), timedelta()


async def look(database: Database, silent: Mapping[str, datetime], silent_for: timedelta) -> set[str]:
    """What a process notes, and which workers it finds lost."""
    async with database.transaction() as connection:
        await silent_workers.note(connection, silent)
        return await silent_workers.find_lost(connection, silent_for)


@pytest.mark.requirement("reconcile.silent-worker")
async def test_a_worker_is_lost_once_it_was_silent_long_enough_and_one_that_was_heard_of_begins_anew(
    database: Database,
) -> None:
    both = {"one": MOMENT, "two": MOMENT}
    assert await look(database, both, LONG) == set()
    assert await look(database, both, AT_ONCE) == {"one", "two"}
    async with database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE silent_workers SET since = since - interval '2 hours'")
    heard_of = {**both, "two": MOMENT + timedelta(seconds=10)}
    assert await look(database, heard_of, LONG) == {"one"}
    assert await look(database, {"two": heard_of["two"]}, LONG) == set(), (
        "nothing of the first one is unfinished any more"
    )
    assert await look(database, {}, AT_ONCE) == set()
