"""The pulse of a worker: a file that is touched after every poll, and the health check of its container, which reads the file's age.

    python -m deployments.heartbeat HOME     0 where a worker of that home polled within SILENCE_SECONDS, else 1 and a sentence

A worker listens nowhere: two of them on one host could not have one port. The check is a process every few seconds, so this module
imports nothing but the standard library.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path
from typing import Final

SILENCE_SECONDS: Final = 60.0
"""How long a worker may go without a poll that Prefect's server answered, of which there are two a second, until it counts as unwell."""

log = logging.getLogger(__name__)


def place(home: Path) -> Path:
    """Where the file of a home's worker lies."""
    return home / "run" / "worker.heartbeat"


class Pulse:
    """One worker's file. Where it cannot be written that is said once, and the worker is left to its work."""

    def __init__(self, home: Path) -> None:
        self._file = place(home)
        self._failed = False

    def beat(self) -> None:
        """Prefect's server has just answered."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.touch()
        except OSError as error:
            if not self._failed:
                log.error("the health check will call this worker unwell: %s cannot be written: %s", self._file, error)
            self._failed = True


def silence(home: Path) -> float | None:
    """Seconds since the last beat; None where there was none."""
    try:
        return time.time() - place(home).stat().st_mtime
    except FileNotFoundError:
        return None


def main(argv: list[str]) -> int:
    """The health check."""
    silent = silence(Path(argv[0]))
    if silent is not None and silent <= SILENCE_SECONDS:
        return 0
    print("no worker has polled yet" if silent is None else f"the last poll that was answered is {silent:.0f} s ago")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
