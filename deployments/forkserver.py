"""The fork server of the embedded stack: a single-threaded process that has imported the modules of the stack's parts, and forks the parts.

A part that is forked shares the memory of what it does not change, and starts at once. deployments.forkserver_client starts the fork
server as `python -m deployments.forkserver CONTROL SUPERVISOR`. CONTROL is a socket, over which READY comes once the modules are imported.
Its log says which ones are. A message is one byte and two descriptors:

    channel     the part reads from it its command and its environment, as JSON; then it writes its process id
    log         the part's standard output and standard error

The part is forked twice, so that it becomes a child of the supervisor, which is the next subreaper above (prctl(2)): the supervisor waits
for it, and it outlives the fork server. The fork server never sees an environment, and so no secret. Linux only.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Final

MODULES: Final = (
    "prefect_runtime.server",
    "prefect.server.api.server",
    "prefect.cli.server",
    "prefect.cli._server_utils",
    "prefect.task_engine",
    "prefect.utilities.visualization",
    "alembic.command",
    "anyio.streams.tls",
    "encodings.idna",
    "uvicorn.loops.asyncio",
    "deployments.serve",
    "deployments.worker",
    "deployments.desktop_worker",
)
"""What is imported ahead: the parts, and what they import only when they run."""

READY: Final = b"r"
"""What the supervisor is sent after the imports."""

REPARENT_SECONDS: Final = 60.0
"""How long a part may take to become a child of the supervisor."""

REPARENT_PAUSE: Final = 0.001
"""Pause (s) between checks of that."""

_PR_SET_PDEATHSIG: Final = 1
_ARGUMENTS: Final = slice(45, 47)
"""Place of arg_start and arg_end in /proc/self/stat after the name of the command (proc(5), fields 48 and 49)."""


def serve(control: socket.socket) -> socket.socket | None:
    """Fork parts until the supervisor closes its end: returns None then, and in each part its channel."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not message:
            return None
        channel, log = descriptors
        middle = os.fork()
        if middle == 0:
            if os.fork():
                os._exit(0)
            _redirect(log)
            control.close()
            return socket.socket(fileno=channel)
        os.waitpid(middle, 0)
        os.close(channel)
        os.close(log)


def run_part(channel: socket.socket, supervisor: int) -> int:
    """Be a part until it ends; returns its exit status."""
    _become_child_of(supervisor)
    os.setsid()
    with channel:
        with channel.makefile("rb") as reader:
            part = json.loads(reader.read())
        channel.sendall(str(os.getpid()).encode())
    os.environ.clear()
    os.environ.update(part["environment"])
    module, *arguments = part["command"]
    sys.argv[:] = [module, *arguments]
    _set_command_line(["python", "-m", module, *arguments])
    return int(importlib.import_module(module).main(arguments) or 0)


def _become_child_of(supervisor: int) -> None:
    """Wait until the process between has ended; then end by SIGTERM when the supervisor ends."""
    deadline = time.monotonic() + REPARENT_SECONDS
    while os.getppid() != supervisor and time.monotonic() < deadline:
        # time.sleep() sleeps until a moment (clock_nanosleep(2)), and libfaketime refuses one that has just passed (siege/clock.py).
        select.select((), (), (), REPARENT_PAUSE)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != supervisor:
        os._exit(1)


def _redirect(log: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(log)


def _set_command_line(words: list[str]) -> None:
    """Show these words as the command line of this process, as far as there is room where the kernel put the first one."""
    start, end = map(int, Path("/proc/self/stat").read_text().rpartition(")")[2].split()[_ARGUMENTS])
    line = b"".join(os.fsencode(word) + b"\0" for word in words)
    ctypes.memmove(start, line[: end - start - 1].ljust(end - start, b"\0"), end - start)


def _import_modules() -> None:
    """Import what the parts need, and write into the log how far it is: at a busy start the supervisor shows the last line."""
    for number, name in enumerate(MODULES, 1):
        print(
            f"importing {name}, {number} of {len(MODULES)}, after {time.process_time():.1f} s of a processor",
            flush=True,
        )
        importlib.import_module(name)
    print(f"imported all after {time.process_time():.1f} s of a processor", flush=True)


def main(argv: list[str]) -> int:
    """Import the modules and serve; in a part, be it."""
    descriptor, supervisor = map(int, argv[:2])
    control = socket.socket(fileno=descriptor)
    _import_modules()
    importlib.import_module("prefect_runtime.plugins").load_none()
    # What is garbage now would be freed in every part, and each collection writes into the objects that it looks at.
    gc.collect()
    gc.freeze()
    with contextlib.suppress(OSError):  # the supervisor has ended, and `serve` sees that
        control.sendall(READY)
    channel = serve(control)
    return 0 if channel is None else run_part(channel, supervisor)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
