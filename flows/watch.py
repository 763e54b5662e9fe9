"""Run the flow `reconcile` as soon as a run is seen to have died, or a batch to have none, instead of at its next scheduled time.

Every API process and every worker looks, with three short queries. The first one that sees a loss runs the flow itself: where the only
worker was killed, no other would take it. A loss that is older than RECENT is left to the schedule: such a run waits for something, for
example for a free worker.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final, NoReturn

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun

from flows.bulk_repair import SILENT
from flows.reconcile import SUBMISSION_SECONDS, reconcile
from flows.run_states import AFTER_LOSS
from flows.submission import OUT_OF_REACH
from pipelines.resources import Resources, current_resources
from prefect_runtime.client import PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import Unavailable
from storage.postgres import batch_runs
from storage.postgres.advisory_lock import advisory_lock
from storage.tables import ingest

LOOK_SECONDS: Final = 3.0
"""Interval between looks; a killed worker is shown as such within a lease or SILENT, one of these, and a run: 30 s at most."""

RECENT: Final = timedelta(seconds=60)
"""Age up to which a loss starts a run: the interval of the schedule, by default."""

log = logging.getLogger(__name__)


async def watch(host: FlowHost[Resources]) -> NoReturn:
    """Look until cancelled; what cannot be reached now is looked at the next time."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await host.call(lambda: _look(host))
        except (*OUT_OF_REACH, Unavailable) as error:
            log.debug("lost runs cannot be looked for now: %r", error)


async def _look(host: FlowHost[Resources]) -> None:
    if not await _has_loss():
        return
    async with advisory_lock(current_resources().database, "watch") as only:
        if only and await _has_loss():
            run = host.start(reconcile, {}, run=_create_run)
            await asyncio.wait({run})
            if not run.cancelled():
                run.exception()  # its state has it, and the host logs it


async def _has_loss() -> bool:
    database = current_resources().database
    async with database.transaction() as connection:
        if await batch_runs.count_lost(connection, within=RECENT):
            return True
        forgotten = timedelta(seconds=SUBMISSION_SECONDS)
        if await batch_runs.count_unsubmitted(connection, older_than=forgotten, within=forgotten + RECENT):
            return True
    return bool(await ingest.find_silent_runs(database, SILENT, younger_than=SILENT + RECENT))


async def _create_run(client: PrefectClient) -> FlowRun:
    """A run in state Running, which no worker takes."""
    state = {"type": "RUNNING", "name": "Running", "message": "in the process that saw the loss of a run"}
    created = await PrefectApi.sharing(client).create_run("reconcile/reconcile", state=state, name=AFTER_LOSS)
    return FlowRun.model_validate(created)
