"""Prefect's server: `prefect server start` with quieter background tasks, and with routes that record ended runs, that workers poll and
that tell of lost requests.

    python -m prefect_runtime.server [flags of prefect server start]
"""

from __future__ import annotations

import sys
from importlib import import_module

from prefect.cli import app
from prefect.context import refresh_global_settings_context
from prefect.logging.configuration import setup_logging
from prefect.server.api import server

from converter import http_server
from prefect_runtime import calls_route, poll_route, record_route, server_database, timezones
from prefect_runtime.background_tasks import use_quiet_workers


def main(argv: list[str] | None = None) -> None:
    """Run the server until a signal, with the settings of the environment, also where Prefect has been imported before."""
    refresh_global_settings_context()
    setup_logging()
    timezones.remember()
    use_quiet_workers()
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
