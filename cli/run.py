"""`spatial run`: this process becomes the supervisor of the embedded stack."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def run(*, port: int | None, home: Path | None, no_sample: bool, no_desktop_worker: bool) -> None:
    """Replace this process with `python -m deployments.embedded`, which then receives Ctrl-C and sets the exit status."""
    flags = [
        *(["--port", str(port)] if port is not None else []),
        *(["--home", str(home)] if home is not None else []),
        *(["--no-sample"] if no_sample else []),
        *(["--no-desktop-worker"] if no_desktop_worker else []),
    ]
    # A folder in the current directory with the name of a package must not shadow that package.
    os.environ["PYTHONSAFEPATH"] = "1"
    os.execv(sys.executable, [sys.executable, "-m", "deployments.embedded", *flags])
