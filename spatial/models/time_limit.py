"""How long the process that reads a file may take in all: the deadline of the converter, which readers and stages measure by.

It is a number of seconds, never a moment: a document must not depend on what else the machine does.
"""

from __future__ import annotations

from spatial.contract.limits import CONVERT_SECONDS

_seconds = CONVERT_SECONDS


def set_time_limit(seconds: float) -> None:
    """Set the limit of this process, which reads one file."""
    global _seconds
    _seconds = seconds


def time_limit() -> float:
    """The limit, in seconds."""
    return _seconds
