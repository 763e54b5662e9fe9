"""The flow `reconcile`: make Prefect's states agree with our store, and resume what was interrupted.

Our store is the truth (decision 4). Nothing here needs Prefect's automations, and every step may be done twice.

    staging batch, POST died            removed, files and all
    queued batch without a flow run     submitted
    batch whose run went silent         its flow run is scheduled again; a new one where Prefect does not know it any more
    the same, for the sixth time        given up
    batch whose run was cancelled       cancelled
    flow run whose work ended           closed as the work ended
    flow run announced, never begun     scheduled again
    flow run whose process is gone      crashed
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from prefect import flow, get_client, get_run_logger
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter, TaskRunFilter
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.exceptions import ObjectNotFound
from prefect.states import AwaitingRetry, Cancelled, Completed, Crashed, Failed

from flows import submission
from flows.pools import WORKER_TYPE
from pipelines.resources import current_resources
from prefect_runtime.client import PrefectApi
from spatial.errors import Cancelled as CancelledItem
from spatial.errors import InternalError, SpatialError
from storage.postgres import batch_expiry, batch_runs, batch_states, batches, operations
from storage.postgres.advisory_lock import advisory_lock
from storage.postgres.batch_runs import BatchRun

ATTEMPTS: Final = 5
"""How often a batch is begun before it is given up."""

SUBMISSION_SECONDS: Final = 5.0
"""How long a batch may wait for its flow run, or for that to begin, before anybody looks."""

LOST_SECONDS: Final = 30.0
"""How long a worker must have been found silent before its runs count as lost: after an outage of Prefect all seem silent at first."""

PENDING_SECONDS: Final = 60.0
"""How long a run may stand between a warm worker's announcement and its begin."""

MOST_RUNS: Final = 200
"""Runs under way that are looked at in one turn."""

_silent_since: dict[str, float] = {}
"""By worker: since when (monotonic, s) this process has found it silent."""


@flow(name="reconcile", persist_result=False)
async def reconcile() -> dict[str, int]:
    """Find lost, crashed and never submitted runs, and repair them; returns how many of each."""
    resources, done = current_resources(), Counter[str]()
    async with advisory_lock(resources.database, "reconcile") as only, get_client() as client:
        if only:
            done["unfinished submissions removed"] = await _sweep()
            done["batches submitted"] = await _submit_waiting(client)
            done += await _take_up(client)
            done += await _close_lost(client)
    if found := {what: count for what, count in done.items() if what and count}:
        get_run_logger().info("put right: %s", found)
    return found


@contextmanager
def _log_failure(what: str) -> Iterator[None]:
    """Log what fails for one of many; the next run tries it again, and the others do not wait."""
    try:
        yield
    except (*submission.OUT_OF_REACH, SpatialError) as error:
        get_run_logger().warning("%s cannot be put right now: %r", what, error)


async def _sweep() -> int:
    """Delete batches whose POST was killed: their rows, then their files."""
    resources = current_resources()
    async with resources.database.transaction() as connection:
        dead = await batch_expiry.find_stranded(connection)
    for batch_id, operation_id in dead:
        async with resources.database.transaction() as connection:
            await batches.abandon(connection, batch_id)
            if await batches.find(connection, batch_id) is not None:
                continue  # its POST was only slow, and has queued it
        for key in await resources.lake.list(f"staged/{operation_id}"):
            await resources.lake.delete(key)
    return len(dead)


async def _submit_waiting(client: PrefectClient) -> int:
    resources, api = current_resources(), PrefectApi.sharing(client)
    async with resources.database.transaction() as connection:
        waiting = await batch_runs.find_unsubmitted(connection, older_than=timedelta(seconds=SUBMISSION_SECONDS))
    done = 0
    for batch_id in waiting:
        with _log_failure(f"batch {batch_id}"):
            await submission.submit(api, resources.database, batch_id, deployment=resources.settings.batch_deployment)
            done += 1
    return done


