"""Runs that are held in a process and recorded by the Prefect server of the stack, and what of them is seen there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import ArtifactCreate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import FlowRun
from prefect.events.schemas.events import Event, Resource
from prefect.exceptions import ObjectNotFound
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, PREFECT_CLIENT_MAX_RETRIES, temporary_settings
from prefect.states import Cancelling, Completed, Failed, Running

from prefect_runtime import recorder as module
from prefect_runtime.client import PrefectApi
from prefect_runtime.held_runs import HeldRuns
from prefect_runtime.recorder import Recorder
from prefect_runtime.records import ROUTE, Records, RunRecord
from tests.support.stack import RunningStack

pytestmark = pytest.mark.usefixtures("patient")

FLOW, NAME = "recorded", "recorded/recorded"


@asynccontextmanager
async def recording(url: str, auth: str | None) -> AsyncIterator[tuple[Recorder, HeldRuns]]:
    """A recorder at work, and the client with its runs, which asks once."""
    updates: dict[Any, Any] = {PREFECT_API_URL: url, PREFECT_CLIENT_MAX_RETRIES: 0}
    if auth is not None:
        updates[PREFECT_API_AUTH_STRING] = auth
    with temporary_settings(updates):
        async with HeldRuns() as client:
            recorder = Recorder(client)
            working = asyncio.create_task(recorder.run())
            yield recorder, client
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working


@pytest.fixture
async def known(stack: RunningStack) -> AsyncIterator[PrefectClient]:
    """A client that asks the server, which has a deployment of this module's own."""
    async with PrefectClient(stack.addresses["prefect_api_url"], auth_string=stack.addresses["prefect_auth"]) as client:
        flow_id = await client.create_flow_from_name(FLOW)
        await client.create_deployment(flow_id, "recorded", tags=["of-the-deployment"], parameters={"a": 1})
        yield client


def at(stack: RunningStack) -> Any:
    """A recorder of the stack's server."""
    return recording(stack.addresses["prefect_api_url"], stack.addresses["prefect_auth"])


async def created(recorder: Recorder, name: str = "a run") -> FlowRun:
    """A run that this process executes."""
    key = str(uuid4())
    return await recorder.create_run(
        NAME, name=name, parameters={"b": [2]}, tags=["of-the-run"], idempotency_key=key, why="here"
    )


async def seen(client: PrefectClient, run_id: UUID) -> FlowRun | None:
    """The run as the server has it."""
    with suppress(Exception):
        return await client.read_flow_run(run_id)
    return None


async def until_seen(client: PrefectClient, run_id: UUID) -> FlowRun:
    """The run, as soon as the server has it."""
    async with asyncio.timeout(30):
        while (run := await seen(client, run_id)) is None:
            await asyncio.sleep(0.05)
    return run


@pytest.mark.requirement("host.held-runs")
async def test_a_run_that_ends_soon_is_recorded_once_it_has_ended(stack: RunningStack, known: PrefectClient) -> None:
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        assert (await client.read_flow_run(run.id)).state_name == "Running"
        assert await seen(known, run.id) is None
        page = ArtifactCreate(key="page", type="markdown", data="text", flow_run_id=run.id)
        artifact = await client.create_artifact(page)
        assert (await client.set_flow_run_state(run.id, Completed())).status.value == "ACCEPT"
        recorded = await until_seen(known, run.id)
        chosen = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
        async with asyncio.timeout(30):
            while not (pages := await known.read_artifacts(artifact_filter=chosen)):
                await asyncio.sleep(0.05)
    deployment = await known.read_deployment_by_name(NAME)
    assert (recorded.state_name, recorded.name, recorded.run_count) == ("Completed", "a run", 1)
    assert recorded.state is not None and recorded.state.state_details.flow_run_id == run.id
    assert (recorded.deployment_id, recorded.flow_id) == (deployment.id, deployment.flow_id)
    assert recorded.parameters == {"a": 1, "b": [2]}
    assert sorted(recorded.tags) == ["of-the-deployment", "of-the-run"]
    assert recorded.labels["prefect.deployment.id"] == str(deployment.id)
    assert recorded.start_time is not None and recorded.end_time is not None
    assert recorded.total_run_time == recorded.end_time - recorded.start_time
    assert [(one.id, one.data) for one in pages] == [(artifact.id, "text")]


