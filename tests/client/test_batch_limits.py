"""The course of a batch handle, step by step: a clock that moves when the handle waits, and answers from memory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

import spatial_geometry
from spatial_geometry._batch_run import IN_FLIGHT, MINUTE, PER_MINUTE, BatchRun, Progress
from spatial_geometry._effects import Answer, Call, Clock, Deliver, Effect, Pause, Request, Send, Steps
from spatial_geometry._requests import options_of
from spatial_geometry._retries import RetryPolicy
from spatial_geometry._submissions import BatchOutcome
from tests.client.loopback import DOCUMENT

BATCH = "/api/v1/cad/extract/batch"


class Memory:
    """Answers the requests of a handle: a batch has ended when it was asked for a second time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.batches: dict[str, list[str]] = {}
        self.polls: dict[str, int] = {}
        self.submitted: list[float] = []
        self.most_in_flight = 0
        self.keys: list[str] = []
        self.refused: set[str] = set()
        self.ceiling_until = 0.0
        self.read: list[str] = []
        self.expired = False
        self.cancelled: list[str] = []

    def policy(self) -> RetryPolicy:
        return RetryPolicy(120, Clock(lambda: self.now), jitter=lambda: 1.0)

    def run(self, steps: Steps[Any]) -> list[Any]:
        """What the steps deliver."""
        delivered: list[Any] = []
        try:
            effect = next(steps)
            while True:
                effect = steps.send(self.perform(effect, delivered))
        except StopIteration:
            return delivered

    def perform(self, effect: Effect, delivered: list[Any]) -> Any:
        if isinstance(effect, Deliver):
            delivered.append(effect.value)
        elif isinstance(effect, Pause):
            self.now += effect.seconds
        elif isinstance(effect, Call):
            return effect.function()
        elif isinstance(effect, Send):
            self.now += 0.125
            return self.answer(effect.request)
        return None

    def answer(self, request: Request) -> Answer:
        if request.method == "POST":
            return self.submit(request)
        if request.path.startswith("/api/v1/cad/extractions/"):
            self.read.append(request.path)
            return reply(200, DOCUMENT)
        name = request.path.rpartition("/")[2]
        if request.method == "DELETE":
            self.cancelled.append(name)
        self.polls[name] += 1
        return reply(200, self.state(name, with_results=request.query.get("results") != "false"))

    def submit(self, request: Request) -> Answer:
        assert isinstance(request.content, bytes)
        self.keys.append(request.headers["Idempotency-Key"])
        names = [item["file_name"] for item in json.loads(request.content)["items"]]
        bad = [index for index, name in enumerate(names) if name in self.refused]
        if bad:
            fault = {
                "message": "it is refused; convert it",
                "type": "unsupported_file_type",
                "details": {"index": bad[0]},
            }
            return reply(415, {"error": fault, "request_id": "req_0"})
        if self.now < self.ceiling_until:
            fault = {"message": "too many; wait", "type": "rate_limit_exceeded"}
            return reply(429, {"error": fault, "request_id": "req_0"}, {"retry-after": "7"})
        made = f"cb_{len(self.batches)}"
        self.batches[made], self.polls[made] = names, 0
        self.submitted.append(self.now)
        self.most_in_flight = max(self.most_in_flight, sum(polls < 2 for polls in self.polls.values()))
        return reply(202, {**self.state(made), "request_id": f"req_{made}"})

    def state(self, name: str, *, with_results: bool = False) -> dict[str, Any]:
        has_ended = self.polls[name] >= 2
        status = "done" if has_ended else "running"
        items = [
            {"index": index, "file_name": file, "status": status}
            | ({"result": {**DOCUMENT, "request_id": f"req_{name}"}} if with_results and has_ended else {})
            for index, file in enumerate(self.batches[name])
        ]
        return {
            "id": name,
            "status": "expired" if self.expired else status,
            "status_url": f"{BATCH}/{name}",
            "counts": {"queued": 0, "running": 0, "done": 0, "failed": 0, status: len(items)},
            "expires_at": "2026-11-24T12:00:00Z",
            "items": items,
        }


