"""Lost, silent, late, left over: what `reconcile`, the relay and `expire` do, on the Prefect server of the stack and a database of ours.

The deployment that batches are submitted to belongs to these tests and to no work pool: its runs are begun by nobody.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from uuid import UUID, uuid4

import asyncpg
import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.states import AwaitingRetry, Cancelled, Cancelling, Crashed, Pending, Running

from flows import bulk_repair, housekeeping, reconcile, run_states, submission
from flows.catalog import DESKTOP_POOL
from flows.submission import Relay
from pipelines.resources import Resources, open_resources, use_resources
from prefect_runtime.client import PrefectApi
from storage import ids, settings
from storage.postgres import batches, upload_files
from storage.postgres.address import sibling_url
from storage.postgres.batches import Batch
from storage.tables import ingest
from storage.tables.ingest import IngestRun
from tests.api.test_metrics import of
from tests.stack.test_observability import scrape
from tests.storage import batch_actors
from tests.storage.actors import Customer, customer, execute
from tests.storage.postgres import test_uploads as uploads_actors
from tests.support.stack import RunningStack, free_port

pytestmark = pytest.mark.usefixtures("patient")

FLOW, NOBODYS = "extract-batch", "nobody-begins-it"


@pytest.fixture
async def client(stack: RunningStack) -> AsyncIterator[PrefectClient]:
    """A client of the stack's Prefect server, which knows a deployment that nobody serves."""
    async with PrefectClient(stack.addresses["prefect_api_url"], auth_string=stack.addresses["prefect_auth"]) as opened:
        flow = await opened.create_flow_from_name(FLOW)
        await opened.create_deployment(flow, NOBODYS)
        yield opened


@pytest.fixture
async def resources(postgres_url: str, tmp_path: Path) -> AsyncIterator[Resources]:
    """What the flow finds in its process."""
    ours = {"database_url": postgres_url, "batch_deployment": f"{FLOW}/{NOBODYS}"}
    chosen = settings.load(home=tmp_path, lease_seconds=600, **ours)
    async with open_resources(chosen) as opened:
        with use_resources(opened):
            yield opened


@pytest.fixture
async def who(resources: Resources) -> Customer:
    """A customer of the test's own."""
    return await customer(resources.database)


async def with_run(resources: Resources, client: PrefectClient, who: Customer) -> tuple[str, FlowRun]:
    """A batch that was submitted a while ago, and its flow run."""
    batch_id = await batch_actors.submitted(resources.database, who)
    await submission.submit(
        PrefectApi.sharing(client), resources.database, batch_id, deployment=resources.settings.batch_deployment
    )
    await batch_actors.age(resources.database, who, reconcile.SUBMISSION_SECONDS + 1)
    return batch_id, (await runs_of(client, batch_id))[0]


async def begun(resources: Resources, batch_id: str, run: FlowRun, times: int = 1) -> None:
    """The run begins the batch so often, and dies of it each time without a word."""
    for _ in range(times):
        assert await batch_actors.begun(resources.database, batch_id, str(run.id)) is not None
        await batch_actors.lapse(resources.database, batch_id)


async def dies(client: PrefectClient, run: FlowRun) -> None:
    """What the zombie automation, or an earlier turn, has seen of it."""
    await client.set_flow_run_state(run.id, Crashed(message="gone"), force=True)


async def runs_of(client: PrefectClient, batch_id: str) -> list[FlowRun]:
    """Every flow run that was made for a batch."""
    return await client.read_flow_runs(flow_run_filter=FlowRunFilter.model_validate({"name": {"any_": [batch_id]}}))


async def state_of(client: PrefectClient, run: FlowRun) -> str | None:
    """The name of its state."""
    return (await client.read_flow_run(run.id)).state_name


async def known(resources: Resources, batch_id: str) -> Batch:
    """The batch as its row has it."""
    return await batch_actors.known(resources.database, batch_id)


