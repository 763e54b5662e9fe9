"""A whole embedded stack for the benchmarks that need one: on a free port, in a home of its own, gone afterwards."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from storage.objects.lake import Lake

STOP_SECONDS = 90.0
"""How long an orderly end may take."""


@dataclass(frozen=True)
class Stack:
    """A running stack as a client knows it."""

    url: str
    """Base address of the API."""
    key: str
    """API key of an account with an active subscription."""
    home: Path
    pid: int
    """Process of the supervisor; the parts are its children."""
    password: str = ""
    """Of the operator `admin` of the console; empty where nothing needs it."""

    direct: Mapping[str, str] = field(default_factory=dict)
    """Addresses of parts that the stack itself reaches in another way, and `s3_endpoint`."""

    @property
    def addresses(self) -> dict[str, Any]:
        """Where the parts are: converter_url, database_url, prefect_api_url, …"""
        return {**json.loads((self.home / "run" / "stack.json").read_text()), **self.direct}

    def open_lake(self) -> Lake:
        """The stack's lake; its caller closes it."""
        said = self.addresses["settings"]
        return Lake(said["SPATIAL_STORAGE_URL"], self.direct.get("s3_endpoint"))


@contextmanager
def running(**settings: str) -> Iterator[Stack]:
    """Start `python -m deployments.embedded`, wait for its `ready` line, stop it at the end of the block.

    settings: environment variables of the stack.

    Raises: RuntimeError with what the stack said, where it ends before it is ready. The logs of a block that fails are kept, and stderr
    says where.
    """
    with TemporaryDirectory(prefix="spatial-bench-") as folder:
        home, port, errors = Path(folder) / "home", free_port(), Path(folder) / "stderr"
        process = launch(home, port, errors, **settings)
        try:
            key, password = secrets(until_ready(process, errors))
            yield Stack(f"http://127.0.0.1:{port}", key, home, process.pid, password)
        except BaseException:
            _keep_logs(home)
            raise
        finally:
            stop(process)


def _keep_logs(home: Path) -> None:
    """Copy the logs of a stack to a folder that is not deleted."""
    kept = mkdtemp(prefix="spatial-logs-")
    shutil.copytree(home / "logs", kept, dirs_exist_ok=True)
    print(f"the logs of the stack are in {kept}", file=sys.stderr, flush=True)


def launch(home: Path, port: int, errors: Path, **settings: str) -> subprocess.Popen[str]:
    """Start a stack without waiting for it; what it says on stderr goes to the file `errors`."""
    flags = ["--home", str(home), "--port", str(port), "--no-sample"]
    command = [sys.executable, "-m", "deployments.embedded", *flags]
    with errors.open("wb") as log:
        return subprocess.Popen(
            command, env={**_environment(), **settings}, stdout=subprocess.PIPE, stderr=log, text=True
        )


def until_ready(process: subprocess.Popen[str], errors: Path) -> list[str]:
    """The lines of a stack before its `ready`. Raises: RuntimeError with what it said, where it ends before that."""
    lines: list[str] = []
    assert process.stdout is not None  # a pipe, as asked for
    for line in process.stdout:
        if line.startswith("ready "):
            return lines
        lines.append(line.strip())
    raise RuntimeError(f"the stack ended before it was ready:\n{errors.read_text()}")


def stop(process: subprocess.Popen[str]) -> None:
    """Ctrl-C, and its end."""
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=STOP_SECONDS)


def secrets(lines: list[str]) -> tuple[str, str]:
    """The demo account's key and the password of the console's operator, of the lines of a first start."""
    key = next(line for line in lines if line.startswith("sk_"))
    operator = next(place for place, line in enumerate(lines) if line.startswith("console account admin"))
    return key, lines[operator + 2]


def _environment() -> dict[str, str]:
    """This environment without settings that point elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("SPATIAL_", "PREFECT_"))}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
