"""The processes of a running stack by name, and how one of them is killed."""

from __future__ import annotations

import os
import signal
import time
from typing import Final

import psutil

from benchmarks.stack import Stack
from deployments.postgres_files import server_of

PARTS: Final = (
    ("API", "deployments.serve"),
    ("converter", "converter.service"),
    ("Postgres", "postgres"),
    ("Prefect server", "prefect_runtime.server"),
    ("worker", "deployments.worker"),
    ("desktop worker", "deployments.desktop_worker"),
)
"""The processes that are killed, and what their command lines contain."""

PAUSE_SECONDS: Final = 0.2
"""How often a part that has not started again yet is looked for."""


def find(stack: Stack, marker: str) -> psutil.Process | None:
    """The oldest process of a stack whose command line contains the marker."""
    found = [process for process in _processes(stack) if _is(process, marker)]
    return min(found, key=lambda process: process.create_time(), default=None)


def kill(stack: Stack, name: str, marker: str, *, within: float) -> int:
    """SIGKILL a part, as soon as it is there; its process id. Raises: TimeoutError where it is not there in time (s)."""
    deadline = time.monotonic() + within
    while (process := find(stack, marker)) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no process of {name} is there to be killed")
        time.sleep(PAUSE_SECONDS)
    os.kill(process.pid, signal.SIGKILL)
    return process.pid


def _processes(stack: Stack) -> list[psutil.Process]:
    """The supervisor's descendants, and the Postgres of its home: a supervisor that was killed leaves it to the next one."""
    server = server_of(stack.home / "postgres" / "data")
    return [*psutil.Process(stack.pid).children(recursive=True), *([server.process] if server is not None else [])]


def _is(process: psutil.Process, marker: str) -> bool:
    try:
        return marker in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False
