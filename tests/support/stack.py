"""A whole embedded stack for the tests that need one: the real command, real Postgres, Prefect, converter, worker and API."""

from __future__ import annotations

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TextIO, TypeVar

import httpx
import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "examples" / "bracket.step"
START_SECONDS = 480.0
"""How long a stack may take to say `ready` on a loaded machine; one that gets no further ends by itself, and says so."""

T = TypeVar("T")


def eventually(probe: Callable[[], T | Literal[False] | None], *, within: float = 180.0, what: str = "condition") -> T:
    """Poll until the probe returns something true; fail the test with the last answer otherwise."""
    deadline = time.monotonic() + within
    last: object = None
    while time.monotonic() < deadline:
        try:
            last = found = probe()
            if found:
                return found
        except httpx.HTTPError as error:
            last = error
        time.sleep(0.1)
    raise AssertionError(f"{what} did not come about within {within} s; last: {last!r}")


def free_port() -> int:
    """A loopback port nobody has now, below those that kernels give to outgoing connections: none takes it before it is listened on."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


NO_DESKTOP: Final = "--no-desktop-worker"
"""Flag of a stack that needs no spatial reasoning: the worker takes seconds to start."""


@dataclass
class RunningStack:
    """One `python -m deployments.embedded` and what it said."""

    home: Path
    port: int
    process: subprocess.Popen[str]
    stdout: list[str] = field(default_factory=list)
    stderr: list[str] = field(default_factory=list)
    files_port: int = 0
    """The one loopback port that content_url may reach."""
    hooks_port: int = 0
    """The one loopback port that notifications may reach."""

    @property
    def url(self) -> str:
        """Base address of the API."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def addresses(self) -> dict[str, Any]:
        """What HOME/run/stack.json says."""
        return dict(json.loads((self.home / "run" / "stack.json").read_text()))

    @property
    def key(self) -> str:
        """The demo account's key, as printed on the first run."""
        return next(line.strip() for line in self.stdout if line.strip().startswith("sk_"))

    def child(self, marker: str) -> psutil.Process:
        """The supervised process whose command line holds the marker."""
        found = [process for process in self.tree() if marker in _command(process)]
        assert found, f"no process with {marker!r} under the stack"
        return min(found, key=lambda p: p.create_time())

    def tree(self) -> list[psutil.Process]:
        """Every process under the stack's own."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def client(self, **options: Any) -> httpx.Client:
        """An HTTP client that carries the demo key."""
        return httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {self.key}"}, timeout=120, trust_env=False, **options
        )

    def prefect(self) -> httpx.Client:
        """An HTTP client of the stack's Prefect server."""
        user, _, password = self.addresses["prefect_auth"].partition(":")
        base = self.addresses["prefect_api_url"] + "/"
        return httpx.Client(base_url=base, auth=(user, password), timeout=30, trust_env=False)

    def stop(self) -> int:
        """Ctrl-C, and the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=120)


def start_stack(home: Path, *arguments: str, **environment: str) -> RunningStack:
    """Start a stack and wait for its `ready` line."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "deployments.embedded", "--home", str(home), "--port", str(port), *arguments],
        cwd=ROOT,
        env={**{n: v for n, v in os.environ.items() if not n.startswith(("SPATIAL_", "PREFECT_"))}, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    stack = RunningStack(home, port, process)
    assert process.stdout is not None and process.stderr is not None  # both are pipes
    for pipe, lines in ((process.stdout, stack.stdout), (process.stderr, stack.stderr)):
        threading.Thread(target=_collect, args=(pipe, lines), daemon=True).start()
    try:
        eventually(lambda: _ready(stack), within=START_SECONDS, what="ready line")
    except BaseException:
        stack.stop()  # nobody else would
        raise
    return stack


def _command(process: psutil.Process) -> str:
    """A process's command line; empty where it has ended meanwhile, as the converter's children do."""
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""


def _ready(stack: RunningStack) -> bool:
    if stack.process.poll() is not None:
        raise AssertionError("the stack ended:\n" + "\n".join(stack.stderr) + _logs(stack.home))
    return any(line.startswith("ready ") for line in stack.stdout)


def _logs(home: Path) -> str:
    return "".join(f"\n--- {log.name}\n{log.read_text()[-2000:]}" for log in sorted((home / "logs").glob("*.log")))


def _collect(pipe: TextIO, lines: list[str]) -> None:
    with pipe:
        for line in pipe:
            lines.append(line.rstrip("\n"))  # noqa: PERF401  # readers see each line as it comes


@pytest.fixture
def patient() -> Iterator[None]:
    """Prefect's clients as our processes set them: one that asks for the server's version cannot be made while that is away."""
    from prefect.settings import PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED, temporary_settings

    with temporary_settings({PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED: False}):
        yield


@pytest.fixture(scope="session")
def stack() -> Iterator[RunningStack]:
    """One stack for the whole session; tests that break a part wait until it is whole again."""
    files_port = free_port()
    hooks_port = free_port()
    allow = {"SPATIAL_CONTENT_URL_ALLOW": f"127.0.0.1:{files_port}", "SPATIAL_LEASE_SECONDS": "6"}
    allow |= {"SPATIAL_NOTIFICATIONS": "1", "SPATIAL_NOTIFICATIONS_ALLOW": f"127.0.0.1:{hooks_port}"}
    # Not under pytest's own folder: a second run beside this one closes that to Postgres's system user.
    with tempfile.TemporaryDirectory(prefix="spatial-stack-", ignore_cleanup_errors=True) as folder:
        running = start_stack(Path(folder) / "home", **allow)
        running.files_port = files_port
        running.hooks_port = hooks_port
        yield running
        running.stop()


@pytest.fixture(scope="session")
def plain_stack(s3_server: str) -> Iterator[RunningStack]:
    """A second stack for the session, without a worker for reasoning.

    Its batches keep the stages of failed items only, its schedule of `reconcile` is too rare to help anybody, and it knows the S3 server.
    """
    settings = {"SPATIAL_BATCH_STAGES": "failed", "SPATIAL_RECONCILE_SECONDS": "3600", "SPATIAL_S3_ENDPOINT": s3_server}
    with tempfile.TemporaryDirectory(prefix="spatial-stack-", ignore_cleanup_errors=True) as folder:
        running = start_stack(Path(folder) / "home", "--no-sample", NO_DESKTOP, **settings)
        yield running
        assert running.stop() == 0
