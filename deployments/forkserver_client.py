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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from deployments.home import StackError
from deployments.postgres_files import open_private
from deployments.progress import describe_log
from sandbox.patience import LOOK_SECONDS, Patience

IMPORT_SECONDS: Final = 60.0
"""How long a fork server that has just started may import, as sandbox.patience counts (5 s of a processor)."""

FORK_SECONDS: Final = 30.0
"""How long a fork may take, as sandbox.patience counts."""

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

    def __init__(self, environment: dict[str, str], log_file: Path, import_seconds: float = IMPORT_SECONDS) -> None:
        """environment: of the imports; settings that are read at import must stand in it, secrets must not."""
        self.log_file = log_file
        self._environment = environment
        self._import_seconds = import_seconds
        self._has_imported = False
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._forking = threading.Lock()

    async def start(self) -> None:
        """Start the process, which then imports; `fork` waits for that."""
        if self._control is not None:
            self._control.close()
        self._has_imported = False
        self._control, theirs = socket.socketpair()
        command = [sys.executable, "-m", "deployments.forkserver", str(theirs.fileno()), str(os.getpid()), PADDING]
        self.log_file.parent.mkdir(parents=True, exist_ok=True)
        with theirs, open_private(self.log_file) as log:
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

    def wait_for_imports(self) -> None:
        """Return when it has imported, and can fork. Raises: StackError if it has ended, or does not get on."""
        with self._forking:
            self._wait_for_imports()

    def fork(self, command: list[str], environment: dict[str, str], log: int) -> ForkedProcess:
        """Start a part, once the imports are done; returns when it is a child of this process.

        command: module and arguments. log: descriptor. Raises: StackError if the fork server has ended, or does not get on.
        """
        part = json.dumps({"command": command, "environment": environment}).encode()
        with self._forking:
            self._wait_for_imports()
            with self._explained(f"fork {command[0]}", FORK_SECONDS) as patience, _adopting_orphans():
                answer = self._ask(part, log, patience)
        return ForkedProcess(int(answer))

    def _wait_for_imports(self) -> None:
        assert self._control is not None  # `start` comes first
        if not self._has_imported:
            with self._explained("import what the parts need", self._import_seconds) as patience:
                _receive(self._control, patience)
                self._has_imported = True

    def _ask(self, part: bytes, log: int, patience: Patience) -> bytes:
        """The answer of a new part. Raises: OSError; EOFError if there is none."""
        assert self._control is not None  # `start` comes first
        ours, theirs = socket.socketpair()
        with ours:
            with theirs:
                socket.send_fds(self._control, [b"f"], [theirs.fileno(), log])
            ours.sendall(part)
            ours.shutdown(socket.SHUT_WR)
            return _receive(ours, patience)

    @contextmanager
    def _explained(self, doing: str, seconds: float) -> Iterator[Patience]:
        """The patience with the fork server for one thing, whose failure is told with the log.

        Raises: StackError.
        """
        assert self._process is not None  # `start` comes first
        process = self._process
        patience = Patience(seconds, lambda: [process.pid])
        try:
            yield patience
        except TimeoutError as error:
            process.kill()  # it hangs; the supervisor starts another one
            raise self._error(f"did not {doing}: its processes {patience.describe()}") from error
        except EOFError as error:
            raise self._error(f"ended before it could {doing}") from error
        except OSError as error:
            raise self._error(f"does not answer ({error}) and could not {doing}") from error

    def _error(self, what: str) -> StackError:
        return StackError(f"the fork server {what}; see {describe_log(self.log_file)}")


def _receive(channel: socket.socket, patience: Patience) -> bytes:
    """The next bytes. Raises: EOFError, OSError; TimeoutError where the patience ends first."""
    channel.settimeout(LOOK_SECONDS)
    try:
        while True:
            with suppress(TimeoutError):
                if answer := channel.recv(32):
                    return answer
                raise EOFError
            if patience.is_over():
                raise TimeoutError
    finally:
        channel.settimeout(None)


@contextmanager
def _adopting_orphans() -> Iterator[None]:
    """For the length of a block, processes below this one whose parent ends become its children (prctl(2), PR_SET_CHILD_SUBREAPER)."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
