"""How long this process has existed: what its start took, at its first call."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
"""Of the kernel's clock, per second."""


def process_seconds() -> float:
    """Seconds since the process began, where the kernel says (proc_pid_stat, field 22; proc_uptime), else 0."""
    with suppress(OSError, ValueError, IndexError):
        began = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return float(Path("/proc/uptime").read_text().split()[0]) - began / _TICKS
    return 0.0
