"""The API process: `python -m deployments.serve [--host H] [--port P]`; settings come from the environment."""

from __future__ import annotations

import argparse
import sys

from api import server
from api.app import create_app
from converter import http_server
from prefect_runtime import environment
from spatial import logs
from storage import settings as settings_module
from storage.shutdown import REQUESTS_SECONDS


def main(argv: list[str] | None = None) -> int:
    """Serve until SIGTERM or SIGINT."""
    try:
        settings = settings_module.load()
        environment.enter(settings)
    except settings_module.SettingsError as error:
        print(error, file=sys.stderr)
        return 2
    parser = argparse.ArgumentParser(prog="python -m deployments.serve", description=__doc__)
    parser.add_argument("--host", default=settings.api_host)
    parser.add_argument("--port", type=int, default=settings.api_port)
    arguments = parser.parse_args(argv)
    logs.configure(settings.log_format, settings.log_level)
    app = create_app(settings)
    http_server.Server(
        server.config(app, host=arguments.host, port=arguments.port, drain_seconds=REQUESTS_SECONDS)
    ).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
