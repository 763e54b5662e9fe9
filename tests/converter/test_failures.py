"""What a file may do to its parser, and what its caller learns of it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from converter.forkserver_client import ForkServerClient
from converter.pool import HandleGone, Pool, PoolSettings
from spatial.errors import (
    ConversionTimeout,
    ConverterUnavailable,
    ParseError,
    SpatialError,
    UnsupportedFileType,
)
from tests.converter.conftest import MEMORY, TABLE, TRIAL, Trials, is_alive, until

pytestmark = pytest.mark.asyncio(loop_scope="package")

HANDLE = "handle-of-the-file"


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


@pytest.mark.parametrize("name", ["SIGKILL", "SIGBUS", "SIGFPE", "SIGILL"])
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
async def test_a_child_deaf_to_signals_ends_at_its_deadline(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(deadline=1.0)
    (pid,) = await trials.read(HANDLE, read=["pid"], interpret=["hang deaf"])
    with pytest.raises(ConversionTimeout):
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
async def test_a_killed_fork_server_is_started_again(caplog: pytest.LogCaptureFixture) -> None:
    pool = Pool(PoolSettings(memory=MEMORY, workers=2), table=TABLE)
    await pool.start()
    try:
        trials = Trials(pool)
        (kept,) = await trials.read(HANDLE, read=["pid"])
        call = asyncio.create_task(trials.read(read=["hang"]))
        await until(lambda: pool.health().running == 1)
        os.kill(pool.server.pid, signal.SIGKILL)
        with pytest.raises(ConverterUnavailable):
            await call
        assert await trials.read(read=["say", "again"]) == ["again"]
        with pytest.raises(HandleGone):
            await trials.interpret(HANDLE)
        assert (pool.health().restarts, pool.health().status) == (1, "ready")
        await until(lambda: not is_alive(int(kept)))
        assert "the fork server ended (SIGKILL)" in caplog.text
    finally:
        await pool.close()


@pytest.mark.requirement("converter.fork-server-death")
async def test_a_fork_server_that_dies_again_and_again_comes_back_each_time() -> None:
    server = ForkServerClient(memory_bytes=MEMORY, table=TABLE)
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
