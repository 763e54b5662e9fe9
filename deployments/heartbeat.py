"""Heartbeat of a worker: a file that it touches after every poll, and the container's health check, which reads the file's age.

    python -m deployments.heartbeat HOME     exits 0 if a worker of that home polled within SILENCE_SECONDS, else 1 with a reason

A worker listens on no port, because two workers on one host would need different ones. The check starts a process every few seconds,
so this module imports only the standard library.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path
from typing import Final

SILENCE_SECONDS: Final = 60.0
"""How long a worker may go without an answered poll before it counts as unhealthy; it polls the Prefect server every 5 s."""

log = logging.getLogger(__name__)


def path_of(home: Path) -> Path:
    """Path of the heartbeat file of a home's worker."""
    return home / "run" / "worker.heartbeat"


class Pulse:
    """The heartbeat file of a worker. If it cannot be written, this is logged once, and the worker continues."""

    def __init__(self, home: Path) -> None:
        self._file = path_of(home)
        self._failed = False

    def beat(self) -> None:
        """Record that the Prefect server has just answered a poll."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch()
        except OSError as error:
            if not self._failed:
                log.error(
                    "%s cannot be written (%s), so the health check reports this worker as unhealthy", self._file, error
                )
            self._failed = True


def silence(home: Path) -> float | None:
    """Seconds since the last heartbeat; None if there was none."""
    try:
        return time.time() - path_of(home).stat().st_mtime
    except FileNotFoundError:
        return None


def main(argv: list[str]) -> int:
    """Run the health check; returns its exit status."""
    silent = silence(Path(argv[0]))
    if silent is not None and silent <= SILENCE_SECONDS:
        return 0
    print("no worker has polled yet" if silent is None else f"the last answered poll was {silent:.0f} s ago")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
