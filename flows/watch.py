"""Start the flow `reconcile` as soon as a run is seen to have died, instead of at its next scheduled time.

Every worker looks, with two short queries; the first one that sees a loss starts one run for all. A loss that is older than RECENT is
left to the schedule: such a run waits for something, for example for a free worker.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import Final

from flows.bulk_repair import SILENT
from flows.submission import OUT_OF_REACH
from pipelines.resources import current_resources
from prefect_runtime.client import PrefectApi
from spatial.errors import Unavailable
from storage.postgres import batch_runs
from storage.tables import ingest

LOOK_SECONDS: Final = 3.0
"""Interval between looks; a killed worker is shown as such within SILENT, two of these, and the start of a run: 30 s at most."""

RECENT: Final = timedelta(seconds=60)
"""Age up to which a loss starts a run: the interval of the schedule, by default."""

log = logging.getLogger(__name__)


async def look(api: PrefectApi) -> None:
    """Look once; what cannot be reached now is looked at the next time."""
    try:
        if await _has_loss():
            await _start_reconcile(api)
    except (*OUT_OF_REACH, Unavailable) as error:
        log.debug("lost runs cannot be looked for now: %r", error)


async def _has_loss() -> bool:
    database = current_resources().database
    async with database.transaction() as connection:
        if await batch_runs.count_lost(connection, within=RECENT):
            return True
    return bool(await ingest.find_silent_runs(database, SILENT, younger_than=SILENT + RECENT))


async def _start_reconcile(api: PrefectApi) -> None:
    """One run for all workers that look at about the same time."""
    moment = int(time.time() // (2 * LOOK_SECONDS))
    await api.create_run("reconcile/reconcile", idempotency_key=f"loss {moment}")
