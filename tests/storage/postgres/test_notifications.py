"""Signals over a real Postgres: heard at once, heard on every connection that is made anew, never sent by what rolls back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa

from storage import ids
from storage.postgres import notifications
from storage.postgres.database import Database

pytestmark = pytest.mark.requirement("worker.woken")


class Heard:
    """How often a channel was heard; each time may be waited for."""

    def __init__(self) -> None:
        self.times = 0
        self._more = asyncio.Event()

    def __call__(self) -> None:
        self.times += 1
        self._more.set()

    async def more(self) -> None:
        """Until it has been heard since this was last asked."""
        await asyncio.wait_for(self._more.wait(), timeout=30)
        self._more.clear()


@asynccontextmanager
async def heeded(database: Database, channel: str) -> AsyncIterator[Heard]:
    """Somebody who listens already."""
    heard = Heard()
    heeding = asyncio.create_task(notifications.listen(database, {channel: heard}))
    try:
        await heard.more()
        yield heard
    finally:
        heeding.cancel()
        await asyncio.wait({heeding})


@pytest.fixture
def channel() -> str:
    """One that nobody else uses."""
    return ids.new("drill")


async def told(database: Database, channel: str) -> None:
    """Send a signal."""
    async with database.transaction() as connection:
        await notifications.send(connection, channel)


async def test_a_signal_is_heard_when_its_transaction_commits_and_not_when_it_rolls_back(
    database: Database, channel: str
) -> None:
    async with heeded(database, channel) as heard:
        async with database.transaction() as connection:
            await notifications.send(connection, channel)
            await connection.rollback()
        await told(database, ids.new("drill"))
        await told(database, channel)
        await heard.more()
        assert heard.times == 2, "the beginning, and the one signal that was sent"


async def test_who_loses_the_connection_listens_again_and_looks(
    database: Database, channel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "AGAIN_SECONDS", 0.01)
    listening = sa.text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = :query")
    async with heeded(database, channel) as heard:
        async with database.transaction() as connection:
            ended = await connection.execute(listening, {"query": f'LISTEN "{channel}"'})
        assert ended.scalars().all() == [True]
        await heard.more()
        await told(database, channel)
        await heard.more()
