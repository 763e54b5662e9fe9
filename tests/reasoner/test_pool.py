"""What a solver may do to its process, and what its caller learns of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import psutil
import pytest

from reasoner import places
from reasoner.places import LOWEST_PRIORITY
from reasoner.pool import Reasoner, ReasonerSettings, SolvedTask
from spatial.contract.responses import TASK_TYPES
from spatial.errors import DesktopInferenceUnavailable, InputRejected, InternalError, SpatialError

MEMORY = 128 * 2**20


@asynccontextmanager
async def trials(**settings: Any) -> AsyncIterator[Reasoner]:
    reasoner = Reasoner(ReasonerSettings(**{"memory": MEMORY, **settings}), program="tests.reasoner.trial_program")
    try:
        yield reasoner
    finally:
        await reasoner.close()


async def solve(reasoner: Reasoner, do: str, **asked: Any) -> SolvedTask:
    return await reasoner.solve("fit", json.dumps({"do": do, **asked}).encode())


def children_of(reasoner: Reasoner) -> list[psutil.Process]:
    return [child for server in servers_of(reasoner) for child in server.children()]


def busy_children_of(reasoner: Reasoner, seconds: float) -> list[psutil.Process]:
    """Children that have used so much processor time; one that ended since they were listed is not among them."""
    busy = []
    for child in children_of(reasoner):
        with suppress(psutil.NoSuchProcess):
            if child.cpu_times().user > seconds:
                busy.append(child)
    return busy


def servers_of(reasoner: Reasoner) -> list[psutil.Process]:
    """The fork server, if there is one now."""
    return [] if reasoner.server is None else [psutil.Process(reasoner.server.pid)]


@pytest.mark.requirement("reasoner.child-per-task")
async def test_every_task_has_a_process_of_its_own_that_ends_with_it() -> None:
    async with trials() as reasoner:
        pids = {(await solve(reasoner, "answer")).output[0]["pid"] for _ in range(3)}
        assert len(pids) == 3
        for pid in pids:
            while psutil.pid_exists(pid):
                await asyncio.sleep(0.01)


@pytest.mark.requirement("reasoner.refusal")
async def test_a_refusal_keeps_its_words_and_a_fault_keeps_its_own() -> None:
    async with trials() as reasoner:
        with pytest.raises(InputRejected, match="too few points; send more"):
            await solve(reasoner, "reject")
        with pytest.raises(InternalError) as caught:
            await solve(reasoner, "fail")
        assert "secret" not in caught.value.message


@pytest.mark.requirement("reasoner.deadline")
async def test_a_solver_that_hangs_is_killed_at_its_deadline() -> None:
    async with trials(seconds=0.5) as reasoner:
        with pytest.raises(DesktopInferenceUnavailable, match="not solved within") as caught:
            await solve(reasoner, "hang")
        assert caught.value.retry_after
        assert (await solve(reasoner, "answer")).solver == "trial-1"


@pytest.mark.requirement("reasoner.abandoned")
async def test_abandoning_a_solve_kills_its_child() -> None:
    async with trials(seconds=60) as reasoner:
        solving = asyncio.create_task(solve(reasoner, "spin"))
        while not (busy := busy_children_of(reasoner, 0.1)):
            await asyncio.sleep(0.01)
        solving.cancel()
        await asyncio.wait({solving})
        while busy[0].is_running():
            await asyncio.sleep(0.01)


@pytest.mark.requirement("reasoner.fair")
async def test_long_solves_make_room_for_those_that_wait() -> None:
    async with trials(seconds=60, workers=1) as reasoner:
        long = [asyncio.create_task(solve(reasoner, "spin")) for _ in range(3)]
        while not busy_children_of(reasoner, 0.1):
            await asyncio.sleep(0.01)
        short = await asyncio.gather(*(solve(reasoner, "answer") for _ in range(5)))
        assert [each.solver for each in short] == ["trial-1"] * 5
        assert not any(each.done() for each in long)
        busy = busy_children_of(reasoner, 0.1)
        assert len(busy) == 3 and {child.nice() for child in busy} == {LOWEST_PRIORITY}
        for each in long:
            each.cancel()
        await asyncio.wait(long)


@pytest.mark.requirement("reasoner.fair")
async def test_a_long_solve_keeps_its_place_while_nobody_waits_or_memory_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "QUANTUM_SECONDS", 0.1)
    own = psutil.Process().nice()
    async with trials(seconds=60, workers=1) as reasoner:
        long = asyncio.create_task(solve(reasoner, "spin"))
        while not (busy := busy_children_of(reasoner, 0.5)):
            await asyncio.sleep(0.01)
        assert busy[0].nice() == own
        monkeypatch.setattr(places, "available_memory", lambda: 0)
        waiting = asyncio.create_task(solve(reasoner, "answer"))
        while busy[0].cpu_times().user < 1.0:
            await asyncio.sleep(0.01)
        assert busy[0].nice() == own and not waiting.done()
        monkeypatch.undo()
        assert (await waiting).solver == "trial-1"
        long.cancel()
        await asyncio.wait({long})


@pytest.mark.requirement("reasoner.memory")
async def test_a_solver_that_grows_is_ended_and_the_caller_told_the_limit() -> None:
    async with trials(seconds=60) as reasoner:
        with pytest.raises(InputRejected, match="128 MiB") as caught:
            await solve(reasoner, "grow")
        assert caught.value.details == {"limit_bytes": MEMORY}


@pytest.mark.requirement("reasoner.crash")
async def test_a_crash_ends_one_task_with_a_retryable_error() -> None:
    async with trials() as reasoner:
        crashed, answered = await asyncio.gather(
            solve(reasoner, "crash"), solve(reasoner, "answer"), return_exceptions=True
        )
        assert isinstance(crashed, DesktopInferenceUnavailable) and isinstance(answered, SolvedTask)


@pytest.mark.requirement("reasoner.loaded-when-needed")
async def test_the_fork_server_starts_with_the_first_task_and_ends_when_none_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reasoner.pool.IDLE_SECONDS", 0.1)
    async with trials() as reasoner:
        assert not servers_of(reasoner)
        await asyncio.gather(*(solve(reasoner, "answer") for _ in range(3)))
        [first] = servers_of(reasoner)
        while first.is_running():
            await asyncio.sleep(0.01)
        assert (await solve(reasoner, "answer")).output
        assert servers_of(reasoner) not in ([], [first])


@pytest.mark.requirement("reasoner.loaded-when-needed")
async def test_a_task_whose_time_is_over_does_not_end_the_loading() -> None:
    async with trials() as reasoner:
        with pytest.raises(DesktopInferenceUnavailable):
            await reasoner.solve("fit", b"{}", 0.001)
        while not servers_of(reasoner):
            await asyncio.sleep(0.01)
        assert (await solve(reasoner, "answer")).output


@pytest.mark.requirement("reasoner.loaded-when-needed")
async def test_solvers_that_cannot_be_loaded_are_said_and_tried_again() -> None:
    reasoner = Reasoner(program="tests.reasoner.no_such_program")
    for _ in range(2):
        with pytest.raises(DesktopInferenceUnavailable, match="cannot be loaded: ModuleNotFoundError"):
            await solve(reasoner, "answer")
    await reasoner.close()


@pytest.mark.requirement("reasoner.isolated")
async def test_a_solver_reaches_no_network() -> None:
    served = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    async with served, trials() as reasoner:
        port = served.sockets[0].getsockname()[1]
        with pytest.raises(SpatialError):
            await solve(reasoner, "dial", port=port)


@pytest.mark.requirement("reasoner.tasks")
async def test_the_real_program_solves_every_task_type_or_says_what_is_missing() -> None:
    reasoner = Reasoner()
    try:
        for task in TASK_TYPES:
            with pytest.raises(InputRejected) as caught:
                await reasoner.solve(task, json.dumps({"task_type": task}).encode())
            assert caught.value.details is not None
    finally:
        await reasoner.close()
