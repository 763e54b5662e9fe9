"""Parts are killed while a batch is under way: it ends all the same, and nothing that was finished is done or billed twice."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import httpx
import psutil
import pytest

from tests.stack.batch_client import (
    BATCHES,
    Gate,
    ask,
    flow_runs,
    follow,
    gate,
    inline,
    moments,
    run_in_state,
    submit,
    until_ended,
)
from tests.stack.test_flow import run_now, usage_rows
from tests.support.stack import SAMPLE, RunningStack, eventually

WORKER, API, PREFECT, POSTGRES = "deployments.worker", "deployments.serve", "prefect server start", "postgres"


def half_done(stack: RunningStack, files: Gate) -> dict[str, Any]:
    """A batch of four of which two have ended, one of them badly, and two stand before the gate."""
    items = [inline("a.step"), inline("bad.step", b"broken"), files.item("c.step"), files.item("d.step")]
    sent = submit(stack, items)
    files.waits_for(2)
    return {**until_ended(stack, sent["id"], 2), "request_id": sent["request_id"]}


def ended_once(stack: RunningStack, before: dict[str, Any]) -> None:
    """The batch has come to its end, what had ended before untouched, and each success is billed once."""
    after = follow(stack, before["id"])
    assert after["status"] == "done" and after["counts"] == {"queued": 0, "running": 0, "done": 3, "failed": 1}
    assert moments(before).items() <= moments(after).items(), "a finished item was done again"
    assert usage_rows(stack, before["request_id"]) == 3


def reconciled(stack: RunningStack, batch_id: str) -> None:
    """Let the reconciler run until the batch's lease has lapsed and its run was taken up again."""

    def taken_up() -> bool:
        run_now(stack, "reconcile")
        with stack.prefect() as prefect:
            (run,) = flow_runs(prefect, batch_id)
        return run["state_name"] in ("AwaitingRetry", "Pending", "Completed") or run["run_count"] > 1

    eventually(taken_up, what="a second begin of the batch")


def another(stack: RunningStack, marker: str, first: psutil.Process) -> psutil.Process:
    """The process that the supervisor started in the place of the first."""

    def found() -> psutil.Process | None:
        now = [process for process in stack.tree() if marker in " ".join(process.cmdline())]
        return next((process for process in now if process.pid != first.pid), None)

    return eventually(found, what=f"another {marker}")


@pytest.mark.requirement("batch.survives-worker")
def test_a_worker_killed_in_mid_batch(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        os.kill(stack.child(WORKER).pid, signal.SIGKILL)
        files.open.set()
        reconciled(stack, before["id"])
        ended_once(stack, before)
    assert run_in_state(stack, before["id"], "Completed")["run_count"] == 2, "the same flow run was taken up again"


@pytest.mark.requirement("batch.survives-postgres")
def test_postgres_killed_in_mid_batch(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        os.kill(stack.child(POSTGRES).pid, signal.SIGKILL)
        files.open.set()
        ended_once(stack, before)


@pytest.mark.requirement("batch.survives-prefect")
def test_the_prefect_server_killed_in_mid_batch_and_before_a_submission(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        os.kill(stack.child(PREFECT).pid, signal.SIGKILL)
        files.open.set()
        sent = submit(stack, [inline("while-it-is-away.step")])
        ended_once(stack, before)
    assert follow(stack, sent["id"])["status"] == "done"
    run_in_state(stack, before["id"], "Completed")
    assert usage_rows(stack, sent["request_id"]) == 1


@pytest.mark.requirement("batch.survives-api", "reconcile.lost-extract")
def test_the_api_killed_in_mid_batch_and_in_mid_extract(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        lost = threading.Thread(target=_extract, args=(stack, files.item("lost.step")))
        lost.start()
        files.waits_for(3)
        os.kill(stack.child(API).pid, signal.SIGKILL)
        lost.join()
        files.open.set()
        ended_once(stack, before)

    def crashed() -> bool:
        run_now(stack, "reconcile")
        with stack.prefect() as prefect:
            named = {"flow_runs": {"name": {"any_": ["lost.step"]}}}
            (run,) = prefect.post("flow_runs/filter", json=named).json()
        return bool(run["state_type"] == "CRASHED")

    eventually(crashed, what="the lost extraction's end in Prefect")


def _extract(stack: RunningStack, item: dict[str, str]) -> None:
    """One extraction whose caller loses the connection."""
    with stack.client() as client, pytest.raises(httpx.TransportError):
        client.post("/api/v1/cad/extract", json=item)


@pytest.mark.requirement("worker.drain")
def test_a_worker_that_is_told_to_leave_lets_its_batch_end(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        worker = stack.child(WORKER)
        worker.send_signal(signal.SIGTERM)
        late = submit(stack, [inline("late.step")])
        files.open.set()
        ended_once(stack, before)
        assert run_in_state(stack, before["id"], "Completed")["run_count"] == 1
        psutil.wait_procs([worker], timeout=30)
    assert follow(stack, late["id"])["status"] == "done", "the next worker takes what the leaving one left"
    assert another(stack, WORKER, worker).is_running()


@pytest.mark.requirement("worker.hand-back")
def test_a_worker_in_a_hurry_hands_its_batch_to_the_next(stack: RunningStack) -> None:
    with gate(stack) as files:
        before = half_done(stack, files)
        worker = stack.child(WORKER)
        for _ in range(2):
            worker.send_signal(signal.SIGTERM)
            run_in_state(stack, before["id"], "Running", "AwaitingRetry")
        run_in_state(stack, before["id"], "AwaitingRetry", "Pending")
        files.open.set()
        ended_once(stack, before)
    run = run_in_state(stack, before["id"], "Completed")
    assert run["run_count"] == 2
    assert ask(stack, before["id"])["items"][0]["result"]["file_name"] == "a.step" and SAMPLE.exists() and BATCHES
