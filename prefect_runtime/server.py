"""Prefect's server: `prefect server start`, with the route that records ended runs, and background tasks that look once a second.

Docket, which runs them, looks four times a second by default, which took a third of the idle server's processor time. The shortest of
Prefect's own intervals is 5 s.

    python -m prefect_runtime.server [flags of prefect server start]
"""

from __future__ import annotations

import sys
from datetime import timedelta
from functools import partial
from typing import Final

from docket import Worker
from prefect.cli import app
from prefect.server.api import background_workers, server

from prefect_runtime import record_route

LOOK: Final = timedelta(seconds=1)
"""How often background tasks look for work."""


def main() -> None:
    """Run the server until a signal."""
    background_workers.Worker = partial(Worker, minimum_check_interval=LOOK, scheduling_resolution=LOOK)  # type: ignore[attr-defined,assignment]  # it has no setting for this
    server.API_ROUTERS = (*server.API_ROUTERS, record_route.router)  # type: ignore[assignment]  # a tuple of its present length
    sys.argv[1:] = ["server", "start", *sys.argv[1:]]
    app()


if __name__ == "__main__":
    main()
