"""Prefect's server: `prefect server start` with quieter background tasks, and with routes that record ended runs, that workers poll and
that tell of lost requests.

Docket, which runs them, looks four times a second for work and ten times for the cancellation of a task, which took a third of the idle
server's processor time. The shortest of Prefect's own intervals is 5 s, and it cancels no background task.

    python -m prefect_runtime.server [flags of prefect server start]
"""

from __future__ import annotations

import sys
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import Final

from docket import Worker
from prefect.cli import app
from prefect.context import refresh_global_settings_context
from prefect.logging.configuration import setup_logging
from prefect.server.api import background_workers, server

from converter import http_server
from prefect_runtime import calls_route, poll_route, record_route, server_database, timezones

LOOK: Final = timedelta(seconds=1)
"""How often background tasks look for work."""


class QuietWorker(Worker):
    """Runs background tasks, looks for them every LOOK, and listens to no cancellations."""

    async def _cancellation_listener(self) -> None:
        session = self._processing_session
        if session is not None:
            session.cancellation_ready.set()
            await session.stopping.wait()


def main(argv: list[str] | None = None) -> None:
    """Run the server until a signal, with the settings of the environment, also where Prefect has been imported before."""
    refresh_global_settings_context()
    setup_logging()
    timezones.remember()
    background_workers.Worker = partial(QuietWorker, minimum_check_interval=LOOK, scheduling_resolution=LOOK)  # type: ignore[attr-defined,assignment]  # it has no setting for this
    server_database.ask_no_connection()
    # `uvicorn.run` takes no class; the package hides its module `main` behind a command of that name.
    import_module("uvicorn.main").Server = http_server.Server  # type: ignore[attr-defined]
    calls_route.watch()
    routers = (record_route.router, poll_route.router, calls_route.router)
    server.API_ROUTERS = (*server.API_ROUTERS, *routers)  # type: ignore[assignment]  # a tuple of its present length
    sys.argv[1:] = ["server", "start", *(sys.argv[1:] if argv is None else argv)]
    app()


if __name__ == "__main__":
    main()
