"""Keeps a handful of processes running: starts them, watches them, starts again what died, stops what it started.

Each service is a process in a session of its own, so that Ctrl-C reaches the supervisor alone, and is told by the kernel
to end if the supervisor dies without a word.
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
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

STOP_SECONDS = 25.0
"""How long a service may take to end after SIGTERM before it is killed."""

FIRST_PAUSE, LONGEST_PAUSE, STEADY_SECONDS = 0.25, 10.0, 30.0
"""Pauses between restarts double from the first to the longest; a service that ran steadily starts from the first again."""

_PR_SET_PDEATHSIG = 1


class Service(Protocol):
    """Something that runs beside us."""

    name: str

    async def start(self) -> None:
        """Start it; returns when the process exists."""
        ...

    def alive(self) -> bool:
        """Whether it still runs."""
        ...

    async def stop(self) -> None:
        """End it, kindly first."""
        ...


@dataclass
class ProcessService:
    """A service that is one of our own commands."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log_file: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    async def start(self) -> None:
        self.log_file.parent.mkdir(parents=True, exist_ok=True)
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
            )

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    async def stop(self) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self.alive() else None


class Supervisor:
    """Services in the order they were started."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._services: list[Service] = []
        self._watchers: list[asyncio.Task[None]] = []

    async def start(self, service: Service, ready: Awaitable[object] | None = None) -> None:
        """Start one service, wait until it is ready, and keep it running from now on.

        Raises: whatever `ready` raises; RuntimeError where the service dies before it is ready.
        """
        await service.start()
        self._services.append(service)
        if ready is not None:
            await self._until_ready(service, ready)
        self._watchers.append(asyncio.create_task(self._watch(service)))

    async def stop(self) -> None:
        """Stop everything, the last one started first."""
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        for service in reversed(self._services):
            await service.stop()

    async def _until_ready(self, service: Service, ready: Awaitable[object]) -> None:
        waiting = asyncio.ensure_future(ready)
        try:
            while not waiting.done():
                if not service.alive():
                    raise RuntimeError(f"{service.name} ended while starting")
                await asyncio.wait({waiting}, timeout=0.1)
            waiting.result()
        finally:
            waiting.cancel()

    async def _watch(self, service: Service) -> None:
        pause, started = FIRST_PAUSE, time.monotonic()
        while True:
            await asyncio.sleep(0.2)
            if service.alive():
                continue
            if time.monotonic() - started > STEADY_SECONDS:
                pause = FIRST_PAUSE
            self._say(f"{service.name} ended; starting it again")
            await asyncio.sleep(pause)
            pause, started = min(pause * 2, LONGEST_PAUSE), time.monotonic()
            try:
                await service.start()
            except (OSError, RuntimeError) as error:
                self._say(f"{service.name} does not start: {error}")


def _end_with_parent() -> None:
    """Have the kernel send SIGTERM to this process when its parent dies (prctl(2), Linux)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