def reply(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    return Answer(status, headers or {}, json.dumps(body).encode())


def files(count: int) -> list[tuple[str, bytes]]:
    return [(f"{number}.step", b"ISO-10303-21;") for number in range(count)]


def begun(memory: Memory, listed: Iterable[Any] | str, **named: Any) -> BatchRun:
    run = BatchRun(memory.policy(), **named)
    memory.run(run.begin(listed, options_of("structured", edges=False), None))
    return run


@pytest.mark.requirement("client.batch-limits")
def test_many_files_are_several_batches_within_the_limits_of_the_service() -> None:
    memory = Memory()
    seen: list[Progress] = []
    run = begun(memory, files(32 * 23 + 1), on_progress=seen.append)
    assert len(run.accepted) == IN_FLIGHT
    found: list[BatchOutcome] = memory.run(run.outcomes(None))
    assert sorted(outcome.index for outcome in found) == list(range(32 * 23 + 1))
    assert all(outcome.file_name == f"{outcome.index}.step" for outcome in found)
    assert memory.most_in_flight == IN_FLIGHT and len(memory.batches) == 24
    for first, last in zip(memory.submitted, memory.submitted[PER_MINUTE:], strict=False):
        assert last - first >= MINUTE
    assert len(set(memory.read)) == len(memory.read) == len(found), "each document is read once"
    assert seen[-1] == run.progress() == Progress(737, pending=0, queued=0, running=0, done=737, failed=0)
    assert {one.total for one in seen} == {737}


@pytest.mark.requirement("client.batch-limits", "client.idempotency-key")
def test_a_refused_file_fails_alone_and_the_rest_goes_with_the_same_key() -> None:
    memory = Memory()
    memory.refused = {"1.step", "3.step"}
    run = begun(memory, files(5))
    found = memory.run(run.outcomes(None))
    assert [outcome.index for outcome in found if outcome.error] == [1, 3]
    assert sorted(outcome.index for outcome in found if outcome.document) == [0, 2, 4]
    assert len(memory.keys) == 3 and len(set(memory.keys)) == 1
    everything = Memory()
    everything.refused = {"0.step"}
    run = begun(everything, files(1))
    assert run.accepted == [] and isinstance(memory_only(everything, run).error, spatial_geometry.UnsupportedFileType)


def memory_only(memory: Memory, run: BatchRun) -> BatchOutcome:
    (outcome,) = memory.run(run.outcomes(None))
    assert isinstance(outcome, BatchOutcome)
    return outcome


@pytest.mark.requirement("client.batch-limits")
def test_a_ceiling_that_others_have_reached_delays_submissions_and_no_results() -> None:
    memory = Memory()
    memory.ceiling_until = 20.0
    run = begun(memory, files(2))
    assert memory.submitted == [pytest.approx(21.5, abs=1)] and len(set(memory.keys)) == 1
    assert len(memory.run(run.outcomes(None))) == 2
    memory.ceiling_until = 1e9
    with pytest.raises(spatial_geometry.RateLimitExceeded):
        begun(memory, files(1))


@pytest.mark.requirement("client.batches")
def test_a_loop_that_was_left_is_continued_without_reading_anything_twice() -> None:
    memory = Memory()
    run = begun(memory, files(4))
    steps = run.outcomes(None)
    effect = next(steps)
    while not isinstance(effect, Deliver):
        effect = steps.send(memory.perform(effect, []))
    steps.close()
    assert isinstance(effect.value, BatchOutcome)
    rest = memory.run(run.outcomes(None))
    assert [effect.value.index, *(outcome.index for outcome in rest)] == [0, 1, 2, 3]
    assert len(memory.read) == len(set(memory.read)) == 4
    assert memory.run(run.outcomes(None)) == []


@pytest.mark.requirement("client.batches")
def test_of_a_resumed_batch_the_documents_that_are_done_are_read_together_once() -> None:
    memory = Memory()
    begun(memory, files(3))
    memory.polls["cb_0"] = 2
    run = begun(memory, "cb_0")
    assert [outcome.result().request_id for outcome in memory.run(run.outcomes(None))] == ["req_cb_0"] * 3
    assert memory.read == []
    memory.expired = True
    run = begun(memory, ["cb_0"])
    with pytest.raises(spatial_geometry.ResultExpired, match="cb_0"):
        memory.run(run.outcomes(None))[0].result()


@pytest.mark.requirement("client.batches")
def test_what_cannot_be_submitted_or_repeated_is_said() -> None:
    memory = Memory()
    with pytest.raises(ValueError, match="at least one"):
        begun(memory, [])
    with pytest.raises(FileNotFoundError):
        begun(memory, ["/no/such/file.step"])
    assert memory.batches == {}
    run = begun(memory, files(1))
    memory.run(run.outcomes(None))
    with pytest.raises(ValueError, match="has failed"):
        memory.run(run.rerun(None))


@pytest.mark.requirement("client.batches")
def test_files_that_have_no_place_yet_are_cancelled_too() -> None:
    memory = Memory()
    run = begun(memory, files(32 * 7))
    memory.run(run.cancel())
    assert memory.cancelled == [f"cb_{number}" for number in range(IN_FLIGHT)]
    cancelled = [outcome for outcome in memory.run(run.outcomes(None)) if outcome.error is not None]
    assert [outcome.index for outcome in cancelled] == list(range(32 * IN_FLIGHT, 32 * 7))
    assert {type(outcome.error) for outcome in cancelled} == {spatial_geometry.Cancelled}
    assert len(memory.batches) == IN_FLIGHT and run.progress().total == 32 * 7
