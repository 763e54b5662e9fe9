"""How a program of this package ends: with a status, and a sentence on standard error where it failed."""

from __future__ import annotations

import sys
from collections.abc import Callable

from spatial.errors import SpatialError


def run_program(work: Callable[[], object]) -> int:
    """Do the work; the exit status: 1 where it raised SpatialError, whose message is printed."""
    try:
        work()
    except SpatialError as error:
        print(error.message, file=sys.stderr)
        return 1
    return 0
