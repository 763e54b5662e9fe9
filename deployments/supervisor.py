"""Supervise a few processes: start them, restart each one that ends, and stop them at the end.

Each service is a process in a separate session, so that Ctrl-C reaches only the supervisor. If the supervisor is killed, the
kernel sends SIGTERM to each service.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol

from deployments.forkserver_client import ForkedProcess, ForkServerService
from deployments.postgres_files import open_private
from deployments.progress import last_line

STOP_SECONDS = 25.0
"""How long a service may take to end after SIGTERM before it is killed."""

LOOK_SECONDS = 0.5
"""Interval of looks at whether a service runs."""

PATIENCE_SECONDS = 3.0
"""How long a service may take to stop before the user is told which one it is."""

FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.25, 10.0, 30.0
"""Pauses between restarts (s) double from the first to the longest; a service that ran for STEADY_SECONDS starts with the first again."""

FAILURE_LIMIT = 3
"""Consecutive ends after which a service counts as unable to start."""

_PR_SET_PDEATHSIG = 1


class Service(Protocol):
    """A process that the supervisor runs."""

    name: str

    async def start(self) -> None:
        """Start the process; returns when it exists."""
        ...

    def alive(self) -> bool:
        """Whether the process runs."""
        ...

    async def stop(self) -> None:
        """Stop the process: SIGTERM first, then SIGKILL."""
        ...


@dataclass
class ProcessService:
    """A service that is started by a command."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log_file: Path
    stop_seconds: float
    """How long it may take to end after SIGTERM before it is killed (storage/shutdown.py)."""
    fork_server: ForkServerService | None = None
    """What forks a command `python -m MODULE …`; None to start a new interpreter."""
    _process: subprocess.Popen[bytes] | ForkedProcess | None = field(default=None, repr=False)

    async def start(self) -> None:
        self.log_file.parent.mkdir(parents=True, exist_ok=True)
        with open_private(self.log_file) as log:
            self._process = self._execute(log) if self.fork_server is None else await self._fork(self.fork_server, log)

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    async def stop(self) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        deadline = time.monotonic() + self.stop_seconds
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def last_log_line(self) -> str:
        """The last line of its log, which usually states why it ended."""
        return last_line(self.log_file) or "its log is empty"

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self.alive() else None

    def _execute(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509  # one libc call
        )

    async def _fork(self, fork_server: ForkServerService, log: IO[bytes]) -> ForkedProcess:
        _, _, *part = self.command
        return await asyncio.to_thread(fork_server.fork, part, self.environment, log.fileno())


class Supervisor:
    """Runs services; their order is that of their start."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._services: list[Service] = []
        self._watchers: list[asyncio.Task[None]] = []
        self._failures: dict[str, int] = {}

    async def start(self, service: Service) -> None:
        """Start one service, and restart it whenever it ends. Raises: the error of its first start."""
        await service.start()
        self._services.append(service)
        self._failures[service.name] = 0
        self._watchers.append(asyncio.create_task(self._watch(service)))

    def failing(self) -> list[Service]:
        """Services that have ended FAILURE_LIMIT times in a row."""
        return [service for service in self._services if self._failures[service.name] >= FAILURE_LIMIT]

    async def stop(self) -> None:
        """Stop all services in reverse order of their start."""
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        for service in reversed(self._services):
            await self._stop(service)

    async def _stop(self, service: Service) -> None:
        """Stop a service, and say that it takes its time if it does."""
        line = f"{service.name} is still ending its work"
        notice = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._say, line)
        try:
            await service.stop()
        finally:
            notice.cancel()

    async def _watch(self, service: Service) -> None:
        pause, started = FIRST_PAUSE, time.monotonic()
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if service.alive():
                continue
            if time.monotonic() - started > STEADY_SECONDS:
                pause, self._failures[service.name] = FIRST_PAUSE, 0
            self._failures[service.name] += 1
            self._say(f"{service.name} ended; restarting it")
            await asyncio.sleep(pause)
            pause, started = min(pause * 2, LONGEST_PAUSE), time.monotonic()
            try:
                await service.start()
            except Exception as error:  # noqa: BLE001  # the watcher must survive any error, and retries
                self._say(f"{service.name} did not start and will be tried again: {error}")


def _end_with_parent() -> None:
    """Make the kernel send SIGTERM to this process when its parent ends (prctl(2), Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
