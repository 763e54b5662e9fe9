"""Start the flow `export-usage` where usage rows wait. A run each minute for nothing took an idle service a tenth of its processor time."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final, NoReturn

from flows.submission import OUT_OF_REACH
from pipelines.resources import Resources, current_resources
from prefect_runtime.client import PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import Unavailable
from storage.tables import ledger

DEPLOYMENT: Final = "export-usage/export-usage"

LOOK_SECONDS: Final = 60.0
"""Interval of looks, and of runs while usage is written. Its schedule is for what a run left unfinished."""

log = logging.getLogger(__name__)


async def export_when_rows_wait(host: FlowHost[Resources]) -> NoReturn:
    """Look until cancelled; what cannot be reached now is looked at the next time."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            await host.call(lambda: start_if_rows_wait(PrefectApi.sharing(host.client)))
        except (*OUT_OF_REACH, Unavailable) as error:
            log.debug("no run can be created for new usage rows now: %r", error)


async def start_if_rows_wait(api: PrefectApi) -> str | None:
    """Create a run if usage rows wait; returns the run's id. All workers that look in the same minute create the same run."""
    if not await ledger.has_unexported(current_resources().database):
        return None
    minute = int(time.time() // LOOK_SECONDS)
    run = await api.create_run(DEPLOYMENT, idempotency_key=f"export-usage {minute}")
    return str(run["id"])