@pytest.mark.requirement("reconcile.forgotten-run")
async def test_a_batch_whose_run_lost_its_work_pool_gets_another_one_when_the_pool_is_back(
    resources: Resources, client: PrefectClient, who: Customer
) -> None:
    pool = ids.new("pool")
    flow = await client.create_flow_from_name(FLOW)
    await client.create_work_pool(WorkPoolCreate(name=pool))
    await client.create_deployment(flow, NOBODYS, work_pool_name=pool)
    batch_id, run = await with_run(resources, client, who)
    assert await reconcile._resume_interrupted(client) == {"": 1}, "a worker may come"
    await client.delete_work_pool(pool)
    assert await reconcile._resume_interrupted(client) == {"": 1}, "another run would be as lost"
    await client.create_work_pool(WorkPoolCreate(name=pool))
    await client.create_deployment(flow, NOBODYS, work_pool_name=pool)
    assert await reconcile._resume_interrupted(client) == {"batches submitted again": 1}
    assert await state_of(client, run) == "Cancelled"
    (anew,) = [other for other in await runs_of(client, batch_id) if other.id != run.id]
    assert anew.work_pool_name == pool and (await known(resources, batch_id)).flow_run_id == str(anew.id)
    await client.set_flow_run_state(anew.id, Cancelling(), force=True)
    assert await reconcile._resume_interrupted(client) == {"batches cancelled": 1}
    await client.delete_work_pool(pool)


@pytest.mark.requirement("reconcile.given-up")
@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_batch_whose_run_died_five_times_is_given_up(
    resources: Resources, client: PrefectClient, who: Customer, forgotten: bool
) -> None:
    batch_id, run = await with_run(resources, client, who)
    await begun(resources, batch_id, run, times=reconcile.ATTEMPTS - 1)
    await dies(client, run)
    assert await reconcile._resume_interrupted(client) == {"batches resumed": 1}
    assert await state_of(client, run) == "AwaitingRetry"
    await begun(resources, batch_id, run)
    assert await batch_actors.completed(resources.database, who, batch_id, 0)
    await dies(client, run)
    if forgotten:
        await client.delete_flow_run(run.id)
    assert await reconcile._resume_interrupted(client) == {"batches given up": 1}
    ended = await known(resources, batch_id)
    assert ended.state == "done" and [item.state for item in ended.items] == ["done", "failed", "failed"]
    for item in ended.items[1:]:
        assert item.status == 500 and item.error is not None
        assert item.error["type"] == "internal_error" and "submit it again" in item.error["message"]
    assert await reconcile._resume_interrupted(client) == {}
    assert len(await runs_of(client, batch_id)) == (0 if forgotten else 1)


@pytest.mark.requirement("reconcile.forgotten-run")
@pytest.mark.parametrize("running", [False, True])
async def test_a_batch_whose_run_prefect_has_forgotten_gets_another_one(
    resources: Resources, client: PrefectClient, who: Customer, running: bool
) -> None:
    batch_id, run = await with_run(resources, client, who)
    if running:
        await begun(resources, batch_id, run)
    await client.delete_flow_run(run.id)
    assert await reconcile._resume_interrupted(client) == {"batches submitted again": 1}
    await reconcile._resume_interrupted(client)  # before anybody has begun the new one
    [anew] = await runs_of(client, batch_id)
    assert (anew.id != run.id, anew.parameters, anew.state_name) == (True, {"batch_id": batch_id}, "Scheduled")
    taken = await batch_actors.begun(resources.database, batch_id, str(anew.id))
    assert taken is not None and taken.flow_run_id == str(anew.id)
    assert await reconcile._resume_interrupted(client) == {}


@pytest.mark.requirement("reconcile.forgotten-run")
async def test_a_batch_that_an_operator_cancelled_in_prefect_is_ended_and_one_just_taken_is_left(
    resources: Resources, client: PrefectClient, who: Customer
) -> None:
    cancelled, taken = await with_run(resources, client, who), await with_run(resources, client, who)
    await client.set_flow_run_state(cancelled[1].id, Cancelling(), force=True)
    await client.set_flow_run_state(taken[1].id, Pending(), force=True)
    assert await reconcile._resume_interrupted(client) == {"batches cancelled": 1, "": 1}
    ended = await known(resources, cancelled[0])
    assert ended.state == "failed" and {str((item.error or {})["type"]) for item in ended.items} == {"cancelled"}
    assert (await known(resources, taken[0])).state == "queued"
    assert [await state_of(client, run) for _, run in (cancelled, taken)] == ["Cancelled", "Pending"]


