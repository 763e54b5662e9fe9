"""Stages of held runs, which run without Prefect's engine while all goes well, and what the stack's Prefect server has of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from prefect import Flow, flow
from prefect.cache_policies import RUN_ID, TASK_SOURCE
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter
from prefect.client.schemas.objects import FlowRun, TaskRun
from prefect.context import TaskRunContext
from prefect.filesystems import LocalFileSystem
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
from prometheus_client import CollectorRegistry

from prefect_runtime import recorder
from prefect_runtime.host import FlowHost
from prefect_runtime.stage_tasks import stage
from tests.support.stack import RunningStack

pytestmark = pytest.mark.usefixtures("patient")

NAME = "staged"
SEEN_SECONDS = 30.0


@dataclass
class Connections:
    """The least that a host asks for."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)


@asynccontextmanager
async def connect() -> AsyncIterator[Connections]:
    """Nothing to open."""
    yield Connections()


@dataclass
class Running:
    """A flow host with a client that asks the server. went: what the stages did."""

    host: FlowHost[Connections]
    known: PrefectClient
    went: list[Any] = field(default_factory=list)

    async def begin(self, body: Callable[..., Any]) -> tuple[FlowRun, asyncio.Task[Any]]:
        """Begin a held run of a function; the run and the task in which it runs."""
        made: Flow[..., Any] = flow(name=NAME, persist_result=False)(body)
        created: asyncio.Future[FlowRun] = asyncio.get_running_loop().create_future()

        async def create(_: PrefectClient) -> FlowRun:
            key = str(uuid4())
            run = await self.host.recorder.create_run(
                f"{NAME}/{NAME}", name=key, parameters={}, tags=[], idempotency_key=key, why="of a test"
            )
            created.get_loop().call_soon_threadsafe(created.set_result, run)
            return run

        async def carry() -> Any:
            return await self.host.start(made, {}, run=create)

        running = asyncio.create_task(self.host.call(carry))
        await asyncio.wait({created, running}, return_when=asyncio.FIRST_COMPLETED)
        return created.result(), running

    async def seen(self, run: FlowRun, **states: str) -> dict[str, TaskRun]:
        """The stages of a run by name, once the server has them in these states."""
        chosen = FlowRunFilter.model_validate({"id": {"any_": [run.id]}})
        async with asyncio.timeout(SEEN_SECONDS):
            while True:
                found = {one.name: one for one in await self.known.read_task_runs(flow_run_filter=chosen)}
                if all(name in found and found[name].state_name == state for name, state in states.items()):
                    return found
                await asyncio.sleep(0.05)


@pytest.fixture
async def running(stack: RunningStack, tmp_path: Path) -> AsyncIterator[Running]:
    """A host at the stack's Prefect server, whose results would be files."""
    url, auth = stack.addresses["prefect_api_url"], stack.addresses["prefect_auth"]

    async def storage() -> Any:
        block = LocalFileSystem(basepath=str(tmp_path))
        await block.asave("of-a-test", overwrite=True)
        return block

    with temporary_settings({PREFECT_API_URL: url, PREFECT_API_AUTH_STRING: auth}):
        async with PrefectClient(url, auth_string=auth) as known:
            await known.create_deployment(await known.create_flow_from_name(NAME), NAME)
            host = FlowHost(connect, storage, lambda _: "of-a-test")
            await host.open()
            try:
                yield Running(host, known)
            finally:
                await host.close()


