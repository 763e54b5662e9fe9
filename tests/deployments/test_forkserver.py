"""The fork server with real processes: parts that share what it has imported, and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from deployments.forkserver_client import IMPORT_SECONDS, ForkServerService
from deployments.home import StackError
from deployments.supervisor import ProcessService, Supervisor
from tests.deployments.test_supervisor import until

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="parts are forked on Linux only"),
    pytest.mark.requirement("run.parts-are-forked"),
]

PART = "tests.deployments.forked_part"
SECRET = "a secret of one part"


def new_server(folder: Path, import_seconds: float = IMPORT_SECONDS) -> ForkServerService:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment = {**kept, "PYTHONUNBUFFERED": "1", "OPENBLAS_NUM_THREADS": "1"}
    return ForkServerService(environment, folder / "fork-server", import_seconds)


@pytest.fixture(scope="module")
def fork_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServerService]:
    server = new_server(tmp_path_factory.mktemp("fork-server"))
    asyncio.run(server.start())
    yield server
    asyncio.run(server.stop())


def part(folder: Path, name: str, server: ForkServerService, *arguments: str) -> ProcessService:
    command = [sys.executable, "-m", PART, *arguments]
    return ProcessService(name, command, {"SPATIAL_SECRET": SECRET}, folder / name, 30.0, server)


def memory_of(pid: int) -> bytes:
    """What a process can write to: its data."""
    parts = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            place, mode, *_ = line.split()
            begin, end = (int(bound, 16) for bound in place.split("-"))
            if mode.startswith("rw"):
                memory.seek(begin)
                parts.append(memory.read(end - begin))
    return b"".join(parts)


async def said_by(service: ProcessService) -> dict[str, Any]:
    await until(lambda: service.log_file.exists() and service.log_file.read_text().endswith("\n"))
    return dict(json.loads(service.log_file.read_text().splitlines()[0]))


async def test_a_part_is_a_child_of_the_supervisor_with_an_environment_of_its_own(
    tmp_path: Path, fork_server: ForkServerService
) -> None:
    forked = part(tmp_path, "forked", fork_server, "waits")
    await forked.start()
    said = await said_by(forked)
    assert forked.pid is not None
    assert said["argv"] == ["waits"]
    assert said["environment"] == {"SPATIAL_SECRET": SECRET}
    assert (said["parent"], said["session"]) == (os.getpid(), forked.pid)
    assert psutil.Process(forked.pid).cmdline()[:4] == ["python", "-m", PART, "waits"]
    assert {"deployments.serve", "prefect.server.api.server"} <= set(said["modules"])
    await forked.stop()
    assert not psutil.pid_exists(forked.pid or 0)


async def test_the_fork_server_has_one_thread_and_no_secret(tmp_path: Path, fork_server: ForkServerService) -> None:
    forked = part(tmp_path, "forked", fork_server, "waits")
    await forked.start()
    assert fork_server.pid is not None
    assert psutil.Process(fork_server.pid).num_threads() == 1
    assert SECRET.encode() not in memory_of(fork_server.pid)
    await forked.stop()


async def test_the_exit_of_a_part_is_known_by_status_or_signal(tmp_path: Path, fork_server: ForkServerService) -> None:
    with (tmp_path / "log").open("wb") as log:
        ended = fork_server.fork([PART, "ends", "7"], {}, log.fileno())
        killed = fork_server.fork([PART], {}, log.fileno())
    os.kill(killed.pid, signal.SIGKILL)
    assert (ended.wait(), killed.wait()) == (7, -signal.SIGKILL)


async def test_parts_outlive_the_fork_server_which_is_started_again_for_the_next(tmp_path: Path) -> None:
    fork_server = new_server(tmp_path)
    supervisor, forked = Supervisor(lambda _: None), part(tmp_path, "forked", fork_server)
    await supervisor.start(fork_server)
    await supervisor.start(forked)
    first, first_server = forked.pid, fork_server.pid
    assert first is not None and first_server is not None
    os.kill(first_server, signal.SIGKILL)
    await until(lambda: fork_server.pid not in (None, first_server))
    assert forked.pid == first
    os.kill(first, signal.SIGKILL)
    await until(lambda: forked.pid not in (None, first))
    await supervisor.stop()
    assert forked.pid is None


@pytest.mark.requirement("run.busy-machine")
async def test_a_fork_server_that_hangs_is_ended_and_the_error_says_in_what_it_was_and_what_its_log_has(
    tmp_path: Path,
) -> None:
    fork_server = new_server(tmp_path, import_seconds=0.5)
    await fork_server.start()
    await until(lambda: "importing" in fork_server.log_file.read_text())
    assert fork_server.pid is not None
    os.kill(fork_server.pid, signal.SIGSTOP)
    with (tmp_path / "log").open("wb") as log, pytest.raises(StackError) as raised:
        fork_server.fork([PART], {}, log.fileno())
    assert "the fork server did not import what the parts need: its processes have taken" in str(raised.value)
    assert f"; see {fork_server.log_file}, which ends:" in str(raised.value)
    assert str(raised.value).endswith(fork_server.log_file.read_text().splitlines()[-1])
    await until(lambda: not fork_server.alive())
    await fork_server.stop()


@pytest.mark.requirement("run.busy-machine")
async def test_a_fork_server_that_ends_at_an_import_is_told_with_its_log(tmp_path: Path) -> None:
    fork_server = ForkServerService({"PYTHONPATH": str(tmp_path)}, tmp_path / "fork-server")
    (tmp_path / "prefect.py").write_text("raise ImportError('not this one')")
    await fork_server.start()
    with pytest.raises(StackError, match=r"the fork server ended before it could import[\s\S]*not this one"):
        fork_server.wait_for_imports()
    await fork_server.stop()


async def test_a_fork_server_that_cannot_be_asked_is_said_so(tmp_path: Path) -> None:
    fork_server = new_server(tmp_path)
    await fork_server.start()
    await fork_server.stop()
    with (tmp_path / "log").open("wb") as log, pytest.raises(StackError, match="the fork server does not answer"):
        fork_server.fork([PART], {}, log.fileno())