@pytest.mark.requirement("reconcile.stranded-files")
async def test_files_that_no_row_names_any_more_are_swept_and_those_of_others_stay(
    resources: Resources, who: Customer
) -> None:
    async def laid_down(alive: bool) -> tuple[str, str]:
        batch_id = await batch_actors.laid_down(resources.database, who)
        operation_id = await operation_of(resources, batch_id)
        for index in range(3):
            await resources.lake.put(f"staged/{operation_id}/{index}/part.step", b"ISO-10303-21;")
        if not alive:
            gone = "UPDATE operations SET lease_until = clock_timestamp() - interval '1 ms' WHERE id = :id"
            await execute(resources.database, gone, id=operation_id)
        return batch_id, operation_id

    (_, dead), (batch_id, alive) = await laid_down(alive=False), await laid_down(alive=True)
    assert await reconcile._sweep() == 1
    assert await resources.lake.list(f"staged/{dead}") == []
    assert len(await resources.lake.list(f"staged/{alive}")) == 3
    assert await reconcile._sweep() == 0
    async with resources.database.transaction() as connection:
        assert await batches.abandon(connection, batch_id), "its row is still there"


@pytest.mark.requirement("retention.expires-by-schedule", "upload.expires", "upload.presigned")
async def test_uploads_go_with_their_rows_and_files_without_a_row_when_their_hours_are_over(
    resources: Resources, who: Customer
) -> None:
    upload = await uploads_actors.made(resources.database, who, most_bytes=10)
    open_one = await uploads_actors.made(resources.database, who, most_bytes=10)
    await uploads_actors.send(resources.database, resources.lake, upload, b"part")
    await execute(resources.database, "UPDATE uploads SET expires_at = clock_timestamp() WHERE id = :id", id=upload.id)
    await resources.lake.put(upload_files.landing_key(open_one.id), b"more than may come past us")
    for name, hours in (("old", 25), ("young", 23)):
        await resources.lake.put(f"staged/{name}/part.step", b"ISO-10303-21;")
        moment = time.time() - hours * 3600
        os.utime(resources.lake.path(f"staged/{name}/part.step"), (moment, moment))
    deleted = await housekeeping._delete_expired(resources)
    assert (deleted["uploads"], deleted["staged"]) == (1, 1)
    left = [
        key
        for key in await resources.lake.list("staged")
        if key.split("/")[1] in {upload.id, open_one.id, "old", "young"}
    ]
    assert left == ["staged/young/part.step"]
    async with resources.database.transaction() as connection:
        rows = await connection.exec_driver_sql(f"SELECT id FROM uploads WHERE key_id = '{who.key_id}'")
        assert list(rows.scalars()) == [open_one.id]


async def operation_of(resources: Resources, batch_id: str) -> str:
    """The operation of a batch, staging ones included."""
    async with resources.database.transaction() as connection:
        rows = await connection.exec_driver_sql(f"SELECT operation_id FROM batches WHERE id = '{batch_id}'")
        return str(rows.scalar_one())


@asynccontextmanager
async def silent_worker(stack: RunningStack, client: PrefectClient) -> AsyncIterator[tuple[str, asyncpg.Connection]]:
    """A warm worker of the desktop's pool that has reported to Prefect once; its name, and Prefect's own database."""
    name = f"silent {uuid4()}"
    await client.send_worker_heartbeat(DESKTOP_POOL, name, heartbeat_interval_seconds=10)
    url = sibling_url(stack.addresses["database_url"], "prefect").replace("+asyncpg", "", 1)
    connection = await asyncpg.connect(url)
    try:
        yield name, connection
    finally:
        await connection.execute("DELETE FROM worker WHERE name = $1", name)
        await connection.close()


async def found_silent(resources: Resources, name: str, ago: timedelta) -> None:
    """Let it be longer ago that a process found the worker silent; which one did makes no difference."""
    async with resources.database.transaction() as connection:
        earlier = f"UPDATE silent_workers SET since = since - interval '{ago.total_seconds()} s' WHERE name = '{name}'"
        assert (await connection.exec_driver_sql(earlier)).rowcount == 1