def results(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.requirement("host.held-stages")
async def test_stages_that_end_well_are_rows_with_what_they_took_and_leave_no_result(
    running: Running, tmp_path: Path
) -> None:
    @stage(name="first", task_run_name="first {size}", persist_result=True, cache_policy=RUN_ID)
    async def first(size: int) -> list[int]:
        running.went.append(TaskRunContext.get())
        return [size]

    @stage(name="second", task_run_name="second", retries=2, retry_delay_seconds=[1.0, 2.0])
    async def second(taken: list[int], more: int = 1) -> int:
        return taken[0] + more

    async def body() -> int:
        return await second(await first(3))  # type: ignore[no-any-return]

    run, ending = await running.begin(body)
    assert await ending == 4 and running.went == [None], "Prefect's engine did not run them"
    stages = await running.seen(run, **{"first 3": "Completed", "second": "Completed"})
    one, other = stages["first 3"], stages["second"]
    assert one.start_time is not None and one.end_time is not None and other.start_time is not None
    assert one.start_time <= one.end_time <= other.start_time
    assert one.total_run_time == one.end_time - one.start_time
    assert [each.id for each in other.task_inputs["taken"]] == [one.id]  # type: ignore[union-attr]
    assert one.task_inputs == {"size": []}
    assert (other.empirical_policy.retries, other.empirical_policy.retry_delay) == (2, [1, 2])
    assert (one.run_count, one.flow_run_run_count, one.flow_run_id) == (1, 1, run.id)
    assert one.state is not None and one.state.state_details.task_run_id == one.id
    assert results(tmp_path) == []


@pytest.mark.requirement("host.held-stages")
async def test_a_stage_that_raises_is_ended_by_prefect_and_the_results_before_it_are_kept(
    running: Running, tmp_path: Path
) -> None:
    @stage(name="first", task_run_name="first", persist_result=True, cache_policy=RUN_ID + TASK_SOURCE)
    async def first() -> str:
        return "kept"

    @stage(name="second", task_run_name="second", retries=0)
    async def second(taken: str) -> None:
        await asyncio.sleep(0.1)
        raise ValueError(f"{taken} and lost")

    async def body() -> None:
        await second(await first())

    run, ending = await running.begin(body)
    with pytest.raises(ValueError, match="kept and lost"):
        await ending
    stages = await running.seen(run, first="Completed", second="Failed")
    failed = stages["second"]
    assert failed.state is not None and "kept and lost" in str(failed.state.message)
    assert failed.total_run_time >= timedelta(seconds=0.1), "from its beginning"
    assert [each.id for each in failed.task_inputs["taken"]] == [stages["first"].id]  # type: ignore[union-attr]
    kept = [content for path in results(tmp_path) if b"lost" not in (content := path.read_bytes())]
    assert len(kept) == 1 and b"kept" in kept[0], "the other one is the error"


@pytest.mark.requirement("host.held-stages", "flow.retries")
async def test_a_stage_that_may_be_tried_again_is(running: Running) -> None:
    @stage(name="twice", task_run_name="twice", retries=1)
    async def twice() -> int:
        running.went.append("ran")
        if len(running.went) == 1:
            raise ValueError("not yet")
        return len(running.went)

    async def body() -> int:
        return await twice()  # type: ignore[no-any-return]

    run, ending = await running.begin(body)
    assert await ending == 2
    assert (await running.seen(run, twice="Completed"))["twice"].run_count == 2


@pytest.mark.requirement("host.held-stages")
async def test_a_stage_that_outlasts_its_limit_has_timed_out(running: Running) -> None:
    @stage(name="slow", task_run_name="slow", timeout_seconds=0.1)
    async def slow() -> None:
        await asyncio.sleep(60)

    async def body() -> None:
        await slow()

    run, ending = await running.begin(body)
    with pytest.raises(TimeoutError):
        await ending
    await running.seen(run, slow="TimedOut")


@pytest.mark.requirement("host.held-stages")
async def test_a_stage_of_a_run_that_lasts_is_seen_running_and_then_ended(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder, "HOLD_SECONDS", 0.1)
    go_on = asyncio.Event()
    here = asyncio.get_running_loop()

    @stage(name="short", task_run_name="short")
    async def short() -> None: ...

    @stage(name="long", task_run_name="long")
    async def long() -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(go_on.wait(), here))

    async def body() -> None:
        await short()
        await long()
        await short()

    run, ending = await running.begin(body)
    began = (await running.seen(run, short="Completed", long="Running"))["long"]
    assert (await running.known.read_flow_run(run.id)).state_name == "Running"
    go_on.set()
    await ending
    ended = (await running.seen(run, long="Completed"))["long"]
    assert (ended.id, ended.start_time) == (began.id, began.start_time) and ended.run_count == 1
    assert ended.start_time is not None and ended.end_time is not None
    assert ended.total_run_time == ended.end_time - ended.start_time


@pytest.mark.requirement("host.held-stages")
async def test_a_stage_of_a_run_that_is_stopped_has_crashed(running: Running) -> None:
    began = asyncio.Event()
    here = asyncio.get_running_loop()

    @stage(name="endless", task_run_name="endless")
    async def endless() -> None:
        here.call_soon_threadsafe(began.set)
        await asyncio.sleep(600)

    async def body() -> None:
        await endless()

    run, ending = await running.begin(body)
    await began.wait()

    async def stop() -> None:
        for each in list(running.host._running):
            each.cancel()

    await running.host.call(stop)
    with pytest.raises(BaseException):  # noqa: B017  # CancelledError, as the loops have it
        await ending
    await running.seen(run, endless="Crashed")
