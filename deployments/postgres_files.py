"""Files of a running PostgreSQL (postmaster.pid), and files that this package adds: the port, the owner's lock and the secrets."""

from __future__ import annotations

import fcntl
import os
import random
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import psutil

from deployments.postgres_programs import PostgresFailed

PORTS: Final = range(15_000, 32_000)
"""Range of ports, below Linux's range for outgoing connections. In that range, a client that repeatedly connects to a stopped server may
get the server's port as its local port, connect to itself (TCP simultaneous open), and block the port for the server."""


@dataclass(frozen=True)
class Server:
    """A running server, as postmaster.pid describes it."""

    process: psutil.Process
    port: int
    ready: bool


def server_of(data: Path) -> Server | None:
    """The running server of a cluster, as postmaster.pid names it; None if that file is absent or stale."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
        process = psutil.Process(int(lines[0]))
        if not is_alive(process) or Path(process.cwd()) != data.resolve():
            return None
        port = int(lines[3]) if len(lines) > 3 else 0
        return Server(process, port, ready=len(lines) > 7 and lines[7].strip() == "ready")
    except (FileNotFoundError, IndexError, ValueError, psutil.Error):
        return None


def remove_stale_pid_file(data: Path) -> None:
    """Remove a postmaster.pid whose process id now belongs to another program, because PostgreSQL refuses to start with it.

    This is common in containers, where process ids restart at 1. A file whose process id is not in use is left to PostgreSQL, which
    has stricter checks.
    """
    with suppress(FileNotFoundError, IndexError, ValueError):
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
        if psutil.pid_exists(pid) and server_of(data) is None:
            (data / "postmaster.pid").unlink()


def is_alive(process: psutil.Process) -> bool:
    """Whether the process runs; a zombie does not."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def free_port(remembered: Path) -> int:
    """The port in the file `remembered` if it is free; else another free port, which is stored in that file. Raises: PostgresFailed."""
    with suppress(OSError, ValueError):
        port = int(remembered.read_text())
        if port in PORTS and _is_free(port):
            return port
    for port in random.SystemRandom().sample(PORTS, 100):
        if _is_free(port):
            write_private(remembered, str(port))
            return port
    raise PostgresFailed(
        f"there is no free port on 127.0.0.1 between {PORTS.start} and {PORTS.stop}; stop what listens there"
    )


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return True
    return False


def try_lock(path: Path) -> IO[bytes] | None:
    """Open and lock a file; None if another process has locked it. The kernel releases the lock when the process ends."""
    file = open_private(path)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def open_private(path: Path) -> IO[bytes]:
    """Open a file for appending that only its owner may read, also if it existed before."""
    return open(path, "ab", opener=_open_private)


def _open_private(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor


def write_private(path: Path, text: str) -> None:
    """Write a file atomically that only its owner may read."""
    scratch = path.with_name(f".{path.name}.new")
    scratch.unlink(missing_ok=True)
    with open_private(scratch) as file:
        file.write(text.encode())
    scratch.replace(path)
