"""The supervisor's end of the fork server (deployments/forkserver.py), and the processes that it forks."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deployments.home import StackError
from deployments.postgres_files import open_private

FORK_SECONDS: Final = 60.0
"""How long a fork may take, which includes the imports of a fork server that has just started."""

POLL_SECONDS: Final = 0.02
"""Interval between checks of a process that is to end."""

PADDING: Final = "-" * 120
"""Last argument of the fork server: room for the command line of a part."""

_PR_SET_CHILD_SUBREAPER: Final = 36


class ForkedProcess:
    """A child of this process that the fork server forked; a part of the interface of subprocess.Popen."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._waiting = threading.Lock()

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        with self._waiting:
            if self.returncode is None:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
                if ended:
                    self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def terminate(self) -> None:
        """Send SIGTERM, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def wait(self) -> int:
        """Wait for its end; returns the exit status."""
        while (status := self.poll()) is None:
            time.sleep(POLL_SECONDS)
        return status


class ForkServerService:
    """The fork server as a service of the supervisor."""

    name = "fork server"

    def __init__(self, environment: dict[str, str], log_file: Path) -> None:
        """environment: of the imports; settings that are read at import must stand in it, secrets must not."""
        self._environment = environment
        self._log_file = log_file
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._forking = threading.Lock()

    async def start(self) -> None:
        """Start the process, which then imports; `fork` waits for that."""
        if self._control is not None:
            self._control.close()
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-m", "deployments.forkserver", str(theirs.fileno()), str(os.getpid()), PADDING]
        self._log_file.parent.mkdir(parents=True, exist_ok=True)
        with theirs, open_private(self._log_file) as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220  # fork and exec do not block
                command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[theirs.fileno()],
            )

    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None and self.alive() else None

    async def stop(self) -> None:
        """Close the connection, which ends the process; the parts continue."""
        if self._process is not None and self._control is not None:
            self._control.close()
            self._process.kill()
            self._process.wait()

    def fork(self, command: list[str], environment: dict[str, str], log: int) -> ForkedProcess:
        """Start a part; returns when it is a child of this process.

        command: module and arguments. log: descriptor. Raises: StackError if the fork server has ended or does not answer.
        """
        part = json.dumps({"command": command, "environment": environment}).encode()
        try:
            with self._forking, _adopting_orphans():
                answer = self._ask(part, log)
        except OSError as error:
            raise StackError(f"the fork server does not answer ({error}); see {self._log_file}") from error
        if not answer:
            raise StackError(f"the fork server ended; see {self._log_file}")
        return ForkedProcess(int(answer))

    def _ask(self, part: bytes, log: int) -> bytes:
        """The answer of a new part; empty if there is none. Raises: OSError."""
        assert self._control is not None  # `start` comes first
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                socket.send_fds(self._control, [b"f"], [theirs.fileno(), log])
            ours.settimeout(FORK_SECONDS)
            ours.sendall(part)
            ours.shutdown(socket.SHUT_WR)
            return ours.recv(32)


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """For the length of a block, processes below this one whose parent ends become its children (prctl(2), PR_SET_CHILD_SUBREAPER)."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
