"""The fork server: a single-threaded process that has loaded the libraries of a program and forks its children.

sandbox.forkserver_client starts it as `python -m sandbox.forkserver SETTINGS`, with an environment that has only Python's paths
and OPENBLAS_NUM_THREADS. It exchanges JSON datagrams over one socket, and ends when the service closes the other end:

    {"fork": token, "layer": n} + 2 descriptors     ->  {"forked": token, "pid": n} | {"refused": token, "why": "..."}
    {"kill": token}                                     (no answer except the end of the child)
                                                    <-  {"ended": token, "status": wait status, "peak": bytes}
    at start:  {"ready": [measures], "anonymous": [bytes of each layer], "threads": n} | {"failed": "why"}

Where it has layers (ForkServerSettings.layers), it forks a further fork server for the next one, passes on what concerns its children, and
ends with it.
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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from sandbox import huge_pages, isolation, program
from sandbox.forkserver_settings import MESSAGE_BYTES, ForkServerSettings
from spatial.collector import uncollected


class LayerAbove(NamedTuple):
    """The fork server of the next layer."""

    pid: int
    control: socket.socket


class ForkServer:
    """Forks, kills and reaps children."""

    def __init__(self, settings: ForkServerSettings, inherited: Sequence[str] | None = None) -> None:
        """inherited: the measures that the fork server of the layer below has applied; None for the first one."""
        self._settings = settings
        self._inherited = inherited
        self._options = settings.layers[0]
        self._above: LayerAbove | None = None
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
        if self._above is not None:
            poller.register(self._above.control, select.POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in poller.poll()]
            if self._woken.fileno() in ready:
                self._reap()
            if self._above is not None and self._above.control.fileno() in ready and not self._pass_down():
                break
            if self._control.fileno() in ready and not self._handle_message():
                break
        self._end()

    def _end(self) -> None:
        """End with every child, and with the layers above."""
        signal.set_wakeup_fd(-1)
        pids = list(self._tokens)
        for pid in pids:
            _kill(pid)
        if self._above is not None:
            self._above.control.close()
            pids.append(self._above.pid)
        for pid in pids:
            with contextlib.suppress(ChildProcessError):  # it has ended and was waited for
                os.waitpid(pid, 0)
        os._exit(0)  # skips the clean-up of the libraries, which is slow and not needed

    def _prepare(self) -> bool:
        active = self._apply_measures()
        isolation.die_with_parent(self._settings.parent)
        os.environ.clear()
        os.environ.update(isolation.ONE_THREAD)
        tempfile.tempdir = self._settings.folder
        shared = huge_pages.regions() if self._inherited is not None else frozenset()
        try:
            with uncollected():
                self._program = importlib.import_module(self._settings.program)
                modules = self._program.preload(self._options)
        except Exception as error:  # noqa: BLE001 - errors of any module or library are reported to the service
            self._send({"failed": f"{type(error).__name__}: {error}"})
            return False
        if self._settings.huge_pages:
            huge_pages.collapse(shared)
        readable = isolation.readable_paths([*modules, "sandbox"])
        self._confines = isolation.Confines(self._settings.measures, readable, self._settings.memory_bytes)
        if len(self._settings.layers) > 1:
            self._above = self._fork_layer(active)
        self._watch_children()
        active += self._probe()
        return self._send_ready(active)

    def _apply_measures(self) -> list[str]:
        """The measures that children inherit; the first layer's are those of the others too."""
        found = isolation.apply_server_measures(self._settings.measures if self._inherited is None else ())
        return [*(self._inherited or ()), *found]

    def _fork_layer(self, active: list[str]) -> LayerAbove:
        """The fork server of the next layer, which loads its libraries on top of those of this one."""
        server = os.getpid()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        pid = os.fork()
        if pid == 0:
            with _exit_at_end():
                for descriptor in (ours, self._control, self._wakeup, self._woken):
                    descriptor.close()
                layers = self._settings.layers[1:]
                settings = replace(self._settings, control=theirs.detach(), parent=server, layers=layers)
                ForkServer(settings, active).run()
        theirs.close()
        return LayerAbove(pid, ours)

    def _send_ready(self, active: list[str]) -> bool:
        """Tell the service that children can be forked; returns False if a layer above cannot be loaded."""
        anonymous = [isolation.status_bytes("self", "RssAnon")]
        threads = len(list(Path("/proc/self/task").iterdir()))
        if self._above is not None:
            message = json.loads(
                self._above.control.recv(MESSAGE_BYTES) or b'{"failed": "it ended while it was starting"}'
            )
            if "failed" in message:
                self._send(message)
                return False
            anonymous += message["anonymous"]
            threads = max(threads, message["threads"])
            # A measure counts where it is effective for the children of every layer.
            active = [name for name in active if name in message["ready"]]
        self._send({"ready": active, "anonymous": anonymous, "threads": threads})
        return True

    def _watch_children(self) -> None:
        for end in (self._wakeup, self._woken):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self._wakeup.fileno(), warn_on_full_buffer=False)

    def _probe(self) -> list[str]:
        """The measures that take effect in a child, determined by a test in a forked process."""
        folder = Path(self._settings.folder, f"probe-{os.getpid()}")  # another layer tests too
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
        if self._above is not None and command.get("layer", 0) > 0:
            self._pass_up({**command, "layer": command["layer"] - 1}, descriptors)
        elif "fork" in command:
            self._fork(command["fork"], descriptors)
        elif self._above is not None and command["kill"] not in self._tokens.values():
            self._pass_up(command, descriptors)
        for pid in [pid for pid, token in self._tokens.items() if token == command.get("kill")]:
            _kill(pid)
        return True

    def _pass_up(self, command: dict[str, Any], descriptors: list[int]) -> None:
        assert self._above is not None
        with contextlib.suppress(OSError):  # it has ended, and this process ends with it
            socket.send_fds(self._above.control, [json.dumps(command).encode()], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def _pass_down(self) -> bool:
        """Pass on what a layer above says; returns False if it has ended."""
        assert self._above is not None
        message = self._above.control.recv(MESSAGE_BYTES)
        if message:
            with contextlib.suppress(OSError):  # the service has ended, and this process will end too
                self._control.send(message)
        return bool(message)

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
        _set_name(self._settings.program)
        program.redirect_descriptors(channel, log, folder)
        isolation.apply_child_measures(self._confines, folder)
        self._program.run(self._options)
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
            known = {*self._tokens, *([] if self._above is None else [self._above.pid])}
            for pid in {int(word) for word in found.split()} - known:
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


def _set_name(name: str) -> None:
    """Show a name for this process in `ps -o comm`, in `top` and in the kernel's log (prctl(2), PR_SET_NAME): its command line is that of
    the fork server, with which all children would end.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/comm").write_text(name)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(pid, signal.SIGKILL)


def main(argument: str) -> None:
    """Run a fork server. `argument` is ForkServerSettings.to_json()."""
    values = json.loads(argument)
    tuples = {name: tuple(values[name]) for name in ("layers", "measures")}
    ForkServer(ForkServerSettings(**{**values, **tuples})).run()


if __name__ == "__main__":
    main(sys.argv[1])
