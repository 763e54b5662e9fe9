"""Calls, kept files and the queue, in a pool over a real fork server."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from converter.pool import HandleGone
from converter.wire import InputFile, PointFacts
from spatial.contract import limits
from spatial.errors import ConversionTimeout, ConverterUnavailable, ParseError, UnsupportedFileType
from spatial.models.sampling_plan import SamplingPlan
from tests.converter.conftest import Trials, is_alive, until

pytestmark = pytest.mark.asyncio(loop_scope="package")

ONE, TWO, THREE = "handle-of-file-one", "handle-of-file-two", "handle-of-file-three"
MIB = 1024**2


@pytest.mark.requirement("converter.round-trip")
async def test_one_child_reads_interprets_and_samples(trials: Trials) -> None:
    (reader,) = await trials.read(ONE, read=["pid"], interpret=["pid"])
    (interpreter,) = await trials.interpret(ONE)
    points = PointFacts.model_validate_json(await trials.pool.sample(ONE, SamplingPlan(points_per_object=3, seed=7)))
    assert reader == interpreter
    assert points == PointFacts(objects=1, points=3)


@pytest.mark.requirement("converter.round-trip")
async def test_every_file_has_a_child_of_its_own(trials: Trials) -> None:
    assert await trials.read(read=["pid"]) != await trials.read(read=["pid"])


@pytest.mark.requirement("converter.round-trip")
async def test_a_result_of_many_megabytes_arrives_whole(trials: Trials) -> None:
    (text,) = await trials.read(read=["huge", 10 * MIB])
    assert len(text) == 10 * MIB


@pytest.mark.requirement("converter.round-trip")
async def test_the_two_calls_that_follow_may_come_at_once(trials: Trials) -> None:
    await trials.read(ONE, interpret=["say", "interpreted"])
    (meaning, _) = await asyncio.gather(trials.interpret(ONE), trials.sample(ONE))
    assert meaning == ["interpreted"]


@pytest.mark.requirement("converter.round-trip")
async def test_a_format_without_reader_is_refused(trials: Trials) -> None:
    with pytest.raises(UnsupportedFileType, match="no reader"):
        await trials.read(source=InputFile(file_name="a.dxf", format="dxf"))


@pytest.mark.requirement("converter.handle-gone")
async def test_an_unknown_handle_is_gone(trials: Trials) -> None:
    with pytest.raises(HandleGone):
        await trials.interpret(ONE)


@pytest.mark.requirement("converter.handle-gone")
async def test_a_released_file_is_gone_with_its_child(trials: Trials) -> None:
    (pid,) = await trials.read(ONE, read=["pid"])
    trials.pool.release(ONE)
    with pytest.raises(HandleGone):
        await trials.interpret(ONE)
    await until(lambda: not is_alive(int(pid)))


@pytest.mark.requirement("converter.handle-gone")
async def test_a_kept_child_that_dies_is_gone(trials: Trials) -> None:
    (pid,) = await trials.read(ONE, read=["pid"], interpret=["segfault"])
    with pytest.raises(ParseError):
        await trials.interpret(ONE)
    with pytest.raises(HandleGone):
        await trials.interpret(ONE)
    assert not is_alive(int(pid))


@pytest.mark.requirement("converter.handle-gone")
async def test_a_file_read_again_under_its_handle_replaces_the_former(trials: Trials) -> None:
    (former,) = await trials.read(ONE, read=["pid"])
    (current,) = await trials.read(ONE, read=["pid"], interpret=["pid"])
    assert await trials.interpret(ONE) == [current]
    await until(lambda: not is_alive(int(former)))
    assert trials.pool.health().kept == 1


@pytest.mark.requirement("converter.kept-bounds")
async def test_beyond_the_number_kept_the_oldest_goes_first(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(keep=2)
    for handle in (ONE, TWO):
        await trials.read(handle)
    await trials.interpret(ONE)
    await trials.read(THREE)
    assert trials.pool.health().kept == 2
    with pytest.raises(HandleGone):
        await trials.interpret(TWO)
    await trials.interpret(ONE)


@pytest.mark.requirement("converter.kept-bounds")
async def test_beyond_the_memory_kept_the_oldest_goes_first(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(keep_memory=64 * MIB)
    for handle in (ONE, TWO):
        await trials.read(handle, read=["hold", 40 * MIB])
    with pytest.raises(HandleGone):
        await trials.interpret(ONE)
    await trials.interpret(TWO)


@pytest.mark.requirement("converter.kept-bounds")
async def test_the_last_file_is_kept_however_large_it_is(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(keep_memory=1, keep=1)
    await trials.read(ONE, read=["hold", 40 * MIB], interpret=["say", "here"])
    assert await trials.interpret(ONE) == ["here"]


@pytest.mark.requirement("converter.kept-bounds")
async def test_a_kept_file_expires(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(keep_seconds=0.05)
    (pid,) = await trials.read(ONE, read=["pid"])
    await until(lambda: trials.pool.health().kept == 0 and not is_alive(int(pid)))
    with pytest.raises(HandleGone):
        await trials.interpret(ONE)


@pytest.mark.requirement("converter.kept-bounds")
async def test_a_file_released_in_mid_call_goes_when_the_call_is_over(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials()
    (pid,) = await trials.read(ONE, read=["pid for signal"], interpret=["await signal"])
    call = asyncio.create_task(trials.interpret(ONE))
    await until(lambda: trials.pool.health().running == 1)
    trials.pool.release(ONE)
    assert is_alive(int(pid))
    os.kill(int(pid), signal.SIGUSR1)
    assert await call == ["SIGUSR1"]
    await until(lambda: not is_alive(int(pid)))


@pytest.mark.requirement("converter.queue")
async def test_beyond_the_queue_a_call_is_refused_at_once(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=1, queue=1)
    running, waiting = (asyncio.create_task(trials.read(read=["hang"])) for _ in range(2))
    await until(lambda: (trials.pool.health().running, trials.pool.health().waiting) == (1, 1))
    with pytest.raises(ConverterUnavailable) as refusal:
        await trials.read()
    assert refusal.value.retry_after == 5
    for call in (running, waiting):
        call.cancel()
    await asyncio.wait({running, waiting})
    assert await trials.read(read=["say", "free again"]) == ["free again"]


@pytest.mark.requirement("converter.small")
async def test_a_small_file_is_answered_while_a_larger_one_has_the_only_worker(
    make_trials: Callable[..., Trials],
) -> None:
    trials = make_trials(workers=1, small_bytes=200)
    large = asyncio.create_task(trials.read(read=["hang"], interpret=["say", "x" * 200]))
    await until(lambda: trials.pool.health().running == 1)
    assert await trials.read(read=["say", "at once"]) == ["at once"]
    assert not large.done()
    large.cancel()
    await asyncio.wait({large})
    assert trials.pool.health().running == 0


@pytest.mark.requirement("converter.queue")
async def test_all_that_wait_get_their_turn(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=2, queue=30)
    answers = await asyncio.gather(*(trials.read(read=["say", str(number)]) for number in range(32)))
    assert answers == [[str(number)] for number in range(32)]
    await until(lambda: trials.pool.health().running == trials.pool.health().waiting == 0)


@pytest.mark.requirement("converter.waiting-is-free")
async def test_waiting_does_not_count_toward_the_deadline(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=1, deadline=1.5)
    first, second = (asyncio.create_task(trials.read(read=["hang"])) for _ in range(2))
    third = asyncio.create_task(trials.read(read=["say", "in time"]))
    assert await third == ["in time"]
    assert all(
        isinstance(error, ConversionTimeout) for error in await asyncio.gather(first, second, return_exceptions=True)
    )


@pytest.mark.requirement("converter.waiting-is-free")
async def test_a_kept_file_takes_no_place(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=1, queue=0)
    for handle in (ONE, TWO, THREE):
        await trials.read(handle, interpret=["say", handle])
    assert trials.pool.health().kept == 3
    assert await trials.interpret(TWO) == [TWO]


@pytest.mark.requirement("converter.client-gone")
async def test_a_cancelled_call_ends_its_child_and_frees_its_place(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=1, queue=0)
    (pid,) = await trials.read(ONE, read=["pid"], interpret=["hang deaf"])
    call = asyncio.create_task(trials.interpret(ONE))
    await until(lambda: trials.pool.health().running == 1)
    call.cancel()
    await asyncio.wait({call})
    await until(lambda: not is_alive(int(pid)))
    assert await trials.read(read=["say", "free"]) == ["free"]


@pytest.mark.requirement("converter.lying-child")
async def test_a_result_over_the_limit_is_a_parse_error(trials: Trials, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READING_BYTES", MIB)
    with pytest.raises(ParseError) as failure:
        await trials.read(read=["huge", 2 * MIB])
    assert failure.value.details == {"phase": "read", "result_limit_bytes": MIB}


@pytest.mark.requirement("converter.health")
async def test_health_counts_what_runs_waits_and_is_kept(make_trials: Callable[..., Trials]) -> None:
    trials = make_trials(workers=1, queue=5, deadline=20.0)
    await trials.read(ONE)
    calls = [asyncio.create_task(trials.read(read=["hang"])) for _ in range(3)]
    await until(lambda: trials.pool.health().running == 1)
    health = trials.pool.health()
    assert (health.status, health.running, health.waiting, health.kept) == ("ready", 1, 2, 1)
    assert (health.workers, health.queue, health.deadline_seconds) == (1, 5, 20.0)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