async def _take_up(client: PrefectClient) -> Counter[str]:
    """Resume batches that no run carries."""
    resources, done = current_resources(), Counter[str]()
    async with resources.database.transaction() as connection:
        unbegun = await batch_runs.find_unstarted(connection, older_than=timedelta(seconds=SUBMISSION_SECONDS))
        dropped = [*await batch_runs.find_lapsed(connection), *unbegun]
    for run in dropped:
        with _log_failure(f"batch {run.id}"):
            done[await _resume(client, run)] += 1
    return done


async def _resume(client: PrefectClient, run: BatchRun) -> str:
    """Resume one interrupted batch, or end it; returns what was done."""
    found = await _find_run(client, run.flow_run_id)
    if found is None:
        return await _replace_run(client, run)
    state = found.state
    if state is None or state.is_scheduled():
        if not await _has_lost_its_pool(client, found):
            return ""  # a worker will come
        await _close(client, found, Cancelled(message="its work pool was deleted"))
        return await _replace_run(client, run)
    if state.type in (StateType.CANCELLED, StateType.CANCELLING):
        await _give_up(run, CancelledItem("the batch was cancelled by an operator"))
        await _close(client, found, Cancelled(message="its batch is cancelled"))
        return "batches cancelled"
    if not state.is_final() and _is_recent(state):
        return ""  # somebody has just taken it
    if max(run.attempts, found.run_count) >= ATTEMPTS:
        done = await _give_up_batch(run)
        await _close(client, found, Crashed(message=f"given up after {ATTEMPTS} attempts"))
        return done
    await _close(client, found, Crashed(message="the process that carried it is gone"))
    await _crash_tasks(client, found)
    await client.set_flow_run_state(found.id, AwaitingRetry(message="taken up again"), force=True)
    return "batches taken up again"


async def _has_lost_its_pool(client: PrefectClient, found: FlowRun) -> bool:
    """Whether a waiting run is in no queue while its deployment has one: the work pool was deleted, and registered again."""
    if found.work_queue_id is not None:
        return False
    deployment = await client.read_deployment_by_name(current_resources().settings.batch_deployment)
    return deployment.work_queue_id is not None


async def _replace_run(client: PrefectClient, run: BatchRun) -> str:
    """Submit a new flow run for a batch whose own run Prefect does not know any more."""
    async with current_resources().database.transaction() as connection:
        batch = await batches.find(connection, run.id)
    if batch is None:
        return ""
    if run.attempts >= ATTEMPTS:
        return await _give_up_batch(run)
    key = f"{run.id}:{run.attempts}:{run.flow_run_id}"
    resources, api = current_resources(), PrefectApi.sharing(client)
    await submission.create(api, resources.database, batch, key=key, deployment=resources.settings.batch_deployment)
    return "batches submitted anew"


async def _give_up_batch(run: BatchRun) -> str:
    """End a batch that was begun too often."""
    await _give_up(run, InternalError("the batch was begun several times and never came to its end; submit it again"))
    return "batches given up"


async def _give_up(run: BatchRun, error: SpatialError) -> None:
    async with current_resources().database.transaction() as connection:
        await batches.give_up(connection, run.id, error)


async def _close_lost(client: PrefectClient) -> Counter[str]:
    """End flow runs that Prefect shows under way, and that no process carries."""
    done = Counter[str]()
    under_way = {"any_": [StateType.RUNNING, StateType.PENDING, StateType.CANCELLING]}
    chosen = FlowRunFilter.model_validate({"state": {"type": under_way}, "tags": {"all_": ["spatial"]}})
    lost = await _silent_workers(client)
    for run in await client.read_flow_runs(flow_run_filter=chosen, limit=MOST_RUNS):
        if run.state is not None and not _is_recent(run.state):
            with _log_failure(f"flow run {run.id}"):
                done[await _close_if_lost(client, run, lost)] += 1
    return done


async def _close_if_lost(client: PrefectClient, run: FlowRun, lost: set[str]) -> str:
    """End one run that no process carries; returns what was done."""
    if await _reschedule_unstarted(client, run):
        return "forgotten runs scheduled again"
    if run.labels.get("prefect.worker.name") in lost:
        end: State[Any] | None = Crashed(message="the worker that carried it is gone")
    else:
        end = await _end_of(run)
    if end is None:
        return ""
    await _close(client, run, end)
    await _crash_tasks(client, run)
    return f"runs found {end.name}"


