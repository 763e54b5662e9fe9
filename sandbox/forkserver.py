"""The fork server: a single-threaded process that has loaded the libraries of a program and forks its children.

sandbox.forkserver_client starts it as `python -m sandbox.forkserver SETTINGS`, with an environment that has only Python's paths
and OPENBLAS_NUM_THREADS. It exchanges JSON datagrams over one socket, and ends when the service closes the other end:

    {"fork": token} + 2 descriptors     ->  {"forked": token, "pid": n} | {"refused": token, "why": "..."}
    {"kill": token}                         (no answer except the end of the child)
                                        <-  {"ended": token, "status": wait status, "peak": bytes}
    at start:  {"ready": [measures], "anonymous": bytes, "threads": n} | {"failed": "why"}
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from sandbox import isolation, program
from sandbox.forkserver_settings import MESSAGE_BYTES, ForkServerSettings
from spatial.collector import uncollected


class ForkServer:
    """Forks, kills and reaps children."""

    def __init__(self, settings: ForkServerSettings) -> None:
        self._settings = settings
        self._control = socket.socket(fileno=settings.control)
        self._tokens: dict[int, int] = {}
        """Token of each running child, by pid."""
        self._wakeup, self._woken = socket.socketpair()
        self._confines = isolation.Confines((), (), 0)
        self._program: ModuleType

    def run(self) -> None:
        """Serve until the service closes its end."""
        if not self._prepare():
            return
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._woken, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if self._woken.fileno() in ready:
                self._reap()
            if self._control.fileno() in ready and not self._handle_message():
                break
        signal.set_wakeup_fd(-1)
        for pid in self._tokens:
            _kill(pid)
        for pid in self._tokens:
            os.waitpid(pid, 0)
        os._exit(0)  # skips the clean-up of the libraries, which is slow and not needed

    def _prepare(self) -> bool:
        active = isolation.apply_server_measures(self._settings.measures)
        isolation.die_with_parent(self._settings.parent)
        os.environ.clear()
        tempfile.tempdir = self._settings.folder
        try:
            with uncollected():
                self._program = importlib.import_module(self._settings.program)
                modules = self._program.preload(self._settings.options)
        except Exception as error:  # noqa: BLE001 - errors of any module or library are reported to the service
            self._send({"failed": f"{type(error).__name__}: {error}"})
            return False
        readable = isolation.readable_paths([*modules, "sandbox"])
        self._confines = isolation.Confines(self._settings.measures, readable, self._settings.memory_bytes)
        self._watch_children()
        active += self._probe()
        anonymous = isolation.status_bytes("self", "RssAnon")
        threads = len(list(Path("/proc/self/task").iterdir()))
        self._send({"ready": active, "anonymous": anonymous, "threads": threads})
        return True

    def _watch_children(self) -> None:
        for end in (self._wakeup, self._woken):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._wakeup.fileno(), warn_on_full_buffer=False)

    def _probe(self) -> list[str]:
        """The measures that take effect in a child, determined by a test in a forked process."""
        folder = Path(self._settings.folder, "probe")
        folder.mkdir(mode=0o700)
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            with _exit_at_end():
                os.write(writing, json.dumps(isolation.apply_child_measures(self._confines, str(folder))).encode())
                os._exit(0)
        os.close(writing)
        with open(reading, "rb") as pipe:
            found = pipe.read()
        os.waitpid(pid, 0)
        folder.rmdir()
        return list(json.loads(found or b"[]"))

    def _handle_message(self) -> bool:
        """Handle the next message; returns False if the service has closed the socket."""
        try:
            message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 2)
        except ConnectionResetError:  # Linux reports this if the other end closed the socket with unread messages
            return False
        if not message:
            return False
        command = json.loads(message)
        if "fork" in command:
            self._fork(command["fork"], descriptors)
        for pid in [pid for pid, token in self._tokens.items() if token == command.get("kill")]:
            _kill(pid)
        return True

    def _fork(self, token: int, descriptors: list[int]) -> None:
        folder = Path(self._settings.folder, str(token))
        server = os.getpid()
        try:
            folder.mkdir(mode=0o700)
            pid = os.fork()
        except OSError as error:
            self._send({"refused": token, "why": str(error)})
        else:
            if pid == 0:
                with _exit_at_end():
                    self._run_child(server, descriptors, str(folder))
            self._tokens[pid] = token
            with contextlib.suppress(OSError):  # the child has done it already
                os.setpgid(pid, pid)
            self._send({"forked": token, "pid": pid})
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _run_child(self, server: int, descriptors: list[int], folder: str) -> None:
        """Run a child from the fork to its end; does not return."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        isolation.die_with_parent(server)
        channel, log = descriptors
        program.redirect_descriptors(channel, log, folder)
        isolation.apply_child_measures(self._confines, folder)
        self._program.run(self._settings.options)
        os._exit(0)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._woken.recv(4096)
        while self._reap_one():
            pass
        self._kill_orphans()

    def _reap_one(self) -> bool:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        token = self._tokens.pop(pid, None)
        if token is not None:
            self._send({"ended": token, "status": status, "peak": usage.ru_maxrss * 1024})
        return pid != 0

    def _kill_orphans(self) -> None:
        """Kill processes that a child started: if no seccomp filter forbids fork, they may be in another process group."""
        with contextlib.suppress(OSError):
            found = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
            for pid in {int(word) for word in found.split()} - self._tokens.keys():
                os.kill(pid, signal.SIGKILL)

    def _send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # the service has ended, and this process will end too
            self._control.send(json.dumps(message).encode())


@contextlib.contextmanager
def _exit_at_end() -> Iterator[None]:
    """End a forked process in every case: it must never continue as a second fork server."""
    try:
        yield
    finally:
        os._exit(70)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(pid, signal.SIGKILL)


def main(argument: str) -> None:
    """Run a fork server. `argument` is ForkServerSettings.to_json()."""
    values = json.loads(argument)
    ForkServer(ForkServerSettings(**{**values, "measures": tuple(values["measures"])})).run()


if __name__ == "__main__":
    main(sys.argv[1])
