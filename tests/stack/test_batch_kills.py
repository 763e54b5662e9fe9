"""A worker that leaves in the middle of batches. How batches outlive parts that are killed is in test_kills.py."""

from __future__ import annotations

import signal

import psutil
import pytest

from tests.stack.batch_client import ask, ended_once, follow, gate, half_done, inline, run_in_state, submit
from tests.support.stack import RunningStack, eventually

WORKER = "deployments.worker"


@pytest.mark.requirement("worker.drain", "worker.requeue")
def test_a_worker_that_is_told_to_leave_ends_what_it_can_and_hands_back_the_rest(stack: RunningStack) -> None:
    with gate(stack) as files:
        quick = submit(stack, [files.item("quick.step")])
        files.waits_for(1)
        slow = half_done(stack, files)
        worker = stack.child(WORKER)
        worker.send_signal(signal.SIGTERM)
        late = submit(stack, [inline("late.step")])
        files.open("quick.step")
        assert follow(stack, quick["id"])["status"] == "done"
        assert run_in_state(stack, quick["id"], "Completed")["run_count"] == 1, "it ended where it was begun"
        assert ask(stack, late["id"])["status"] == "queued", "a worker that leaves takes nothing new"
        worker.send_signal(signal.SIGTERM)  # told twice, it waits for nothing
        psutil.wait_procs([worker], timeout=30)
        assert run_in_state(stack, slow["id"], "AwaitingRetry", "Pending", "Running")
        files.open()
        ended_once(stack, slow)
    assert run_in_state(stack, slow["id"], "Completed")["run_count"] == 2, "the next worker took the same run"
    assert follow(stack, late["id"])["status"] == "done"
    eventually(lambda: stack.child(WORKER).pid != worker.pid, what="the next worker")
