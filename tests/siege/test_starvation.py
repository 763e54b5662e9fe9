"""The bounds of sieges are longer on a machine whose processors others have, and what hangs is found there too."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from benchmarks.starvation import MOST, Starvation
from siege import recovery, settled
from siege.hostile import is_starved
from tests.support.stack import eventually

pytestmark = [
    pytest.mark.requirement("siege.starved"),
    pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the kernel does not count waits"),
]

OTHERS = 4
"""Processes that take the one processor of the measured one."""


@contextmanager
def process(program: str) -> Iterator[int]:
    """A program of Python on one processor, in a session of its own, as the kernel may share processors by sessions."""
    first = str(min(os.sched_getaffinity(0)))
    pinned = f"import os; os.sched_setaffinity(0, {{{first}}})\n{program}"
    with subprocess.Popen([sys.executable, "-c", pinned], start_new_session=True) as started:
        try:
            yield started.pid
        finally:
            started.kill()


def test_what_computes_beside_others_has_its_bound_lengthened_and_what_hangs_has_not() -> None:
    with ExitStack() as stack:
        for _ in range(OTHERS):
            stack.enter_context(process("while True: pass"))
        computes = stack.enter_context(process("while True: pass"))
        hangs = stack.enter_context(process("import time; time.sleep(600)"))
        eventually(lambda: _is_asleep(hangs), what="the end of its start")
        busy, asleep = Starvation(lambda: (computes,)), Starvation(lambda: (hangs,))
        eventually(lambda: busy.factor() > 2.0, what="a process that waits more than it computes")
        assert busy.factor() <= MOST
        assert asleep.factor() == 1.0


def _is_asleep(pid: int) -> bool:
    """In `time.sleep`, whose system call its file of /proc names (proc_pid_wchan)."""
    return "nanosleep" in Path(f"/proc/{pid}/wchan").read_text()


def test_a_condition_that_never_holds_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settled, "PATIENCE_SECONDS", 0.5)
    with pytest.raises(TimeoutError, match="the end did not come about within"):
        recovery.until(lambda: False, "the end")


def refusal(status: int, **details: object) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": "", "type": "converter_unavailable", "details": details}})


def test_a_file_that_had_no_processor_is_no_fault_and_one_that_hung_or_was_lost_is() -> None:
    told = {"deadline_seconds": 60.0, "clock_seconds": 120.0}
    assert is_starved(refusal(503, **told, processor_seconds=18.0, waited_seconds=102.0))
    assert not is_starved(refusal(503, **told, processor_seconds=119.0, waited_seconds=1.0))
    assert not is_starved(refusal(503))
    assert not is_starved(refusal(500, **told, processor_seconds=18.0, waited_seconds=102.0))
