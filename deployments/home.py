"""The home folder of an embedded stack: its lock, its ports and secrets, and the check of free disk space.

HOME/run/lock           locked (flock) by the running stack; the kernel releases the lock when that process dies
HOME/run/stack.json     addresses of the running stack, mode 0600
HOME/run/converter.sock
HOME/secrets.json       generated once: auth string of the Prefect server, mode 0600
HOME/logs/ postgres/ prefect/ lake/

HOME has mode 0700, because it holds files and responses of callers. Under root it becomes 0711, which lets the system user of the
database server enter and not list it.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import shutil
import socket
from pathlib import Path
from typing import Any

LEAST_FREE_BYTES = 512 * 1024**2
"""Free disk space (bytes) below which a stack is not started; an empty Postgres takes about 100 MB."""


SOCKET_PATH_BYTES = 107
"""Maximum length of the path of a Unix socket (unix(7), Linux)."""


class StackError(Exception):
    """A stack cannot start or continue; the message is one sentence for the user."""


class Home:
    """The folder of one stack; call `lock` before anything is written."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.run = self.path / "run"
        self.logs = self.path / "logs"
        self._lock_descriptor: int | None = None

    def lock(self) -> None:
        """Create and lock the folder.

        Raises: StackError if it is in use or not writable, its path is too long, or less than LEAST_FREE_BYTES are free.
        """
        if len(os.fsencode(self.run / "converter.sock")) > SOCKET_PATH_BYTES:
            raise StackError(
                f"the path {self.path} is too long for a Unix socket in it; choose a shorter one with --home"
            )
        try:
            for folder in (self.path, self.run, self.logs):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock_descriptor = os.open(self.run / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StackError(
                f"cannot write to {self.path}: {error.strerror}; choose another folder with --home"
            ) from error
        try:
            fcntl.flock(self._lock_descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            pid = os.pread(self._lock_descriptor, 32, 0).decode(errors="replace").strip() or "unknown"
            raise StackError(
                f"another stack (process {pid}) runs in {self.path}; stop it, or choose another folder with --home"
            ) from error
        # Only now: the Postgres of a stack that runs here may go through the folder as another user.
        for folder in (self.path, self.run, self.logs):
            folder.chmod(0o700)
        os.ftruncate(self._lock_descriptor, 0)
        os.pwrite(self._lock_descriptor, str(os.getpid()).encode(), 0)
        free = shutil.disk_usage(self.path).free
        if free < LEAST_FREE_BYTES:
            raise StackError(
                f"only {free // 1024**2} MB of disk space are free for {self.path} and {LEAST_FREE_BYTES // 1024**2} MB are needed; "
                "free disk space, or choose another folder with --home"
            )

    def release(self) -> None:
        """Release the lock, and delete the addresses of the stack."""
        (self.run / "stack.json").unlink(missing_ok=True)
        if self._lock_descriptor is not None:
            os.close(self._lock_descriptor)
            self._lock_descriptor = None

    def publish(self, addresses: dict[str, Any]) -> None:
        """Write the addresses of the running stack to a file, for the command line."""
        _write_private(self.run / "stack.json", addresses)

    def secret(self, name: str) -> str:
        """The generated secret of this name, which is stored in this home."""
        path = self.path / "secrets.json"
        known = _read_record(path)
        if name not in known:
            known[name] = secrets.token_urlsafe(24)
            _write_private(path, known)
        return str(known[name])

    def port(self, name: str) -> int:
        """A free loopback port; the same as in the last run if it is still free."""
        path = self.run / "ports.json"
        known = _read_record(path)
        if name not in known or not is_free("127.0.0.1", known[name]):
            known[name] = _any_free_port()
            _write_private(path, known)
        return int(known[name])


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _any_free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _read_record(path: Path) -> dict[str, Any]:
    """The content of the file; empty if it does not exist, or if a power failure truncated it."""
    try:
        known = json.loads(path.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write_private(path: Path, content: dict[str, Any]) -> None:
    """Write JSON atomically to a file that only its owner may read."""
    temporary = path.with_suffix(".new")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(content, file, indent=1)
    temporary.replace(path)
