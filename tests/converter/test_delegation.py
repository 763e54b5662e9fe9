"""Work that the child of a file hands over to a further child."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
import pytest_asyncio

from benchmarks import generate
from converter.documents import unpacked
from converter.fork_server import create_fork_server
from converter.pool import Pool, PoolSettings
from converter.service import parser, settings_of
from converter.wire import DocumentPlan, InputFile
from sandbox.children import Child
from spatial.contract.limits import CONVERT_MEMORY_BYTES
from spatial.errors import ParseError
from tests.converter.conftest import (
    LARGE,
    MEMORY,
    STRUCTURED,
    TABLE,
    TRIAL,
    WITH_POINTS,
    Trials,
    children_of,
    script,
    until,
)

pytestmark = [pytest.mark.asyncio(loop_scope="package"), pytest.mark.requirement("converter.delegation")]

HANDLE = "handle-of-the-only-file"
MIB = 1024**2
PLATE = InputFile(file_name="plate.step", format="step")
FACES = 210


async def read(trials: Trials, *action: Any, **phases: Sequence[Any]) -> list[str]:
    return await trials.read(HANDLE, TRIAL, read=action, large=LARGE, **phases)


async def test_a_further_child_does_the_work(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(processors=2)
    (further,) = await read(trials, "delegate", ["pid"], interpret=["pid"])
    assert [further] != await trials.interpret(HANDLE)


async def test_the_result_may_be_collected_in_a_later_call(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(processors=2)
    await read(trials, "delegate for later", ["say", "found"], interpret=["later"])
    assert await trials.interpret(HANDLE) == ["found"]


async def test_nothing_is_handed_over_where_no_processor_is_free(make_trials: Callable[..., Trials]) -> None:
    assert await read(make_trials(processors=1), "delegate", ["pid"]) == ["no task is allowed"]


async def test_nothing_is_handed_over_for_a_small_file(make_trials: Callable[..., Trials]) -> None:
    assert await make_trials(processors=2).read(read=["delegate", ["pid"]]) == ["no task is allowed"]


@pytest.mark.parametrize(
    "action",
    [
        ["segfault"],
        ["exit", 3],
        ["kill self", "SIGKILL"],
        ["raise", "typed"],
        ["raise", "nested"],
        ["garbage"],
        ["lie"],
    ],
    ids=str,
)
async def test_a_further_child_that_fails_costs_nothing(make_trials: Callable[..., Trials], action: list[Any]) -> None:
    assert await read(make_trials(processors=2), "delegate", action) == ["nothing was found"]


async def test_the_children_of_a_file_share_its_ceiling_of_memory(make_trials: Callable[..., Trials]) -> None:
    held = MEMORY // MIB * 6 // 10 * MIB
    trials = make_trials(processors=2)
    assert await read(trials, "delegate and hold", held, ["balloon"]) == ["nothing was found"]


async def test_more_tasks_than_are_allowed_end_the_file(make_trials: Callable[..., Trials]) -> None:
    with pytest.raises(ParseError, match="reading the file failed"):
        await read(make_trials(processors=2), "delegate too often", ["hang"])


@pytest.mark.parametrize("then", [["segfault"], ["raise", "typed"], ["say", "done"]], ids=str)
async def test_a_further_child_ends_with_the_file(then: list[str]) -> None:
    settings = PoolSettings(memory=MEMORY, workers=2, processors=2, fork_ahead=False)
    pool = Pool(settings, table=TABLE)
    await pool.start()
    try:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(script(read=["delegate, then", ["hang"], then], large=LARGE))
            try:
                await pool.extract(TRIAL, file, STRUCTURED)
            except ParseError:
                assert then != ["say", "done"]
        await until(lambda: not children_of(pool.server.pid))
    finally:
        await pool.close()


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def pools() -> AsyncIterator[dict[int, Pool]]:
    """Pools over one fork server, by the number of their processors."""
    server = create_fork_server(memory_bytes=CONVERT_MEMORY_BYTES)
    found = {count: Pool(PoolSettings(workers=1, processors=count, fork_ahead=False), server) for count in (1, 2, 3)}
    await found[1].start()
    yield found
    await server.close()


@pytest.fixture(scope="module")
def plate() -> bytes:
    return generate.MAKERS["step"](FACES)


@pytest.mark.parametrize(
    ("plan", "tasks"),
    [(STRUCTURED, ["faults", "masses"]), (WITH_POINTS, ["triangles", "faults"])],
    ids=["structured", "both"],
)
async def test_the_document_is_the_same_whoever_does_the_work(
    pools: dict[int, Pool], plate: bytes, plan: DocumentPlan, tasks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[str] = []
    call = Child.call

    async def count(self: Child, header: dict[str, Any], *arguments: Any) -> Any:
        handed.extend([header["task"]] if header["phase"] == "work" else [])
        return await call(self, header, *arguments)

    monkeypatch.setattr(Child, "call", count)
    bodies, found = [], []
    for pool in pools.values():
        handed.clear()
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(plate)
            bodies.append(unpacked(await pool.extract(PLATE, file, plan), PLATE, plan).body)
        found.append(set(handed))
    assert found == [set(), {tasks[0]}, set(tasks)]
    assert bodies[1] == bodies[0] and bodies[2] == bodies[0]


async def test_a_service_with_fewer_workers_than_processors_leaves_the_others_alone() -> None:
    processors = len(os.sched_getaffinity(0))
    counts = [settings_of(parser().parse_args(["--workers", str(workers)])).processors for workers in (1, 64)]
    assert counts == [1, processors]


async def test_a_service_has_one_worker_more_than_processors() -> None:
    given, usual = (settings_of(parser().parse_args(flags)) for flags in (["--processors", "3"], []))
    assert (given.workers, given.processors) == (4, 3)
    assert usual.workers == usual.processors + 1 == len(os.sched_getaffinity(0)) + 1
