"""Prefect's background services in a process of their own: `prefect server services start` with quieter background tasks.

python -m prefect_runtime.services
"""

from __future__ import annotations

import sys

from prefect.cli import app
from prefect.context import refresh_global_settings_context
from prefect.logging.configuration import setup_logging

from prefect_runtime.background_tasks import use_quiet_workers


def main() -> None:
    """Run the services until a signal, with the settings of the environment."""
    refresh_global_settings_context()
    setup_logging()
    use_quiet_workers()
    sys.argv[1:] = ["server", "services", "start"]
    app()


if __name__ == "__main__":
    main()
