"""Parts die in the middle of requests: callers get only the spec's errors, and service resumes by itself."""

from __future__ import annotations

import concurrent.futures
import os
import signal
import threading
from collections.abc import Callable

import httpx
import pytest

from tests.stack.batch_client import ended_once, gate, half_done, run_in_state, taken_up
from tests.stack.test_flow import run_now
from tests.support.stack import SAMPLE, RunningStack, eventually

PARTS = {
    "converter": "converter.service",
    "Postgres": "postgres",
    "Prefect server": "prefect_runtime.server",
    "worker": "deployments.worker",
}

ALLOWED = {
    (200, None),
    (422, "parse_error"),
    (503, "converter_unavailable"),
    (503, "billing_unavailable"),
    (503, "usage_finalization_unavailable"),
}
"""What a caller may see while a part is down or was killed under the request."""


def ask(stack: RunningStack) -> tuple[int, str | None]:
    """One extraction; every body has the shape, and its request id is the header's."""
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
    body = answer.json()
    assert body["request_id"] == answer.headers["X-Request-ID"]
    if answer.status_code == 200:
        return 200, None
    if answer.status_code == 503:
        assert int(answer.headers["Retry-After"]) > 0
    return answer.status_code, body["error"]["type"]


def healthy(stack: RunningStack) -> bool:
    with httpx.Client(trust_env=False, timeout=10) as client:
        checks = client.get(f"{stack.url}/api/health").json()["checks"]
    away = {"reasoning_runtime", "rowe_availability"}
    return {check["status"] for name, check in checks.items() if name not in away} == {"healthy"}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.requirement(
    "resilience.only-spec-errors",
    "resilience.resumes-by-itself",
    "batch.survives-worker",
    "batch.survives-postgres",
    "batch.survives-prefect",
)
def test_killing_a_part_under_load_yields_only_the_specs_errors_and_service_resumes(
    stack: RunningStack, part: str
) -> None:
    with gate(stack) as files:
        batch = half_done(stack, files)
        kill_under_load(stack, part, then=files.open)
        if part == "worker":
            taken_up(stack, batch["id"])
        ended_once(stack, batch)
    run = run_in_state(stack, batch["id"], "Completed")
    assert run["run_count"] == (2 if part == "worker" else 1)
    eventually(lambda: not still_running(stack, run["id"]), what="the end of every task run, in Prefect")


def still_running(stack: RunningStack, flow_run_id: str) -> list[str]:
    """Names of the task runs that Prefect shows under way."""
    chosen = {"flow_runs": {"id": {"any_": [flow_run_id]}}, "task_runs": {"state": {"type": {"any_": ["RUNNING"]}}}}
    with stack.prefect() as prefect:
        return [task["name"] for task in prefect.post("task_runs/filter", json=chosen).json()]


def kill_under_load(stack: RunningStack, part: str, *, then: Callable[[], None]) -> None:
    """Kill the part under four callers, and wait until the service is whole again."""
    killed, seen = threading.Event(), []

    def load() -> list[tuple[int, str | None]]:
        answers = [ask(stack)]
        killed.wait()
        return [*answers, *(ask(stack) for _ in range(3))]

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        callers = [pool.submit(load) for _ in range(4)]
        try:
            os.kill(stack.child(PARTS[part]).pid, signal.SIGKILL)
        finally:
            killed.set()
            then()
        for caller in callers:
            seen += caller.result()
    assert set(seen) <= ALLOWED, f"{part}: {sorted(set(seen) - ALLOWED, key=str)}"
    eventually(lambda: ask(stack) == (200, None), what=f"an extraction after {part} was killed")
    eventually(lambda: healthy(stack), what=f"health after {part} was killed")


@pytest.mark.requirement("idempotency.survives-crash", "batch.survives-api", "reconcile.lost-extract")
def test_a_key_whose_api_process_died_becomes_usable_again(stack: RunningStack) -> None:
    with gate(stack) as files:
        batch = half_done(stack, files)
        key_survives_its_process(stack, then=files.open)
        ended_once(stack, batch)

    def closed() -> bool:
        run_now(stack, "reconcile")
        return _states(stack, "dies.step")[0] in ("CRASHED", "FAILED")  # failed, once the key was taken over

    eventually(closed, what="the end, in Prefect, of the run that died with its process")


def key_survives_its_process(stack: RunningStack, *, then: Callable[[], None]) -> None:
    """Kill the API under a request with an Idempotency-Key, and use the key again."""
    with stack.client() as client:
        headers = {"Authorization": f"Bearer {stack.key}", "Idempotency-Key": "dies-in-the-middle"}
        converter = stack.child("converter.service")
        converter.suspend()
        try:
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                lost = pool.submit(
                    client.post,
                    "/api/v1/cad/extract",
                    files={"file": ("dies.step", SAMPLE.read_bytes())},
                    headers=headers,
                )
                eventually(lambda: _in_progress(stack, headers), what="the first request under way")
                eventually(lambda: _states(stack, "dies.step"), what="its flow run")
                stack.child("deployments.serve").kill()
                then()
                assert isinstance(lost.exception(timeout=30), httpx.TransportError)
        finally:
            converter.resume()

    def again() -> bool:
        with stack.client() as retry:
            answer = retry.post(
                "/api/v1/cad/extract", files={"file": ("dies.step", SAMPLE.read_bytes())}, headers=headers
            )
        assert answer.status_code in (200, 409, 503), answer.text
        return answer.status_code == 200

    eventually(again, what="the key's second life")


def _states(stack: RunningStack, name: str) -> list[str]:
    """States of the flow runs of that name, the oldest first."""
    named = {"flow_runs": {"name": {"any_": [name]}}, "sort": "EXPECTED_START_TIME_ASC"}
    with stack.prefect() as prefect:
        return [run["state_type"] for run in prefect.post("flow_runs/filter", json=named).json()]


def _in_progress(stack: RunningStack, headers: dict[str, str]) -> bool:
    """Whether another request under the key is told that the first one is running."""
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": ("dies.step", SAMPLE.read_bytes())}, headers=headers)
    return answer.status_code == 409 and answer.json()["error"]["type"] == "idempotency_in_progress"
