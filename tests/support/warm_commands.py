"""Runs the installed `spatial` as often as tests ask, without starting an interpreter and importing the same libraries each time.

A process that has imported LIBRARIES, and nothing of ours, forks for each command; the child runs the installed script with a folder, an
environment and files of its own. What the script imports of ours, and when, is as in a process of its own.

    command  what a test runs: arguments, folder and environment. One with a variable of BEFORE_START is started as a person starts it.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import pytest

SPATIAL: Final = Path(sys.executable).with_name("spatial")
"""The installed command."""

LIBRARIES: Final = (
    "asyncpg",
    "httpx",
    "pydantic_settings",
    "rich.console",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.ext.asyncio",
    "typer",
    "zoneinfo",
)
"""None of them starts a thread, which a fork would lose, or reads the environment when it is imported, as Prefect does."""

BEFORE_START: Final = ("PYTHON", "LANG", "LC_")
"""Beginnings of variables that an interpreter reads when it starts."""

SECONDS: Final = 120.0
"""How long a command may take."""

MESSAGE_BYTES: Final = 1 << 20


class WarmCommands:
    """The process that forks, seen from the tests."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, str(Path(__file__)), str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=(theirs.fileno(),))
        self._socket = ours

    def run(self, folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
        """What the command said, and its exit status. Raises: TimeoutError."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            status = self._status(folder, environment, arguments, out, err)
            return subprocess.CompletedProcess(arguments, status, _text(out), _text(err))

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()

    def _status(
        self, folder: Path, environment: dict[str, str], arguments: tuple[str, ...], out: IO[bytes], err: IO[bytes]
    ) -> int:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs, open(os.devnull, "rb") as nothing:
            files = [nothing.fileno(), out.fileno(), err.fileno(), theirs.fileno()]
            asked = json.dumps({"folder": str(folder), "environment": environment, "arguments": arguments})
            socket.send_fds(self._socket, [asked.encode()], files)
            theirs.close()
            ours.settimeout(SECONDS)
            return int(ours.recv(64))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode().replace("\r\n", "\n")


@pytest.fixture(scope="session")
def warm_commands() -> Iterator[WarmCommands]:
    """The process of this session."""
    opened = WarmCommands()
    yield opened
    opened.close()


def serve(asked: socket.socket) -> None:
    """Fork for each command until the other end is closed."""
    for library in LIBRARIES:
        import_module(library)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # who waits for a command ends by itself, and nobody waits for it
    while True:
        message, files, _, _ = socket.recv_fds(asked, MESSAGE_BYTES, 4)
        if not message:
            return
        if os.fork() == 0:
            asked.close()
            _wait_for_command(json.loads(message), files)
        for file in files:
            os.close(file)


def _wait_for_command(command: dict[str, Any], files: list[int]) -> NoReturn:
    """Fork once more, for the command, and tell its exit status as `subprocess` does."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *standard, answer = files
    child = os.fork()
    if child == 0:
        os.close(answer)
        _execute(command, standard)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.write(answer, str(status).encode())
    os._exit(0)


def _execute(command: dict[str, Any], files: list[int]) -> NoReturn:
    """Run the installed script in this process as an interpreter that was started for it does."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(command["folder"])
    os.environ.clear()
    os.environ.update(command["environment"])
    sys.argv = [str(SPATIAL), *command["arguments"]]
    sys.path[0] = str(SPATIAL.parent)
    runpy.run_path(str(SPATIAL), run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
