"""Run the embedded Postgres of a home until standard input is closed: `python -m deployments.database --home DIR`.

It prints the URL of the service's database on one line. The command line starts this process if no stack runs in that home.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from types import FrameType

from deployments.postgres import EmbeddedPostgres
from deployments.run_program import run_program

DATABASE = "spatial"
"""Name of the service's database in the embedded server."""


def run(home: Path) -> None:
    """Start the server, print the URL, and stop the server when standard input is closed. Raises: SpatialError."""
    server = EmbeddedPostgres(home)
    server.start()
    try:
        server.create_database(DATABASE)
        print(server.url(DATABASE), flush=True)
        sys.stdin.read()
    finally:
        server.stop()


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and run the server of one home."""
    parser = argparse.ArgumentParser(prog="python -m deployments.database", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="Folder of the stack's data.")
    arguments = parser.parse_args(argv)
    # Ctrl-C in the terminal also sends SIGINT to this process, which must run until its parent closes standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    return run_program(lambda: run(arguments.home))


if __name__ == "__main__":
    sys.exit(main())
