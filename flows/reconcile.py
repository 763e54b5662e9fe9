"""The flow `reconcile`: make Prefect's states agree with the service's database, and resume interrupted batches.

The database is authoritative (decision 4). This flow needs no automation of Prefect, and every step is idempotent.

    staging batch, POST was killed      deleted with its files
    queued batch without a flow run     submitted
    batch whose lease has lapsed        its flow run is scheduled again; a new one is created if Prefect has deleted it
    the same after five attempts        failed
    batch whose run was cancelled       cancelled
    ingest whose process is gone        Crashed, its record `lost`: the next run continues (flows/bulk_repair.py)
    flow run whose operation ended      final state of that operation
    flow run pending, never started     scheduled again
    flow run whose process is gone      Crashed
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from prefect import flow, get_client, get_run_logger, runtime
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.states import AwaitingRetry, Cancelled, Completed, Crashed, Failed

from flows import bulk_repair, run_states, submission
from flows.pools import WORKER_TYPE
from pipelines.resources import current_resources
from prefect_runtime.client import PrefectApi
from spatial.errors import Cancelled as CancelledItem
from spatial.errors import InternalError, SpatialError
from storage.postgres import batch_expiry, batch_runs, batch_states, batches, operations, silent_workers
from storage.postgres.advisory_lock import advisory_lock
from storage.postgres.batch_runs import BatchRun

ATTEMPTS: Final = 5
"""How often a batch is started before it fails."""

SUBMISSION_SECONDS: Final = 5.0
"""How long a batch may wait for its flow run, or for the start of that run, before this flow acts."""

LOST: Final = timedelta(seconds=30)
"""How long a worker must be found offline before its runs count as lost: right after an outage of Prefect all workers seem offline."""

WORKER_NAME: Final = "prefect.worker.name"
"""Label of a run with the worker that took it."""

PENDING_SECONDS: Final = 60.0
"""How long a run that a warm worker has taken may stay in state Pending."""


@flow(name="reconcile", persist_result=False)
async def reconcile() -> dict[str, int]:
    """Find lost, crashed and unsubmitted runs and repair them; returns how many of each."""
    resources, done = current_resources(), Counter[str]()
    async with advisory_lock(resources.database, "reconcile") as only, get_client() as client:
        if only:
            done["unfinished submissions removed"] = await _sweep()
            done["batches submitted"] = await _submit_waiting(client)
            done += await _resume_interrupted(client)
            done += await bulk_repair.end_lost_runs(client)
            done += await _close_lost(client)
    found = {what: count for what, count in done.items() if what and count}
    get_run_logger().info("repaired: %s", found or "nothing, all runs are as they should be")
    return found


@contextmanager
def _log_failure(what: str) -> Iterator[None]:
    """Log the failure of one repair and go on with the others; the next run of this flow tries it again."""
    try:
        yield
    except (*submission.OUT_OF_REACH, SpatialError) as error:
        get_run_logger().warning("%s cannot be repaired now: %r", what, error)


async def _sweep() -> int:
    """Delete batches whose POST was killed: their rows, then their files."""
    resources = current_resources()
    async with resources.database.transaction() as connection:
        dead = await batch_expiry.find_stranded(connection)
    for batch_id, operation_id in dead:
        async with resources.database.transaction() as connection:
            await batches.abandon(connection, batch_id)
            if await batches.find(connection, batch_id) is not None:
                continue  # its POST was slow and has queued the batch meanwhile
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


async def _resume_interrupted(client: PrefectClient) -> Counter[str]:
    """Resume batches that no process runs."""
    resources, done = current_resources(), Counter[str]()
    async with resources.database.transaction() as connection:
        unstarted = await batch_runs.find_unstarted(connection, older_than=timedelta(seconds=SUBMISSION_SECONDS))
        interrupted = [*await batch_runs.find_lapsed(connection), *unstarted]
    for run in interrupted:
        with _log_failure(f"batch {run.id}"):
            done[await _resume(client, run)] += 1
    return done


async def _resume(client: PrefectClient, run: BatchRun) -> str:
    """Resume one interrupted batch, or end it; returns what was done."""
    found = await run_states.find_run(client, run.flow_run_id)
    if found is None:
        return await _replace_run(client, run)
    state = found.state
    if state is None or state.is_scheduled():
        if not await _has_no_pool(client, found):
            return ""  # a worker will start it
        await run_states.close(client, found, Cancelled(message="its work pool was deleted"))
        return await _replace_run(client, run)
    if state.type in (StateType.CANCELLED, StateType.CANCELLING):
        await _give_up(run, CancelledItem("the batch was cancelled by an operator"))
        await run_states.close(client, found, Cancelled(message="its batch is cancelled"))
        return "batches cancelled"
    if not state.is_final() and run_states.is_recent(state, _lease()):
        return ""  # another process has just taken it
    if max(run.attempts, found.run_count) >= ATTEMPTS:
        done = await _give_up_batch(run)
        await run_states.close(client, found, Crashed(message=f"given up after {ATTEMPTS} attempts"))
        return done
    await run_states.close(
        client, found, Crashed(message=f"{run_states.GONE}; finished items are kept, and this run continues by itself")
    )
    await run_states.crash_tasks(client, found)
    resumed = (
        "continues after its worker was lost: finished items are kept, unfinished ones are extracted by the next worker"
    )
    await client.set_flow_run_state(found.id, AwaitingRetry(message=resumed), force=True)
    return "batches resumed"


async def _has_no_pool(client: PrefectClient, found: FlowRun) -> bool:
    """Whether a waiting run has no queue while its deployment has one: the work pool was deleted and registered again."""
    if found.work_queue_id is not None:
        return False
    deployment = await client.read_deployment_by_name(current_resources().settings.batch_deployment)
    return deployment.work_queue_id is not None


async def _replace_run(client: PrefectClient, run: BatchRun) -> str:
    """Submit a new flow run for a batch whose flow run was deleted in Prefect."""
    async with current_resources().database.transaction() as connection:
        batch = await batches.find(connection, run.id)
    if batch is None:
        return ""
    if run.attempts >= ATTEMPTS:
        return await _give_up_batch(run)
    key = f"{run.id}:{run.attempts}:{run.flow_run_id}"
    resources, api = current_resources(), PrefectApi.sharing(client)
    await submission.create(api, resources.database, batch, key=key, deployment=resources.settings.batch_deployment)
    return "batches submitted again"


async def _give_up_batch(run: BatchRun) -> str:
    """Fail a batch that was started ATTEMPTS times."""
    await _give_up(run, InternalError("the batch was started several times and never finished; submit it again"))
    return "batches given up"


async def _give_up(run: BatchRun, error: SpatialError) -> None:
    async with current_resources().database.transaction() as connection:
        await batches.give_up(connection, run.id, error)


async def _close_lost(client: PrefectClient) -> Counter[str]:
    """End flow runs that are running in Prefect but in no process."""
    done = Counter[str]()
    unfinished = {"any_": [StateType.RUNNING, StateType.PENDING, StateType.CANCELLING]}
    chosen = FlowRunFilter.model_validate({"state": {"type": unfinished}, "tags": {"all_": ["spatial"]}})
    found = await run_states.read_flow_runs(client, chosen)
    old = [run for run in found if run.state is not None and not run_states.is_recent(run.state, _lease())]
    lost = await _lost_workers(client, {str(name) for run in old if (name := run.labels.get(WORKER_NAME))})
    for run in old:
        with _log_failure(f"flow run {run.id}"):
            done[await _close_if_lost(client, run, lost)] += 1
    return done


async def _close_if_lost(client: PrefectClient, run: FlowRun, lost: set[str]) -> str:
    """End one flow run if no process runs it; returns what was done."""
    if await _reschedule_unstarted(client, run):
        return "unstarted runs scheduled again"
    if run.labels.get(WORKER_NAME) in lost:
        end: State[Any] | None = Crashed(
            message=f"{run_states.GONE}; what it finished is kept: retry this run to do the rest"
        )
    else:
        end = await _end_of(run)
    if end is None:
        return ""
    await run_states.close(client, run, end)
    await run_states.crash_tasks(client, run)
    return f"runs found {end.name}"


async def _reschedule_unstarted(client: PrefectClient, run: FlowRun) -> bool:
    """Schedule a run again that a worker set to Pending and never started; a warm worker starts a run at once."""
    kind = run.labels.get("prefect.worker.type", WORKER_TYPE)
    if run.state is None or not run.state.is_pending() or kind != WORKER_TYPE:
        return False
    if datetime.now(UTC) - run.state.timestamp < timedelta(seconds=PENDING_SECONDS):
        return False
    await client.set_flow_run_state(run.id, AwaitingRetry(message="pending and never started"), force=True)
    return True


async def _end_of(run: FlowRun) -> State[Any] | None:
    """The final state of a run according to the database; None if it may still be running."""
    if run.name == run_states.AFTER_LOSS and str(run.id) != runtime.flow_run.id:
        return Crashed(message=run_states.GONE)  # of this flow one run works at a time, and that is this one
    cancelling = run.state is not None and run.state.type is StateType.CANCELLING
    async with current_resources().database.transaction() as connection:
        if "batch_id" in run.parameters:
            batch = await batches.find(connection, run.parameters["batch_id"])
            if batch is not None and batch.flow_run_id != str(run.id):
                return None  # it repeats items of a batch that has ended; its worker's heartbeats decide
            if batch is not None and not batch.is_expired:
                just_now = batch.ended_at is None or datetime.now(UTC) - batch.ended_at < _lease()
                if batch.state in batch_states.UNFINISHED or just_now:
                    return None
            return Cancelled(message="its batch has ended") if cancelling else Completed(message="its batch has ended")
        if "job" not in run.parameters or WORKER_NAME in run.labels:
            return None  # it runs in a worker, and the heartbeats of that worker decide
        operation = await operations.find(connection, run.parameters["job"]["operation_id"])
    if operation is not None and operation.is_alive:
        return None
    if operation is None or operation.state == "open":
        return Crashed(
            message="the API process that received the request is gone: its caller got no answer, and nothing is billed"
        )
    return Completed(message="answered") if operation.state == "completed" else Failed(message="its operation failed")


async def _lost_workers(client: PrefectClient, names: set[str]) -> set[str]:
    """Which of these warm workers have been found offline for LOST; their runs ended with their process."""
    workers = await run_states.read_warm_workers(client) if names else []
    offline = {
        worker.name: worker.last_heartbeat_time or datetime.min.replace(tzinfo=UTC)
        for worker in workers
        if worker.name in names and worker.status != "ONLINE"
    }
    async with current_resources().database.transaction() as connection:
        await silent_workers.note(connection, offline)
        return await silent_workers.find_lost(connection, LOST)


def _lease() -> timedelta:
    return timedelta(seconds=current_resources().settings.lease_seconds)
