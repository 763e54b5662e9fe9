"""The measures that confine a child, and which of them this machine offers.

The fork server takes some measures once and its children inherit them, because they cost milliseconds (a network
namespace) or concern its credentials (capabilities); every child takes the others before it reads its file. A measure
that the kernel does not offer is left out and reported; each of the others holds by itself.
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

from converter import landlock, seccomp

NETWORK_NAMESPACE, CAPABILITIES = "network_namespace", "no_capabilities"
PROCESS_GROUP, RESOURCE_LIMITS = "process_group", "resource_limits"
LANDLOCK, SECCOMP = "landlock", "seccomp"

MEASURES: Final = (NETWORK_NAMESPACE, CAPABILITIES, PROCESS_GROUP, RESOURCE_LIMITS, LANDLOCK, SECCOMP)
"""In the order in which they are taken. Beside them a child never has an environment, or a descriptor but its own."""

FILE_BYTES: Final = 512 * 1024**2
"""Largest file that a child may write into its folder."""

OPEN_FILES: Final = 256
"""Most descriptors of one child."""

MEMORY_SLACK: Final = 1.25
"""The pool ends a child whose memory passes the ceiling; the kernel's own limit, this much higher, stops what grows
faster than the pool checks."""

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522


@dataclass(frozen=True)
class Confines:
    """What one child may do."""

    measures: tuple[str, ...]
    """The measures to try, of MEASURES."""
    readable: tuple[str, ...]
    """Paths it may read besides its own folder."""
    memory_bytes: int
    """Memory it may add to what it was forked with."""


def take_server_measures(wanted: Iterable[str]) -> list[str]:
    """Take the measures that children inherit, those of `wanted`; call it before anything starts a thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = {NETWORK_NAMESPACE: _leave_network, CAPABILITIES: _drop_capabilities}
    taken = _take([(name, step) for name, step in steps.items() if name in wanted])
    # The filters of the children need it; it also keeps set-uid programs and root's capabilities out of reach.
    _check(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    # The fork server inherits processes that outlive a child, and ends them.
    _check(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
    return taken


def take_child_measures(confines: Confines, folder: str) -> list[str]:
    """Take the measures of one child; `folder` is the only one that it may write."""

    def restrict_files() -> None:
        landlock.restrict(confines.readable, [folder])

    steps: dict[str, Callable[[], None]] = {
        PROCESS_GROUP: lambda: os.setpgid(0, 0),
        RESOURCE_LIMITS: lambda: _limit_resources(confines.memory_bytes),
        LANDLOCK: restrict_files,
        SECCOMP: seccomp.install,
    }
    return _take([(name, step) for name, step in steps.items() if name in confines.measures])


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when its parent ends; call it after every change of credentials, which clears the setting."""
    libc = ctypes.CDLL(None, use_errno=True)
    _check(libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0))
    if os.getppid() != parent:
        os._exit(1)


def readable_paths(modules: Iterable[str]) -> tuple[str, ...]:
    """Paths that code reads at run time: Python, its packages, the system's libraries and fonts, the modules named."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site.getsitepackages()]
    system = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/dev/urandom", "/dev/zero"]
    # glibc counts processors there; /proc/self is the child's own.
    kernel = ["/dev/null", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"]
    return tuple(
        dict.fromkeys([*python, *system, *kernel, *_package_folders({name.partition(".")[0] for name in modules})])
    )


def status_bytes(pid: int | str, *names: str) -> int:
    """Sum of the named fields of /proc/PID/status. Raises: OSError when the process is gone."""
    wanted = {f"{name}:" for name in names}
    with open(f"/proc/{pid}/status") as lines:
        return sum(int(words[1]) * 1024 for words in map(str.split, lines) if words and words[0] in wanted)


def is_running(pid: int) -> bool:
    """Whether a process runs; one that is dead and not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as line:
            return line.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def _take(steps: Iterable[tuple[str, Callable[[], None]]]) -> list[str]:
    taken = []
    for name, step in steps:
        with contextlib.suppress(OSError):
            step()
            taken.append(name)
    return taken


def _package_folders(packages: Iterable[str]) -> Iterator[str]:
    for package in sorted(packages):
        spec = importlib.util.find_spec(package)
        if spec is not None:
            yield from spec.submodule_search_locations or [spec.origin or ""]


def _leave_network() -> None:
    """Enter a new network namespace, in which no interface is up; without privileges that takes a user namespace as well."""
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
    # RLIMIT_DATA counts private writable memory, which is what allocators take; RLIMIT_AS would count the libraries.
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
    # Where all children together need more than the machine has, the kernel is to end one of them, not the service or a database.
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
