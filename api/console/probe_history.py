"""Records the results of the health probes once per minute, for the history that the console shows."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from api.probes import Prober
from spatial.errors import SpatialError
from storage.postgres import probe_results
from storage.postgres.database import Database

INTERVAL_SECONDS: Final = 60.0

log = logging.getLogger(__name__)


@asynccontextmanager
async def recording(database: Database, prober: Prober) -> AsyncIterator[None]:
    """Record for the length of a block. Several processes may: the first one in a minute writes."""
    task = asyncio.create_task(_record_repeatedly(database, prober))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _record_repeatedly(database: Database, prober: Prober) -> None:
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        try:
            await record(database, prober)
        except SpatialError as problem:
            log.warning("results of the probes are not recorded: %s", problem.message)
        except (
            Exception
        ):  # a probe may fail in a way of the service that it asks; that must not end the history of all others
            log.exception("results of the probes are not recorded")


async def record(database: Database, prober: Prober) -> None:
    """Probe, and record the results under this minute. Raises: DatastoreUnavailable."""
    health = await prober.health()
    async with database.transaction() as connection:
        await probe_results.record(connection, health.timestamp, health.checks)
