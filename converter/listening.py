"""The address of the service: bound exclusively, never taken over from a running service, and released at the end."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

from converter.wire import SOCKET_PATH_BYTES


class AddressInUse(Exception):
    """The address cannot be bound; the message is the reason in one sentence."""


@contextlib.contextmanager
def bind(arguments: argparse.Namespace) -> Iterator[socket.socket]:
    """A bound socket for the length of a block, at --socket, or at --host and --port. Raises: AddressInUse."""
    if arguments.socket is not None:
        with _unix(Path(arguments.socket), int(arguments.socket_mode, 8)) as listener:
            yield listener
    elif arguments.port is not None:
        with contextlib.closing(_tcp(arguments.host, arguments.port)) as listener:
            yield listener
    else:
        raise AddressInUse("neither a socket nor a port is given; give --socket PATH, or --port N")


@contextlib.contextmanager
def _unix(path: Path, mode: int) -> Iterator[socket.socket]:
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES:
        raise AddressInUse(
            f"the socket path {path} is longer than {SOCKET_PATH_BYTES} bytes; "
            "choose a shorter folder, or listen on --host and --port"
        )
    with _lock(path), contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
        _remove_stale(path)
        try:
            # Bound without permissions, so that no client connects before the mode is set.
            previous = os.umask(0o777)
            try:
                listener.bind(str(path))
            finally:
                os.umask(previous)
            path.chmod(mode)
        except OSError as error:
            raise AddressInUse(
                f"the converter cannot listen on {path}: {error.strerror}; choose another --socket"
            ) from error
        try:
            yield listener
        finally:
            path.unlink(missing_ok=True)


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold a lock file next to the socket; the kernel releases the lock when the process ends. Raises: AddressInUse."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise AddressInUse(
            f"the converter cannot listen on {path}: {error.strerror}; choose another --socket"
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise AddressInUse(f"a converter is already running on {path}; stop it, or choose another --socket") from error
    finally:
        os.close(descriptor)


def _remove_stale(path: Path) -> None:
    """Remove the socket of a killed service. Raises: AddressInUse if the file is not a socket, or if a process listens on it."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise AddressInUse(f"{path} exists and is not a socket; choose another --socket")
    except FileNotFoundError:
        return
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            path.unlink(missing_ok=True)
        else:
            raise AddressInUse(f"another program listens on {path}; stop it, or choose another --socket")


def _tcp(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise AddressInUse(
            f"the converter cannot listen on {host}:{port}: {error.strerror}; choose another --port"
        ) from error
