"""The command `spatial run`: its arguments and options."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.options import Home


def run(
    port: Annotated[
        int | None,
        typer.Option(
            "--port", min=1, max=65535, metavar="N", help="Port of the API (SPATIAL_API_PORT; by default 8000)."
        ),
    ] = None,
    home: Home = None,
    no_sample: Annotated[
        bool, typer.Option("--no-sample", help="Do not extract the bundled sample part on the first run.")
    ] = False,
    no_desktop_worker: Annotated[
        bool, typer.Option("--no-desktop-worker", help="Do not start a desktop inference worker.")
    ] = False,
) -> None:
    """Start the whole stack on this machine and serve until Ctrl-C.

    Postgres, the Prefect server with its UI, the converter, a warm worker and the API, each unless the settings point elsewhere.
    """
    from cli import run as command

    command.run(port=port, home=home, no_sample=no_sample, no_desktop_worker=no_desktop_worker)