@pytest.mark.requirement("host.held-runs")
async def test_a_run_that_lasts_is_seen_running_and_ends_on_the_server(
    stack: RunningStack, known: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.1)
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        assert (await until_seen(known, run.id)).state_name == "Running"
        await known.set_flow_run_state(run.id, Cancelling())  # as somebody does in the Prefect UI
        async with asyncio.timeout(30):
            while run.id in client.held:
                await asyncio.sleep(0.05)
        await client.set_flow_run_state(run.id, Completed(), force=True)
    ended = await known.read_flow_run(run.id)
    assert ended.state_name == "Completed" and ended.end_time is not None


@pytest.mark.requirement("host.held-runs")
async def test_a_run_among_many_is_held_longer_and_is_seen_once_the_others_have_ended(
    stack: RunningStack, known: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HOLD_SECONDS", 0.1)
    monkeypatch.setattr(module, "HOLD_SECONDS_EACH", 1000.0)
    monkeypatch.setattr(module, "MOST_HOLD_SECONDS", 1000.0)
    async with at(stack) as (recorder, client):
        run, other, last = [await created(recorder) for _ in range(3)]
        await client.set_flow_run_state(last.id, Completed())
        assert (await until_seen(known, last.id)).state_name == "Completed"
        assert {run.id, other.id} <= client.held.keys()  # looked at, and left, when the last was recorded
        await client.set_flow_run_state(other.id, Completed())
        assert (await until_seen(known, run.id)).state_name == "Running"
        await client.set_flow_run_state(run.id, Completed())


@pytest.mark.requirement("host.held-runs")
async def test_a_run_is_recorded_before_it_gets_a_state_that_is_no_end(
    stack: RunningStack, known: PrefectClient
) -> None:
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        await client.set_flow_run_state(run.id, Running(name="Waiting"), force=True)
        assert run.id not in client.held
        assert (await known.read_flow_run(run.id)).state_name == "Waiting"


@pytest.mark.requirement("host.held-runs")
async def test_the_end_of_a_run_that_failed_is_an_event_for_automations(
    stack: RunningStack, known: PrefectClient
) -> None:
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        await client.set_flow_run_state(run.id, Failed(message="the file is empty"))
        recorded = await until_seen(known, run.id)
    assert recorded.state is not None and recorded.state.message == "the file is empty"
    about = {"filter": {"resource": {"id": [f"prefect.flow-run.{run.id}"]}}}
    api, (user, _, password) = stack.addresses["prefect_api_url"], stack.addresses["prefect_auth"].partition(":")
    async with asyncio.timeout(60), httpx.AsyncClient(auth=(user, password)) as http:
        while not (found := (await http.post(f"{api}/events/filter", json=about)).json()["events"]):
            await asyncio.sleep(0.2)
    assert "prefect.flow-run.Failed" in {event["event"] for event in found}


@pytest.mark.requirement("host.held-runs")
async def test_a_request_that_is_sent_again_changes_nothing_and_a_bad_record_costs_no_other(
    stack: RunningStack, known: PrefectClient
) -> None:
    api, began = PrefectApi.sharing(known), datetime.now(UTC) - timedelta(seconds=1)

    def record(deployment: str = NAME, name: str = "a run") -> RunRecord:
        return RunRecord(
            id=uuid4(),
            deployment=deployment,
            name=name,
            parameters={},
            tags=[],
            idempotency_key=str(uuid4()),
            began=began,
            state={
                "id": str(uuid4()),
                "type": "COMPLETED",
                "name": "Completed",
                "timestamp": datetime.now(UTC).isoformat(),
            },
        )

    good, unknown, nul = record(), record("no/deployment"), record(name="a\0b")
    records = Records(runs=[unknown, good, nul])
    for _ in range(2):
        assert set(await api.send_records(records)) == {unknown.id, nul.id}
    recorded = await known.read_flow_run(good.id)
    assert recorded.state_name == "Completed"
    assert recorded.total_run_time >= timedelta(seconds=1)
    assert await seen(known, unknown.id) is None and await seen(known, nul.id) is None


@pytest.mark.requirement("host.held-runs")
async def test_a_server_that_goes_away_gets_the_runs_when_it_is_back(
    stack: RunningStack, known: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(module, "REACH_SECONDS", 0.0)
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        there = client._client.base_url
        client._client.base_url = httpx.URL("http://127.0.0.1:9/api/")  # where nothing listens
        await client.set_flow_run_state(run.id, Completed())
        with pytest.raises((httpx.HTTPError, TimeoutError)):
            await created(recorder)
        assert await seen(known, run.id) is None
        client._client.base_url = there
        assert (await until_seen(known, run.id)).state_name == "Completed"


@pytest.mark.requirement("host.held-runs")
async def test_with_a_server_that_has_no_such_route_a_run_is_created_before_it_begins(
    stack: RunningStack, known: PrefectClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prefect_runtime.client.ROUTE", f"no_{ROUTE}")
    async with at(stack) as (recorder, client):
        run = await created(recorder)
        assert client.held == {}
        assert (await known.read_flow_run(run.id)).state_name == "Running"


@pytest.mark.requirement("host.events")
async def test_a_server_that_has_answered_has_the_end_of_a_stage_that_failed(
    stack: RunningStack, known: PrefectClient
) -> None:
    """What it only held in memory would be lost where it is killed, and the stage would be Running for ever."""
    stage, key = uuid4(), str(uuid4())

    def state(name: str, seconds: float) -> dict[str, Any]:
        """The event of a state, as Prefect's engine emits it."""
        return Event(
            event=f"prefect.task-run.{name}",
            occurred=datetime.now(UTC) - timedelta(seconds=seconds),
            resource=Resource({"prefect.resource.id": f"prefect.task-run.{stage}", "prefect.orchestration": "client"}),
            payload={
                "validated_state": {"type": name.upper(), "name": name, "message": "", "data": None},
                "task_run": {"name": "stage", "task_key": key, "dynamic_key": key},
            },
        ).model_dump(mode="json")

    async def recorded(event: dict[str, Any]) -> str | None:
        assert await PrefectApi.sharing(known).send_records(Records(events=[event])) == []
        return (await known.read_task_run(stage)).state_name

    assert await recorded(state("Running", 2)) == "Running"
    assert await recorded(state("Failed", 1)) == "Failed"


@pytest.mark.requirement("host.events")
async def test_the_ends_of_stages_are_rows_once_whatever_of_them_was_recorded_before(
    stack: RunningStack, known: PrefectClient
) -> None:
    deployment = await known.read_deployment_by_name(NAME)
    now, flow_run = datetime.now(UTC), (await known.create_flow_run_from_deployment(deployment.id)).id
    related = [{"prefect.resource.id": f"prefect.flow-run.{flow_run}", "prefect.resource.role": "flow-run"}]

    def state(stage: UUID, name: str, seconds: float, called: str = "stage") -> dict[str, Any]:
        """The event of a state of a stage with all that Prefect's engine says of it."""
        moments = dict.fromkeys(("expected_start_time", "start_time", "end_time"), now.isoformat())
        run = {"name": called, "task_key": "stage", "dynamic_key": str(stage), "run_count": 1, "flow_run_run_count": 1}
        said = {"empirical_policy": {"retries": 6}, "tags": ["of-the-stage"], "labels": {}, "task_inputs": {"job": []}}
        return Event(
            event=f"prefect.task-run.{name}",
            occurred=now - timedelta(seconds=seconds),
            resource=Resource({"prefect.resource.id": f"prefect.task-run.{stage}", "prefect.orchestration": "client"}),
            related=related,
            payload={
                "validated_state": {"type": name.upper(), "name": name, "message": "well", "data": None},
                "task_run": {**run, **said, **moments, "total_run_time": 0.25},
            },
        ).model_dump(mode="json")

    new, begun, both, bad = uuid4(), uuid4(), uuid4(), uuid4()
    assert await PrefectApi.sharing(known).send_records(Records(events=[state(begun, "Running", 2)])) == []
    passing, nul = state(both, "Running", 2), state(bad, "Completed", 1, "a\0b")
    ends = [state(stage, "Completed", 1) for stage in (new, begun, both)]
    for _ in range(2):
        refused = await PrefectApi.sharing(known).send_records(Records(events=[passing, nul, *ends]))
        assert refused == [UUID(nul["id"])]
    for stage, end in zip((new, begun, both), ends, strict=True):
        recorded = await known.read_task_run(stage)
        assert (recorded.state_name, recorded.name, recorded.run_count) == ("Completed", "stage", 1)
        assert recorded.state_id == UUID(end["id"]) and recorded.flow_run_id == flow_run
        assert recorded.total_run_time == timedelta(seconds=0.25) and recorded.tags == ["of-the-stage"]
        assert recorded.empirical_policy.retries == 6 and recorded.task_inputs == {"job": []}
        assert recorded.state is not None and recorded.state.message == "well"
        assert recorded.state.state_details.task_run_id == stage
    with pytest.raises(ObjectNotFound):
        await known.read_task_run(bad)
