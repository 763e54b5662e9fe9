"""Repair of bulk runs whose process is gone: their flow run becomes Crashed, and their record in Postgres `lost`.

A bulk run reports to its record every two seconds. A record that is silent, together with a worker whose heartbeats are overdue, is
evidence enough after seconds; either of them alone may only be slow.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Final, Literal

from prefect import get_run_logger
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.states import Crashed

from flows import run_states
from flows.submission import OUT_OF_REACH
from pipelines.resources import current_resources
from prefect_runtime.client import PrefectApi
from spatial.errors import Unavailable
from storage.tables import ingest
from storage.tables.ingest import IngestRun

SILENT: Final = timedelta(seconds=12)
"""Silence of a record after which its run is examined, and silence of a worker, which has a heartbeat every 10 s."""

SILENT_WITHOUT_WORKER: Final = timedelta(seconds=60)
"""Silence of the record of a run without a warm worker, of which no heartbeats are known."""

CONTINUE: Final = (
    "what is committed is kept: retry this run, or start another one over the same files, to continue where it stopped"
)

ENDED: Final[dict[StateType, Literal["failed", "cancelled", "lost"]]] = {
    StateType.CANCELLED: "cancelled",
    StateType.FAILED: "failed",
}
"""State of the record by final state of its flow run; `lost` for the others."""


async def end_lost_runs(client: PrefectClient) -> Counter[str]:
    """End every bulk run that no process carries, whatever its kind; returns how many of each outcome."""
    done, database = Counter[str](), current_resources().database
    silent = await ingest.find_silent_runs(database, SILENT)
    if not silent:
        return done
    for_long = {record.id for record in await ingest.find_silent_runs(database, SILENT_WITHOUT_WORKER)}
    ages = await _heartbeat_ages(client)
    for record in silent:
        try:
            done[await _end_if_lost(client, record, ages, is_silent_for_long=record.id in for_long)] += 1
        except (*OUT_OF_REACH, Unavailable) as error:
            get_run_logger().warning("%s %s cannot be repaired now: %r", record.kind, record.id, error)
    return done


async def _end_if_lost(
    client: PrefectClient, record: IngestRun, ages: dict[str, timedelta], *, is_silent_for_long: bool
) -> str:
    """End the run if its process is gone; returns what was done."""
    run = await run_states.find_run(client, record.flow_run_id)
    if run is not None and (run.state is None or not run.state.is_final()):
        if _may_be_alive(run, ages, is_silent_for_long):
            return ""
        await run_states.close(client, run, Crashed(message=f"{run_states.GONE}; {CONTINUE}"))
        await run_states.crash_tasks(client, run)
    ended = ENDED.get(run.state.type, "lost") if run is not None and run.state is not None else "lost"
    resources = current_resources()
    await ingest.close_run(resources.database, resources.lake, record.id, ended)
    return f"{record.kind} runs ended as {ended}"


def _may_be_alive(run: FlowRun, ages: dict[str, timedelta], is_silent_for_long: bool) -> bool:
    """Whether a process may carry the run, or will: a run that waits for a worker is silent, and not lost."""
    if run.state is None or run.state.is_scheduled() or run.state.is_paused():
        return True
    age = ages.get(str(run.labels.get("prefect.worker.name", "")))
    return age < SILENT if age is not None else not is_silent_for_long


async def _heartbeat_ages(client: PrefectClient) -> dict[str, timedelta]:
    """Time since the last heartbeat of each warm worker, by the clock of the Prefect server, which noted the heartbeats."""
    workers = await run_states.read_warm_workers(client)
    now = await PrefectApi.sharing(client).read_clock()
    return {
        worker.name: now - worker.last_heartbeat_time for worker in workers if worker.last_heartbeat_time is not None
    }