async def _reschedule_unstarted(client: PrefectClient, run: FlowRun) -> bool:
    """Schedule a run again that a worker announced and never began: a warm worker begins it at once."""
    kind = run.labels.get("prefect.worker.type", WORKER_TYPE)
    if run.state is None or not run.state.is_pending() or kind != WORKER_TYPE:
        return False
    if datetime.now(UTC) - run.state.timestamp < timedelta(seconds=PENDING_SECONDS):
        return False
    await client.set_flow_run_state(run.id, AwaitingRetry(message="announced, and never begun"), force=True)
    return True


async def _end_of(run: FlowRun) -> State[Any] | None:
    """The end of a run according to our store; None where it may be under way."""
    cancelling = run.state is not None and run.state.type is StateType.CANCELLING
    async with current_resources().database.transaction() as connection:
        if "item" in run.parameters:
            return None  # extract-item: its batch ended before it began; a worker carries it
        if "batch_id" in run.parameters:
            batch = await batches.find(connection, run.parameters["batch_id"])
            if batch is not None and not batch.is_expired:
                just_now = batch.ended_at is None or datetime.now(UTC) - batch.ended_at < _lease()
                if batch.state in batch_states.UNFINISHED or just_now:
                    return None
            return Cancelled(message="its batch has ended") if cancelling else Completed(message="its batch has ended")
        if "job" not in run.parameters or "prefect.worker.name" in run.labels:
            return None  # a worker carries it, and says so by its heartbeats
        operation = await operations.find(connection, run.parameters["job"]["operation_id"])
    if operation is not None and operation.is_alive:
        return None
    if operation is None or operation.state == "open":
        return Crashed(message="the process that took the request is gone")
    return Completed(message="answered") if operation.state == "completed" else Failed(message="its operation failed")


async def _silent_workers(client: PrefectClient) -> set[str]:
    """Warm workers, which carry runs in their own process, that have been silent for so long that they are gone."""
    now, silent = time.monotonic(), set[str]()
    for pool in await client.read_work_pools():
        if pool.type == WORKER_TYPE:
            workers = await client.read_workers_for_work_pool(pool.name, limit=MOST_RUNS)
            silent |= {worker.name for worker in workers if worker.status != "ONLINE"}
    for name in set(_silent_since) - silent:
        del _silent_since[name]
    return {name for name in silent if now - _silent_since.setdefault(name, now) >= LOST_SECONDS}


async def _find_run(client: PrefectClient, flow_run_id: str | None) -> FlowRun | None:
    if flow_run_id is None:
        return None
    try:
        return await client.read_flow_run(UUID(flow_run_id))
    except ObjectNotFound:
        return None


async def _close(client: PrefectClient, run: FlowRun, end: State[Any]) -> None:
    """Set the final state of a run that has none in Prefect."""
    if run.state is not None and not run.state.is_final():
        await client.set_flow_run_state(run.id, end, force=True)


async def _crash_tasks(client: PrefectClient, run: FlowRun) -> None:
    """End task runs whose process was killed: nothing else would."""
    under_way = TaskRunFilter.model_validate({"state": {"type": {"any_": [StateType.RUNNING, StateType.PENDING]}}})
    chosen = FlowRunFilter.model_validate({"id": {"any_": [run.id]}})
    for task_run in await client.read_task_runs(flow_run_filter=chosen, task_run_filter=under_way, limit=MOST_RUNS):
        gone: State[Any] = Crashed(message="the process that carried it is gone")
        await client.set_task_run_state(task_run.id, gone, force=True)


def _is_recent(state: State[Any]) -> bool:
    """Whether the state was reported within the last lease: too early to decide."""
    return datetime.now(UTC) - state.timestamp < _lease()


def _lease() -> timedelta:
    return timedelta(seconds=current_resources().settings.lease_seconds)
