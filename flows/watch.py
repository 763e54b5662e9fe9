"""Run the flow `reconcile` as soon as a run is seen to have died, or a batch to have none, and else only where there may be work for it.

Every API process and every worker looks, with four short queries, or with one where nothing is under way. The first one that sees a
loss runs the flow itself: where the only worker was killed, no other would take it. A loss that is older than RECENT is left to the
search that every worker makes each SPATIAL_RECONCILE_SECONDS: such a run waits for something, for example for a free worker. A run of
the flow takes worker and server half a second of processor time, and an idle service needs none.
"""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import UTC, datetime, timedelta
from typing import Final, NoReturn

from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun

from flows.bulk_repair import SILENT
from flows.reconcile import LOST, SUBMISSION_SECONDS, reconcile
from flows.run_states import AFTER_LOSS
from flows.submission import OUT_OF_REACH
from pipelines.resources import Resources, current_resources
from prefect_runtime.client import PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import Unavailable
from storage.postgres import batch_runs, silent_workers, under_way
from storage.postgres.advisory_lock import advisory_lock
from storage.tables import ingest

LOOK_SECONDS: Final = 3.0
"""Interval between looks; a killed worker is shown as such within a lease or SILENT, one of these, and a run: 30 s at most."""

IDLE_SECONDS: Final = 10.0
"""The same where nothing is under way. What begins meanwhile is not lost before a lease, SILENT or SUBMISSION_SECONDS has passed."""

RECENT: Final = timedelta(seconds=60)
"""Age up to which a loss starts a run: the interval of searches, by default."""

LATE: Final = timedelta(seconds=10)
"""How long after a lease a batch that was not started makes the Prefect server be asked whether a worker took it."""

FIRST_SECONDS: Final = 35.0
"""When a worker that has started searches first: one that it replaces counts as offline 30 s after its last heartbeat."""

DEPLOYMENT: Final = "reconcile/reconcile"

UNFINISHED: Final = ("RUNNING", "PENDING", "CANCELLING")
"""States of the flow runs that the flow looks at."""

log = logging.getLogger(__name__)


async def watch(host: FlowHost[Resources]) -> NoReturn:
    """Look for a loss until cancelled; what cannot be reached now is looked at the next time."""
    pause = LOOK_SECONDS
    while True:
        await asyncio.sleep(pause)
        pause = LOOK_SECONDS
        try:
            if await host.call(lambda: under_way.is_any(current_resources().database)):
                await host.call(lambda: _look(host))
            else:
                pause = IDLE_SECONDS
        except (*OUT_OF_REACH, Unavailable) as error:
            log.debug("lost runs cannot be looked for now: %r", error)


async def search(host: FlowHost[Resources], seconds: float) -> NoReturn:
    """Start `reconcile` every so many seconds where there may be work for it, until cancelled."""
    pause = min(seconds, FIRST_SECONDS)
    while True:
        await asyncio.sleep(pause)
        pause = seconds
        try:
            await host.call(lambda: start_where_needed(PrefectApi.sharing(host.client), seconds))
        except (*OUT_OF_REACH, Unavailable) as error:
            log.debug("no run can be created to reconcile now: %r", error)


async def start_where_needed(api: PrefectApi, seconds: float) -> str | None:
    """Create a run of `reconcile` if a batch, a bulk run or an old flow run has not ended; returns its id.

    All workers that search in the same interval of so many seconds create the same run.
    """
    if not await _is_needed(api):
        return None
    run = await api.create_run(DEPLOYMENT, idempotency_key=f"reconcile {int(time.time() // seconds)}")
    return str(run["id"])


async def _is_needed(api: PrefectApi) -> bool:
    resources = current_resources()
    if await under_way.is_any(resources.database):
        return True
    before = datetime.now(UTC) - timedelta(seconds=resources.settings.lease_seconds)
    return await api.count_runs(tag="spatial", states=UNFINISHED, before=before) > 0


async def _look(host: FlowHost[Resources]) -> None:
    api = PrefectApi.sharing(host.client)
    if not await _has_loss(api):
        return
    async with advisory_lock(current_resources().database, "watch") as only:
        if only and await _has_loss(api):
            run = host.start(reconcile, {}, run=_create_run)
            await asyncio.wait({run})
            if not run.cancelled():
                run.exception()  # its state has it, and the host logs it


async def _has_loss(api: PrefectApi) -> bool:
    database = current_resources().database
    async with database.transaction() as connection:
        if await batch_runs.count_lost(connection, within=RECENT):
            return True
        forgotten = timedelta(seconds=SUBMISSION_SECONDS)
        if await batch_runs.count_queued(connection, has_run=False, older_than=forgotten, within=forgotten + RECENT):
            return True
        if await silent_workers.find_lost(connection, LOST, younger_than=LOST + RECENT):
            return True  # a search noted it, and the next one would come up to a minute later
    if await ingest.find_silent_runs(database, SILENT, younger_than=SILENT + RECENT):
        return True
    return await _has_unstarted(api)


async def _has_unstarted(api: PrefectApi) -> bool:
    """Whether a worker may have died between taking a batch and starting it. The server is asked only where a batch is late."""
    resources = current_resources()
    lease = timedelta(seconds=resources.settings.lease_seconds)
    late = lease + timedelta(seconds=SUBMISSION_SECONDS)
    async with resources.database.transaction() as connection:
        if not await batch_runs.count_queued(connection, has_run=True, older_than=late, within=late + LATE):
            return False
    return await api.count_runs(tag="spatial", states=("PENDING",), before=datetime.now(UTC) - lease) > 0


async def _create_run(client: PrefectClient) -> FlowRun:
    """A run in state Running, which no worker takes."""
    state = {"type": "RUNNING", "name": "Running", "message": "in the process that saw the loss of a run"}
    created = await PrefectApi.sharing(client).create_run(DEPLOYMENT, state=state, name=AFTER_LOSS)
    return FlowRun.model_validate(created)
