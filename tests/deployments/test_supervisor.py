"""The supervisor with real processes: what died starts again, what it started it stops."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from deployments.supervisor import ProcessService, Supervisor

SLEEPER = (
    "import signal, time; signal.signal(signal.SIGTERM, lambda *_: exit(0)); print('up', flush=True); time.sleep(600)"
)
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def service(folder: Path, name: str, program: str, stop_seconds: float = 30.0) -> ProcessService:
    log = folder / "logs" / f"{name}.log"
    return ProcessService(name, [sys.executable, "-c", program], dict(os.environ), log, stop_seconds)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.02)


@pytest.mark.requirement("run.starts-again-what-died")
async def test_a_killed_service_is_started_again_and_said_so(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor, sleeper = Supervisor(said.append), service(tmp_path, "sleeper", SLEEPER)
    await supervisor.start(sleeper)
    first = sleeper.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await until(lambda: sleeper.pid not in (None, first))
    assert any("sleeper" in line for line in said)
    await supervisor.stop()
    assert not sleeper.alive()


@pytest.mark.requirement("run.private-addresses")
async def test_a_log_is_its_owners_only_also_where_it_was_open_before(tmp_path: Path) -> None:
    old, new = service(tmp_path, "old", SLEEPER), service(tmp_path, "new", SLEEPER)
    old.log_file.parent.mkdir()
    old.log_file.touch(mode=0o644)
    for each in (old, new):
        await each.start()
        await each.stop()
        assert stat.S_IMODE(each.log_file.stat().st_mode) == 0o600


@pytest.mark.requirement("run.ctrl-c")
async def test_stopping_ends_every_service_also_one_that_ignores_sigterm(tmp_path: Path) -> None:
    supervisor = Supervisor(lambda _: None)
    services = [service(tmp_path, "kind", SLEEPER), service(tmp_path, "stubborn", STUBBORN, stop_seconds=0.5)]
    for each in services:
        await supervisor.start(each)
        await until(lambda log=each.log_file: "up" in log.read_text())  # type: ignore[misc]  # bound per turn
    pids = [each.pid for each in services]
    await supervisor.stop()
    assert not any(pid is not None and psutil.pid_exists(pid) for pid in pids)


@pytest.mark.requirement("run.starts-again-what-died")
async def test_a_service_that_keeps_ending_is_called_hopeless_with_its_last_words(tmp_path: Path) -> None:
    supervisor, broken = Supervisor(lambda _: None), service(tmp_path, "broken", "raise SystemExit('no library')")
    await supervisor.start(broken)
    await until(lambda: bool(supervisor.failing()))
    assert broken.last_log_line() == "no library"
    await supervisor.stop()


@pytest.mark.requirement("logs.all-loggers", "run.starts-again-what-died")
async def test_last_words_that_are_json_are_said_in_plain_words(tmp_path: Path) -> None:
    logs = "import sys; sys.path.insert(0, '.'); from spatial import logs; logs.configure()"
    supervisor, broken = Supervisor(lambda _: None), service(tmp_path, "broken", f"{logs}; raise OSError('no library')")
    await supervisor.start(broken)
    await until(lambda: bool(supervisor.failing()))
    assert broken.last_log_line() == "unhandled exception: OSError: no library"
    await supervisor.stop()


class Reluctant:
    """A service that dies once, and whose next two starts fail in a way nobody foresaw."""

    name = "reluctant"

    def __init__(self) -> None:
        self.starts = 0

    async def start(self) -> None:
        self.starts += 1
        if self.starts in (2, 3):
            raise LookupError("the disk is full")

    def alive(self) -> bool:
        return self.starts > 3

    async def stop(self) -> None:
        """Nothing to end."""


@pytest.mark.requirement("run.starts-again-what-died")
async def test_a_restart_that_fails_is_said_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deployments.supervisor.LONGEST_PAUSE", 0.05)
    said: list[str] = []
    supervisor, reluctant = Supervisor(said.append), Reluctant()
    await supervisor.start(reluctant)
    await until(reluctant.alive)
    assert sum("the disk is full" in line for line in said) == 2
    await supervisor.stop()


@pytest.mark.requirement("run.ctrl-c")
async def test_a_service_that_takes_its_time_to_stop_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deployments.supervisor.PATIENCE_SECONDS", 0.02)
    said: list[str] = []
    supervisor, reluctant = Supervisor(said.append), Reluctant()
    monkeypatch.setattr(reluctant, "stop", lambda: until(lambda: bool(said)))
    await supervisor.start(reluctant)
    await supervisor.stop()
    assert said == ["reluctant is still ending its work"]
