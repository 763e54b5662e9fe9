"""A network namespace without routes: what runs in it reaches its own loopback and nothing else.

The kernel's namespaces are those of unshare(1). Mounts are private too, so that a siege may mount a small file system of its own.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1

ROUTES: Final = ("/proc/net/route", "/proc/net/ipv6_route")
"""The kernel's tables of routes, one line a route; the first has a heading (proc(5))."""


def is_isolated() -> bool:
    """Whether this process has no route to anything but its loopback."""
    ipv4, ipv6 = (Path(table).read_text().splitlines() if Path(table).exists() else [] for table in ROUTES)
    return len(ipv4) <= 1 and all(line.split()[-1] == "lo" for line in ipv6)


def command(inner: Sequence[str]) -> list[str]:
    """The command line that runs another one in namespaces of its own; without privileges it keeps its user."""
    own = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    return ["unshare", *own, "--net", "--mount", "--", *inner]


def is_possible() -> bool:
    """Whether this machine lets us make such namespaces."""
    return subprocess.run(command(["true"]), capture_output=True).returncode == 0


def raise_loopback() -> None:
    """Switch the loopback interface of this process's namespace on (netdevice(7))."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh", b"lo", 0)
        flags = struct.unpack("16sh", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh", b"lo", flags | _IFF_UP))
