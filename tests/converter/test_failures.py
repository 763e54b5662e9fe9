"""What a file may do to its parser, and what its caller learns of it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psutil
import pytest

from converter.documents import unpacked
from converter.fork_server import create_fork_server
from converter.pool import HandleGone, Pool, PoolSettings
from converter.wire import InputFile, ReadFacts
from spatial.errors import (
    ConversionTimeout,
    ConverterUnavailable,
    ParseError,
    SpatialError,
    UnsupportedFileType,
)
from tests.converter.conftest import MEMORY, STRUCTURED, TABLE, TRIAL, Trials, children_of, is_alive, script, until

pytestmark = pytest.mark.asyncio(loop_scope="package")

HANDLE = "handle-of-the-file"

STOPPED_SECONDS = 3.0
"""More than a start takes of a processor that loads the trial reader alone."""

IN_TIME = (ConversionTimeout, ConverterUnavailable)
"""How a child that computes ends at its deadline: the second where other processes have the processors."""


async def failure(trials: Trials, phase: str, action: list[Any]) -> SpatialError:
    """The error that this action in this phase becomes."""

    async def call() -> None:
        await trials.read(HANDLE, TRIAL, **{phase: action})
        await (trials.interpret(HANDLE) if phase == "interpret" else trials.sample(HANDLE))

    with pytest.raises(SpatialError) as caught:
        await call()
    return caught.value


@pytest.mark.parametrize("phase", ["read", "interpret", "sample"])
@pytest.mark.requirement("converter.crash")
async def test_a_crash_names_phase_and_signal(trials: Trials, phase: str) -> None:
    error = await failure(trials, phase, ["segfault"])
    assert isinstance(error, ParseError)
    assert error.details == {"phase": phase, "signal": "SIGSEGV"}
    assert "part.trial" in error.message


@pytest.mark.parametrize("name", ["SIGBUS", "SIGFPE", "SIGILL"])
@pytest.mark.requirement("converter.crash")
async def test_any_signal_is_named(trials: Trials, name: str) -> None:
    error = await failure(trials, "read", ["kill self", name])
    assert error.details == {"phase": "read", "signal": name}


@pytest.mark.requirement("converter.crash")
async def test_abort_is_named(trials: Trials) -> None:
    assert (await failure(trials, "read", ["abort"])).details == {"phase": "read", "signal": "SIGABRT"}


@pytest.mark.requirement("converter.crash")
async def test_a_parser_that_exits_is_a_parse_error(trials: Trials) -> None:
    error = await failure(trials, "read", ["exit", 3])
    assert isinstance(error, ParseError)
    assert error.details == {"phase": "read", "exit_code": 3}


@pytest.mark.requirement("converter.crash")
async def test_the_log_says_where_a_parser_crashed(trials: Trials, caplog: pytest.LogCaptureFixture) -> None:
    await failure(trials, "read", ["segfault"])
    assert "part.trial: the parser died of SIGSEGV while reading" in caplog.text
    assert "_segfault" in caplog.text


@asynccontextmanager
async def own_pool(**settings: Any) -> AsyncIterator[Pool]:
    """A pool with a fork server of its own, whose children are those of its calls."""
    pool = Pool(PoolSettings(**{"memory": MEMORY, "workers": 2, "fork_ahead": False, **settings}), table=TABLE)
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


async def kill_child(pool: Pool, *, other_than: int = 0) -> int:
    """Kill the child of the one call that runs, as the kernel does where memory is short; its process id."""
    await until(lambda: children_of(pool.server.pid) not in ([], [other_than]))
    (pid,) = children_of(pool.server.pid)
    os.kill(pid, signal.SIGKILL)
    return pid


@pytest.mark.requirement("converter.killed")
@pytest.mark.parametrize("call", ["read", "extract"])
async def test_a_file_whose_child_was_killed_is_read_once_more(call: str) -> None:
    async with own_pool() as pool:
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(script(read=["hang"]))

            async def warnings() -> list[str]:
                if call == "read":
                    return ReadFacts.model_validate_json(await pool.read(HANDLE, TRIAL, file)).warnings
                return unpacked(await pool.extract(TRIAL, file, STRUCTURED), TRIAL, STRUCTURED).warnings

            answering = asyncio.create_task(warnings())
            await until(lambda: len(children_of(pool.server.pid)) == 1)
            file.seek(0)
            file.write(script(read=["say", "again"]))
            file.truncate()
            await kill_child(pool)
            assert await answering == ["again"]


@pytest.mark.requirement("converter.killed")
async def test_a_child_that_is_killed_again_is_unavailable_and_no_fault_of_the_file() -> None:
    async with own_pool() as pool:
        answering = asyncio.create_task(Trials(pool).read(read=["hang"]))
        first = await kill_child(pool)
        await kill_child(pool, other_than=first)
        with pytest.raises(ConverterUnavailable, match="killed") as caught:
            await answering
        assert caught.value.retry_after is not None and "damaged" not in caught.value.message


@pytest.mark.requirement("converter.retry-holds")
async def test_a_fork_server_that_was_killed_says_how_long_the_next_one_takes() -> None:
    async with own_pool() as pool:
        restarting = pool.server.restarting
        assert restarting.seconds_left == 0
        restarting.note_start(60.0)
        os.kill(pool.server.pid, signal.SIGKILL)
        await until(lambda: not pool.server.ready)
        assert restarting.seconds_left > 60
        await until(lambda: pool.server.ready)
        assert restarting.seconds_left == 0
        os.kill(pool.server.pid, signal.SIGKILL)
        await until(lambda: not pool.server.ready)
        assert restarting.seconds_left < 60, "its own start was measured"


@pytest.mark.requirement("converter.retry-holds")
async def test_a_start_that_waits_for_a_processor_does_not_have_the_next_one_expected_as_late() -> None:
    async with own_pool() as pool:
        before = pool.server.pid
        os.kill(before, signal.SIGKILL)
        await until(lambda: pool.server.pid != before)
        os.kill(pool.server.pid, signal.SIGSTOP)
        ends = time.monotonic() + STOPPED_SECONDS
        await until(lambda: time.monotonic() > ends)
        assert not pool.server.ready
        os.kill(pool.server.pid, signal.SIGCONT)
        await until(lambda: pool.server.ready)
        assert 0 < pool.server.restarting.took < STOPPED_SECONDS


@pytest.mark.requirement("converter.killed")
async def test_a_kept_file_whose_child_is_killed_in_a_call_is_gone_so_that_its_client_reads_it_again() -> None:
    async with own_pool() as pool:
        await Trials(pool).read(HANDLE, interpret=["hang"])
        answering = asyncio.create_task(pool.interpret(HANDLE))
        await until(lambda: pool.health().running == 1)
        await kill_child(pool)
        with pytest.raises(HandleGone):
            await answering


@pytest.mark.requirement("converter.killed", "converter.deadline")
async def test_the_second_read_has_what_is_left_of_the_deadline(caplog: pytest.LogCaptureFixture) -> None:
    async with own_pool(deadline=3.0) as pool:
        answering = asyncio.create_task(Trials(pool).read(read=["hang"]))
        await kill_child(pool)
        with pytest.raises(ConversionTimeout):
            await answering
    (left,) = re.findall(r"once more within ([\d.]+) s", caplog.text)
    assert 0.0 < float(left) < 3.0


@pytest.mark.requirement("converter.optional-parts")
async def test_a_file_that_crashes_its_parser_is_read_without_its_optional_parts(trials: Trials) -> None:
    named = InputFile(file_name="part.named", format="named")
    assert await trials.read(source=named, read=["segfault"], read_without=["say", "without names"]) == [
        "without names"
    ]


@pytest.mark.requirement("converter.optional-parts")
async def test_a_file_that_crashes_without_them_too_is_a_parse_error(trials: Trials) -> None:
    named = InputFile(file_name="part.named", format="named")
    with pytest.raises(ParseError) as caught:
        await trials.read(source=named, read=["segfault"], read_without=["abort"])
    assert caught.value.details == {"phase": "read", "signal": "SIGABRT"}


@pytest.mark.parametrize("action", [["balloon"], ["allocate", 1 << 40], ["raise", "nested"], ["crash out of memory"]])
@pytest.mark.requirement("converter.memory")
async def test_too_much_memory_names_phase_and_limit(trials: Trials, action: list[Any]) -> None:
    error = await failure(trials, "read", action)
    assert isinstance(error, ParseError)
    assert error.details is not None
    assert (error.details["phase"], error.details["limit_bytes"]) == ("read", MEMORY)
    assert "256 MiB" in error.message


@pytest.mark.requirement("converter.memory")
async def test_the_ceiling_holds_for_later_calls_as_well(trials: Trials) -> None:
    error = await failure(trials, "sample", ["balloon"])
    assert error.details == {"phase": "sample", "limit_bytes": MEMORY}


@pytest.mark.requirement("converter.memory")
async def test_the_ceiling_does_not_count_the_libraries(trials: Trials) -> None:
    assert await trials.read(read=["hold", MEMORY * 3 // 4]) == []


@pytest.mark.requirement("converter.memory", "converter.others-unaffected")
async def test_a_machine_out_of_memory_ends_a_child_first(trials: Trials) -> None:
    assert await trials.read(read=["out of memory score"]) == ["1000"]


@pytest.mark.parametrize("size", [1, 4_000_000])
@pytest.mark.requirement("converter.memory")
async def test_files_of_a_child_count_as_its_memory(trials: Trials, size: int) -> None:
    error = await failure(trials, "read", ["fill", size])
    assert error.details == {"phase": "read", "limit_bytes": MEMORY}


@pytest.mark.parametrize("phase", ["read", "interpret", "sample"])
@pytest.mark.requirement("converter.deadline")
async def test_the_deadline_names_phase_and_seconds(make_trials: Callable[..., Trials], phase: str) -> None:
    error = await failure(make_trials(deadline=1.0), phase, ["hang"])
    assert isinstance(error, ConversionTimeout)
    assert error.details == {"phase": phase, "seconds": 1.0}


@pytest.mark.requirement("converter.deadline")
async def test_all_phases_of_a_file_share_one_deadline(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(deadline=3.0)

    async def read_and_interpret() -> None:
        await trials.read(HANDLE, read=["spend", 2.6], interpret=["spend", 2.6])
        await trials.interpret(HANDLE)

    with pytest.raises(ConversionTimeout):
        await read_and_interpret()


@pytest.mark.requirement("converter.deadline")
async def test_a_document_in_one_call_has_one_deadline_too(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(deadline=3.0)
    with tempfile.TemporaryFile(buffering=0) as file:
        file.write(script(read=["spend", 2.6], interpret=["spend", 2.6]))
        with pytest.raises(ConversionTimeout):
            await trials.pool.extract(TRIAL, file, STRUCTURED)


@pytest.mark.requirement("converter.deadline")
async def test_a_child_deaf_to_signals_ends_at_its_deadline(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(deadline=1.0)
    (pid,) = await trials.read(HANDLE, read=["pid"], interpret=["hang deaf"])
    with pytest.raises(IN_TIME):
        await trials.interpret(HANDLE)
    await until(lambda: not is_alive(int(pid)))


@pytest.mark.requirement("converter.reader-errors")
async def test_a_readers_own_error_passes_unchanged(trials: Trials) -> None:
    error = await failure(trials, "read", ["raise", "typed"])
    assert isinstance(error, ParseError)
    assert (error.message, error.details) == ("line 3 is no line", {"line": 3})


@pytest.mark.requirement("converter.reader-errors")
async def test_a_readers_refusal_keeps_its_class(trials: Trials) -> None:
    assert isinstance(await failure(trials, "read", ["raise", "refusal"]), UnsupportedFileType)


@pytest.mark.parametrize("phase", ["read", "interpret"])
@pytest.mark.requirement("converter.no-room")
async def test_a_disk_without_room_for_temporary_files_is_no_fault_of_the_file(trials: Trials, phase: str) -> None:
    error = await failure(trials, phase, ["raise", "no room"])
    assert isinstance(error, ConverterUnavailable)
    assert "no room for temporary files" in error.message
    assert error.retry_after


@pytest.mark.parametrize("kind", ["unexpected", "exit"])
@pytest.mark.requirement("converter.reader-errors")
async def test_an_unexpected_error_shows_no_internals(
    trials: Trials, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    error = await failure(trials, "interpret", ["raise", kind])
    assert isinstance(error, ParseError)
    assert error.details == {"phase": "interpret"}
    assert "secret" not in error.message
    assert "Traceback" in caplog.text and "_raise" in caplog.text


@pytest.mark.requirement("converter.reader-errors")
async def test_endless_recursion_is_a_parse_error(trials: Trials) -> None:
    assert (await failure(trials, "read", ["recurse"])).details == {"phase": "read"}


@pytest.mark.requirement("converter.reader-errors")
async def test_a_reader_that_talks_does_no_harm(trials: Trials) -> None:
    assert await trials.read(read=["say much"]) == ["said"]


@pytest.mark.parametrize("action", ["garbage", "close channel"])
@pytest.mark.requirement("converter.lying-child")
async def test_nonsense_and_silence_are_parse_errors(trials: Trials, action: str) -> None:
    error = await failure(trials, "read", [action])
    assert isinstance(error, ParseError)
    assert error.details == {"phase": "read"}


@pytest.mark.requirement("converter.lying-child")
async def test_a_length_that_cannot_be_is_not_believed(trials: Trials) -> None:
    error = await failure(trials, "read", ["lie"])
    assert isinstance(error, ParseError)
    assert error.details is not None and "result_limit_bytes" in error.details


@pytest.mark.requirement("converter.others-unaffected")
async def test_eight_files_at_once_of_which_some_end_badly(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=8)
    scripts: list[list[Any]] = [["say", "well"], ["segfault"], ["say", "well"], ["exit", 1], ["say", "well"]]
    scripts += [["allocate", 1 << 40], ["say", "well"], ["garbage"]]
    outcomes = await asyncio.gather(*(trials.read(read=script) for script in scripts), return_exceptions=True)
    assert [outcome for outcome in outcomes if not isinstance(outcome, ParseError)] == [["well"]] * 4


@pytest.mark.requirement("converter.others-unaffected")
async def test_a_file_kept_does_not_notice_a_crash(trials: Trials) -> None:
    await trials.read(HANDLE, interpret=["say", "still here"])
    with pytest.raises(ParseError):
        await trials.read(read=["segfault"])
    assert await trials.interpret(HANDLE) == ["still here"]


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_killed_fork_server_is_started_again_and_reads_what_its_children_had(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pool = Pool(PoolSettings(memory=MEMORY, workers=2), table=TABLE)
    await pool.start()
    try:
        trials = Trials(pool)
        (kept,) = await trials.read(HANDLE, read=["pid"])
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(script(read=["hang"]))
            call = asyncio.create_task(pool.extract(TRIAL, file, STRUCTURED))
            await until(lambda: pool.health().running == 1)
            file.seek(0)
            file.write(script(read=["say", "in the next one"]))
            file.truncate()
            os.kill(pool.server.pid, signal.SIGKILL)
            assert unpacked(await call, TRIAL, STRUCTURED).warnings == ["in the next one"]
        assert await trials.read(read=["say", "again"]) == ["again"]
        with pytest.raises(HandleGone):
            await trials.interpret(HANDLE)
        assert (pool.health().restarts, pool.health().status) == (1, "ready")
        await until(lambda: not is_alive(int(kept)))
        assert "the fork server ended (SIGKILL)" in caplog.text
    finally:
        await pool.close()


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_fork_server_that_is_killed_again_in_a_call_is_no_fault_of_the_file() -> None:
    async with own_pool() as pool:
        call = asyncio.create_task(Trials(pool).read(read=["hang"]))
        while not call.done():  # a kill before the call has its child again is one more
            await until(lambda: call.done() or (pool.server.ready and children_of(pool.server.pid) != []))
            if not call.done():
                os.kill(pool.server.pid, signal.SIGKILL)
                await until(lambda: call.done() or not pool.server.ready)
        with pytest.raises(ConverterUnavailable) as caught:
            await call
        assert caught.value.retry_after is not None and "damaged" not in caught.value.message


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_child_has_a_name_of_its_own_so_that_nobody_takes_the_fork_server_for_a_busy_child() -> None:
    async with own_pool() as pool:
        child = await pool.server.child()
        await until(lambda: psutil.Process(child.pid).name() == "converter.child")
        assert psutil.Process(pool.server.pid).name() != "converter.child"


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_fork_server_that_dies_again_and_again_comes_back_each_time() -> None:
    server = create_fork_server(memory_bytes=MEMORY, table=TABLE)
    await server.start()
    try:
        for _ in range(3):
            dead = server.pid
            os.kill(dead, signal.SIGKILL)
            await until(lambda dead=dead: server.pid != dead and server.ready)  # type: ignore[misc]
        child = await server.child()
        assert is_alive(child.pid)
        assert server.restarts == 3
    finally:
        await server.close()
    assert not is_alive(child.pid)
