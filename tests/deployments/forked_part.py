"""A part of a stack that the fork server forks in a test: it prints what it was given, then ends, or waits for SIGTERM."""

from __future__ import annotations

import json
import os
import signal
import sys


def main(argv: list[str]) -> int:
    """Print arguments, environment, parent and session as JSON; with `ends N` exit with N, else wait."""
    said = {"argv": argv, "environment": dict(os.environ), "parent": os.getppid(), "session": os.getsid(0)}
    print(json.dumps({**said, "modules": sorted(sys.modules)}), flush=True)
    if argv[:1] == ["ends"]:
        return int(argv[1])
    signal.pause()
    return 0