async def heard_of(connection: asyncpg.Connection, name: str, ago: timedelta) -> None:
    """Let the worker's last heartbeat be so long ago; three that are missed, Prefect's foreman calls OFFLINE at its next turn."""
    status = "OFFLINE" if ago > timedelta(seconds=30) else "ONLINE"
    aged = "UPDATE worker SET last_heartbeat_time = $1, status = $2 WHERE name = $3"
    await connection.execute(aged, datetime.now(UTC) - ago, status, name)


@pytest.mark.requirement("reconcile.silent-worker", "metrics.heartbeats")
async def test_a_worker_that_falls_silent_is_seen_and_its_runs_are_ended(
    stack: RunningStack, client: PrefectClient, resources: Resources
) -> None:
    def silence(name: str) -> float | None:
        return of(scrape(stack), "spatial_worker_heartbeat_seconds", pool=DESKTOP_POOL, worker=name)

    run = await client.create_flow_run_from_deployment(
        (await client.read_deployment_by_name(resources.settings.batch_deployment)).id,
        state=Running(),
        parameters={"job": {}},
    )
    async with silent_worker(stack, client) as (name, prefects):
        await client.update_flow_run_labels(run.id, {"prefect.worker.name": name})
        run = await client.read_flow_run(run.id)
        assert (await asyncio.to_thread(silence, name) or 99) < 60
        assert await reconcile._lost_workers(client, {name}) == set()
        assert await reconcile._close_if_lost(client, run, set()) == ""
        await heard_of(prefects, name, timedelta(minutes=2))
        assert (await asyncio.to_thread(silence, name) or 0) >= 120
        assert await reconcile._lost_workers(client, {name}) == set(), "after an outage all are silent at first"
        await found_silent(resources, name, ago=reconcile.LOST)
        lost = await reconcile._lost_workers(client, {name})
        assert name in lost and await reconcile._close_if_lost(client, run, lost) == "runs found Crashed"
        assert (await client.read_flow_run(run.id)).state_type is StateType.CRASHED
        await heard_of(prefects, name, timedelta(hours=2))
        assert await asyncio.to_thread(silence, name) is None, "names of dead workers stay in Prefect for ever"
        await heard_of(prefects, name, timedelta())
        assert await reconcile._lost_workers(client, {name}) == set()
        await heard_of(prefects, name, timedelta(minutes=2))
        assert await reconcile._lost_workers(client, {name}) == set(), "it was heard of meanwhile"


async def bulk_run(
    resources: Resources, client: PrefectClient, kind: Literal["ingest", "reprocess"], state: State[Any], worker: str
) -> tuple[FlowRun, IngestRun]:
    """A bulk run whose record has been silent for 20 s, and its flow run, which that worker took."""
    deployment = await client.read_deployment_by_name(resources.settings.batch_deployment)
    run = await client.create_flow_run_from_deployment(deployment.id, state=state)
    await client.update_flow_run_labels(run.id, {"prefect.worker.name": worker})
    record = await ingest.open_run(resources.database, kind, parameters={}, flow_run_id=str(run.id))
    silence = "UPDATE ingest_runs SET updated_at = clock_timestamp() - interval '20 seconds' WHERE id = :id"
    await execute(resources.database, silence, id=record.id)
    return run, record


async def ended_as(resources: Resources, client: PrefectClient, run: FlowRun) -> tuple[str | None, str | None]:
    """State of the flow run and of its record."""
    record = await ingest.find_run(resources.database, str(run.id))
    return await state_of(client, run), record.state if record else None


@pytest.mark.requirement("reconcile.lost-bulk")
@pytest.mark.parametrize("kind", ["ingest", "reprocess"])
async def test_a_bulk_run_whose_worker_is_gone_ends_in_prefect_and_in_the_tables(
    stack: RunningStack, client: PrefectClient, resources: Resources, kind: Literal["ingest", "reprocess"]
) -> None:
    async with silent_worker(stack, client) as (name, prefects):
        await heard_of(prefects, name, timedelta())
        run, _ = await bulk_run(resources, client, kind, Running(), name)
        assert await bulk_repair.end_lost_runs(client) == {"": 1}, "its worker lives: it may be slow"
        await heard_of(prefects, name, timedelta(seconds=25))
        waits, _ = await bulk_run(resources, client, kind, AwaitingRetry(), name)
        assert await bulk_repair.end_lost_runs(client) == {f"{kind} runs ended as lost": 1, "": 1}
        assert await ended_as(resources, client, run) == ("Crashed", "lost")
        assert await ended_as(resources, client, waits) == ("AwaitingRetry", "running")
        message = (await client.read_flow_run(run.id)).state
        assert message is not None and "what is committed is kept: retry this run" in (message.message or "")
        await client.set_flow_run_state(waits.id, Cancelled(), force=True)
        assert await bulk_repair.end_lost_runs(client) == {f"{kind} runs ended as cancelled": 1}


