"""A system-call filter: the kernel refuses system calls that a file parser does not need.

The filter is classic BPF over `struct seccomp_data` {nr: u32, arch: u32, instruction_pointer: u64, args: u64[6]}. The
numbers are those of <asm/unistd.h>; other architectures have no filter; the other
measures still apply. Threads are allowed, because OCCT uses them for meshing. Source: seccomp(2), linux/audit.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from dataclasses import dataclass
from typing import Final

SAME_ON_BOTH: Final = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428,
    "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_open": 434,
    "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442, "process_mrelease": 448,
}  # fmt: skip

X86_64_REFUSED: Final = {
    # No new sockets; the channel of the child exists already. socketpair is included, because a datagram socket of a
    # pair can send to any socket file.
    "socket": 41, "connect": 42, "accept": 43, "bind": 49, "listen": 50, "socketpair": 53, "accept4": 288,
    # Other programs and other processes.
    "fork": 57, "vfork": 58, "execve": 59, "execveat": 322, "ptrace": 101, "process_vm_readv": 310,
    "process_vm_writev": 311, "kcmp": 312, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297,
    "migrate_pages": 256, "move_pages": 279,
    # Leaving the process group, which the fork server kills.
    "setpgid": 109, "setsid": 112,
    # Memory and messages that outlive the process.
    "shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240,
    # Administration of the machine.
    "setns": 308, "unshare": 272, "mount": 165, "umount2": 166, "pivot_root": 155, "chroot": 161, "swapon": 167,
    "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171, "init_module": 175, "delete_module": 176,
    "finit_module": 313, "kexec_load": 246, "kexec_file_load": 320, "bpf": 321, "perf_event_open": 298,
    "userfaultfd": 323, "add_key": 248, "request_key": 249, "keyctl": 250, "open_by_handle_at": 304,
    "fanotify_init": 300, "acct": 163, "settimeofday": 164, "clock_settime": 227, "adjtimex": 159, "quotactl": 179,
    "iopl": 172, "ioperm": 173, "syslog": 103, "personality": 135, "lookup_dcookie": 212,
}  # fmt: skip

AARCH64_REFUSED: Final = {
    "socket": 198, "connect": 203, "accept": 202, "bind": 200, "listen": 201, "socketpair": 199, "accept4": 242,
    "execve": 221, "execveat": 281, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240, "migrate_pages": 238, "move_pages": 239, "setpgid": 154,
    "setsid": 157, "shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180, "setns": 268, "unshare": 97,
    "mount": 40, "umount2": 39, "pivot_root": 41, "chroot": 51, "swapon": 224, "swapoff": 225, "reboot": 142,
    "sethostname": 161, "setdomainname": 162, "init_module": 105, "delete_module": 106, "finit_module": 273,
    "kexec_load": 104, "kexec_file_load": 294, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "add_key": 217,
    "request_key": 218, "keyctl": 219, "open_by_handle_at": 265, "fanotify_init": 262, "acct": 89, "settimeofday": 170,
    "clock_settime": 112, "adjtimex": 171, "quotactl": 60, "syslog": 116, "personality": 92, "lookup_dcookie": 18,
}  # fmt: skip


@dataclass(frozen=True)
class Architecture:
    """System-call numbers of one architecture."""

    audit: int
    """AUDIT_ARCH_*."""
    refused: dict[str, int]
    clone: int
    clone3: int
    signalling: tuple[int, ...]
    """kill, tkill, tgkill: allowed only to the process itself, for abort() and raise()."""
    prlimit: int
    seccomp: int


ARCHITECTURES: Final = {
    "x86_64": Architecture(0xC000003E, X86_64_REFUSED, 56, 435, (62, 200, 234), 302, 317),
    "aarch64": Architecture(0xC00000B7, AARCH64_REFUSED, 220, 435, (129, 130, 131), 261, 277),
}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NR, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _REFUSE, _UNKNOWN = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_X32_BIT, _CLONE_THREAD = 0x40000000, 0x00010000
_SET_MODE_FILTER, _TSYNC = 1, 1


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def install() -> None:
    """Install the filter irrevocably for every thread of this process; PR_SET_NO_NEW_PRIVS must be set.

    Raises: OSError if the kernel or the architecture is not supported.
    """
    architecture = ARCHITECTURES.get(platform.machine())
    if architecture is None:
        raise OSError(errno.ENOSYS, f"no system-call numbers for {platform.machine()}")
    code = program(architecture, os.getpid())
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_ = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(architecture.seccomp, _SET_MODE_FILTER, _TSYNC, ctypes.byref(filter_)) != 0:
        raise OSError(ctypes.get_errno(), "seccomp filter refused")


def program(architecture: Architecture, pid: int) -> bytes:
    """The filter for the process `pid`, as an array of struct sock_filter."""
    lines = [
        _line(_LOAD, _ARCH),
        _line(_EQUAL, architecture.audit, 1, 0),
        _line(_RETURN, _REFUSE),
        _line(_LOAD, _NR),
        # x32 calls use another table of numbers; aarch64 has no numbers in this range.
        *_return_if(_AT_LEAST, _X32_BIT, _UNKNOWN),
        # The flags of clone3 are behind a pointer, which a filter cannot read; after ENOSYS libc uses clone.
        *_return_if(_EQUAL, architecture.clone3, _UNKNOWN),
    ]
    for number in sorted({*architecture.refused.values(), *SAME_ON_BOTH.values()}):
        lines += _return_if(_EQUAL, number, _REFUSE)
    lines += _check_first_argument(architecture.clone, (_ANY_BIT, _CLONE_THREAD))
    for number in architecture.signalling:
        lines += _check_first_argument(number, (_EQUAL, pid))
    lines += _check_first_argument(architecture.prlimit, (_EQUAL, 0), (_EQUAL, pid))
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _line(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def _return_if(test: int, operand: int, action: int) -> list[bytes]:
    return [_line(test, operand, 0, 1), _line(_RETURN, action)]


def _check_first_argument(number: int, *allowed: tuple[int, int]) -> list[bytes]:
    """Refuse a call unless the low word of its first argument passes one of the tests."""
    tests = [line for test, operand in allowed for line in _return_if(test, operand, _ALLOW)]
    block = [_line(_LOAD, _FIRST_ARGUMENT), *tests, _line(_RETURN, _REFUSE)]
    return [_line(_EQUAL, number, 0, len(block)), *block]
