"""How many connections to Postgres one process opens at the most: asked of Postgres while everything wants one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa
from prefect.settings import PREFECT_API_URL, temporary_settings

from flows.dispatch import open_dispatch
from storage import settings
from storage.postgres import notifications
from storage.postgres.database import Database
from tests.support.stack import ROOT

LISTENING = 2
"""Connections of an API process that listen: for ends of batches, and for reasoning."""

WANTED = 40
"""Transactions at a time per pool: more than any pool gives."""


async def occupy(database: Database) -> None:
    """Want many connections for a moment."""

    async def one() -> None:
        async with database.transaction() as connection:
            await connection.execute(sa.text("SELECT pg_sleep(0.5)"))

    await asyncio.gather(*(one() for _ in range(WANTED)))


async def until_listening(url: str) -> None:
    """Wait until both connections that listen for notifications are open."""
    asking = await asyncpg.connect(url.replace("+asyncpg", ""))
    query = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()"
    async with asyncio.timeout(30):
        while await asking.fetchval(query) < LISTENING:
            await asyncio.sleep(0.02)
    await asking.close()


async def most_connections(url: str, work: asyncio.Task[None]) -> int:
    """The most connections of the service that Postgres showed until the work was done."""
    asking = await asyncpg.connect(url.replace("+asyncpg", ""))
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'spatial' AND datname = current_database()"
    most = 0
    while not work.done():
        most = max(most, await asking.fetchval(query))
        await asyncio.sleep(0.02)
    await asking.close()
    return most


@pytest.mark.usefixtures("patient")
@pytest.mark.requirement("fleet.connections")
async def test_an_api_process_opens_as_many_connections_as_the_page_says(
    tmp_path: Path, fresh_postgres_url: str
) -> None:
    chosen = settings.load(home=tmp_path, database_url=fresh_postgres_url)
    with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
        async with open_dispatch(chosen) as dispatch:
            host = dispatch._host
            listening = asyncio.create_task(
                notifications.listen(dispatch.database, {notifications.BATCHES: lambda: None})
            )

            await until_listening(fresh_postgres_url)

            async def everything() -> None:
                in_host = host.call(lambda: occupy(host.connections.database))
                await asyncio.gather(occupy(dispatch.database), in_host)

            most = await most_connections(fresh_postgres_url, asyncio.create_task(everything()))
            listening.cancel()
    page = (ROOT / "docs" / "operations.md").read_text()
    assert f"an `api` uses at most {most} (two pools of 16 and two to listen), a `worker` {(most - 2) // 2 + 1}" in page
