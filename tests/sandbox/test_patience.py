"""How long processes that start are waited for, on a machine whose processors others have."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from sandbox.patience import CLOCK_FACTOR, Patience

pytestmark = pytest.mark.requirement("run.busy-machine")

counted = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="the kernel does not count waits for a processor"
)

COMPUTES = "while True: pass"
FORKS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {COMPUTES!r}])"
OTHERS = 9
"""Processes that take the one processor of the one that is waited for: nine parts of ten of what it asks for."""
LOOKS = 3000
"""At a process that forks all the time; one in some hundred meets a child that is just gone."""


@contextmanager
def running(program: str) -> Iterator[int]:
    """The id of a process; in a session of its own, as the kernel may share processors by sessions."""
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as process:
        try:
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def starved(program: str) -> Iterator[int]:
    """A process that shares one processor with OTHERS that compute all the time."""
    before = os.sched_getaffinity(0)
    with ExitStack() as others:
        os.sched_setaffinity(0, {min(before)})
        try:
            for _ in range(OTHERS):
                others.enter_context(running(COMPUTES))
            process = others.enter_context(running(program))
        finally:
            os.sched_setaffinity(0, before)
        yield process


def wait_until_over(patience: Patience) -> None:
    """Raises: AssertionError where it does not end."""
    deadline = time.monotonic() + 60
    while not patience.is_over():
        assert time.monotonic() < deadline, patience.describe()
        time.sleep(0.02)


@counted
@pytest.mark.parametrize("program", [COMPUTES, FORKS], ids=["itself", "its child"])
def test_a_process_that_gets_no_processor_is_waited_for_beyond_the_limit(program: str) -> None:
    with starved(program) as process:
        patience = Patience(2.0, lambda: [process])
        while patience.seconds < 4.0:
            time.sleep(0.1)
        assert not patience.is_over()
        assert patience.schedule().waited > patience.schedule().used


def test_a_process_that_hangs_is_given_up() -> None:
    with running(COMPUTES) as process:
        os.kill(process, signal.SIGSTOP)
        patience = Patience(0.2, lambda: [process])
        wait_until_over(patience)
        assert patience.seconds < CLOCK_FACTOR * 60
        assert patience.describe().startswith("have taken ")


@counted
def test_what_a_process_had_before_the_wait_and_what_one_had_that_has_ended_are_told_apart() -> None:
    with running(COMPUTES) as process:
        first = Patience(60.0, lambda: [process])
        while first.schedule().used < 0.2:
            time.sleep(0.02)
        second = Patience(60.0, lambda: [process])
        assert second.schedule().used < first.schedule().used
        had = first.schedule()
    assert first.schedule() >= had


@counted
def test_nothing_is_waited_for_without_end() -> None:
    with starved(COMPUTES) as process:
        wait_until_over(Patience(0.05, lambda: [process]))


def test_processes_that_end_while_they_are_looked_at_are_no_failure() -> None:
    """A server that starts forks and ends processes all the time: each is there in one moment of a look and gone in the next."""
    forks = "import os\nwhile True:\n    if (child := os.fork()) == 0:\n        os._exit(0)\n    os.waitpid(child, 0)"
    with running(forks) as process:
        patience = Patience(60.0, lambda: [process])
        for _ in range(LOOKS):
            patience.schedule()
        assert not patience.is_over()
