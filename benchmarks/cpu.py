"""CPU time by part of a running stack: on a machine that everything shares it says more than the clock does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psutil

PARTS: Final = {
    "converter.service": "converter",
    "deployments.worker": "worker",
    "deployments.serve": "API",
    "prefect_runtime.server": "Prefect",
    "postgres": "Postgres",
}
"""What is in a part's command line, and what the part is called here."""


def spent(supervisor: int) -> dict[str, float]:
    """CPU seconds that each part of a stack has taken until now, with the processes that it has started and seen end."""
    seconds = dict.fromkeys(PARTS.values(), 0.0)
    for part, process in _parts(supervisor):
        seconds[part] += of(process)
    return seconds


def of(process: psutil.Process) -> float:
    """CPU seconds of a process and of all below it; those that ended count where their parent has waited for them."""
    return sum(_own(one) for one in [process, *process.children(recursive=True)])


def _own(process: psutil.Process) -> float:
    try:
        return float(sum(process.cpu_times()[:4]))
    except psutil.NoSuchProcess:  # it ended since it was listed, and its parent has its times
        return 0.0


def _parts(supervisor: int) -> Iterator[tuple[str, psutil.Process]]:
    for process in psutil.Process(supervisor).children():
        command = " ".join(process.cmdline())
        for mark, part in PARTS.items():
            if mark in command:
                yield part, process
                break


@contextmanager
def only_postgres(supervisor: int, cores: set[int]) -> Iterator[None]:
    """For the length of a block a stack's Postgres stays on these cores, new connections too, and all else of it stands still."""
    (postgres,) = [process for part, process in _parts(supervisor) if part == "Postgres"]
    before = os.sched_getaffinity(postgres.pid)
    above = psutil.Process(supervisor)
    others = [above, *(one for one in above.children() if one != postgres)]
    _keep(postgres, cores)
    for one in others:
        one.suspend()
    try:
        yield
    finally:
        for one in others:
            one.resume()
        _keep(postgres, before)


def _keep(process: psutil.Process, cores: set[int]) -> None:
    for one in [process, *process.children(recursive=True)]:
        with suppress(ProcessLookupError):
            os.sched_setaffinity(one.pid, cores)
