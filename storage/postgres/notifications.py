"""Notifications between processes of one database, by Postgres's NOTIFY. (What accounts are notified of over HTTP are webhook deliveries.)

A notification is only a hint: it may be lost with a connection, and a pooler in front of Postgres may drop it.
Therefore every listener also polls from time to time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.errors import Unavailable
from storage.postgres.database import Database

RUNS: Final = "spatial_runs"
"""A flow run was created that a worker may take up now."""

BATCHES: Final = "spatial_batches"
"""A batch has ended."""

DESKTOP_TASKS: Final = "spatial_desktop_tasks"
"""A task waits for a desktop worker."""

DESKTOP_RESULTS: Final = "spatial_desktop_results"
"""A desktop worker has ended a task."""

DELIVERIES: Final = "spatial_deliveries"
"""A webhook delivery waits for its first attempt."""

AGAIN_SECONDS: Final = 2.0
"""Pause before a lost connection is re-established."""

CHECK_SECONDS: Final = 60.0
"""Interval of the liveness check of a silent connection."""

log = logging.getLogger(__name__)


async def send(connection: AsyncConnection, channel: str) -> None:
    """Notify every listener of the channel when this transaction commits."""
    await connection.execute(sa.select(sa.func.pg_notify(channel, "")))


async def listen(database: Database, listeners: Mapping[str, Callable[[], None]]) -> NoReturn:
    """Over one connection, call the function of a channel at each notification on it, and each time listening begins; until cancelled."""
    while True:
        try:
            async with database.unpooled() as driver:
                await _receive(driver, listeners)
        except Unavailable as error:
            log.debug("no notifications on %s: %s", ", ".join(listeners), error)
        await asyncio.sleep(AGAIN_SECONDS)


async def _receive(driver: Any, listeners: Mapping[str, Callable[[], None]]) -> None:
    """Until the connection ends. driver: an asyncpg connection. Raises: what it raises when it is lost."""
    ended = asyncio.Event()
    driver.add_termination_listener(lambda _: ended.set())
    for channel, notify in listeners.items():
        await driver.add_listener(channel, lambda *_, notify=notify: notify())
        notify()  # for what was sent before listening began
    while not ended.is_set():
        try:
            await asyncio.wait_for(ended.wait(), CHECK_SECONDS)
        except TimeoutError:
            await driver.execute("SELECT 1")  # a network that dropped the connection does not report it