@pytest.mark.requirement("reconcile.lost-bulk")
async def test_the_record_of_a_run_that_prefect_ended_or_forgot_ends_too(
    client: PrefectClient, resources: Resources
) -> None:
    crashed, _ = await bulk_run(resources, client, "reprocess", Crashed(message="its heartbeats stopped"), "x")
    forgotten, _ = await bulk_run(resources, client, "ingest", Running(), "x")
    await client.delete_flow_run(forgotten.id)
    assert await bulk_repair.end_lost_runs(client) == {
        "reprocess runs ended as lost": 1,
        "ingest runs ended as lost": 1,
    }
    assert await ended_as(resources, client, crashed) == ("Crashed", "lost")
    assert await bulk_repair.end_lost_runs(client) == {}


@pytest.mark.requirement("reconcile.all-runs")
async def test_every_run_is_looked_at_however_many_there_are(
    client: PrefectClient, resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_states, "PAGE", 2)
    deployment = await client.read_deployment_by_name(resources.settings.batch_deployment)
    tag = ids.new("tag")
    made = {
        (await client.create_flow_run_from_deployment(deployment.id, state=Running(), tags=[tag])).id for _ in range(5)
    }
    chosen = FlowRunFilter.model_validate({"tags": {"all_": [tag]}})
    found = await run_states.read_flow_runs(client, chosen)
    assert len(found) == 5 and {run.id for run in found} == made
    assert len(await run_states.read_warm_workers(client)) >= 2


class Way:
    """A loopback port that leads to another one, or for a while nowhere."""

    def __init__(self, port: int) -> None:
        self.port = free_port()
        self._beyond = port
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Lead there."""
        self._server = await asyncio.start_server(self._through, "127.0.0.1", self.port)

    def close(self) -> None:
        """Lead nowhere."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _through(self, caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, out = await asyncio.open_connection("127.0.0.1", self._beyond)
        try:
            await asyncio.wait(
                {asyncio.create_task(_copied(caller, out)), asyncio.create_task(_copied(far, back))},
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            out.close()
            back.close()


async def _copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(65_536):
        target.write(piece)
        await target.drain()


@pytest.mark.requirement("batch.relayed")
async def test_a_batch_submitted_while_prefect_is_away_gets_its_run_when_prefect_is_back(
    stack: RunningStack, client: PrefectClient, resources: Resources, who: Customer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission, "RELAY_SECONDS", 0.05)
    api = str(stack.addresses["prefect_api_url"])
    port = int(api.removesuffix("/api").rpartition(":")[2])
    way = Way(port)
    through = PrefectClient(api.replace(str(port), str(way.port)), auth_string=stack.addresses["prefect_auth"])
    async with through as far:
        relay = Relay(PrefectApi.sharing(far), resources.database, deployment=resources.settings.batch_deployment)
        left, waiting = [await batch_actors.submitted(resources.database, who) for _ in range(2)]
        await relay.submit(waiting)
        assert [(await known(resources, each)).flow_run_id for each in (left, waiting)] == [None, None]
        await way.open()
        run_id = await asyncio.wait_for(submitted(resources, waiting), timeout=30)
        assert [run.id for run in await runs_of(client, waiting)] == [UUID(run_id)]
        assert (await known(resources, waiting)).state == "queued"
        await relay.close()
        way.close()
    await batch_actors.age(resources.database, who, reconcile.SUBMISSION_SECONDS + 1)
    assert await reconcile._submit_waiting(client) == 1
    assert [len(await runs_of(client, each)) for each in (left, waiting)] == [1, 1]


async def submitted(resources: Resources, batch_id: str) -> str:
    """The batch's flow run, once its row names one."""
    while True:
        if (run_id := (await known(resources, batch_id)).flow_run_id) is not None:
            return run_id
        await asyncio.sleep(0.02)
