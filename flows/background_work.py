"""Start housekeeping flows where there is something to do. A run for nothing takes worker and server half a second of processor time.

A short one runs in the worker that saw the work, and Prefect's server is told of it when it has ended, as of single calls
(prefect_runtime/held_runs.py): a run that the server creates and a worker polls for takes ten times as much as what it does.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from prefect import Flow

from flows.housekeeping import export_usage
from flows.submission import OUT_OF_REACH
from pipelines.resources import Resources, current_resources
from prefect_runtime.client import PrefectApi
from prefect_runtime.host import FlowHost
from spatial.errors import Unavailable
from storage import ids
from storage.postgres import retention
from storage.postgres.database import Database
from storage.tables import ingest, ledger

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Work:
    """A flow, and when it is started. Its schedule, which is rarer, is for what a run left unfinished and for what no worker saw."""

    flow: str
    seconds: float
    """Interval of looks, and of runs while there is something to do."""
    is_needed: Callable[[Database], Awaitable[bool]]
    runs_here: Flow[[], Any] | None = None
    """The flow itself, if it lasts no longer than a request: several workers may run it at the same time."""


WORK: Final = (
    Work("export-usage", 60.0, ledger.has_unexported, runs_here=export_usage),
    Work("compact-tables", 600.0, ingest.has_changed),
    Work("expire", 600.0, retention.is_any_due),
)


async def start_where_needed(host: FlowHost[Resources]) -> NoReturn:
    """Look for work of every kind until cancelled."""
    await asyncio.gather(*(_look(host, work) for work in WORK))
    raise AssertionError("looks end only with an error")


async def _look(host: FlowHost[Resources], work: Work) -> NoReturn:
    """What cannot be reached now is looked at the next time."""
    while True:
        await asyncio.sleep(work.seconds)
        try:
            await host.call(lambda: _start(host, work))
        except (*OUT_OF_REACH, Unavailable) as error:
            log.debug("no run of %s can be created now: %r", work.flow, error)


async def _start(host: FlowHost[Resources], work: Work) -> None:
    if work.runs_here is None:
        await start_if_needed(PrefectApi.sharing(host.client), work)
    else:
        await run_if_needed(host, work, work.runs_here)


async def run_if_needed(host: FlowHost[Resources], work: Work, flow: Flow[[], Any]) -> bool:
    """Run the flow in this process if there is something to do; returns whether it ended well. A failure is seen with its run."""
    if not await work.is_needed(current_resources().database):
        return False
    run = host.start(
        flow,
        {},
        run=lambda _: host.recorder.create_run(
            f"{work.flow}/{work.flow}",
            name=work.flow,
            parameters={},
            tags=[],
            idempotency_key=ids.new("run"),
            why="in the worker that saw the work",
        ),
    )
    await asyncio.wait({run})
    return not run.cancelled() and run.exception() is None


async def start_if_needed(api: PrefectApi, work: Work) -> str | None:
    """Create a run if there is something to do; returns the run's id. All workers that look in the same interval create the same run."""
    if not await work.is_needed(current_resources().database):
        return None
    key = f"{work.flow} {int(time.time() // work.seconds)}"
    run = await api.create_run(f"{work.flow}/{work.flow}", idempotency_key=key)
    return str(run["id"])
