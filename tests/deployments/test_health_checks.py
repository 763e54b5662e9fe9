"""The health checks of containers that listen nowhere: a worker's pulse, and what Prefect's background services say in Redis."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from docket import Docket, Worker
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deployments import heartbeat, prefect_services
from deployments.heartbeat import SILENCE_SECONDS, Pulse
from prefect_runtime import background_services
from prefect_runtime.names import DOCKET
from tests.support.fleet import redis_program
from tests.support.stack import ROOT, free_port

pytestmark = pytest.mark.requirement("fleet.health")


def checked(home: Path) -> tuple[int, str]:
    """What the check of a worker's container ends with, and says."""
    command = [sys.executable, "-m", "deployments.heartbeat", str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout.strip()


def test_a_worker_is_well_while_it_polls(tmp_path: Path) -> None:
    assert checked(tmp_path) == (1, "no worker has polled yet")
    pulse = Pulse(tmp_path)
    pulse.beat()
    assert checked(tmp_path) == (0, "")
    file = heartbeat.path_of(tmp_path)
    long_ago = file.stat().st_mtime - 2 * SILENCE_SECONDS
    os.utime(file, (long_ago, long_ago))
    status, said = checked(tmp_path)
    assert status == 1 and said.startswith("the last answered poll was ")
    pulse.beat()
    assert checked(tmp_path) == (0, "")


def test_a_home_that_cannot_be_written_is_told_once_and_leaves_the_worker_to_its_work(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "run").touch()  # a file where a folder should be: root may write anywhere else
    pulse = Pulse(tmp_path)
    pulse.beat()
    pulse.beat()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


@pytest.fixture
async def redis(tmp_path: Path) -> AsyncIterator[str]:
    """A Redis of the test's own."""
    program = redis_program()
    if program is None:
        pytest.skip("there is no Redis here")
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(tmp_path), "--save", ""]
    with (tmp_path / "redis.log").open("wb") as said:
        process = await asyncio.create_subprocess_exec(*command, stdout=said, stderr=said)
    url = f"redis://127.0.0.1:{port}/1"
    try:
        await listening(url)
        yield url
    finally:
        process.terminate()
        await process.wait()


async def listening(url: str) -> None:
    """Return once it answers."""
    async with Redis.from_url(url) as client, asyncio.timeout(30):
        while True:
            with suppress(RedisError):
                await client.ping()
                return
            await asyncio.sleep(0.01)


async def schedule_deployments() -> None:
    """A task of the name that only the background services know."""


async def delete_flow_run_logs() -> None:
    """One that the API servers know as well."""


async def test_background_services_are_heard_of_while_they_run_and_an_api_server_is_none(redis: str) -> None:
    ours, known = socket.gethostname(), []
    async with Docket(name=DOCKET, url=redis) as docket:
        for task in (delete_flow_run_logs, schedule_deployments):
            docket.register(task)
            async with Worker(docket) as worker:
                running = asyncio.create_task(worker.run_forever())
                while worker.name not in {other.name for other in await docket.workers()}:
                    await asyncio.sleep(0.01)
                known.append([await background_services.are_alive(redis, host) for host in (ours, "elsewhere")])
                running.cancel()
                await asyncio.wait({running})
        known.append([await background_services.are_alive(redis, ours)])
    assert known == [[False, False], [True, False], [False]]


@pytest.mark.parametrize("up", [True, False])
async def test_the_check_of_prefects_services_says_what_is_wrong(
    redis: str, up: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PREFECT_SERVER_DOCKET_URL", redis if up else "redis://127.0.0.1:9/1")
    assert await asyncio.to_thread(prefect_services.main) == 1
    assert ("have not reported" in capsys.readouterr().out) == up
