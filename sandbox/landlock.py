"""File-system sandbox of one process: readable paths, one writable folder, and no other access.

Without it, a parser that a malicious file controls could read everything that the user of the service can: keys, other files,
/proc/*/environ of other services. It needs no privileges, and Linux 5.13 or later with Landlock enabled.
Source: landlock(7), linux/landlock.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterable
from typing import Final

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1

_WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 14
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_OF_FILES: Final = _WRITE_FILE | _READ_FILE | _TRUNCATE
READ: Final = _READ_FILE | _READ_DIR
"""Rights to read files and list folders, not to execute."""
WRITE: Final = READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
"""Rights to create, write and remove files and folders, but no sockets, pipes, devices or links."""

_ALL_TCP: Final = 0b11
"""LANDLOCK_ACCESS_NET_BIND_TCP | LANDLOCK_ACCESS_NET_CONNECT_TCP, from ABI 4."""
_ALL_SCOPES: Final = 0b11
"""LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | LANDLOCK_SCOPE_SIGNAL, from ABI 6."""


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


_BENEATH: Final = struct.Struct("=Qi")
"""struct landlock_path_beneath_attr, which is packed: rights, descriptor of the path."""


def restrict(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Restrict this process and its descendants irrevocably; paths that do not exist are skipped.

    Raises: OSError if the kernel does not support Landlock.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = _check(libc.syscall(_CREATE_RULESET, None, 0, _VERSION))
    handled = _handled(version)
    ruleset = _Ruleset(handled, _ALL_TCP if version >= 4 else 0, _ALL_SCOPES if version >= 6 else 0)
    descriptor = _check(libc.syscall(_CREATE_RULESET, ctypes.byref(ruleset), _size(version), 0))
    try:
        for path, rights in [*((path, READ) for path in readable), *((path, WRITE) for path in writable)]:
            _allow(libc, descriptor, path, rights & handled)
        _check(libc.syscall(_RESTRICT_SELF, descriptor, 0))
    finally:
        os.close(descriptor)


def _handled(version: int) -> int:
    """Every right that the kernel's ABI version has: 13 in version 1, then REFER (2), TRUNCATE (3) and IOCTL_DEV (5)."""
    known = 13 if version < 2 else 14 if version < 3 else 15 if version < 5 else 16
    return (1 << known) - 1


def _size(version: int) -> int:
    """Size of the ruleset struct in bytes; older kernels refuse a longer struct than theirs."""
    return 8 if version < 4 else 16 if version < 6 else 24


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rule = _BENEATH.pack(rights if folder else rights & _OF_FILES, descriptor)
        _check(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0))
    finally:
        os.close(descriptor)


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno() or errno.ENOSYS
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return result
