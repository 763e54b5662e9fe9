"""A fork server for the whole package, pools over it, and real services where a process must die."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from converter.client import ConverterClient
from converter.delegation import LEAST_BYTES
from converter.fork_server import ReaderForkServer, create_fork_server
from converter.pool import Pool, PoolSettings
from converter.wire import ConverterHealth, DocumentPlan, InputFile, MeaningFacts, PointFacts, ReadFacts
from spatial.contract.target import TargetContract
from spatial.errors import ConverterUnavailable
from spatial.models.sampling_plan import SamplingPlan

TABLE = "tests.converter.trial_formats"
MEMORY = 256 * 1024**2
TRIAL = InputFile(file_name="part.trial", format="trial")
STRUCTURED = DocumentPlan(target=TargetContract.structured, request_id="req_of_a_test")
WITH_POINTS = DocumentPlan(
    target=TargetContract.both, request_id="req_of_a_test", sampling=SamplingPlan(points_per_object=2, seed=3)
)
LARGE = ["x" * LEAST_BYTES]
"""In a script: its file may hand work over."""
PATIENCE = 90.0
"""How long a test waits for what must come about; nothing is asserted of it."""


def script(**phases: Sequence[Any]) -> bytes:
    """A file for the trial reader."""
    return json.dumps(phases).encode()


def children_of(pid: int) -> list[int]:
    """Process ids of the children of a process of one thread."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


async def until(condition: Callable[[], Awaitable[bool] | bool]) -> None:
    """Poll until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            met = condition()
            if met if isinstance(met, bool) else await met:
                return
            await asyncio.sleep(0.01)


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


class Trials:
    """A pool, fed with scripts."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    async def read(self, handle: str | None = None, source: InputFile = TRIAL, **phases: Sequence[Any]) -> list[str]:
        """What the reading found out."""
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(script(**phases))
            body = await self.pool.read(handle or secrets.token_urlsafe(24), source, file)
        return ReadFacts.model_validate_json(body).warnings

    async def interpret(self, handle: str) -> list[str]:
        """What the interpretation found out."""
        return MeaningFacts.model_validate_json(await self.pool.interpret(handle)).warnings

    async def sample(self, handle: str) -> PointFacts:
        return PointFacts.model_validate_json(await self.pool.sample(handle, SamplingPlan(points_per_object=1)))


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def fork_server() -> AsyncIterator[ReaderForkServer]:
    server = create_fork_server(memory_bytes=MEMORY, table=TABLE)
    await server.start()
    yield server
    await server.close()


@pytest_asyncio.fixture(loop_scope="package")
async def make_trials(fork_server: ReaderForkServer) -> AsyncIterator[Callable[..., Trials]]:
    """Pools with settings of the test's own, over one fork server."""
    made: list[Trials] = []

    def make(**settings: Any) -> Trials:
        pool = Pool(PoolSettings(**{"memory": MEMORY, "workers": 2, "small_bytes": 0, **settings}), fork_server, TABLE)
        made.append(Trials(pool))
        return made[-1]

    yield make
    for trials in made:
        trials.pool.release_all()


@pytest.fixture
def trials(make_trials: Callable[..., Trials]) -> Trials:
    return make_trials()


class Service:
    """A real converter service of a test's own."""

    def __init__(self, folder: Path, *arguments: str, at: Sequence[str] = (), prefix: Sequence[str] = ()) -> None:
        self.socket = folder / "converter.sock"
        self.url = f"unix://{self.socket}"
        self.log_file = folder / "converter.log"
        address = list(at) or ["--socket", str(self.socket)]
        self.command = [*prefix, sys.executable, "-m", "converter.service", *address, "--formats", TABLE, *arguments]
        self.start()

    def start(self) -> None:
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)

    def log(self) -> str:
        return self.log_file.read_text()

    def fork_server(self) -> int:
        """Process id of its fork server."""
        (pid,) = children_of(self.process.pid)
        return pid

    async def ready(self, client: ConverterClient) -> ConverterHealth:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return await client.health()
            except ConverterUnavailable:
                assert self.process.poll() is None, self.log()
                assert time.monotonic() < deadline, self.log()
                await asyncio.sleep(0.05)


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    started: list[Service] = []

    def start(*arguments: str, **options: Sequence[str]) -> Service:
        started.append(Service(tmp_path, *arguments, **options))
        return started[-1]

    yield start
    for service in started:
        if service.process.poll() is None:
            assert service.stop() == 0, service.log()


@pytest_asyncio.fixture(loop_scope="package")
async def connect() -> AsyncIterator[Callable[[str], ConverterClient]]:
    clients: list[ConverterClient] = []

    def make(url: str) -> ConverterClient:
        clients.append(ConverterClient(url, timeout=2 * PATIENCE))
        return clients[-1]

    yield make
    for client in clients:
        await client.close()
