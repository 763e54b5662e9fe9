"""The isolation measures of a child process, and the check of which ones the kernel supports.

The fork server applies some measures once and its children inherit them, because they take milliseconds (network namespace) or concern
its credentials (capabilities). Every child applies the others before it reads its file. A measure that the kernel does not support
is skipped and reported; the other measures do not depend on it.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import resource
import signal
import site
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sandbox import landlock, seccomp

NETWORK_NAMESPACE, CAPABILITIES = "network_namespace", "no_capabilities"
PROCESS_GROUP, RESOURCE_LIMITS = "process_group", "resource_limits"
LANDLOCK, SECCOMP = "landlock", "seccomp"

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""All of the environment that a child has. OpenBLAS starts a thread for each processor when numpy is loaded, and again in a child that was
forked; files are read beside each other, and a process with threads must not fork."""
MEASURES: Final = (NETWORK_NAMESPACE, CAPABILITIES, PROCESS_GROUP, RESOURCE_LIMITS, LANDLOCK, SECCOMP)
"""All measures, in the order in which they are applied. In addition, no child has an environment or inherited descriptors."""

FILE_BYTES: Final = 512 * 1024**2
"""Maximum size of a file that a child may write."""

OPEN_FILES: Final = 256
"""Maximum number of open descriptors per child."""

MEMORY_SLACK: Final = 1.25
"""Ratio of the kernel's memory limit to the limit of the pool. The pool kills a child above its limit; the kernel stops a child that
grows faster than the pool checks."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522


@dataclass(frozen=True)
class Confines:
    """Limits of a child."""

    measures: tuple[str, ...]
    """The measures to try, of MEASURES."""
    readable: tuple[str, ...]
    """Paths that the child may read besides its folder."""
    memory_bytes: int
    """Memory that the child may use in addition to the memory that it was forked with."""


def apply_server_measures(wanted: Iterable[str]) -> list[str]:
    """Apply those measures of `wanted` that children inherit; returns the effective ones. Call it before any thread is started."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = {NETWORK_NAMESPACE: _leave_network, CAPABILITIES: _drop_capabilities}
    active = _apply([(name, step) for name, step in steps.items() if name in wanted])
    # Required by the seccomp filters of the children; it also prevents gaining privileges by set-uid programs.
    _check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    # Processes that outlive a child become children of the fork server, which kills them.
    _check(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
    return active


def apply_child_measures(confines: Confines, folder: str) -> list[str]:
    """Apply the measures of one child, which may write only to `folder`; returns the effective ones."""

    def restrict_files() -> None:
        landlock.restrict(confines.readable, [folder])

    steps: dict[str, Callable[[], None]] = {
        PROCESS_GROUP: lambda: os.setpgid(0, 0),
        RESOURCE_LIMITS: lambda: _limit_resources(confines.memory_bytes),
        LANDLOCK: restrict_files,
        SECCOMP: seccomp.install,
    }
    return _apply([(name, step) for name, step in steps.items() if name in confines.measures])


def die_with_parent(parent: int) -> None:
    """Make the kernel kill this process when its parent ends. Call it again after every change of credentials, which clears the setting."""
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0))
    if os.getppid() != parent:
        os._exit(1)


def readable_paths(modules: Iterable[str]) -> tuple[str, ...]:
    """Paths that the code reads at run time: Python, its packages, system libraries and fonts, and the named modules."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site.getsitepackages()]
    system = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/dev/urandom", "/dev/zero"]
    # glibc counts processors in /sys/devices/system/cpu; /proc/self is that of the child.
    kernel = ["/dev/null", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"]
    return tuple(
        dict.fromkeys([*python, *system, *kernel, *_package_folders({name.partition(".")[0] for name in modules})])
    )


def status_bytes(pid: int | str, *names: str) -> int:
    """Sum of the named fields of /proc/PID/status, in bytes. Raises: OSError if the process has ended."""
    wanted = {f"{name}:" for name in names}
    with open(f"/proc/{pid}/status") as lines:
        return sum(int(words[1]) * 1024 for words in map(str.split, lines) if words and words[0] in wanted)


def waited_seconds(pid: int) -> float:
    """How long the first thread of a process was ready to run while others had the processors (proc_pid_schedstat).

    Raises: OSError if the process has ended, or the kernel does not count it.
    """
    with open(f"/proc/{pid}/schedstat") as line:
        return int(line.read().split()[1]) / 1e9


def is_running(pid: int) -> bool:
    """Whether a process runs; one that is dead and not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as line:
            return line.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def _apply(steps: Iterable[tuple[str, Callable[[], None]]]) -> list[str]:
    active = []
    for name, step in steps:
        with contextlib.suppress(OSError):
            step()
            active.append(name)
    return active


def _package_folders(packages: Iterable[str]) -> Iterator[str]:
    for package in sorted(packages):
        spec = importlib.util.find_spec(package)
        if spec is not None:
            yield from spec.submodule_search_locations or [spec.origin or ""]


def _leave_network() -> None:
    """Enter a new network namespace, in which no interface is up; without privileges this also requires a user namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNET) == 0:
        return
    user, group = os.geteuid(), os.getegid()
    _check(libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET))
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with contextlib.suppress(OSError), open(f"/proc/self/{name}", "w") as file:
            file.write(line)


def _drop_capabilities() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), 8)
    none = ctypes.create_string_buffer(24)
    _check(libc.capset(header, none))


def _limit_resources(memory_bytes: int) -> None:
    # RLIMIT_DATA counts private writable memory, which allocators use; RLIMIT_AS would also count the libraries.
    data = status_bytes("self", "VmData") + int(memory_bytes * MEMORY_SLACK)
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: FILE_BYTES,
        resource.RLIMIT_NOFILE: OPEN_FILES,
        resource.RLIMIT_DATA: data,
    }
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))
    # If the memory of the machine is exhausted, the kernel should kill a child, not the service or a database.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
